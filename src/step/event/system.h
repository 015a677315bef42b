#pragma once

#include <abut/solve.h>

#include "step/event/row.h"
#include "step/world/world.h"

/*
 * The event stepper's picture of a world: bodies as a state that is integrated, pairs of their parts, and the contacts that press.
 */

/* Of one body. */
typedef struct event_state {
    abut_vec3 centre; /* of mass */
    abut_quat frame;  /* principal frame to world; kept close to length 1 */
    abut_vec3 velocity;
    abut_vec3 spin;             /* angular momentum: in free flight it stays as it is to the last bit */
    abut_vec3 angular_velocity; /* that follows from it; of bodies that no torque turns, their own */
} event_state;

/* The time derivative of that; of the frame, too. */
typedef struct event_slope {
    abut_vec3 velocity;
    abut_quat turning;
    abut_vec3 acceleration, torque;
} event_slope;

typedef struct event_body {
    int32_t slot;
    const body *from;
    double inverse_mass; /* 0: it moves as it does */
    bool moves;
} event_body;

/* A part of a body: every body has at least one. */
typedef struct event_part {
    int32_t body;
    const abut_shape *shape; /* convex, or a plane */
    abut_pose pose;          /* in the body's shape frame */
    abut_vec3 middle;        /* of a ball that holds it, part frame; planes: unused */
    double radius;           /* of that; infinite for planes */
    double size;             /* the shape's; 0 for planes */
} event_part;

/* What is known of a pair that was apart: a plane between them. See step/event/witness.h. */
typedef enum event_plane { EVENT_PLANE_IN_WORLD, EVENT_PLANE_OF_A, EVENT_PLANE_OF_B, EVENT_PLANE_OF_EDGES } event_plane;

typedef struct event_witness {
    event_plane kind;
    abut_vec3 direction; /* its normal, from B to A, in the frame of what it is fixed in; of edges that of A's, part frame. Zero for none */
    abut_vec3 other;     /* of edges that of B's, part frame: the normal is across both */
} event_witness;

/* Two parts of different bodies of which one at least moves. */
typedef struct event_pair {
    int32_t part[2];
    int32_t found; /* in broad.found: the pair of their bodies */
    double size;   /* the smaller part's */
    event_witness witness;
    abut_feature met[2]; /* what touched when the pair last did */
    bool touched;        /* at the last test */
    bool began_touching; /* when the integration step began */
    abut_cache cache;
} event_pair;

typedef struct event_system {
    const abut_world *world;
    event_body *bodies; /* [body_count] by slot; all bodies in use */
    int32_t body_count, body_capacity;
    event_part *parts;   /* [part_count] body by body */
    int32_t *first_part; /* [body_count + 1] */
    int32_t part_count, part_capacity, first_capacity;
    event_pair *pairs; /* [pair_count] in the order of broad.found, then of the parts */
    int32_t pair_count, pair_capacity;

    event_state *state; /* [body_count] */
    int32_t state_capacity;
    event_row *rows; /* [row_count] contacts that may press, pair by pair */
    int32_t row_count, row_capacity;
    double *force; /* [row_count] their forces, of the last evaluation */
    int32_t force_capacity;

    abut_lcp *lcp;
    abut_lcp_body *masses;      /* [body_count] */
    abut_lcp_row *lines;        /* [row_count] */
    double *q, *z;              /* [row_count] */
    bool *left_out;             /* [row_count] parting rows */
    abut_rates *rates;          /* [row_count] */
    event_place *places;        /* [part_count] */
    event_place *begin;         /* [part_count] those at which the integration step began */
    abut_kinematics *motions; /* [body_count] */
    abut_vec3 *torques;         /* [body_count] */
    int32_t mass_capacity, line_capacity, q_capacity, z_capacity, left_out_capacity, rate_capacity, place_capacity, begin_capacity,
        motion_capacity, torque_capacity;

    abut_contact *contacts; /* of one pair, see event_pair_test() */
    int32_t contact_capacity;

    abut_event_report tally;
    abut_status status; /* why something could not be done */
} event_system;

/* Room for everything that goes by the rows; forces are kept. False when there is no memory. */
bool event_system_reserve_rows(event_system *system, int32_t count);

/* The angular momentum of a body that turns like that. */
abut_vec3 event_spin_of(const body *from, abut_quat frame, abut_vec3 angular_velocity);

/* All parts and motions at a state. Accelerations are those of forces other than contacts. */
void event_system_place(event_system *system, const event_state *state);

/* Forces of the rows at a state, and the derivative; the places and motions are then those of that state, with all accelerations. False when they cannot
 * be found; system->status says why. */
bool event_system_slope(event_system *system, const event_state *state, event_slope *slope);

/* What counts as touching for a pair [length]. */
static inline double event_touching(const event_system *system, int32_t pair) {
    return system->world->def.event.touching * system->pairs[pair].size;
}

/* How deep a contact that is not followed may be and go unnoticed [length]. */
static inline double event_grain(const event_system *system, int32_t pair) { return 1e-3 * event_touching(system, pair); }

/* The row's contact at the places of the last event_system_place(). */
static inline abut_contact event_system_look(const event_system *system, const event_row *row, const event_place **a,
                                             const event_place **b) {
    const int32_t *part = system->pairs[row->pair].part;
    *a = &system->places[part[0]];
    *b = &system->places[part[1]];
    return event_row_look(row, *a, *b);
}
