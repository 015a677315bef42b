#pragma once

#include "step/event/row.h"

/*
 * Contacts in which at least one body is smooth. The two extremal points are followed by Newton's method on the normal; on a body with
 * features the contact moves from feature to feature.
 */

/* Whether the contacts of two parts are followed in this way. */
bool event_follow_is(const abut_shape *a, const abut_shape *b);

/* The side of such a contact. */
event_side event_follow_side(const abut_shape *shape, abut_feature feature);

/* Whether a smooth body touches a plane or a face. Nothing is searched then, and the contact is exact to rounding errors, also at flat places. */
bool event_follow_is_on_face(const event_row *row);

/* Same contracts as event_row_look() and event_row_rates(). */
abut_contact event_follow_look(const event_row *row, const event_place *a, const event_place *b);
void event_follow_rates(const event_row *row, const abut_contact *now, const event_place *a, const event_place *b, abut_rates *rates);

/* The velocity of the contact point on A; that of A's material there if it has none. */
abut_vec3 event_follow_point_rate(const event_row *row, const abut_contact *now, const event_place *a, const event_place *b);
