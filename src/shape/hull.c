/*
 * Convex hull of a point cloud by qhull (Barber, Dobkin, Huhdanpaa 1996), reentrant.
 *
 * qhull gets the points in a local frame of size 1 to 2, so neither their unit nor their distance from the origin matters. From its result
 * we take only which points make which facets. The facets are merged and checked like those of any other polytope, and every point must lie
 * inside.
 */

#include <math.h>

#include "base/argument.h"
#include "base/memory.h"
#include "base/real.h"
#include "geom/area.h"
#include "shape/bounds.h"
#include "shape/build/build.h"
#include "shape/lifecycle.h"
#include "shape/shape.h"

#ifdef ABUT_WITH_HULL

#include <libqhull_r/libqhull_r.h>
#include <limits.h>
#include <stdio.h>

/* The largest distance of a point outside the hull, relative to the hull's largest extent. */
static const double hull_tolerance = 1e-9;

typedef struct triangles {
    int32_t *first; /* 0, 3, 6, ... */
    int32_t *vertex;
    int32_t count;
} triangles;

static void release_triangles(triangles *made) {
    memory_release(made->first);
    memory_release(made->vertex);
    *made = (triangles){0};
}

/* qhull can only write messages to a stream; this stream discards them. */
static FILE *open_nowhere(void) {
#ifdef _WIN32
    FILE *nowhere = fopen("NUL", "w");
#else
    FILE *nowhere = fopen("/dev/null", "w");
#endif
    return nowhere != NULL ? nowhere : tmpfile();
}

/* The facets of a finished run. qhull keeps the orientation of a facet in a flag. The sign of the volume decides later what the flag means. */
static abut_status read_facets(qhT *qh, triangles *made) {
    const facetT *facet;
    int32_t count = 0;
    FORALLfacets { count++; }
    made->first = memory_allocate((size_t)count + 1, sizeof *made->first);
    made->vertex = memory_allocate((size_t)count * 3, sizeof *made->vertex);
    if (made->first == NULL || made->vertex == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    FORALLfacets {
        int32_t *corner = made->vertex + 3 * made->count;
        for (int i = 0; i < 3; i++) {
            const vertexT *vertex = facet->vertices != NULL ? SETelemt_(facet->vertices, i, vertexT) : NULL;
            if (vertex == NULL) {
                return ABUT_ERROR_INTERNAL;
            }
            corner[facet->toporient ? i : 2 - i] = (int32_t)((vertex->point - qh->first_point) / 3);
        }
        made->count++;
        made->first[made->count] = 3 * made->count;
    }
    return ABUT_OK;
}

static abut_status status_of_exit(int code) {
    switch (code) {
    case qh_ERRnone:
        return ABUT_OK;
    case qh_ERRmem:
        return ABUT_ERROR_OUT_OF_MEMORY;
    default:
        return ABUT_ERROR_INTERNAL;
    }
}

/* If the result is not ABUT_OK, *made holds nothing. */
static abut_status run_qhull(const abut_vec3 *local, int32_t count, const char *options, triangles *made) {
    *made = (triangles){0};
    double *points = memory_allocate((size_t)count * 3, sizeof *points);
    char *command = memory_allocate(64, 1);
    qhT *qh = memory_allocate(1, sizeof *qh);
    FILE *nowhere = open_nowhere();
    abut_status status = ABUT_ERROR_OUT_OF_MEMORY;
    if (points != NULL && command != NULL && qh != NULL && nowhere != NULL) {
        for (int32_t i = 0; i < count; i++) {
            points[3 * i] = local[i].x;
            points[3 * i + 1] = local[i].y;
            points[3 * i + 2] = local[i].z;
        }
        snprintf(command, 64, "%s", options);
        qh_zero(qh, nowhere);
        status = status_of_exit(qh_new_qhull(qh, 3, count, points, False, command, NULL, nowhere));
        if (status == ABUT_OK) {
            status = read_facets(qh, made);
        }
        int left, blocks;
        qh_freeqhull(qh, !qh_ALL);
        qh_memfreeshort(qh, &left, &blocks);
    }
    if (nowhere != NULL) {
        fclose(nowhere);
    }
    memory_release(points);
    memory_release(command);
    memory_release(qh);
    if (status != ABUT_OK) {
        release_triangles(made);
    }
    return status;
}

static void wind_outward(const abut_vec3 *local, triangles *made) {
    double volume = 0.0;
    for (int32_t f = 0; f < made->count; f++) {
        const int32_t *corner = made->vertex + 3 * f;
        abut_vec3 p = local[corner[0]];
        volume += abut_dot(p, triangle_area(p, local[corner[1]], local[corner[2]]));
    }
    for (int32_t f = 0; f < made->count && volume < 0.0; f++) {
        int32_t *corner = made->vertex + 3 * f, t = corner[0];
        corner[0] = corner[2];
        corner[2] = t;
    }
}

/* qhull's tolerances suit thick bodies, so plates and needles are stretched first. */
static void stretch_if_thin(const build_span *span, abut_vec3 *local, int32_t count) {
    const double fat = 1e-2;
    abut_vec3 base = local[0];
    for (int32_t i = 0; i < count && span->extent[2] < fat; i++) {
        local[i] = build_even(span, abut_sub(local[i], base));
    }
}

static abut_status try_hull(const abut_vec3 *points, const abut_vec3 *even, int32_t count, const char *options, double tolerance,
                            polytope *surface, abut_mass *unit_mass) {
    triangles made;
    abut_status status = run_qhull(even, count, options, &made);
    if (status != ABUT_OK) {
        return status;
    }
    wind_outward(even, &made);
    build_source source = {.vertices = points,
                           .vertex_count = count,
                           .face_first = made.first,
                           .face_vertices = made.vertex,
                           .face_count = made.count,
                           .tolerance = tolerance,
                           .all_inside = true};
    abut_polytope_report report;
    status = build_polytope(&source, &report, surface, unit_mass);
    release_triangles(&made);
    return status;
}

/* First without qhull's merging, which takes quadratic time for many points on a circle. That is good enough if the result is convex within
 * rounding error. Otherwise with merging, and finally with points that qhull perturbs a little to avoid ties. */
static abut_status make_hull(const abut_vec3 *points, const abut_vec3 *even, int32_t count, double flatness, polytope *surface,
                             abut_mass *unit_mass) {
    const struct {
        const char *options;
        double tolerance;
    } attempts[] = {{"qhull Q0 Q5 Pp", flatness * hull_tolerance}, {"qhull Qt Q5 Pp", hull_tolerance}, {"qhull QJ Q5 Pp", hull_tolerance}};
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++) {
        abut_status status = try_hull(points, even, count, attempts[i].options, attempts[i].tolerance, surface, unit_mass);
        if (status == ABUT_OK || status == ABUT_ERROR_OUT_OF_MEMORY) {
            return status;
        }
    }
    return ABUT_ERROR_INTERNAL;
}

