/* The shortest way out of a zone: see least.h. Set frame. */
#include "narrow/mesh/pair/least.h"

#include "base/real.h"
#include "geom/closest.h"
#include "geom/orient.h"
#include "geom/triangles.h"
#include "narrow/mesh/pair/ending.h"
#include "shape/bounds.h"

enum { MOST_AROUND = 256 }; /* triangles of one surface */
enum { MOST_TRIED = 64 };   /* ways that must end a zone */

/* A convex part of a surface about the zone. */
typedef struct around {
    int32_t triangle[MOST_AROUND];
    int32_t count;
    overlap_part side[3 * MOST_AROUND], vertex[3 * MOST_AROUND];
    int32_t side_count, vertex_count;
} around;

static bool is_listed(const around *to, int32_t triangle) {
    for (int32_t i = 0; i < to->count; ++i) {
        if (to->triangle[i] == triangle) {
            return true;
        }
    }
    return false;
}

/* Ways that are tried after all of them are known, the shortest first. */
typedef struct waiting {
    least_way way[MOST_TRIED];
    int32_t count;
} waiting;

typedef struct leaving {
    const overlap *in;
    int32_t zone;
    double rounding;                     /* of a coordinate */
    double slack;                        /* heights up to this are zero */
    overlap_parts sides[2], vertices[2]; /* the features that are tried */
    least_way best;
    const around *part[2]; /* convex: of each surface the triangles whose faces count; NULL: those of the zone */
    bool convex;
    waiting *later; /* where the ways go; NULL: each is taken at once */
    /* the vertex that is asked about */
    int side;
    int32_t corner;
    abut_vec3 place;
} leaving;

/* The length of a way that rounding errors cannot undo. */
static double clear_of(const leaving *work, double depth) { return depth * (1.0 + 1e-9) + work->slack; }

static bool ends_zone(const leaving *work, const least_way *way) {
    return overlap_ends(work->in, work->zone, abut_scale(clear_of(work, way->depth), way->normal), work->rounding);
}

/* Keeps a way among the shortest ones. */
static void keep_waiting(leaving *work, const least_way *way) {
    waiting *list = work->later;
    int32_t i = list->count < MOST_TRIED ? list->count++ : MOST_TRIED - 1;
    for (; i > 0 && list->way[i - 1].depth > way->depth; --i) {
        list->way[i] = list->way[i - 1];
    }
    list->way[i] = *way;
    work->best.depth = list->count == MOST_TRIED ? list->way[MOST_TRIED - 1].depth : work->best.depth;
}

/* Takes a way if it does what is asked of it. */
static void take_way(leaving *work, least_way way) {
    if (work->later != NULL) {
        keep_waiting(work, &way);
    } else {
        work->best = way;
    }
}

static abut_feature feature_at(const placed_mesh *mesh, abut_feature_kind kind, int32_t index) {
    return (abut_feature){.kind = kind, .index = index, .part = mesh->part};
}

/* ---- whether the surfaces are convex ---- */

/* The height of the triangle across a side over the triangle of the side. */
static double rise_across(const placed_mesh *mesh, int32_t corner) {
    int32_t twin = mesh->mesh->twin[corner], first = corner - corner % 3;
    abut_vec3 p = overlap_corner(mesh, first), q = overlap_corner(mesh, first + 1), r = overlap_corner(mesh, first + 2);
    const double clear = 1e-6;
    abut_vec3 cross = abut_cross(abut_sub(q, p), abut_sub(r, p)), way = abut_sub(overlap_corner(mesh, overlap_previous(twin)), p);
    double height = abut_dot(cross, way), least = clear * clear * abut_length_squared(way);
    if (height * height > least * abut_length_squared(cross) && abut_length_squared(cross) > least * abut_length_squared(way)) {
        return height / abut_length(cross); /* rounding error does not matter */
    }
    double area = abut_length(orient_cross(p, q, p, r));
    return area > 0.0 ? orient_volume(p, q, r, overlap_corner(mesh, overlap_previous(twin))) / area : 0.0;
}

