/* abut_shape_create_polytope: a convex polytope from its vertices and faces. The arguments are checked here, the surface in build/build.c. */

#include <limits.h>
#include <math.h>

#include "base/memory.h"
#include "shape/build/build.h"
#include "shape/lifecycle.h"
#include "shape/shape.h"

static const double default_tolerance = 1e-9;

static abut_status check_arguments(const abut_polytope_def *def, abut_polytope_report *report) {
    if (def == NULL || def->vertices == NULL || def->face_sizes == NULL || def->face_vertices == NULL || def->vertex_count < 4 ||
        def->face_count < 4 || !(def->tolerance >= 0.0) || !isfinite(def->tolerance)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    for (int32_t v = 0; v < def->vertex_count; v++) {
        if (!abut_vec3_is_finite(def->vertices[v])) {
            report->vertex = v;
            return ABUT_ERROR_NOT_FINITE;
        }
    }
    int32_t corner = 0;
    for (int32_t f = 0; f < def->face_count; f++) {
        report->face = f;
        if (def->face_sizes[f] < 3 || def->face_sizes[f] > INT32_MAX / 4 - corner) {
            return ABUT_ERROR_INVALID_ARGUMENT;
        }
        for (int32_t i = 0; i < def->face_sizes[f]; i++, corner++) {
            if (def->face_vertices[corner] < 0 || def->face_vertices[corner] >= def->vertex_count) {
                report->vertex = def->face_vertices[corner];
                return ABUT_ERROR_INVALID_ARGUMENT;
            }
        }
    }
    report->face = -1;
    return ABUT_OK;
}

static abut_status create(const abut_polytope_def *def, abut_polytope_report *report, abut_shape **shape) {
    abut_status status = check_arguments(def, report);
    if (status != ABUT_OK) {
        return status;
    }
    int32_t *first = memory_allocate((size_t)def->face_count + 1, sizeof *first);
    abut_shape *made = shape_allocate(ABUT_SHAPE_POLYTOPE);
    if (first == NULL || made == NULL) {
        memory_release(first);
        shape_free(made);
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    for (int32_t f = 0; f < def->face_count; f++) {
        first[f + 1] = first[f] + def->face_sizes[f];
    }
    build_source source = {.vertices = def->vertices,
                           .vertex_count = def->vertex_count,
                           .face_first = first,
                           .face_vertices = def->face_vertices,
                           .face_count = def->face_count,
                           .tolerance = def->tolerance > 0.0 ? def->tolerance : default_tolerance};
    status = build_polytope(&source, report, &made->surface, &made->unit_mass);
    memory_release(first);
    if (status != ABUT_OK) {
        shape_free(made);
        return status;
    }
    return shape_publish_polytope(made, shape);
}

abut_status abut_shape_create_polytope(const abut_polytope_def *def, abut_polytope_report *report, abut_shape **shape) {
    abut_polytope_report unread;
    abut_polytope_report *found = report != NULL ? report : &unread;
    *found = (abut_polytope_report){.face = -1, .vertex = -1, .dent = 0.0};
    return shape != NULL ? create(def, found, shape) : ABUT_ERROR_INVALID_ARGUMENT;
}