static abut_status check_points(const char *call, const abut_vec3 *points, int32_t count) {
    if (argument_is_null(call, "points", points) || argument_is_outside(call, "count", count, 4, INT32_MAX / 64)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    for (int32_t i = 0; i < count; i++) {
        if (!abut_vec3_is_finite(points[i])) {
            (void)refused_element(call, "points", i, points[i]);
            return ABUT_ERROR_NOT_FINITE;
        }
    }
    abut_aabb bounds = bounds_of_points(points, count);
    build_frame frame;
    double extent = bounds_extent(bounds);
    if (!(extent > 0.0)) {
        return refuse(ABUT_ERROR_DEGENERATE, call, "points are all at one place");
    }
    return build_make_frame(bounds, &frame)
               ? ABUT_OK
               : refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "points have an extent of %.9g, which is out of range", extent);
}

/* If the thickness is only a few thousand rounding errors of the coordinates, the faces of the hull, and whether it has any, are uncertain.
 * The points are then the reason why no hull was found. */
static bool is_nearly_flat(build_frame frame, const build_span *span) { return span->extent[2] <= 1e4 * frame.rounding; }

static abut_status hull_of(const abut_vec3 *points, abut_vec3 *local, int32_t count, polytope *surface, abut_mass *unit_mass) {
    build_frame frame;
    if (!build_make_frame(bounds_of_points(points, count), &frame)) {
        return ABUT_ERROR_DEGENERATE;
    }
    for (int32_t i = 0; i < count; i++) {
        local[i] = build_to_local(frame, points[i]);
    }
    build_span span = build_find_span(local, NULL, count);
    if (build_is_flat(frame, &span)) {
        return ABUT_ERROR_DEGENERATE;
    }
    stretch_if_thin(&span, local, count);
    abut_status status = make_hull(points, local, count, real_min_number(span.extent[2] / span.extent[0], 1.0), surface, unit_mass);
    return status == ABUT_ERROR_INTERNAL && is_nearly_flat(frame, &span) ? ABUT_ERROR_DEGENERATE : status;
}

abut_status build_hull(const abut_vec3 *points, int32_t count, polytope *surface, abut_mass *unit_mass) {
    abut_vec3 *local = memory_allocate((size_t)count, sizeof *local);
    abut_status status = local != NULL ? hull_of(points, local, count, surface, unit_mass) : ABUT_ERROR_OUT_OF_MEMORY;
    memory_release(local);
    return status;
}

abut_status abut_shape_create_hull(const abut_vec3 *points, int32_t count, abut_shape **shape) {
    abut_status status = argument_is_null(CALL_NAME, "shape", shape) ? ABUT_ERROR_INVALID_ARGUMENT : check_points(CALL_NAME, points, count);
    if (status != ABUT_OK) {
        return status;
    }
    abut_shape *made = shape_allocate(ABUT_SHAPE_POLYTOPE);
    status = made != NULL ? build_hull(points, count, &made->surface, &made->unit_mass) : ABUT_ERROR_OUT_OF_MEMORY;
    if (status != ABUT_OK) {
        shape_free(made);
        return status == ABUT_ERROR_DEGENERATE ? refuse(status, CALL_NAME, "points span no volume beyond rounding") : status;
    }
    return shape_publish_polytope(CALL_NAME, made, shape);
}

#else

abut_status build_hull(const abut_vec3 *points, int32_t count, polytope *surface, abut_mass *unit_mass) {
    (void)points;
    (void)count;
    (void)surface;
    (void)unit_mass;
    return ABUT_ERROR_UNSUPPORTED;
}

abut_status abut_shape_create_hull(const abut_vec3 *points, int32_t count, abut_shape **shape) {
    if (argument_is_null(CALL_NAME, "points", points) || argument_is_below(CALL_NAME, "count", count, 4) ||
        argument_is_null(CALL_NAME, "shape", shape)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    return ABUT_ERROR_UNSUPPORTED;
}

#endif
