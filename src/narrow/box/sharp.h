#pragma once

#include "narrow/box/contacts.h"

/*
 * The contacts of two boxes where an edge or a vertex takes part: an edge on a face, a vertex on a face, or two edges that cross. The kernel gives the normal.
 */

enum { SHARP_CONTACTS = 2 };

/* Writes the contacts of a lane whose verdict is BOX_NORMAL, in the frame of the bodies. sine: of the feature angle. Returns their number; 0 where other
 * features take part, where a contact is close to a corner or a border, or where the contacts do not prove the normal. The general path decides then. */
int32_t box_sharp_write(const box_bodies *bodies, const box_answers *answers, int lane, double margin, double sine,
                        abut_contact contacts[SHARP_CONTACTS]);
