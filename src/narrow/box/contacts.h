#pragma once

#include "base/bits.h"
#include "narrow/box/kernel.h"

/*
 * The contacts of one pair of boxes, written from the kernel's answer.
 */

enum { BOX_CONTACTS = BOX_PLACES };

/* An axis of a box, by its number, and its half size along it. Numbers that are hard to foresee are no reason to branch. */
static inline const abut_vec3 *box_axis(const abut_mat3 *turn, int axis) { return (const abut_vec3 *)(const void *)turn + axis; }

static inline double box_half(const abut_shape *box, int axis) { return ((const double *)(const void *)&box->half)[axis]; }

/* Two boxes in one frame, and what their contacts depend on. */
typedef struct box_bodies {
    box_body a, b;
    abut_vec3 aside; /* of the terms */
    int order;       /* of the shapes by their data, as in collide_pair */
    double weld;     /* length */
} box_bodies;

/* The corners of the polygon in a lane whose verdict is BOX_FACES: room for as many contacts is enough. */
static inline int32_t box_contacts_count(const box_answers *answers, int lane) { return bits_count((unsigned)answers->present[lane]); }

/* Writes the contacts of such a lane, in the frame of the bodies. Returns their number; 0 when two contacts would have one id, which the general path has to
 * settle. */
int32_t box_contacts_write(const box_bodies *bodies, const box_answers *answers, int lane, abut_contact *contacts);

/* The axis along which the boxes of a lane are apart, from A to B, in A's frame; of any length. */
abut_vec3 box_contacts_axis(const box_answers *answers, int lane);

/* The axes of B and its centre, in A's frame. */
abut_mat3 box_contacts_turn(const box_answers *answers, int lane);
abut_vec3 box_contacts_centre(const box_answers *answers, int lane);
