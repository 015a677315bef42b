/* Contacts of two closed meshes beside exact decisions: see closed.h. Set frame. */
#include "narrow/mesh/pair/closed.h"

#include <float.h>

#include "base/memory.h"
#include "base/real.h"
#include "geom/closest.h"
#include "geom/orient.h"
#include "geom/triangles.h"
#include "narrow/mesh/pair/contained.h"
#include "narrow/mesh/pair/ending.h"
#include "narrow/mesh/pair/near_pairs.h"

static bool is_whole(const mesh_surface *surface) { return surface->count == 1 && surface->mesh[0].mesh->twin != NULL; }

bool closed_pair_fits(const mesh_surface *a, const mesh_surface *b) { return is_whole(a) && is_whole(b); }

static double same_of(const closed_pair *pair) { return closed_pair_same(pair); }

/* ---- apart ---- */

static abut_feature feature_of(const mesh_triangle *t, const double w[3]) {
    int zeros = (w[0] == 0.0) + (w[1] == 0.0) + (w[2] == 0.0);
    abut_feature feature = {.kind = ABUT_FEATURE_FACE, .index = t->index, .part = t->part};
    if (zeros == 1) {
        feature.kind = ABUT_FEATURE_EDGE;
        feature.index = 3 * t->index + (w[2] == 0.0 ? 0 : w[0] == 0.0 ? 1 : 2);
    } else if (zeros == 2) {
        feature.kind = ABUT_FEATURE_VERTEX;
        feature.index = t->vertex[w[0] > 0.0 ? 0 : w[1] > 0.0 ? 1 : 2];
    }
    return feature;
}

static bool approach(void *context, const mesh_triangle *a, const mesh_triangle *b, double *reach) {
    closed_pair *pair = context;
    triangles_gap gap;
    if (contained_has(&pair->inside, 0, a->index) || contained_has(&pair->inside, 1, b->index)) {
        return true;
    }
    triangles_closest(a->corner, b->corner, &gap);
    if (gap.distance > *reach || (pair->near && gap.distance >= pair->nearest.gap)) {
        return true;
    }
    if (gap.relation != TRIANGLES_APART) {
        triangles_set_direction(a->corner, b->corner, &gap);
    }
    pair->near = true;
    pair->nearest = (abut_contact){.on_a = gap.on_p,
                                   .on_b = gap.on_q,
                                   .normal = gap.normal,
                                   .gap = gap.distance,
                                   .feature_a = feature_of(a, gap.weight_p),
                                   .feature_b = feature_of(b, gap.weight_q)};
    *reach = gap.distance;
    return true;
}

/* ---- what is exact ---- */

void closed_pair_free(closed_pair *pair) {
    overlap_free(&pair->in);
    contained_free(&pair->inside);
    memory_release(pair->way);
    pair->way = NULL;
}

static void refine(closed_pair *pair, abut_contact *contact);

/* Whether a zone's least depth is known. */
static bool is_certain(const least_way *way) { return way->depth > 0.0 && way->depth < INFINITY; }

static void find_ways(closed_pair *pair) {
    pair->way = memory_allocate((size_t)pair->in.zone_count, sizeof *pair->way);
    pair->out_of_memory = pair->way == NULL;
    for (int32_t zone = 0; zone < pair->in.zone_count && !pair->out_of_memory; ++zone) {
        bool convex = mesh_is_convex_zone(&pair->in, zone, pair->rounding);
        pair->way[zone] = convex ? mesh_least_way(&pair->in, zone, true, pair->rounding) : (least_way){.depth = 0.0};
        pair->deepest = real_max(pair->deepest, is_certain(&pair->way[zone]) ? pair->way[zone].depth : INFINITY);
    }
}

static void cross_surfaces(closed_pair *pair) {
    overlap_find(&pair->in, &pair->side[0]->mesh[0], &pair->side[1]->mesh[0], same_of(pair));
    pair->flush = pair->in.flush;
    pair->out_of_memory = pair->in.out_of_memory;
}

