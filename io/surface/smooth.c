/* Grids around convex smooth shapes. Vertex 0 is the lower pole, the last vertex the upper pole; between them are the rings, from the lowest up. */
#include "io/surface/smooth.h"

#include <abut/mesh.h>
#include <abut/smooth.h>

#include "io/surface/turn.h"

static const double pi = 3.14159265358979323846;

static bool is_convex(const abut_shape *shape) {
    abut_vec3 point;
    return abut_shape_support(shape, abut_vec3_make(0, 0, 1), &point, NULL) == ABUT_OK;
}

bool smooth_surface_has(const abut_shape *shape, int32_t *vertex_count, int32_t *triangle_count) {
    abut_kind kind = abut_shape_kind(shape);
    bool smooth =
        kind == ABUT_SHAPE_ELLIPSOID || kind == ABUT_SHAPE_SUPERQUADRIC || kind == ABUT_SHAPE_IMPLICIT || kind == ABUT_SHAPE_PARAMETRIC;
    if (smooth && is_convex(shape)) {
        *vertex_count = SMOOTH_SURFACE_VERTICES;
        *triangle_count = SMOOTH_SURFACE_TRIANGLES;
        return true;
    }
    const abut_shape *mesh;
    if (!smooth || abut_shape_surface_mesh(shape, &mesh, NULL) != ABUT_OK) {
        return false;
    }
    *vertex_count = abut_shape_vertex_count(mesh);
    *triangle_count = abut_shape_triangle_count(mesh);
    return true;
}

static abut_vec3 point_along(const abut_shape *shape, double latitude, double longitude) {
    abut_vec3 up = surface_turn(latitude), across = surface_turn(longitude);
    abut_vec3 point = {0, 0, 0}, d = {up.x * across.x, up.x * across.y, up.y};
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

static void copy_mesh(const abut_shape *mesh, abut_vec3 *vertices, int32_t *corners) {
    abut_triangle triangle;
    for (int32_t t = 0; t < abut_shape_triangle_count(mesh); t++) {
        (void)abut_shape_triangle(mesh, t, &triangle);
        for (int k = 0; k < 3; k++) {
            corners[3 * t + k] = triangle.vertex[k];
            vertices[triangle.vertex[k]] = triangle.corner[k];
        }
    }
}

void smooth_surface_make(const abut_shape *shape, abut_vec3 *vertices, int32_t *corners) {
    const abut_shape *mesh;
    if (is_convex(shape)) {
        make_globe(shape, vertices, corners);
    } else if (abut_shape_surface_mesh(shape, &mesh, NULL) == ABUT_OK) {
        copy_mesh(mesh, vertices, corners);
    }
}
