#pragma once

#include "solve/contact/contact.h"

/*
 * Loops over the pairs and bodies of a set, on one thread or, for a set with a schedule, on several. Results do not depend on the number of
 * threads as long as pieces keep the rules of the loop.
 */

/* A piece of a loop: begin <= i < end. */
typedef struct solver_range {
    int32_t chunk; /* index of the piece */
    int32_t begin, end;
} solver_range;

typedef void solver_piece(void *argument, solver_range range);

/* Pieces change only data of their pairs, patches and points. */
void solver_each_pair(const solver_contacts *set, solver_piece *piece, void *argument);

/* Pieces may also change the bodies that move. Only pieces that share no such body run at the same time. */
void solver_each_colour(const solver_contacts *set, bool backward, solver_piece *piece, void *argument);

/* Pieces change only their bodies. */
void solver_each_body(const solver_contacts *set, solver_piece *piece, void *argument);

/* The place where pieces write their progress, by chunk; `one` if there is only one chunk. The second function combines them after the
 * loop. */
static inline solver_progress *solver_progress_of(const solver_contacts *set, solver_progress *one) {
    return set->schedule != NULL ? set->schedule->progress : one;
}
solver_progress solver_all_progress(const solver_contacts *set, const solver_progress *one);

/* The first point of a pair; also for the index one past the last pair. */
static inline int32_t solver_first_point(const solver_contacts *set, int32_t pair) {
    return pair < set->pair_count ? set->patches[set->pairs[pair].first].first : set->point_count;
}
