#pragma once

#include "solve/contact/contact.h"

/* A patch in the passes: six numbers describe the motion of A relative to B at the patch, and six describe a force and a moment that change
 * it. Vectors are (tangent 0, tangent 1, normal). */

/* Computes positions and mobilities at the bodies' present placement; needs refreshed anchors. `apart` is the centre of a minus that of b. */
void solver_patch_refresh(const solver_body *a, const solver_body *b, abut_vec3 apart, solver_patch *patch, solver_point *points,
                          const solver_anchor *anchors);

/* Before the first stage of a substep of length h: takes the surfaces' own motion to where the patch will be at its middle. On a turntable this motion turns on
 * the way. */
void solver_patch_lead(const solver_body *a, const solver_body *b, solver_patch *patch, double h);

/* Changes the normal impulses by a linear function of the position so that every point's v_n meets its target. If an impulse would become
 * negative, does nothing and returns false. When the targets are linear too, as between two planes, this solves the points exactly and
 * spreads the load evenly. `motion` is (velocity n, spin 0, spin 1); `load` receives the (force n, moment 0, moment 1) of the change. */
bool solver_patch_press(const solver_patch *patch, solver_point *points, abut_vec3 motion, abut_vec3 *load);

static inline abut_vec3 solver_patch_seen(const solver_patch *patch, abut_vec3 v) {
    return abut_vec3_make(abut_dot(patch->tangent[0], v), abut_dot(patch->tangent[1], v), abut_dot(patch->normal, v));
}

/* Velocity at the middle and spin, of the surface of A relative to that of B. */
static inline abut_vec3 solver_patch_velocity(const solver_body *a, const solver_body *b, const solver_patch *patch) {
    abut_vec3 v = solver_patch_seen(patch, abut_sub(solver_velocity_at(a, patch->arm_a), solver_velocity_at(b, patch->arm_b)));
    return patch->driven ? abut_vec3_make(v.x + patch->drive.x, v.y + patch->drive.y, v.z) : v;
}
static inline abut_vec3 solver_patch_spin(const solver_body *a, const solver_body *b, const solver_patch *patch) {
    abut_vec3 spin = solver_patch_seen(patch, abut_sub(a->angular_velocity, b->angular_velocity));
    return patch->driven ? abut_vec3_make(spin.x, spin.y, spin.z + patch->drive.z) : spin;
}

/* Applies a force at the middle and a moment to A, and their opposites to B. */
static inline void solver_patch_push(solver_body *a, solver_body *b, const solver_patch *patch, abut_vec3 force, abut_vec3 moment) {
    const abut_mat3 frame = {patch->tangent[0], patch->tangent[1], patch->normal};
    abut_vec3 f = abut_mat3_apply(frame, force), m = abut_mat3_apply(frame, moment);
    if (a->inverse_mass > 0.0) {
        abut_vec3 torque = abut_add(m, abut_cross(patch->arm_a, f));
        a->velocity = abut_add_scaled(a->velocity, a->inverse_mass, f);
        a->angular_velocity = abut_add(a->angular_velocity, abut_mat3_apply(a->inverse_inertia, torque));
    }
    if (b->inverse_mass > 0.0) {
        abut_vec3 torque = abut_add(m, abut_cross(patch->arm_b, f));
        b->velocity = abut_add_scaled(b->velocity, -b->inverse_mass, f);
        b->angular_velocity = abut_sub(b->angular_velocity, abut_mat3_apply(b->inverse_inertia, torque));
    }
}

/* The velocity at a point from the velocity of the middle and the spin; the moment of an impulse at the point. */
static inline solver_impulse solver_point_velocity(const solver_point *point, abut_vec3 middle, abut_vec3 spin) {
    solver_impulse v = {middle.z + spin.x * point->y - spin.y * point->x, middle.x - spin.z * point->y, middle.y + spin.z * point->x};
    return v;
}
static inline abut_vec3 solver_point_moment(const solver_point *point, solver_impulse l) {
    return abut_vec3_make(l.normal * point->y, -l.normal * point->x, l.y * point->x - l.x * point->y);
}

/* Change of a point's tangential velocity per unit of tangential impulse there. */
static inline friction_matrix solver_point_sliding(const solver_patch *patch, const solver_point *point) {
    const double *s = patch->sliding;
    double x = point->x, y = point->y;
    friction_matrix m = {s[0] - 2.0 * y * s[2] + y * y * s[5], s[1] + x * s[2] - y * s[4] - x * y * s[5],
                         s[3] + 2.0 * x * s[4] + x * x * s[5]};
    return m;
}

/* The symmetric matrix 00 01 02 11 12 22 times a vector. */
static inline abut_vec3 solver_symmetric_mul(const double m[6], abut_vec3 v) {
    return abut_vec3_make(m[0] * v.x + m[1] * v.y + m[2] * v.z, m[1] * v.x + m[3] * v.y + m[4] * v.z, m[2] * v.x + m[4] * v.y + m[5] * v.z);
}
