/* The fixed stepper against closed forms of mechanics. */
#include "support/check.h"
#include "support/random.h"
#include "support/staging.h"

static const abut_vec3 zero = {0, 0, 0};

/* Distance and speed after one second on a slope of the angle, from rest. */
static void slide(const abut_shape *shape, double lift, double angle, double friction, double *distance, double *speed) {
    staging s = staging_make(9.81);
    abut_quat lean = abut_quat_about(abut_vec3_make(0, 1, 0), angle);
    abut_body_def floor = staging_body(ABUT_BODY_DYNAMIC, s.plane, zero);
    floor.kind = ABUT_BODY_STATIC;
    floor.pose.rotation = lean;
    floor.friction = friction;
    staging_put(&s, &floor);
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, shape != NULL ? shape : s.box, abut_quat_rotate(lean, abut_vec3_make(0, 0, lift)));
    def.pose.rotation = lean;
    def.friction = friction;
    abut_body_id id = staging_put(&s, &def);
    staging_run(&s, STAGING_STEP, 60);
    *distance = abut_distance_between(staging_state(&s, id).centre, def.pose.position);
    *speed = abut_length(staging_state(&s, id).motion.linear);
    staging_close(&s);
}

static void test_a_box_on_a_slope(void **state) {
    (void)state;
    const double angle = 0.4;
    for (double friction = 0.05; friction < 0.6; friction += 0.05) {
        double distance, speed, expected = 9.81 * (sin(angle) - friction * cos(angle));
        slide(NULL, 0.5, angle, friction, &distance, &speed);
        if (friction > tan(angle)) {
            assert_true(distance < 1e-6);
            assert_true(speed < 1e-9);
        } else {
            assert_near(speed, expected, 1e-3 * expected + 1e-4);
            assert_near(distance, 0.5 * expected, 1e-3 * expected + 1e-4);
        }
    }
}

static void test_friction_is_the_same_in_all_directions(void **state) {
    (void)state;
    /* A separate bound for each tangent would brake 1.41 times as much along the diagonal. */
    for (int i = 0; i < 8; i++) {
        staging s = staging_make(9.81);
        staging_ground(&s, 0.3);
        double angle = 0.35 * i;
        abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, s.box, abut_vec3_make(0, 0, 0.5));
        def.friction = 0.3;
        def.pose.rotation = abut_quat_about(abut_vec3_make(0, 0, 1), 0.9 * i);
        def.motion.linear = abut_vec3_make(4.0 * cos(angle), 4.0 * sin(angle), 0);
        abut_body_id id = staging_put(&s, &def);
        staging_run(&s, STAGING_STEP, 60);
        abut_vec3 v = staging_state(&s, id).motion.linear;
        assert_near(v.x, (4.0 - 0.3 * 9.81) * cos(angle), 2e-3);
        assert_near(v.y, (4.0 - 0.3 * 9.81) * sin(angle), 2e-3);
        staging_close(&s);
    }
}

static void test_a_ball_rolls_down_a_slope(void **state) {
    (void)state;
    abut_shape *ball;
    assert_ok(abut_shape_create_sphere(0.5, &ball));
    double distance, speed, expected = 5.0 / 7.0 * 9.81 * sin(0.3);
    slide(ball, 0.5, 0.3, 0.9, &distance, &speed);
    assert_near(speed, expected, 1e-6);
    assert_near(distance, 0.5 * expected, 1e-6);
    abut_shape_release(ball);
}

static void test_a_sliding_ball_comes_to_roll(void **state) {
    (void)state;
    staging s = staging_make(9.81);
    staging_ground(&s, 0.5);
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, s.sphere, abut_vec3_make(0, 0, 0.5));
    def.motion.linear = abut_vec3_make(7, 0, 0);
    abut_body_id id = staging_put(&s, &def);
    double deepest = 0.0;
    for (int i = 0; i < 120; i++) {
        deepest = fmax(deepest, staging_run(&s, STAGING_STEP, 1).max_penetration);
    }
    /* Angular momentum about the floor is conserved: v = 5/7 of its initial value, without slip. */
    assert_near(staging_state(&s, id).motion.linear.x, 5.0, 1e-9);
    assert_near(staging_state(&s, id).motion.angular.y, 10.0, 1e-9);
    assert_true(deepest < 1e-12);
    staging_close(&s);
}

