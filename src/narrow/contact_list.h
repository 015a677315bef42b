#pragma once

#include <abut/contact.h>

/*
 * Contacts as the generators make them, in the pair's frame; grows as needed.
 */

enum { CONTACT_LIST_FEW = 24 };

typedef struct contact_list {
    abut_contact *items; /* few, or a block */
    int32_t count, capacity;
    bool out_of_memory;  /* a contact could not be added; the list is useless then */
    abut_contact few[CONTACT_LIST_FEW];
} contact_list;

void contact_list_init(contact_list *list);
void contact_list_free(contact_list *list);
void contact_list_add(contact_list *list, const abut_contact *contact);

/* The key of a contact of two features: equal after an exchange of the bodies. */
uint64_t contact_id(abut_feature a, abut_feature b);

/* Patches in ascending order of their least gap, numbered from 0; and ids made unique. */
void contact_list_finish(contact_list *list);