static bool is_convex(const leaving *work, int side) {
    const placed_mesh *mesh = work->in->mesh[side];
    const overlap_parts *sides = &work->in->side[side];
    int32_t i, end;
    for (overlap_range(sides, work->zone, &i, &end); i < end; ++i) {
        int32_t corner = sides->items[i].index;
        if (rise_across(mesh, corner) > work->slack && rise_across(mesh, mesh->mesh->twin[corner]) > work->slack) {
            return false;
        }
    }
    return true;
}

/* ---- a vertex under a face ---- */

typedef struct rising {
    const placed_mesh *mesh;
    abut_vec3 point, outward;
    double slack;
    bool found, faced;
} rising;

/* Whether a point is on a side of a triangle. The closest point of a whole sliver has larger rounding errors. */
static bool is_on_side(const mesh_triangle *t, abut_vec3 point, double slack) {
    for (int i = 0; i < 3; ++i) {
        abut_vec3 from = t->corner[i], to = t->corner[(i + 1) % 3];
        abut_vec3 beside = abut_sub(point, abut_lerp(from, to, closest_on_segment(point, from, to)));
        if (abut_length_squared(beside) <= slack * slack) {
            return true;
        }
    }
    return false;
}

static bool look_for_rise(void *context, int32_t index, const abut_triangle *triangle) {
    rising *at = context;
    mesh_triangle t;
    double weight[3];
    mesh_set_place(&t, at->mesh, index, triangle);
    abut_vec3 beside = abut_sub(at->point, mesh_set_closest(&t, at->point, weight));
    bool holds = abut_length_squared(beside) <= at->slack * at->slack || is_on_side(&t, at->point, at->slack);
    for (int i = 0; i < 3 && holds; ++i) {
        at->found = at->found || abut_dot(at->outward, abut_sub(t.corner[i], at->point)) > at->slack;
    }
    at->faced = at->faced || (holds && abut_dot(t.normal, at->outward) > 0.0);
    return !at->found;
}

/* Whether no triangle that holds a point of a surface rises above it, and one faces that way. Neighbours alone do not tell, because triangles without an area
 * can be among them. */
static bool is_extreme(const leaving *work, int side, abut_vec3 point, abut_vec3 outward) {
    const placed_mesh *mesh = work->in->mesh[side];
    rising at = {.mesh = mesh, .point = point, .outward = outward, .slack = 2.0 * work->slack};
    abut_vec3 seen = abut_add(abut_mat3_apply_transposed(mesh->rotation, point), mesh->centre);
    trimesh_in_ball(mesh->mesh, seen, at.slack, look_for_rise, &at);
    return !at.found && at.faced;
}

static void take_face(leaving *work, int32_t index, abut_vec3 normal, double depth, abut_vec3 foot) {
    const placed_mesh *own = work->in->mesh[work->side], *other = work->in->mesh[1 - work->side];
    abut_feature vertex = feature_at(own, ABUT_FEATURE_VERTEX, own->mesh->corners[work->corner]);
    abut_feature face = feature_at(other, ABUT_FEATURE_FACE, index);
    bool of_a = work->side == 0;
    take_way(work, (least_way){.depth = depth,
                               .normal = of_a ? normal : abut_neg(normal),
                               .on_a = of_a ? work->place : foot,
                               .on_b = of_a ? foot : work->place,
                               .feature_a = of_a ? vertex : face,
                               .feature_b = of_a ? face : vertex});
}

/* Whether a face bounds the convex part of its surface in the zone. One beyond a valley can have the vertex just under it as well, but does not lead out. */
static bool may_leave(const leaving *work, int side, int32_t triangle) {
    const around *part = work->part[side];
    return !work->convex || (part != NULL ? is_listed(part, triangle) : overlap_has(&work->in->triangle[side], work->zone, triangle));
}

