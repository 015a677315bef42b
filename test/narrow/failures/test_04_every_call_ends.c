/*
 * Failure mode 4: a call does not end. Elsewhere coincident cones, cylinders and spheres, or a centre on a corner, take minutes or for
 * ever. Every loop must have a bound and a valid answer at the bound: the depth, in closed form, with its certificate.
 */
#include "support/figure.h"

static const double scales[] = {1.0, 1e-4, 1e4};

#define BALL(radius) \
    { .kind = FIGURE_SPHERE, .p = radius }
#define CAPSULE(radius, half) \
    { .kind = FIGURE_CAPSULE, .p = radius, .q = half }
#define BOX(hx, hy, hz) \
    { .kind = FIGURE_BOX, .p = hx, .q = hy, .r = hz }
#define BOX_AT(hx, hy, hz, x, y, z)                                      \
    {                                                                    \
        .kind = FIGURE_BOX, .p = hx, .q = hy, .r = hz, .at = { x, y, z } \
    }
#define PRISM(radius, half, sides) \
    { .kind = FIGURE_PRISM, .p = radius, .q = half, .r = sides }
#define CONE(radius, height, sides) \
    { .kind = FIGURE_CONE, .p = radius, .q = height, .r = sides }
#define WEDGE(x, y, z) \
    { .kind = FIGURE_WEDGE, .p = x, .q = y, .r = z }

/* The distance between opposite sides of a regular polygon with an even number of them. */
static double across(double radius, int sides) { return 2.0 * radius * cos(PI / sides); }

/* For a cone, from a side face to the opposite base edge. */
static double across_cone(double radius, double height, int sides) {
    double apothem = radius * cos(PI / sides);
    return 2.0 * apothem * height / hypot(height, apothem);
}

static void coincident(void **state) {
    (void)state;
    const figure_case cases[] = {
        {"balls", BALL(0.5), BALL(0.5), -1.0, {0, 0, 0}, 1, 0, 0},
        {"capsules", CAPSULE(0.5, 1), CAPSULE(0.5, 1), -1.0, {0, 0, 0}, 2, 0, 0},
        {"cubes", BOX(0.5, 0.5, 0.5), BOX(0.5, 0.5, 0.5), -1.0, {0, 0, 0}, 4, 1.0, 0},
        {"bricks", BOX(0.5, 0.4, 0.3), BOX(0.5, 0.4, 0.3), -0.6, {0, 0, 0}, 4, 0.8, 0},
        {"plates", BOX(1, 1, 1e-4), BOX(1, 1, 1e-4), -2e-4, {0, 0, 0}, 4, 4.0, 0},
        {"flat cylinders", PRISM(0.5, 0.2, 32), PRISM(0.5, 0.2, 32), -0.4, {0, 0, 0}, 32, 0, 0},
        {"tall cylinders", PRISM(0.5, 1, 32), PRISM(0.5, 1, 32), -across(0.5, 32), {0, 0, 0}, 4, 0, 0},
        {"cylinders of 128 sides", PRISM(0.5, 1, 128), PRISM(0.5, 1, 128), -across(0.5, 128), {0, 0, 0}, 4, 0, 0},
        {"flat cones", CONE(1, 0.5, 32), CONE(1, 0.5, 32), -0.5, {0, 0, 0}, 0, 0, 0},
        {"tall cones", CONE(0.2, 1, 32), CONE(0.2, 1, 32), -across_cone(0.2, 1, 32), {0, 0, 0}, 0, 0, 0},
        {"cones of 128 sides", CONE(0.2, 1, 128), CONE(0.2, 1, 128), -across_cone(0.2, 1, 128), {0, 0, 0}, 0, 0, 0},
        {"tetrahedra", WEDGE(1, 1, 1), WEDGE(1, 1, 1), -1.0 / sqrt(3.0), {0, 0, 0}, 0, 0, 0},
        {"ball and cube", BALL(0.5), BOX(0.5, 0.5, 0.5), -1.0, {0, 0, 0}, 1, 0, 0},
        {"ball and cylinder", BALL(0.5), PRISM(0.5, 0.2, 32), -0.7, {0, 0, 0}, 1, 0, 0},
        {"capsule and cylinder", CAPSULE(0.5, 1), PRISM(0.5, 0.2, 32), -(0.5 + 0.5 * across(0.5, 32)), {0, 0, 0}, 0, 0, 0},
        {"cube and cylinder", BOX(0.5, 0.5, 0.5), PRISM(0.5, 0.2, 32), -0.7, {0, 0, 0}, 0, 0, 0},
    };
    FIGURE_CHECK_ALL(cases, scales);
}

