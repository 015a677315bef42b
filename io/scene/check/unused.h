#pragma once

#include "io/scene/read.h"

/*
 * Settings that have no effect in a scene: its stepper ignores them, or another setting does.
 */

/* When all else has been read: warns at each setting that is given and has no effect, for every key at most a few times. */
abut_status scene_check_unused(scene_reader *reader);
