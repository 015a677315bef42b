#pragma once

#include "broad/neighbours.h"
#include "solve/pressure.h"
#include "step/dem_facets.h"
#include "step/world.h"

/*
 * The bodies of a world as the dem stepper has them, their near pairs and what these remember. Balls come first, in the order of their slots, then
 * meshes of rounded triangles, then planes. World frame.
 */

typedef struct dem_body {
    abut_vec3 centre;
    abut_vec3 velocity, angular_velocity;
    double radius;          /* of a mesh, of a ball about its centre that holds it; of a plane INFINITY */
    double inverse_mass;    /* 0 for what no force moves */
    double inverse_inertia; /* of a ball, about any axis; of a mesh, about the axis of the least */
    int32_t kind;           /* of its material: index in dem_laws */
    int32_t slot;
    abut_vec3 normal; /* planes: outward, unit */
    double offset;    /* planes: dot(normal, x) of the surface */
} dem_body;

typedef struct dem_push {
    abut_vec3 force, torque;
} dem_push;

/* Two near bodies, a < b; b may be a plane. What they remember is of A against B, with the normal from B into A. */
typedef struct dem_pair {
    int32_t a, b;
    bool touched;
    abut_pressure_memory memory; /* stiffness 0: no spring */
} dem_pair;

/* What a pair does at the moment: to A; its arms are along the normal. */
typedef struct dem_force {
    abut_vec3 force, turn; /* turn: normal x force */
    double arm_a, arm_b;   /* from the centres to the contact; 0 for planes */
} dem_force;

/* Pairs that are summed up together, whatever thread computed them. */
enum { DEM_BLOCK = 256 };

/* Sums over pairs, in the order of pairs. */
typedef struct dem_tally {
    double elastic, spring; /* energy of contacts and of friction's springs */
    double damped, rubbed;  /* work that both took since the step of the world began */
    int32_t touching, sliding;
} dem_tally;

typedef struct dem_system {
    const abut_world *world;
    dem_body *bodies;
    abut_quat *frames;                           /* beside bodies: principal frame to world */
    dem_push *pushes;                            /* beside bodies */
    int32_t body_count, ball_count, round_count; /* round: balls and meshes */
    int32_t body_capacity, frame_capacity, push_capacity;
    abut_pressure_law *laws; /* [kind_count * kind_count] */
    int32_t *kind_slots;     /* [kind_count] the first body of each kind of material */
    int32_t kind_count, law_capacity, kind_capacity;
    neighbour_space space;
    double skin; /* [length] */

    neighbour_list near;
    abut_vec3
        *places; /* [place_capacity] of the round bodies: as listed, first the wrapped centres for the list, then where they really were */
    double *reaches;
    int32_t place_capacity, reach_capacity;
    dem_pair *pairs, *spare; /* of now; of the list before, and of the step of the world before */
    int32_t pair_count, pair_capacity, spare_count, spare_capacity;
    dem_force *forces;        /* beside pairs */
    dem_tally *block_tallies; /* one for each DEM_BLOCK pairs, for sums that do not depend on threads */
    int32_t *own;             /* [ball_count + 1] the pairs whose A is ball i: own[i] up to, not with, own[i + 1] */
    int32_t *other_first;     /* [ball_count + 1] the pairs whose B is ball i: others[other_first[i]] and on, ascending */
    int32_t *others;
    int32_t force_capacity, tally_capacity, own_capacity, first_capacity, other_capacity;
    dem_tally tally;
    dem_facets facets; /* pairs with meshes; all others are the pairs above */
    int64_t lists;
    abut_status status;
} dem_system;

/* Bodies, materials and laws of the world as it is. Statuses of abut_world_step(). */
abut_status dem_system_gather(dem_system *s, const abut_world *world);

/* The critical step [time]; infinite without balls that move. */
double dem_system_critical_step(const dem_system *s);

void dem_system_release(dem_system *s);

/* dem_pairs.c */

/* Lists near pairs, with what they remember. False: status says why. */
bool dem_pairs_list(dem_system *s);
/* Whether a round body has moved so far since that a pair may touch that is not listed. */
bool dem_pairs_are_stale(const dem_system *s);

/* dem_forces.c */

/* Forces of all pairs; memories move on by h. */
void dem_forces(dem_system *s, double h);

/* What they, and the pairs with meshes, come to on a ball or a mesh. */
dem_push dem_push_of(const dem_system *s, int32_t body);

/* dem_motion.c */

/* Half of a step's, or all of its, effect of forces on a body that moves; pushes are up to date. */
void dem_kick(dem_system *s, int32_t body, double h);
/* Motion at its velocities; of meshes and planes their surfaces come along. */
void dem_drift(dem_system *s, int32_t body, double h);

static inline const abut_pressure_law *dem_law(const dem_system *s, int32_t kind_a, int32_t kind_b) {
    return &s->laws[kind_a * s->kind_count + kind_b];
}
