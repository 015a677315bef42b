#pragma once

#include "io/scene/read.h"

/*
 * The materials and bodies of a scene.
 */

/* Checks all materials, whether they are used or not. */
abut_status scene_check_materials(scene_reader *reader);

/* Reads "bodies" into the scene. */
abut_status scene_read_bodies(scene_reader *reader);

/* Finds the body that a string names. */
abut_status scene_body_at(const scene_reader *reader, const scene_place *place, int32_t *index);

/* Finds the body that a key of an action names. */
abut_status scene_named_body(const scene_reader *reader, const scene_place *object, const char *key, int32_t *index);
