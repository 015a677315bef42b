/* Whether two triangles share a point, and how far apart they are, beside exact rationals. */
#include <string.h>

#include "accuracy/accuracy.h"
#include "accuracy/triangle_cases.h"
#include "geom/triangles.h"

#define RELATION_ORACLE "exact rationals over all pairs of features"

static void check_relation(accuracy *row, const exact_pair *pair, int expected) {
    triangles_relation found = triangles_meet(pair->p, pair->q), back = triangles_meet(pair->q, pair->p);
    if ((int)found != expected || (int)back != expected) {
        accuracy_wrong(row, "relation %d, exchanged %d, exact %d", (int)found, (int)back, expected);
    }
}

static void relations_on_a_grid(void **state) {
    (void)state;
    accuracy *row = accuracy_begin("two triangles on a coarse grid: apart, touching or crossing", RELATION_ORACLE, "right or wrong", 0.0);
    int32_t count = accuracy_samples(1000000);
    for (int32_t i = 0; i < count; i++) {
        random_state random = random_make(7000000000u + (uint64_t)i);
        exact_pair pair;
        accuracy_next(row, 7000000000u + (uint64_t)i);
        triangle_case_small(&random, &pair);
        check_relation(row, &pair, exact_small_relation(&pair));
    }
    accuracy_end(row);
}

static void relations_of_any(void **state) {
    (void)state;
    accuracy *row = accuracy_begin("two triangles, nearly touching: apart, touching or crossing", RELATION_ORACLE, "right or wrong", 0.0);
    int32_t count = accuracy_samples(200000);
    for (int32_t i = 0; i < count; i++) {
        random_state random = random_make(8000000000u + (uint64_t)i);
        exact_pair pair;
        accuracy_next(row, 8000000000u + (uint64_t)i);
        triangle_case_real(&random, &pair);
        check_relation(row, &pair, exact_relation(&pair));
    }
    accuracy_end(row);
}

/* ---- distance ---- */

static double size_of(const exact_pair *pair) {
    const abut_vec3 *at[2] = {pair->p, pair->q};
    double size = 0.0;
    for (int i = 0; i < 36; i++) {
        abut_vec3 way = abut_sub(at[i / 18][i / 6 % 3], at[i % 6 / 3][i % 3]);
        size = fmax(size, fmax(fabs(way.x), fmax(fabs(way.y), fabs(way.z))));
    }
    return size;
}

static double largest_of(const exact_pair *pair) {
    double x[18], most = 0.0;
    memcpy(x, pair, sizeof x);
    for (int i = 0; i < 18; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

static double exact_distance(const abut_vec3 p[3], const abut_vec3 q[3]) {
    exact_pair pair = {{p[0], p[1], p[2]}, {q[0], q[1], q[2]}};
    mpq_t square;
    mpq_init(square);
    exact_distance_squared(&pair, square);
    double distance = exact_root(square);
    mpq_clear(square);
    return distance;
}

static double off_surface(const abut_vec3 p[3], abut_vec3 point) {
    const abut_vec3 alone[3] = {point, point, point};
    return exact_distance(p, alone);
}

static double dot_over(abut_vec3 n, abut_vec3 a, double size) { return abut_dot(n, abut_scale(1.0 / size, a)); }

static void check_distance(accuracy *row, const exact_pair *pair) {
    triangles_gap gap;
    double size = size_of(pair), far = largest_of(pair) + size, expected = exact_distance(pair->p, pair->q);
    if (!(size > 0.0)) {
        return;
    }
    triangles_closest(pair->p, pair->q, &gap);
    triangles_set_direction(pair->p, pair->q, &gap);
    accuracy_error(row, fabs(gap.distance - expected) / size, "distance %.17g, exact %.17g", gap.distance, expected);
    if ((gap.distance > 0.0) != (expected > 0.0)) {
        accuracy_wrong(row, "distance %.17g, exact %.17g", gap.distance, expected);
    }
    accuracy_error(row, off_surface(pair->p, gap.on_p) / far, "off P");
    accuracy_error(row, off_surface(pair->q, gap.on_q) / far, "off Q");
    accuracy_error(row, fabs(dot_over(gap.normal, abut_sub(gap.on_p, gap.on_q), far) - gap.distance / far),
                   "distance %.17g along the normal", gap.distance);
    if (gap.relation == TRIANGLES_APART && (gap.along != gap.distance || fabs(abut_length(gap.normal) - 1.0) > 1e-15)) {
        accuracy_wrong(row, "along %.17g, distance %.17g", gap.along, gap.distance);
    }
}

static void depths(void **state) {
    (void)state;
    accuracy *row =
        accuracy_begin("depth of two triangles that cross", "exact rationals over all normals", "over the largest length", 1e-15);
    int32_t count = accuracy_samples(100000);
    mpq_t square;
    mpq_init(square);
    for (int32_t i = 0; i < count; i++) {
        random_state random = random_make(11000000000u + (uint64_t)i);
        exact_pair pair;
        triangles_gap gap;
        accuracy_next(row, 11000000000u + (uint64_t)i);
        triangle_case_real(&random, &pair);
        triangles_closest(pair.p, pair.q, &gap);
        triangles_set_direction(pair.p, pair.q, &gap);
        if (gap.relation == TRIANGLES_CROSS) {
            exact_depth_squared(&pair, square);
            double expected = exact_root(square);
            accuracy_error(row, fabs(-gap.along - expected) / (size_of(&pair) + largest_of(&pair)), "depth %.17g, exact %.17g", -gap.along,
                           expected);
        }
    }
    mpq_clear(square);
    accuracy_end(row);
}

static void distances_of_any(void **state) {
    (void)state;
    accuracy *row = accuracy_begin("distance and closest points of two triangles", RELATION_ORACLE, "over the largest length", 1e-15);
    int32_t count = accuracy_samples(100000);
    for (int32_t i = 0; i < count; i++) {
        random_state random = random_make(9000000000u + (uint64_t)i);
        exact_pair pair;
        accuracy_next(row, 9000000000u + (uint64_t)i);
        triangle_case_real(&random, &pair);
        check_distance(row, &pair);
    }
    accuracy_end(row);
}

static void distances_nearly_zero(void **state) {
    (void)state;
    accuracy *row =
        accuracy_begin("distance and closest points of two triangles nearly touching", RELATION_ORACLE, "over the largest length", 1e-15);
    int32_t count = accuracy_samples(100000);
    for (int32_t i = 0; i < count; i++) {
        random_state random = random_make(10000000000u + (uint64_t)i);
        exact_pair pair;
        accuracy_next(row, 10000000000u + (uint64_t)i);
        triangle_case_near(&random, random_log_range(&random, 1e-16, 1.0), &pair);
        check_distance(row, &pair);
    }
    accuracy_end(row);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(relations_on_a_grid), cmocka_unit_test(relations_of_any),
                                       cmocka_unit_test(distances_of_any), cmocka_unit_test(distances_nearly_zero),
                                       cmocka_unit_test(depths)};
    return cmocka_run_group_tests_name("accuracy/triangle_pairs", tests, NULL, NULL);
}
