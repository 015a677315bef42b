#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <abut/math.h>

#include "base/real.h"

/* A spring between a point of a body and a point of the world. */
typedef struct spring {
    bool used;
    uint32_t generation; /* number of earlier uses of the slot */
    int32_t next_free;   /* of an unused slot: the next unused slot; -1 for none */
    int32_t body;        /* slot */
    abut_vec3 anchor;    /* shape frame */
    abut_vec3 target;    /* world frame */
    double frequency, damping_ratio, max_force;
} spring;

/* Stiffness [force / length] of a spring of this frequency at a body of this mass: m (2 pi f)^2. */
static inline double spring_stiffness(double frequency, double mass) {
    double angular = 2.0 * REAL_PI * frequency;
    return mass * angular * angular;
}
