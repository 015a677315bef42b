#include "narrow/patch/contact_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"

static void forget_items(contact_list *list) {
    list->items = list->few;
    list->count = 0;
    list->capacity = CONTACT_LIST_FEW;
    list->out_of_memory = false;
}

void contact_list_init(contact_list *list, int order, abut_vec3 aside) {
    list->order = order;
    list->aside = aside;
    forget_items(list);
}

void contact_list_free(contact_list *list) {
    if (list->items != list->few) {
        memory_release(list->items);
    }
    forget_items(list);
}

static bool grow(contact_list *list) {
    bool grown = array_double(&list->items, list->few, &list->capacity, sizeof *list->items);
    list->out_of_memory = list->out_of_memory || !grown;
    return grown;
}

abut_contact *contact_list_room(contact_list *list) {
    return list->count < list->capacity || grow(list) ? &list->items[list->count] : NULL;
}

void contact_list_add(contact_list *list, const abut_contact *contact) {
    if (list->count < list->capacity || grow(list)) {
        list->items[list->count++] = *contact;
    }
}

/* Where the patch of a contact ends. */
static int32_t end_of_patch(const contact_list *found, int32_t first) {
    int32_t end = first + 1;
    while (end < found->count && found->items[end].patch == found->items[first].patch) {
        ++end;
    }
    return end;
}

/* Turns the points of each patch about, from a contact on. */
static void reverse_patches(contact_list *list, int32_t from) {
    for (int32_t first = from, end; first < list->count; first = end) {
        end = end_of_patch(list, first);
        for (int32_t i = first, k = end - 1; i < k; ++i, --k) {
            abut_contact other = list->items[i];
            list->items[i] = list->items[k];
            list->items[k] = other;
        }
    }
}

void contact_list_take(contact_list *list, const contact_list *found, abut_vec3 centre, bool swapped) {
    int32_t before = list->count;
    for (int32_t i = 0; i < found->count; ++i) {
        abut_contact contact = swapped ? abut_contact_swap(found->items[i]) : found->items[i];
        contact.on_a = abut_add(contact.on_a, centre);
        contact.on_b = abut_add(contact.on_b, centre);
        contact.id = contact_list_id(list, contact.feature_a, contact.feature_b, contact.normal);
        contact.patch += before;
        contact_list_add(list, &contact);
    }
    if (swapped) {
        reverse_patches(list, before);
    }
    list->out_of_memory = list->out_of_memory || found->out_of_memory;
}

void contact_list_take_exchanged(contact_list *list, const contact_list *found, const abut_mat3 *rotation_b, abut_vec3 position_b) {
    int32_t before = list->count;
    for (int32_t i = 0; i < found->count; ++i) {
        abut_contact contact = abut_contact_swap(found->items[i]);
        contact.on_a = abut_add(abut_mat3_apply(*rotation_b, contact.on_a), position_b);
        contact.on_b = abut_add(abut_mat3_apply(*rotation_b, contact.on_b), position_b);
        contact.normal = abut_unit(abut_mat3_apply(*rotation_b, contact.normal));
        contact.patch += before;
        contact_list_add(list, &contact);
    }
    reverse_patches(list, before);
    list->out_of_memory = list->out_of_memory || found->out_of_memory;
}

/* ---- ids ---- */

enum { NAMED_FEW = 64 };

/* Fixed in the world. The components have no rational relation, so two places of a tidy scene are not equally far along it. */
static const abut_vec3 far_along = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};

typedef struct named_contact {
    uint64_t id;
    double along; /* how far both points lie along the direction, summed */
    int32_t patch, index;
} named_contact;

/* By id, then along the direction, then by patch, then by their places in the list. */
static int by_id(const void *left, const void *right) {
    const named_contact *p = left, *q = right;
    if (p->id != q->id) {
        return p->id < q->id ? -1 : 1;
    }
    if (p->along != q->along) {
        return p->along < q->along ? -1 : 1;
    }
    if (p->patch != q->patch) {
        return p->patch < q->patch ? -1 : 1;
    }
    return p->index < q->index ? -1 : 1;
}

/* Gives the contacts of one id, which are in order, a chain of ids: the first keeps it, and each one after it gets the new id of the one before. */
static bool make_chains(contact_list *list, const named_contact *named) {
    bool any = false;
    for (int32_t first = 0, end; first < list->count; first = end) {
        uint64_t id = named[first].id;
        for (end = first + 1; end < list->count && named[end].id == named[first].id; ++end) {
            id = contact_mix(id + 1);
            list->items[named[end].index].id = id;
            any = true;
        }
    }
    return any;
}

/* Sorts by id. Contacts at one place but for rounding errors have different normals, and the patches decide. */
static void sort_by_id(named_contact *named, int32_t count, double rounding) {
    bool again = false;
    qsort(named, (size_t)count, sizeof *named, by_id);
    double before = named[0].along;
    for (int32_t i = 1; i < count; ++i) {
        bool at_one_place = named[i].id == named[i - 1].id && named[i].along - before <= rounding;
        before = named[i].along;
        named[i].along = at_one_place ? named[i - 1].along : before;
        again = again || at_one_place;
    }
    if (again) {
        qsort(named, (size_t)count, sizeof *named, by_id);
    }
}

