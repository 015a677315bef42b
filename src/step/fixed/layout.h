#pragma once

#include "step/world/world.h"

/*
 * Who is solved with whom. The solver gets every island for itself: its bodies, pairs, patches, points and springs lie together, and their
 * indices count from the begin of its part. A body that does not move may be touched by several islands; each of them has copies of its
 * own, its guests.
 */

/* From the bodies, the springs and work.next to all indices and views of step_work, with room for what they index. Pairs of sleeping bodies
 * are left out. False when there is no memory. */
bool layout_make(abut_world *world);
