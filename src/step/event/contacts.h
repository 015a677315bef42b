#pragma once

#include "step/event/search.h"

/*
 * The contacts at the beginning of an integration step: system->rows, sorted by pairs.
 */

typedef struct event_contacts {
    event_row *spare; /* rows of the previous step, and their forces */
    double *spare_force;
    int32_t spare_capacity, spare_force_capacity;
} event_contacts;

void event_contacts_release(event_contacts *contacts);

/* Finds the rows at system->state. Rows known before keep their forces. The contacts in search->begun are added, and that list is emptied.
 * False on failure; system->status says why. */
bool event_contacts_find(event_contacts *contacts, event_system *system, event_search *search);

/* Marks rows whose gap opens faster than the resting speed; they exert no force. Uses system->rates, that is the rates after the
 * impulses. */
void event_contacts_mark_parting(event_system *system);

/* Stores the places of all parts as those at the beginning of the step. */
void event_contacts_keep_begin(event_system *system);
