/* The patch of a pair whose normal is known, by the general machinery: a capsule along a face has two contacts. */
#include "narrow/round/rod.h"

#include "narrow/patch/patch.h"

static void place_convex(const round_pair *pair, convex *a, convex *b) {
    const abut_mat3 aligned = abut_mat3_identity(), turn = round_turn(&pair->place, pair->bodies[1]);
    const abut_vec3 origin = {0.0, 0.0, 0.0};
    convex_set(a, pair->bodies[0]->shape, &aligned, &origin, 0);
    convex_set(b, pair->bodies[1]->shape, &turn, &pair->place.position_b, 0);
}

/* Without a contact, or with one of a witness that only the search for the normal finds, the list is of no use. */
static bool is_found(const contact_list *list) {
    return !list->out_of_memory && list->count > 0 && (list->items[0].flags & ABUT_CONTACT_WITNESS) == 0;
}

bool rod_patch(const round_pair *pair, double gap, round_answer *answer) {
    const abut_shape *shape_a = pair->bodies[0]->shape, *shape_b = pair->bodies[1]->shape;
    const double smaller = real_min(shape_a->size, shape_b->size);
    const contact_normal normal = {.direction = pair->a.outward, .gap = gap};
    const patch_settings settings = {.margin = pair->settings->margin,
                                     .feature_sine = collide_sine(pair->settings->feature_angle),
                                     .weld = pair->settings->weld * smaller};
    const abut_mat3 *rotation = &pair->place.rotation_a;
    convex a, b;
    contact_list list;
    place_convex(pair, &a, &b);
    contact_list_init(&list, collide_order_of(shape_a, shape_b), abut_mat3_apply_transposed(*rotation, collide_aside));
    (void)patch_build(&a, &b, &normal, &settings, 0, &list);
    contact_list_finish(&list, rotation);
    bool found = is_found(&list);
    if (found) {
        contact_list_write(&list, rotation, &pair->bodies[0]->pose->position, answer->contacts, answer->capacity);
        answer->count = list.count;
        round_remember(answer->cache, abut_vec3_make(0.0, 0.0, 0.0));
    }
    contact_list_free(&list);
    return found;
}