/* limit: the distance from the vertex up to which triangles are visited. */
static void try_face(void *context, int32_t index, const abut_triangle *triangle, double *limit) {
    leaving *work = context;
    const placed_mesh *other = work->in->mesh[1 - work->side];
    mesh_triangle t;
    mesh_set_place(&t, other, index, triangle);
    *limit = real_min(*limit, work->best.depth);
    double roughly = -mesh_set_height(&t, work->place), wide = 1e-6 * fabs(roughly) + 1e3 * work->slack, weight[3];
    if (t.flat || roughly < -wide || roughly > work->best.depth + wide) {
        return;
    }
    abut_vec3 foot = abut_add_scaled(work->place, roughly, t.normal), beside = abut_sub(foot, mesh_set_closest(&t, foot, weight));
    if (abut_length_squared(beside) > wide * wide) {
        return; /* before the exact values, which take more time */
    }
    abut_vec3 cross = orient_cross(t.corner[0], t.corner[1], t.corner[0], t.corner[2]);
    double depth = -orient_volume(t.corner[0], t.corner[1], t.corner[2], work->place) / abut_length(cross);
    if (!(depth > 0.0 && depth < work->best.depth)) {
        return;
    }
    abut_vec3 normal = abut_unit(cross);
    foot = abut_add_scaled(work->place, depth, normal);
    beside = abut_sub(foot, mesh_set_closest(&t, foot, weight));
    bool holds = abut_length_squared(beside) <= work->slack * work->slack && may_leave(work, 1 - work->side, index);
    if (holds && is_extreme(work, work->side, work->place, abut_neg(normal))) {
        take_face(work, index, normal, depth, foot);
        *limit = real_min(*limit, work->best.depth);
    }
}

static void try_vertices(leaving *work, int side) {
    const placed_mesh *own = work->in->mesh[side], *other = work->in->mesh[1 - side];
    work->side = side;
    for (int32_t i = 0; i < work->vertices[side].count; ++i) {
        work->corner = work->vertices[side].items[i].index;
        work->place = overlap_corner(own, work->corner);
        abut_vec3 seen = abut_add(abut_mat3_apply_transposed(other->rotation, work->place), other->centre);
        trimesh_near(other->mesh, seen, work->best.depth, try_face, work);
    }
}

/* ---- two sides ---- */

typedef struct crest {
    int32_t corner;
    abut_vec3 from, to, wing[2];
} crest;

static crest crest_at(const placed_mesh *mesh, int32_t corner) {
    int32_t twin = mesh->mesh->twin[corner];
    return (crest){corner,
                   overlap_corner(mesh, corner),
                   overlap_corner(mesh, overlap_next(corner)),
                   {overlap_corner(mesh, overlap_previous(corner)), overlap_corner(mesh, overlap_previous(twin))}};
}

/* Whether both triangles at a side lie below it, along a direction. */
static bool lies_below(const leaving *work, const crest *c, abut_vec3 along) {
    return abut_dot(along, abut_sub(c->wing[0], c->from)) <= work->slack && abut_dot(along, abut_sub(c->wing[1], c->from)) <= work->slack;
}

static bool are_near(const crest *a, const crest *b, double reach) {
    const double *af = &a->from.x, *at = &a->to.x, *bf = &b->from.x, *bt = &b->to.x;
    for (int i = 0; i < 3; ++i) {
        if (real_min(af[i], at[i]) > real_max(bf[i], bt[i]) + reach || real_min(bf[i], bt[i]) > real_max(af[i], at[i]) + reach) {
            return false;
        }
    }
    return true;
}