static double highest_after_bounce(bool box, double restitution, double height) {
    staging s = staging_make(9.81);
    staging_ground(&s, 0.5);
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, box ? s.box : s.sphere, abut_vec3_make(0, 0, 0.5 + height));
    def.restitution = restitution;
    abut_body_id id = staging_put(&s, &def);
    abut_body_state st = staging_state(&s, id);
    for (int i = 0; i < 200 && st.motion.linear.z <= 0.0; i++) {
        staging_run(&s, STAGING_STEP, 1);
        st = staging_state(&s, id);
    }
    double top = st.centre.z - 0.5 + st.motion.linear.z * st.motion.linear.z / (2.0 * 9.81);
    staging_close(&s);
    return top;
}

static void test_bounces_reach_the_height_they_should(void **state) {
    (void)state;
    random_state random = random_make(random_seed("bounce", 11));
    for (int i = 0; i < 60; i++) {
        double restitution = random_range(&random, 0.3, 1.0), height = random_range(&random, 0.3, 3.0);
        double expected = restitution * restitution * height;
        assert_near(highest_after_bounce(i % 2 == 0, restitution, height), expected, 2e-3 * height);
    }
    /* Slow impacts do not bounce at all. */
    assert_true(highest_after_bounce(false, 1.0, 0.01) < 1e-3);
}

static void test_free_flight_is_a_parabola(void **state) {
    (void)state;
    staging s = staging_make(9.81);
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, s.box, abut_vec3_make(1, 2, 3));
    def.motion.linear = abut_vec3_make(4, 5, 6);
    abut_body_id id = staging_put(&s, &def);
    staging_run(&s, STAGING_STEP, 120);
    assert_vec3_near(staging_state(&s, id).centre, abut_vec3_make(9, 12, 15 - 0.5 * 9.81 * 4), 1e-12);
    assert_vec3_near(staging_state(&s, id).motion.linear, abut_vec3_make(4, 5, 6 - 9.81 * 2), 1e-12);
    staging_close(&s);
}

static void test_collisions_keep_momentum(void **state) {
    (void)state;
    random_state random = random_make(random_seed("collision", 21));
    int met = 0;
    for (int round = 0; round < 40; round++) {
        staging s = staging_make(0.0);
        abut_body_id id[2];
        for (int k = 0; k < 2; k++) {
            const abut_shape *shape = k == 0 || round % 2 == 0 ? s.box : s.sphere;
            abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, shape, random_vec3(&random, -0.2, 0.2));
            def.pose.position.x += k == 0 ? -2.0 : 2.0;
            def.pose.rotation = random_rotation(&random);
            def.motion.linear = random_vec3(&random, -0.5, 0.5);
            def.motion.linear.x += k == 0 ? 4.0 : -2.0;
            def.motion.angular = random_vec3(&random, -2.0, 2.0);
            def.restitution = random_range(&random, 0.0, 1.0);
            def.density = random_range(&random, 300.0, 3000.0);
            id[k] = staging_put(&s, &def);
        }
        staging_momenta before = staging_momenta_of(&s, id, 2);
        staging_run(&s, STAGING_STEP, 90);
        staging_momenta after = staging_momenta_of(&s, id, 2);
        double momentum = abut_length(before.linear) + 4000.0;
        assert_vec3_near(after.linear, before.linear, 1e-11 * momentum);
        assert_vec3_near(after.angular, before.angular, 1e-3 * momentum);
        assert_true(after.energy <= before.energy * (1.0 + 1e-9));
        met += after.energy < before.energy * 0.999;
        staging_close(&s);
    }
    assert_true(met > 30);
}

static void test_a_conveyor_carries_a_box(void **state) {
    (void)state;
    staging s = staging_make(9.81);
    abut_shape *belt;
    assert_ok(abut_shape_create_box(abut_vec3_make(50, 1, 0.1), &belt));
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, belt, abut_vec3_make(0, 0, -0.1));
    def.kind = ABUT_BODY_KINEMATIC;
    def.motion.linear = abut_vec3_make(2, 0, 0);
    abut_body_id carrier = staging_put(&s, &def);
    abut_body_id id = staging_add_turned(&s, s.box, abut_vec3_make(0, 0, 0.5), abut_quat_identity());
    staging_run(&s, STAGING_STEP, 12);
    assert_near(staging_state(&s, id).motion.linear.x, 0.5 * 9.81 * 0.2, 1e-9); /* mu g t */
    staging_run(&s, STAGING_STEP, 108);
    double braking = 2.0 / (0.5 * 9.81);
    assert_near(staging_state(&s, id).motion.linear.x, 2.0, 1e-9);
    assert_near(staging_state(&s, id).centre.x, 2.0 * 2.0 - 0.5 * 2.0 * braking, 1e-3);
    assert_near(staging_state(&s, carrier).centre.x, 4.0, 1e-12);
    assert_vec3_near(staging_state(&s, carrier).motion.linear, abut_vec3_make(2, 0, 0), 0.0);
    abut_shape_release(belt);
    staging_close(&s);
}

