#include "narrow/normal/feature_overlap.h"

#include "base/memory.h"
#include "narrow/normal/feature.h"

void contact_plane_set(contact_plane *plane, double x, double y, double z) {
    abut_vec3 first, second;
    abut_tangent_frame(abut_vec3_make(x, y, z), &first, &second);
    plane->normal = abut_vec3_make(x, y, z);
    plane->first = abut_vec3_make(first.x, first.y, first.z);
    plane->second = abut_vec3_make(second.x, second.y, second.z);
}

contact_plane contact_plane_of(abut_vec3 normal) {
    contact_plane plane;
    contact_plane_set(&plane, normal.x, normal.y, normal.z);
    return plane;
}

bool overlap_scratch_take(overlap_scratch *scratch, int32_t corners) {
    scratch->corner = scratch->few_corners;
    scratch->point = scratch->few_points;
    scratch->spare = scratch->few_spares;
    scratch->block = NULL;
    if (corners <= OVERLAP_FEW_CORNERS) {
        return true;
    }
    size_t n = (size_t)corners;
    scratch->block = memory_allocate(n, sizeof(planar_corner) + 2 * sizeof(planar_point));
    if (scratch->block == NULL) {
        return false;
    }
    scratch->point = scratch->block;
    scratch->spare = scratch->point + n;
    scratch->corner = (planar_corner *)(scratch->spare + n);
    return true;
}

void overlap_scratch_release(overlap_scratch *scratch) { memory_release(scratch->block); }

/* ---- projection ---- */

int32_t feature_corner_count(const convex *body, abut_feature feature) {
    if (feature.kind == ABUT_FEATURE_FACE) {
        return body->surface->face[feature.index].count;
    }
    return feature.kind == ABUT_FEATURE_EDGE ? 2 : 1;
}

static planar_corner project(const contact_plane *plane, abut_vec3 point, int32_t vertex, int32_t edge) {
    return (planar_corner){abut_dot(plane->first, point), abut_dot(plane->second, point), vertex, edge};
}

static void project_face(const contact_plane *plane, const convex *body, int32_t face, bool backwards, planar_corner *corner) {
    const polytope *surface = body->surface;
    const polytope_corner *loop = &surface->corner[surface->face[face].first];
    int32_t n = surface->face[face].count;
    for (int32_t i = 0; i < n; ++i) {
        int32_t at = backwards ? n - 1 - i : i;
        int32_t leaving = backwards ? (at + n - 1) % n : at;
        abut_vec3 point = convex_to_pair(body, convex_vertex(body, loop[at].vertex));
        corner[i] = project(plane, point, loop[at].vertex, loop[leaving].edge);
    }
}

void feature_project(const contact_plane *plane, const convex *body, abut_feature feature, abut_vec3 outward, bool backwards,
                     planar_corner *corner) {
    int32_t index = feature.index;
    if (feature.kind == ABUT_FEATURE_FACE) {
        project_face(plane, body, index, backwards, corner);
    } else if (feature.kind == ABUT_FEATURE_EDGE) {
        int32_t first = body->core == CORE_POLYTOPE ? body->surface->edges[index].vertex[0] : 0;
        int32_t second = body->core == CORE_POLYTOPE ? body->surface->edges[index].vertex[1] : 1;
        corner[0] = project(plane, convex_to_pair(body, convex_vertex(body, first)), first, index);
        corner[1] = project(plane, convex_to_pair(body, convex_vertex(body, second)), second, index);
    } else {
        corner[0] = project(plane, convex_point(body, index, outward), index, -1);
    }
}

/* ---- one point ---- */

bool feature_vertex_on_face(const convex *faced, int32_t face, abut_vec3 along, abut_vec3 vertex, double weld, abut_vec3 *on_face) {
    abut_vec3 normal = feature_local_normal(faced, face), p = convex_to_local(faced, vertex), way = convex_direction_to_local(faced, along);
    double t = (convex_face_offset(faced, face) - abut_dot(normal, p)) / abut_dot(normal, way);
    *on_face = abut_add_scaled(vertex, t, along);
    return feature_is_inside_face(faced, face, abut_add_scaled(p, t, way), weld);
}

