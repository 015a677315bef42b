#pragma once

#include "narrow/mesh/pair/touching.h"

/* Contacts of outer edges of both surfaces that cross, seen along the direction perpendicular to both, if that is a normal of both. Set frame. */

/* Adds the contacts of all edges in work->near. */
void mesh_touch_edges(mesh_touching *work);
