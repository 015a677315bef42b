/*
 * The exact hull of rounded points has many facets where the author meant one: the corners of a pentagon, rounded to six digits, are not coplanar.
 * abut_shape_create_polytope() therefore gets the hull's faces again, with the tolerance of the numbers.
 */
#include "io/mesh/smooth_hull.h"

#include <stdlib.h>

/* Makes the same surface with another tolerance. */
static abut_status rebuild(const abut_shape *hull, double tolerance, abut_shape **shape) {
    abut_polytope_view view;
    abut_status status = abut_shape_polytope(hull, &view);
    if (status != ABUT_OK) {
        return status;
    }
    int32_t *sizes = malloc((size_t)view.face_count * sizeof *sizes);
    if (!sizes) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    for (int32_t f = 0; f < view.face_count; f++) {
        sizes[f] = view.face_first[f + 1] - view.face_first[f];
    }
    abut_polytope_def def = {view.vertices, view.vertex_count, sizes, view.face_count, view.face_vertices, tolerance};
    status = abut_shape_create_polytope(&def, NULL, shape);
    free(sizes);
    return status;
}

abut_status smooth_hull(const abut_vec3 *points, int32_t count, double tolerance, abut_shape **shape) {
    abut_shape *hull = NULL, *smooth = NULL;
    abut_status status = abut_shape_create_hull(points, count, &hull);
    if (status != ABUT_OK) {
        return status;
    }
    status = tolerance > 0.0 ? rebuild(hull, tolerance, &smooth) : ABUT_ERROR_INVALID_ARGUMENT;
    if (status == ABUT_ERROR_OUT_OF_MEMORY) {
        abut_shape_release(hull);
        return status;
    }
    /* A body thinner than the tolerance has no smoothed surface. It keeps the exact one. */
    *shape = status == ABUT_OK ? smooth : hull;
    if (status == ABUT_OK) {
        abut_shape_release(hull);
    }
    return ABUT_OK;
}
