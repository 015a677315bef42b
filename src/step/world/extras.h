#pragma once

#include "step/world/saved.h"
#include "step/world/world.h"

/*
 * Parts of a saved state that few worlds have (version 6 of the format, step/save.c): excluded pairs, and belts that were changed.
 */

/* What was read. Zero-initialise; release it, also after a failure. */
typedef struct extras {
    excluded_pairs excluded;
} extras;

void extras_release(extras *e);

/* Whether a world has such a part. */
bool extras_exist(const abut_world *world);

void extras_save(saved_stream *s, const abut_world *world);

/* Reads into the records of the bodies, [body_used], and into the extras. ABUT_OK; ABUT_ERROR_FORMAT; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status extras_read(saved_stream *s, body *bodies, int32_t body_used, extras *e);

/* Exchanges those of the world and these. */
void extras_exchange(abut_world *world, extras *e);
