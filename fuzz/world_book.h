#pragma once

#include <abut/world_events.h>

/*
 * A second bookkeeping of what touches, is seen and sleeps in a small world, by asking all bodies; the events of a step must tell its changes.
 */

enum { BOOK_SLOTS = 32 }; /* of bodies that a world ever has, and one */

typedef struct world_book {
    bool touch[BOOK_SLOTS][BOOK_SLOTS], seen[BOOK_SLOTS][BOOK_SLOTS], asleep[BOOK_SLOTS];
    uint32_t generation[BOOK_SLOTS]; /* and one; 0 for no body */
} world_book;

/* What is in the world now. Contacts are those of the last step. */
void book_write(const abut_world *world, world_book *book);

/* Compares the events of a step with the books before and after it. kinds: those that the world lists. */
void book_check(const abut_world *world, const world_book *before, const world_book *now, uint32_t kinds, double hit_speed);
