#pragma once

#include <stdint.h>

#include <abut/world_query.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bullet's collision world with the same bodies. */

typedef enum body_form { FORM_BOX, FORM_BALL, FORM_HULL, FORMS } body_form;

/* A body: half sizes of a box, x the radius of a ball; points of a hull. */
typedef struct placed_form {
    body_form form;
    abut_vec3 half;
    const abut_vec3 *points; /* [point_count] */
    int32_t point_count;
    abut_pose pose;
} placed_form;

typedef struct peer_world peer_world;

/* NULL when the benchmark was built without Bullet. */
peer_world *peer_make(const placed_form *bodies, int32_t count);
void peer_free(peer_world *world);

/* Moves all bodies by the same way, and brings the tree up to date. */
void peer_move(peer_world *world, abut_vec3 way);

/* The fraction of the first hit and its body, for each ray; 1 and -1 for none. */
void peer_cast(peer_world *world, const abut_ray *rays, int32_t count, double *fractions, int32_t *bodies);

#ifdef __cplusplus
}
#endif
