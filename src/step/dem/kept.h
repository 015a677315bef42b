#pragma once

#include "step/dem/stepper.h"
#include "step/dem/system.h"

/*
 * The dem stepper of a world: its working state, and what is kept between steps of the world. Only a step that succeeded changes what is
 * kept.
 */

/* A touching ball pair, kept between steps of the world. */
typedef struct kept_pair {
    int32_t slot_a, slot_b;
    uint32_t generation_a, generation_b;
    bool plane; /* B is one */
    abut_vec3 stretch, normal;
    double stiffness;
} kept_pair;

/* Its springs against rolling and twisting: abut_pressure_memory.roll. */
typedef struct kept_roll {
    abut_vec3 stretch;
    double stiffness;
} kept_roll;

/* How the near pairs of a saved world were listed. */
typedef struct dem_listing {
    int32_t *at;       /* [balls] dem_order.at */
    abut_vec3 *places; /* [balls] centres by rank */
    dem_plane *planes; /* [plane_count] by slot, where they were when the near pairs were listed */
    int32_t balls, plane_count;
    int32_t age; /* dem_system.age */
} dem_listing;

struct dem_stepper {
    dem_system system;
    bool holds;                       /* the system's list of near pairs is valid for the world */
    bool waits;                       /* the list is still to be made, as `listing` says */
    uint64_t placements, permissions; /* of the world since when the above is true: a change makes it false */
    uint64_t finishes;                /* of the world when the system's laws were made */
    dem_listing listing;
    kept_pair *kept;          /* pairs of balls and planes */
    dem_facet_memory *places; /* places of contact of pairs with meshes */
    kept_roll *rolls;         /* beside them, if `rolling` */
    bool rolling;
    int32_t kept_count, kept_capacity, roll_capacity, place_count, place_capacity;
};

/* step/dem/kept.c */

/* Hands the kept memories to the system, except those of removed bodies. False when there is no memory. */
bool dem_recall(dem_system *s, const struct dem_stepper *stepper, const abut_world *world);

/* step/dem/listed.c */

/* The system of the world as it is, with what the stepper has kept. The list of the last step is used again while it is valid. Statuses of
 * abut_world_step(). */
abut_status dem_prepare(struct dem_stepper *stepper, const abut_world *world);
/* The same with a new list, for a system that may be another one than the stepper's. */
abut_status dem_prepare_anew(dem_system *s, const struct dem_stepper *stepper, const abut_world *world);
/* After a step that succeeded: keeps the list if the next step may use it. */
void dem_keep_list(struct dem_stepper *stepper, const abut_world *world);
void dem_listing_release(dem_listing *listing);

/* step/dem/results.c: writes the results of a step. */

/* Reserves the memory for the results. Nothing can fail afterwards. False when there is no memory. */
bool dem_reserve_results(abut_world *world, struct dem_stepper *stepper);
/* Writes the contacts, and keeps their memories for the next step. */
void dem_write_contacts(abut_world *world, struct dem_stepper *stepper);
void dem_write_bodies(abut_world *world, const dem_system *s);
