/* Contacts of vertices of one surface with the other one: see touch_vertices.h. Set frame. */
#include "narrow/mesh/pair/touch_vertices.h"

#include "base/real.h"

/* At a flat joint the contact is named after the face, because a sliding body may pass the joint. */
static abut_feature feature_along(const mesh_triangle *t, abut_feature feature, abut_vec3 normal) {
    bool own = abut_length_squared(abut_cross(normal, t->normal)) <= FLAT_SINE * FLAT_SINE;
    return own && !t->flat ? (abut_feature){.kind = ABUT_FEATURE_FACE, .index = t->index, .part = t->part} : feature;
}

/* normal: the normal of the other surface, towards the vertex. */
static void add_vertex_contact(mesh_touching *work, int side, abut_feature vertex, abut_vec3 place, abut_feature other, abut_vec3 normal,
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
static bool may_touch_face(mesh_touching *work, int side, abut_vec3 place, const mesh_triangle *t, double sine) {
    double weight[3];
    abut_vec3 foot = abut_add_scaled(place, -mesh_set_height(t, place), t->normal);
    return abut_distance_between(foot, mesh_set_closest(t, place, weight)) <= work->settings->same &&
           mesh_touching_admits(work, side, place, abut_neg(t->normal), sine);
}

/* The shortest way out of the other surface for a vertex, among the ways that lead straight through a face and whose normal the vertex's
 * own surface admits. */
static bool other_way_out(mesh_touching *work, int side, abut_vec3 place, mesh_triangle *through, double *gap) {
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
static bool is_hidden(const mesh_touching *work, int side, const near_vertex *v, int32_t part, double depth) {
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

static void add_face_contact(mesh_touching *work, int side, const near_vertex *v, const mesh_triangle *face, double gap) {
    abut_feature vertex = {.kind = ABUT_FEATURE_VERTEX, .index = v->vertex, .part = work->side[side].mesh[v->mesh].part};
    abut_feature other = {.kind = ABUT_FEATURE_FACE, .index = face->index, .part = face->part};
    add_vertex_contact(work, side, vertex, v->place, other, face->normal, gap);
}

/* A vertex outside a corner of the other solid is near several faces: those beside the closest one. */
static void touch_other_faces(mesh_touching *work, int side, const near_vertex *v, abut_vec3 closest_normal) {
    const double same = work->settings->same, margin = work->settings->margin;
    mesh_set set;
    mesh_surface_gather(&work->side[1 - side], v->place, margin, &set);
    for (int32_t i = 0; i < set.count; ++i) {
        const mesh_triangle *t = &set.items[i];
        double height = mesh_set_height(t, v->place);
        if (!t->flat && height > same && height <= margin && !mesh_is_one_way(t->normal, closest_normal) &&
            may_touch_face(work, side, v->place, t, work->settings->feature_sine)) {
            add_face_contact(work, side, v, t, height);
        }
    }
    work->out_of_memory = work->out_of_memory || set.out_of_memory;
    mesh_set_free(&set);
}

static void touch_with_vertex(mesh_touching *work, int side, const near_vertex *v) {
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
    if (mesh_touching_admits(work, side, v->place, abut_neg(s.normal), work->settings->feature_sine)) {
        add_vertex_contact(work, side, vertex, v->place, feature_along(&s.at.nearest, s.at.feature, s.normal), s.normal, s.gap);
        return;
    }
    mesh_triangle through;
    double gap;
    /* Solids that were shrunk lean at their saddles. A vertex there can be on a wall beside the way out. */
    bool on_wall = work->closed != NULL && work->closed->loose > 0.0 && s.gap <= work->settings->same;
    bool inside = s.gap < -work->settings->same || on_wall, at_end = s.gap <= work->settings->same || s.at.on_rim;
    bool on_joint = !inside && at_end && work->side[1 - side].count > 1;
    if ((inside || on_joint) && other_way_out(work, side, v->place, &through, &gap) &&
        (inside || is_hidden(work, side, v, s.at.nearest.part, -gap))) {
        add_face_contact(work, side, v, &through, gap);
    }
}

void mesh_touch_vertices(mesh_touching *work) {
    for (int side = 0; side < 2; ++side) {
        for (int32_t i = 0; i < work->near[side].vertex_count && !work->out_of_memory; ++i) {
            touch_with_vertex(work, side, &work->near[side].vertex[i]);
        }
    }
}
