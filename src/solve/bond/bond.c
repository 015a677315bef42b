/*
 * The force of a parallel bond (D. O. Potyondy, P. A. Cundall, "A bonded-particle model for rock", 2004) from the poses of its bodies. A point and a frame of
 * each body mark where the bond was made. The distance of both points, along and across the axis, and the rotation between both frames, about and across
 * the axis, each have a spring. The axis is the mean of both bodies' axes. The force acts midway between the points, and moments are opposite, so momentum and
 * angular momentum are kept.
 */
#include "solve/bond/bond.h"

#include <math.h>

#include "base/elementary.h"
#include "base/real.h"

bond_law bond_law_of(double radius, double length, double young, double stiffness_ratio) {
    double area = REAL_PI * radius * radius, k = young / length, inertia = 0.25 * area * radius * radius;
    return (bond_law){.stretch = k * area,
                      .slide = k * area / stiffness_ratio,
                      .bend = k * inertia,
                      .twist = 2.0 * k * inertia / stiffness_ratio,
                      .area = area,
                      .across = 4.0 / (area * radius)};
}

/* The rotation vector of a unit quaternion, of at most half a turn. */
static abut_vec3 rotation_vector(abut_quat q) {
    abut_vec3 v = {q.x, q.y, q.z};
    double length = abut_length(v), sign = q.w < 0.0 ? -1.0 : 1.0;
    double over = length > 0.0 ? 2.0 * elementary_atan2(length, sign * q.w) / length : 2.0;
    return abut_scale(sign * over, v);
}

/* Along and across an axis. */
typedef struct parts {
    double along;
    abut_vec3 across;
} parts;

static parts parts_of(abut_vec3 v, abut_vec3 axis) {
    double along = abut_dot(v, axis);
    return (parts){along, abut_add_scaled(v, -along, axis)};
}

/* Stiffness along and across, and the same for dampers. Returns k times the displacement. */
static abut_vec3 pull(double along, double across, const parts *p, abut_vec3 axis) {
    return abut_add_scaled(abut_scale(across, p->across), along * p->along, axis);
}

static double energy(double along, double across, const parts *p) {
    return 0.5 * (along * p->along * p->along + across * abut_length_squared(p->across));
}

/* The damper of a stiffness for an inertia whose inverse is given. */
static double damper(double ratio, double stiffness, double inverse) {
    return inverse > 0.0 ? 2.0 * ratio * sqrt(stiffness / inverse) : 0.0;
}

static void damp(const bond_law *law, const bond_side *a, const bond_side *b, abut_vec3 axis, bond_load *load) {
    double mass = a->inverse_mass + b->inverse_mass, inertia = a->inverse_inertia + b->inverse_inertia;
    abut_vec3 velocity =
        abut_sub(abut_add(b->velocity, abut_cross(b->spin, load->arm_b)), abut_add(a->velocity, abut_cross(a->spin, load->arm_a)));
    parts moving = parts_of(velocity, axis), turning = parts_of(abut_sub(b->spin, a->spin), axis);
    double along = damper(law->damping, law->stretch, mass), across = damper(law->damping, law->slide, mass);
    double twist = damper(law->damping, law->twist, inertia), bend = damper(law->damping, law->bend, inertia);
    load->force = abut_add(load->force, pull(along, across, &moving, axis));
    load->moment = abut_add(load->moment, pull(twist, bend, &turning, axis));
    load->power = 2.0 * (energy(along, across, &moving) + energy(twist, bend, &turning));
}

bond_load bond_bear(const bond_law *law, const bond_seat *seat, abut_vec3 way, const bond_side *a, const bond_side *b) {
    abut_vec3 arm_a = abut_quat_rotate(a->frame, seat->arm_a), arm_b = abut_quat_rotate(b->frame, seat->arm_b);
    abut_vec3 apart = abut_sub(abut_add(way, arm_b), arm_a);
    abut_vec3 axis = abut_unit(abut_add(abut_quat_rotate(a->frame, seat->axis_a), abut_quat_rotate(b->frame, seat->axis_b)));
    abut_quat turned = abut_quat_mul(abut_quat_mul(b->frame, abut_quat_conjugate(seat->rest)), abut_quat_conjugate(a->frame));
    parts moved = parts_of(apart, axis), rotated = parts_of(rotation_vector(turned), axis);
    bond_load load = {.force = pull(law->stretch, law->slide, &moved, axis),
                      .moment = pull(law->twist, law->bend, &rotated, axis),
                      .arm_a = abut_add_scaled(arm_a, 0.5, apart),
                      .arm_b = abut_add_scaled(arm_b, -0.5, apart),
                      .energy = energy(law->stretch, law->slide, &moved) + energy(law->twist, law->bend, &rotated)};
    load.tension = law->stretch * moved.along / law->area + law->bend * abut_length(rotated.across) * law->across;
    load.shearing = law->slide * abut_length(moved.across) / law->area + 0.5 * law->twist * fabs(rotated.along) * law->across;
    load.breaks = !(load.tension < law->tensile && load.shearing < law->shear);
    if (law->damping > 0.0) {
        damp(law, a, b, axis, &load);
    }
    return load;
}

/* Twice the energy of any small motion over its kinetic energy is at most this: the stretching part for motion along the axis, the sum of the others
 * for all other motion. A body that shares its mass among n bonds gives each the n-th part of it: the largest frequency of the whole is then at most that of
 * a single bond (B. M. Irons, "Applications of a theorem on eigenvalues to finite element problems", 1970). */
static double square_of(double stretch, double slide, double bend, double twist, double mass, double levers, double inertia) {
    return stretch * mass + slide * (mass + levers) + (bend + twist) * inertia;
}

bond_pace bond_pace_of(const bond_law *law, const bond_seat *seat, const bond_side *a, const bond_side *b, double bonds_of_a,
                       double bonds_of_b) {
    double whole_mass = a->inverse_mass + b->inverse_mass, whole_inertia = a->inverse_inertia + b->inverse_inertia;
    double mass = bonds_of_a * a->inverse_mass + bonds_of_b * b->inverse_mass;
    double inertia_a = bonds_of_a * a->inverse_inertia, inertia_b = bonds_of_b * b->inverse_inertia, inertia = inertia_a + inertia_b;
    double levers = abut_length_squared(seat->arm_a) * inertia_a + abut_length_squared(seat->arm_b) * inertia_b;
    return (bond_pace){.square = square_of(law->stretch, law->slide, law->bend, law->twist, mass, levers, inertia),
                       .damping = square_of(damper(law->damping, law->stretch, whole_mass), damper(law->damping, law->slide, whole_mass),
                                            damper(law->damping, law->bend, whole_inertia), damper(law->damping, law->twist, whole_inertia),
                                            mass, levers, inertia)};
}
