/* Margins: the shares of two bodies must add up to at least the margin of their pair, or a contact would be missed. */
#include "support/check.h"
#include "support/random.h"

#include "step/fixed/margin.h"

static body random_body(random_state *random, bool dynamic) {
    body b = {.kind = dynamic ? ABUT_BODY_DYNAMIC : random_below(random, 2) == 0 ? ABUT_BODY_STATIC : ABUT_BODY_KINEMATIC};
    b.size = random_log_range(random, 1e-3, 1e3);
    b.radius = 0.9 * b.size;
    if (b.kind != ABUT_BODY_STATIC) {
        b.velocity = abut_scale(random_log_range(random, 1e-3, 1e3), random_direction(random));
        b.angular_velocity = abut_scale(random_log_range(random, 1e-3, 1e1), random_direction(random));
    }
    b.asleep = dynamic && random_below(random, 4) == 0;
    b.gravity_scale = random_range(random, -2.0, 3.0);
    return b;
}

static double of_pair(const abut_world *world, const body *a, const body *b, double dt) {
    return margin_of_pair(world, a, b, margin_travel(world, a, dt) + margin_travel(world, b, dt));
}

static void test_shares_cover_the_pair(void **state) {
    (void)state;
    random_state random = random_make(random_seed("margin", 2));
    abut_world world = {.def = abut_world_def_default()};
    for (int i = 0; i < 20000; i++) {
        body a = random_body(&random, true), b = random_body(&random, random_below(&random, 2) == 0);
        if (i % 5 == 0 && b.kind != ABUT_BODY_DYNAMIC) {
            b.size = b.radius = 0.0; /* a plane */
        }
        double dt = random_log_range(&random, 1e-4, 1e-1);
        double pair = of_pair(&world, &a, &b, dt), settled = margin_settled(&world, &a, &b);
        assert_true(settled >= 0.0 && settled <= pair);
        assert_true(margin_share(&world, &a, dt) + margin_share(&world, &b, dt) >= pair * (1.0 - 1e-12));
    }
}

static void test_the_settled_part_is_a_share_of_the_smaller_size(void **state) {
    (void)state;
    abut_world world = {.def = abut_world_def_default()};
    world.def.fixed.margin = 0.1;
    body big = {.kind = ABUT_BODY_STATIC, .size = 100.0},
         small = {.kind = ABUT_BODY_DYNAMIC, .size = 2.0, .asleep = true, .gravity_scale = 1.0};
    body plane = {.kind = ABUT_BODY_STATIC};
    assert_near(of_pair(&world, &big, &small, 0.01), 0.2, 1e-15);
    assert_near(of_pair(&world, &small, &plane, 0.01), 0.2, 1e-15);
    small.asleep = false;
    small.velocity = abut_vec3_make(3.0, 0.0, 0.0);
    assert_near(of_pair(&world, &big, &small, 0.01), 0.2 + 0.03 + 9.81e-4, 1e-15);
    assert_near(margin_settled(&world, &big, &small), 0.2, 1e-15);
    small.gravity_scale = -2.0;
    assert_near(of_pair(&world, &big, &small, 0.01), 0.2 + 0.03 + 2 * 9.81e-4, 1e-15);
    small.velocity.x = 3e6; /* looks no farther than half its size */
    assert_near(of_pair(&world, &big, &small, 0.01), 1.2, 1e-15);
}

static void test_angles(void **state) {
    (void)state;
    abut_world world = {.def = abut_world_def_default()};
    body a = {.angular_velocity = {0, 0, 3.0}}, b = {.angular_velocity = {0, 0, -1.0}};
    assert_near(margin_angle(&world, &a, &b, 0.01), world.def.collide.feature_angle + 0.04, 1e-15);
    assert_near(margin_angle(&world, &a, &b, 100.0), 0.78539816339744831, 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shares_cover_the_pair),
        cmocka_unit_test(test_the_settled_part_is_a_share_of_the_smaller_size),
        cmocka_unit_test(test_angles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
