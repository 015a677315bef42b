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

void contact_list_take(contact_list *list, const contact_list *found, abut_vec3 centre, bool swapped) {
    int32_t patches = list->count;
    for (int32_t first = 0, end; first < found->count; first = end) {
        for (end = first + 1; end < found->count && found->items[end].patch == found->items[first].patch;) {
            ++end;
        }
        for (int32_t i = first; i < end; ++i) {
            abut_contact contact = found->items[swapped ? first + end - 1 - i : i];
            contact = swapped ? abut_contact_swap(contact) : contact;
            contact.on_a = abut_add(contact.on_a, centre);
            contact.on_b = abut_add(contact.on_b, centre);
            contact.id = contact_list_id(list, contact.feature_a, contact.feature_b, contact.normal);
            contact.patch += patches;
            contact_list_add(list, &contact);
        }
    }
    list->out_of_memory = list->out_of_memory || found->out_of_memory;
}

/* ---- ids ---- */

static bool lies_before(const abut_contact *p, const abut_contact *q) {
    abut_vec3 d = abut_sub(abut_add(p->on_a, p->on_b), abut_add(q->on_a, q->on_b));
    return d.x != 0.0 ? d.x < 0.0 : d.y != 0.0 ? d.y < 0.0 : d.z < 0.0;
}

/* Corners that are nearer to one feature than the weld distance can share an id. The contact that lies farther along the axes gets a new id. */
static void make_few_ids_unique(contact_list *list) {
    bool again = true;
    for (int round = 0; again && round < list->count; ++round) {
        again = false;
        for (int32_t i = 0; i < list->count; ++i) {
            for (int32_t k = i + 1; k < list->count; ++k) {
                if (list->items[i].id == list->items[k].id) {
                    int32_t later = lies_before(&list->items[i], &list->items[k]) ? k : i;
                    list->items[later].id = contact_mix(list->items[later].id + 1);
                    again = true;
                }
            }
        }
    }
}

typedef struct named_contact {
    uint64_t id;
    abut_vec3 place; /* sum of both points */
    int32_t index;
} named_contact;

/* By id, then along the axes. Of contacts at one place the one that comes later in the list is the first. */
static int by_id(const void *left, const void *right) {
    const named_contact *p = left, *q = right;
    if (p->id != q->id) {
        return p->id < q->id ? -1 : 1;
    }
    const double d[3] = {p->place.x - q->place.x, p->place.y - q->place.y, p->place.z - q->place.z};
    for (int i = 0; i < 3; ++i) {
        if (d[i] != 0.0) {
            return d[i] < 0.0 ? -1 : 1;
        }
    }
    return p->index < q->index ? 1 : -1;
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

/* The same ids as make_few_ids_unique(), by sorting: there, of the contacts that share an id the first along the axes keeps it, and all others get
 * its new id; of these again the first keeps it, and so on. */
static void make_many_ids_unique(contact_list *list) {
    named_contact *named = memory_allocate((size_t)list->count, sizeof *named);
    if (named == NULL) {
        list->out_of_memory = true;
        return;
    }
    do {
        for (int32_t i = 0; i < list->count; ++i) {
            const abut_contact *contact = &list->items[i];
            named[i] = (named_contact){contact->id, abut_add(contact->on_a, contact->on_b), i};
        }
        qsort(named, (size_t)list->count, sizeof *named, by_id);
    } while (make_chains(list, named)); /* a new id may be that of another contact */
    memory_release(named);
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

void contact_list_finish(contact_list *list) {
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
    const int32_t few = 64;
    if (list->count <= few) {
        make_few_ids_unique(list);
    } else {
        make_many_ids_unique(list);
    }
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
