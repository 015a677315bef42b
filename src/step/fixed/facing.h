#pragma once

#include "step/fixed/narrow_jobs.h"

/*
 * Smooth bodies that are not convex, over several meshes. A contact of such a body that is no pair of places facing each other counts only where it is deeper
 * than all that are, with all these meshes together: as with a single mesh (narrow/curved/curved.h), and as in abut_collide_meshes().
 */

/* Drops the others. False when there is no memory. */
bool facing_keep(narrow_phase *narrow, const abut_world *world);
