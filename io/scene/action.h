#pragma once

#include "io/scene/read.h"

/*
 * The actions of a scene.
 */

/* Reads "actions" into the scene, sorted by their steps. The bodies must have been read. */
abut_status scene_read_actions(scene_reader *reader);