static void test_forces_at_rest_add_up_to_the_weight(void **state) {
    (void)state;
    staging s = staging_make(9.81);
    abut_body_id floor = staging_ground(&s, 0.5);
    for (int i = 0; i < 6; i++) {
        abut_quat turn = abut_quat_about(abut_vec3_make(0, 0, 1), 0.4 * i);
        staging_add_turned(&s, s.box, abut_vec3_make(0.07 * (i % 2), 0.05 * (i % 3), 0.5 + i), turn);
    }
    staging_run(&s, STAGING_STEP, 30);
    const abut_world_contact *contacts;
    int32_t count;
    assert_ok(abut_world_contacts(s.world, &contacts, &count));
    double sum = 0.0;
    for (int32_t i = 0; i < count; i++) {
        assert_true(contacts[i].normal_force >= 0.0);
        assert_near(abut_dot(contacts[i].friction_force, contacts[i].contact.normal), 0.0, 1e-6);
        if (contacts[i].a.index == floor.index) {
            sum += contacts[i].normal_force;
        }
    }
    assert_near(sum / (6000.0 * 9.81), 1.0, 1e-6);
    staging_close(&s);
}

static void test_a_fast_body_does_not_pass_through(void **state) {
    (void)state;
    staging s = staging_make(0.0);
    abut_shape *wall;
    assert_ok(abut_shape_create_box(abut_vec3_make(0.05, 5, 5), &wall));
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, wall, zero);
    def.kind = ABUT_BODY_STATIC;
    staging_put(&s, &def);
    abut_body_def ball = staging_body(ABUT_BODY_DYNAMIC, s.sphere, abut_vec3_make(-3, 0, 0));
    ball.motion.linear = abut_vec3_make(25, 0, 0);
    abut_body_id id = staging_put(&s, &ball);
    double deepest = 0.0;
    for (int i = 0; i < 60; i++) {
        deepest = fmax(deepest, staging_run(&s, STAGING_STEP, 1).max_penetration);
    }
    assert_near(staging_state(&s, id).centre.x, -0.55, 1e-4);
    assert_true(deepest < 1e-4);
    abut_shape_release(wall);
    staging_close(&s);
}

static void test_penetration_leaves_without_a_kick(void **state) {
    (void)state;
    staging s = staging_make(9.81);
    staging_ground(&s, 0.5);
    abut_body_id id = staging_add_turned(&s, s.box, abut_vec3_make(0, 0, 0.4), abut_quat_identity());
    double highest = 0.0, before = 0.4;
    for (int i = 0; i < 200; i++) {
        staging_run(&s, STAGING_STEP, 1);
        abut_body_state st = staging_state(&s, id);
        highest = fmax(highest, st.centre.z);
        assert_true(st.centre.z >= before - 1e-12);
        assert_true(fabs(st.motion.linear.z) < 1e-9);
        before = st.centre.z;
    }
    assert_true(highest <= 0.5 + 1e-12);
    assert_near(before, 0.5, 1e-6);
    staging_close(&s);
}

static void test_a_tower_in_any_order_stands_still(void **state) {
    (void)state;
    for (int order = 0; order < 2; order++) {
        random_state random = random_make(random_seed("tower", 31));
        staging s = staging_make(9.81);
        staging_ground(&s, 0.5);
        abut_body_id id[10];
        abut_vec3 place[10];
        abut_quat turn[10];
        for (int i = 0; i < 10; i++) {
            place[i] = abut_vec3_make(random_range(&random, -0.03, 0.03), random_range(&random, -0.03, 0.03), 0.5 + i);
            turn[i] = abut_quat_about(abut_vec3_make(0, 0, 1), random_range(&random, -3.0, 3.0));
        }
        for (int k = 0; k < 10; k++) {
            int i = order == 0 ? k : 9 - k;
            id[i] = staging_add_turned(&s, s.box, place[i], turn[i]);
        }
        staging_run(&s, STAGING_STEP, 200);
        for (int i = 0; i < 10; i++) {
            assert_vec3_near(staging_state(&s, id[i]).centre, place[i], 1e-6);
        }
        assert_true(staging_tilt(&s, id[9]) < 1e-7);
        staging_close(&s);
    }
}

