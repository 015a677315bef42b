#pragma once

#include "io/scene/scene.h"

/*
 * A scene with joints for the tests of recordings and pages: every kind of joint but gears, one that breaks at once, one that breaks later, one whose body is
 * removed; a sensor that a body falls through. 60 steps of 1/60.
 */

enum { DEMO_JOINTS = 7, DEMO_JOINTS_BODIES = 9, DEMO_JOINTS_SENSOR = 6, DEMO_JOINTS_STEPS = 60 };

/* events: bits of abut_world_event_kind that its worlds list. A call that fails makes the test fail. */
abut_scene *demo_joints_scene(uint32_t events);
