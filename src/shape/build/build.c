/*
 * Builds a polytope from the faces of a closed surface; see the header.
 *
 * 1. Points at the same place become one. The surface must be closed and wound outward.
 *
 * 2. Coplanar neighbours are merged. The tolerance starts at rounding error and grows, as far as the caller allows, until no vertex lies farther than the
 * tolerance beyond a merged face. Noise in the coordinates of a flat side is a reason to merge; the small angles of a fine tessellation are not.
 *
 * 3. The result is checked as a whole: no vertex lies beyond any face, and the faces seen from inside cover the sphere exactly once. For closed loops this
 * proves convexity, whatever the surface was before.
 *
 * Everything is computed in a local frame of size 1 to 2. The vertices of the result are the caller's, bit for bit.
 */

#include "shape/build/build.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/real.h"
#include "geom/area.h"
#include "geom/point_tree.h"
#include "shape/bounds.h"
#include "shape/build/coplanar.h"
#include "shape/build/outline.h"
#include "shape/build/repeated.h"
#include "shape/shape.h"

/* The distance from a plane within which points count as coplanar, relative to the least width of the polytope. */
static const double merge_tolerance = 1e-9;

typedef struct build {
    const build_source *source;
    build_frame frame;
    abut_vec3 *local;
    int32_t *used; /* vertices that faces use, in ascending order */
    int32_t used_count;
    int32_t *map; /* [vertex_count] scratch */
    loops faces;
    corners neighbours;
    int32_t *region, *seed;
    build_span span;
    double base, limit; /* the smallest and the largest tolerance for merging, local */
    double allowed;     /* the largest dent, local */
    point_tree tree;
} build;

bool build_make_frame(abut_aabb bounds, build_frame *frame) {
    double extent = bounds_extent(bounds);
    if (!isnormal(extent * extent * extent * extent * extent)) {
        return false;
    }
    frame->centre = abut_lerp(bounds.lower, bounds.upper, 0.5);
    frame->scale = ldexp(1.0, -ilogb(extent));
    abut_vec3 l = bounds.lower, u = bounds.upper;
    double farthest = real_max_number(real_max_number(real_max_number(fabs(l.x), fabs(u.x)), real_max_number(fabs(l.y), fabs(u.y))),
                                      real_max_number(fabs(l.z), fabs(u.z)));
    frame->rounding = 16.0 * DBL_EPSILON * farthest * frame->scale;
    return true;
}

/* The point whose vector from `base` is longest after its components along the axes are removed. */
static abut_vec3 farthest_off(const abut_vec3 *local, const int32_t *indices, int32_t count, abut_vec3 base, const abut_vec3 *axis,
                              int axes) {
    abut_vec3 farthest = {0, 0, 0};
    double largest = -1.0;
    for (int32_t i = 0; i < count; i++) {
        abut_vec3 arm = abut_sub(local[indices != NULL ? indices[i] : i], base);
        for (int k = 0; k < axes; k++) {
            arm = abut_add_scaled(arm, -abut_dot(arm, axis[k]), axis[k]);
        }
        if (abut_length_squared(arm) > largest) {
            largest = abut_length_squared(arm);
            farthest = arm;
        }
    }
    return farthest;
}

build_span build_find_span(const abut_vec3 *local, const int32_t *indices, int32_t count) {
    build_span span = {0};
    abut_vec3 origin = {0, 0, 0}, base = farthest_off(local, indices, count, origin, NULL, 0);
    for (int k = 0; k < 3; k++) {
        abut_vec3 arm = farthest_off(local, indices, count, base, span.axis, k);
        span.extent[k] = abut_length(arm);
        span.axis[k] = abut_unit(arm);
        if (k == 2) {
            /* The remaining vector may be mostly rounding error, so it is made orthogonal to both other axes again. */
            abut_vec3 normal = abut_unit(abut_cross(span.axis[0], span.axis[1]));
            span.extent[2] = fabs(abut_dot(arm, normal));
            span.axis[2] = normal;
        }
    }
    return span;
}

bool build_is_flat(build_frame frame, const build_span *span) { return !(span->extent[2] > 4.0 * frame.rounding); }

/* ---- 1. the surface as it came */

