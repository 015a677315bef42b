/* Cylinders, cones and truncated cones: stored values, closed forms, refused arguments. test/accuracy/test_cylinder_shapes.c judges many of them. */
#include "shape/frustum/frustum.h"

#include <abut/mesh.h>
#include <abut/smooth.h>

#include "shape/digest.h"
#include "shape/shape.h"
#include "support/allocator.h"
#include "support/check.h"
#include "support/shapes.h"

static const double pi = 3.14159265358979323846;

static void cylinders(void **state) {
    (void)state;
    abut_shape *can = cylinder(0.5, 2.0);
    assert_int_equal(abut_shape_kind(can), ABUT_SHAPE_CYLINDER);
    assert_string_equal(abut_kind_name(abut_shape_kind(can)), "cylinder");
    assert_true(abut_shape_radius(can) == 0.5 && abut_shape_top_radius(can) == 0.5 && abut_shape_height(can) == 4.0);
    assert_true(abut_shape_half_length(can) == 0.0 && can->size == 4.0);
    assert_vec3_near(can->bounds.upper, abut_vec3_make(0.5, 0.5, 2), 0.0);
    assert_vec3_near(can->bounds.lower, abut_vec3_make(-0.5, -0.5, -2), 0.0);
    assert_true(can->round.inner_radius == 0.5 && can->round.inner_z == 0.0 && can->round.centre_depth == 0.5);
    abut_mass mass;
    assert_ok(abut_shape_mass(can, 2.0, &mass));
    assert_near(mass.mass, 2.0 * pi, 1e-15);
    assert_near(mass.inertia.z.z, 0.125 * mass.mass, 1e-15);
    assert_near(mass.inertia.x.x, mass.mass * (0.25 / 4.0 + 16.0 / 12.0), 1e-14);
    assert_vec3_near(mass.centre, abut_vec3_make(0, 0, 0), 0.0);
    abut_shape_release(can);
}

static void cones(void **state) {
    (void)state;
    abut_shape *hat = cone(3.0, 4.0);
    assert_int_equal(abut_shape_kind(hat), ABUT_SHAPE_CONE);
    assert_string_equal(abut_kind_name(abut_shape_kind(hat)), "cone");
    assert_true(abut_shape_radius(hat) == 3.0 && abut_shape_top_radius(hat) == 0.0 && abut_shape_height(hat) == 4.0);
    assert_vec3_near(hat->bounds.upper, abut_vec3_make(3, 3, 3), 0.0);
    assert_vec3_near(hat->bounds.lower, abut_vec3_make(-3, -3, -1), 0.0);
    assert_near(hat->round.normal_rho, 0.8, 1e-16);
    assert_near(hat->round.normal_z, 0.6, 1e-16);
    assert_near(hat->round.inner_radius, 1.5, 1e-15); /* of the circle in a triangle of sides 6, 5, 5: area over half the perimeter */
    assert_near(hat->round.inner_z, 0.5, 1e-15);
    abut_mass mass;
    assert_ok(abut_shape_mass(hat, 1.0, &mass));
    assert_near(mass.volume, 12.0 * pi, 1e-14);
    assert_near(mass.inertia.z.z, 0.3 * 9.0 * mass.volume, 1e-13);
    assert_near(mass.inertia.x.x, mass.volume * (0.15 * 9.0 + 3.0 / 80.0 * 16.0), 1e-13);
    abut_shape_release(hat);
}

/* A cone and its mirror image, and a truncated cone as the difference of two cones. */
static void truncated_cones(void **state) {
    (void)state;
    abut_shape *up = truncated(2.0, 1.0, 3.0), *down = truncated(1.0, 2.0, 3.0), *whole = cone(2.0, 6.0), *top = cone(1.0, 3.0),
               *hat = truncated(2.0, 0.0, 6.0);
    abut_mass of_up, of_down, of_whole, of_top;
    assert_ok(abut_shape_mass(up, 1.0, &of_up));
    assert_ok(abut_shape_mass(down, 1.0, &of_down));
    assert_ok(abut_shape_mass(whole, 1.0, &of_whole));
    assert_ok(abut_shape_mass(top, 1.0, &of_top));
    assert_near(of_up.volume, of_whole.volume - of_top.volume, 1e-14);
    assert_near(of_up.inertia.z.z, of_whole.inertia.z.z - of_top.inertia.z.z, 1e-13);
    assert_true(of_up.inertia.x.x == of_down.inertia.x.x && up->round.z[0] == -down->round.z[1] &&
                up->round.inner_z == -down->round.inner_z);
    assert_near(up->round.z[0], -3.0 * 11.0 / 28.0, 1e-15);
    assert_true(shape_digest(hat) == shape_digest(whole) && shape_digest(up) != shape_digest(down));
    abut_shape *all[] = {up, down, whole, top, hat};
    for (int i = 0; i < 5; ++i) {
        abut_shape_release(all[i]);
    }
}