/* Where the sides cross, seen along their common normal: fractions of both. False where they do not. */
static bool meet_along(const leaving *work, const crest *a, const crest *b, abut_vec3 across, double *s, double *t) {
    abut_vec3 u = abut_sub(a->to, a->from), v = abut_sub(b->to, b->from), w = abut_sub(b->from, a->from);
    double square = abut_length_squared(across), slack_s = work->slack / abut_length(u), slack_t = work->slack / abut_length(v);
    *s = abut_dot(abut_cross(w, v), across) / square;
    *t = abut_dot(abut_cross(w, u), across) / square;
    bool inside = *s >= -slack_s && *s <= 1.0 + slack_s && *t >= -slack_t && *t <= 1.0 + slack_t;
    *s = real_max(0.0, real_min(1.0, *s));
    *t = real_max(0.0, real_min(1.0, *t));
    return inside;
}

/* Whether the exact values are worth their time. */
static bool are_promising(const leaving *work, const crest *a, const crest *b) {
    abut_vec3 u = abut_sub(a->to, a->from), v = abut_sub(b->to, b->from), w = abut_sub(b->from, a->from), n = abut_cross(u, v);
    double square = abut_length_squared(n), volume = abut_dot(n, w), length = sqrt(square), s, t;
    if (square <= 1e-12 * abut_length_squared(u) * abut_length_squared(v)) {
        return true;
    }
    double more = 1e3 * work->slack, depth = fabs(volume) / length;
    leaving rough = {.slack = more + 1e-6 * depth};
    if (!(depth < work->best.depth + rough.slack) || !meet_along(&rough, a, b, n, &s, &t)) {
        return false;
    }
    bool unclear = depth <= more;
    n = abut_scale((volume < 0.0 ? 1.0 : -1.0) / length, n);
    return unclear || (lies_below(&rough, a, n) && lies_below(&rough, b, abut_neg(n)));
}

static void try_sides(leaving *work, const crest *a, const crest *b) {
    if (!are_promising(work, a, b)) {
        return;
    }
    abut_vec3 across = orient_cross(a->from, a->to, b->from, b->to);
    double length = abut_length(across), s, t;
    double depth = orient_volume(a->from, a->to, b->to, b->from) / length; /* along -across, from A to B */
    depth = depth < 0.0 ? -depth : depth;
    if (!(length > 0.0) || !(depth > 0.0 && depth < work->best.depth)) {
        return;
    }
    /* n: from A to B. A reaches over B along it, by the depth. */
    abut_vec3 n = abut_scale(1.0 / length, across);
    n = orient_volume(a->from, a->to, b->to, b->from) < 0.0 ? n : abut_neg(n);
    if (!lies_below(work, a, n) || !lies_below(work, b, abut_neg(n)) || !meet_along(work, a, b, across, &s, &t)) {
        return;
    }
    abut_vec3 on_a = abut_lerp(a->from, a->to, s), on_b = abut_lerp(b->from, b->to, t);
    if (!is_extreme(work, 0, on_a, n) || !is_extreme(work, 1, on_b, abut_neg(n))) {
        return;
    }
    take_way(work, (least_way){.depth = depth,
                               .normal = abut_neg(n),
                               .on_a = on_a,
                               .on_b = on_b,
                               .feature_a = feature_at(work->in->mesh[0], ABUT_FEATURE_EDGE, a->corner),
                               .feature_b = feature_at(work->in->mesh[1], ABUT_FEATURE_EDGE, b->corner)});
}

/* Whether a side is a crest at all, and not flat or a valley. */
static bool is_crest(const leaving *work, int side, int32_t corner) {
    const placed_mesh *mesh = work->in->mesh[side];
    return rise_across(mesh, corner) < -work->rounding || rise_across(mesh, mesh->mesh->twin[corner]) < -work->rounding;
}

