/*
 * The growth distance by a ray cast from outside: closed forms at all scales, far apart and deep, with the exact facet if there is one.
 * World frame, normal from B into A. For random pairs compared with the other method see test_growth_methods.c.
 */
#include "support/check.h"

static abut_growth cast(const abut_shape *a, abut_vec3 at, const abut_shape *b) {
    abut_collide_settings settings = abut_collide_settings_default();
    settings.baseline.growth = ABUT_GROWTH_RAY_CAST;
    settings.contraction = ABUT_CONTRACTION_CENTROID;
    abut_pose pose_a = {.position = at, .rotation = abut_pose_identity().rotation};
    abut_growth growth;
    assert_ok(abut_growth_distance(&(abut_pair){a, pose_a, b, abut_pose_identity()}, &settings, &growth));
    return growth;
}

static const double scales[] = {1e-4, 1.0, 1e4};
static const double places[] = {1e-6, 0.3, 0.999, 1.0, 1.5, 1e3};

enum { SCALES = sizeof scales / sizeof *scales, PLACES = sizeof places / sizeof *places };

/* alpha = |c| / (sum of radii). */
static void spheres(void **state) {
    (void)state;
    const abut_vec3 way = {2.0 / 7.0, -3.0 / 7.0, 6.0 / 7.0};
    for (int s = 0; s < SCALES; s++) {
        abut_shape *a, *b;
        assert_ok(abut_shape_create_sphere(0.7 * scales[s], &a));
        assert_ok(abut_shape_create_sphere(0.3 * scales[s], &b));
        for (int p = 0; p < PLACES; p++) {
            abut_growth g = cast(a, abut_scale(places[p] * scales[s], way), b);
            assert_near(g.alpha, places[p], 1e-12 * places[p]);
            assert_near(g.alpha_lower, places[p], 1e-9 * places[p]);
            assert_vec3_near(g.normal, way, 1e-9);
            assert_near(g.gap, (places[p] - 1.0) * scales[s], 1e-12 * fmax(1.0, places[p]) * scales[s]);
        }
        abut_shape_release(a);
        abut_shape_release(b);
    }
}

/* In line: alpha = max_i |c_i| / (sum of half sizes); the normal is the face's own, to the last digit. */
static void boxes(void **state) {
    (void)state;
    for (int s = 0; s < SCALES; s++) {
        abut_shape *a, *b;
        assert_ok(abut_shape_create_box(abut_vec3_make(0.5 * scales[s], 0.4 * scales[s], 0.3 * scales[s]), &a));
        assert_ok(abut_shape_create_box(abut_vec3_make(0.6 * scales[s], 0.7 * scales[s], 0.8 * scales[s]), &b));
        for (int p = 0; p < PLACES; p++) {
            double length = 1.1 * places[p] * scales[s];
            abut_growth g = cast(a, abut_vec3_make(0.3 * length, -length, 0.5 * length), b);
            assert_near(g.alpha, places[p], 1e-12 * places[p]);
            assert_vec3_near(g.normal, abut_vec3_make(0, -1, 0), 0.0);
            assert_false(g.normal_chosen);
        }
        abut_shape_release(a);
        abut_shape_release(b);
    }
}

/* A capsule over the middle of a box's face and beside its edge: the face's normal, and that of the distance. */
static void capsule_and_box(void **state) {
    (void)state;
    abut_shape *capsule, *box;
    assert_ok(abut_shape_create_capsule(0.25, 0.5, &capsule));
    assert_ok(abut_shape_create_box(abut_vec3_make(1, 1, 1), &box));
    for (int p = 0; p < PLACES; p++) {
        abut_growth g = cast(capsule, abut_vec3_make(0.1 * places[p], 0.2 * places[p], 1.75 * places[p]), box);
        assert_near(g.alpha, places[p], 1e-12 * places[p]);
        assert_vec3_near(g.normal, abut_vec3_make(0, 0, 1), 1e-12);
    }
    /* Along the diagonal of x and y: the box's edge and the capsule's side are parallel; sqrt(2) + 0.25 from the middle. */
    const double half = sqrt(0.5), far = sqrt(2.0) + 0.25;
    abut_growth g = cast(capsule, abut_vec3_make(0.9 * far * half, 0.9 * far * half, 0.0), box);
    assert_near(g.alpha, 0.9, 1e-12);
    assert_vec3_near(g.normal, abut_vec3_make(half, half, 0), 1e-9);
    abut_shape_release(capsule);
    abut_shape_release(box);
}

/* Octahedra vertex on vertex: the possible normals form a cell, and its middle is taken, as by the other method. */
static void a_tie_is_said(void **state) {
    (void)state;
    const abut_vec3 points[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    solid surface = solid_hull(points, 6);
    abut_shape *octahedron = solid_shape(&surface);
    solid_free(&surface);
    abut_growth g = cast(octahedron, abut_vec3_make(0, 0, 1.9), octahedron);
    assert_near(g.alpha, 0.95, 1e-12);
    assert_true(g.normal_chosen);
    assert_vec3_near(g.normal, abut_vec3_make(0, 0, 1), 1e-12);
    abut_shape_release(octahedron);
}

/* No ray to cast: alpha is 0, and the normal of some face is returned. */
static void concentric(void **state) {
    (void)state;
    abut_shape *box;
    assert_ok(abut_shape_create_box(abut_vec3_make(1, 2, 3), &box));
    abut_growth g = cast(box, abut_vec3_make(0, 0, 0), box);
    assert_near(g.alpha, 0.0, 0.0);
    assert_near(g.gap, -2.0, 1e-14);
    assert_near(fabs(g.normal.x), 1.0, 1e-14);
    abut_shape_release(box);
}

/* A plate slightly off centre, by less than the rounding error of its size: there is still a ray, and the way out is across the plate. */
static void hardly_off_centre(void **state) {
    (void)state;
    abut_shape *plate;
    assert_ok(abut_shape_create_box(abut_vec3_make(1e-6, 1, 1), &plate));
    abut_growth g = cast(plate, abut_vec3_make(1e-16, 0, 0), plate);
    assert_near(g.alpha, 1e-16 / 2e-6, 1e-9 * g.alpha);
    assert_vec3_near(g.normal, abut_vec3_make(1, 0, 0), 0.0);
    abut_shape_release(plate);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres),       cmocka_unit_test(boxes),      cmocka_unit_test(capsule_and_box),
        cmocka_unit_test(a_tie_is_said), cmocka_unit_test(concentric), cmocka_unit_test(hardly_off_centre),
    };
    return cmocka_run_group_tests_name("narrow/normal/growth/ray", tests, NULL, NULL);
}
