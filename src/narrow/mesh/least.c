/* The shortest way out of a zone: see least.h. Set frame. */
#include "narrow/mesh/least.h"

#include "base/real.h"
#include "geom/orient.h"

typedef struct leaving {
    const overlap *in;
    int32_t zone;
    double rounding; /* of a coordinate */
    double slack;    /* heights up to this are zero */
    least_way best;
    /* the vertex that is asked about */
    int side;
    int32_t corner;
    abut_vec3 place;
} leaving;

static abut_feature feature_at(const placed_mesh *mesh, abut_feature_kind kind, int32_t index) {
    return (abut_feature){.kind = kind, .index = index, .part = mesh->part};
}

/* ---- whether the surfaces are convex ---- */

/* The height of the triangle across a side over the triangle of the side. */
static double rise_across(const placed_mesh *mesh, int32_t corner) {
    int32_t twin = mesh->mesh->twin[corner], first = corner - corner % 3;
    abut_vec3 p = overlap_corner(mesh, first), q = overlap_corner(mesh, first + 1), r = overlap_corner(mesh, first + 2);
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

/* Whether no neighbour of the vertex lies below it, along the outward normal of the face that it is under. */
static bool is_lowest(const leaving *work, abut_vec3 normal) {
    const placed_mesh *mesh = work->in->mesh[work->side];
    int32_t corner = work->corner;
    do {
        abut_vec3 way = abut_sub(overlap_corner(mesh, overlap_next(corner)), work->place);
        if (abut_dot(normal, way) < -work->slack) {
            return false;
        }
        corner = mesh->mesh->twin[overlap_previous(corner)];
    } while (corner != work->corner);
    return true;
}

static void take_face(leaving *work, int32_t index, abut_vec3 normal, double depth, abut_vec3 foot) {
    const placed_mesh *own = work->in->mesh[work->side], *other = work->in->mesh[1 - work->side];
    abut_feature vertex = feature_at(own, ABUT_FEATURE_VERTEX, own->mesh->corners[work->corner]);
    abut_feature face = feature_at(other, ABUT_FEATURE_FACE, index);
    bool of_a = work->side == 0;
    work->best = (least_way){.depth = depth,
                             .normal = of_a ? normal : abut_neg(normal),
                             .on_a = of_a ? work->place : foot,
                             .on_b = of_a ? foot : work->place,
                             .feature_a = of_a ? vertex : face,
                             .feature_b = of_a ? face : vertex};
}

/* limit: the distance from the vertex up to which triangles are visited. */
static void try_face(void *context, int32_t index, const abut_triangle *triangle, double *limit) {
    leaving *work = context;
    const placed_mesh *other = work->in->mesh[1 - work->side];
    mesh_triangle t;
    mesh_set_place(&t, other, index, triangle);
    *limit = real_min(*limit, work->best.depth);
    if (t.flat) {
        return;
    }
    abut_vec3 cross = orient_cross(t.corner[0], t.corner[1], t.corner[0], t.corner[2]);
    double depth = -orient_volume(t.corner[0], t.corner[1], t.corner[2], work->place) / abut_length(cross), weight[3];
    if (!(depth > 0.0 && depth < work->best.depth)) {
        return;
    }
    abut_vec3 normal = abut_unit(cross), foot = abut_add_scaled(work->place, depth, normal);
    abut_vec3 beside = abut_sub(foot, mesh_set_closest(&t, foot, weight));
    if (abut_length_squared(beside) <= work->slack * work->slack && is_lowest(work, normal)) {
        take_face(work, index, normal, depth, foot);
        *limit = real_min(*limit, depth);
    }
}

static void try_vertices(leaving *work, int side) {
    const overlap_parts *vertices = &work->in->vertex[side];
    const placed_mesh *own = work->in->mesh[side], *other = work->in->mesh[1 - side];
    int32_t i, end;
    work->side = side;
    for (overlap_range(vertices, work->zone, &i, &end); i < end; ++i) {
        work->corner = vertices->items[i].index;
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

static void try_sides(leaving *work, const crest *a, const crest *b) {
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
    work->best = (least_way){.depth = depth,
                             .normal = abut_neg(n),
                             .on_a = abut_lerp(a->from, a->to, s),
                             .on_b = abut_lerp(b->from, b->to, t),
                             .feature_a = feature_at(work->in->mesh[0], ABUT_FEATURE_EDGE, a->corner),
                             .feature_b = feature_at(work->in->mesh[1], ABUT_FEATURE_EDGE, b->corner)};
}

/* Whether a side is a crest at all, and not flat or a valley. */
static bool is_crest(const leaving *work, int side, int32_t corner) {
    const placed_mesh *mesh = work->in->mesh[side];
    return rise_across(mesh, corner) < -work->rounding || rise_across(mesh, mesh->mesh->twin[corner]) < -work->rounding;
}

static void try_all_sides(leaving *work) {
    const overlap_parts *of_a = &work->in->side[0], *of_b = &work->in->side[1];
    int32_t first_a, end_a, first_b, end_b;
    overlap_range(of_a, work->zone, &first_a, &end_a);
    overlap_range(of_b, work->zone, &first_b, &end_b);
    for (int32_t i = first_a; i < end_a; ++i) {
        if (!is_crest(work, 0, of_a->items[i].index)) {
            continue;
        }
        crest a = crest_at(work->in->mesh[0], of_a->items[i].index);
        for (int32_t k = first_b; k < end_b; ++k) {
            crest b = crest_at(work->in->mesh[1], of_b->items[k].index);
            if (are_near(&a, &b, work->best.depth)) {
                try_sides(work, &a, &b);
            }
        }
    }
}

least_way mesh_least_way(const overlap *in, int32_t zone, double rounding) {
    leaving work = {.in = in, .zone = zone, .rounding = rounding, .slack = 16.0 * rounding, .best = {.depth = INFINITY}};
    bool convex = is_convex(&work, 0) && is_convex(&work, 1);
    try_vertices(&work, 0);
    try_vertices(&work, 1);
    try_all_sides(&work);
    work.best.convex = convex;
    return work.best;
}