bool feature_edges_cross(const convex *a, int32_t edge_a, const convex *b, int32_t edge_b, abut_vec3 direction, double weld,
                         double parallel, abut_vec3 *on_a, abut_vec3 *on_b) {
    abut_vec3 p[2], q[2];
    feature_edge(a, edge_a, p);
    feature_edge(b, edge_b, q);
    abut_vec3 u = abut_sub(p[1], p[0]), v = abut_sub(q[1], q[0]), w = abut_sub(q[0], p[0]);
    double across = abut_dot(abut_cross(u, v), direction), uu = abut_length_squared(u), vv = abut_length_squared(v);
    if (across * across <= parallel * parallel * uu * vv) {
        return false;
    }
    double s = abut_dot(abut_cross(w, v), direction) / across, t = abut_dot(abut_cross(w, u), direction) / across;
    double room_s = s < 0.5 ? s : 1.0 - s, room_t = t < 0.5 ? t : 1.0 - t;
    if (room_s <= 0.0 || room_t <= 0.0 || room_s * room_s * uu <= weld * weld || room_t * room_t * vv <= weld * weld) {
        return false;
    }
    *on_a = abut_add_scaled(p[0], s, u);
    *on_b = abut_add_scaled(q[0], t, v);
    return true;
}

/* A vertex of a point, segment or smooth core, as spheres and the ends of capsules have. */
static bool is_point(const convex *body, abut_feature feature) {
    return body->core != CORE_POLYTOPE && feature.kind == ABUT_FEATURE_VERTEX;
}

bool feature_crossing(const convex *a, abut_feature fa, const convex *b, abut_feature fb, abut_vec3 direction, double weld,
                      double feature_sine, abut_vec3 *on_a, abut_vec3 *on_b) {
    abut_vec3 towards_a = abut_neg(direction);
    if (fa.kind == ABUT_FEATURE_VERTEX && fb.kind == ABUT_FEATURE_FACE) {
        *on_a = convex_point(a, fa.index, direction);
        return feature_vertex_on_face(b, fb.index, towards_a, *on_a, weld, on_b);
    }
    if (fa.kind == ABUT_FEATURE_FACE && fb.kind == ABUT_FEATURE_VERTEX) {
        *on_b = convex_point(b, fb.index, towards_a);
        return feature_vertex_on_face(a, fa.index, direction, *on_b, weld, on_a);
    }
    if (fa.kind == ABUT_FEATURE_EDGE && fb.kind == ABUT_FEATURE_EDGE) {
        double sine = feature_sine > FEATURE_EXACT_SINE ? feature_sine : FEATURE_EXACT_SINE;
        return feature_edges_cross(a, fa.index, b, fb.index, direction, weld, sine, on_a, on_b);
    }
    if (is_point(a, fa) && is_point(b, fb)) {
        *on_a = convex_point(a, fa.index, direction);
        *on_b = convex_point(b, fb.index, towards_a);
        return true;
    }
    return false;
}

/* ---- any two features ---- */

bool features_overlap(const convex *a, const convex *b, const contact_normal *normal) {
    abut_vec3 on_a, on_b;
    if (normal->extreme &&
        feature_crossing(a, normal->feature_a, b, normal->feature_b, normal->direction, 0.0, FEATURE_EXACT_SINE, &on_a, &on_b)) {
        return true;
    }
    contact_plane plane = contact_plane_of(abut_neg(normal->direction));
    abut_feature fa = feature_pick(a, normal->direction, FEATURE_EXACT_SINE), fb = feature_pick(b, plane.normal, FEATURE_EXACT_SINE);
    overlap_scratch scratch;
    planar_figure figure_a = {.count = feature_corner_count(a, fa)}, figure_b = {.count = feature_corner_count(b, fb)};
    if (!overlap_scratch_take(&scratch, planar_capacity(figure_a, figure_b))) {
        return true;
    }
    figure_a.corner = scratch.corner;
    figure_b.corner = scratch.corner + figure_a.count;
    feature_project(&plane, a, fa, normal->direction, true, scratch.corner);
    feature_project(&plane, b, fb, plane.normal, false, scratch.corner + figure_a.count);
    int32_t count = planar_intersect(figure_a, figure_b, 1e-9 * (a->size + b->size), FEATURE_EXACT_SINE, scratch.point, scratch.spare);
    overlap_scratch_release(&scratch);
    return count > 0;
}