/* Moves A by some rounding errors in a direction of no particular meaning, so that triangles that touch cross or do not. */
static void cross_aside(closed_pair *pair) {
    const abut_vec3 aside = {1.3717, -2.1193, 2.9371};
    const placed_mesh *a = &pair->side[0]->mesh[0];
    pair->moved = *a;
    pair->moved.centre = abut_sub(a->centre, abut_mat3_apply_transposed(a->rotation, abut_scale(pair->rounding, aside)));
    closed_pair_free(pair);
    overlap_find(&pair->in, &pair->moved, &pair->side[1]->mesh[0], same_of(pair));
    pair->out_of_memory = pair->in.out_of_memory;
}

void closed_pair_examine(closed_pair *pair) {
    cross_surfaces(pair);
    if (pair->in.touching && !pair->out_of_memory) {
        cross_aside(pair);
    }
    if (pair->out_of_memory) {
        return;
    }
    pair->in.lean = pair->lean;
    if (pair->in.pair_count > 0) {
        find_ways(pair);
    }
    contained_find(pair);
    pair->near = pair->in.pair_count > 0;
    if (!pair->near) {
        mesh_near_pairs(&pair->side[0]->mesh[0], &pair->side[1]->mesh[0], pair->margin + same_of(pair), approach, pair);
        if (pair->near) {
            refine(pair, &pair->nearest);
        }
    }
}

/* ---- normals ---- */

static void corners_of(const closed_pair *pair, int side, int32_t triangle, abut_vec3 corner[3]) {
    for (int32_t k = 0; k < 3; ++k) {
        corner[k] = overlap_corner(&pair->side[side]->mesh[0], 3 * triangle + k);
    }
}

/* A vertex of the other side over a face. False where the contact's normal is another one: the vertex is at the rim of the face. */
static bool refine_face(const closed_pair *pair, int side, double sine, abut_contact *contact) {
    abut_vec3 t[3], place = side == 0 ? contact->on_b : contact->on_a;
    corners_of(pair, side, side == 0 ? contact->feature_a.index : contact->feature_b.index, t);
    abut_vec3 cross = orient_cross(t[0], t[1], t[0], t[2]);
    double area = abut_length(cross);
    abut_vec3 normal = area > 0.0 ? abut_scale(1.0 / area, cross) : contact->normal;
    if (!(area > 0.0) || abut_length_squared(abut_cross(normal, contact->normal)) > sine * sine) {
        return false;
    }
    contact->gap = orient_volume(t[0], t[1], t[2], place) / area;
    abut_vec3 foot = abut_add_scaled(place, -contact->gap, normal);
    contact->normal = side == 0 ? abut_neg(normal) : normal;
    contact->on_a = side == 0 ? foot : contact->on_a;
    contact->on_b = side == 0 ? contact->on_b : foot;
    return true;
}

static void edge_of(const closed_pair *pair, int side, int32_t corner, abut_vec3 end[2]) {
    end[0] = overlap_corner(&pair->side[side]->mesh[0], corner);
    end[1] = overlap_corner(&pair->side[side]->mesh[0], overlap_next(corner));
}

static void refine_edges(const closed_pair *pair, abut_contact *contact) {
    abut_vec3 a[2], b[2];
    edge_of(pair, 0, contact->feature_a.index, a);
    edge_of(pair, 1, contact->feature_b.index, b);
    abut_vec3 cross = orient_cross(a[0], a[1], b[0], b[1]);
    double length = abut_length(cross);
    if (length > 1e-12 * abut_distance_between(a[0], a[1]) * abut_distance_between(b[0], b[1])) {
        contact->normal = abut_scale((abut_dot(cross, contact->normal) < 0.0 ? -1.0 : 1.0) / length, cross);
        double volume = orient_volume(a[0], a[1], b[1], b[0]) / length;
        contact->gap = abut_dot(cross, contact->normal) < 0.0 ? volume : -volume;
    }
}

