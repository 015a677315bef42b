#pragma once

#include "io/scene/read.h"

/*
 * The settings of a scene's world.
 */

/* Reads "abut_scene", "title", "description", "dt", "duration", "gravity", "stepper", "until" and "contact" into the scene. */
abut_status scene_read_world(scene_reader *reader);
