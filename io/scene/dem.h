#pragma once

#include "io/scene/read.h"

/*
 * What a scene says to the dem stepper, and what that asks of a scene.
 */

/* The settings in a "stepper" of kind "dem". */
abut_status scene_dem_read_stepper(const scene_reader *reader, const scene_place *place, abut_dem_settings *dem);

/* "until" of the scene. The stepper must have been read. */
abut_status scene_dem_read_until(const scene_reader *reader);

/* "young", "poisson" and "adhesion_work" of a material. */
abut_status scene_dem_read_material(const scene_reader *reader, const scene_place *place, abut_body_def *def);

/* Can the scene's stepper move a body of this shape? `place` is that of the shape. */
abut_status scene_dem_check_body(const scene_reader *reader, const scene_place *place, const char *what, const abut_body_def *def);

/* Is the space that is repeated long enough for the scene's bodies? */
abut_status scene_dem_check_space(const scene_reader *reader);