/* A vertex beside an edge: the normal is perpendicular to the edge. */
static void refine_edge(const closed_pair *pair, int side, abut_contact *contact) {
    abut_vec3 end[2];
    edge_of(pair, side, side == 0 ? contact->feature_a.index : contact->feature_b.index, end);
    abut_vec3 along = abut_unit(abut_sub(end[1], end[0]));
    abut_vec3 normal = abut_add_scaled(contact->normal, -abut_dot(along, contact->normal), along);
    normal = abut_add_scaled(normal, -abut_dot(along, normal), along);
    contact->normal = abut_length_squared(normal) > 0.25 ? abut_unit(normal) : contact->normal;
}

typedef struct flattening {
    const placed_mesh *mesh;
    const mesh_surface *other;
    abut_vec3 place, joint; /* the vertex of the other side, and the point of this side nearest to it */
    double same;            /* triangles up to this distance from the joint hold it */
    double sign;            /* 1; -1 where the vertex is inside, and its depth counts as height */
    double least;           /* height that is enough */
    double height;          /* largest so far */
    int32_t index;
    bool out_of_memory;
} flattening;

static bool measure_height(void *context, int32_t index, const abut_triangle *triangle) {
    flattening *of = context;
    mesh_triangle t;
    mesh_set_place(&t, of->mesh, index, triangle);
    double area = t.flat ? 0.0 : abut_length(orient_cross(t.corner[0], t.corner[1], t.corner[0], t.corner[2]));
    double height = area > 0.0 ? of->sign * orient_volume(t.corner[0], t.corner[1], t.corner[2], of->place) / area : -INFINITY;
    bool better = height > of->height || (height == of->height && index < of->index);
    better = better && mesh_set_holds(&t, of->joint, of->same); /* not only its bounds do */
    if (better && height >= of->least && mesh_surface_admits(of->other, of->place, abut_neg(t.normal), FLAT_SINE, &of->out_of_memory)) {
        of->height = height;
        of->index = index;
    }
    return true;
}

/*
 * A vertex at the joint of a face is over the face. Its distance to the joint is as long as its height over the face. The same holds for the depth of one
 * inside: rounding errors hide that the joint is beside its foot, and the direction to the joint leans.
 */
static bool refine_joint(closed_pair *pair, int side, abut_contact *contact) {
    const placed_mesh *mesh = &pair->side[side]->mesh[0];
    abut_vec3 own = side == 0 ? contact->on_a : contact->on_b, place = side == 0 ? contact->on_b : contact->on_a;
    abut_vec3 seen = abut_add(abut_mat3_apply_transposed(mesh->rotation, own), mesh->centre);
    flattening of = {.mesh = mesh,
                     .other = pair->side[1 - side],
                     .place = place,
                     .joint = own,
                     .same = 2.0 * same_of(pair),
                     .sign = contact->gap < 0.0 ? -1.0 : 1.0,
                     .least = fabs(contact->gap) - same_of(pair),
                     .height = -INFINITY,
                     .index = -1};
    if (contact->gap >= 0.0 || contact->gap < -same_of(pair)) {
        trimesh_in_ball(mesh->mesh, seen, same_of(pair), measure_height, &of);
    }
    pair->out_of_memory = pair->out_of_memory || of.out_of_memory;
    if (of.index < 0 || of.out_of_memory) {
        return false;
    }
    *(side == 0 ? &contact->feature_a : &contact->feature_b) =
        (abut_feature){.kind = ABUT_FEATURE_FACE, .index = of.index, .part = mesh->part};
    return refine_face(pair, side, 1.0, contact);
}

/* A vertex beside an edge or another vertex. */
static void refine_vertex(closed_pair *pair, abut_contact *contact) {
    bool edge_a = contact->feature_a.kind == ABUT_FEATURE_EDGE, edge_b = contact->feature_b.kind == ABUT_FEATURE_EDGE;
    bool vertex_a = contact->feature_a.kind == ABUT_FEATURE_VERTEX, vertex_b = contact->feature_b.kind == ABUT_FEATURE_VERTEX;
    if ((vertex_b && refine_joint(pair, 0, contact)) || (vertex_a && refine_joint(pair, 1, contact))) {
        return;
    }
    if (edge_a || edge_b) {
        refine_edge(pair, edge_a ? 0 : 1, contact);
    }
}

