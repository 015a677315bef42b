/* Contacts of edges that cross: see touch_edges.h. Set frame. */
#include "narrow/mesh/pair/touch_edges.h"

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
static bool is_in(const mesh_touching *work, int side, const near_edge *of, abut_vec3 point) {
    sounding s;
    return mesh_surface_sound(&work->side[side], of->of, point, &s) && s.gap <= work->settings->same;
}

/* Whether two edges that cross may touch with that normal. */
static bool may_touch(mesh_touching *work, const near_edge *a, const near_edge *b, const abut_contact *contact) {
    const double same = work->settings->same;
    if (contact->gap > work->settings->margin || contact->gap < -work->deepest || wing_rises(b, contact->on_b, contact->normal, same) ||
        wing_rises(a, contact->on_a, abut_neg(contact->normal), same)) {
        return false;
    }
    if (!mesh_touching_admits(work, 0, contact->on_a, abut_neg(contact->normal), FLAT_SINE) ||
        !mesh_touching_admits(work, 1, contact->on_b, contact->normal, FLAT_SINE)) {
        return false;
    }
    return contact->gap >= -same || is_in(work, 1, a, contact->on_a) || is_in(work, 0, b, contact->on_b);
}

/* Both directions of the normal are tried: the wings of edges whose faces are perpendicular to it do not tell. */
static void touch_with_edges(mesh_touching *work, const near_edge *a, const near_edge *b) {
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

void mesh_touch_edges(mesh_touching *work) {
    const mesh_features *a = &work->near[0], *b = &work->near[1];
    double reach = work->deepest + work->settings->margin;
    for (int32_t i = 0; i < a->edge_count && !work->out_of_memory; ++i) {
        for (int32_t j = 0; j < b->edge_count; ++j) {
            if (near_edges_meet(&a->edge[i], &b->edge[j], reach)) {
                touch_with_edges(work, &a->edge[i], &b->edge[j]);
            }
        }
    }
}
