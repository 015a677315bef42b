#pragma once

#include "step/world/bond/bond.h"

/*
 * Parallel bonds in the dem stepper: a working copy of the bonds of the world that are not broken.
 */

struct dem_system;

typedef struct dem_bond {
    int32_t a, b; /* indices of bodies */
    int32_t slot; /* of the bond in the world */
    bool broken;
    bond_load load;
} dem_bond;

/* Sums over a block of bonds, in their order. */
typedef struct dem_bond_tally {
    double energy;          /* of the springs */
    double damped, lost;    /* since the step of the world began: work of the dampers; energy of bonds that broke */
    int32_t holding, broke; /* bonds that hold; those that broke since the step of the world began */
} dem_bond_tally;

typedef struct dem_bonds {
    dem_bond *bonds;
    dem_bond_tally *tallies; /* one for each block of bonds */
    int32_t *first, *of;     /* bonds of body i: of[first[i]] up to of[first[i + 1] - 1], ascending; -1 - bond if the body is its B */
    int32_t *indices;        /* [slots] working memory: the body in a slot */
    int32_t count, capacity, tally_capacity, first_capacity, of_capacity, index_capacity;
    dem_bond_tally tally;
    double longest, critical; /* stable step; step to take a share of. Infinite without bonds */
} dem_bonds;

/* Reads the bonds of the world. The bodies must have been gathered. False when there is no memory. */
bool dem_bonds_gather(struct dem_system *s);

/* Computes the forces of all bonds, and breaks those whose stress reaches their strength. Dampers act for the time h. */
void dem_bonds_bear(struct dem_system *s, double h);

/* Adds what the bonds of a body do to it. */
void dem_bonds_push(const struct dem_system *s, int32_t body, abut_vec3 *force, abut_vec3 *torque);

/* Writes the bonds of a step into the world. */
void dem_bonds_write(const struct dem_system *s, bond_list *list);

void dem_bonds_release(dem_bonds *bonds);
