#pragma once

#include <abut/world.h>

#include "support/check.h"

/*
 * A world with its shapes, for tests with moving bodies. A call that fails makes the test fail.
 */

enum { STAGING_SHAPES = 16 };

#define STAGING_STEP (1.0 / 60.0)

typedef struct staging {
    abut_world *world;
    abut_shape *shapes[STAGING_SHAPES]; /* [shape_count] released with the world */
    int32_t shape_count;
    const abut_shape *box, *sphere, *plane; /* from staging_make(): a cube of 1 m, radius 0.5 m, z <= 0; otherwise NULL */
} staging;

/* An empty world. def may be NULL for the defaults. */
staging staging_open(const abut_world_def *def);
void staging_close(staging *stage);

/* A definition with sleeping off; gravity points down and may be 0. */
abut_world_def staging_def(double gravity);
/* A world of this definition, or of another one, and basic shapes for it. */
staging staging_make(double gravity);
staging staging_make_with(const abut_world_def *def);

/* The stage takes ownership of the shape. */
const abut_shape *staging_keep(staging *stage, abut_shape *shape);
const abut_shape *staging_box(staging *stage, double x, double y, double z);
const abut_shape *staging_sphere(staging *stage, double radius);
const abut_shape *staging_plane(staging *stage, abut_vec3 normal);

/* A definition that the caller can change, and a body made from it. */
abut_body_def staging_body(abut_body_kind kind, const abut_shape *shape, abut_vec3 position);
abut_body_id staging_put(staging *stage, const abut_body_def *def);
/* Both at once. */
abut_body_id staging_add(staging *stage, abut_body_kind kind, const abut_shape *shape, abut_vec3 position);
/* A dynamic body, turned. */
abut_body_id staging_add_turned(staging *stage, const abut_shape *shape, abut_vec3 position, abut_quat rotation);
/* A static plane z <= 0 with the given friction. */
abut_body_id staging_ground(staging *stage, double friction);

abut_body_state staging_state(const staging *stage, abut_body_id id);
bool staging_awake(const staging *stage, abut_body_id id);
/* Angle between the body's own z axis and the vertical, ignoring the direction. */
double staging_tilt(const staging *stage, abut_body_id id);

/* Makes `steps` steps of dt. Returns the report of the last one. */
abut_step_report staging_run(staging *stage, double dt, int32_t steps);

/* Linear momentum, angular momentum about the origin, and kinetic energy of dynamic bodies. */
typedef struct staging_momenta {
    abut_vec3 linear, angular;
    double energy;
} staging_momenta;
staging_momenta staging_momenta_of(const staging *stage, const abut_body_id *ids, int32_t count);
