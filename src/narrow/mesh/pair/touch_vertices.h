#pragma once

#include "narrow/mesh/pair/touching.h"

/*
 * Contacts of the vertices of each surface with the other one: at the closest point there, straight through a face of it, and over the faces beside the closest
 * one. Set frame.
 */

/* Adds the contacts of all vertices in work->near. Sets work->inside if one of them is inside the other surface, and leaves it otherwise. */
void mesh_touch_vertices(mesh_touching *work);
