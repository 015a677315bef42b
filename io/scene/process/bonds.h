#pragma once

#include "io/scene/read.h"

/* Reads a "bond" of an action. */
abut_status scene_read_bond(const scene_reader *reader, const scene_place *place, abut_scene_action *action);
