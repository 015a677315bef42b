/*
 * Contacts whose places hardly differ along a line: balls near the middle of a ring, whose gap is known in closed form, and nearly spherical eggs in a nearly
 * fitting shell, with their farthest points by bisection.
 */
#include <stdio.h>

#include <abut/abut.h>

#include "support/check.h"
#include "support/random.h"

/* The ball is off the axis by eps: its nearest place of the tube is on that side. Where it is larger than the hole, it is there that it is deepest. */
static void test_ball_in_a_ring(void **state) {
    (void)state;
    random_state random = random_make(random_seed("ball in a ring", 31));
    const int32_t samples = random_samples("ball in a ring", 160);
    tally t = {.kinds = 0};
    double worst = 0.0;
    for (int32_t i = 0; i < samples; i++) {
        const double ring = random_range(&random, 1.0, 2.0), tube = random_range(&random, 0.1, 0.4), angle = random_range(&random, -PI, PI);
        const double eps = random_log_range(&random, 1e-12, 0.05), z = i % 2 == 0 ? 0.0 : random_range(&random, -0.1, 0.1);
        const double radius = (ring - tube) * (i % 4 < 2 ? random_range(&random, 0.4, 0.9) : random_range(&random, 1.01, 1.05));
        abut_shape *torus = NULL, *ball = NULL;
        assert_ok(abut_shape_create_torus(ring, tube, &torus));
        assert_ok(abut_shape_create_sphere(radius, &ball));
        const abut_pose world = {random_vec3(&random, -1.0, 1.0), random_rotation(&random)};
        const abut_pose own = {{eps * cos(angle), eps * sin(angle), z}, {0, 0, 0, 1}};
        const abut_pair pair = {.a = torus, .pose_a = world, .b = ball, .pose_b = abut_pose_compose(world, own)};
        const double exact = sqrt((ring - eps) * (ring - eps) + z * z) - tube - radius;
        abut_separation found;
        assert_ok(abut_distance(&pair, NULL, NULL, &found));
        tally_sample(&t, "ring %.17g tube %.17g radius %.17g eps %.3g z %.17g", ring, tube, radius, eps, z);
        worst = fmax(worst, fabs(found.gap - exact));
        if (!(fabs(found.gap - exact) <= 1e-10)) {
            tally_fail(&t, "gap", "%.12g, exact %.12g, flags %u", found.gap, exact, (unsigned)found.flags);
        }
        abut_shape_release(torus);
        abut_shape_release(ball);
    }
    printf("ball in a ring: gap off by up to %.2e\n", worst);
    tally_end(&t);
}

/* The least gap of an ellipsoid inside of a sphere about the origin. Its farthest point is half * d with (l - D) d = b for the squared axes D, a unit vector d
 * and a number l above all of D; found by bisection. */
static double gap_in_sphere(abut_vec3 half, abut_pose at, double radius) {
    const abut_vec3 c = abut_quat_rotate_inverse(at.rotation, at.position);
    const double axis[3] = {half.x, half.y, half.z}, b[3] = {half.x * c.x, half.y * c.y, half.z * c.z};
    const double most = fmax(half.x, fmax(half.y, half.z)) * fmax(half.x, fmax(half.y, half.z));
    double low = most, high = most + 2.0;
    for (int i = 0; i < 200; i++) {
        double l = 0.5 * (low + high), sum = 0.0;
        for (int k = 0; k < 3; k++) {
            sum += pow(b[k] / (l - axis[k] * axis[k]), 2.0);
        }
        *(sum > 1.0 ? &low : &high) = l;
    }
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        const double d = b[k] / (high - axis[k] * axis[k]), place = axis[k] * d + (k == 0 ? c.x : k == 1 ? c.y : c.z);
        square += place * place;
    }
    return radius - sqrt(square);
}

static void test_egg_in_a_shell(void **state) {
    (void)state;
    random_state random = random_make(random_seed("egg in a shell", 32));
    const int32_t samples = random_samples("egg in a shell", 24);
    const abut_implicit_formula_def def = {.formula = "((x^2 + y^2 + z^2 - 1.25) / 0.25)^2 - 1", /* between the radii 1 and sqrt 1.5 */
                                           .bounds = {{-1.3, -1.3, -1.3}, {1.3, 1.3, 1.3}},
                                           .inside = {0, 0, 1.1}};
    abut_shape *shell = NULL;
    assert_ok(abut_shape_create_implicit_formula(&def, NULL, &shell));
    tally t = {.kinds = 0};
    double worst = 0.0;
    for (int32_t i = 0; i < samples; i++) {
        const double slack = random_log_range(&random, 1e-4, 0.1), flat = random_log_range(&random, 1e-6, 0.2);
        const abut_vec3 half = {(1.0 - slack) * (1.0 - flat * random_range(&random, 0.0, 1.0)),
                                (1.0 - slack) * (1.0 - flat * random_range(&random, 0.0, 1.0)), (1.0 - slack) * (1.0 - flat)};
        const abut_pose at = {abut_scale(0.5 * slack * random_range(&random, 0.0, 1.0), random_direction(&random)),
                              random_rotation(&random)};
        abut_shape *egg = NULL;
        assert_ok(abut_shape_create_ellipsoid(half, &egg));
        const abut_pair pair = {.a = egg, .pose_a = at, .b = shell, .pose_b = abut_pose_identity()};
        abut_separation found;
        assert_ok(abut_distance(&pair, NULL, NULL, &found));
        const double exact = gap_in_sphere(half, at, 1.0);
        worst = fmax(worst, fabs(found.gap - exact));
        tally_sample(&t, "slack %.3e flat %.3e", slack, flat);
        if (!(fabs(found.gap - exact) <= 1e-9)) {
            tally_fail(&t, "gap", "%.12g, exact %.12g, flags %u", found.gap, exact, (unsigned)found.flags);
        }
        abut_shape_release(egg);
    }
    printf("egg in a shell: gap off by up to %.2e\n", worst);
    abut_shape_release(shell);
    tally_end(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball_in_a_ring),
        cmocka_unit_test(test_egg_in_a_shell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
