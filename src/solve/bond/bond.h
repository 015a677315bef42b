#pragma once

#include <stdbool.h>

#include <abut/math.h>

/*
 * A parallel bond between two bodies: a bar of cement that is stretched, sheared, bent and twisted (abut/bond.h). World frame unless said otherwise.
 */

typedef struct bond_law {
    double stretch, slide, bend, twist; /* stiffnesses: k A, k A / ratio; k I, k J / ratio */
    double area, across;                /* A; r / I. The shear of a twisting moment is half of the tension of a bending one */
    double tensile, shear;              /* strengths */
    double damping;                     /* ratio */
} bond_law;

bond_law bond_law_of(double radius, double length, double young, double stiffness_ratio);

/* How a bond sits in its bodies. Frames of the bodies, from their centres. */
typedef struct bond_seat {
    abut_vec3 arm_a, arm_b;   /* to the middle of the bond when it was made */
    abut_vec3 axis_a, axis_b; /* unit, from A towards B */
    abut_quat rest;           /* frame of B to frame of A when it was made */
} bond_seat;

typedef struct bond_side {
    abut_quat frame; /* frame of the body to world */
    abut_vec3 velocity, spin;
    double inverse_mass, inverse_inertia;
} bond_side;

/* What a bond does. On B act the opposite force and moment, at the same place. */
typedef struct bond_load {
    abut_vec3 force, moment; /* on A */
    abut_vec3 arm_a, arm_b;  /* from the centres of both bodies to the place of the force */
    double energy;           /* of the springs */
    double power;            /* that the dampers absorb, >= 0 */
    double tension, shearing;
    bool breaks;
} bond_load;

/* way: from the centre of A to that of B. */
bond_load bond_bear(const bond_law *law, const bond_seat *seat, abut_vec3 way, const bond_side *a, const bond_side *b);

/* A bound of the squared frequency of a bond between bodies that share their masses and inertia among so many bonds, and of the rate of its damping:
 * for the stability of steps. */
typedef struct bond_pace {
    double square, damping;
} bond_pace;

bond_pace bond_pace_of(const bond_law *law, const bond_seat *seat, const bond_side *a, const bond_side *b, double bonds_of_a,
                       double bonds_of_b);
