/* Polygons of cylinders and cones: closed, outward, with nearly the volume of the shape; the discs have the indices of their ends. */
#include "io/surface/frustum.h"

#include <stdlib.h>
#include <string.h>

#include "io/surface/shape_list.h"
#include "support/check.h"

enum { MOST = 512 };

static abut_vec3 vertices[MOST];
static int32_t first[MOST], corners[2 * MOST];

static double volume_of(const frustum_surface *s) {
    double volume = 0.0;
    for (int32_t f = 0; f < s->face_count; ++f) {
        abut_vec3 a = vertices[corners[first[f]]];
        for (int32_t c = first[f] + 1; c + 1 < first[f + 1]; ++c) {
            volume += abut_dot(a, abut_cross(vertices[corners[c]], vertices[corners[c + 1]])) / 6.0;
        }
    }
    return volume;
}

/* Every edge occurs once in each direction. */
static void check_closed(const frustum_surface *s) {
    static int8_t runs[MOST][MOST];
    memset(runs, 0, sizeof runs);
    for (int32_t f = 0; f < s->face_count; ++f) {
        for (int32_t c = first[f]; c < first[f + 1]; ++c) {
            ++runs[corners[c]][corners[c + 1 < first[f + 1] ? c + 1 : first[f]]];
        }
    }
    for (int32_t i = 0; i < s->vertex_count; ++i) {
        for (int32_t k = 0; k < i; ++k) {
            assert_int_equal(runs[i][k], runs[k][i]);
            assert_in_range(runs[i][k], 0, 1);
        }
    }
}

static void surfaces(void **state) {
    (void)state;
    static const double sizes[][3] = {{1.0, 1.0, 3.0}, {2.0, 0.0, 1.0}, {0.0, 2.0, 1.0}, {1.0, 2.0, 5.0}};
    for (int i = 0; i < 4; ++i) {
        abut_shape *shape;
        abut_mass mass;
        assert_ok(abut_shape_create_frustum(sizes[i][0], sizes[i][1], sizes[i][2], &shape));
        assert_ok(abut_shape_mass(shape, 1.0, &mass));
        assert_true(frustum_surface_has(shape));
        frustum_surface counted, made = {.vertices = vertices, .face_first = first, .corners = corners};
        frustum_surface_count(shape, &counted);
        frustum_surface_make(shape, &made);
        assert_int_equal(made.vertex_count, counted.vertex_count);
        assert_int_equal(made.face_count, counted.face_count);
        assert_int_equal(made.corner_count, counted.corner_count);
        check_closed(&made);
        double volume = volume_of(&made);
        assert_true(volume < mass.volume && volume > 0.998 * mass.volume);
        for (int end = 0; end < 2; ++end) {
            assert_int_equal(first[end + 1] - first[end] == FRUSTUM_SURFACE_SIDES, sizes[i][end] > 0.0);
        }
        abut_shape_release(shape);
    }
}

/* The list of a scene's shapes keeps their sizes. */
static void sizes(void **state) {
    (void)state;
    abut_shape *shape;
    shape_list list = {.shapes = NULL};
    assert_ok(abut_shape_create_frustum(2.0, 1.0, 3.0, &shape));
    assert_ok(shape_list_add(&list, shape));
    assert_ok(shape_list_describe(&list));
    const abut_recorded_shape *entry = &list.entries[0];
    assert_int_equal(entry->kind, ABUT_SHAPE_CONE);
    assert_true(entry->radius == 2.0 && entry->top_radius == 1.0 && entry->height == 3.0);
    assert_int_equal(entry->vertex_count, list.vertex_count);
    assert_int_equal(entry->face_count, list.face_count);
    assert_int_equal(entry->face_first[entry->face_count], list.corner_count);
    shape_list_release(&list);
    abut_shape_release(shape);
}

static void others(void **state) {
    (void)state;
    abut_shape *prism;
    assert_ok(abut_shape_create_prism(1.0, 1.0, 8, &prism));
    assert_false(frustum_surface_has(prism));
    abut_shape_release(prism);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(surfaces), cmocka_unit_test(sizes), cmocka_unit_test(others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
