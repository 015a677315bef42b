#pragma once

#include <abut/contact.h>

/*
 * Below a body that bulges, contacts inside a patch are lower than the convex hull of its corners. They touch first when the body rolls.
 */

/* A contact at its place in the plane of its patch. */
typedef struct mesh_corner {
    double x, y;
    int32_t contact;
} mesh_corner;

typedef struct mesh_bulge {
    const abut_contact *contacts;
    const mesh_corner *all; /* [count] of a plane */
    int32_t count;
    const mesh_corner *ring; /* [corners] those of its patch */
    int32_t corners;
    double weld; /* corners closer than this are one [length] */
    double same; /* heights that differ by at most this are equal [length] */
} mesh_bulge;

/* Marks contacts that touch before those of the ring when the body tilts about its deepest contact, in 16 directions; and the deepest one itself if it is
 * deeper than the ring.
 *
 * first  [count] receives the marks
 *
 * Returns whether there are any. */
bool mesh_bulge_mark(const mesh_bulge *of, bool *first);
