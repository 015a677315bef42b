/*
 * Finds directions that separate a convex body from triangles. Set frame; directions point from the body to the triangle.
 *
 * A box is tested by SAT: all thirteen facets of the difference of box and triangle are tried in the box's frame. They are the face normals
 * of both and the cross products of their edges (Akenine-Moeller, "Fast 3D triangle-box overlap testing").
 *
 * For any other body three kinds of direction are tried: those that separated earlier triangles, the triangle's normal, and directions from
 * a point of the body to the closest point of the triangle. That point is first the body's middle, then a point nearer to the triangle.
 */
#include "narrow/mesh/convex/apart.h"

#include "base/real.h"
#include "narrow/normal/feature.h"
#include "narrow/separating.h"

static double extent_along(const convex *body, abut_vec3 direction) { return convex_extent(body, direction) + body->radius; }

void mesh_apart_begin(mesh_apart *known, const convex *body, double margin) {
    double doubt = separating_doubt_beside(body, 0.0);
    known->body = body;
    known->enough = margin + doubt;
    known->more = (separating_doubt_beside(body, body->size) - doubt) / body->size;
    known->count = known->next = 0;
}

void mesh_apart_learn(mesh_apart *known, abut_vec3 direction) {
    abut_vec3 unit = abut_unit(direction);
    if (abut_length_squared(unit) > 0.5) {
        int32_t at = known->count < MESH_WAYS ? known->count++ : known->next;
        known->next = (at + 1) % MESH_WAYS;
        known->way[at] = (mesh_way){unit, extent_along(known->body, unit)};
    }
}

static double largest_of(abut_vec3 v) { return real_max(fabs(v.x), real_max(fabs(v.y), fabs(v.z))); }

/* The gap that counts as clearly apart. The sum used for the triangle's size is at least its largest extent and at most twice that. */
static double enough_for(const mesh_apart *known, const mesh_triangle *t) {
    double size = largest_of(abut_sub(t->corner[1], t->corner[0])) + largest_of(abut_sub(t->corner[2], t->corner[0]));
    return known->enough + known->more * size;
}

/* The smallest of the corners' heights along a direction. */
static double lowest(const mesh_triangle *t, abut_vec3 direction) {
    return real_min(abut_dot(direction, t->corner[0]), real_min(abut_dot(direction, t->corner[1]), abut_dot(direction, t->corner[2])));
}

/* ---- a box ---- */

/* The SAT of a box and a triangle in the box's frame: the widest gap so far and its direction. */
typedef struct box_trial {
    double half[3], corner[3][3], normal[3], enough;
    double gap, direction[3];
    int axis, side;              /* axis of the box and side of the triangle that make the direction; -1 for none */
    double by_normal, by_others; /* widest gap of the directions close to the triangle's normal, on its front; widest gap of all others */
} box_trial;

/* Tries a direction of any length but zero. The sign is chosen so that it points from the box to the triangle. Returns whether it
 * separates. */
static inline bool offer(box_trial *now, int axis, int side, const double direction[3], double length, double lower, double upper,
                         double reach) {
    const double close = 1.0 - 1e-4; /* cosine of 0.8 degrees */
    double gap = (real_max(lower, -upper) - reach) / length, sign = lower > -upper ? 1.0 : -1.0;
    double along = -sign * (direction[0] * now->normal[0] + direction[1] * now->normal[1] + direction[2] * now->normal[2]);
    bool is_close = along >= close * length;
    now->by_normal = real_max(now->by_normal, is_close ? gap : -INFINITY);
    now->by_others = real_max(now->by_others, is_close ? -INFINITY : gap);
    if (gap > now->gap) {
        now->gap = gap;
        now->axis = axis;
        now->side = side;
        for (int i = 0; i < 3; ++i) {
            now->direction[i] = sign * direction[i];
        }
    }
    return gap > now->enough;
}

static inline double least_of(double p, double q, double r) { return real_min(p, real_min(q, r)); }

static inline double most_of(double p, double q, double r) { return real_max(p, real_max(q, r)); }

/* Along one of the box's own axes. */
static inline bool by_axis(box_trial *now, int k) {
    double p = now->corner[0][k], q = now->corner[1][k], r = now->corner[2][k], axis[3] = {0.0, 0.0, 0.0};
    axis[k] = 1.0;
    return offer(now, k, -1, axis, 1.0, least_of(p, q, r), most_of(p, q, r), now->half[k]);
}

