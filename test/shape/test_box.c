/* Boxes: the numbering that the header promises, the surface, and its measures in closed form at every scale. */
#include "support/surface.h"

#include <float.h>

static void numbering_of_vertices_and_faces(void **state) {
    (void)state;
    abut_shape *box;
    assert_ok(abut_shape_create_box(abut_vec3_make(1, 2, 3), &box));
    abut_polytope_view view;
    assert_ok(abut_shape_polytope(box, &view));
    assert_int_equal(view.vertex_count, 8);
    assert_int_equal(view.face_count, 6);
    assert_int_equal(view.edge_count, 12);
    for (int32_t i = 0; i < 8; i++) {
        assert_vec3_near(view.vertices[i], abut_vec3_make(i & 1 ? 1 : -1, i & 2 ? 2 : -2, i & 4 ? 3 : -3), 0.0);
    }
    const abut_vec3 normals[6] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};
    const double distances[6] = {1, 1, 2, 2, 3, 3};
    for (int32_t f = 0; f < 6; f++) {
        assert_vec3_near(view.face_normals[f], normals[f], 0.0);
        assert_near(box->surface.offsets[f], distances[f], 0.0);
        assert_near(box->surface.face_angles[f], 0.5 * PI, DBL_EPSILON);
    }
    surface_check(box, 1e-15);
    abut_shape_release(box);
}

static void measures_at_every_scale(void **state) {
    (void)state;
    for (double s = 1e-50; s < 1e51; s *= 10.0) {
        abut_shape *box;
        assert_ok(abut_shape_create_box(abut_vec3_make(s, 2 * s, 3 * s), &box));
        assert_near(box->surface.inradius, s, 0.0);
        assert_near(box->surface.centroid_inradius, s, 0.0);
        assert_vec3_near(box->surface.centroid, abut_vec3_make(0, 0, 0), 0.0);
        assert_vec3_near(box->surface.inner_centre, abut_vec3_make(0, 0, 0), 0.0);
        assert_near(box->surface.size, 6 * s, 0.0);
        assert_near(box->size, 6 * s, 0.0);
        surface_check(box, 1e-15);
        abut_shape_release(box);
    }
}

static void plates_and_needles(void **state) {
    (void)state;
    for (double thin = 1.0; thin > 1e-15; thin *= 0.1) {
        const abut_vec3 halves[2] = {{1, 1, thin}, {thin, 1, thin}};
        for (int i = 0; i < 2; i++) {
            abut_shape *box;
            assert_ok(abut_shape_create_box(halves[i], &box));
            assert_near(box->surface.inradius, thin, 0.0);
            surface_check(box, 1e-15);
            abut_shape_release(box);
        }
    }
}

static void refused_sizes(void **state) {
    (void)state;
    abut_shape *box = NULL;
    assert_status(abut_shape_create_box(abut_vec3_make(1, 1, NAN), &box), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_shape_create_box(abut_vec3_make(INFINITY, 1, 1), &box), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_shape_create_box(abut_vec3_make(0, 1, 1), &box), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_box(abut_vec3_make(1, -1, 1), &box), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_box(abut_vec3_make(1e100, 1e100, 1e100), &box), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_box(abut_vec3_make(1e-100, 1e-100, 1e-100), &box), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_box(abut_vec3_make(DBL_MAX, DBL_MAX, DBL_MAX), &box), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_box(abut_vec3_make(5e-324, 5e-324, 5e-324), &box), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_box(abut_vec3_make(1, 1, 1), NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_null(box);
}

/* Volume and inertia are ordinary numbers, but a side times another is none: the faces would have no normals. */
static void too_thin_for_face_normals(void **state) {
    (void)state;
    abut_shape *box = NULL;
    assert_status(abut_shape_create_box(abut_vec3_make(1, 1e16, 1.4e-314), &box), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_box(abut_vec3_make(1e-80, 1e-80, 1), &box), ABUT_ERROR_INVALID_ARGUMENT);
    assert_null(box);
}

/* Turned anyhow, such a plate would have both its sides at one place. */
static void thinner_than_rounding(void **state) {
    (void)state;
    for (double size = 1e-30; size < 1e31; size *= 1e10) {
        abut_shape *box = NULL;
        assert_status(abut_shape_create_box(abut_vec3_make(size, 1e-17 * size, size), &box), ABUT_ERROR_INVALID_ARGUMENT);
        assert_status(abut_shape_create_box(abut_vec3_make(1e-17 * size, 1e-17 * size, size), &box), ABUT_ERROR_INVALID_ARGUMENT);
        assert_null(box);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbering_of_vertices_and_faces),
        cmocka_unit_test(measures_at_every_scale),
        cmocka_unit_test(plates_and_needles),
        cmocka_unit_test(refused_sizes),
        cmocka_unit_test(too_thin_for_face_normals),
        cmocka_unit_test(thinner_than_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
