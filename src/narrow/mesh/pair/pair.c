/* Contacts of two surfaces from vertices and outer edges: see pair.h. Set frame. */
#include "narrow/mesh/pair/pair.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/real.h"
#include "narrow/mesh/pair/closed.h"
#include "narrow/mesh/pair/cross.h"
#include "narrow/mesh/pair/features.h"
#include "narrow/mesh/pair/mixed.h"
#include "narrow/mesh/pair/open.h"
#include "narrow/mesh/pair/shrunk.h"
#include "narrow/mesh/patch.h"

typedef struct pair_work {
    mesh_surface side[2]; /* A, B */
    mesh_features near[2];
    const mesh_pair_settings *settings;
    closed_pair *closed; /* two closed meshes: what is exact; NULL for others */
    double deepest;      /* upper bound of the length of a way out [length] */
    contact_list *found;
    bool inside; /* some vertex of one surface is inside the other */
    bool out_of_memory;
} pair_work;

/* ---- vertices ---- */

/* Whether two normals are so near each other that no third one between them is another way than either. */
static bool is_one_way(abut_vec3 p, abut_vec3 q) {
    const double near = 0.25 * FLAT_SINE;
    return abut_length_squared(abut_sub(p, q)) <= near * near;
}

static bool admits(pair_work *work, int side, abut_vec3 point, abut_vec3 normal, double sine) {
    return mesh_surface_admits(&work->side[side], point, normal, sine, &work->out_of_memory);
}

/* At a flat joint the contact is named after the face, because a sliding body may pass the joint. */
static abut_feature feature_along(const mesh_triangle *t, abut_feature feature, abut_vec3 normal) {
    bool own = abut_length_squared(abut_cross(normal, t->normal)) <= FLAT_SINE * FLAT_SINE;
    return own && !t->flat ? (abut_feature){.kind = ABUT_FEATURE_FACE, .index = t->index, .part = t->part} : feature;
}

/* normal: the normal of the other surface, towards the vertex. */
static void add_vertex_contact(pair_work *work, int side, abut_feature vertex, abut_vec3 place, abut_feature other, abut_vec3 normal,
                               double gap) {
    abut_vec3 on_other = abut_add_scaled(place, -gap, normal);
    abut_contact contact = {.on_a = place,
                            .on_b = on_other,
                            .normal = normal,
                            .gap = gap,
                            .feature_a = vertex,
                            .feature_b = other,
                            .patch = work->found->count};
    if (side == 1) {
        contact.on_a = on_other;
        contact.on_b = place;
        contact.normal = abut_neg(normal);
        contact.feature_a = other;
        contact.feature_b = vertex;
    }
    contact_list_add(work->found, &contact);
}

/* Whether a vertex is straight over or under a triangle of the other surface, and its own surface admits that normal. */
static bool may_touch_face(pair_work *work, int side, abut_vec3 place, const mesh_triangle *t, double sine) {
    double weight[3];
    abut_vec3 foot = abut_add_scaled(place, -mesh_set_height(t, place), t->normal);
    return abut_distance_between(foot, mesh_set_closest(t, place, weight)) <= work->settings->same &&
           admits(work, side, place, abut_neg(t->normal), sine);
}

/* The shortest way out of the other surface for a vertex, among the ways that lead straight through a face and whose normal the vertex's
 * own surface admits. */
static bool other_way_out(pair_work *work, int side, abut_vec3 place, mesh_triangle *through, double *gap) {
    const mesh_surface *other = &work->side[1 - side];
    mesh_set set;
    mesh_surface_gather(other, place, work->deepest, &set);
    double least = work->deepest;
    bool found = false;
    for (int32_t i = 0; i < set.count; ++i) {
        const mesh_triangle *t = &set.items[i];
        double depth = -mesh_set_height(t, place);
        if (!t->flat && depth >= 0.0 && depth <= least && may_touch_face(work, side, place, t, work->settings->feature_sine)) {
            *through = *t;
            *gap = -depth;
            least = depth;
            found = true;
        }
    }
    work->out_of_memory = work->out_of_memory || set.out_of_memory;
    mesh_set_free(&set);
    return found;
}

