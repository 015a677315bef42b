/* The modes that try a list of directions. The reference lists the paper's 44 directions itself (support/depth_problem.h) and solves a general quadratic
 * program for each: as printed, with equalities; the least value with inequalities; the direction of least overlap; and the best few. */
#include "support/check.h"
#include "support/depth_problem.h"
#include "support/random.h"

#include <stdlib.h>

/* For nearly parallel edges, rounding error decides the direction. depth_directions() takes those above 1e-10. */
static const double tolerance = 1e-11;

static abut_simplex random_tetra(random_state *random) {
    for (;;) {
        abut_simplex s = {.count = 4};
        for (int32_t i = 0; i < 4; i++) {
            s.vertex[i] = random_vec3(random, -5.0, 5.0);
        }
        abut_vec3 u = abut_sub(s.vertex[1], s.vertex[0]), v = abut_sub(s.vertex[2], s.vertex[0]), w = abut_sub(s.vertex[3], s.vertex[0]);
        double volume = fabs(abut_dot(abut_cross(u, v), w)) / 6.0;
        if (volume >= 0.1 && volume <= 130.0) {
            return s;
        }
    }
}

static double overlap_along(const depth_pair *pair, abut_vec3 normal) {
    double overlap = -INFINITY;
    for (int32_t i = 0; i < pair->a.count; i++) {
        for (int32_t j = 0; j < pair->b.count; j++) {
            overlap = fmax(overlap, abut_dot(normal, abut_sub(pair->b.vertex[j], pair->a.vertex[i])));
        }
    }
    return overlap;
}

/* A direction with a sign: its rigid overlap, and its depth with inequalities. */
typedef struct candidate {
    double overlap, depth;
} candidate;

static int compare(const void *x, const void *y) {
    double a = ((const candidate *)x)->overlap, b = ((const candidate *)y)->overlap;
    return (a > b) - (a < b);
}

static double depth_of(tally *t, const qp_problem *problem) {
    qp_solution solution;
    qp_solve(problem, &solution);
    if (solution.status == QP_FAILED) {
        tally_fail(t, "referee", "after %d steps", (int)solution.steps);
    }
    return solution.status == QP_SOLVED ? sqrt(2.0 * solution.value) : INFINITY;
}

/* The paper's directions. For a static body, the static one comes first. */
static int32_t list_directions(const depth_pair *pair, depth_direction *directions) {
    if (pair->weight_b < INFINITY) {
        return depth_directions(&pair->a, &pair->b, directions);
    }
    int32_t count = depth_directions(&pair->b, &pair->a, directions);
    for (int32_t i = 0; i < count; i++) {
        depth_direction d = directions[i];
        directions[i] = (depth_direction){abut_neg(d.normal), d.set_b, d.set_a, d.both_ways};
    }
    return count;
}

/* The value by the paper's equalities, and all candidates sorted by overlap. */
static double list_all(tally *t, const depth_pair *pair, candidate *candidates, int32_t *count) {
    depth_direction directions[DEPTH_DIRECTIONS];
    int32_t found = list_directions(pair, directions);
    double least = INFINITY;
    qp_problem problem;
    *count = 0;
    for (int32_t i = 0; i < found; i++) {
        const depth_direction *d = &directions[i];
        for (int way = 0; way < 2; way++) {
            abut_vec3 normal = way == 0 ? d->normal : abut_neg(d->normal);
            depth_problem_along(pair, normal, -INFINITY, &problem);
            candidates[(*count)++] = (candidate){overlap_along(pair, normal), depth_of(t, &problem)};
            if (way == 0 || d->both_ways) {
                depth_problem_on_plane(pair, normal, d->set_a, d->set_b, &problem);
                least = fmin(least, depth_of(t, &problem));
            }
        }
    }
    qsort(candidates, (size_t)*count, sizeof *candidates, compare);
    return least;
}

static double least_of(const candidate *candidates, int32_t count) {
    double least = INFINITY;
    for (int32_t i = 0; i < count; i++) {
        least = fmin(least, candidates[i].depth);
    }
    return least;
}

static void check_mode(tally *t, const depth_pair *pair, abut_depth_mode mode, int32_t best_k, double expected, double rigid) {
    static const char *const names[] = {"exact44", "paper", "accelerated", "best k"};
    abut_depth_settings settings = abut_depth_settings_default();
    abut_depth depth;
    settings.mode = mode;
    settings.best_k = best_k;
    settings.weight_a = pair->weight_a;
    settings.weight_b = pair->weight_b;
    abut_status status = abut_simplex_depth(&pair->a, &pair->b, &settings, &depth);
    if (status != ABUT_OK || depth.relation != ABUT_DEPTH_INTERSECTING) {
        tally_fail(t, names[mode], "%s, relation %d", abut_status_name(status), (int)depth.relation);
        return;
    }
    if (!(fabs(depth.depth - expected) <= tolerance * expected)) {
        tally_fail(t, names[mode], "depth %.17g, not %.17g, which is 1 + %.3g times it", depth.depth, expected,
                   expected / depth.depth - 1.0);
    }
    if (!(fabs(-depth.rigid.gap - rigid) <= tolerance * rigid)) {
        tally_fail(t, "rigid depth", "%.17g, not %.17g", -depth.rigid.gap, rigid);
    }
}