static void make_ids_unique_in(contact_list *list, abut_vec3 direction, named_contact *named) {
    const double rounding = 1e-12;
    do {
        double reach = 0.0;
        for (int32_t i = 0; i < list->count; ++i) {
            const abut_contact *contact = &list->items[i];
            abut_vec3 place = abut_add(contact->on_a, contact->on_b);
            named[i] = (named_contact){contact->id, abut_dot(direction, place), contact->patch, i};
            reach = real_max(reach, fabs(place.x) + fabs(place.y) + fabs(place.z));
        }
        sort_by_id(named, list->count, rounding * reach);
    } while (make_chains(list, named)); /* a new id may be that of another contact */
}

static bool are_few_ids_unique(const contact_list *list) {
    for (int32_t i = 0; i < list->count; ++i) {
        for (int32_t k = i + 1; k < list->count; ++k) {
            if (list->items[i].id == list->items[k].id) {
                return false;
            }
        }
    }
    return true;
}

/* Several contacts can share both features, and with them the id: a rim crosses an edge twice, for example. The one that lies least far along the
 * direction keeps the id. The direction is fixed in the world, because the axes of the pair's frame are others when A and B are exchanged. */
static void make_ids_unique(contact_list *list, const abut_mat3 *rotation) {
    named_contact few[NAMED_FEW], *named = few;
    if (list->count <= NAMED_FEW && are_few_ids_unique(list)) {
        return;
    }
    if (list->count > NAMED_FEW) {
        named = memory_allocate((size_t)list->count, sizeof *named);
    }
    if (named == NULL) {
        list->out_of_memory = true;
        return;
    }
    make_ids_unique_in(list, abut_mat3_apply_transposed(*rotation, far_along), named);
    if (named != few) {
        memory_release(named);
    }
}

/* ---- order of patches ---- */

typedef struct patch_span {
    int32_t first, count;
    double gap;
} patch_span;

static int32_t find_spans(const contact_list *list, patch_span *spans) {
    int32_t count = 0;
    for (int32_t i = 0; i < list->count; ++i) {
        if (i == 0 || list->items[i].patch != list->items[i - 1].patch) {
            spans[count++] = (patch_span){i, 0, INFINITY};
        }
        patch_span *span = &spans[count - 1];
        ++span->count;
        span->gap = real_min(span->gap, list->items[i].gap);
    }
    return count;
}

static int by_gap(const void *p, const void *q) {
    const patch_span *a = p, *b = q;
    if (a->gap != b->gap) {
        return a->gap < b->gap ? -1 : 1;
    }
    return a->first < b->first ? -1 : a->first > b->first;
}

static void order_patches(contact_list *list) {
    patch_span *spans = memory_allocate((size_t)list->count, sizeof *spans);
    abut_contact *ordered = memory_allocate((size_t)list->count, sizeof *ordered);
    if (spans == NULL || ordered == NULL) {
        list->out_of_memory = true;
    } else {
        int32_t patches = find_spans(list, spans), n = 0;
        qsort(spans, (size_t)patches, sizeof *spans, by_gap);
        for (int32_t p = 0; p < patches; ++p) {
            for (int32_t i = 0; i < spans[p].count; ++i) {
                ordered[n] = list->items[spans[p].first + i];
                ordered[n++].patch = p;
            }
        }
        memcpy(list->items, ordered, (size_t)list->count * sizeof *ordered);
    }
    memory_release(spans);
    memory_release(ordered);
}

void contact_list_finish(contact_list *list, const abut_mat3 *rotation) {
    if (list->count == 0) {
        return;
    }
    if (list->items[0].patch == list->items[list->count - 1].patch) {
        for (int32_t i = 0; i < list->count; ++i) {
            list->items[i].patch = 0; /* a single patch is the usual case */
        }
    } else {
        order_patches(list);
    }
    make_ids_unique(list, rotation);
}

void contact_list_write(const contact_list *list, const abut_mat3 *rotation, const abut_vec3 *position, abut_contact *contacts,
                        int32_t capacity) {
    abut_vec3 normal = {0, 0, 0};
    for (int32_t i = 0; i < list->count && i < capacity; ++i) {
        const abut_contact *from = &list->items[i];
        abut_contact *to = &contacts[i];
        if (i == 0 || from->patch != from[-1].patch) {
            normal = abut_unit(abut_mat3_apply(*rotation, from->normal)); /* all contacts of a patch have the same normal */
        }
        to->on_a = abut_add(abut_mat3_apply(*rotation, from->on_a), *position);
        to->on_b = abut_add(abut_mat3_apply(*rotation, from->on_b), *position);
        to->normal = normal;
        to->gap = from->gap;
        to->area = from->area;
        to->feature_a = from->feature_a;
        to->feature_b = from->feature_b;
        to->id = from->id;
        to->patch = from->patch;
        to->flags = from->flags;
    }
}

bool contact_list_has(const contact_list *list, int32_t count, const abut_contact *contact, double near) {
    for (int32_t i = 0; i < count; ++i) {
        if (abut_distance_between(list->items[i].on_a, contact->on_a) <= near &&
            abut_distance_between(list->items[i].on_b, contact->on_b) <= near) {
            return true;
        }
    }
    return false;
}

int32_t contact_keep_deeper(abut_contact *contacts, int32_t count, double least) {
    int32_t kept = 0;
    for (int32_t i = 0; i < count; ++i) {
        if (contact_is_settled(&contacts[i]) || contacts[i].gap < least) {
            contacts[kept++] = contacts[i];
        }
    }
    return kept;
}
