/* The contact at the nearest place of a surface: see nearest.h. Set frame; the body is A, the mesh B. */
#include "narrow/mesh/convex/nearest.h"

#include "narrow/mesh/convex/closest.h"

/* By how much more a gap may be than the distance because of rounding errors. */
static double tie_of(const convex_work *work) {
    const met_nearest *nearest = work->nearest;
    const double relative = 1e-9, rounding = 1e-14;
    return relative * nearest->normal.gap + rounding * (work->body->size + nearest->size);
}

static bool is_kept(const convex_work *work, int32_t first, const contact_list *list) {
    double enough = work->nearest->normal.gap + tie_of(work);
    for (int32_t i = first; i < list->count; ++i) {
        if (list->items[i].gap <= enough) {
            return true;
        }
    }
    return false;
}

/* Whether a triangle that makes no contact, because it is seen from behind, is nearer. */
static bool is_behind_nearer(const convex_work *work) {
    normal_settings settings = work->settings->normal;
    settings.margin = work->nearest->normal.gap - tie_of(work);
    if (work->nearest->behind <= settings.margin) {
        return true;
    }
    for (int32_t i = 0; i < work->set->count; ++i) {
        const mesh_triangle *t = &work->set->items[i];
        if (t->flat || !met_is_passed_over(work, t)) {
            continue;
        }
        triangle_body flat;
        contact_normal normal;
        triangle_body_set(&flat, t);
        if (mesh_closest_normal(work->body, &flat, &settings, &normal)) {
            return true;
        }
    }
    return false;
}

/* Moves a contact of the same normal that is welded to the nearest place there. */
static bool move_welded(const convex_work *work, const abut_contact *nearest, int32_t first, contact_list *list) {
    double weld = work->settings->weld, enough = work->nearest->normal.gap + tie_of(work);
    for (int32_t i = first; i < list->count; ++i) {
        abut_contact *contact = &list->items[i];
        double gap = abut_dot(contact->normal, abut_sub(nearest->on_a, nearest->on_b));
        if (abut_distance_between(contact->on_b, nearest->on_b) <= weld && abut_dot(contact->normal, nearest->normal) > 0.0 &&
            abut_length_squared(abut_cross(contact->normal, nearest->normal)) <= FLAT_SINE * FLAT_SINE && gap <= enough) {
            contact->on_a = nearest->on_a;
            contact->on_b = nearest->on_b;
            contact->gap = gap;
            return true;
        }
    }
    return false;
}

static void take_nearest(const convex_work *work, const contact_list *found, int32_t first, contact_list *list) {
    const abut_contact *least = &found->items[0];
    for (int32_t i = 1; i < found->count; ++i) {
        least = found->items[i].gap < least->gap ? &found->items[i] : least;
    }
    if (!move_welded(work, least, first, list)) {
        abut_contact contact = *least;
        contact.area = 0.0;
        contact.patch = list->count;
        contact.id = contact_list_id(list, contact.feature_a, contact.feature_b, contact.normal);
        contact_list_add(list, &contact);
    }
}

void mesh_nearest_keep(const convex_work *work, int32_t first, contact_list *list) {
    const met_nearest *nearest = work->nearest;
    if (nearest->sunk || !(nearest->normal.gap < INFINITY) || is_kept(work, first, list) || is_behind_nearer(work)) {
        return;
    }
    contact_list found;
    contact_list_init(&found, list->order, list->aside);
    met_touch_nearest(work, &found);
    if (found.count > 0) {
        take_nearest(work, &found, first, list);
    }
    list->out_of_memory = list->out_of_memory || found.out_of_memory;
    contact_list_free(&found);
}
