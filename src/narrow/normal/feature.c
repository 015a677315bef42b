#include "narrow/normal/feature.h"

#include "base/real.h"
#include "geom/closest.h"
#include "narrow/normal/box_features.h"

static int32_t closest_face(const polytope *surface, abut_vec3 direction) { return scan_farthest(&surface->plane_lanes, direction); }

int32_t feature_closest_face(const convex *body, abut_vec3 direction) {
    return closest_face(body->surface, convex_direction_to_local(body, direction));
}

bool feature_is_inside_face(const convex *body, int32_t face, abut_vec3 point, double border) {
    if (body->core == CORE_FRUSTUM) {
        return frustum_rho(point.x, point.y) < body->shape->round.radius[face] - border;
    }
    const polytope *surface = body->surface;
    const polytope_corner *loop = &surface->corner[surface->face[face].first];
    int32_t count = surface->face[face].count;
    abut_vec3 normal = surface->face[face].normal, from = convex_vertex(body, loop[count - 1].vertex);
    for (int32_t i = 0; i < count; ++i) {
        abut_vec3 to = convex_vertex(body, loop[i].vertex), side = abut_sub(to, from);
        double inside = abut_dot(normal, abut_cross(side, abut_sub(point, from)));
        if (inside <= 0.0 || inside * inside <= border * border * abut_length_squared(side)) {
            return false;
        }
        from = to;
    }
    return true;
}

/* Whether the direction lies over the arc between the normals of a spoke's two faces, and within the angle whose sine is given. Then *nearness receives the
 * square of the sine. */
static bool is_near_arc(const convex *body, abut_vec3 along, int32_t left, int32_t right, abut_vec3 direction, double sine,
                        double *nearness) {
    /* The pole of the arc is parallel to the edge. It is better conditioned than the cross product of two close normals. */
    double height = abut_dot(direction, along), square = abut_length_squared(along);
    if (height * height > sine * sine * square) {
        return false;
    }
    *nearness = height * height / square;
    abut_vec3 n1 = body->surface->face[left].normal, n2 = body->surface->face[right].normal;
    return abut_dot(abut_cross(n1, direction), along) >= 0.0 && abut_dot(abut_cross(direction, n2), along) >= 0.0;
}

static bool is_near_face(const polytope_face *face, abut_vec3 direction, double sine) {
    double limit = sine < face->sine ? sine : face->sine;
    return abut_dot(face->normal, direction) > 0.0 && abut_length_squared(abut_cross(face->normal, direction)) <= limit * limit;
}

static int32_t closest_face_at(const polytope *surface, int32_t vertex, abut_vec3 direction) {
    int32_t best = -1;
    double largest = -INFINITY;
    for (int32_t i = surface->vertex_first[vertex]; i < surface->vertex_first[vertex + 1]; ++i) {
        double cosine = abut_dot(surface->face[surface->spoke[i].left].normal, direction);
        if (cosine > largest) {
            largest = cosine;
            best = surface->spoke[i].left;
        }
    }
    return best;
}

/* The direction lies in the support vertex's Gauss cell, so the nearest face is a corner of that cell and the nearest arc is a side of it. */
static abut_feature pick_of_polytope(const convex *body, int32_t support, abut_vec3 direction, double sine) {
    const polytope *surface = body->surface;
    int32_t face = closest_face_at(surface, support, direction), edge = -1;
    if (is_near_face(&surface->face[face], direction, sine)) {
        return (abut_feature){.kind = ABUT_FEATURE_FACE, .index = face};
    }
    double least = INFINITY, nearness;
    abut_vec3 at = convex_vertex(body, support);
    int32_t first = surface->vertex_first[support], last = surface->vertex_first[support + 1] - 1;
    for (int32_t i = first; i <= last; ++i) {
        const polytope_spoke *spoke = &surface->spoke[i];
        abut_vec3 along = abut_sub(convex_vertex(body, spoke->far), at);
        int32_t right = surface->spoke[i > first ? i - 1 : last].left;
        if (is_near_arc(body, along, spoke->left, right, direction, sine, &nearness) && nearness < least) {
            least = nearness;
            edge = spoke->edge;
        }
    }
    return edge >= 0 ? (abut_feature){.kind = ABUT_FEATURE_EDGE, .index = edge}
                     : (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = support};
}

