#pragma once

#include "step/dem/stepper.h"
#include "step/dem/system.h"

/*
 * The dem stepper of a world: what it computes with, and what is kept from one step of the world to the next. Kept is only what a step that went well has left.
 */

/* A pair that touches, from one step of the world to the next. */
typedef struct kept_pair {
    dem_pair pair; /* b: whether it is a plane */
    uint32_t generation_a, generation_b;
} kept_pair;

struct dem_stepper {
    dem_system system;
    kept_pair *kept;          /* of balls and planes */
    dem_facet_memory *places; /* of pairs with meshes */
    int32_t kept_count, kept_capacity, place_count, place_capacity;
};

/* step/dem/kept.c */

/* What pairs remember goes to the system, unless a body of theirs has gone. False when there is no memory. */
bool dem_recall(struct dem_stepper *stepper, const abut_world *world);

/* step/dem/results.c: what callers see of a step. */

/* Room for it, after which nothing can fail. */
bool dem_reserve_results(abut_world *world, struct dem_stepper *stepper);
/* Contacts, and with them what is kept. */
void dem_write_contacts(abut_world *world, struct dem_stepper *stepper);
void dem_write_bodies(abut_world *world, const dem_system *s);
