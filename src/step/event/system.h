#pragma once

#include <abut/solve.h>

#include "solve/joint/joint.h"
#include "step/event/friction.h"
#include "step/event/row.h"
#include "step/world/world.h"

/*
 * The event stepper's model of a world: the integrated state of the bodies, the pairs of their parts, and the contacts. World frame.
 */

/* The state of one body. */
typedef struct event_state {
    abut_vec3 centre; /* centre of mass */
    abut_quat frame;  /* principal frame to world; norm close to 1 */
    abut_vec3 velocity;
    abut_vec3 spin;             /* angular momentum; constant to the last bit in free flight */
    abut_vec3 angular_velocity; /* follows from the angular momentum; for bodies that no torque turns, their own */
} event_state;

/* Time derivatives of event_state. */
typedef struct event_slope {
    abut_vec3 velocity;
    abut_quat turning;
    abut_vec3 acceleration, torque;
} event_slope;

typedef struct event_body {
    int32_t slot;
    const body *from;
    double inverse_mass; /* 0: forces do not change its motion */
    abut_vec3 gravity;   /* body_gravity() */
    bool moves;
} event_body;

/* A part of a body. Every body has at least one. */
typedef struct event_part {
    int32_t body;
    const abut_shape *shape; /* convex, a mesh or a plane */
    abut_pose pose;          /* in the frame of the body's shape */
    abut_vec3 middle;        /* centre of a ball that contains it, part frame; not used for planes */
    double radius;           /* radius of that ball; infinite for planes */
    double size;             /* of the shape; 0 for planes */
    double thickness;        /* its least width; infinite for planes and surfaces without an inside */
    double speed;            /* bound on that of its points: event_pairs_find_speeds() */
} event_part;

/* Where a separating plane is fixed. See step/event/witness.h. */
typedef enum event_plane { EVENT_PLANE_IN_WORLD, EVENT_PLANE_OF_A, EVENT_PLANE_OF_B, EVENT_PLANE_OF_EDGES } event_plane;

typedef struct event_witness {
    event_plane kind;
    abut_vec3 direction; /* its normal, from B to A, in the frame in which it is fixed; for edges: A's edge, part frame. Zero for none */
    abut_vec3 other;     /* for edges: B's edge, part frame; the normal is their cross product */
} event_witness;

/* Two parts of different bodies, at least one of which moves. */
typedef struct event_pair {
    int32_t part[2];
    int32_t found; /* index in broad.found of the pair of bodies */
    double size;   /* of the smaller part */
    event_witness witness;
    abut_feature met[2]; /* features of the pair's last contact */
    bool touched;        /* in the last test */
    bool began_touching; /* at the beginning of the integration step */
    double apart;        /* lower bound of the distance in the last test; 0 if they touched */
    double began_apart;  /* the same at the beginning of the integration step */
    abut_cache cache;
} event_pair;

/* A joint. See step/event/holds.h. */
typedef struct event_joint {
    int32_t slot;    /* in the world's joints */
    int32_t body[2]; /* indices in the system */
    solver_joint joint;
    int32_t row_count;
    joint_row rows[JOINT_ROWS]; /* at the last state */
    double force[JOINT_ROWS];   /* along the rows: of springs at the last state, of holds at the last one whose forces were found */
} event_joint;

typedef struct event_system {
    const abut_world *world;
    event_body *bodies; /* [body_count] all bodies in use, by slot */
    int32_t body_count, body_capacity;
    double most_gravity; /* largest acceleration of a dynamic body by gravity; that of the world if there is no dynamic body */
    event_part *parts;   /* [part_count] sorted by body */
    int32_t *first_part; /* [body_count + 1] */
    int32_t part_count, part_capacity, first_capacity;
    event_pair *pairs; /* [pair_count] in the order of broad.found, then of the parts */
    int32_t pair_count, pair_capacity;

    event_state *state; /* [body_count] */
    int32_t state_capacity;
    event_row *rows; /* [row_count] contacts that may exert forces, sorted by pair */
    int32_t row_count, row_capacity;
    double *force; /* [row_count] forces of the last evaluation, >= 0 */
    int32_t force_capacity;
    event_joint *joints; /* [joint_count] in the order of the world */
    int32_t joint_count, joint_capacity;
    int32_t
        hold_count; /* rows of all joints that hold; `lines`, `q`, `z`, `left_out` and `start` have two rows for each behind those of the contacts */

    abut_lcp *lcp;
    abut_lcp_body *masses;    /* [body_count] */
    abut_lcp_row *lines;      /* [row_count] */
    abut_lcp_row *from_lines; /* [row_count] those at the beginning of a passage */
    double *q, *z;            /* [row_count] */
    double *start;            /* [row_count] forces to begin the search with */
    event_friction friction;
    bool rubs;                /* the last forces have friction: friction.force */
    bool *left_out;           /* [row_count] rows that part */
    abut_rates *rates;        /* [row_count] */
    event_place *places;      /* [part_count] */
    bool still_placed;        /* the places of parts that never move are known */
    bool looked;              /* all pairs have been tested at these places */
    event_place *begin;       /* [part_count] places at the beginning of the integration step */
    abut_kinematics *motions; /* [body_count] */
    abut_vec3 *torques;       /* [body_count] */
    int32_t mass_capacity, line_capacity, from_line_capacity, q_capacity, z_capacity, start_capacity, left_out_capacity, rate_capacity,
        place_capacity, begin_capacity, motion_capacity, torque_capacity;

    abut_contact *contacts; /* of one pair: see event_pair_test() */
    int32_t contact_capacity;

    abut_event_report tally;
    abut_status status; /* why a function failed */
} event_system;

/* Reserves all arrays with one entry per row; forces are kept. False when there is no memory. */
bool event_system_reserve_rows(event_system *system, int32_t count);

/* The angular momentum of a body with that angular velocity. */
abut_vec3 event_spin_of(const body *from, abut_quat frame, abut_vec3 angular_velocity);

/* Computes the places of all parts and the motions of all bodies at a state. Accelerations do not include contact forces. */
void event_system_place(event_system *system, const event_state *state);

/* The place of a part whose body is at a state, with the motion that the body has now. */
event_place event_system_place_of(const event_system *system, int32_t part, const event_state *state);

/* The places of the parts of one body, and its motion. */
void event_system_place_body(event_system *system, int32_t body, const event_state *state);

/* Adds what a force through the centre of a body and a torque do to the accelerations of its motion. */
void event_system_push(event_system *system, int32_t index, abut_vec3 force, abut_vec3 torque);

/* Computes the contact forces at a state, and the time derivatives. Places and motions are then those of that state, with all
 * accelerations. False on failure; system->status says why. */
bool event_system_slope(event_system *system, const event_state *state, event_slope *slope);

/* Gaps up to this count as touching [length]. */
static inline double event_touching(const event_system *system, int32_t pair) {
    return system->world->def.event.touching * system->pairs[pair].size;
}

/* Depth up to which a contact that is not followed is ignored [length]. */
static inline double event_grain(const event_system *system, int32_t pair) { return 1e-3 * event_touching(system, pair); }

/* The contact of a row at the places of the last event_system_place(). */
static inline abut_contact event_system_look(const event_system *system, const event_row *row, const event_place **a,
                                             const event_place **b) {
    const int32_t *part = system->pairs[row->pair].part;
    *a = &system->places[part[0]];
    *b = &system->places[part[1]];
    return event_row_look(row, *a, *b);
}

/* Whether a contact that is found at these places is that of a known row. */
bool event_system_is_same(const event_system *system, const event_row *known, const event_row *found);
