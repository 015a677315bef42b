#pragma once

#include <abut/contact.h>

/*
 * A growing list of contacts, as the generators make them, in the pair's frame.
 */

enum { CONTACT_LIST_FEW = 24 };

typedef struct contact_list {
    int order;           /* of the shapes by their data: below 0 A comes first, above 0 B comes first, 0 when they are alike */
    abut_vec3 aside;     /* pair's frame: any direction fixed in the world; orders shapes that are alike */
    abut_contact *items; /* `few`, or a block */
    int32_t count, capacity;
    bool out_of_memory; /* a contact could not be added; the list is then useless */
    abut_contact few[CONTACT_LIST_FEW];
} contact_list;

void contact_list_init(contact_list *list, int order, abut_vec3 aside);
void contact_list_free(contact_list *list);
void contact_list_add(contact_list *list, const abut_contact *contact);

/* Whether one of the first `count` contacts joins the same two points, up to `near` [length]. */
bool contact_list_has(const contact_list *list, int32_t count, const abut_contact *contact, double near);

/* Whether a contact of smooth bodies that are not convex is a pair of places that face each other exactly. */
static inline bool contact_is_settled(const abut_contact *contact) { return (contact->flags & ABUT_CONTACT_WITNESS) == 0u; }

/* Keeps the contacts that have settled, and others only where their gap is below `least`, the least gap of those. Returns how many. */
int32_t contact_keep_deeper(abut_contact *contacts, int32_t count, double least);

/* Returns room for one more contact at its final place. The contact counts when the caller raises list->count. NULL without memory. */
abut_contact *contact_list_room(contact_list *list);

/* A bijection of 64-bit numbers that mixes well (rounds of multiply and shift). */
static inline uint64_t contact_mix(uint64_t x) {
    x ^= x >> 32;
    x *= UINT64_C(0xd6e8feb86659fd93);
    x ^= x >> 32;
    x *= UINT64_C(0xd6e8feb86659fd93);
    x ^= x >> 32;
    return x;
}

static inline uint64_t contact_feature_code(abut_feature feature) {
    return (uint64_t)feature.kind << 61 ^ (uint64_t)(uint32_t)feature.part << 32 ^ (uint64_t)(uint32_t)feature.index;
}

/*
 * The id of a contact: a hash of its two features. It stays the same when the bodies are exchanged. The normal is in the pair's frame.
 *
 * The two features are put in an order that does not depend on which body is called A, namely the order of the shapes. Shapes that are alike are ordered by the
 * normal: the body on the side to which the fixed direction points comes first. Without an order, vertex 3 of A on face 2 of B and face 2 of A on vertex 3 of B
 * would have the same id.
 */
static inline uint64_t contact_id(abut_feature a, abut_feature b, bool a_first) {
    uint64_t p = contact_feature_code(a_first ? a : b), q = contact_feature_code(a_first ? b : a);
    return contact_mix(contact_mix(p) + q);
}

static inline uint64_t contact_list_id(const contact_list *list, abut_feature a, abut_feature b, abut_vec3 normal) {
    return contact_id(a, b, list->order < 0 || (list->order == 0 && abut_dot(list->aside, normal) > 0.0));
}

/* Adds contacts that were found relative to another origin, `centre`. When `swapped`, A and B are exchanged and the points of each patch are reversed,
 * because a patch seen from the other side runs the other way. */
void contact_list_take(contact_list *list, const contact_list *found, abut_vec3 centre, bool swapped);

/* Adds the contacts of the exchanged pair, which were found in B's frame. Their ids stay, because they do not depend on the order of A and B. */
void contact_list_take_exchanged(contact_list *list, const contact_list *found, const abut_mat3 *rotation_b, abut_vec3 position_b);

/* Sorts patches by ascending least gap, numbers them from 0, and makes ids unique. rotation turns the pair's frame into the world. */
void contact_list_finish(contact_list *list, const abut_mat3 *rotation);

/* Writes up to `capacity` contacts in the world frame. rotation and position place the pair's frame in the world. */
void contact_list_write(const contact_list *list, const abut_mat3 *rotation, const abut_vec3 *position, abut_contact *contacts,
                        int32_t capacity);
