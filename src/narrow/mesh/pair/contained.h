#pragma once

#include "narrow/mesh/pair/closed.h"

/*
 * A piece of a closed mesh inside another one, whose surface it does not cross. Set frame.
 */

/* Sets `contained` and `outwards`. The zones are known. */
void contained_find(closed_pair *pair);

/* Adds a contact that takes the bodies apart as wholes, if none with a gap below 0 is there. */
void contained_complete(const closed_pair *pair, contact_list *list);
