#pragma once

#include <abut/query.h>

#include "narrow/pair.h"

/*
 * How far two bodies are apart, or how deep in each other, in the pair's frame.
 */

/* The separation of two shapes. The pair's margin is ignored. apart: they are known not to touch, which spares a search for contacts.
 * ABUT_OK; ABUT_ERROR_UNSUPPORTED_PAIR; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status distance_find(const collide_pair *pair, bool apart, abut_separation *separation);
