#pragma once

#include "narrow/mesh/pair/nearest.h"
#include "narrow/mesh/surface.h"
#include "narrow/patch/contact_list.h"

/*
 * Contacts of surfaces that share no point there: features that face each other across a gap. A vertex faces the closest point of the other
 * surface, and two outer edges face each other at their common perpendicular, if no triangle around either rises above the contact's plane. A
 * one-sided surface makes no contact with its back. Every gap is the true distance of the two points. Set frame.
 */

typedef struct mesh_facing {
    mesh_surface side[2]; /* A, B */
    double margin;
    double feature_sine;
    contact_list *found;
    bool out_of_memory;
} mesh_facing;

/* Adds the contacts with a gap above 0 and up to the margin. */
void mesh_facing_find(mesh_facing *work);

/* Adds that of the nearest triangles of both surfaces, if their gap is above 0 and up to the margin. */
void mesh_facing_nearest(mesh_facing *work, const mesh_nearest *nearest);
