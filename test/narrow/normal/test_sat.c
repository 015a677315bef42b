/* The search for the least depth: its result does not depend on its start, to the last bit. */
#include "narrow/normal/sat.h"

#include <string.h>

#include "support/check.h"

static const normal_settings plain = {.minimum = true, .aside = {0.31, 0.47, 0.83}};

static bool same_answer(const contact_normal *p, const contact_normal *q) {
    return memcmp(&p->direction, &q->direction, sizeof p->direction) == 0 && p->gap == q->gap && p->chosen == q->chosen &&
           p->feature_a.kind == q->feature_a.kind && p->feature_a.index == q->feature_a.index && p->feature_b.kind == q->feature_b.kind &&
           p->feature_b.index == q->feature_b.index;
}

static void check_starts(tally *t, random_state *random, const convex *a, const convex *b) {
    contact_normal cold, other;
    sat_start start;
    sat_normal(a, b, &plain, INFINITY, &cold);
    if (!(cold.gap < 0.0)) {
        return;
    }
    for (int32_t i = 0; i < 8; i++) {
        sat_start_along(a, b, random_direction(random), &start);
        sat_least_depth(a, b, &start, &plain, &other);
        if (!same_answer(&cold, &other)) {
            tally_fail(t, "begun along a direction", "gap %.17g, expected %.17g", other.gap, cold.gap);
        }
    }
    if (sat_start_at(a, b, cold.feature_a, cold.feature_b, &start) && start.depth > 0.0) {
        sat_least_depth(a, b, &start, &plain, &other);
        if (!same_answer(&cold, &other)) {
            tally_fail(t, "begun at the answer", "gap %.17g, expected %.17g", other.gap, cold.gap);
        }
    }
}

static void any_start(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("any_start", 531));
    int32_t pairs = random_samples("any_start", 5000);
    for (int32_t i = 0; i < pairs; i++) {
        solid p = solid_cloud(&random, 4 + random_below(&random, 60), random_vec3(&random, 0.3, 0.8));
        solid q = i % 3 ? solid_cloud(&random, 4 + random_below(&random, 60), random_vec3(&random, 0.3, 0.8))
                        : solid_box(random_vec3(&random, 0.2, 0.8));
        abut_shape *shape_a = solid_shape(&p), *shape_b = solid_shape(&q);
        convex a = convex_place(shape_a, abut_mat3_identity(), abut_vec3_make(0, 0, 0), 0);
        convex b = convex_place(shape_b, abut_mat3_from_quat(random_rotation(&random)),
                                abut_scale(random_range(&random, 0.0, 0.7), random_direction(&random)), 0);
        tally_sample(&t, "pair %d, %d and %d vertices", (int)i, (int)p.vertex_count, (int)q.vertex_count);
        check_starts(&t, &random, &a, &b);
        abut_shape_release(shape_a);
        abut_shape_release(shape_b);
        solid_free(&p);
        solid_free(&q);
    }
    tally_end(&t);
}

/* A unit cube sunk into another by 0.1 along -x. */
static void closed_form(void **state) {
    (void)state;
    abut_shape *cube;
    assert_ok(abut_shape_create_box(abut_vec3_make(0.5, 0.5, 0.5), &cube));
    convex a = convex_place(cube, abut_mat3_identity(), abut_vec3_make(0, 0, 0), 0);
    convex b = convex_place(cube, abut_mat3_identity(), abut_vec3_make(-0.9, 0.2, 0.3), 0);
    contact_normal normal;
    sat_normal(&a, &b, &plain, INFINITY, &normal);
    assert_near(normal.gap, -0.1, 1e-15);
    assert_vec3_near(normal.direction, abut_vec3_make(-1, 0, 0), 1e-15);
    assert_true(normal.extreme);
    abut_shape_release(cube);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(closed_form), cmocka_unit_test(any_start)};
    return cmocka_run_group_tests_name("narrow/normal/sat", tests, NULL, NULL);
}