static void test_a_stack_of_cylinders_comes_to_rest(void **state) {
    (void)state;
    abut_world_def def = staging_def(9.81);
    def.fixed.exact = true; /* the quick solver pushes the last 0.3 mm out more slowly (test_quick.c) */
    def.fixed.sleeping = true;
    staging s = staging_make_with(&def);
    random_state random = random_make(random_seed("cylinders", 1));
    abut_shape *drum;
    abut_body_id id[6];
    staging_ground(&s, 0.5);
    assert_ok(abut_shape_create_cylinder(0.5, 0.3, &drum));
    for (int i = 0; i < 6; i++) {
        abut_vec3 place = {random_range(&random, -0.02, 0.02), random_range(&random, -0.02, 0.02), 0.3 + 0.605 * i};
        id[i] = staging_add_turned(&s, drum, place, abut_quat_identity());
    }
    abut_vec3 begin = staging_state(&s, id[5]).centre;
    staging_run(&s, STAGING_STEP, 240);
    assert_false(staging_awake(&s, id[5]));
    begin.z = 0.3 + 0.6 * 5;
    assert_vec3_near(staging_state(&s, id[5]).centre, begin, 2e-3);
    assert_near(staging_state(&s, id[5]).centre.z, begin.z, 1e-5);
    abut_shape_release(drum);
    staging_close(&s);
}

static void test_reduced_patches_carry_as_well(void **state) {
    (void)state;
    abut_world_def def = staging_def(9.81);
    def.fixed.contacts_per_patch = 3;
    staging s = staging_make_with(&def);
    staging_ground(&s, 0.5);
    abut_shape *drum;
    assert_ok(abut_shape_create_prism(0.5, 0.5, 48, &drum));
    abut_body_id id = staging_add_turned(&s, drum, abut_vec3_make(0, 0, 0.5), abut_quat_identity());
    abut_step_report report = staging_run(&s, STAGING_STEP, 120);
    assert_int_equal(report.contacts, 3);
    assert_near(staging_state(&s, id).centre.z, 0.5, 1e-6);
    abut_shape_release(drum);
    staging_close(&s);
}

static void test_the_baseline_stands_but_not_as_well(void **state) {
    (void)state;
    abut_world_def def = staging_def(9.81);
    def.method = ABUT_METHOD_TRACKING;
    staging s = staging_make_with(&def);
    staging_ground(&s, 0.5);
    abut_body_id id = staging_add_turned(&s, s.box, abut_vec3_make(0, 0, 1.0), abut_quat_identity());
    double deepest = 0.0;
    for (int i = 0; i < 240; i++) {
        abut_step_report report = staging_run(&s, STAGING_STEP, 1);
        deepest = fmax(deepest, report.max_penetration);
        assert_in_range(report.contacts, 0, 4);
    }
    assert_true(deepest > 1e-3); /* it falls on one corner after the other */
    assert_near(staging_state(&s, id).centre.z, 0.5, 1e-4);
    staging_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_box_on_a_slope),
        cmocka_unit_test(test_friction_is_the_same_in_all_directions),
        cmocka_unit_test(test_a_ball_rolls_down_a_slope),
        cmocka_unit_test(test_a_sliding_ball_comes_to_roll),
        cmocka_unit_test(test_bounces_reach_the_height_they_should),
        cmocka_unit_test(test_free_flight_is_a_parabola),
        cmocka_unit_test(test_collisions_keep_momentum),
        cmocka_unit_test(test_a_conveyor_carries_a_box),
        cmocka_unit_test(test_forces_at_rest_add_up_to_the_weight),
        cmocka_unit_test(test_a_fast_body_does_not_pass_through),
        cmocka_unit_test(test_penetration_leaves_without_a_kick),
        cmocka_unit_test(test_a_tower_in_any_order_stands_still),
        cmocka_unit_test(test_a_stack_of_cylinders_comes_to_rest),
        cmocka_unit_test(test_reduced_patches_carry_as_well),
        cmocka_unit_test(test_the_baseline_stands_but_not_as_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
