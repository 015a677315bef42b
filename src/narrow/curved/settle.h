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

typedef enum contact_settled {
    CONTACT_UNSETTLED,
    /* The points face each other but for one direction, along which the surfaces hardly tell where they do: a ball nearly in the middle of a ring, say. The gap
     * is that of the surfaces at this place. */
    CONTACT_NEARLY_SETTLED,
    CONTACT_SETTLED
} contact_settled;

/* The same, and where it does not settle, nearly. The sides are arbitrary for CONTACT_UNSETTLED. */
contact_settled contact_sides_settle_somewhere(contact_side *lead, contact_side *other, double size, double reach);