/* Whether a place at the end of a mesh lies below a face by a small depth, where another mesh of the surface goes on. */
static bool is_hidden(const pair_work *work, int side, const near_vertex *v, int32_t part, double depth) {
    const double most_sunk = 0.05;
    const mesh_surface *other = &work->side[1 - side];
    const placed_mesh *from = &work->side[side].mesh[v->mesh];
    const double limit = depth + 2.0 * other->same;
    bool hidden = false;
    if (depth > most_sunk * work->settings->size) {
        return false;
    }
    box_hits near;
    mesh_among_find(other, v->place, limit, &near);
    for (int32_t i = 0; i < near.count && !hidden; ++i) {
        const mesh_surface beside = {&other->mesh[box_hits_item(&near, i)], 1, .same = other->same};
        sounding s;
        hidden = beside.mesh->part != part && mesh_surface_sound_within(&beside, from, v->place, limit, &s) && s.gap <= limit;
    }
    return hidden;
}

static void add_face_contact(pair_work *work, int side, const near_vertex *v, const mesh_triangle *face, double gap) {
    abut_feature vertex = {.kind = ABUT_FEATURE_VERTEX, .index = v->vertex, .part = work->side[side].mesh[v->mesh].part};
    abut_feature other = {.kind = ABUT_FEATURE_FACE, .index = face->index, .part = face->part};
    add_vertex_contact(work, side, vertex, v->place, other, face->normal, gap);
}

/* A vertex outside a corner of the other solid is near several faces: those beside the closest one. */
static void touch_other_faces(pair_work *work, int side, const near_vertex *v, abut_vec3 closest_normal) {
    const double same = work->settings->same, margin = work->settings->margin;
    mesh_set set;
    mesh_surface_gather(&work->side[1 - side], v->place, margin, &set);
    for (int32_t i = 0; i < set.count; ++i) {
        const mesh_triangle *t = &set.items[i];
        double height = mesh_set_height(t, v->place);
        if (!t->flat && height > same && height <= margin && !is_one_way(t->normal, closest_normal) &&
            may_touch_face(work, side, v->place, t, work->settings->feature_sine)) {
            add_face_contact(work, side, v, t, height);
        }
    }
    work->out_of_memory = work->out_of_memory || set.out_of_memory;
    mesh_set_free(&set);
}

static void touch_with_vertex(pair_work *work, int side, const near_vertex *v) {
    const placed_mesh *mesh = &work->side[side].mesh[v->mesh];
    abut_feature vertex = {.kind = ABUT_FEATURE_VERTEX, .index = v->vertex, .part = mesh->part};
    sounding s;
    /* Between closed meshes no vertex is deeper than the shortest way out. */
    double limit = work->closed != NULL ? real_max(work->settings->margin, work->deepest) + 4.0 * work->settings->same : INFINITY;
    if (!mesh_surface_sound_within(&work->side[1 - side], mesh, v->place, limit, &s) || s.gap > work->settings->margin) {
        return;
    }
    work->inside = work->inside || s.gap < -work->settings->same;
    if (work->closed != NULL && s.gap > work->settings->same) {
        touch_other_faces(work, side, v, s.normal);
    }
    if (admits(work, side, v->place, abut_neg(s.normal), work->settings->feature_sine)) {
        add_vertex_contact(work, side, vertex, v->place, feature_along(&s.at.nearest, s.at.feature, s.normal), s.normal, s.gap);
        return;
    }
    mesh_triangle through;
    double gap;
    bool inside = s.gap < -work->settings->same, at_end = s.gap <= work->settings->same || s.at.on_rim;
    bool on_joint = !inside && at_end && work->side[1 - side].count > 1;
    if ((inside || on_joint) && other_way_out(work, side, v->place, &through, &gap) &&
        (inside || is_hidden(work, side, v, s.at.nearest.part, -gap))) {
        add_face_contact(work, side, v, &through, gap);
    }
}

/* ---- edges that cross ---- */

/* The points where two edges cross, seen along the common perpendicular. False if they are parallel or do not cross. */
static bool cross_edges(const near_edge *a, const near_edge *b, double same, abut_vec3 *across, abut_vec3 *on_a, abut_vec3 *on_b) {
    abut_vec3 u = abut_sub(a->to, a->from), v = abut_sub(b->to, b->from), w = abut_sub(b->from, a->from);
    *across = abut_cross(u, v);
    double square = abut_length_squared(*across), uu = abut_length_squared(u), vv = abut_length_squared(v);
    if (square <= FLAT_SINE * FLAT_SINE * uu * vv) {
        return false;
    }
    double s = abut_dot(abut_cross(w, v), *across) / square, t = abut_dot(abut_cross(w, u), *across) / square;
    double more_s = same / sqrt(uu), more_t = same / sqrt(vv);
    if (s < -more_s || s > 1.0 + more_s || t < -more_t || t > 1.0 + more_t) {
        return false;
    }
    *on_a = abut_lerp(a->from, a->to, s);
    *on_b = abut_lerp(b->from, b->to, t);
    *across = abut_unit(*across);
    return true;
}

