/* A spring's impulse satisfies its own equation, for any stiffness and attachment point. */
#include "support/check.h"
#include "support/random.h"

#include "solve/contact/spring.h"

static void test_the_impulse_is_that_of_the_velocity_after_it(void **state) {
    (void)state;
    random_state random = random_make(random_seed("spring", 3));
    for (int round = 0; round < 2000; round++) {
        double h = random_log_range(&random, 1e-4, 1e-1);
        solver_body body = {.inverse_mass = random_log_range(&random, 1e-3, 1e3), .rotation = random_rotation(&random)};
        body.axes = abut_mat3_from_quat(body.rotation);
        abut_mat3 scaled = {abut_scale(3.0, body.axes.x), abut_scale(5.0, body.axes.y), abut_scale(7.0, body.axes.z)};
        body.inverse_inertia = abut_mat3_mul(scaled, abut_mat3_transpose(body.axes));
        body.velocity = random_vec3(&random, -1.0, 1.0);
        body.angular_velocity = random_vec3(&random, -1.0, 1.0);
        solver_spring spring = {.local = random_vec3(&random, -1.0, 1.0), .start = random_vec3(&random, -1.0, 1.0), .max_force = INFINITY};
        spring.from = abut_mat3_apply(body.axes, spring.local);
        spring.stiffness = random_log_range(&random, 1e-6, 1e9);
        spring.damping = random_log_range(&random, 1e-6, 1e6);
        solver_spring_refresh(&body, &spring, h);
        assert_true(solver_spring_solve(&body, &spring, h) >= 0.0);
        abut_vec3 after = solver_velocity_at(&body, spring.arm);
        abut_vec3 expected = abut_add(abut_scale(-0.5 * h * spring.stiffness, spring.start), abut_scale(-spring.yield, after));
        double scale = 0.5 * h * spring.stiffness * 2.0 + spring.yield * 4.0;
        assert_vec3_near(spring.impulse, expected, 1e-9 * scale);
        /* Solved is solved. */
        assert_true(solver_spring_solve(&body, &spring, h) <= 1e-8 * (1.0 + abut_length(after)));
    }
}

static void test_the_force_is_limited(void **state) {
    (void)state;
    solver_body body = {
        .inverse_mass = 1.0, .inverse_inertia = abut_mat3_identity(), .axes = abut_mat3_identity(), .rotation = abut_quat_identity()};
    solver_spring spring = {.start = {3.0, 4.0, 0.0}, .stiffness = 1e6, .max_force = 10.0};
    solver_spring_refresh(&body, &spring, 0.01);
    solver_spring_solve(&body, &spring, 0.01);
    /* The impulse of half a substep, towards the target. */
    assert_vec3_near(spring.impulse, abut_vec3_make(-0.03, -0.04, 0.0), 1e-15);
    assert_vec3_near(body.velocity, abut_vec3_make(-0.03, -0.04, 0.0), 1e-15);
}

static void test_the_stretch_follows_the_body(void **state) {
    (void)state;
    solver_body body = {.inverse_mass = 1.0, .axes = abut_mat3_identity(), .rotation = abut_quat_identity()};
    solver_spring spring = {.local = {1.0, 0.0, 0.0}, .from = {1.0, 0.0, 0.0}, .start = {0.5, 0.0, 0.0}};
    body.moved = abut_vec3_make(0.0, 0.0, 2.0);
    body.axes = abut_mat3_from_quat(abut_quat_about(abut_vec3_make(0, 0, 1), 1.57079632679489662));
    assert_vec3_near(solver_spring_stretch(&body, &spring), abut_vec3_make(-0.5, 1.0, 2.0), 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_impulse_is_that_of_the_velocity_after_it),
        cmocka_unit_test(test_the_force_is_limited),
        cmocka_unit_test(test_the_stretch_follows_the_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