static void refine(closed_pair *pair, abut_contact *contact) {
    const double rounding = 1e-2; /* sine that the direction between two points can be off when they are nearly at one place */
    abut_feature_kind a = contact->feature_a.kind, b = contact->feature_b.kind;
    if (a == ABUT_FEATURE_EDGE && b == ABUT_FEATURE_EDGE) {
        refine_edges(pair, contact);
        return;
    }
    bool done = (a == ABUT_FEATURE_FACE && b == ABUT_FEATURE_VERTEX && refine_face(pair, 0, rounding, contact)) ||
                (b == ABUT_FEATURE_FACE && a == ABUT_FEATURE_VERTEX && refine_face(pair, 1, rounding, contact));
    if (!done && (a == ABUT_FEATURE_VERTEX || b == ABUT_FEATURE_VERTEX)) {
        refine_vertex(pair, contact);
    }
}

void closed_pair_refine(closed_pair *pair, contact_list *list) {
    for (int32_t i = 0; i < list->count; ++i) {
        refine(pair, &list->items[i]);
    }
}

/* ---- contacts of moved surfaces ---- */

/* The point of a feature of this mesh that a contact of a slightly other surface names. */
static abut_vec3 place_of(const closed_pair *pair, int side, abut_feature feature, abut_vec3 near) {
    const placed_mesh *mesh = &pair->side[side]->mesh[0];
    if (feature.kind == ABUT_FEATURE_VERTEX) {
        return mesh_place_point(mesh, mesh->mesh->vertices[feature.index]);
    }
    if (feature.kind == ABUT_FEATURE_EDGE) {
        abut_vec3 end[2];
        edge_of(pair, side, feature.index, end);
        return abut_lerp(end[0], end[1], closest_on_segment(near, end[0], end[1]));
    }
    abut_vec3 t[3];
    corners_of(pair, side, feature.index, t);
    abut_vec3 cross = orient_cross(t[0], t[1], t[0], t[2]);
    double area = abut_length(cross), height = orient_volume(t[0], t[1], t[2], near) / area;
    return fabs(height) <= 100.0 * same_of(pair) ? abut_add_scaled(near, -height / area, cross)
                                                 : near; /* a chosen contact is not on the face */
}

/* The points where two edges are closest along their common normal. False where they are nearly parallel. */
static bool place_edges(const closed_pair *pair, abut_contact *contact) {
    abut_vec3 a[2], b[2];
    edge_of(pair, 0, contact->feature_a.index, a);
    edge_of(pair, 1, contact->feature_b.index, b);
    abut_vec3 u = abut_sub(a[1], a[0]), v = abut_sub(b[1], b[0]), w = abut_sub(b[0], a[0]), across = abut_cross(u, v);
    double square = abut_length_squared(across);
    if (!(square > FLAT_SINE * FLAT_SINE * abut_length_squared(u) * abut_length_squared(v))) {
        return false;
    }
    contact->on_a = abut_add_scaled(a[0], abut_dot(abut_cross(w, v), across) / square, u);
    contact->on_b = abut_add_scaled(b[0], abut_dot(abut_cross(w, u), across) / square, v);
    return true;
}

/* The way out of a piece (contained.h) ends where vertices pass each other. They need not face each other, so B's point is opposite A's vertex. */
static void measure_witness(const closed_pair *pair, abut_contact *contact) {
    contact->on_a = place_of(pair, 0, contact->feature_a, contact->on_a);
    contact->gap = abut_dot(contact->normal, abut_sub(contact->on_a, place_of(pair, 1, contact->feature_b, contact->on_b)));
    contact->on_b = abut_add_scaled(contact->on_a, -contact->gap, contact->normal);
}

