/* One contact of two boxes: see box_single.h. Pair's frame. */
#include "narrow/patch/box_single.h"

static bool meet(const convex *a, const convex *b, const box_features *at, abut_vec3 direction, const patch_settings *settings,
                 abut_vec3 *on_a, abut_vec3 *on_b) {
    if (at->kind_a == ABUT_FEATURE_EDGE && at->kind_b == ABUT_FEATURE_EDGE) {
        double sine = settings->feature_sine > FEATURE_EXACT_SINE ? settings->feature_sine : FEATURE_EXACT_SINE;
        return feature_edges_cross(a, at->index_a, b, at->index_b, direction, settings->weld, sine, on_a, on_b);
    }
    if (at->kind_a == ABUT_FEATURE_VERTEX && at->kind_b == ABUT_FEATURE_FACE) {
        *on_a = convex_to_pair(a, convex_vertex(a, at->index_a));
        return feature_vertex_on_face(b, at->index_b, abut_neg(direction), *on_a, settings->weld, on_b);
    }
    if (at->kind_a == ABUT_FEATURE_FACE && at->kind_b == ABUT_FEATURE_VERTEX) {
        *on_b = convex_to_pair(b, convex_vertex(b, at->index_b));
        return feature_vertex_on_face(a, at->index_a, direction, *on_b, settings->weld, on_a);
    }
    return false;
}

static void name(abut_feature *feature, abut_feature_kind kind, int32_t index, int32_t part) {
    feature->kind = kind;
    feature->index = index;
    feature->part = part;
}

int32_t box_single_add(const convex *a, const convex *b, const box_features *at, abut_vec3 direction, double most,
                       const patch_settings *settings, int32_t patch, contact_list *list) {
    abut_vec3 on_a, on_b, normal = abut_neg(direction);
    if (!meet(a, b, at, direction, settings, &on_a, &on_b)) {
        return 0;
    }
    double gap = abut_dot(normal, abut_sub(on_a, on_b));
    abut_contact *contact = gap <= most ? contact_list_room(list) : NULL;
    if (contact == NULL) {
        return 0;
    }
    contact->on_a = on_a;
    contact->on_b = on_b;
    contact->normal = normal;
    contact->gap = gap;
    contact->area = 0.0;
    name(&contact->feature_a, at->kind_a, at->index_a, a->part);
    name(&contact->feature_b, at->kind_b, at->index_b, b->part);
    contact->id = contact_list_id(list, contact->feature_a, contact->feature_b, normal);
    contact->patch = patch;
    contact->flags = 0;
    ++list->count;
    return 1;
}
