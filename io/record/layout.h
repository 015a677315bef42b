#pragma once

#include "io/scene/report_layout.h"

/*
 * The tables of a recording: which field of which struct is which dataset. Writer and reader use the same rows, so they cannot
 * disagree. The meaning of each dataset is in docs/formats/recording.md.
 */

#define LAYOUT_FORMAT "abut recording"
#define LAYOUT_VERSION 1

enum { LAYOUT_CONTACT_FIELDS = 14, LAYOUT_JOINT_FIELDS = 15, LAYOUT_EVENT_FIELDS = 10 };

extern const layout_field layout_contact[LAYOUT_CONTACT_FIELDS]; /* of abut_recorded_contact */
extern const layout_field layout_joint[LAYOUT_JOINT_FIELDS];     /* of abut_scene_joint, without kind, motor mode and flags */
extern const layout_field layout_event[LAYOUT_EVENT_FIELDS];     /* of abut_recorded_event */

/* The cells of one body's state in a frame: position and quaternion; velocity and angular velocity. */
enum { LAYOUT_POSE_WIDTH = 7, LAYOUT_VELOCITY_WIDTH = 6, LAYOUT_PARAMETERS = 4, LAYOUT_EXPONENTS = 2 };

/* The cells of one joint's state in a frame: coordinate and spin; error and angle error; force and torque. */
enum { LAYOUT_COORDINATE_WIDTH = 2, LAYOUT_ERROR_WIDTH = 2, LAYOUT_LOAD_WIDTH = 6 };
