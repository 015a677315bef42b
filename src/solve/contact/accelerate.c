/* Conjugate gradients over passes. The change that a pass makes stands for the negative gradient g. The direction is p = beta p + g with
 * Fletcher's and Reeves' beta = |g|^2 / |g before|^2; it restarts when beta exceeds 1. The change is measured as energy: impulse squared
 * times mobility. The effect of a direction on the bodies' velocities is known from the passes that formed it, so no contact is visited for
 * it. The impulses follow in the next pass. */
#include "solve/contact/accelerate.h"

#include "solve/contact/loop.h"

static void note_bodies(void *argument, solver_range range) {
    const solver_contacts *set = argument;
    for (int32_t i = range.begin; i < range.end; i++) {
        accelerate_note(&set->bodies[i]);
    }
}

accelerator accelerate_begin(const solver_contacts *set) {
    solver_contacts of = *set;
    solver_each_body(set, note_bodies, &of);
    return (accelerator){0.0, 0.0};
}

typedef struct extrapolation {
    const solver_contacts *set;
    double factor;
} extrapolation;

static void extrapolate_bodies(void *argument, solver_range range) {
    const extrapolation *e = argument;
    for (int32_t i = range.begin; i < range.end; i++) {
        solver_body *body = &e->set->bodies[i];
        abut_vec3 further = abut_scale(e->factor, body->direction), turn = abut_scale(e->factor, body->angular_direction);
        body->direction = abut_add(further, abut_sub(body->velocity, body->before));
        body->angular_direction = abut_add(turn, abut_sub(body->angular_velocity, body->angular_before));
        body->velocity = abut_add(body->velocity, further);
        body->angular_velocity = abut_add(body->angular_velocity, turn);
        accelerate_note(body);
    }
}

void accelerate_passes(accelerator *state, const solver_contacts *set, double energy) {
    /* Without an earlier pass, or after a setback, the last change becomes the direction. */
    state->factor = state->energy > 0.0 && energy <= state->energy ? energy / state->energy : 0.0;
    state->energy = energy;
    extrapolation e = {set, state->factor};
    solver_each_body(set, extrapolate_bodies, &e);
}
