#pragma once

#include <stdatomic.h>

#include "broad/neighbours.h"
#include "solve/pressure/pressure.h"
#include "step/dem/facets.h"
#include "step/world/world.h"

/*
 * The bodies of a world as the dem stepper has them, their near pairs and what these remember. Balls come first, in the order of their slots, then
 * meshes of rounded triangles, then planes. World frame.
 */

/* Begins with rows of four numbers, as the kernels take them (step/dem/kernel.h). */
typedef struct dem_body {
    abut_vec3 centre;
    double radius; /* of a mesh, of a ball about its centre that holds it; of a plane INFINITY */
    abut_vec3 velocity;
    double inverse_mass; /* 0 for what no force moves */
    abut_vec3 angular_velocity;
    double inverse_inertia; /* of a ball, about any axis; of a mesh, about the axis of the least */
    abut_vec3 normal;       /* planes: outward, unit */
    double offset;          /* planes: dot(normal, x) of the surface */
    int32_t kind;           /* of its material: index in dem_laws */
    int32_t slot;
} dem_body;

typedef struct dem_push {
    abut_vec3 force, torque;
} dem_push;

/* What acts on a body besides contacts and gravity: two rows. */
typedef struct dem_load {
    abut_vec3 force;
    double linear_damping;
    abut_vec3 torque;
    double angular_damping;
} dem_load;

/* A law as the kernels take it: two rows. */
typedef struct dem_law_row {
    double pressing;     /* force over a times the overlap: 4/3 E* */
    double damper;       /* force over sqrt(m a) and the velocity along the normal: 2 sqrt(5/6) damping sqrt(2 E*) */
    double slide_damper; /* likewise across it: 2 sqrt(5/6) damping sqrt(2/7 8 G*) */
    double shear;        /* stiffness of the spring of friction over a: 8 G* */
    double friction;
    double pulls;   /* 1 where damping may pull, else 0 */
    double adheres; /* 1 where there is adhesion, else 0 */
    double unused;
} dem_law_row;

/* Two near bodies, a < b; b may be a plane. What they remember is of A against B, with the normal from B into A. */
typedef struct dem_pair {
    int32_t a, b;
    bool touched;
    int32_t law;                 /* of both materials: index in dem_laws */
    abut_pressure_memory memory; /* stiffness 0: no spring */
} dem_pair;

/* What a pair does at the moment: to A; its arms are along the normal. Two rows. */
typedef struct dem_force {
    abut_vec3 force;
    double arm_a; /* from the centre to the contact */
    abut_vec3 turn; /* normal x force */
    double arm_b; /* likewise; 0 for planes */
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
    abut_quat *frames;   /* beside bodies: principal frame to world */
    dem_push *pushes;    /* beside bodies */
    dem_load *loads;     /* beside bodies */
    bool loaded;         /* whether any of them is not zero */
    int32_t body_count, ball_count, round_count; /* round: balls and meshes */
    int32_t body_capacity, frame_capacity, push_capacity, load_capacity;
    abut_pressure_law *laws; /* [kind_count * kind_count] */
    dem_law_row *law_rows;   /* beside laws */
    bool adheres;            /* whether any of them does */
    int32_t *kind_slots;     /* [kind_count] the first body of each kind of material */
    int32_t kind_count, law_capacity, law_row_capacity, kind_capacity;
    neighbour_space space;
    double skin; /* [length] */

    neighbour_list near;
    abut_vec3 *places; /* [place_capacity] of the round bodies: as listed, first the wrapped centres for the list, then where they really were */
    double *reaches;
    int32_t place_capacity, reach_capacity;
    atomic_bool strayed; /* whether a round body has moved so far since that a pair may touch that is not listed */
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

/* Of a ball that moves its radius; of such a mesh that of the ball of its mass and its least moment of inertia. */
double dem_inertial_radius(const dem_system *s, int32_t body);

/* What step/dem/limit.c reckons with: so many neighbours, and discs of contact of this radius, over the body's. */
#define DEM_LIMIT_NEIGHBOURS 6.0
#define DEM_LIMIT_DISC 0.1

/* step/dem/limit.c: the longest step [time] at which a dense bed of these balls is stable, with its damping; infinite without balls that move. */
double dem_system_longest_step(const dem_system *s);

void dem_system_release(dem_system *s);

/* step/dem/pairs.c */

/* Lists near pairs, with what they remember. False: status says why. */
bool dem_pairs_list(dem_system *s);

/* step/dem/forces.c */

/* Forces of all pairs; memories move on by h. */
void dem_forces(dem_system *s, double h);

/* For a pair that does not touch, or does no more. */
void dem_forget(dem_pair *pair, dem_force *f, dem_tally *tally);

static inline const abut_pressure_law *dem_law(const dem_system *s, int32_t kind_a, int32_t kind_b) {
    return &s->laws[kind_a * s->kind_count + kind_b];
}

/* NULL for balls and planes. */
static inline const dem_mesh *dem_mesh_of(const dem_system *s, int32_t body) {
    return body >= s->ball_count && body < s->round_count ? &s->facets.meshes[body - s->ball_count] : NULL;
}

static inline bool dem_is_plane(const dem_system *s, int32_t body) { return body >= s->round_count; }
