#pragma once

#include <jansson.h>

#include "io/scene/scene.h"

/* By abut_joint_kind, and by abut_motor_mode; the first list ends with NULL. */
enum { JOINT_KINDS = 8, JOINT_MOTORS = 3 };
extern const char *const joint_kind_names[JOINT_KINDS + 1], *const joint_motor_names[JOINT_MOTORS];

/* A joint as JSON for web pages: docs/formats/replay-page.md. NULL when there is no memory. */
json_t *joint_description(const abut_scene_joint *joint);
