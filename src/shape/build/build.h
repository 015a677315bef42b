#pragma once

#include "shape/polytope.h"

/*
 * Makes a polytope from the faces of a closed convex surface as callers have them: triangulated, with slivers, repeated vertices and dents
 * of the size of rounding errors.
 */

/* Which source faces and vertices the faces and vertices of the polytope come from. */
typedef struct build_origin {
    int32_t *face;   /* [face_count of the source] the face of the polytope that holds it; -1 for none */
    int32_t *vertex; /* [vertex_count of the source] by vertex of the polytope: the source's vertex */
} build_origin;

typedef struct build_source {
    const abut_vec3 *vertices; /* finite */
    int32_t vertex_count;
    const int32_t *face_first;    /* [face_count + 1] */
    const int32_t *face_vertices; /* in range, counter-clockwise seen from outside */
    int32_t face_count;
    double tolerance;     /* how far a vertex may lie beyond a face, relative to the largest extent */
    bool all_inside;      /* vertices that no face uses must lie inside as well */
    build_origin *origin; /* written when a surface is made; may be NULL */
} build_source;

/* A frame in which the points have a largest extent between 1 and 2 and lie about the origin: local = scale (point - centre). The scale is a power of two,
 * so that scaling loses no digit. */
typedef struct build_frame {
    abut_vec3 centre;
    double scale;
    double rounding; /* bound of the rounding error of the coordinates, local */
} build_frame;

/* False when the extent is zero, or its fifth power overflows or underflows. */
bool build_make_frame(abut_aabb bounds, build_frame *frame);

static inline abut_vec3 build_to_local(build_frame frame, abut_vec3 point) {
    return abut_scale(frame.scale, abut_sub(point, frame.centre));
}

/* The extents of a set of points, found greedily: along their longest span, then from that line, then from the plane of both. Every extent is a good part of
 * the largest one in its direction, and the last one a good part of the least width. Axes are orthonormal, or zero where the extent is zero. */
typedef struct build_span {
    abut_vec3 axis[3];
    double extent[3];
} build_span;

/* indices may be NULL, which means all points. */
build_span build_find_span(const abut_vec3 *local, const int32_t *indices, int32_t count);

/* The vector between two points along the axes of the span, in units of its extents. In these coordinates plates and needles are as thick as other bodies,
 * and an affine map preserves the faces of a hull. */
static inline abut_vec3 build_even(const build_span *span, abut_vec3 arm) {
    return abut_vec3_make(abut_dot(span->axis[0], arm) / span->extent[0], abut_dot(span->axis[1], arm) / span->extent[1],
                          abut_dot(span->axis[2], arm) / span->extent[2]);
}

/* True when the points span nearly no volume. */
bool build_is_flat(build_frame frame, const build_span *span);

/*
 * Checks the faces, and makes the surface and its mass.
 *
 * The report is written in every case; its length is in the caller's unit. Returns ABUT_OK. Otherwise no surface is made: ABUT_ERROR_INVALID_ARGUMENT for an
 * extent out of range; ABUT_ERROR_NOT_CLOSED; ABUT_ERROR_NOT_OUTWARD; ABUT_ERROR_NOT_CONVEX; ABUT_ERROR_DEGENERATE; ABUT_ERROR_OUT_OF_MEMORY.
 */
abut_status build_polytope(const build_source *source, abut_polytope_report *report, polytope *surface, abut_mass *unit_mass);

/*
 * The surface of the convex hull of finite points, and its mass. Returns ABUT_OK. Otherwise no surface is made: ABUT_ERROR_DEGENERATE; ABUT_ERROR_INTERNAL if
 * no attempt gave a convex surface; ABUT_ERROR_UNSUPPORTED in a build without hulls; ABUT_ERROR_OUT_OF_MEMORY.
 */
abut_status build_hull(const abut_vec3 *points, int32_t count, polytope *surface, abut_mass *unit_mass);
