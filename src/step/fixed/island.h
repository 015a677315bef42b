#pragma once

#include "step/world/world.h"

/*
 * Islands: dynamic bodies that touch each other, directly or through other dynamic bodies. The bodies of an island wake and fall asleep together.
 */

/* A body during a step. */
typedef struct island_body {
    int32_t parent;   /* union-find: a slot of the same island; the root has its own slot */
    bool active;      /* can change its contacts: it is awake and dynamic, or something other than a force moves it */
    bool asleep;      /* after the step */
    double rest_time; /* after the step */
} island_body;

/* Zero-initialise. */
typedef struct island_forest {
    island_body *bodies; /* by slot */
    int32_t capacity;
} island_forest;

/* Before the contacts of a step: every body is an island of its own, and active if it is so by itself. False when there is no memory. */
bool islands_begin(island_forest *islands, const abut_world *world);

/* With the contacts of the step: join the islands. Wake those that contain an awake body or touch a body that is moved by something other than a force. */
void islands_wake(island_forest *islands, const abut_world *world);

/* After islands_wake(): the slot that stands for the island of a dynamic body. It is the smallest slot of the island. */
int32_t islands_root(island_forest *islands, int32_t slot);

/* Whether a body has a velocity. */
bool island_body_moves(const body *body);

void islands_release(island_forest *islands);