static void measure(closed_pair *pair, abut_contact *contact) {
    if ((contact->flags & ABUT_CONTACT_WITNESS) != 0) {
        measure_witness(pair, contact);
        return;
    }
    bool edges = contact->feature_a.kind == ABUT_FEATURE_EDGE && contact->feature_b.kind == ABUT_FEATURE_EDGE;
    bool vertex_a = contact->feature_a.kind == ABUT_FEATURE_VERTEX, vertex_b = contact->feature_b.kind == ABUT_FEATURE_VERTEX;
    contact->on_a = place_of(pair, 0, contact->feature_a, contact->on_a);
    contact->on_b = place_of(pair, 1, contact->feature_b, vertex_a && !vertex_b ? contact->on_a : contact->on_b);
    contact->on_a = vertex_b && !vertex_a ? place_of(pair, 0, contact->feature_a, contact->on_b) : contact->on_a;
    bool crossing = edges && place_edges(pair, contact);
    contact->gap = abut_dot(contact->normal, abut_sub(contact->on_a, contact->on_b));
    if (crossing || !edges) {
        refine(pair, contact);
    }
    bool face = contact->feature_a.kind == ABUT_FEATURE_FACE || contact->feature_b.kind == ABUT_FEATURE_FACE;
    if (!face && !crossing && fabs(contact->gap) <= 8.0 * same_of(pair)) {
        contact->gap = 0.0; /* the direction between places that are one up to rounding errors is not known */
    }
}

void closed_pair_measure(closed_pair *pair, contact_list *list) {
    int32_t kept = 0;
    for (int32_t i = 0; i < list->count; ++i) {
        measure(pair, &list->items[i]);
        if (list->items[i].gap <= pair->margin + same_of(pair)) {
            list->items[kept] = list->items[i];
            list->items[kept].gap =
                real_min(list->items[kept].gap, pair->margin); /* corners of one patch are not lost to rounding errors */
            ++kept;
        }
    }
    list->count = kept;
}

/* ---- contacts that cannot be ---- */

static bool holds(const closed_pair *pair, int side, int32_t zone, abut_feature feature) {
    const overlap *in = &pair->in;
    const int32_t *twin = in->mesh[side]->mesh->twin;
    switch (feature.kind) {
    case ABUT_FEATURE_VERTEX:
        return overlap_has(&in->name[side], zone, feature.index);
    case ABUT_FEATURE_EDGE:
        return overlap_has(&in->side[side], zone, twin[feature.index] < feature.index ? twin[feature.index] : feature.index);
    default:
        return overlap_has(&in->triangle[side], zone, feature.index);
    }
}

static bool is_in_any(const closed_pair *pair, int side, abut_feature feature) {
    for (int32_t zone = 0; zone < pair->in.zone_count; ++zone) {
        if (holds(pair, side, zone, feature)) {
            return true;
        }
    }
    return false;
}

/* Whether a contact belongs to a zone: both its features do, or one, and the other belongs to none. */
static bool belongs(const closed_pair *pair, int32_t zone, const abut_contact *contact) {
    bool a = holds(pair, 0, zone, contact->feature_a), b = holds(pair, 1, zone, contact->feature_b);
    return (a && b) || (a && !is_in_any(pair, 1, contact->feature_b)) || (b && !is_in_any(pair, 0, contact->feature_a));
}

bool closed_pair_are_together(const closed_pair *pair, const abut_contact *p, const abut_contact *q) {
    const int32_t of_p = contained_piece_of(&pair->inside, p), of_q = contained_piece_of(&pair->inside, q);
    bool together = of_p == of_q && (of_p > 0 || pair->in.zone_count < 2);
    for (int32_t zone = 0; zone < pair->in.zone_count && of_p == 0 && of_q == 0 && !together; ++zone) {
        together = belongs(pair, zone, p) && belongs(pair, zone, q);
    }
    return together;
}

static bool is_along(abut_vec3 p, abut_vec3 q) {
    return abut_dot(p, q) > 0.0 && abut_length_squared(abut_cross(p, q)) <= FLAT_SINE * FLAT_SINE;
}

/* Whether a contact may stay in its zone: where both surfaces are convex, only with the normal of the least depth. A flat zone can have several walls. */
static bool may_stay(const closed_pair *pair, int32_t zone, const abut_contact *contact) {
    const least_way *way = &pair->way[zone];
    if (way->depth <= same_of(pair) && contact->gap >= -same_of(pair)) {
        return true;
    }
    return !is_certain(way) || (is_along(way->normal, contact->normal) && contact->gap >= -way->depth - same_of(pair) - pair->loose);
}

