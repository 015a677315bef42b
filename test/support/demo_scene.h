#pragma once

#include "io/scene/simulation.h"

/*
 * A small scene for the tests of recordings and exports: every kind of shape, a moving and a removed body, names that need quoting. 60 steps of 1/60. A call
 * that fails makes the test fail.
 */

enum { DEMO_FLOOR, DEMO_BOX, DEMO_BALL, DEMO_CAPSULE, DEMO_DUMBBELL, DEMO_HULL, DEMO_LIFT, DEMO_BODIES };

enum { DEMO_STEPS = 60, DEMO_REMOVED_AFTER = 30 /* the ball is gone from this step on */ };

abut_scene *demo_scene(void);
abut_simulation *demo_simulation(const abut_scene *scene);
