#pragma once

#include <abut/query.h>

#include "step/event/system.h"

/*
 * Contacts of a ball with a ball, a plane or a box in closed form: nothing is searched.
 */

/* Whether two parts are such a pair. */
bool event_direct_is(const abut_shape *a, const abut_shape *b);

/* Finds the contact, with a gap up to the margin [length]; *count receives 0 or 1. At a larger gap, `apart` receives the closest points. False if the ball's
 * centre is not outside the other body, where there is no normal; nothing is written then. World frame. */
bool event_direct_find(const event_part *const part[2], const event_place *const place[2], double margin, abut_contact *contact,
                       int32_t *count, abut_separation *apart);
