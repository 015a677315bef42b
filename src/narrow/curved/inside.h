#pragma once

#include "narrow/pair.h"
#include "narrow/patch/contact_list.h"

/*
 * A convex body, or a part of a compound, wholly inside a smooth body that is not convex meets no triangle of its stand-in. Adds the contact of the way out
 * that is nearest to its middle, as one of curved_pair(): it is not settled yet. Pair's frame.
 */
void curved_add_inside(const collide_pair *pair, contact_list *list);
