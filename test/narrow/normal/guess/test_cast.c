/* The start of the search for the least depth: what a ray cast finds is true, near the least depth, and the same for every instruction set. */
#include "narrow/normal/guess/search.h"

#include <stdio.h>
#include <string.h>

#include "narrow/normal/gauge.h"
#include "narrow/normal/sat.h"
#include "support/check.h"

static const normal_settings plain = {.minimum = true, .aside = {0.31, 0.47, 0.83}};

static bool cast_at(const convex *a, const convex *b, double apart, abut_vec3 *direction, sat_start *start) {
    guess_ray cast = {abut_sub(convex_inner_centre(b), convex_inner_centre(a)), convex_inradius(a) + convex_inradius(b), apart};
    return guess_cast(a, b, &cast, direction, start);
}

static bool is_in(const convex *body, abut_vec3 point) { return convex_depth_of(body, point) >= -1e-12 * body->size; }

/* The depth is that along the direction, and no point lies outside its body. */
static void check_start(tally *t, const convex *a, const convex *b, abut_vec3 direction, const sat_start *start) {
    double along = gauge_support(a, b, abut_unit(direction));
    if (!(fabs(start->depth - along) <= 1e-12)) {
        tally_fail(t, "another depth", "%.17g, along the direction %.17g", start->depth, along);
    }
    for (int32_t i = 0; i < start->count_a; i++) {
        if (!is_in(a, start->on_a[i]) || !is_in(b, start->on_b[i])) {
            tally_fail(t, "a point outside", "point %d of %d", (int)i, (int)start->count_a);
        }
    }
    if (start->count_a != 4 || start->count_b != 4) {
        tally_fail(t, "corners are missing", "%d and %d points", (int)start->count_a, (int)start->count_b);
    }
}

static void check_sets(tally *t, const convex *a, const convex *b, double apart, abut_vec3 direction, const sat_start *start) {
    for (int level = 0; level < INSTRUCTION_SETS; level++) {
        abut_vec3 other_direction;
        sat_start other = {.depth = 0.0};
        if (!guess_use((instruction_set)level)) {
            continue;
        }
        cast_at(a, b, apart, &other_direction, &other);
        if (memcmp(&other_direction, &direction, sizeof direction) != 0 || memcmp(&other, start, sizeof other) != 0) {
            tally_fail(t, "another start", "level %d: depth %.17g, expected %.17g", level, other.depth, start->depth);
        }
    }
    assert_true(guess_use(instruction_set_best()));
}

static abut_shape *make_shape(random_state *random) {
    abut_shape *shape;
    if (random_below(random, 3) == 0) {
        assert_ok(abut_shape_create_box(random_vec3(random, 0.2, 0.6), &shape));
        return shape;
    }
    solid cloud = solid_cloud(random, 4 + random_below(random, 60), random_vec3(random, 0.3, 0.8));
    shape = solid_shape(&cloud);
    solid_free(&cloud);
    return shape;
}

static void any_pair(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("any_pair", 571));
    int32_t pairs = random_samples("any_pair", 5000), overlapping = 0;
    double excess = 0.0;
    for (int32_t i = 0; i < pairs; i++) {
        abut_shape *shape_a = make_shape(&random), *shape_b = make_shape(&random);
        convex a = convex_place(shape_a, abut_mat3_identity(), abut_vec3_make(0, 0, 0), 0);
        convex b = convex_place(shape_b, abut_mat3_from_quat(random_rotation(&random)),
                                abut_scale(random_range(&random, 0.1, 1.2), random_direction(&random)), 0);
        double apart = random_range(&random, 0.0, 0.1);
        abut_vec3 direction;
        sat_start start = {.depth = 0.0};
        contact_normal least;
        tally_sample(&t, "pair %d", (int)i);
        bool separated = cast_at(&a, &b, apart, &direction, &start);
        check_sets(&t, &a, &b, apart, direction, &start);
        if (separated) {
            double gap = -gauge_support(&a, &b, abut_unit(direction));
            if (!(gap > apart)) {
                tally_fail(&t, "not apart", "gap %.17g, not beyond %.17g", gap, apart);
            }
        } else {
            check_start(&t, &a, &b, direction, &start);
            sat_least_depth(&a, &b, &start, &plain, &least);
            overlapping += least.gap < 0.0;
            excess += least.gap < 0.0 ? start.depth + least.gap : 0.0;
        }
        abut_shape_release(shape_a);
        abut_shape_release(shape_b);
    }
    printf("any_pair: %d of %d overlap; the start is deeper by %.3g on average\n", (int)overlapping, (int)pairs, excess / overlapping);
    tally_end(&t);
    assert_true(overlapping > pairs / 10 && overlapping < pairs);
    assert_true(excess < 0.1 * overlapping); /* a direction taken by chance is deeper by about 0.5 */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_pair)};
    return cmocka_run_group_tests_name("narrow/normal/guess/cast", tests, NULL, NULL);
}
