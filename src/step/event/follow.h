#pragma once

#include "step/event/row.h"

/*
 * Contacts of smooth bodies: the two points that face each other are followed by Newton's method on the normal, from feature to feature where the other
 * body has some.
 */

/* Whether two parts touch in that way. */
bool event_follow_is(const abut_shape *a, const abut_shape *b);

/* As event_row_look() and event_row_rates(). */
abut_contact event_follow_look(const event_row *row, const event_place *a, const event_place *b);
void event_follow_rates(const event_row *row, const abut_contact *now, const event_place *a, const event_place *b, abut_rates *rates);
