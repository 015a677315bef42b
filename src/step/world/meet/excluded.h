#pragma once

#include "step/world/saved.h"
#include "step/world/world.h"

/*
 * Which pairs of bodies can touch: their filters, the pairs that the caller has excluded, and the caller's own filter.
 */

/* Whether neither the list nor the caller's filter forbids the bodies in two slots to touch. */
bool excluded_lets_touch(const abut_world *world, int32_t a, int32_t b);

/* The same, at once where there is no list and no filter. */
static inline bool world_lets_touch(const abut_world *world, int32_t a, int32_t b) {
    return (world->excluded.count == 0 && world->def.filter.lets_touch == NULL) || excluded_lets_touch(world, a, b);
}

/* Whether the bodies in two slots can have contacts with each other. */
static inline bool world_can_touch(const abut_world *world, int32_t a, int32_t b) {
    return bodies_can_touch(&world->bodies[a], &world->bodies[b]) && world_lets_touch(world, a, b);
}

/* Drop the pairs of the body in a slot. */
void excluded_drop_of(abut_world *world, int32_t slot);

/* Saved pairs (step/world/extras.h). Reading fills a separate list, which the caller releases. */
void excluded_save(saved_stream *s, const abut_world *world);
abut_status excluded_read(saved_stream *s, const body *bodies, int32_t body_used, excluded_pairs *list);