/* The same shape in any unit. */
static void sizes(void **state) {
    (void)state;
    static const double scales[] = {1e-40, 1e-4, 1.0, 1e4, 1e40};
    for (int i = 0; i < 5; ++i) {
        double s = scales[i];
        abut_shape *made = truncated(2.0 * s, 1.0 * s, 3.0 * s);
        assert_near(made->round.z[0] / s, -3.0 * 11.0 / 28.0, 1e-14);
        assert_near(made->round.inner_radius / s, 6.0 / (1.0 + sqrt(10.0)), 1e-14);
        assert_near(made->unit_mass.volume / (s * s * s), 7.0 * pi, 1e-13);
        abut_shape_release(made);
    }
    abut_shape_release(cylinder(1e-8, 1.0));
    abut_shape_release(cylinder(1.0, 1e-8));
    abut_shape_release(cone(1e-8, 1.0));
    abut_shape_release(cone(1.0, 1e-8));
}

static void check_support(const abut_shape *shape, double x, double y, double z, abut_vec3 expected) {
    abut_vec3 point;
    int32_t vertex;
    assert_ok(abut_shape_support(shape, abut_vec3_make(x, y, z), &point, &vertex));
    assert_vec3_near(point, expected, 1e-15);
    assert_int_equal(vertex, -1);
}

/* Of several farthest points: the centre of a disc, the end at -z of a line. */
static void support(void **state) {
    (void)state;
    abut_shape *can = cylinder(1.0, 2.0), *hat = cone(3.0, 4.0);
    check_support(can, 0, 0, 5, abut_vec3_make(0, 0, 2));
    check_support(can, 0, 0, -5, abut_vec3_make(0, 0, -2));
    check_support(can, 3, 4, 0, abut_vec3_make(0.6, 0.8, -2));
    check_support(can, 3, 4, 1e-300, abut_vec3_make(0.6, 0.8, 2));
    check_support(can, 1e-300, 0, 1, abut_vec3_make(1, 0, 2));
    check_support(hat, 0, 0, 1, abut_vec3_make(0, 0, 3));
    check_support(hat, 0, -4, 2.9, abut_vec3_make(0, -3, -1));
    check_support(hat, 0, -4, 3, abut_vec3_make(0, -3, -1));
    check_support(hat, 0, -4, 3.1, abut_vec3_make(0, 0, 3));
    abut_shape_release(can);
    abut_shape_release(hat);
}

static abut_curvature curvature(const abut_shape *shape, double x, double y, double z) {
    abut_curvature c;
    assert_ok(abut_shape_curvature(shape, abut_vec3_make(x, y, z), &c));
    return c;
}

static void curvatures(void **state) {
    (void)state;
    abut_shape *can = cylinder(0.5, 2.0), *hat = cone(3.0, 4.0);
    abut_curvature side = curvature(can, 0, 2, 0), disc = curvature(can, 0, 0, 3), rim = curvature(can, 0, 1, 1),
                   slope = curvature(hat, 4, 0, 3), apex = curvature(hat, 1, 0, 2);
    assert_int_equal(side.feature.kind, ABUT_FEATURE_SMOOTH);
    assert_true(side.curvature[0] == 0.0);
    assert_near(side.curvature[1], 2.0, 1e-15);
    assert_vec3_near(side.direction[0], abut_vec3_make(0, 0, 1), 0.0);
    assert_vec3_near(side.point, abut_vec3_make(0, 0.5, 0), 1e-16);
    assert_int_equal(disc.feature.kind, ABUT_FEATURE_FACE);
    assert_int_equal(disc.feature.index, 1);
    assert_true(disc.curvature[0] == 0.0 && disc.curvature[1] == 0.0);
    assert_int_equal(rim.feature.kind, ABUT_FEATURE_EDGE);
    assert_int_equal(rim.feature.index, 1);
    assert_near(rim.curvature[0], sqrt(0.5) / 0.5, 1e-15);
    assert_true(rim.curvature[1] == INFINITY);
    assert_near(fabs(rim.direction[0].x), 1.0, 1e-15);
    assert_int_equal(slope.feature.kind, ABUT_FEATURE_SMOOTH);
    assert_near(slope.radius[1], 1.5 / 0.8, 1e-15); /* Meusnier, at half the height */
    assert_int_equal(apex.feature.kind, ABUT_FEATURE_VERTEX);
    assert_int_equal(apex.feature.index, 1);
    abut_shape_release(can);
    abut_shape_release(hat);
}