static bool wing_rises(const near_edge *edge, abut_vec3 point, abut_vec3 normal, double same) {
    abut_vec3 way = abut_sub(edge->wing, point);
    double height = abut_dot(normal, way);
    return height > same && height * height > FLAT_SINE * FLAT_SINE * abut_length_squared(way);
}

/* Whether a point on the edge `of` lies inside or on the surface of the given side. */
static bool is_in(const pair_work *work, int side, const near_edge *of, abut_vec3 point) {
    sounding s;
    return mesh_surface_sound(&work->side[side], of->of, point, &s) && s.gap <= work->settings->same;
}

/* Whether two edges that cross may touch with that normal. */
static bool may_touch(pair_work *work, const near_edge *a, const near_edge *b, const abut_contact *contact) {
    const double same = work->settings->same;
    if (contact->gap > work->settings->margin || contact->gap < -work->deepest || wing_rises(b, contact->on_b, contact->normal, same) ||
        wing_rises(a, contact->on_a, abut_neg(contact->normal), same)) {
        return false;
    }
    if (!admits(work, 0, contact->on_a, abut_neg(contact->normal), FLAT_SINE) ||
        !admits(work, 1, contact->on_b, contact->normal, FLAT_SINE)) {
        return false;
    }
    return contact->gap >= -same || is_in(work, 1, a, contact->on_a) || is_in(work, 0, b, contact->on_b);
}

/* Both directions of the normal are tried: the wings of edges whose faces are perpendicular to it do not tell. */
static void touch_with_edges(pair_work *work, const near_edge *a, const near_edge *b) {
    abut_contact contact = {.feature_a = a->feature, .feature_b = b->feature, .patch = work->found->count};
    if (!cross_edges(a, b, work->settings->same, &contact.normal, &contact.on_a, &contact.on_b)) {
        return;
    }
    for (int turn = 0; turn < 2; ++turn) {
        contact.gap = abut_dot(contact.normal, abut_sub(contact.on_a, contact.on_b));
        if (may_touch(work, a, b, &contact)) {
            contact_list_add(work->found, &contact);
            return;
        }
        contact.normal = abut_neg(contact.normal);
    }
}

static bool are_near(const near_edge *a, const near_edge *b, double reach) {
    const double *af = &a->from.x, *at = &a->to.x, *bf = &b->from.x, *bt = &b->to.x;
    for (int i = 0; i < 3; ++i) {
        if (real_min(af[i], at[i]) > real_max(bf[i], bt[i]) + reach || real_min(bf[i], bt[i]) > real_max(af[i], at[i]) + reach) {
            return false;
        }
    }
    return true;
}

static void touch_with_all_edges(pair_work *work) {
    const mesh_features *a = &work->near[0], *b = &work->near[1];
    double reach = work->deepest + work->settings->margin;
    for (int32_t i = 0; i < a->edge_count && !work->out_of_memory; ++i) {
        for (int32_t j = 0; j < b->edge_count; ++j) {
            if (are_near(&a->edge[i], &b->edge[j], reach)) {
                touch_with_edges(work, &a->edge[i], &b->edge[j]);
            }
        }
    }
}

/* ---- all contacts together ---- */

/* Whether moving A along one contact's normal by its depth also resolves the other contact. */
static bool takes_out_of(const pair_work *work, const abut_contact *way, const abut_contact *other) {
    const double rounding = 2.0 * work->settings->same;
    abut_vec3 move = abut_scale(-way->gap + rounding, way->normal);
    sounding s;
    const mesh_surface *a = &work->side[0], *b = &work->side[1];
    bool a_in = mesh_surface_sound(b, a->mesh, abut_add(other->on_a, move), &s) && s.gap < -rounding;
    bool b_in = mesh_surface_sound(a, b->mesh, abut_sub(other->on_b, move), &s) && s.gap < -rounding;
    return !a_in && !b_in;
}

static int by_gap(const void *left, const void *right) {
    const abut_contact *p = left, *q = right;
    return p->gap != q->gap ? (p->gap > q->gap ? -1 : 1) : (p->patch > q->patch) - (p->patch < q->patch);
}

