/* abut_shape_create_polytope: a convex polytope from its vertices and faces. The arguments are checked here, the surface in build/build.c. */

#include <limits.h>
#include <math.h>

#include "base/argument.h"
#include "base/memory.h"
#include "shape/build/build.h"
#include "shape/build/dent.h"
#include "shape/lifecycle.h"
#include "shape/shape.h"

static const double default_tolerance = 1e-9;

static bool lacks_arrays(const char *call, const abut_polytope_def *def) {
    return argument_is_null(call, "def->vertices", def->vertices) || argument_is_null(call, "def->face_sizes", def->face_sizes) ||
           argument_is_null(call, "def->face_vertices", def->face_vertices) ||
           argument_is_below(call, "def->vertex_count", def->vertex_count, 4) ||
           argument_is_below(call, "def->face_count", def->face_count, 4);
}

static abut_status check_arguments(const char *call, const abut_polytope_def *def, abut_polytope_report *report) {
    if (argument_is_null(call, "def", def) || lacks_arrays(call, def) || argument_is_negative(call, "def->tolerance", def->tolerance) ||
        argument_is_not_finite(call, "def->tolerance", def->tolerance)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    for (int32_t v = 0; v < def->vertex_count; v++) {
        if (!abut_vec3_is_finite(def->vertices[v])) {
            report->vertex = v;
            (void)refused_element(call, "def->vertices", v, def->vertices[v]);
            return ABUT_ERROR_NOT_FINITE;
        }
    }
    int32_t corner = 0;
    for (int32_t f = 0; f < def->face_count; f++) {
        report->face = f;
        if (def->face_sizes[f] < 3 || def->face_sizes[f] > INT32_MAX / 4 - corner) {
            return refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "def->face_sizes[%d] is %d: it must be at least 3", (int)f,
                          (int)def->face_sizes[f]);
        }
        for (int32_t i = 0; i < def->face_sizes[f]; i++, corner++) {
            if (def->face_vertices[corner] < 0 || def->face_vertices[corner] >= def->vertex_count) {
                report->vertex = def->face_vertices[corner];
                return refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "def->face_vertices[%d] is %d: it must be an index of %d vertices",
                              (int)corner, (int)def->face_vertices[corner], (int)def->vertex_count);
            }
        }
    }
    report->face = -1;
    return ABUT_OK;
}

/* What is wrong with the surface: the report names the place. */
static abut_status refuse_surface(const char *call, abut_status status, const abut_polytope_report *report) {
    if (status == ABUT_ERROR_OUT_OF_MEMORY) {
        return status;
    }
    return refuse(status, call, "def: %s (face %d, vertex %d, dent %.9g)", abut_status_message(status), (int)report->face,
                  (int)report->vertex, report->dent);
}

static abut_status create(const char *call, const abut_polytope_def *def, abut_polytope_report *report, abut_shape **shape) {
    abut_status status = check_arguments(call, def, report);
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
    if (status == ABUT_ERROR_NOT_CONVEX && build_find_dent(&source, report) == ABUT_ERROR_OUT_OF_MEMORY) {
        status = ABUT_ERROR_OUT_OF_MEMORY;
    }
    memory_release(first);
    if (status != ABUT_OK) {
        shape_free(made);
        return refuse_surface(call, status, report);
    }
    return shape_publish_polytope(call, made, shape);
}

abut_status abut_shape_create_polytope(const abut_polytope_def *def, abut_polytope_report *report, abut_shape **shape) {
    abut_polytope_report unread;
    abut_polytope_report *found = report != NULL ? report : &unread;
    *found = (abut_polytope_report){.face = -1, .vertex = -1, .dent = 0.0};
    return argument_is_null(CALL_NAME, "shape", shape) ? ABUT_ERROR_INVALID_ARGUMENT : create(CALL_NAME, def, found, shape);
}
