/* Grids around convex smooth shapes. Vertex 0 is the lower pole, the last vertex the upper pole; between them are the rings, from the lowest up. */
#include "io/surface/smooth.h"

#include <math.h>

#include "io/surface/level_set.h"
#include "io/surface/parameter_grid.h"

static const double pi = 3.14159265358979323846;

static bool is_convex(const abut_shape *shape) {
    abut_vec3 point;
    return abut_shape_support(shape, abut_vec3_make(0, 0, 1), &point, NULL) == ABUT_OK;
}

bool smooth_surface_has(const abut_shape *shape, int32_t *vertex_count, int32_t *triangle_count) {
    abut_parametric_def def;
    abut_implicit_def implicit;
    abut_kind kind = abut_shape_kind(shape);
    bool smooth =
        kind == ABUT_SHAPE_ELLIPSOID || kind == ABUT_SHAPE_SUPERQUADRIC || kind == ABUT_SHAPE_IMPLICIT || kind == ABUT_SHAPE_PARAMETRIC;
    if (smooth && is_convex(shape)) {
        *vertex_count = SMOOTH_SURFACE_VERTICES;
        *triangle_count = SMOOTH_SURFACE_TRIANGLES;
        return true;
    }
    if (kind == ABUT_SHAPE_IMPLICIT && abut_shape_implicit(shape, &implicit) == ABUT_OK) {
        level_set_make(&implicit, NULL, NULL, vertex_count, triangle_count);
        return true;
    }
    if (kind != ABUT_SHAPE_PARAMETRIC || abut_shape_parametric(shape, &def) != ABUT_OK) {
        return false;
    }
    parameter_grid grid = parameter_grid_plan(&def);
    *vertex_count = grid.vertex_count;
    *triangle_count = grid.triangle_count;
    return true;
}

static abut_vec3 point_along(const abut_shape *shape, double latitude, double longitude) {
    abut_vec3 point = {0, 0, 0}, d = {cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude)};
    (void)abut_shape_support(shape, d, &point, NULL);
    return point;
}

static int32_t on_ring(int ring, int meridian) { return 1 + ring * SMOOTH_SURFACE_MERIDIANS + meridian % SMOOTH_SURFACE_MERIDIANS; }

static void add(int32_t **corners, int32_t a, int32_t b, int32_t c) {
    (*corners)[0] = a;
    (*corners)[1] = b;
    (*corners)[2] = c;
    *corners += 3;
}

static void make_globe(const abut_shape *shape, abut_vec3 *vertices, int32_t *corners) {
    vertices[0] = point_along(shape, -0.5 * pi, 0.0);
    vertices[SMOOTH_SURFACE_VERTICES - 1] = point_along(shape, 0.5 * pi, 0.0);
    for (int r = 0; r < SMOOTH_SURFACE_RINGS; r++) {
        for (int m = 0; m < SMOOTH_SURFACE_MERIDIANS; m++) {
            vertices[on_ring(r, m)] =
                point_along(shape, pi * ((r + 1.0) / (SMOOTH_SURFACE_RINGS + 1.0) - 0.5), 2.0 * pi * m / SMOOTH_SURFACE_MERIDIANS);
        }
    }
    for (int m = 0; m < SMOOTH_SURFACE_MERIDIANS; m++) {
        add(&corners, 0, on_ring(0, m + 1), on_ring(0, m));
        add(&corners, SMOOTH_SURFACE_VERTICES - 1, on_ring(SMOOTH_SURFACE_RINGS - 1, m), on_ring(SMOOTH_SURFACE_RINGS - 1, m + 1));
        for (int r = 0; r + 1 < SMOOTH_SURFACE_RINGS; r++) {
            add(&corners, on_ring(r, m), on_ring(r, m + 1), on_ring(r + 1, m + 1));
            add(&corners, on_ring(r, m), on_ring(r + 1, m + 1), on_ring(r + 1, m));
        }
    }
}

void smooth_surface_make(const abut_shape *shape, abut_vec3 *vertices, int32_t *corners) {
    abut_parametric_def def;
    abut_implicit_def implicit;
    int32_t vertex_count, triangle_count;
    if (is_convex(shape)) {
        make_globe(shape, vertices, corners);
    } else if (abut_shape_kind(shape) == ABUT_SHAPE_IMPLICIT && abut_shape_implicit(shape, &implicit) == ABUT_OK) {
        level_set_make(&implicit, vertices, corners, &vertex_count, &triangle_count);
    } else if (abut_shape_parametric(shape, &def) == ABUT_OK) {
        parameter_grid grid = parameter_grid_plan(&def);
        parameter_grid_make(&grid, vertices, corners);
    }
}