/* The same for a box, whose face normals and edges are parallel to its axes. */
static abut_feature pick_of_box(const convex *body, int32_t support, abut_vec3 direction, double sine) {
    int face = box_face_axis(body, direction, sine);
    if (face >= 0) {
        return (abut_feature){.kind = ABUT_FEATURE_FACE, .index = 2 * face + (support >> face & 1)};
    }
    int edge = box_edge_axis(direction, sine);
    return edge >= 0 ? (abut_feature){.kind = ABUT_FEATURE_EDGE, .index = box_edge_along(edge, support)}
                     : (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = support};
}

/* Next to another normal of the frustum the angle is limited as for polytopes. The side's angle is the same all over it, because rounding error alone tells
 * which disc a direction across the axis is nearer to. */
static abut_feature pick_of_frustum(const frustum *f, abut_vec3 d, double sine) {
    double rho = frustum_rho(d.x, d.y), up = d.z > 0.0 ? f->normal_z : -f->normal_z; /* cosine of the angle between disc and side */
    const double room = 1.0 + 1e-9; /* sides that lean by just the limit are frequent: radii and heights are round numbers */
    sine *= room;
    double near = real_min(sine, room * 0.45 * f->normal_rho), limit = f->normal_z != 0.0 ? near : sine;
    if (rho <= (up > 0.0 ? near : sine) && f->radius[d.z > 0.0] > 0.0) {
        return (abut_feature){.kind = ABUT_FEATURE_FACE, .index = d.z > 0.0};
    }
    if (fabs(d.z * f->normal_rho - rho * f->normal_z) <= limit && rho * f->normal_rho + d.z * f->normal_z > 0.0) {
        return (abut_feature){.kind = ABUT_FEATURE_EDGE, .index = 0};
    }
    return (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = frustum_farther_end(f, rho, d.z)};
}

abut_feature feature_pick_at(const convex *body, abut_feature extreme, abut_vec3 direction, double sine) {
    if (extreme.kind == ABUT_FEATURE_FACE) {
        return extreme;
    }
    abut_vec3 local = convex_direction_to_local(body, direction);
    if (body->core == CORE_FRUSTUM) {
        return pick_of_frustum(&body->shape->round, local, sine);
    }
    if (body->core == CORE_POLYTOPE) {
        int32_t support = extreme.kind == ABUT_FEATURE_EDGE ? body->surface->edges[extreme.index].vertex[0] : extreme.index;
        return body->shape->kind == ABUT_SHAPE_BOX ? pick_of_box(body, support, local, sine) : pick_of_polytope(body, support, local, sine);
    }
    if (body->core == CORE_SEGMENT && fabs(local.z) <= sine) {
        return (abut_feature){.kind = ABUT_FEATURE_EDGE, .index = 0};
    }
    return (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = local.z > 0.0 && body->core == CORE_SEGMENT};
}

abut_feature feature_pick(const convex *body, abut_vec3 direction, double sine) {
    abut_vec3 point;
    abut_feature support = {.kind = ABUT_FEATURE_VERTEX, .index = convex_support(body, direction, &point)};
    return feature_pick_at(body, support, direction, sine);
}

static bool face_holds(const polytope *surface, int32_t face, int32_t vertex) {
    const polytope_corner *loop = &surface->corner[surface->face[face].first];
    for (int32_t i = 0; i < surface->face[face].count; ++i) {
        if (loop[i].vertex == vertex) {
            return true;
        }
    }
    return false;
}

