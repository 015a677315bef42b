#pragma once

#include "io/scene/shape.h"

/*
 * Bodies whose mass is not spread evenly over their shape: the keys "mass_centre" and "inertia".
 */

/* Gives the shape that mass distribution. `what` names the body in messages. Nothing changes without the keys. */
abut_status scene_read_own_mass(const scene_reader *reader, const scene_place *body, const char *what, const abut_body_def *def,
                                scene_shape *shape);