static bool can_be(const closed_pair *pair, const abut_contact *contact) {
    if (pair->in.pair_count == 0) {
        return contact->gap >= pair->nearest.gap - same_of(pair);
    }
    bool found = contact->gap >= 0.0;
    for (int32_t zone = 0; zone < pair->in.zone_count && contact->gap < 0.0; ++zone) {
        if (belongs(pair, zone, contact)) {
            if (may_stay(pair, zone, contact)) {
                return true;
            }
            found = false;
        }
    }
    return found;
}

void closed_pair_filter(const closed_pair *pair, contact_list *list) {
    int32_t kept = 0;
    bool apart = pair->in.pair_count == 0;
    for (int32_t i = 0; i < list->count; ++i) {
        if (can_be(pair, &list->items[i])) {
            list->items[kept] = list->items[i];
            list->items[kept].gap = apart ? real_max(list->items[kept].gap, pair->nearest.gap) : list->items[kept].gap;
            ++kept;
        }
    }
    list->count = kept;
}

/* ---- flat zones ---- */

static double slack_of(const closed_pair *pair) { return 16.0 * pair->rounding; }

static bool is_flat(const closed_pair *pair, int32_t zone, const abut_contact *contact) {
    return fabs(contact->gap) <= same_of(pair) && belongs(pair, zone, contact);
}

/* Lengthens a move until it is as long as every flat contact of a zone asks. Walls can meet in a corner; those that oppose the ones before do not count. */
static const abut_contact *move_off(const closed_pair *pair, int32_t zone, const contact_list *list, abut_vec3 *move) {
    const double slack = slack_of(pair);
    const abut_contact *first = NULL;
    *move = abut_vec3_make(0.0, 0.0, 0.0);
    for (int round = 0; round < 4; ++round) {
        for (int32_t i = 0; i < list->count; ++i) {
            const abut_contact *contact = &list->items[i];
            double along = abut_dot(*move, contact->normal), missing = slack - contact->gap - along;
            if (missing > 0.0 && along > -0.5 * slack && is_flat(pair, zone, contact)) {
                *move = abut_add_scaled(*move, missing, contact->normal);
                first = first != NULL ? first : contact;
            }
        }
    }
    return first;
}

/* Whether the contact leads out of a zone by itself. */
static bool leads_off(const closed_pair *pair, int32_t zone, const abut_contact *contact) {
    return is_flat(pair, zone, contact) &&
           overlap_ends(&pair->in, zone, abut_scale(slack_of(pair) - contact->gap, contact->normal), pair->rounding);
}

/* A flat contact by which a zone is flat: all of them together lead out, or that one does. */
static const abut_contact *find_off(const closed_pair *pair, int32_t zone, const contact_list *list) {
    abut_vec3 move;
    const abut_contact *first = move_off(pair, zone, list, &move), *asked = NULL;
    if (first == NULL || overlap_ends(&pair->in, zone, move, pair->rounding)) {
        return first;
    }
    for (int32_t i = 0; i < list->count; ++i) {
        const abut_contact *contact = &list->items[i];
        bool again = asked != NULL && is_along(asked->normal, contact->normal);
        if (!again && leads_off(pair, zone, contact)) {
            return contact;
        }
        asked = is_flat(pair, zone, contact) ? contact : asked;
    }
    return NULL;
}

void closed_pair_find_flat(closed_pair *pair, const contact_list *list) {
    for (int32_t zone = 0; zone < pair->in.zone_count; ++zone) {
        const abut_contact *contact = is_certain(&pair->way[zone]) ? NULL : find_off(pair, zone, list);
        if (contact != NULL) {
            pair->way[zone] = (least_way){.depth = real_max(-contact->gap, DBL_MIN),
                                          .normal = contact->normal,
                                          .on_a = contact->on_a,
                                          .on_b = contact->on_b,
                                          .feature_a = contact->feature_a,
                                          .feature_b = contact->feature_b};
        }
    }
}

