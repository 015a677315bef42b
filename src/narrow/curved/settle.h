#pragma once

#include "narrow/curved/side.h"

/*
 * Moves two points along their surfaces until they face each other along a common normal: an extremal pair (Baraff 1990, section 3). Newton's method with the
 * curvatures of both surfaces. Pair's frame.
 *
 * lead: on a body that is smooth and not convex
 * size: of both bodies
 * reach: the points may move this far [length]
 *
 * False where no such pair is found so near; the sides are then anywhere.
 */
bool contact_sides_settle(contact_side *lead, contact_side *other, double size, double reach);
