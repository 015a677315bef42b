#pragma once

#include "io/scene/read.h"

/*
 * The settings of the dem stepper in a scene, and the conditions that this stepper sets for a scene.
 */

/* Reads the settings of a "stepper" of kind "dem". */
abut_status scene_dem_read_stepper(const scene_reader *reader, const scene_place *place, abut_dem_settings *dem);

/* Reads a condition of rest, `what`, with its defaults. */
abut_status scene_dem_read_rest(const scene_reader *reader, const scene_place *place, const char *what, abut_scene_until *rest);

/* Reads "until" of the scene. The stepper must have been read. */
abut_status scene_dem_read_until(const scene_reader *reader);

/* Reads the keys of a material that are for the dem stepper, except its resistances. */
abut_status scene_dem_read_material(const scene_reader *reader, const scene_place *place, abut_body_def *def);

/* Refuses a periodic space that is too short for the scene's bodies. */
abut_status scene_dem_check_space(const scene_reader *reader);
