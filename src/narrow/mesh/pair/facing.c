/* Contacts across a gap: see facing.h. Set frame. */
#include "narrow/mesh/pair/facing.h"

#include "narrow/mesh/pair/features.h"

/* What the triangles at a point of a surface allow for a normal there. */
typedef struct stance {
    bool rises; /* one rises above it */
    bool faced; /* one shows its front or its border */
} stance;

static stance stance_at(mesh_facing *work, int side, abut_vec3 point, abut_vec3 normal, double sine) {
    const mesh_surface *surface = &work->side[side];
    mesh_set set;
    stance at = {false, false};
    mesh_surface_gather(surface, point, surface->same, &set);
    for (int32_t i = 0; i < set.count; ++i) {
        const mesh_triangle *t = &set.items[i];
        if (mesh_set_holds(t, point, surface->same)) {
            at.rises = at.rises || mesh_set_rises(t, point, normal, surface->same, sine);
            at.faced = at.faced || t->two_sided || abut_dot(t->normal, normal) >= -FLAT_SINE;
        }
    }
    work->out_of_memory = work->out_of_memory || set.out_of_memory;
    mesh_set_free(&set);
    return at;
}

static bool admits(mesh_facing *work, int side, abut_vec3 point, abut_vec3 normal, double sine) {
    stance at = stance_at(work, side, point, normal, sine);
    return at.faced && !at.rises;
}

/* At the nearest point of a surface nothing rises but by rounding. */
static bool shows_front(mesh_facing *work, int side, const mesh_triangle *t, abut_vec3 point, abut_vec3 normal) {
    return t->two_sided || stance_at(work, side, point, normal, 0.0).faced;
}

/* The features that a contact is between; gap: of A's triangle as P. */
static void add(mesh_facing *work, const triangles_gap *gap, abut_feature a, abut_feature b) {
    abut_contact contact = {.on_a = gap->on_p,
                            .on_b = gap->on_q,
                            .normal = gap->normal,
                            .gap = gap->distance,
                            .feature_a = a,
                            .feature_b = b,
                            .patch = work->found->count};
    contact_list_add(work->found, &contact);
}

static bool is_in_reach(const mesh_facing *work, const triangles_gap *gap) {
    return gap->relation == TRIANGLES_APART && gap->distance <= work->margin;
}

/* ---- vertices ---- */

static triangles_gap turned(const triangles_gap *gap) {
    triangles_gap back = *gap;
    back.on_p = gap->on_q;
    back.on_q = gap->on_p;
    back.normal = abut_neg(gap->normal);
    return back;
}

/* At a flat joint the contact is named after the face, because a sliding body may pass the joint. */
static abut_feature feature_along(const mesh_triangle *t, const double weight[3], abut_vec3 normal) {
    bool own = !t->flat && abut_length_squared(abut_cross(normal, t->normal)) <= FLAT_SINE * FLAT_SINE;
    return own ? (abut_feature){.kind = ABUT_FEATURE_FACE, .index = t->index, .part = t->part} : mesh_nearest_feature(t, weight);
}

static void face_with_vertex(mesh_facing *work, int side, const near_vertex *v) {
    const mesh_surface *own = &work->side[side], *other = &work->side[1 - side];
    const abut_vec3 place[3] = {v->place, v->place, v->place};
    mesh_point at;
    triangles_gap gap;
    if (!mesh_point_find(other, v->place, work->margin + other->same, &at)) {
        return;
    }
    triangles_closest(place, at.nearest.corner, &gap);
    if (!is_in_reach(work, &gap) || !admits(work, side, v->place, abut_neg(gap.normal), work->feature_sine) ||
        !admits(work, 1 - side, gap.on_q, gap.normal, work->feature_sine)) {
        return;
    }
    abut_feature vertex = {.kind = ABUT_FEATURE_VERTEX, .index = v->vertex, .part = own->mesh[v->mesh].part};
    abut_feature opposite = feature_along(&at.nearest, gap.weight_q, gap.normal);
    triangles_gap back = turned(&gap);
    add(work, side == 0 ? &gap : &back, side == 0 ? vertex : opposite, side == 0 ? opposite : vertex);
}

/* ---- edges ---- */

static void face_with_edges(mesh_facing *work, const near_edge *a, const near_edge *b) {
    const abut_vec3 p[3] = {a->from, a->to, a->to}, q[3] = {b->from, b->to, b->to};
    triangles_gap gap;
    if (!near_edges_meet(a, b, work->margin)) {
        return;
    }
    triangles_closest(p, q, &gap);
    bool ends_p = gap.weight_p[0] == 0.0 || gap.weight_p[0] == 1.0, ends_q = gap.weight_q[0] == 0.0 || gap.weight_q[0] == 1.0;
    if (is_in_reach(work, &gap) && !ends_p && !ends_q && admits(work, 0, gap.on_p, abut_neg(gap.normal), FLAT_SINE) &&
        admits(work, 1, gap.on_q, gap.normal, FLAT_SINE)) {
        add(work, &gap, a->feature, b->feature);
    }
}

/* ---- all ---- */

void mesh_facing_nearest(mesh_facing *work, const mesh_nearest *nearest) {
    const triangles_gap *gap = &nearest->gap;
    if (is_in_reach(work, gap) && shows_front(work, 0, &nearest->a, gap->on_p, abut_neg(gap->normal)) &&
        shows_front(work, 1, &nearest->b, gap->on_q, gap->normal)) {
        add(work, gap, mesh_nearest_feature(&nearest->a, gap->weight_p), mesh_nearest_feature(&nearest->b, gap->weight_q));
    }
}

void mesh_facing_find(mesh_facing *work) {
    mesh_features near[2] = {{0}, {0}};
    for (int side = 0; side < 2; ++side) {
        mesh_features_find(&near[side], &work->side[side], &work->side[1 - side], 0.0, work->margin);
        work->out_of_memory = work->out_of_memory || near[side].out_of_memory;
    }
    for (int side = 0; side < 2; ++side) {
        for (int32_t i = 0; i < near[side].vertex_count && !work->out_of_memory; ++i) {
            face_with_vertex(work, side, &near[side].vertex[i]);
        }
    }
    for (int32_t i = 0; i < near[0].edge_count && !work->out_of_memory; ++i) {
        for (int32_t k = 0; k < near[1].edge_count; ++k) {
            face_with_edges(work, &near[0].edge[i], &near[1].edge[k]);
        }
    }
    mesh_features_free(&near[0]);
    mesh_features_free(&near[1]);
}
