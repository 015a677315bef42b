/* Bodies that meet each of several meshes by itself: see each.h. World frame. */
#include "narrow/mesh/each.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"
#include "narrow/pair.h"
#include "narrow/patch/contact_list.h"
#include "narrow/seam/mend.h"
#include "shape/smooth.h"

bool mesh_each_is(const abut_shape *shape) {
    return shape->kind == ABUT_SHAPE_PLANE || shape->kind == ABUT_SHAPE_FACETMESH || smooth_is_unknown(shape);
}

/* The meshes near the body, and the contacts with one of them. */
typedef struct each_mesh {
    const mesh_group *group;
    const int32_t *near; /* [near_count] */
    int32_t near_count, own;
    abut_contact *items; /* [capacity] */
    int32_t capacity, count;
} each_mesh;

/* Those beside the mesh. Callers leave out what is not near the place. */
static void visit_others(const void *where, abut_aabb box, double reach, still_visit_body *visit, void *context) {
    const each_mesh *each = where;
    (void)box;
    (void)reach;
    for (int32_t i = 0; i < each->near_count; ++i) {
        if (each->near[i] != each->own) {
            visit(context, &each->group->meshes[each->near[i]]);
        }
    }
}

static abut_status touch_own(each_mesh *each, const abut_collide_settings *settings) {
    const mesh_group *group = each->group;
    const abut_part *mesh = &group->meshes[each->own];
    const still_bodies others = {mesh->pose, visit_others, each}, *beside = smooth_is_unknown(group->shape) ? &others : NULL;
    const abut_placed body = collide_place_body(group->shape, &group->pose), still = collide_place_body(mesh->shape, &mesh->pose);
    abut_status status = ABUT_ERROR_CAPACITY;
    while (status == ABUT_ERROR_CAPACITY) {
        status = collide_beside(&body, &still, beside, false, settings, NULL, each->items, each->capacity, &each->count);
        if (status == ABUT_ERROR_CAPACITY && !array_reserve(&each->items, &each->capacity, each->count, sizeof *each->items)) {
            status = ABUT_ERROR_OUT_OF_MEMORY;
        }
    }
    return status;
}

static void add_own(const each_mesh *each, double weld, contact_list *list) {
    int32_t before = list->count;
    bool welded = smooth_is_unknown(each->group->shape);
    for (int32_t i = 0; i < each->count; ++i) {
        abut_contact contact = each->items[i];
        if (!welded || !contact_list_has(list, before, &contact, weld * each->group->shape->size)) {
            contact.feature_b.part = each->own;
            contact.id = each->own > 0 ? contact_mix(contact.id + (uint64_t)each->own) : contact.id;
            contact.patch += before;
            contact_list_add(list, &contact);
        }
    }
}

/* Contacts of smooth bodies that are no pair of facing places count where they are deeper than all others, as with a single mesh (curved/curved.c). */
static void keep_deepest(contact_list *list) {
    double least = INFINITY;
    for (int32_t i = 0; i < list->count; ++i) {
        least = contact_is_settled(&list->items[i]) ? real_min(least, list->items[i].gap) : least;
    }
    list->count = contact_keep_deeper(list->items, list->count, least);
}

void mesh_each(const mesh_group *group, const int32_t *near, int32_t near_count, mesh_share *all) {
    const abut_mat3 world = abut_mat3_identity();
    each_mesh each = {.group = group, .near = near, .near_count = near_count};
    double weld = all->settings != NULL ? all->settings->weld : COLLIDE_WELD;
    contact_list list;
    contact_list_init(&list, 0, collide_aside);
    for (int32_t i = 0; i < near_count && all->status == ABUT_OK; ++i) {
        each.own = near[i];
        all->status = touch_own(&each, all->settings);
        if (all->status == ABUT_OK) {
            add_own(&each, weld, &list);
        }
    }
    if (smooth_is_unknown(group->shape)) {
        keep_deepest(&list);
    }
    contact_list_finish(&list, &world);
    all->status = all->status == ABUT_OK && list.out_of_memory ? ABUT_ERROR_OUT_OF_MEMORY : all->status;
    if (all->status == ABUT_OK) {
        for (int32_t i = 0; i < list.count && i < all->capacity; ++i) {
            all->contacts[i] = list.items[i];
        }
        all->count = list.count;
        all->status = list.count > all->capacity ? ABUT_ERROR_CAPACITY : ABUT_OK;
    }
    contact_list_free(&list);
    memory_release(each.items);
}