/* Along the triangle's normal. */
static inline bool by_normal(box_trial *now) {
    const double *n = now->normal;
    double height[3], reach = 0.0;
    for (int i = 0; i < 3; ++i) {
        height[i] = n[0] * now->corner[i][0] + n[1] * now->corner[i][1] + n[2] * now->corner[i][2];
        reach += fabs(n[i]) * now->half[i];
    }
    return offer(now, -1, -1, n, 1.0, least_of(height[0], height[1], height[2]), most_of(height[0], height[1], height[2]), reach);
}

/* Along the cross product of axis k and a side. A side runs from its corner to the next one; both corners have the same height along the
 * product. No direction is tried if the two are parallel. */
static inline bool by_edges(box_trial *now, int k, int side) {
    int i = (k + 1) % 3, j = (k + 2) % 3, next = (side + 1) % 3, other = (side + 2) % 3;
    double u = now->corner[side][j] - now->corner[next][j], v = now->corner[next][i] - now->corner[side][i], across[3];
    double p = u * now->corner[side][i] + v * now->corner[side][j], q = u * now->corner[other][i] + v * now->corner[other][j];
    double square = u * u + v * v;
    across[k] = 0.0;
    across[i] = u;
    across[j] = v;
    return square > 0.0 &&
           offer(now, k, side, across, sqrt(square), real_min(p, q), real_max(p, q), fabs(u) * now->half[i] + fabs(v) * now->half[j]);
}

static mesh_sight look_from_box(box_trial *now) {
    if (by_axis(now, 0) || by_axis(now, 1) || by_axis(now, 2) || by_normal(now)) {
        return MESH_APART;
    }
    for (int side = 0; side < 3; ++side) {
        if (by_edges(now, 0, side) || by_edges(now, 1, side) || by_edges(now, 2, side)) {
            return MESH_APART;
        }
    }
    return now->by_normal > now->by_others + now->enough && now->gap < -now->enough ? MESH_BY_NORMAL : MESH_UNCLEAR;
}

/* The facet with the widest gap. Side 1 of a triangle is edge 2 of its triangle_body, and side 2 is edge 1. */
static mesh_facet facet_of(const box_trial *now, const convex *box) {
    const double *d = now->direction;
    mesh_facet facet = {.of_body = {.kind = ABUT_FEATURE_NONE}};
    if (now->axis < 0) {
        bool outside = d[0] * now->normal[0] + d[1] * now->normal[1] + d[2] * now->normal[2] < 0.0;
        facet.of_triangle = (abut_feature){.kind = ABUT_FEATURE_FACE, .index = outside ? 0 : 1};
    } else if (now->side < 0) {
        facet.of_body = (abut_feature){.kind = ABUT_FEATURE_FACE, .index = 2 * now->axis + (d[now->axis] > 0.0)};
    } else {
        int32_t from = (d[0] > 0.0) | (d[1] > 0.0) << 1 | (d[2] > 0.0) << 2, bit = 1 << now->axis;
        facet.of_body.kind = facet.of_triangle.kind = ABUT_FEATURE_EDGE;
        facet.of_body.index = feature_edge_between(box->surface, from & ~bit, from | bit);
        facet.of_triangle.index = (3 - now->side) % 3;
    }
    return facet;
}

static mesh_sight look_with_box(const mesh_apart *known, const mesh_triangle *t, mesh_facet *best, abut_vec3 *away) {
    const convex *box = known->body;
    const abut_vec3 *half = &box->shape->half;
    abut_vec3 normal = convex_direction_to_local(box, t->normal);
    box_trial now = {.half = {half->x, half->y, half->z}, .normal = {normal.x, normal.y, normal.z}, .enough = enough_for(known, t)};
    now.gap = now.by_normal = now.by_others = -INFINITY;
    for (int i = 0; i < 3; ++i) {
        abut_vec3 corner = convex_to_local(box, t->corner[i]);
        now.corner[i][0] = corner.x;
        now.corner[i][1] = corner.y;
        now.corner[i][2] = corner.z;
    }
    mesh_sight seen = look_from_box(&now);
    best->close = -now.by_normal;
    best->others = -now.by_others;
    if (seen == MESH_UNCLEAR) {
        *best = facet_of(&now, box);
    } else if (away != NULL) {
        *away = convex_direction_to_pair(box, abut_vec3_make(now.direction[0], now.direction[1], now.direction[2]));
    }
    return seen;
}

