/* Free motion: exact where possible, without drift elsewhere. */
#include "support/check.h"
#include "support/random.h"

#include "step/world/motion.h"

static body make_body(double x, double y, double z) {
    body b = {.kind = ABUT_BODY_DYNAMIC, .mass = 2.0, .moments = {x, y, z}, .frame = {0, 0, 0, 1}, .principal = {0, 0, 0, 1}};
    return b;
}

static double spin_energy(const body *b, const solver_body *s) {
    return 0.5 * abut_dot(s->angular_velocity, motion_angular_momentum(b, s));
}

static void test_a_ball_turns_by_its_angle(void **state) {
    (void)state;
    body b = make_body(3.0, 3.0, 3.0);
    b.angular_velocity = abut_vec3_make(0.0, 4.0, 3.0);
    solver_body s;
    motion_begin(&b, &s);
    for (int i = 0; i < 10; i++) {
        motion_drift(&b, &s, 0.1);
    }
    abut_quat expected = abut_quat_about(abut_vec3_make(0.0, 0.8, 0.6), 5.0);
    double same = s.rotation.x * expected.x + s.rotation.y * expected.y + s.rotation.z * expected.z + s.rotation.w * expected.w;
    assert_near(fabs(same), 1.0, 1e-14);
    assert_vec3_near(s.angular_velocity, b.angular_velocity, 1e-14);
}

/* Moments (A, A, C): the axis circles the angular momentum at the rate L / A. */
static void test_a_top_precesses_exactly(void **state) {
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        const double a = 2.0, c = 0.5;
        body b = make_body(axis == 0 ? c : a, axis == 1 ? c : a, axis == 2 ? c : a);
        b.angular_velocity = abut_vec3_make(1.0, 2.0, 3.0);
        solver_body s;
        motion_begin(&b, &s);
        abut_vec3 momentum = motion_angular_momentum(&b, &s);
        abut_vec3 before = axis == 0 ? s.axes.x : axis == 1 ? s.axes.y : s.axes.z;
        const int steps = 100;
        const double h = 0.05;
        for (int i = 0; i < steps; i++) {
            motion_drift(&b, &s, h);
        }
        abut_vec3 now = axis == 0 ? s.axes.x : axis == 1 ? s.axes.y : s.axes.z;
        double rate = abut_length(momentum) / a;
        assert_vec3_near(now, abut_quat_rotate(abut_quat_about(abut_unit(momentum), rate * h * steps), before), 1e-12);
        assert_vec3_near(motion_angular_momentum(&b, &s), momentum, 1e-12);
    }
}

static void test_momentum_and_energy_of_any_body(void **state) {
    (void)state;
    random_state random = random_make(random_seed("motion", 5));
    for (int round = 0; round < 50; round++) {
        double x = random_range(&random, 1.0, 2.0), y = random_range(&random, 1.0, 2.0), z = random_range(&random, fabs(x - y), x + y);
        body b = make_body(x, y, fmax(z, 0.05));
        b.frame = random_rotation(&random);
        b.angular_velocity = random_vec3(&random, -3.0, 3.0);
        solver_body s;
        motion_begin(&b, &s);
        abut_vec3 momentum = motion_angular_momentum(&b, &s);
        double energy = spin_energy(&b, &s), worst = 0.0;
        for (int i = 0; i < 5000; i++) {
            motion_drift(&b, &s, 1.0 / 240.0);
            worst = fmax(worst, fabs(spin_energy(&b, &s) / energy - 1.0));
        }
        assert_vec3_near(motion_angular_momentum(&b, &s), momentum, 1e-11 * abut_length(momentum));
        assert_true(worst < 2e-3); /* bounded by the step, for any duration */
    }
}

static void test_error_falls_with_the_square_of_the_step(void **state) {
    (void)state;
    /* Compared with a much finer step, for a body that tumbles about its middle axis. */
    double error[2];
    solver_body fine = {0};
    for (int level = 0; level < 3; level++) {
        body b = make_body(1.0, 1.5, 2.0);
        b.angular_velocity = abut_vec3_make(0.1, 3.0, 0.1);
        solver_body s;
        motion_begin(&b, &s);
        int steps = level == 0 ? 20000 : level == 1 ? 200 : 100;
        for (int i = 0; i < steps; i++) {
            motion_drift(&b, &s, 2.0 / steps);
        }
        if (level == 0) {
            fine = s;
        } else {
            error[level - 1] = abut_distance_between(s.angular_velocity, fine.angular_velocity);
        }
    }
    assert_near(error[1] / error[0], 4.0, 0.2);
}

static void test_kicks(void **state) {
    (void)state;
    body b = make_body(1.0, 2.0, 4.0);
    b.force = abut_vec3_make(2.0, 0.0, 0.0);
    b.torque = abut_vec3_make(0.0, 0.0, 8.0);
    b.velocity = abut_vec3_make(1.0, 1.0, 1.0);
    solver_body s;
    motion_begin(&b, &s);
    motion_kick(&b, &s, abut_vec3_make(0, 0, -10.0), 0.5);
    assert_vec3_near(s.velocity, abut_vec3_make(1.5, 1.0, -4.0), 1e-15);
    assert_vec3_near(s.angular_velocity, abut_vec3_make(0.0, 0.0, 1.0), 1e-15);
    b.linear_damping = 2.0;
    b.angular_damping = 3.0;
    b.force = b.torque = abut_vec3_make(0, 0, 0);
    motion_kick(&b, &s, abut_vec3_make(0, 0, 0), 0.5);
    assert_near(s.velocity.x, 1.5 * exp(-1.0), 1e-15);
    assert_near(s.angular_velocity.z, exp(-1.5), 1e-15);
}

static void test_kinematic_bodies_only_follow_their_velocity(void **state) {
    (void)state;
    body b = make_body(0.0, 0.0, 0.0);
    b.kind = ABUT_BODY_KINEMATIC;
    b.velocity = abut_vec3_make(1.0, 2.0, 3.0);
    b.angular_velocity = abut_vec3_make(0.0, 0.0, PI);
    b.force = abut_vec3_make(9.0, 9.0, 9.0);
    solver_body s;
    motion_begin(&b, &s);
    assert_true(s.inverse_mass == 0.0 && s.inverse_inertia.x.x == 0.0);
    motion_kick(&b, &s, abut_vec3_make(0, 0, -10.0), 0.5);
    motion_drift(&b, &s, 0.5);
    assert_vec3_near(s.moved, abut_vec3_make(0.5, 1.0, 1.5), 1e-15);
    assert_vec3_near(abut_mat3_apply(s.axes, abut_vec3_make(1, 0, 0)), abut_vec3_make(0, 1, 0), 1e-15);
    assert_vec3_near(s.velocity, b.velocity, 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_ball_turns_by_its_angle),
        cmocka_unit_test(test_a_top_precesses_exactly),
        cmocka_unit_test(test_momentum_and_energy_of_any_body),
        cmocka_unit_test(test_error_falls_with_the_square_of_the_step),
        cmocka_unit_test(test_kicks),
        cmocka_unit_test(test_kinematic_bodies_only_follow_their_velocity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