/* The centre of one body at a corner of the other: three faces are equally near, and no direction from centre to centre points outward. */
static void centre_on_a_corner(void **state) {
    (void)state;
    static const figure_case cases[] = {
        {"cubes", BOX_AT(0.5, 0.5, 0.5, 0.5, 0.5, 0.5), BOX(0.5, 0.5, 0.5), -0.5, {0, 0, 0}, 4, 0.25, 0},
        {"small cube", BOX_AT(0.1, 0.1, 0.1, 0.5, 0.5, 0.5), BOX(0.5, 0.5, 0.5), -0.1, {0, 0, 0}, 4, 0.01, 0},
        {"bricks", BOX_AT(0.3, 0.2, 0.1, 0.5, 0.5, 0.5), BOX(0.5, 0.5, 0.5), -0.1, {0, 0, 1}, 4, 0.06, 0},
        {"cube on a cylinder's rim", BOX_AT(0.25, 0.25, 0.25, 1, 0, 0.5), PRISM(1, 0.5, 32), -0.25, {0, 0, 0}, 0, 0, 0},
        {"cube on an edge", BOX_AT(0.25, 0.25, 0.25, 0.1, 0.5, 0.5), BOX(0.5, 0.5, 0.5), -0.25, {0, 0, 0}, 4, 0.125, 0},
        {"cube on a face", BOX_AT(0.25, 0.25, 0.25, 0.1, 0.2, 0.5), BOX(0.5, 0.5, 0.5), -0.25, {0, 0, 1}, 4, 0.25, 0},
        {"corner on corner", BOX_AT(0.5, 0.5, 0.5, 1, 1, 1), BOX(0.5, 0.5, 0.5), 0.0, {0, 0, 0}, 0, 0, 0},
    };
    FIGURE_CHECK_ALL(cases, scales);
}

/* Too many sides for the oracle's enumeration: the depth is in closed form, and the certificate comes from the supports. */
static void coincident_with_thousands_of_sides(void **state) {
    (void)state;
    static check_answer answer;
    static tally t;
    const figure figures[] = {PRISM(0.5, 1, 4096), PRISM(0.5, 0.2, 4096), CONE(0.2, 1, 1024), CONE(1, 0.5, 4096)};
    const double depths[] = {across(0.5, 4096), 0.4, across_cone(0.2, 1, 1024), 0.5};
    for (int i = 0; i < 4; i++) {
        abut_shape *shape = figure_shape(&figures[i], 1.0);
        oracle_body body = figure_oracle(&figures[i], abut_pose_identity(), 1.0);
        for (int policy = 0; policy < 2; policy++) {
            abut_collide_settings settings = abut_collide_settings_default();
            settings.normal = policy ? ABUT_NORMAL_MINIMUM : ABUT_NORMAL_GROWTH;
            check_pair pair = {.a = shape, .b = shape, .pose_a = abut_pose_identity(), .pose_b = abut_pose_identity(), .size = 1.0};
            tally_sample(&t, "figure %d, policy %d", i, policy);
            check_collide(&t, &pair, &settings, &answer);
            if (answer.count == 0) {
                tally_fail(&t, "no contact", "of coincident bodies");
                continue;
            }
            double along = -oracle_gap_along(&body, &body, answer.contacts[0].normal);
            if (!(fabs(-check_deepest(&answer) - depths[i]) <= 1e-9) || !(fabs(along - depths[i]) <= 1e-9)) {
                tally_fail(&t, "depth", "%.17g, along the normal %.17g, expected %.17g", -check_deepest(&answer), along, depths[i]);
            }
        }
        oracle_free(&body);
        abut_shape_release(shape);
    }
    tally_end(&t);
}

