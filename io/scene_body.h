#pragma once

#include "scene_read.h"

/*
 * The materials and bodies of a scene.
 */

/* Check all materials, used or not. */
abut_status body_check_materials(scene_reader *reader);

/* Read "bodies" into the scene. */
abut_status body_read_all(scene_reader *reader);

/* The body that a key of an action names. */
abut_status body_find(const scene_reader *reader, const scene_place *object, const char *key, int32_t *index);
