#pragma once

#include "narrow/mesh/set.h"

/*
 * Which triangles of a set lie inside a flat place: about each of their corners the set has a whole ring of triangles in one plane, each beyond a side of the
 * one before. Any direction that leans against the plane then has a triangle that rises above it, at any point of such a triangle. It is found for all
 * triangles at once, through a table of their sides.
 *
 * Slender triangles rise by little. `lean` is the sine of an angle from which on all triangles in flat places rise clearly.
 */

typedef struct mesh_flats {
    bool *inside; /* [count of the set]; NULL: not known */
    double lean;
} mesh_flats;

/* same: points closer than this are one place. Without memory nothing is known, which costs time only. */
void mesh_flats_make(mesh_flats *flats, const mesh_set *set, double same);
void mesh_flats_free(mesh_flats *flats);
