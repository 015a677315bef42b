#pragma once

#include "io/scene/read.h"

/*
 * What a scene says about its world as a whole.
 */

/* "abut_scene", "title", "description", "dt", "duration", "gravity", "stepper", "until" and "contact" into the scene. */
abut_status scene_read_world(scene_reader *reader);
