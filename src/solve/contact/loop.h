#pragma once

#include "solve/contact/contact.h"

/*
 * Loops over the pairs and bodies of a set: on one thread, or, for a set with a schedule, over several. What a loop leaves behind does not
 * depend on the number of threads, as long as its pieces keep to what the loop allows.
 */

/* A piece of a loop: begin <= i < end. */
typedef struct solver_range {
    int32_t chunk; /* which piece it is */
    int32_t begin, end;
} solver_range;

typedef void solver_piece(void *argument, solver_range range);

/* The pieces change nothing but what belongs to their pairs, patches and points. */
void solver_each_pair(const solver_contacts *set, solver_piece *piece, void *argument);

/* The pieces may change the bodies that move, too: at the same time run only pieces that share none. */
void solver_each_colour(const solver_contacts *set, bool backward, solver_piece *piece, void *argument);

/* The pieces change nothing but their bodies. */
void solver_each_body(const solver_contacts *set, solver_piece *piece, void *argument);

/* Where a loop's pieces write their progress, by chunk; `one` where there is one chunk only. After the loop: that of all of them. */
static inline solver_progress *solver_progress_of(const solver_contacts *set, solver_progress *one) {
    return set->schedule != NULL ? set->schedule->progress : one;
}
solver_progress solver_all_progress(const solver_contacts *set, const solver_progress *one);

/* The first point of a pair, or of the one after the last. */
static inline int32_t solver_first_point(const solver_contacts *set, int32_t pair) {
    return pair < set->pair_count ? set->patches[set->pairs[pair].first].first : set->point_count;
}
