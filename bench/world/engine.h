#pragma once

#include "world/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What is measured: an engine that simulates a scene. Bodies do not fall asleep.
 */

/* Of one step. Phases that an engine does not tell apart are counted with the one before. */
typedef struct engine_step {
    double seconds, broad, narrow, solve;
    int32_t contacts;
} engine_step;

typedef struct engine_body {
    abut_pose pose;
    abut_vec3 velocity, angular_velocity; /* of the centre of mass */
} engine_body;

/* How hard an engine tries: substeps of a step, and iterations of its solver in each. */
typedef struct engine_effort {
    int32_t substeps, iterations;
} engine_effort;

typedef struct engine {
    const char *name;
    engine_effort effort; /* by default */
    void *(*create)(const scene *of, engine_effort effort, int32_t threads); /* NULL when it failed */
    bool (*step)(void *instance, double dt, engine_step *done);
    void (*bodies)(const void *instance, engine_body *out); /* in the scene's order */
    uint64_t (*hash)(const void *instance);                 /* of the state; NULL when the engine has none */
    void (*destroy)(void *instance);
} engine;

extern const engine engine_abut;
#ifdef BENCH_WITH_BULLET
extern const engine engine_bullet;
#endif

#ifdef __cplusplus
}
#endif
