#pragma once

#include "step/world/world.h"

/*
 * Islands: dynamic bodies that touch each other or have a joint, directly or through other dynamic bodies.
 * The bodies of an island wake and fall asleep together.
 */

/* A body during a step. */
typedef struct island_body {
    int32_t parent;   /* union-find: a slot of the same island; the root has its own slot */
    bool dynamic;     /* in use, and moved by forces */
    bool active;      /* its contacts can change: it is dynamic and awake, kinematic and moving, or placed by the caller */
    bool looks;       /* was placed since the last step, then put to sleep: its contacts are found although it is not active */
    bool asleep;      /* after the step */
    double rest_time; /* after the step */
} island_body;

/* Zero-initialise. */
typedef struct island_forest {
    island_body *bodies; /* by slot */
    int32_t capacity;
} island_forest;

/* Before the contacts of a step: make every body an island of its own, and set `active` without regard to other bodies. False when there is no memory. */
bool islands_begin(island_forest *islands, const abut_world *world);

/* With the contacts of the step: join bodies that touch or have a joint to islands.
 * Wake the islands that contain an active body, or touch an active body that is not
 * dynamic. */
void islands_wake(island_forest *islands, const abut_world *world);

/* After islands_wake(): the root of the island of a dynamic body. It is the smallest slot of the island. */
int32_t islands_root(island_forest *islands, int32_t slot);

/* Before islands_wake(): whether the contacts of a pair can change. */
static inline bool islands_pair_is_active(const island_forest *islands, const broad_pair *pair) {
    const island_body *a = &islands->bodies[pair->a], *b = &islands->bodies[pair->b];
    return a->active || b->active || a->looks || b->looks;
}

/* Whether a body has a velocity. */
bool island_body_moves(const body *body);

void islands_release(island_forest *islands);
