/* One surface of bodies that stand still beside each other: see mend.h. */
#include "narrow/seam/mend.h"

#include "base/memory.h"
#include "narrow/seam/around.h"
#include "narrow/seam/replace.h"
#include "shape/bounds.h"

static int32_t end_of_patch(const contact_list *list, int32_t first) {
    int32_t end = first + 1;
    while (end < list->count && list->items[end].patch == list->items[first].patch) {
        ++end;
    }
    return end;
}

/* Whether nothing else comes near a contact. Most bodies that lie on several others touch them far from each other. */
static bool is_alone(const seam_pair *seam, const contact_list *list, const surroundings *around) {
    bool parted = seam_part_count(seam->still) > 0;
    const still_solid *all = &around->all;
    for (int32_t i = 0; i < all->count; ++i) {
        for (int32_t c = 0; c < list->count; ++c) {
            bool own = parted && all->part[i].index == seam_part_of(seam_of_still(seam, &list->items[c]));
            if (!own && still_is_near(&all->scale, &all->part[i], seam_on_still(seam, &list->items[c]))) {
                return false;
            }
        }
    }
    return true;
}

/* Whether a compound alone is met so deep that its parts are no level surface any more. Its own rules then choose the least deep part (narrow/compound.c). */
static bool is_deep_in_parts(const seam_pair *seam, const contact_list *list) {
    const double most_sunk = 0.02;
    for (int32_t i = 0; i < list->count && seam->others == NULL; ++i) {
        if (list->items[i].gap < -most_sunk * seam->body->size) {
            return true;
        }
    }
    return false;
}

static void mend(const seam_pair *seam, const surroundings *around, contact_list *list) {
    still_solid solid = {.scale = around->all.scale, .around = around};
    lost_contacts lost = {.items = memory_allocate((size_t)list->count, sizeof *lost.items)};
    int32_t kept = 0;
    list->out_of_memory = lost.items == NULL;
    for (int32_t first = 0, end, count = list->count; first < count && lost.items != NULL; first = end) {
        end = end_of_patch(list, first);
        bool valid = seam_keeps_patch(seam, &solid, list, first, end);
        for (int32_t i = first; i < end; ++i) {
            *(valid ? &list->items[kept++] : &lost.items[lost.count++]) = list->items[i];
        }
    }
    list->count = kept;
    seam_replace(seam, &solid, &lost, list);
    bool buried = list->count == 0 && seam->others == NULL;
    for (int32_t i = 0; i < lost.count && buried; ++i) {
        contact_list_add(list, &lost.items[i]); /* inside a compound on all sides: any contact is better than none */
    }
    list->out_of_memory = list->out_of_memory || solid.out_of_memory;
    still_release(&solid);
    memory_release(lost.items);
}

void seam_mend(const seam_pair *seam, contact_list *list) {
    if (list->count == 0 || list->out_of_memory || !still_is_known(seam->still) || is_deep_in_parts(seam, list)) {
        return;
    }
    still_scale scale = seam_scale(seam);
    abut_aabb touched = bounds_empty();
    for (int32_t i = 0; i < list->count; ++i) {
        bounds_include(&touched, seam_on_still(seam, &list->items[i]));
    }
    surroundings around = surroundings_in(seam->others, seam->still, seam->still_rotation, seam->still_position, &scale, touched);
    if (!around.all.out_of_memory && !is_alone(seam, list, &around)) {
        mend(seam, &around, list);
    }
    list->out_of_memory = list->out_of_memory || around.all.out_of_memory;
    surroundings_release(&around);
}

void seam_mend_pair(const collide_pair *pair, const still_bodies *others, bool still_is_a, contact_list *list) {
    for (int side = 0; side < 2; ++side) {
        bool first = side == 0;
        const still_bodies *beside = others != NULL && first == still_is_a ? others : NULL;
        if (beside != NULL || (first ? pair->a : pair->b)->kind == ABUT_SHAPE_COMPOUND) {
            seam_pair seam = seam_of_pair(pair, first, beside);
            seam_mend(&seam, list);
        }
    }
}