static void mark_used(build *b) {
    const build_source *source = b->source;
    for (int32_t c = 0; c < source->face_first[source->face_count]; c++) {
        b->map[source->face_vertices[c]] = 1;
    }
    for (int32_t v = 0; v < source->vertex_count; v++) {
        if (b->map[v] != 0) {
            b->used[b->used_count++] = v;
        }
    }
}

static abut_status place_locally(build *b) {
    abut_aabb bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int32_t i = 0; i < b->used_count; i++) {
        abut_vec3 p = b->source->vertices[b->used[i]];
        bounds = bounds_join(bounds, (abut_aabb){p, p});
    }
    if (!(bounds_extent(bounds) > 0.0)) {
        return ABUT_ERROR_DEGENERATE;
    }
    if (!build_make_frame(bounds, &b->frame)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    for (int32_t v = 0; v < b->source->vertex_count; v++) {
        b->local[v] = build_to_local(b->frame, b->source->vertices[v]);
    }
    double extent = bounds_extent(bounds) * b->frame.scale;
    b->limit = real_max_number(b->source->tolerance * extent, b->frame.rounding);
    b->allowed = real_max_number(b->source->tolerance * extent, 4.0 * b->frame.rounding);
    return ABUT_OK;
}

/* map: every used vertex to the lowest one at exactly the same place. */
static abut_status map_repeated(build *b) {
    return repeated_map(b->source->vertices, b->used, b->used_count, b->map) ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
}

static abut_status copy_faces(build *b) {
    const build_source *source = b->source;
    int32_t corner_count = source->face_first[source->face_count];
    abut_status status = loops_allocate(&b->faces, source->face_count, corner_count);
    if (status != ABUT_OK) {
        return status;
    }
    b->faces.face_count = source->face_count;
    for (int32_t f = 0; f < source->face_count; f++) {
        b->faces.first[f + 1] = source->face_first[f + 1];
        b->faces.origin[f] = f;
    }
    for (int32_t c = 0; c < corner_count; c++) {
        b->faces.vertex[c] = source->face_vertices[c];
    }
    return ABUT_OK;
}

static int32_t face_of_corner(const loops *faces, int32_t corner) {
    int32_t f = 0;
    while (faces->first[f + 1] <= corner) {
        f++;
    }
    return f;
}

/* Six times the signed volume, by tetrahedra from the local origin. */
static double signed_volume(const build *b) {
    double sum = 0.0;
    for (int32_t f = 0; f < b->faces.face_count; f++) {
        const int32_t *loop = b->faces.vertex + b->faces.first[f];
        abut_vec3 p = b->local[loop[0]];
        for (int32_t i = 2; i < b->faces.first[f + 1] - b->faces.first[f]; i++) {
            abut_vec3 q = b->local[loop[i - 1]], r = b->local[loop[i]];
            sum += abut_dot(p, triangle_area(p, q, r));
        }
    }
    return sum;
}

static abut_status take_surface(build *b, abut_polytope_report *report) {
    mark_used(b);
    abut_status status = place_locally(b);
    if (status == ABUT_OK) {
        status = map_repeated(b);
    }
    if (status == ABUT_OK) {
        status = copy_faces(b);
    }
    if (status != ABUT_OK) {
        return status;
    }
    loops_replace(&b->faces, b->map);
    if (b->faces.face_count == 0) {
        return ABUT_ERROR_DEGENERATE;
    }
    int32_t culprit = -1;
    status = corners_make(&b->neighbours, &b->faces, b->source->vertex_count, &culprit);
    if (status == ABUT_ERROR_NOT_CLOSED) {
        report->face = b->faces.origin[face_of_corner(&b->faces, culprit)];
        report->vertex = b->faces.vertex[culprit];
    }
    if (status != ABUT_OK) {
        return status;
    }
    b->span = build_find_span(b->local, b->used, b->used_count);
    if (build_is_flat(b->frame, &b->span)) {
        return ABUT_ERROR_DEGENERATE;
    }
    b->base = real_min_number(real_max_number(merge_tolerance * b->span.extent[2], b->frame.rounding), b->limit);
    if (signed_volume(b) < 0.0) {
        report->face = 0;
        return ABUT_ERROR_NOT_OUTWARD;
    }
    return ABUT_OK;
}

/* ---- 2. merged faces */

static int32_t root_of(int32_t *map, int32_t v) {
    while (map[v] != v) {
        map[v] = map[map[v]];
        v = map[v];
    }
    return v;
}