/* A body and itself, moved by nothing, by less than its coordinates resolve, or by little: the depth is that of coincidence minus the
 * motion. */
static void nearly_coincident(void **state) {
    (void)state;
    static const figure figures[] = {BALL(0.5),          CAPSULE(0.5, 1),  BOX(0.5, 0.5, 0.5), BOX(0.5, 0.4, 0.3), PRISM(0.5, 0.2, 32),
                                     PRISM(0.5, 1, 256), CONE(1, 0.5, 32), CONE(0.2, 1, 256),  WEDGE(1, 1, 1)};
    static const double offsets[] = {0.0, 5e-324, 1e-300, 1e-30, 1e-17, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-8, 1e-6};
    static check_answer answer;
    static tally t;
    random_state random = random_make(random_seed("nearly_coincident", 151));
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        abut_shape *shape = figure_shape(&figures[i], 1.0);
        double coincident[2] = {0.0, 0.0};
        for (size_t k = 0; k < sizeof offsets / sizeof *offsets; k++) {
            abut_pose pose_a = abut_pose_identity(), pose_b = abut_pose_identity();
            pose_a.position = abut_scale(offsets[k], random_direction(&random));
            abut_growth growth;
            tally_sample(&t, "figure %d moved by %g", (int)i, offsets[k]);
            abut_status status = abut_growth_distance(&(abut_pair){shape, pose_a, shape, pose_b}, NULL, &growth);
            if (status != ABUT_OK || growth.iterations > 1000 || !(growth.alpha <= 1e-3)) {
                tally_fail(&t, "growth distance", "%s after %d supports, alpha %.17g", abut_status_name(status), (int)growth.iterations,
                           growth.alpha);
            }
            oracle_body a = figure_oracle(&figures[i], pose_a, 1.0), b = figure_oracle(&figures[i], pose_b, 1.0);
            for (int policy = 0; policy < 2; policy++) {
                abut_collide_settings settings = abut_collide_settings_default();
                settings.normal = policy ? ABUT_NORMAL_MINIMUM : ABUT_NORMAL_GROWTH;
                check_pair pair = {.a = shape, .b = shape, .pose_a = pose_a, .pose_b = pose_b, .oracle_a = &a, .oracle_b = &b, .size = 1.0};
                check_collide(&t, &pair, &settings, &answer);
                check_contacts(&t, &pair, &answer, 0.0, false);
                if (answer.count == 0) {
                    tally_fail(&t, "no contact", "of nearly coincident bodies");
                    continue;
                }
                check_certificate(&t, &pair, &answer, 0.0);
                coincident[policy] = k == 0 ? check_deepest(&answer) : coincident[policy];
                double allowed = policy ? 2.0 * offsets[k] + 1e-13 : 0.02 + 2.0 * offsets[k];
                if (!(fabs(check_deepest(&answer) - coincident[policy]) <= allowed)) {
                    tally_fail(&t, policy ? "minimum: depth jumps" : "growth: depth jumps", "%.17g, coincident %.17g",
                               check_deepest(&answer), coincident[policy]);
                }
            }
            oracle_free(&a);
            oracle_free(&b);
        }
        abut_shape_release(shape);
    }
    tally_end(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coincident),
        cmocka_unit_test(centre_on_a_corner),
        cmocka_unit_test(coincident_with_thousands_of_sides),
        cmocka_unit_test(nearly_coincident),
    };
    return cmocka_run_group_tests_name("narrow/failures/every_call_ends", tests, NULL, NULL);
}