int32_t feature_edge_between(const polytope *surface, int32_t v, int32_t w) {
    for (int32_t i = surface->vertex_first[v]; i < surface->vertex_first[v + 1]; ++i) {
        if (surface->spoke[i].far == w) {
            return surface->spoke[i].edge;
        }
    }
    return -1;
}

static int32_t face_of_all(const polytope *surface, const int32_t *vertices, int32_t count) {
    for (int32_t i = surface->vertex_first[vertices[0]]; i < surface->vertex_first[vertices[0] + 1]; ++i) {
        int32_t face = surface->spoke[i].left, held = 1;
        while (held < count && face_holds(surface, face, vertices[held])) {
            ++held;
        }
        if (held == count) {
            return face;
        }
    }
    return -1;
}

abut_feature feature_of_vertices(const convex *body, const int32_t *vertices, int32_t count) {
    int32_t distinct[3], n = 0;
    for (int32_t i = 0; i < count; ++i) {
        bool seen = false;
        for (int32_t k = 0; k < n; ++k) {
            seen = seen || distinct[k] == vertices[i];
        }
        if (!seen && vertices[i] >= 0) {
            distinct[n++] = vertices[i];
        }
    }
    if (n == 0) {
        return (abut_feature){.kind = ABUT_FEATURE_NONE};
    }
    if (n == 1) {
        return (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = distinct[0]};
    }
    if (body->core != CORE_POLYTOPE) {
        return (abut_feature){.kind = ABUT_FEATURE_EDGE, .index = 0};
    }
    int32_t edge = n == 2 ? feature_edge_between(body->surface, distinct[0], distinct[1]) : -1;
    if (edge >= 0) {
        return (abut_feature){.kind = ABUT_FEATURE_EDGE, .index = edge};
    }
    int32_t face = face_of_all(body->surface, distinct, n);
    return face >= 0 ? (abut_feature){.kind = ABUT_FEATURE_FACE, .index = face} : (abut_feature){.kind = ABUT_FEATURE_NONE};
}

/* ---- the feature that holds a point, core frame ---- */

static bool is_at_vertex(const convex *body, int32_t vertex, abut_vec3 point, double doubt) {
    return abut_distance_between(convex_vertex(body, vertex), point) <= doubt;
}

static bool is_on_edge(const convex *body, int32_t from, int32_t to, abut_vec3 point, double doubt) {
    abut_vec3 p = convex_vertex(body, from), q = convex_vertex(body, to);
    return abut_distance_between(abut_lerp(p, q, closest_on_segment(point, p, q)), point) <= doubt;
}

/* A face in whose plane the point lies, or the part of its border where it is. */
static abut_feature holding_of_face(const convex *body, int32_t face, abut_vec3 point, double doubt) {
    const polytope *surface = body->surface;
    int32_t first = surface->face_first[face], count = surface->face_first[face + 1] - first, edge = -1;
    for (int32_t i = 0; i < count; ++i) {
        int32_t from = surface->face_vertices[first + i], to = surface->face_vertices[first + (i + 1) % count];
        if (is_at_vertex(body, from, point, doubt)) {
            return (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = from};
        }
        edge = is_on_edge(body, from, to, point, doubt) ? surface->face_edges[first + i] : edge;
    }
    return edge >= 0 ? (abut_feature){.kind = ABUT_FEATURE_EDGE, .index = edge} : (abut_feature){.kind = ABUT_FEATURE_FACE, .index = face};
}

