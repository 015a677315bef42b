#pragma once

#include "step/dem/stepper.h"
#include "step/dem/system.h"

/*
 * The dem stepper of a world: its working state, and what is kept between steps of the world. Only a step that succeeded changes what is
 * kept.
 */

/* A touching ball pair, kept between steps of the world. */
typedef struct kept_pair {
    dem_pair pair; /* b: 1 if B is a plane, else 0 */
    uint32_t generation_a, generation_b;
    abut_vec3 roll; /* of its springs against rolling and twisting: abut_pressure_memory.roll */
    double roll_stiffness;
} kept_pair;

struct dem_stepper {
    dem_system system;
    kept_pair *kept;          /* pairs of balls and planes */
    dem_facet_memory *places; /* places of contact of pairs with meshes */
    int32_t kept_count, kept_capacity, place_count, place_capacity;
};

/* step/dem/kept.c */

/* Hands the kept memories to the system, except those of removed bodies. False when there is no memory. */
bool dem_recall(dem_system *s, const struct dem_stepper *stepper, const abut_world *world);

/* step/dem/results.c: writes the results of a step. */

/* Reserves the memory for the results. Nothing can fail afterwards. False when there is no memory. */
bool dem_reserve_results(abut_world *world, struct dem_stepper *stepper);
/* Writes the contacts, and keeps their memories for the next step. */
void dem_write_contacts(abut_world *world, struct dem_stepper *stepper);
void dem_write_bodies(abut_world *world, const dem_system *s);