/* ---- whether contacts lead out ---- */

/*
 * Lengthens a move until it is as long as every contact of a zone asks that is deeper than `least`, and by that part longer. False if the contacts are opposed,
 * or there are none.
 */
static bool move_out(const closed_pair *pair, int32_t zone, const contact_list *list, double least, double part, abut_vec3 *move) {
    const double slack = slack_of(pair);
    bool any = false;
    *move = abut_vec3_make(0.0, 0.0, 0.0);
    for (int round = 0; round < 32; ++round) {
        bool out = true;
        for (int32_t i = 0; i < list->count; ++i) {
            const abut_contact *contact = &list->items[i];
            if (contact->gap < -least && belongs(pair, zone, contact)) {
                double missing = -contact->gap * (1.0 + part) + slack - abut_dot(*move, contact->normal);
                *move = missing > 0.0 ? abut_add_scaled(*move, missing, contact->normal) : *move;
                out = out && missing <= 0.5 * slack - part * contact->gap;
                any = true;
            }
        }
        if (out) {
            return any;
        }
    }
    return false;
}

static bool has_overlap(const closed_pair *pair, int32_t zone, const contact_list *list, double least) {
    for (int32_t i = 0; i < list->count; ++i) {
        if (list->items[i].gap < -least && belongs(pair, zone, &list->items[i])) {
            return true;
        }
    }
    return false;
}

/*
 * Whether the contacts of a zone that are deeper than `least` lead out of it, or are opposed, or there are none. opposed: receives whether one of the
 * latter two is so.
 */
static bool lead_out(const closed_pair *pair, int32_t zone, const contact_list *list, double least, bool *opposed) {
    const double part[2] = {1e-9, 0.0};
    abut_vec3 move;
    bool out = false;
    for (int i = 0; i < 2 && !out; ++i) {
        *opposed = !move_out(pair, zone, list, least, part[i], &move);
        out = *opposed || overlap_ends(&pair->in, zone, move, pair->rounding);
    }
    return out;
}

/*
 * Whether contacts lead out of a zone. Beyond a zone in a tight hole, the other wall leaves no room for more than rounding errors. Flush walls can oppose each
 * other, or a way out. Then the deeper contacts tell.
 */
static bool leads_zone_out(const closed_pair *pair, int32_t zone, const contact_list *list) {
    bool opposed, out = lead_out(pair, zone, list, 0.0, &opposed);
    return out && (!opposed || lead_out(pair, zone, list, same_of(pair), &opposed));
}

static double deepest_in(const closed_pair *pair, int32_t zone, const contact_list *list) {
    double depth = 0.0;
    for (int32_t i = 0; i < list->count; ++i) {
        depth = belongs(pair, zone, &list->items[i]) ? real_max(depth, -list->items[i].gap) : depth;
    }
    return depth;
}

bool closed_pair_leads_out(closed_pair *pair, const contact_list *list) {
    const double longer = 1.01; /* ways that are longer by less may stay */
    bool out = true;
    for (int32_t zone = 0; zone < pair->in.zone_count; ++zone) {
        if (is_certain(&pair->way[zone])) {
            continue;
        }
        double most = leads_zone_out(pair, zone, list) ? deepest_in(pair, zone, list) / longer : INFINITY;
        least_way way = most > same_of(pair) ? mesh_least_exit(&pair->in, zone, most, pair->rounding) : (least_way){.depth = INFINITY};
        if (is_certain(&way)) {
            pair->way[zone] = way;
            out = false;
        }
    }
    return out;
}

bool closed_pair_is_left(const closed_pair *pair, const contact_list *list) {
    const double least = 4.0 * same_of(pair);
    bool out = true, opposed;
    for (int32_t zone = 0; zone < pair->in.zone_count && out; ++zone) {
        out = has_overlap(pair, zone, list, least) && lead_out(pair, zone, list, least, &opposed);
    }
    return out;
}

/* ---- contacts that are missing ---- */

