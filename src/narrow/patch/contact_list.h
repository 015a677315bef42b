#pragma once

#include <abut/contact.h>

/*
 * Contacts as the generators make them, in the pair's frame; grows as needed.
 */

enum { CONTACT_LIST_FEW = 24 };

typedef struct contact_list {
    int order;           /* of the shapes by what they are: below 0 A comes first, above 0 B, 0 when they are alike */
    abut_vec3 aside;     /* pair frame: any direction fixed in the world; orders shapes that are alike */
    abut_contact *items; /* few, or a block */
    int32_t count, capacity;
    bool out_of_memory;  /* a contact could not be added; the list is useless then */
    abut_contact few[CONTACT_LIST_FEW];
} contact_list;

void contact_list_init(contact_list *list, int order, abut_vec3 aside);
void contact_list_free(contact_list *list);
void contact_list_add(contact_list *list, const abut_contact *contact);

/* Room for one more contact, to be written where it stays; it counts when list->count is raised. NULL when there is no memory. */
abut_contact *contact_list_room(contact_list *list);

/* A well mixing bijection of 64-bit numbers (multiply and shift rounds). */
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
 * The key of a contact of two features with its normal (pair frame): equal after an exchange of the bodies.
 *
 * The two names are put in an order that does not depend on which body is called A: that of the shapes. Shapes that are alike are ordered
 * by the normal: first the one on whose side of the contact the fixed direction points. Without an order, vertex 3 of A on face 2 of B and
 * face 2 of A on vertex 3 of B would have one key.
 */
static inline uint64_t contact_list_id(const contact_list *list, abut_feature a, abut_feature b, abut_vec3 normal) {
    bool a_first = list->order < 0 || (list->order == 0 && abut_dot(list->aside, normal) > 0.0);
    uint64_t p = contact_feature_code(a_first ? a : b), q = contact_feature_code(a_first ? b : a);
    return contact_mix(contact_mix(p) + q);
}

/* Adds what was found about another place, and with A and B exchanged if `swapped`. Turned round, a patch runs the other way. */
void contact_list_take(contact_list *list, const contact_list *found, abut_vec3 centre, bool swapped);

/* Patches in ascending order of their least gap, numbered from 0; and ids made unique. */
void contact_list_finish(contact_list *list);

/* Writes as many as there is room for, from the pair's frame, which lies so in the world. */
void contact_list_write(const contact_list *list, const abut_mat3 *rotation, const abut_vec3 *position, abut_contact *contacts, int32_t capacity);
