/*
 * The springs against rolling and twisting: elastic, with a damper, up to a limit at which they yield. The surfaces of two bodies with the
 * relative angular velocity w roll on each other with the velocity R w x n in the plane of contact, and twist with R w . n along the normal
 * n, where R is the effective radius (S. Luding, "Cohesive, frictional powders: contact models for tension", 2008). An observer who turns
 * along sees the same velocities. Both springs turn with the contact as the friction spring does. The force F of the first gives the moment
 * R n x F, the force of the second R F about n. Both are moments on A, with the opposite ones on B: they push no body, and add no angular
 * momentum.
 */
#include <math.h>

#include "base/real.h"
#include "solve/pressure/pressure.h"

/* The damper next to these springs. A ball that rolls or twists without sliding has at least 2/5 of its mass. */
static double damper_of(const abut_pressure_law *law, const pressure_roll *roll) {
    const double turning = 2.0 / 5.0;
    return 2.0 * sqrt(5.0 / 6.0) * law->damping * sqrt(turning * roll->mass * roll->stiffness);
}

static void add_rolling(const abut_pressure_law *law, const pressure_turned *before, const pressure_roll *roll, pressure_rolled *out) {
    abut_vec3 velocity = abut_scale(roll->radius, abut_cross(roll->turning, roll->normal));
    pressure_slide slide = {.normal = roll->normal,
                            .way = abut_scale(roll->time_step, velocity),
                            .spin = roll->spin,
                            .stiffness = roll->stiffness,
                            .limit = law->rolling_resistance * roll->force,
                            .velocity = velocity,
                            .damper = damper_of(law, roll)};
    abut_pressure_memory memory = {.stiffness = 0.0};
    if (before != NULL) {
        memory.normal = before->normal;
        memory.stretch = abut_add_scaled(before->roll, -abut_dot(before->roll, before->normal), before->normal);
        memory.stiffness = before->stiffness;
    }
    pressure_spring spring = pressure_slide_on(&memory, &slide);
    out->roll = abut_add(out->roll, spring.stretch);
    out->moment = abut_add_scaled(out->moment, roll->radius, abut_cross(roll->normal, spring.force));
    out->lost += spring.lost;
    out->damping += spring.damping;
}

/* The same along a line. Where the stiffness has grown, the force is kept; where it has shrunk, the stretch. */
static void add_twisting(const abut_pressure_law *law, const pressure_turned *before, const pressure_roll *roll, pressure_rolled *out) {
    double k = roll->stiffness, velocity = roll->radius * abut_dot(roll->turning, roll->normal), stretch = 0.0,
           limit = law->twisting_resistance * roll->force;
    if (before != NULL && before->stiffness > 0.0) {
        double old = abut_dot(before->roll, before->normal);
        stretch = old * real_min(1.0, before->stiffness / k);
        out->lost += real_max(0.5 * (before->stiffness * old * old - k * stretch * stretch), 0.0);
    }
    stretch += roll->time_step * velocity;
    double held = -k * stretch;
    if (fabs(held) > limit) {
        out->lost += limit * (fabs(held) - limit) / k;
        stretch = copysign(limit / k, stretch);
        held = copysign(limit, held);
    } else {
        double both = real_min(real_max(held - damper_of(law, roll) * velocity, -limit), limit);
        out->damping += (held - both) * velocity;
        held = both;
    }
    out->roll = abut_add_scaled(out->roll, stretch, roll->normal);
    out->moment = abut_add_scaled(out->moment, roll->radius * held, roll->normal);
}

pressure_rolled pressure_roll_on(const abut_pressure_law *law, const pressure_turned *before, const pressure_roll *roll) {
    pressure_rolled out = {.lost = 0.0};
    if (law->rolling_resistance > 0.0) {
        add_rolling(law, before, roll, &out);
    }
    if (law->twisting_resistance > 0.0) {
        add_twisting(law, before, roll, &out);
    }
    return out;
}