static void try_all_sides(leaving *work) {
    const overlap_parts *of_a = &work->sides[0], *of_b = &work->sides[1];
    for (int32_t i = 0; i < of_a->count; ++i) {
        if (!is_crest(work, 0, of_a->items[i].index)) {
            continue;
        }
        crest a = crest_at(work->in->mesh[0], of_a->items[i].index);
        for (int32_t k = 0; k < of_b->count; ++k) {
            crest b = crest_at(work->in->mesh[1], of_b->items[k].index);
            if (are_near(&a, &b, work->best.depth)) {
                try_sides(work, &a, &b);
            }
        }
    }
}

/* ---- features of the zone ---- */

static overlap_parts parts_of(const overlap_parts *all, int32_t zone) {
    int32_t first, end;
    overlap_range(all, zone, &first, &end);
    return (overlap_parts){.items = end > first ? all->items + first : NULL, .count = end - first};
}

static void try_zone(leaving *work) {
    for (int side = 0; side < 2; ++side) {
        work->sides[side] = parts_of(&work->in->side[side], work->zone);
        work->vertices[side] = parts_of(&work->in->vertex[side], work->zone);
    }
    try_vertices(work, 0);
    try_vertices(work, 1);
    try_all_sides(work);
}

/* ---- features around the zone ---- */

static bool is_vertex_listed(const around *to, const placed_mesh *mesh, int32_t corner) {
    for (int32_t i = 0; i < to->vertex_count; ++i) {
        if (mesh->mesh->corners[to->vertex[i].index] == mesh->mesh->corners[corner]) {
            return true;
        }
    }
    return false;
}

static double outside(double lower, double upper, double box_lower, double box_upper, double reach) {
    return real_max(lower - box_upper, box_lower - upper) - reach;
}

/* Whether the bounds of some points are within reach of the zone. */
static bool is_near_zone(const leaving *work, const abut_vec3 *point, int32_t count, double reach) {
    abut_aabb b = bounds_of_points(point, count);
    const abut_aabb *z = &work->in->box[work->zone];
    return outside(b.lower.x, b.upper.x, z->lower.x, z->upper.x, reach) <= 0.0 &&
           outside(b.lower.y, b.upper.y, z->lower.y, z->upper.y, reach) <= 0.0 &&
           outside(b.lower.z, b.upper.z, z->lower.z, z->upper.z, reach) <= 0.0;
}

static bool is_corner_near(const leaving *work, const placed_mesh *mesh, int32_t corner, int32_t count, double reach) {
    const abut_vec3 point[3] = {overlap_corner(mesh, corner), overlap_corner(mesh, overlap_next(corner)),
                                overlap_corner(mesh, overlap_previous(corner))};
    return is_near_zone(work, point, count, reach);
}

/* The zone's triangles, and those within reach that are joined to them across sides that are not valleys. */
static void look_around(const leaving *work, int side, double reach, around *to) {
    const placed_mesh *mesh = work->in->mesh[side];
    overlap_parts zone = parts_of(&work->in->triangle[side], work->zone);
    to->count = to->side_count = to->vertex_count = 0;
    for (int32_t i = 0; i < zone.count && to->count < MOST_AROUND; ++i) {
        to->triangle[to->count++] = zone.items[i].index;
    }
    for (int32_t i = 0; i < to->count; ++i) {
        for (int32_t c = 3 * to->triangle[i]; c < 3 * to->triangle[i] + 3; ++c) {
            int32_t twin = mesh->mesh->twin[c];
            bool valley = rise_across(mesh, c) > work->slack && rise_across(mesh, twin) > work->slack;
            if (!valley && to->count < MOST_AROUND && !is_listed(to, twin / 3) && is_corner_near(work, mesh, twin, 3, reach)) {
                to->triangle[to->count++] = twin / 3;
            }
            if (!valley && (c < twin || !is_listed(to, twin / 3)) && is_corner_near(work, mesh, c, 2, reach)) {
                to->side[to->side_count++].index = c;
            }
            if (is_corner_near(work, mesh, c, 1, reach) && !is_vertex_listed(to, mesh, c)) {
                to->vertex[to->vertex_count++].index = c;
            }
        }
    }
}

