#pragma once

#include "world/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * An engine that simulates a scene. Bodies do not fall asleep.
 */

/* Times of one step. Phases that an engine does not separate count as part of the previous phase. */
typedef struct engine_step {
    double seconds, broad, narrow, solve;
    int32_t contacts;
} engine_step;

typedef struct engine_body {
    abut_pose pose;
    abut_vec3 velocity, angular_velocity; /* of the centre of mass */
} engine_body;

/* The effort of an engine: substeps per step, and solver iterations per substep. */
typedef struct engine_effort {
    int32_t substeps, iterations;
} engine_effort;

typedef struct engine {
    const char *name;
    engine_effort effort;                                                    /* by default */
    void *(*create)(const scene *of, engine_effort effort, int32_t threads); /* NULL on failure */
    bool (*step)(void *instance, double dt, engine_step *done);
    void (*bodies)(const void *instance, engine_body *out); /* in the scene's order */
    uint64_t (*hash)(const void *instance);                 /* hash of the state; NULL when the engine has none */
    void (*destroy)(void *instance);
} engine;

extern const engine engine_abut, engine_quick; /* the exact solver, and the quick one, which is the default */
#ifdef BENCH_WITH_BULLET
extern const engine engine_bullet;
#endif

#ifdef __cplusplus
}
#endif
