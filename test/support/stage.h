#pragma once

#include <abut/world.h>

/*
 * What the tests of worlds build: a world that does not sleep, with a floor; bodies in one line. Everything is released at the end of
 * the process's test by stage_end(); a status other than ABUT_OK fails the test.
 */
typedef struct stage {
    abut_world *world;
    const abut_shape *box;    /* cube of 1 m */
    const abut_shape *sphere; /* radius 0.5 m */
    const abut_shape *plane;  /* z <= 0 */
} stage;

/* Gravity points down and may be 0. */
stage stage_make(double gravity);
stage stage_make_with(const abut_world_def *def);
void stage_end(stage *s);

/* A definition without sleeping. */
abut_world_def stage_def(double gravity);

/* A static plane through the origin, friction as given. */
abut_body_id stage_floor(stage *s, double friction);

/* A dynamic body of 1000 kg / m^3 at rest. */
abut_body_id stage_body(stage *s, const abut_shape *shape, abut_vec3 position, abut_quat rotation);
abut_body_id stage_add(stage *s, const abut_body_def *def);
abut_body_def stage_body_def(const abut_shape *shape, abut_vec3 position);

abut_body_state stage_state(const stage *s, abut_body_id id);

/* Steps of 1 / 60 s; the report of the last one. */
abut_step_report stage_run(stage *s, int32_t steps);

/* Angle of the body's own z axis to the vertical, whichever way up. */
double stage_tilt(const stage *s, abut_body_id id);

/* Linear momentum, angular momentum about the origin, and kinetic energy of dynamic bodies. */
typedef struct stage_momenta {
    abut_vec3 linear, angular;
    double energy;
} stage_momenta;
stage_momenta stage_momenta_of(const stage *s, const abut_body_id *ids, int32_t count);