/* Features outside the zone, but near it, can give a shorter way. Those of other zones can be among them, so a way must end this zone. */
static void try_around(leaving *work) {
    const double wide = 4.0;
    around part[2];
    waiting found;
    least_way known = work->best;
    found.count = 0;
    for (int side = 0; side < 2; ++side) {
        look_around(work, side, wide * known.depth, &part[side]);
        work->part[side] = &part[side];
        work->sides[side] = (overlap_parts){.items = part[side].side, .count = part[side].side_count};
        work->vertices[side] = (overlap_parts){.items = part[side].vertex, .count = part[side].vertex_count};
    }
    work->later = &found;
    try_vertices(work, 0);
    try_vertices(work, 1);
    try_all_sides(work);
    work->best = known;
    for (int32_t i = 0; i < found.count; ++i) {
        if (ends_zone(work, &found.way[i])) {
            work->best = found.way[i];
            return;
        }
    }
}

/* ---- along normals ---- */

enum { MOST_ALONG = 64 }; /* directions that are tried */

typedef struct directions {
    abut_vec3 item[MOST_ALONG];
    int32_t count;
} directions;

static void add_direction(directions *to, abut_vec3 direction) {
    const double near = 0.3; /* a move along one of them turns to the other */
    bool known = !(abut_length_squared(direction) > 0.5);
    for (int32_t i = 0; i < to->count && !known; ++i) {
        known = abut_distance_between(to->item[i], direction) <= near;
    }
    if (!known && to->count < MOST_ALONG) {
        to->item[to->count++] = direction;
    }
}

/* The ways out through the faces in a zone. */
static void find_directions(const leaving *work, directions *to) {
    to->count = 0;
    for (int side = 0; side < 2; ++side) {
        const placed_mesh *mesh = work->in->mesh[side];
        int32_t i, end;
        for (overlap_range(&work->in->triangle[side], work->zone, &i, &end); i < end; ++i) {
            int32_t c = 3 * work->in->triangle[side].items[i].index;
            abut_vec3 n = abut_unit(
                orient_cross(overlap_corner(mesh, c), overlap_corner(mesh, c + 1), overlap_corner(mesh, c), overlap_corner(mesh, c + 2)));
            add_direction(to, side == 0 ? abut_neg(n) : n);
        }
    }
}

/* Where the triangles that leave each other last do so. The edges there need not be perpendicular to the way, so the faces are named. */
static void take_move(leaving *work, const ending_way *way) {
    const placed_mesh *a = work->in->mesh[0], *b = work->in->mesh[1];
    abut_vec3 moved[3], still[3], move = abut_scale(way->length, way->normal);
    triangles_gap gap;
    for (int32_t k = 0; k < 3; ++k) {
        moved[k] = abut_add(overlap_corner(a, 3 * way->triangle[0] + k), move);
        still[k] = overlap_corner(b, 3 * way->triangle[1] + k);
    }
    triangles_closest(moved, still, &gap);
    work->best = (least_way){.depth = way->length,
                             .normal = way->normal,
                             .on_a = abut_sub(gap.on_p, move),
                             .on_b = gap.on_q,
                             .feature_a = feature_at(a, ABUT_FEATURE_FACE, way->triangle[0]),
                             .feature_b = feature_at(b, ABUT_FEATURE_FACE, way->triangle[1])};
}

/* Whether the only zone is no small part of the bodies. Elsewhere the features of the zone tell the way, and moving on adds nothing. */
static bool may_move_on(const leaving *work) {
    const double part = 1e-3;
    const abut_aabb *box = &work->in->box[work->zone];
    double size = real_min(1.0 / work->in->mesh[0]->mesh->tree.scale, 1.0 / work->in->mesh[1]->mesh->tree.scale);
    return work->in->zone_count == 1 && abut_distance_between(box->lower, box->upper) > part * size;
}

