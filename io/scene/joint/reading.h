#pragma once

#include "io/scene/read.h"

/*
 * The joints of a scene.
 */

/* Reads "joints" into the scene. The bodies must have been read. */
abut_status scene_read_joints(scene_reader *reader);
