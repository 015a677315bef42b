#pragma once

#include "step/event/integrate.h"

/*
 * The pairs of parts that may touch, and their tests ([B90] section 8: witnesses).
 */

/* Lists bodies and parts. Returns ABUT_OK; ABUT_ERROR_UNSUPPORTED_PAIR for a mesh; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status event_pairs_list_bodies(event_system *system);

/* The index of the body in a slot of the world. */
int32_t event_pairs_body_of(const event_system *system, int32_t slot);

/* Lists the pairs of parts whose bodies are candidates in broad.found. Knowledge about known pairs is kept. False when there is no
 * memory. */
bool event_pairs_list(event_system *system);

/* Whether the last test of a pair, at the same places, found a larger distance than that. */
bool event_pair_is_farther(const event_system *system, int32_t pair, double margin);

/* Finds the contacts of a pair, with gaps up to the margin [length], at the places of the last event_system_place(). They are in
 * system->contacts; *count receives their number. False on failure; system->status says why. */
bool event_pair_test(event_system *system, int32_t pair, double margin, int32_t *count);

/* Bounds the speed of each part, at the places and motions of the last evaluation. */
void event_pairs_find_speeds(event_system *system);

/* Lower bound of the time that the parts need to move through half of the thinner one. After event_pairs_find_speeds(). */
double event_pair_time(const event_system *system, int32_t pair);

/* For a pair that is apart at both ends of the last step of the integration: INFINITY if it is proved to be apart in between, otherwise the time, less than the
 * step's, of a first doubt. After event_pairs_find_speeds(). */
double event_pair_doubt(const event_system *system, const event_integrator *integrator, int32_t pair);