abut_feature feature_holding(const convex *body, int32_t vertex, abut_vec3 point) {
    const double doubt = 1e-9 * body->size;
    const abut_feature extreme = {.kind = ABUT_FEATURE_VERTEX, .index = vertex};
    abut_vec3 local = convex_to_local(body, point);
    if ((body->core != CORE_POLYTOPE && body->core != CORE_SEGMENT) || is_at_vertex(body, vertex, local, doubt)) {
        return extreme;
    }
    if (body->core == CORE_SEGMENT) {
        bool at_other = is_at_vertex(body, 1 - vertex, local, doubt);
        return at_other ? (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = 1 - vertex} : (abut_feature){.kind = ABUT_FEATURE_EDGE};
    }
    const polytope *surface = body->surface;
    for (int32_t i = surface->vertex_first[vertex]; i < surface->vertex_first[vertex + 1]; ++i) {
        int32_t face = surface->vertex_faces[i];
        if (fabs(abut_dot(feature_local_normal(body, face), abut_sub(local, convex_vertex(body, vertex)))) <= doubt) {
            return holding_of_face(body, face, local, doubt);
        }
    }
    return extreme;
}

int32_t feature_cell_size(const convex *body, abut_feature feature) {
    if (feature.kind == ABUT_FEATURE_VERTEX) {
        return body->surface->vertex_first[feature.index + 1] - body->surface->vertex_first[feature.index];
    }
    return feature.kind == ABUT_FEATURE_EDGE ? 2 : 1;
}

void feature_cell(const convex *body, abut_feature feature, gauss_cell *cell) {
    const polytope *surface = body->surface;
    cell->count = feature_cell_size(body, feature);
    for (int32_t i = 0; i < cell->count; ++i) {
        int32_t face = feature.kind == ABUT_FEATURE_VERTEX ? surface->vertex_faces[surface->vertex_first[feature.index] + i]
                       : feature.kind == ABUT_FEATURE_EDGE ? surface->edges[feature.index].face[i]
                                                           : feature.index;
        cell->corners[i] = feature_face_normal(body, face);
    }
}

/* Clips to the directions m along which the vertex is extreme: m . (neighbour - vertex) <= 0 for all neighbours. */
static void clip_by_vertex(const convex *body, int32_t vertex, double sign, double tolerance, gauss_cell *cell) {
    const polytope *surface = body->surface;
    for (int32_t i = surface->vertex_first[vertex]; i < surface->vertex_first[vertex + 1]; ++i) {
        const polytope_edge *edge = &surface->edges[surface->vertex_edges[i]];
        int32_t neighbour = edge->vertex[0] == vertex ? edge->vertex[1] : edge->vertex[0];
        abut_vec3 side = abut_sub(surface->vertices[neighbour], surface->vertices[vertex]);
        gauss_cell_clip(cell, abut_scale(sign, convex_direction_to_pair(body, side)), tolerance);
    }
}

/* Clips to the directions m along which the edge is extreme, among those orthogonal to it: m . (inward direction within the face) <= 0 for both faces. */
static void clip_by_edge(const convex *body, int32_t index, double sign, double tolerance, gauss_cell *cell) {
    const polytope *surface = body->surface;
    const polytope_edge *edge = &surface->edges[index];
    abut_vec3 along = abut_sub(surface->vertices[edge->vertex[1]], surface->vertices[edge->vertex[0]]);
    abut_vec3 inward_left = abut_cross(surface->normals[edge->face[0]], along);
    abut_vec3 inward_right = abut_cross(along, surface->normals[edge->face[1]]);
    gauss_cell_clip(cell, abut_scale(sign, convex_direction_to_pair(body, inward_left)), tolerance);
    gauss_cell_clip(cell, abut_scale(sign, convex_direction_to_pair(body, inward_right)), tolerance);
}

void feature_clip_cell(const convex *body, abut_feature feature, bool opposite, double tolerance, gauss_cell *cell) {
    double sign = opposite ? -1.0 : 1.0;
    if (feature.kind == ABUT_FEATURE_VERTEX) {
        clip_by_vertex(body, feature.index, sign, tolerance, cell);
    } else if (feature.kind == ABUT_FEATURE_EDGE) {
        clip_by_edge(body, feature.index, sign, tolerance, cell);
    }
}