/* map: the ends of edges no longer than the least tolerance to the lowest of them. Returns whether there are any. */
static bool map_tiny_edges(build *b, const loops *faces) {
    bool any = false;
    for (int32_t i = 0; i < b->used_count; i++) {
        b->map[b->used[i]] = b->used[i];
    }
    for (int32_t f = 0; f < faces->face_count; f++) {
        int32_t last = faces->vertex[faces->first[f + 1] - 1];
        for (int32_t c = faces->first[f]; c < faces->first[f + 1]; c++) {
            int32_t v = faces->vertex[c];
            if (abut_distance_between(b->local[last], b->local[v]) <= b->base) {
                int32_t p = root_of(b->map, last), q = root_of(b->map, v);
                b->map[p > q ? p : q] = p > q ? q : p;
                any = true;
            }
            last = v;
        }
    }
    for (int32_t i = 0; any && i < b->used_count; i++) {
        b->map[b->used[i]] = root_of(b->map, b->used[i]);
    }
    return any;
}

static abut_status fill_surface(build *b, const loops *faces, polytope *surface) {
    for (int32_t i = 0; i < b->used_count; i++) {
        b->map[b->used[i]] = -1;
    }
    int32_t corner_count = faces->first[faces->face_count], vertex_count = 0;
    for (int32_t c = 0; c < corner_count; c++) {
        b->map[faces->vertex[c]] = 0;
    }
    for (int32_t i = 0; i < b->used_count; i++) {
        if (b->map[b->used[i]] == 0) {
            b->map[b->used[i]] = vertex_count++;
        }
    }
    if (faces->face_count < 4 || vertex_count < 4) {
        return ABUT_ERROR_NOT_CLOSED;
    }
    abut_status status = polytope_allocate(surface, vertex_count, faces->face_count, corner_count);
    if (status != ABUT_OK) {
        return status;
    }
    for (int32_t i = 0; i < b->used_count; i++) {
        if (b->map[b->used[i]] >= 0) {
            surface->vertices[b->map[b->used[i]]] = b->source->vertices[b->used[i]];
        }
    }
    for (int32_t f = 0; f < faces->face_count; f++) {
        surface->face_first[f + 1] = faces->first[f + 1];
    }
    for (int32_t c = 0; c < corner_count; c++) {
        surface->face_vertices[c] = b->map[faces->vertex[c]];
    }
    status = polytope_complete(surface);
    if (status != ABUT_OK) {
        polytope_release(surface);
    }
    return status;
}

/* Merges within the tolerance. Returns ABUT_ERROR_NOT_CLOSED when the result is no polytope, because the tolerance is as large as the noise. */
static abut_status merge_faces(build *b, double tolerance, polytope *surface) {
    int32_t region_count = 0;
    abut_status status = coplanar_regions(b->local, &b->faces, &b->neighbours, tolerance, b->region, b->seed, &region_count);
    loops merged = {0};
    if (status == ABUT_OK) {
        status = loops_outline(&b->faces, &b->neighbours, b->region, &merged);
    }
    if (status != ABUT_OK) {
        return status;
    }
    loops_straighten(&merged, b->source->vertex_count, b->map);
    bool tiny = map_tiny_edges(b, &merged);
    if (tiny) {
        loops_replace(&merged, b->map);
        loops_straighten(&merged, b->source->vertex_count, b->map);
    }
    status = fill_surface(b, &merged, surface);
    for (int32_t r = 0; r < region_count; r++) {
        b->seed[r] = -1; /* from here on: the region's face */
    }
    for (int32_t f = 0; f < merged.face_count; f++) {
        b->seed[merged.origin[f]] = f;
    }
    loops_release(&merged);
    return status;
}

/* ---- 3. checks */

/* The largest distance of a vertex beyond a face's plane, or of a face's own vertices from its plane. */
static double surface_dent(build *b, const polytope *surface) {
    double dent = 0.0;
    for (int32_t f = 0; f < surface->face_count; f++) {
        double lowest = INFINITY, highest = -INFINITY, height;
        for (int32_t c = surface->face_first[f]; c < surface->face_first[f + 1]; c++) {
            abut_vec3 p = build_to_local(b->frame, surface->vertices[surface->face_vertices[c]]);
            double h = abut_dot(surface->normals[f], p);
            lowest = real_min_number(lowest, h);
            highest = real_max_number(highest, h);
        }
        point_tree_farthest(&b->tree, surface->normals[f], highest, &height);
        dent = real_max_number(dent, real_max_number(height - highest, highest - lowest));
    }
    return dent;
}