/* Whether the normals differ by more than the places of the contacts, which are as wide as `same`, can turn them. */
static bool is_other_way(const abut_contact *p, const abut_contact *q, double same) {
    double sine = abut_length(abut_cross(p->normal, q->normal)), depth = real_max(-p->gap, -q->gap);
    return abut_dot(p->normal, q->normal) <= 0.0 || (sine > FLAT_SINE && sine * depth > same);
}

/* Contacts that were kept, in runs that have one normal: most lie on a floor, and none of them is another way for the next. */
typedef struct kept_contacts {
    abut_contact *items; /* [count] */
    int32_t count;
    int32_t *run_end; /* [count] at the first contact of a run: its end; at others 0 */
    int32_t run;      /* the last run's first contact */
} kept_contacts;

static void keep(kept_contacts *kept, const abut_contact *contact) {
    bool begins = kept->count == 0 || !is_one_way(kept->items[kept->run].normal, contact->normal);
    kept->run = begins ? kept->count : kept->run;
    kept->run_end[kept->count] = 0;
    kept->items[kept->count++] = *contact;
    kept->run_end[kept->run] = kept->count;
}

/* Whether a shorter way out resolves the contact. */
static bool is_settled(const pair_work *work, const kept_contacts *kept, const abut_contact *contact) {
    const double same = work->settings->same;
    const abut_contact *asked = NULL;
    bool settled = false;
    for (int32_t k = 0; k < kept->count && contact->gap < -2.0 * same && !settled;) {
        const abut_contact *way = &kept->items[k];
        if (kept->run_end[k] > 0 && is_one_way(way->normal, contact->normal)) {
            k = kept->run_end[k];
            continue;
        }
        bool again = asked != NULL && asked->gap == way->gap && !is_other_way(asked, way, same);
        if (way->gap < 0.0 && !again && is_other_way(way, contact, same)) {
            settled = takes_out_of(work, way, contact);
            asked = way;
        }
        ++k;
    }
    return settled;
}

/* Processes contacts by increasing depth. A contact that a shorter way out resolves is dropped. */
static void settle(pair_work *work) {
    contact_list *list = work->found;
    if (list->count < 2) {
        return;
    }
    qsort(list->items, (size_t)list->count, sizeof *list->items, by_gap);
    kept_contacts kept = {.items = list->items, .run_end = memory_allocate((size_t)list->count, sizeof *kept.run_end)};
    work->out_of_memory = work->out_of_memory || kept.run_end == NULL;
    for (int32_t i = 0; i < list->count && kept.run_end != NULL; ++i) {
        const abut_contact contact = list->items[i];
        if (!is_settled(work, &kept, &contact)) {
            keep(&kept, &contact);
        }
    }
    list->count = kept.count;
    memory_release(kept.run_end);
}

/* ---- upper bound of the way out ---- */

/* The extent of a mesh's bounds along a direction. */
static void span_of(const placed_mesh *mesh, abut_vec3 direction, double *lower, double *upper) {
    const packed_tree *tree = &mesh->mesh->tree;
    const packed_node *root = &tree->node[0];
    abut_vec3 d = abut_mat3_apply_transposed(mesh->rotation, direction);
    double unit = 1.0 / tree->scale, along = abut_dot(d, abut_sub(tree->middle, mesh->centre));
    const double c[3] = {d.x, d.y, d.z};
    *lower = *upper = along;
    for (int i = 0; i < 3; ++i) {
        double p = unit * c[i] * (double)root->lower[i], q = unit * c[i] * (double)root->upper[i];
        *lower += real_min(p, q);
        *upper += real_max(p, q);
    }
}

/* The shortest translation along an axis of either bounding box that separates the two. Negative: the distance between them. */
static double longest_way_out(const placed_mesh *a, const placed_mesh *b) {
    const abut_vec3 axis[6] = {a->rotation.x, a->rotation.y, a->rotation.z, b->rotation.x, b->rotation.y, b->rotation.z};
    double least = INFINITY;
    for (int i = 0; i < 6; ++i) {
        double a_lower, a_upper, b_lower, b_upper;
        span_of(a, axis[i], &a_lower, &a_upper);
        span_of(b, axis[i], &b_lower, &b_upper);
        least = real_min(least, real_min(a_upper - b_lower, b_upper - a_lower));
    }
    return least;
}

