#pragma once

#include "io/scene/read.h"

/*
 * The actions of a scene.
 */

/* Read "actions" into the scene, sorted by the step at which they happen. The bodies must have been read. */
abut_status scene_read_actions(scene_reader *reader);
