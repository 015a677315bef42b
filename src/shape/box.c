/* A box about the origin of its frame: a polytope whose numbers are closed forms. Numbering of vertices and faces: see
 * abut_create_box(). */

#include <math.h>

#include "shape/shape.h"

/* Counter-clockwise seen from outside; bit 0, 1, 2 of a vertex: +x, +y, +z. */
static const int32_t box_loops[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

static abut_status make_surface(abut_vec3 half, polytope *surface) {
    abut_status status = polytope_allocate(surface, 8, 6, 24);
    if (status != ABUT_OK) {
        return status;
    }
    for (int32_t v = 0; v < 8; v++) {
        surface->vertices[v] = abut_make_vec3(v & 1 ? half.x : -half.x, v & 2 ? half.y : -half.y, v & 4 ? half.z : -half.z);
    }
    for (int32_t f = 0; f < 6; f++) {
        surface->face_first[f + 1] = 4 * (f + 1);
        for (int32_t i = 0; i < 4; i++) {
            surface->face_vertices[4 * f + i] = box_loops[f][i];
        }
    }
    status = polytope_complete(surface);
    if (status != ABUT_OK) {
        return status;
    }
    surface->inradius = fmin(half.x, fmin(half.y, half.z));
    surface->centroid_inradius = surface->inradius;
    return ABUT_OK;
}

abut_status abut_create_box(abut_vec3 half, abut_shape **shape) {
    if (!abut_is_finite_vec3(half)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (shape == NULL || !(half.x > 0.0) || !(half.y > 0.0) || !(half.z > 0.0)) {
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
    return shape_publish(made, shape);
}