static bool are_bounds_near(pair_work *work) {
    double sum = 0.0;
    bool near = false;
    for (int32_t i = 0; i < work->side[1].count; ++i) {
        double way = longest_way_out(&work->side[0].mesh[0], &work->side[1].mesh[i]);
        near = near || way >= -work->settings->margin - work->settings->same;
        sum += real_max(way, 0.0);
    }
    work->deepest = sum + work->settings->same;
    return near;
}

static void copy(const contact_list *from, contact_list *to) {
    to->count = 0;
    for (int32_t i = 0; i < from->count; ++i) {
        contact_list_add(to, &from->items[i]);
    }
}

/* Contacts of closed meshes must lead out of every zone, and not only their own features out of the other surface. */
static void settle_closed(pair_work *work) {
    contact_list *found = work->found, all;
    closed_pair_refine(work->closed, found);
    closed_pair_find_flat(work->closed, found);
    closed_pair_filter(work->closed, found);
    contact_list_init(&all, found->order, found->aside);
    if (work->closed->in.zone_count > 0) {
        copy(found, &all);
    }
    settle(work);
    if (work->closed->in.zone_count > 0 && !all.out_of_memory && !closed_pair_leads_out(work->closed, found)) {
        copy(&all, found);
        closed_pair_filter(work->closed, found);
        settle(work);
    }
    closed_pair_complete(work->closed, found);
    work->out_of_memory = work->out_of_memory || all.out_of_memory;
    contact_list_free(&all);
}

static void touch(pair_work *work) {
    work->inside = false;
    for (int side = 0; side < 2; ++side) {
        mesh_features_free(&work->near[side]);
        mesh_features_find(&work->near[side], &work->side[side], &work->side[1 - side], work->deepest, work->settings->margin);
        work->out_of_memory = work->out_of_memory || work->near[side].out_of_memory;
    }
    for (int side = 0; side < 2; ++side) {
        for (int32_t i = 0; i < work->near[side].vertex_count && !work->out_of_memory; ++i) {
            touch_with_vertex(work, side, &work->near[side].vertex[i]);
        }
    }
    touch_with_all_edges(work);
    contact_list *found = work->found;
    if (work->closed != NULL) {
        settle_closed(work);
    } else {
        settle(work);
    }
    bool open = found->count == 0 || (work->inside && !(found->items[found->count - 1].gap < 0.0));
    if (open && !work->out_of_memory && !mesh_cross(&work->side[0], &work->side[1], work->settings->weld, found)) {
        work->out_of_memory = true;
    }
}

/* ---- two solids ---- */

static closed_pair closed_of(const pair_work *work, const mesh_pair_settings *settings) {
    return (closed_pair){
        .side = {&work->side[0], &work->side[1]}, .margin = settings->margin, .weld = settings->weld, .rounding = settings->rounding};
}

/* settings: those of the pair, with the tolerances of closed meshes. */
static void touch_examined(pair_work *work, closed_pair *closed, const mesh_pair_settings *settings) {
    const mesh_pair_settings *asked = work->settings;
    const double deepest = work->deepest;
    if (closed->near && !closed->out_of_memory) {
        work->closed = closed;
        work->settings = settings;
        work->deepest = real_min(deepest, closed->deepest + 2.0 * settings->same);
        touch(work);
        work->closed = NULL;
        work->settings = asked;
        work->deepest = deepest;
    }
    work->out_of_memory = work->out_of_memory || closed->out_of_memory;
}

/* Finds the contacts of the shrunk solids, and measures them at the features of the original ones. */
static void touch_shrunk(pair_work *work, closed_pair *closed, const mesh_pair_settings *settings) {
    const double by = 2.0 * settings->same;
    const mesh_surface original[2] = {work->side[0], work->side[1]};
    mesh_pair_settings wider = *settings;
    shrunk_mesh shrunk[2] = {{.placed.part = 0}};
    wider.margin += 4.0 * by;
    if (!shrunk_mesh_make(&shrunk[0], original[0].mesh, by) || !shrunk_mesh_make(&shrunk[1], original[1].mesh, 2.0 * by)) {
        work->out_of_memory = true;
    } else {
        work->side[0].mesh = &shrunk[0].placed;
        work->side[1].mesh = &shrunk[1].placed;
        closed_pair between = closed_of(work, &wider);
        closed_pair_examine(&between);
        touch_examined(work, &between, &wider);
        closed_pair_free(&between);
        work->side[0] = original[0];
        work->side[1] = original[1];
        closed_pair_measure(closed, work->found);
    }
    shrunk_mesh_free(&shrunk[0]);
    shrunk_mesh_free(&shrunk[1]);
}

