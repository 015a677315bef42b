/* A box about the origin of its frame: a polytope whose numbers are closed forms. abut_shape_create_box() documents the numbering of vertices and
 * faces. All boxes share their topology and normals, so that a box takes few cache lines. */

#include <math.h>

#include "base/argument.h"
#include "base/real.h"
#include "shape/lifecycle.h"
#include "shape/mass.h"
#include "shape/shape.h"

/* The result of polytope_complete() for any box. */
static const int32_t face_first[] = {0, 4, 8, 12, 16, 20, 24};
static const int32_t face_vertices[] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
static const int32_t face_edges[] = {2, 9, 6, 1, 3, 7, 10, 4, 0, 4, 8, 2, 6, 11, 7, 5, 1, 5, 3, 0, 8, 10, 11, 9};
static const int32_t vertex_first[] = {0, 3, 6, 9, 12, 15, 18, 21, 24};
static const int32_t vertex_edges[] = {2, 1, 0, 3, 4, 0, 1, 6, 5, 7, 3, 5, 9, 2, 8, 4, 10, 8, 6, 9, 11, 10, 7, 11};
static const int32_t vertex_faces[] = {0, 4, 2, 1, 2, 4, 0, 3, 4, 1, 4, 3, 0, 2, 5, 1, 5, 2, 0, 5, 3, 1, 3, 5};
static const int32_t edge_vertices[] = {0, 1, 0, 2, 0, 4, 1, 3, 1, 5, 2, 3, 2, 6, 3, 7, 4, 5, 4, 6, 5, 7, 6, 7};
static const polytope_edge edges[] = {{{0, 1}, {2, 4}}, {{0, 2}, {4, 0}}, {{0, 4}, {0, 2}}, {{1, 3}, {1, 4}},
                                      {{1, 5}, {2, 1}}, {{2, 3}, {4, 3}}, {{2, 6}, {3, 0}}, {{3, 7}, {1, 3}},
                                      {{4, 5}, {5, 2}}, {{4, 6}, {0, 5}}, {{5, 7}, {5, 1}}, {{6, 7}, {3, 5}}};
static const abut_vec3 normals[] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};
#define RIGHT_ANGLE (0.5 * REAL_PI)
static const double face_angles[] = {RIGHT_ANGLE, RIGHT_ANGLE, RIGHT_ANGLE, RIGHT_ANGLE, RIGHT_ANGLE, RIGHT_ANGLE};
#define SINE 0.64944804833018366 /* sine of 0.45 of the angle */
static const polytope_face face[] = {{{-1, 0, 0}, 0, SINE, 0, 4}, {{1, 0, 0}, 0, SINE, 4, 4},   {{0, -1, 0}, 0, SINE, 8, 4},
                                     {{0, 1, 0}, 0, SINE, 12, 4}, {{0, 0, -1}, 0, SINE, 16, 4}, {{0, 0, 1}, 0, SINE, 20, 4}};
static const polytope_corner corner[] = {{0, 2, 2}, {4, 9, 5}, {6, 6, 3}, {2, 1, 4}, {1, 3, 4}, {3, 7, 3},  {7, 10, 5}, {5, 4, 2},
                                         {0, 0, 4}, {1, 4, 1}, {5, 8, 5}, {4, 2, 0}, {2, 6, 0}, {6, 11, 5}, {7, 7, 1},  {3, 5, 4},
                                         {0, 1, 0}, {2, 5, 3}, {3, 3, 1}, {1, 0, 2}, {4, 8, 2}, {5, 10, 1}, {7, 11, 3}, {6, 9, 0}};
static const polytope_spoke spoke[] = {{2, 4, 0},  {1, 2, 4}, {0, 1, 2}, {3, 3, 1}, {4, 5, 2},  {0, 0, 4},  {1, 0, 0}, {6, 6, 3},
                                       {5, 3, 4},  {7, 7, 1}, {3, 1, 4}, {5, 2, 3}, {9, 6, 0},  {2, 0, 2},  {8, 5, 5}, {4, 1, 1},
                                       {10, 7, 5}, {8, 4, 2}, {6, 2, 0}, {9, 4, 5}, {11, 7, 3}, {10, 5, 1}, {7, 3, 3}, {11, 6, 5}};

/* Nobody writes to a finished surface. The pointers are writable for surfaces under construction. */
static int32_t *shared(const int32_t *table) { return (int32_t *)(uintptr_t)table; }

static void share_topology(polytope *surface) {
    surface->edges = (polytope_edge *)(uintptr_t)edges;
    surface->normals = (abut_vec3 *)(uintptr_t)normals;
    surface->face_angles = (double *)(uintptr_t)face_angles;
    surface->face = (polytope_face *)(uintptr_t)face;
    surface->corner = (polytope_corner *)(uintptr_t)corner;
    surface->spoke = (polytope_spoke *)(uintptr_t)spoke;
    surface->face_first = shared(face_first);
    surface->face_vertices = shared(face_vertices);
    surface->face_edges = shared(face_edges);
    surface->vertex_first = shared(vertex_first);
    surface->vertex_edges = shared(vertex_edges);
    surface->vertex_faces = shared(vertex_faces);
    surface->edge_vertices = shared(edge_vertices);
}

static abut_status make_surface(abut_vec3 half, polytope *surface) {
    abut_status status = polytope_allocate_own(surface, 8, 6, 12);
    if (status != ABUT_OK) {
        return status;
    }
    share_topology(surface);
    for (int32_t v = 0; v < 8; v++) {
        surface->vertices[v] = abut_vec3_make(v & 1 ? half.x : -half.x, v & 2 ? half.y : -half.y, v & 4 ? half.z : -half.z);
    }
    const double sides[6] = {half.x, half.x, half.y, half.y, half.z, half.z};
    for (int32_t f = 0; f < 6; f++) {
        surface->offsets[f] = sides[f];
    }
    surface->size = 2.0 * real_max_number(half.x, real_max_number(half.y, half.z));
    surface->inradius = real_min_number(half.x, real_min_number(half.y, half.z));
    surface->centroid_inradius = surface->inradius;
    polytope_make_lanes(surface);
    return ABUT_OK;
}

abut_status abut_shape_create_box(abut_vec3 half, abut_shape **shape) {
    if (argument_is_no_vector(CALL_NAME, "half", half)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (argument_is_null(CALL_NAME, "shape", shape) || argument_is_no_half(CALL_NAME, half)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_shape *made = shape_allocate(ABUT_SHAPE_BOX);
    if (made == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    abut_status status = make_surface(half, &made->surface);
    if (status != ABUT_OK) {
        shape_free(made);
        return status;
    }
    made->half = half;
    made->size = made->surface.size;
    made->bounds = (abut_aabb){abut_neg(half), half};
    made->unit_mass = mass_of_box(half);
    return shape_publish(CALL_NAME, made, shape);
}
