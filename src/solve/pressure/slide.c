/*
 * The spring of Coulomb friction: P. A. Cundall, O. D. L. Strack, "A discrete numerical model for granular assemblies", 1979, with R. D.
 * Mindlin's stiffness (1949). The spring is first turned, without change of length, so that it stays in the plane of contact; then it is
 * stretched. Where the stiffness has grown, the force is kept; where it has shrunk, the stretch is kept. Neither gains energy.
 */
#include <math.h>

#include "base/real.h"
#include "solve/pressure/pressure.h"

/* Applies the smallest rotation that takes the unit vector `from` to `to`. */
static abut_vec3 turned_from_to(abut_vec3 from, abut_vec3 to, abut_vec3 v) {
    abut_vec3 axis = abut_cross(from, to);
    double cosine = abut_dot(from, to);
    if (!(cosine > -0.999)) {
        return abut_vec3_make(0.0, 0.0, 0.0); /* turned by half a turn in one step: not the same contact */
    }
    abut_vec3 along = abut_scale(abut_dot(axis, v) / (1.0 + cosine), axis);
    return abut_add(abut_add_scaled(along, cosine, v), abut_cross(axis, v));
}

static abut_vec3 turned_about(abut_vec3 axis, double angle, abut_vec3 v) {
    double sine_over, cosine;
    real_turn(angle * angle, &sine_over, &cosine);
    return abut_add_scaled(abut_scale(cosine, v), angle * sine_over, abut_cross(axis, v)); /* v is perpendicular to the axis */
}

static abut_vec3 square_to(abut_vec3 normal, abut_vec3 v) { return abut_add_scaled(v, -abut_dot(v, normal), normal); }

double pressure_damper(const abut_pressure_law *law, double mass, double stiffness) {
    const double turning = 2.0 / 7.0;
    return 2.0 * sqrt(5.0 / 6.0) * law->damping * sqrt(turning * mass * stiffness);
}

/* The spring's force and, unless it slides, the damper's force; together they do not exceed the limit. */
static void pull(pressure_spring *spring, const pressure_slide *slide) {
    abut_vec3 held = abut_scale(-slide->stiffness, spring->stretch), across = square_to(slide->normal, slide->velocity);
    spring->force = held;
    if (!spring->sliding && slide->damper > 0.0) {
        abut_vec3 both = abut_add_scaled(held, -slide->damper, across);
        double force = abut_length(both);
        spring->force = force > slide->limit ? abut_scale(slide->limit / force, both) : both;
        spring->damping = abut_dot(abut_sub(held, spring->force), across);
    }
}

pressure_spring pressure_slide_on(const abut_pressure_memory *before, const pressure_slide *slide) {
    pressure_spring spring = {.lost = 0.0};
    double k = slide->stiffness;
    if (before != NULL && before->stiffness > 0.0) {
        abut_vec3 turned = square_to(slide->normal, turned_from_to(before->normal, slide->normal, before->stretch));
        double kept = real_min(1.0, before->stiffness / k);
        spring.stretch = abut_scale(kept, turned_about(slide->normal, slide->spin, turned));
        spring.lost = real_max(pressure_spring_energy(before) - 0.5 * k * abut_length_squared(spring.stretch), 0.0);
    }
    spring.stretch = abut_add(spring.stretch, square_to(slide->normal, slide->way));
    double force = k * abut_length(spring.stretch);
    spring.sliding = force > slide->limit;
    if (spring.sliding) {
        spring.lost += slide->limit * (force - slide->limit) / k;
        spring.stretch = abut_scale(slide->limit / force, spring.stretch);
    }
    pull(&spring, slide);
    return spring;
}