/*
 * Moves on along a direction until nothing crosses. The plane that separates the two then is nearer along its own normal, so that is tried next. Where another
 * part of the surface is in the way of that, a direction between both is. Only where there is one zone: faces do not tell whose contact it is.
 */
static void try_move(leaving *work, abut_vec3 normal) {
    enum { TURNS = 8 };
    ending_way way = {.normal = normal};
    bool any = false;
    for (int turn = 0; turn < TURNS && may_move_on(work); ++turn) {
        if (overlap_way_along(work->in, work->best.depth, work->rounding, &way) && way.length < work->best.depth) {
            take_move(work, &way);
            any = true;
            way.normal = way.facet;
        } else {
            way.normal = abut_unit(abut_add(work->best.normal, way.normal));
        }
        if (!any || abut_distance_between(way.normal, work->best.normal) <= FLAT_SINE) {
            return;
        }
    }
}

/* No pair of features need tell a way out of a deep zone. */
static void try_moves(leaving *work) {
    directions all;
    find_directions(work, &all);
    for (int32_t i = 0; i < all.count; ++i) {
        try_move(work, all.item[i]);
    }
}

/* The shortest way that ends the zone, among those that wait. Beside bumps a way hardly ends it, and a little more along it does. */
static void try_waiting(leaving *work, const waiting *found) {
    for (int32_t i = 0; i < found->count && found->way[i].depth < work->best.depth; ++i) {
        const least_way *way = &found->way[i];
        if (ends_zone(work, way) &&
            (!may_move_on(work) || overlap_is_free(work->in, abut_scale(clear_of(work, way->depth), way->normal)))) {
            work->best = *way;
            return;
        }
        try_move(work, way->normal);
    }
}

static leaving begin(const overlap *in, int32_t zone, double rounding) {
    return (leaving){.in = in, .zone = zone, .rounding = rounding, .slack = 16.0 * rounding, .best = {.depth = INFINITY}};
}

bool mesh_is_convex_zone(const overlap *in, int32_t zone, double rounding) {
    leaving work = begin(in, zone, rounding);
    return is_convex(&work, 0) && is_convex(&work, 1);
}

least_way mesh_least_way(const overlap *in, int32_t zone, bool convex, double rounding) {
    leaving work = begin(in, zone, rounding);
    work.convex = convex;
    try_zone(&work);
    if (convex) {
        try_around(&work);
    }
    return work.best;
}

/* A vertex can be outside by a rounding error, at a reentrant edge. */
static void try_vertices_beside(leaving *work) {
    around part[2];
    for (int side = 0; side < 2; ++side) {
        look_around(work, side, work->slack, &part[side]);
        work->vertices[side] = (overlap_parts){.items = part[side].vertex, .count = part[side].vertex_count};
    }
    try_vertices(work, 0);
    try_vertices(work, 1);
}

/* Whether a way is long beside the zone. Features outside the zone can then be its ends. */
static bool is_deep(const leaving *work, double depth) {
    const double part = 0.1;
    const abut_aabb *box = &work->in->box[work->zone];
    return depth > part * abut_distance_between(box->lower, box->upper);
}

least_way mesh_least_exit(const overlap *in, int32_t zone, double limit, double rounding) {
    leaving work = begin(in, zone, rounding);
    waiting found;
    if (!is_deep(&work, limit) || (limit < INFINITY && !may_move_on(&work))) {
        return work.best;
    }
    found.count = 0;
    work.later = &found;
    work.best.depth = limit;
    try_zone(&work);
    work.best.depth = limit;
    try_waiting(&work, &found);
    if (!(work.best.depth < INFINITY)) {
        found.count = 0;
        try_vertices_beside(&work);
        work.best.depth = limit;
        try_waiting(&work, &found);
    }
    if (is_deep(&work, work.best.depth)) {
        try_moves(&work);
    }
    work.best.depth = work.best.depth < limit ? work.best.depth : INFINITY;
    return work.best;
}
