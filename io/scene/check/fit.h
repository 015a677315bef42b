#pragma once

#include "io/scene/read.h"

/*
 * Whether the scene's stepper takes its bodies. What a run would refuse at its first step, or when two bodies come near each other, is refused when the scene
 * is loaded, at its place in the file.
 */

/* Refuses a shape that the scene's stepper does not take. `place` is the place of the shape, `what` names the body. */
abut_status scene_check_shape(const scene_reader *reader, const scene_place *place, const char *what, abut_body_kind kind,
                              const abut_shape *shape);

/* When all else has been read: refuses pairs of bodies that have no contacts, and what the world itself refuses. Warns of bodies that begin inside each
 * other. */
abut_status scene_check_fit(scene_reader *reader);
