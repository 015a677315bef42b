#pragma once

#include "io/scene/read.h"

/*
 * The pairs of bodies of a scene that never touch.
 */

/* Reads "never_touch" into the scene. The bodies must have been read. */
abut_status scene_read_never_touch(scene_reader *reader);