/* The same for the faces merged as little as possible, with the face and vertex at fault, for the report about a refused surface. Returns
 * ABUT_ERROR_NOT_CONVEX or ABUT_ERROR_OUT_OF_MEMORY. */
static abut_status blame(build *b, abut_polytope_report *report) {
    int32_t region_count = 0;
    abut_status status = coplanar_regions(b->local, &b->faces, &b->neighbours, b->base, b->region, b->seed, &region_count);
    if (status != ABUT_OK) {
        return status;
    }
    for (int32_t r = 0; r < region_count; r++) {
        const int32_t *loop = b->faces.vertex + b->faces.first[b->seed[r]];
        int32_t count = b->faces.first[b->seed[r] + 1] - b->faces.first[b->seed[r]];
        abut_vec3 area = {0, 0, 0};
        for (int32_t i = 2; i < count; i++) {
            area = abut_add(area, triangle_area(b->local[loop[0]], b->local[loop[i - 1]], b->local[loop[i]]));
        }
        abut_vec3 normal = abut_unit(area);
        double lowest = INFINITY, highest = -INFINITY, height;
        int32_t low = loop[0];
        for (int32_t i = 0; i < count; i++) {
            double h = abut_dot(normal, b->local[loop[i]]);
            low = h < lowest ? loop[i] : low;
            lowest = real_min_number(lowest, h);
            highest = real_max_number(highest, h);
        }
        int32_t vertex = point_tree_farthest(&b->tree, normal, highest, &height);
        double beyond = height - highest, within = highest - lowest, dent = real_max_number(beyond, within) / b->frame.scale;
        if (dent > report->dent) {
            *report = (abut_polytope_report){b->faces.origin[b->seed[r]], beyond >= within ? vertex : low, dent};
        }
    }
    return ABUT_ERROR_NOT_CONVEX;
}

/* The solid angle of the triangle (a, b, c) seen from the origin, signed (Van Oosterom and Strackee 1983). */
static double solid_angle(abut_vec3 a, abut_vec3 b, abut_vec3 c) {
    double la = abut_length(a), lb = abut_length(b), lc = abut_length(c);
    double volume = abut_dot(a, triangle_area(a, b, c));
    return 2.0 * elementary_atan2(volume, la * lb * lc + abut_dot(a, b) * lc + abut_dot(b, c) * la + abut_dot(c, a) * lb);
}

static abut_vec3 even_arm(const build *b, abut_vec3 from, abut_vec3 to) {
    return build_even(&b->span, abut_scale(b->frame.scale, abut_sub(to, from)));
}

/* Whether the faces, seen from a point inside, cover the sphere exactly once. */
static bool covers_once(const build *b, const polytope *surface) {
    double sum = 0.0, sphere = 4.0 * REAL_PI;
    abut_vec3 inside = polytope_mean_vertex(surface);
    for (int32_t f = 0; f < surface->face_count; f++) {
        const int32_t *loop = surface->face_vertices + surface->face_first[f];
        abut_vec3 p = even_arm(b, inside, surface->vertices[loop[0]]), q = even_arm(b, inside, surface->vertices[loop[1]]);
        for (int32_t i = 2; i < surface->face_first[f + 1] - surface->face_first[f]; i++) {
            abut_vec3 r = even_arm(b, inside, surface->vertices[loop[i]]);
            sum += solid_angle(p, q, r);
            q = r;
        }
    }
    return fabs(sum - sphere) < 0.1 * sphere;
}

/* Writes where the faces and vertices of the surface that was just merged come from. */
static void tell_origin(const build *b, build_origin *origin) {
    for (int32_t f = 0; f < b->source->face_count; f++) {
        origin->face[f] = -1;
    }
    for (int32_t f = 0; f < b->faces.face_count; f++) {
        origin->face[b->faces.origin[f]] = b->seed[b->region[f]];
    }
    for (int32_t i = 0; i < b->used_count; i++) {
        if (b->map[b->used[i]] >= 0) {
            origin->vertex[b->map[b->used[i]]] = b->used[i];
        }
    }
}

