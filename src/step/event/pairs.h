#pragma once

#include "step/event/system.h"

/*
 * Which parts may touch, and whether they do ([B90] section 8: witnesses).
 */

/* Lists bodies and parts. ABUT_OK; ABUT_ERROR_UNSUPPORTED_PAIR for a mesh; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status event_pairs_list_bodies(event_system *system);

/* Lists the pairs of parts whose bodies are candidates in broad.found; what was known of pairs is kept. False when there is no memory. */
bool event_pairs_list(event_system *system);

/* Contacts of a pair at the places of the last event_system_place(), up to a margin [length]: system->contacts, whose number *count receives. False when
 * they cannot be found; system->status says why. */
bool event_pair_test(event_system *system, int32_t pair, double margin, int32_t *count);

/* A lower bound of the time that the parts need to go through half of the thinner one. */
double event_pair_time(const event_system *system, int32_t pair);

/* Whether a pair that is clear of each other at both ends of a step of that time is clear in between, too, for certain. */
bool event_pair_stays_clear(const event_system *system, int32_t pair, double time);
