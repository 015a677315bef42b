#pragma once

#include "step/world/world.h"

/*
 * Digests of the constant parts of a world: its definition and the properties of its bodies. A saved state contains the digests instead of the data.
 * They tell whether another world has the same constant parts. Values that callers have changed since the world was built count as built
 * (step/world/changes.h).
 */

/* The whole definition, except how loops are distributed over threads. */
uint64_t world_digest_of_def(const abut_world *world);

/* The properties of a body that no step changes, and its shape. */
uint64_t world_digest_of_body(const body *body);

/* The properties of each body that no step changes, and its shape; by slot, 0 for unused slots. NULL when there is no memory. The caller releases the
 * array with memory_release(). */
uint64_t *world_digests_of_bodies(const abut_world *world);