/* ---- any other body ---- */

/* The widest gap so far, and the direction that separates. */
typedef struct trial {
    double enough, gap;
    abut_vec3 away;
} trial;

/* Tries one unit direction. reach: how far the body extends along it. Returns whether it separates. */
static inline bool try_way(trial *now, const mesh_triangle *t, abut_vec3 direction, double reach) {
    double gap = lowest(t, direction) - reach;
    now->gap = real_max(now->gap, gap);
    if (gap > now->enough) {
        now->away = direction;
        return true;
    }
    return false;
}

static bool by_known(const mesh_apart *known, const mesh_triangle *t, trial *now) {
    for (int32_t i = known->count - 1; i >= 0; --i) {
        if (try_way(now, t, known->way[i].direction, known->way[i].reach)) {
            return true;
        }
    }
    return false;
}

/* Alternates between the closest points of both: each is the one closest to the point before. Serves cores that are points and segments. */
static bool by_points(const mesh_apart *known, const mesh_triangle *t, trial *now) {
    enum { ROUNDS = 2 };
    const convex *body = known->body;
    abut_vec3 along_axis = abut_scale(body->half_length, body->rotation.z), on_body = body->position;
    const abut_vec3 ends[2] = {abut_sub(body->position, along_axis), abut_add(body->position, along_axis)};
    double weight[3];
    for (int round = 0; round < ROUNDS; ++round) {
        abut_vec3 on_triangle = mesh_set_closest(t, on_body, weight);
        on_body = abut_lerp(ends[0], ends[1], closest_on_segment(on_triangle, ends[0], ends[1]));
        abut_vec3 way = abut_unit(abut_sub(on_triangle, on_body));
        if (try_way(now, t, way, extent_along(body, way))) {
            return true;
        }
    }
    return false;
}

/* Tries the direction from the body's inner centre to the triangle's closest point. Then moves half way to the support point along it and
 * tries again. */
static bool by_supports(const mesh_apart *known, const mesh_triangle *t, trial *now) {
    enum { ROUNDS = 2 };
    abut_vec3 from = convex_inner_centre(known->body);
    double weight[3];
    for (int round = 0; round < ROUNDS; ++round) {
        abut_vec3 way = abut_unit(abut_sub(mesh_set_closest(t, from, weight), from)), farthest;
        convex_support(known->body, way, &farthest);
        if (try_way(now, t, way, abut_dot(way, farthest))) {
            return true;
        }
        from = abut_lerp(from, farthest, 0.5);
    }
    return false;
}

static mesh_sight look_with_other(const mesh_apart *known, const mesh_triangle *t, mesh_facet *best, abut_vec3 *away) {
    trial now = {.enough = enough_for(known, t), .gap = -INFINITY};
    abut_vec3 down = abut_neg(t->normal);
    bool polytope = known->body->core == CORE_POLYTOPE, apart = by_known(known, t, &now);
    if (!apart) {
        double by_plane = lowest(t, down) - extent_along(known->body, down);
        now.away = down;
        apart = by_plane > now.enough || (polytope ? by_supports(known, t, &now) : by_points(known, t, &now));
        best->of_triangle.kind = !apart && by_plane > now.gap ? ABUT_FEATURE_FACE : ABUT_FEATURE_NONE; /* face 0 */
    }
    if (apart && away != NULL) {
        *away = now.away;
    }
    return apart ? MESH_APART : MESH_UNCLEAR;
}

static inline mesh_sight look(const mesh_apart *known, const mesh_triangle *t, mesh_facet *best, abut_vec3 *away) {
    *best = (mesh_facet){.of_body = {.kind = ABUT_FEATURE_NONE}};
    return known->body->shape->kind == ABUT_SHAPE_BOX ? look_with_box(known, t, best, away) : look_with_other(known, t, best, away);
}

mesh_sight mesh_apart_look(const mesh_apart *known, const mesh_triangle *t, mesh_facet *best) { return look(known, t, best, NULL); }

mesh_sight mesh_apart_look_away(const mesh_apart *known, const mesh_triangle *t, mesh_facet *best, abut_vec3 *away) {
    return look(known, t, best, away);
}