static void check_closest(const abut_shape *shape, abut_vec3 from, abut_vec3 point, abut_vec3 normal, abut_feature_kind kind, int index,
                          bool behind) {
    abut_projection found;
    assert_ok(abut_shape_project(shape, abut_pose_identity(), from, &found));
    assert_vec3_near(found.point, point, 1e-15);
    assert_vec3_near(found.normal, normal, 1e-15);
    assert_near(found.distance, abut_length(abut_sub(from, point)), 1e-15);
    assert_int_equal(found.feature.kind, kind);
    assert_int_equal(found.feature.index, index);
    assert_int_equal(found.behind, behind);
}

static void closest_points(void **state) {
    (void)state;
    abut_shape *can = cylinder(1.0, 2.0), *hat = cone(3.0, 4.0);
    check_closest(can, abut_vec3_make(0.5, 0, 5), abut_vec3_make(0.5, 0, 2), abut_vec3_make(0, 0, 1), ABUT_FEATURE_FACE, 1, false);
    check_closest(can, abut_vec3_make(0, -3, 1), abut_vec3_make(0, -1, 1), abut_vec3_make(0, -1, 0), ABUT_FEATURE_SMOOTH, 0, false);
    check_closest(can, abut_vec3_make(4, 0, -6), abut_vec3_make(1, 0, -2), abut_vec3_make(0.6, 0, -0.8), ABUT_FEATURE_EDGE, 0, false);
    check_closest(can, abut_vec3_make(0, 0, 0), abut_vec3_make(1, 0, 0), abut_vec3_make(-1, 0, 0), ABUT_FEATURE_SMOOTH, 0, true);
    check_closest(can, abut_vec3_make(0, 0.2, 1.5), abut_vec3_make(0, 0.2, 2), abut_vec3_make(0, 0, -1), ABUT_FEATURE_FACE, 1, true);
    check_closest(can, abut_vec3_make(0, 1, 0), abut_vec3_make(0, 1, 0), abut_vec3_make(0, 1, 0), ABUT_FEATURE_SMOOTH, 0, false);
    check_closest(hat, abut_vec3_make(0, 0, 7), abut_vec3_make(0, 0, 3), abut_vec3_make(0, 0, 1), ABUT_FEATURE_VERTEX, 1, false);
    check_closest(hat, abut_vec3_make(1.5 + 4, 0, 1 + 3), abut_vec3_make(1.5, 0, 1), abut_vec3_make(0.8, 0, 0.6), ABUT_FEATURE_SMOOTH, 0,
                  false);
    check_closest(hat, abut_vec3_make(0, 0, 0.5), abut_vec3_make(0, 0, -1), abut_vec3_make(0, 0, 1), ABUT_FEATURE_FACE, 0, true);
    abut_shape_release(can);
    abut_shape_release(hat);
}

static void refused_sizes(void **state) {
    (void)state;
    abut_shape *made = NULL;
    assert_status(abut_shape_create_cylinder(NAN, 1.0, &made), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_shape_create_cylinder(1.0, INFINITY, &made), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_shape_create_cylinder(0.0, 1.0, &made), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_cylinder(1.0, 0.0, &made), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_cylinder(1.0, 1e308, &made), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_cylinder(1e-20, 1.0, &made), ABUT_ERROR_INVALID_ARGUMENT); /* thinner than rounding error */
    assert_status(abut_shape_create_cylinder(1.0, 1e-20, &made), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_cylinder(1e-60, 1e-60, &made), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_cone(-1.0, 1.0, &made), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_cone(1.0, 0.0, &made), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_cone(1e60, 1e60, &made), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_frustum(0.0, 0.0, 1.0, &made), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_frustum(1.0, -1.0, 1.0, &made), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_frustum(1.0, NAN, 1.0, &made), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_shape_create_frustum(1.0, 1e-20, 1.0, &made), ABUT_ERROR_INVALID_ARGUMENT); /* neither a disc nor an apex */
    assert_status(abut_shape_create_frustum(1e-300, 1.0, 1.0, &made), ABUT_ERROR_INVALID_ARGUMENT);
    assert_null(made);
}

static void out_of_memory(void **state) {
    (void)state;
    counting_allocator memory = {.refuse_at = 0};
    counting_allocator_install(&memory);
    abut_shape *made = NULL;
    assert_status(abut_shape_create_cylinder(1.0, 1.0, &made), ABUT_ERROR_OUT_OF_MEMORY);
    counting_allocator_remove();
    assert_null(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(cylinders),      cmocka_unit_test(cones),         cmocka_unit_test(truncated_cones),
                                       cmocka_unit_test(sizes),          cmocka_unit_test(support),       cmocka_unit_test(curvatures),
                                       cmocka_unit_test(closest_points), cmocka_unit_test(refused_sizes), cmocka_unit_test(out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
