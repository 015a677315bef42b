#pragma once

#include "step/event/search.h"

/*
 * What touches when an integration step begins: system->rows, in the order of their pairs.
 */

typedef struct event_contacts {
    event_row *spare; /* rows of before, and their forces */
    double *spare_force;
    int32_t spare_capacity, spare_force_capacity;
} event_contacts;

void event_contacts_release(event_contacts *contacts);

/* The rows at system->state, with the forces of those that were there before; and those of search->begun, which is empty then. False when they cannot be
 * found; system->status says why. */
bool event_contacts_find(event_contacts *contacts, event_system *system, event_search *search);

/* Contacts that part on their own do not press. By the rates that the impulses left. */
void event_contacts_mark_parting(event_system *system);

/* Keeps the places of all parts as those at which the step begins. */
void event_contacts_keep_begin(event_system *system);