/* Negative where all contacts have gaps, -INFINITY without any. */
static double depth_of(const contact_list *list) {
    double depth = -INFINITY;
    for (int32_t i = 0; i < list->count; ++i) {
        depth = real_max(depth, -list->items[i].gap);
    }
    return depth;
}

/*
 * Two solids that lie flush. Rounding errors decide there what crosses what: a depth can be that of a whole body, and a patch can lack corners. Both solids
 * are therefore shrunk, by different lengths, so that what lies flush comes apart. If they overlap elsewhere, the original solids are asked as well. The
 * contacts of the shrunk ones count if both depths agree, or if the original ones tell a depth more than twice as large.
 */
static void touch_flush(pair_work *work, closed_pair *closed, const mesh_pair_settings *settings) {
    const double leap = 2.0;
    contact_list shrunk;
    contact_list_init(&shrunk, work->found->order, work->found->aside);
    touch_shrunk(work, closed, settings);
    double deep = depth_of(work->found);
    if ((closed->in.zone_count > 0 || deep > settings->same) && !work->out_of_memory) {
        copy(work->found, &shrunk);
        work->found->count = 0;
        touch_examined(work, closed, settings);
        double original = depth_of(work->found);
        if (fabs(deep - original) <= settings->same || (deep >= -settings->same && original > leap * real_max(deep, settings->same))) {
            copy(&shrunk, work->found);
        }
    } else if (closed->near) {
        closed_pair_complete(closed, work->found);
    }
    work->out_of_memory = work->out_of_memory || shrunk.out_of_memory;
    contact_list_free(&shrunk);
}

/* Two closed meshes share vertices and not only places, so that only rounding error is the same place. */
static void touch_closed(pair_work *work) {
    const double places = 32.0;
    mesh_pair_settings settings = *work->settings;
    settings.rounding = 0.25 * (settings.rounding + work->side[0].mesh->mesh->flat + work->side[1].mesh->mesh->flat);
    settings.same = work->side[0].same = work->side[1].same = places * settings.rounding;
    closed_pair closed = closed_of(work, &settings);
    closed_pair_examine(&closed);
    work->out_of_memory = closed.out_of_memory;
    if (!closed.out_of_memory) {
        (closed.flush ? touch_flush : touch_examined)(work, &closed, &settings);
    }
    closed_pair_free(&closed);
}

/* ---- any two surfaces ---- */

static bool touch_surfaces(const mesh_surface *a, const mesh_surface *b, const mesh_pair_settings *settings, contact_list *list) {
    contact_list found;
    contact_list_init(&found, list->order, list->aside);
    pair_work work = {.side = {*a, *b}, .settings = settings, .found = &found};
    if (!are_bounds_near(&work)) {
        return true;
    }
    if (mesh_open_is(&work.side[0], &work.side[1])) {
        return mesh_open_touch(&work.side[0], &work.side[1], settings, list);
    }
    bool mixed = mesh_mixed_is(&work.side[0], &work.side[1]), closed = closed_pair_fits(&work.side[0], &work.side[1]);
    if (mixed && mesh_mixed_is_apart(&work.side[0], &work.side[1])) {
        return mesh_open_face(&work.side[0], &work.side[1], settings, list);
    }
    (closed ? touch_closed : touch)(&work);
    bool (*join)(contact_list *, double, double, contact_list *) = closed ? mesh_patch_join_by_depth : mesh_patch_join;
    bool fine = !work.out_of_memory && !found.out_of_memory &&
                (!mixed || mesh_mixed_complete(&work.side[0], &work.side[1], settings, &found, list)) &&
                join(&found, settings->weld, work.side[0].same, list);
    for (int side = 0; side < 2; ++side) {
        mesh_features_free(&work.near[side]);
    }
    contact_list_free(&found);
    return fine;
}

bool mesh_pair(const placed_mesh *a, const placed_mesh *b, int32_t b_count, const mesh_pair_settings *settings, contact_list *list) {
    mesh_surface of_a = {a, 1, .same = settings->same}, of_b = {b, b_count, .same = settings->same};
    box_index index;
    bool fine = mesh_among_index(&index, &of_b) && touch_surfaces(&of_a, &of_b, settings, list);
    box_index_release(&index);
    return fine;
}
