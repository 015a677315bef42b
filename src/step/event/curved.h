#pragma once

#include "step/event/row.h"

/*
 * Contacts of which one body is smooth and not convex: extremal pairs that are followed from where they were (narrow/curved/track.h). Two such bodies can have
 * several, which are told apart by their places. Where the contact point can be anywhere along a line, as with a ring that lies on a plane, the row is that of
 * a material point and the plane through it, made anew in every step. World frame.
 */

/* Whether a contact of two parts is of this kind. */
bool event_curved_is(const abut_shape *a, const abut_shape *b);

/* Whether a row is followed so. */
static inline bool event_curved_follows(const event_row *row) { return row->side[0].kind == EVENT_CURVED; }

/* Sets the sides of a row with such a contact. False where the row must be that of a point and a plane. */
bool event_curved_make(event_row *row, const abut_contact *contact, const abut_shape *a, const event_place *place_a, const abut_shape *b,
                       const event_place *place_b);

/* Same contract as event_row_look(). The gap is NAN where the contact has ended: no places near it face each other any more. */
abut_contact event_curved_look(const event_row *row, const event_place *a, const event_place *b);

/* The support of a smooth body that is not convex along a unit direction, to rounding errors: by its least distance from a plane beyond it. Part frame
 * [length]. */
double event_curved_reach(const abut_shape *shape, abut_vec3 direction);