static void test_directions(void **state) {
    (void)state;
    random_state random = random_make(random_seed("directions", 21));
    int32_t samples = random_samples("directions", 6000), intersecting = 0;
    tally t = {.kinds = 0};
    for (int32_t i = 0; i < samples; i++) {
        static const double infinite[4][2] = {{0, 0}, {0, 0}, {1, 0}, {0, 1}};
        depth_pair pair = {random_tetra(&random), random_tetra(&random), 1.0, 1.0};
        double weight_a = random_log_range(&random, 0.1, 10.0), weight_b = random_log_range(&random, 0.1, 10.0);
        if (i % 4 > 0) {
            pair.weight_a = infinite[i % 4][0] > 0.0 ? INFINITY : weight_a;
            pair.weight_b = infinite[i % 4][1] > 0.0 ? INFINITY : weight_b;
        }
        candidate candidates[2 * DEPTH_DIRECTIONS];
        int32_t count, k = 1 + random_below(&random, 88);
        tally_sample(&t, "sample %d: weights %g %g", (int)i, pair.weight_a, pair.weight_b);
        double paper = list_all(&t, &pair, candidates, &count), rigid = candidates[0].overlap;
        if (!(rigid > 1e-6)) {
            continue;
        }
        intersecting++;
        check_mode(&t, &pair, ABUT_DEPTH_EXACT44, 1, least_of(candidates, count), rigid);
        check_mode(&t, &pair, ABUT_DEPTH_PAPER, 1, paper, rigid);
        check_mode(&t, &pair, ABUT_DEPTH_ACCELERATED, 1, candidates[0].depth, rigid);
        check_mode(&t, &pair, ABUT_DEPTH_BEST_K, k, least_of(candidates, k < count ? k : count), rigid);
    }
    print_message("%d of %d intersect\n", (int)intersecting, (int)samples);
    assert_true(intersecting > samples / 2);
    tally_end(&t);
}

/* Three corners on one line span no face, whichever body is A. Their coordinates have few digits. The other body has a vertex near a coordinate plane. Seen
 * from there, the three are off their line by rounding error. */
static abut_simplex with_corners_on_a_line(random_state *random) {
    abut_simplex s = {.count = 4};
    abut_vec3 start = random_vec3(random, -1.0, 1.0), along = random_vec3(random, -4.0, 4.0);
    start = abut_vec3_make(rint(8.0 * start.x) / 8.0, rint(8.0 * start.y) / 8.0, rint(8.0 * start.z) / 8.0);
    along = abut_vec3_make(rint(along.x), rint(along.y), rint(along.z));
    int32_t first = -2 + random_below(random, 2);
    for (int32_t i = 0; i < 3; i++) {
        s.vertex[i] = abut_add_scaled(start, first + i, along);
    }
    s.vertex[3] = random_vec3(random, -5.0, 5.0);
    return s;
}

static void test_corners_on_one_line(void **state) {
    (void)state;
    random_state random = random_make(random_seed("corners on one line", 22));
    int32_t samples = random_samples("corners on one line", 4000), intersecting = 0;
    tally t = {.kinds = 0};
    for (int32_t i = 0; i < samples; i++) {
        depth_pair pair = {random_tetra(&random), with_corners_on_a_line(&random), 1.0, 1.0};
        pair.a.vertex[0].z = random_log_range(&random, 1e-16, 1e-10);
        depth_pair exchanged = {pair.b, pair.a, 1.0, 1.0};
        candidate candidates[2 * DEPTH_DIRECTIONS];
        int32_t count;
        tally_sample(&t, "sample %d", (int)i);
        (void)list_all(&t, &pair, candidates, &count);
        double rigid = candidates[0].overlap, expected = least_of(candidates, count);
        if (!(rigid > 1e-6)) {
            continue;
        }
        intersecting++;
        check_mode(&t, &pair, ABUT_DEPTH_EXACT44, 1, expected, rigid);
        check_mode(&t, &exchanged, ABUT_DEPTH_EXACT44, 1, expected, rigid);
    }
    print_message("%d of %d intersect\n", (int)intersecting, (int)samples);
    assert_true(intersecting > samples / 4);
    tally_end(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_directions), cmocka_unit_test(test_corners_on_one_line)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
