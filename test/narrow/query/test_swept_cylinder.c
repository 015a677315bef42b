/* The bodies of revolution that contain what a turning core sweeps: closed forms, then points of random ellipsoids, superquadrics, cylinders and cones in every
 * attitude of their turn. */
#include <abut/shape.h>
#include <abut/smooth.h>

#include "support/check.h"
#include "support/random.h"
#include "support/shapes.h"

#include "narrow/query/swept_cylinder.h"

static const abut_vec3 up = {0, 0, 1};

static convex place(const abut_shape *shape, abut_pose pose) {
    return convex_place(shape, abut_mat3_from_quat(pose.rotation), pose.position, 0);
}

static swept_hull hull_of(const abut_shape *shape, abut_pose pose, abut_vec3 axis) {
    convex core = place(shape, pose);
    swept_cylinder bounds = swept_cylinder_of_bounds(&core, axis);
    return swept_hull_of(&core, axis, &bounds);
}

/* The corners of the box about a body reach farther than the body does. */
static void symmetric_about_the_axis(void **state) {
    (void)state;
    abut_shape *egg = ellipsoid(0.5, 0.5, 2.0), *wheel = cylinder(0.75, 0.25);
    swept_hull h = hull_of(egg, at(0, 0, 1), up);
    assert_near(swept_hull_support(&h, up, abut_vec3_make(1, 0, 0)), 0.5, 1e-13);
    assert_near(swept_hull_support(&h, up, up), 3.0, 1e-13);
    h = hull_of(wheel, at(0, 0, 0), up);
    assert_near(swept_hull_support(&h, up, abut_vec3_make(0, -1, 0)), 0.75, 1e-13);
    assert_near(swept_hull_support(&h, up, up), 0.25, 1e-13);
    assert_near(h.cylinder.reach, 0.75, 1e-13);
    abut_shape_release(egg);
    abut_shape_release(wheel);
}

static void unchanged_by_the_turn(void **state) {
    (void)state;
    const abut_vec3 aside = {1, 0, 0};
    abut_shape *egg = ellipsoid(0.5, 0.5, 2.0), *ball = ellipsoid(0.5, 0.5, 0.5), *wheel = cylinder(0.75, 0.25), *pillow = NULL;
    assert_ok(abut_shape_create_superquadric(abut_vec3_make(0.5, 0.5, 0.5), 1.0, 0.5, &pillow));
    assert_true(hull_of(egg, at(0, 0, 1), up).unchanged && hull_of(wheel, at(0, 0, 1), up).unchanged);
    assert_true(hull_of(ball, at(1, 0, 0), aside).unchanged);
    assert_false(hull_of(egg, at(0, 0, 0), aside).unchanged);
    assert_false(hull_of(egg, at(1, 0, 0), up).unchanged);
    assert_false(hull_of(ball, at(1, 0, 0), up).unchanged);
    assert_false(hull_of(wheel, at(0, 0, 0), aside).unchanged);
    assert_false(hull_of(pillow, at(0, 0, 0), up).unchanged);
    abut_shape_release(egg);
    abut_shape_release(ball);
    abut_shape_release(wheel);
    abut_shape_release(pillow);
}

/* A ball about the origin sweeps itself, whatever its kind; a ball off the axis sweeps a ring. */
static void balls(void **state) {
    (void)state;
    const abut_vec3 axis = abut_unit(abut_vec3_make(1, 2, 3)), direction = abut_unit(abut_vec3_make(-1, 1, 1));
    abut_shape *ball = ellipsoid(0.7, 0.7, 0.7), *quadric = NULL;
    assert_ok(abut_shape_create_superquadric(abut_vec3_make(0.7, 0.7, 0.7), 1.0, 1.0, &quadric));
    swept_hull h = hull_of(ball, at(0, 0, 0), axis), q = hull_of(quadric, at(0, 0, 0), axis);
    assert_near(swept_hull_support(&h, axis, direction), 0.7, 1e-13);
    assert_near(swept_hull_support(&q, axis, direction), 0.7, 1e-13);
    h = hull_of(ball, at(3, 0, 0), up);
    assert_near(swept_hull_support(&h, up, abut_vec3_make(0, 1, 0)), 3.7, 1e-13);
    assert_near(swept_hull_support(&h, up, abut_unit(abut_vec3_make(0, 1, 1))), 3.0 / sqrt(2.0) + 0.7, 1e-13);
    abut_shape_release(ball);
    abut_shape_release(quadric);
}

static abut_shape *random_shape(random_state *random) {
    double x = random_range(random, 0.1, 1.0), y = random_range(random, 0.1, 1.0), z = random_range(random, 0.1, 1.0);
    abut_shape *shape = NULL;
    switch (random_below(random, 4)) {
    case 0:
        return ellipsoid(x, y, z);
    case 1:
        return cylinder(x, y);
    case 2:
        return truncated(x, y, z);
    default: {
        double e1 = random_range(random, ABUT_SUPERQUADRIC_LEAST_EXPONENT, ABUT_SUPERQUADRIC_LARGEST_EXPONENT);
        double e2 = random_range(random, ABUT_SUPERQUADRIC_LEAST_EXPONENT, ABUT_SUPERQUADRIC_LARGEST_EXPONENT);
        assert_ok(abut_shape_create_superquadric(abut_vec3_make(x, y, z), e1, e2, &shape));
        return shape;
    }
    }
}

/* No attitude reaches beyond the support of the hull, and the hull reaches no farther than the cylinder from the bounds. */
static void no_attitude_reaches_beyond(void **state) {
    (void)state;
    random_state random = random_make(random_seed("no_attitude_reaches_beyond", 77));
    int32_t samples = random_samples("no_attitude_reaches_beyond", 4000), smaller = 0;
    for (int32_t i = 0; i < samples; i++) {
        abut_shape *shape = random_shape(&random);
        convex core = place(shape, random_pose(&random, 1.0));
        abut_vec3 axis = random_direction(&random), direction = random_direction(&random);
        swept_cylinder bounds = swept_cylinder_of_bounds(&core, axis);
        swept_hull hull = swept_hull_of(&core, axis, &bounds);
        double support = swept_hull_support(&hull, axis, direction), cylinder = swept_cylinder_support(&bounds, axis, direction);
        assert_true(support <= cylinder);
        smaller += support < 0.99 * cylinder;
        for (int k = 0; k < 16; k++) {
            abut_vec3 back = abut_quat_rotate(abut_quat_about(axis, random_range(&random, -PI, PI)), direction);
            assert_true(convex_extent(&core, back) <= support + 1e-14);
        }
        abut_shape_release(shape);
    }
    print_message("no_attitude_reaches_beyond: smaller in %d of %d\n", (int)smaller, (int)samples);
    assert_true(2 * smaller > samples);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symmetric_about_the_axis),
        cmocka_unit_test(unchanged_by_the_turn),
        cmocka_unit_test(balls),
        cmocka_unit_test(no_attitude_reaches_beyond),
    };
    return cmocka_run_group_tests_name("narrow/query/swept_cylinder", tests, NULL, NULL);
}
