#pragma once

#include "step/world/saved.h"
#include "step/world/world.h"

/*
 * The part of a saved world that is the same for all steppers: step, time, bodies, springs, pairs and contacts. Reading fills separate records, and gives
 * bodies their values as built (step/world/changes.h). The records replace those of the world only when nothing can fail any more.
 */
typedef struct world_state {
    const abut_world *world; /* the world to restore; reading leaves it unchanged */
    int64_t step;
    double time;
    abut_vec3 gravity;    /* as built, unless changes_read() sets another one */
    body *bodies;         /* [world->body_used], by slot; unused slots have no shape */
    broad_proxy *proxies; /* [world->body_used], beside bodies */
    int32_t body_free, body_count;
    spring *springs;
    int32_t spring_used, spring_free;
    broad_pair *pairs;
    broad_memory *memories; /* beside pairs */
    int32_t pair_count;
    contact_store contacts;
} world_state;

/* Write the state. The digests are those of world_digests_of_bodies(). NULL is allowed while bytes are only counted. */
void world_state_save(saved_stream *s, const abut_world *world, const uint64_t *digests);

/* Read a state. On entry state->world is set and the other fields are zero. The caller releases the state, also after a failure. ABUT_OK;
 * ABUT_ERROR_FORMAT; ABUT_ERROR_FOREIGN: the world has other bodies; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status world_state_read(saved_stream *s, world_state *state);

/* Put the state into the world. The state receives the old lists; the caller releases it. */
void world_state_restore(abut_world *world, world_state *state);

void world_state_release(world_state *state);
