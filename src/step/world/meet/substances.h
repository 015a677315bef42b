#pragma once

#include "step/world/world.h"

/*
 * What two substances do to each other where a caller has said so: the table of abut_world_def.pairs. A world keeps a copy, sorted by the lower substance, then
 * by the higher one, so that the order in which the caller gave the pairs has no effect.
 */

/* Checks the pairs of a definition. ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_UNSUPPORTED. */
abut_status substances_check(const char *call, const abut_world_def *def);

/* Makes *made of the pairs of a definition that is fine; NULL where there are none. Release it with memory_release(). False when there is no memory. */
bool substances_make(const abut_world_def *def, abut_substance_pair **made);

/* The entry of two substances, in any order; NULL where there is none. */
const abut_substance_pair *substances_look_up(const abut_world *world, int32_t a, int32_t b);

/* The same, at once where there is no table. */
static inline const abut_substance_pair *substances_find(const abut_world *world, int32_t a, int32_t b) {
    return world->def.pair_count == 0 ? NULL : substances_look_up(world, a, b);
}

/* What an entry says, or the usual value where it says nothing. */
static inline double substances_value(double said, double usual) { return said >= 0.0 ? said : usual; }

/* Whether pairs of a definition may bounce; may have rolling or spinning friction. */
bool substances_bounce(const abut_world_def *def);
bool substances_roll(const abut_world_def *def);

/* A digest that continues another one. */
uint64_t substances_digest(const abut_world *world, uint64_t digest);