/* Puts a contact in the place of those at the same place that are less deep. */
static void put(const closed_pair *pair, const abut_contact *contact, contact_list *list) {
    int32_t kept = 0;
    for (int32_t i = 0; i < list->count; ++i) {
        const abut_contact *other = &list->items[i];
        bool here = is_along(other->normal, contact->normal) && other->gap > contact->gap + same_of(pair) &&
                    abut_distance_between(other->on_b, contact->on_b) <= pair->weld;
        if (!here) {
            list->items[kept++] = list->items[i];
        }
    }
    list->count = kept;
    abut_contact added = *contact;
    added.patch = list->count;
    contact_list_add(list, &added);
}

/* Whether there is a contact in a zone that is as deep as the least depth. */
static bool is_told(const closed_pair *pair, int32_t zone, const contact_list *list, double depth) {
    for (int32_t i = 0; i < list->count; ++i) {
        const abut_contact *contact = &list->items[i];
        if (contact->gap < 0.0 && contact->gap <= -depth + same_of(pair) + pair->loose && belongs(pair, zone, contact)) {
            return true;
        }
    }
    return false;
}

/* The two triangles that are deepest in each other. */
static void put_triangles(const closed_pair *pair, int32_t zone, contact_list *list) {
    abut_contact deepest = {.gap = 0.0};
    for (int32_t i = 0; i < pair->in.pair_count; ++i) {
        const overlap_pair *at = &pair->in.pair[i];
        if (at->zone != zone) {
            continue;
        }
        abut_vec3 corner[2][3];
        triangles_gap gap;
        corners_of(pair, 0, at->index[0], corner[0]);
        corners_of(pair, 1, at->index[1], corner[1]);
        triangles_closest(corner[0], corner[1], &gap);
        triangles_set_direction(corner[0], corner[1], &gap);
        if (gap.along < deepest.gap) {
            deepest = (abut_contact){.on_a = abut_add_scaled(gap.on_p, 0.5 * gap.along, gap.normal),
                                     .on_b = abut_add_scaled(gap.on_p, -0.5 * gap.along, gap.normal),
                                     .normal = gap.normal,
                                     .gap = gap.along,
                                     .feature_a = {.kind = ABUT_FEATURE_FACE, .index = at->index[0], .part = pair->side[0]->mesh[0].part},
                                     .feature_b = {.kind = ABUT_FEATURE_FACE, .index = at->index[1], .part = pair->side[1]->mesh[0].part},
                                     .flags = ABUT_CONTACT_NORMAL_CHOSEN};
        }
    }
    if (deepest.gap < 0.0) {
        put(pair, &deepest, list);
    }
}

static void complete_zone(const closed_pair *pair, int32_t zone, contact_list *list) {
    least_way way = pair->way[zone];
    bool certain = is_certain(&way);
    if (is_told(pair, zone, list, certain ? way.depth : 0.0)) {
        return;
    }
    way = certain ? way : mesh_least_exit(&pair->in, zone, INFINITY, pair->rounding);
    way = way.depth < INFINITY ? way : mesh_least_way(&pair->in, zone, false, pair->rounding);
    if (!(way.depth < INFINITY)) {
        put_triangles(pair, zone, list);
        return;
    }
    abut_contact contact = {.on_a = way.on_a,
                            .on_b = way.on_b,
                            .normal = way.normal,
                            .gap = -way.depth,
                            .feature_a = way.feature_a,
                            .feature_b = way.feature_b,
                            .flags = certain ? 0 : ABUT_CONTACT_NORMAL_CHOSEN};
    put(pair, &contact, list);
}

void closed_pair_complete(const closed_pair *pair, contact_list *list) {
    for (int32_t zone = 0; zone < pair->in.zone_count; ++zone) {
        complete_zone(pair, zone, list);
    }
    if (pair->in.pair_count > 0 || !(pair->nearest.gap <= pair->margin + same_of(pair))) {
        return;
    }
    bool told = false;
    for (int32_t i = 0; i < list->count; ++i) {
        told = told || list->items[i].gap <= pair->nearest.gap + same_of(pair);
    }
    if (!told) {
        put(pair, &pair->nearest, list);
    }
}