/* Merges within the tolerance and keeps the result when its dent is the smallest so far. Returns ABUT_OK or ABUT_ERROR_OUT_OF_MEMORY. */
static abut_status try_tolerance(build *b, double tolerance, polytope *best, double *dent) {
    polytope trial = {0};
    abut_status status = merge_faces(b, tolerance, &trial);
    if (status == ABUT_ERROR_OUT_OF_MEMORY) {
        return status;
    }
    double found = status == ABUT_OK && covers_once(b, &trial) ? surface_dent(b, &trial) : INFINITY;
    if (!(found < *dent)) {
        polytope_release(&trial);
        return ABUT_OK;
    }
    polytope_release(best);
    *best = trial;
    *dent = found;
    if (b->source->origin != NULL) {
        tell_origin(b, b->source->origin);
    }
    return ABUT_OK;
}

/* Finds the surface with the smallest dent over all tolerances. Stops at the first one whose dent is within its own tolerance. Noise as large as the tolerance
 * can make a merged face lean so far that vertices lie beyond it; if no surface is good enough, less is merged. */
static abut_status merge_best(build *b, polytope *best, double *dent) {
    *dent = INFINITY;
    abut_status status = try_tolerance(b, b->base, best, dent);
    for (double tolerance = b->base; status == ABUT_OK && *dent > tolerance && tolerance < b->limit;) {
        tolerance = real_min_number(4.0 * tolerance, b->limit);
        status = try_tolerance(b, tolerance, best, dent);
    }
    for (double tolerance = b->base; status == ABUT_OK && *dent > b->allowed && tolerance > b->frame.rounding;) {
        tolerance = real_max_number(0.25 * tolerance, b->frame.rounding);
        status = try_tolerance(b, tolerance, best, dent);
    }
    if (status != ABUT_OK) {
        return status;
    }
    return *dent <= b->allowed ? ABUT_OK : ABUT_ERROR_NOT_CONVEX;
}

static abut_status make_surface(build *b, polytope *surface, abut_mass *unit_mass, double *dent) {
    const int32_t *subset = b->source->all_inside ? NULL : b->used;
    abut_status status = point_tree_make(&b->tree, b->local, subset, subset == NULL ? b->source->vertex_count : b->used_count);
    polytope best = {0};
    if (status == ABUT_OK) {
        status = merge_best(b, &best, dent);
    }
    if (status == ABUT_OK) {
        status = polytope_measure(&best, unit_mass);
    }
    if (status == ABUT_OK && !(best.centroid_inradius > 0.0)) {
        status = ABUT_ERROR_NOT_CONVEX;
    }
    if (status != ABUT_OK) {
        polytope_release(&best);
        return status;
    }
    *surface = best;
    return ABUT_OK;
}

static abut_status reserve(build *b) {
    size_t vertices = (size_t)b->source->vertex_count, faces = (size_t)b->source->face_count;
    b->local = memory_allocate(vertices, sizeof *b->local);
    b->used = memory_allocate(vertices, sizeof *b->used);
    b->map = memory_allocate(vertices, sizeof *b->map);
    b->region = memory_allocate(faces, sizeof *b->region);
    b->seed = memory_allocate(faces, sizeof *b->seed);
    bool ready = b->local != NULL && b->used != NULL && b->map != NULL && b->region != NULL && b->seed != NULL;
    return ready ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
}

static void release(build *b) {
    memory_release(b->local);
    memory_release(b->used);
    memory_release(b->map);
    memory_release(b->region);
    memory_release(b->seed);
    loops_release(&b->faces);
    corners_release(&b->neighbours);
    point_tree_release(&b->tree);
}

abut_status build_polytope(const build_source *source, abut_polytope_report *report, polytope *surface, abut_mass *unit_mass) {
    build b = {.source = source};
    *report = (abut_polytope_report){.face = -1, .vertex = -1, .dent = 0.0};
    abut_status status = reserve(&b);
    if (status == ABUT_OK) {
        status = take_surface(&b, report);
    }
    if (status == ABUT_OK) {
        double dent = 0.0;
        status = make_surface(&b, surface, unit_mass, &dent);
        if (status == ABUT_OK) {
            report->dent = dent / b.frame.scale;
        } else if (status == ABUT_ERROR_NOT_CONVEX) {
            status = blame(&b, report);
        }
    }
    release(&b);
    return status;
}
