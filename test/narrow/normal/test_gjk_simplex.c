/* The point of a simplex closest to the origin, compared with all its faces, edges and corners. */
#include "narrow/normal/gjk_simplex.h"

#include <stdio.h>

#include "support/check.h"

/* Distance of the origin from the hull of the points, by brute force: 0 inside, else to the nearest triangle, segment or point. */
static double distance_by_parts(const abut_vec3 *w, int32_t count) {
    const abut_vec3 origin = {0, 0, 0};
    double least = abut_length(w[0]);
    bool inside = count == 4;
    for (int32_t i = 0; i < count; i++) {
        for (int32_t j = 0; j < count; j++) {
            least = fmin(least, abut_length(oracle_on_segment(origin, w[i], w[j])));
            for (int32_t k = 0; k < j && j < i; k++) {
                least = fmin(least, abut_length(oracle_on_triangle(origin, w[i], w[j], w[k])));
            }
        }
    }
    for (int32_t i = 0; i < count && inside; i++) {
        abut_vec3 p = w[(i + 1) % 4], normal = abut_cross(abut_sub(w[(i + 2) % 4], p), abut_sub(w[(i + 3) % 4], p));
        inside = abut_dot(normal, p) * abut_dot(normal, abut_sub(p, w[i])) > 0.0; /* the origin and corner i on the same side */
    }
    return inside ? 0.0 : least;
}

/* The kept points are among the given ones; the weights are positive, add up to 1 and give the point. */
static void check_kept(tally *t, const gjk_simplex *before, const gjk_simplex *after, abut_vec3 closest, double size) {
    abut_vec3 sum = {0, 0, 0};
    double weights = 0.0;
    for (int32_t i = 0; i < after->count; i++) {
        int32_t from = after->vertex_a[i];
        bool whole = from >= 0 && from < before->count && after->vertex_b[i] == 10 + from &&
                     abut_distance_between(before->w[from], after->w[i]) == 0.0;
        if (!whole || !(after->weight[i] > 0.0)) {
            tally_fail(t, "not a point of it", "place %d, vertex %d, weight %.3g", (int)i, (int)from, after->weight[i]);
        }
        weights += after->weight[i];
        sum = abut_add_scaled(sum, after->weight[i], after->w[i]);
    }
    if (!(after->count >= 1 && fabs(weights - 1.0) <= 1e-14 && abut_distance_between(sum, closest) <= 1e-13 * size)) {
        tally_fail(t, "weights", "%d of them add up to %.17g, off by %.3g", (int)after->count, weights,
                   abut_distance_between(sum, closest));
    }
}

static void random_simplices(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("random_simplices", 511));
    int32_t kept[5] = {0};
    for (int32_t i = 0; i < 20000; i++) {
        gjk_simplex s = {.count = 0};
        int32_t count = 1 + i % 4;
        double size = random_log_range(&random, 1e-3, 1e3);
        abut_vec3 middle = random_vec3(&random, -0.3 * size, 0.3 * size);
        for (int32_t k = 0; k < count; k++) {
            gjk_simplex_add(&s, abut_add(middle, random_vec3(&random, -size, size)), k, 10 + k);
        }
        gjk_simplex before = s;
        abut_vec3 closest;
        gjk_simplex_reduce(&s, &closest);
        double distance = abut_length(closest), expected = distance_by_parts(before.w, count);
        tally_sample(&t, "sample %d, %d points of size %.3g", (int)i, (int)count, size);
        if (!(fabs(distance - expected) <= 1e-12 * size)) {
            tally_fail(&t, "distance", "%.17g, expected %.17g", distance, expected);
        }
        if (s.count > count || (s.count == 4) != (count == 4 && expected == 0.0)) {
            tally_fail(&t, "size", "%d points left at distance %.3g", (int)s.count, expected);
        }
        check_kept(&t, &before, &s, closest, size);
        kept[s.count < 5 ? s.count : 0]++;
    }
    printf("random_simplices: %d ended with one point, %d with two, %d with three, %d hold the origin\n", (int)kept[1], (int)kept[2],
           (int)kept[3], (int)kept[4]);
    tally_end(&t);
    assert_true(kept[1] > 300 && kept[2] > 300 && kept[3] > 300 && kept[4] > 300);
}

/* Points on a line, or all equal: the answer is that of the remaining points. */
static void flat_simplices(void **state) {
    (void)state;
    abut_vec3 closest;
    gjk_simplex line = {.count = 0};
    gjk_simplex_add(&line, abut_vec3_make(-1, 1, 0), 0, 0);
    gjk_simplex_add(&line, abut_vec3_make(3, 1, 0), 1, 0);
    gjk_simplex_add(&line, abut_vec3_make(1, 1, 0), 2, 0);
    gjk_simplex_reduce(&line, &closest);
    assert_vec3_near(closest, abut_vec3_make(0, 1, 0), 1e-15);
    assert_true(line.count <= 2);

    gjk_simplex flat = {.count = 0};
    gjk_simplex_add(&flat, abut_vec3_make(-1, -1, 2), 0, 0);
    gjk_simplex_add(&flat, abut_vec3_make(1, -1, 2), 1, 0);
    gjk_simplex_add(&flat, abut_vec3_make(1, 1, 2), 2, 0);
    gjk_simplex_add(&flat, abut_vec3_make(-1, 1, 2), 3, 0);
    gjk_simplex_reduce(&flat, &closest);
    assert_vec3_near(closest, abut_vec3_make(0, 0, 2), 1e-15);
    assert_true(flat.count <= 3);

    gjk_simplex same = {.count = 0};
    gjk_simplex_add(&same, abut_vec3_make(1, 2, 2), 0, 0);
    gjk_simplex_add(&same, abut_vec3_make(1, 2, 2), 0, 1);
    gjk_simplex_reduce(&same, &closest);
    assert_vec3_near(closest, abut_vec3_make(1, 2, 2), 0.0);
    assert_int_equal(same.count, 1);
}

static void points_by_their_vertices(void **state) {
    (void)state;
    gjk_simplex s = {.count = 0};
    gjk_simplex_add(&s, abut_vec3_make(1, 0, 0), 3, 4);
    assert_true(gjk_simplex_has(&s, 3, 4));
    assert_false(gjk_simplex_has(&s, 4, 3));
    assert_false(gjk_simplex_has(&s, 3, 3));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_simplices),
        cmocka_unit_test(flat_simplices),
        cmocka_unit_test(points_by_their_vertices),
    };
    return cmocka_run_group_tests_name("narrow/normal/gjk_simplex", tests, NULL, NULL);
}
