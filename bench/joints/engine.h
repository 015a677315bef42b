#pragma once

#include "joints/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An engine that simulates a scene. Bodies do not fall asleep. */
typedef struct engine {
    const char *name;
    int32_t effort;                                      /* threads of abut; iterations of Bullet */
    void *(*create)(const scene *of, int32_t effort);    /* NULL on failure */
    bool (*step)(void *instance, double dt);             /* false on failure */
    void (*poses)(const void *instance, abut_pose *out); /* [part_count] */
    double (*energy)(const void *instance);              /* kinetic [J] */
    uint64_t (*hash)(const void *instance);              /* of the state; NULL when the engine has none */
    void (*destroy)(void *instance);
} engine;

extern const engine engine_abut, engine_abut_twice; /* on one thread, and on two */
#ifdef BENCH_WITH_BULLET
extern const engine engine_bullet, engine_bullet_more; /* with its 10 iterations, and with 100 */
#endif

#ifdef __cplusplus
}
#endif
