#pragma once

#include <abut/query.h>

#include "narrow/pair.h"

/*
 * How far two bodies are apart, or how deep in each other, in the pair's frame.
 */

/* The separation of two shapes. The pair's margin is ignored. apart: they are known not to touch, which spares a search for contacts.
 * ABUT_OK; ABUT_ERROR_UNSUPPORTED_PAIR; ABUT_ERROR_OUT_OF_MEMORY; of bodies of rounded triangles also the statuses of facet_apart_find(). */
abut_status distance_find(const collide_pair *pair, bool apart, abut_separation *separation);

/* abut_distance() in the name of `call`; NULL: the log is not told why it refuses. */
abut_status distance_ask(const char *call, const abut_pair *pair, const abut_collide_settings *settings, abut_cache *cache,
                         abut_separation *separation);
