#pragma once

#include <abut/joint.h>

#include "solve/contact/state.h"

/*
 * Joints as rows. A row is a direction of motion of body b relative to body a with a law for the impulse along it; passes, direct solution, warm start, limits
 * and motors know rows only. The kinds of joints differ in their rows alone (solve/joint/kinds.c).
 *
 * The rate of a row is u = line . (v_b - v_a) + turn_b . w_b - turn_a . w_a + curve, with the velocities of the centres of mass. Its position changes at this
 * rate. A positive impulse drives b along the row and a against it.
 *
 * Within a substep joints follow the leapfrog of constrained motion (RATTLE: H. C. Andersen, "Rattle", 1983): the impulses of the first stage act along the
 * rows at the begin and put the positions at the end where they belong; those of the second stage act along the rows at the end and stop the velocities that
 * leave. Both are solved as rates: `curve` makes the rate of the first stage the mean one of the motion, which also bends.
 */

enum { JOINT_ROWS = 6 };

/* The impulse p of a row in a stage as a graph over its rate u, from springs, motors and limits:
 *
 *   p = constant - weight u + most sign(target - u), between low and high; anything it takes at low upwards, and at high downwards.
 *
 * A row that holds is a motor without bound. */
typedef struct joint_law {
    double constant, weight, target, most, low, high;
} joint_law;

/* A piece of the graph: a rate that is held, or p = at - weight u. */
typedef struct joint_piece {
    bool holds;
    double at;
} joint_piece;

/* What a row does. */
typedef enum joint_role {
    JOINT_HOLDS, /* its position stays 0 */
    JOINT_MOVES, /* a coordinate with limits, spring and motor */
    JOINT_SPINS, /* a coordinate with a motor only */
    JOINT_SLIDES /* a coordinate with limits and spring only */
} joint_role;

typedef struct joint_row {
    joint_role role;
    abut_vec3 line, turn_a, turn_b;
    double at;         /* position; of a row that holds its error */
    double lever;      /* a length for rows of angles, which makes errors lengths; 1 for others */
    double mobility;   /* change of the rate per unit impulse */
    double curve;      /* of the present stage */
    double begun;      /* rate before the forces of the present stage */
    double ended;      /* rate after those of the last one; of the first stage that in the middle of the motion */
    joint_law law;     /* of the present stage */
    double impulse;    /* in the present substep */
    double base;       /* the same before the present stage */
    double pressed[2]; /* impulse of the limits at the lower and upper end in the first stage, >= 0 */
    double held;       /* an earlier impulse of this substep (solve/contact/work.h) */
    double warm;       /* expected for one substep */

    /* Of the direct solution. */
    joint_piece piece, next;
    double factored;     /* compliance in the last matrix; negative for none */
    double before, step; /* impulse before it, and its change */
} joint_row;

typedef struct solver_joint {
    int32_t a, b; /* bodies */
    const abut_joint_def *def;
    abut_vec3 offset;           /* centre of b minus centre of a at the begin of the step */
    abut_vec3 local_a, local_b; /* origins of the frames in the principal frames */
    abut_quat frame_a, frame_b; /* rotations of the frames in the principal frames */
    abut_quat begun_a, begun_b; /* of a gear: rotations of the frames in the world when the joint was added */
    double turned[2];           /* last known angles, which count turns */
    double lever;               /* a length of the two bodies */
    int32_t row_count;
    joint_row rows[JOINT_ROWS];
    double loads[3];         /* forces in the last substeps */
    abut_vec3 arm_b;         /* from the centre of b to the origin of its frame */
    abut_vec3 force, torque; /* impulses on b at that origin, over all substeps of the step so far */
} solver_joint;

/* The rows of a joint between bodies at a placement: role, directions and positions (solve/joint/kinds.c). Returns their number. turned: the last known
 * angles; gets the present ones. */
int32_t joint_rows(const solver_joint *joint, const solver_body *a, const solver_body *b, double turned[2], joint_row rows[JOINT_ROWS]);

/* The same, with the bend of each row in `curve`: its acceleration without accelerations of the bodies, whose velocities are set. */
int32_t joint_rows_bent(const solver_joint *joint, const solver_body *a, const solver_body *b, double turned[2],
                        joint_row rows[JOINT_ROWS]);

/* A joint that carries the force f pulls a body with the arm r into line, with the stiffness |f| |r|. A body that would swing faster by it than substeps of
 * length h can follow gets moments of inertia of h^2 |f| |r| at least, so that it swings through one radian in a substep at most: the links of a chain with a
 * heavy weight, for example. The force is the least of the last three substeps, so that impacts do not count. Adds to solver_body.least_moment. */
void joint_ask_moments(const solver_joint *joint, solver_body *bodies, double h);

/* Sets rows and mobilities at the bodies' present placement. Impulses stay. */
void joint_refresh(solver_joint *joint, const solver_body *bodies);

/* Before the forces of the first stage act. */
void joint_note_rates(solver_joint *joint, const solver_body *bodies);
/* Before those of the second stage: the rates with which the first one ended. */
void joint_take_rates(solver_joint *joint);

/* Rules for the laws of a stage. */
typedef struct joint_rule {
    double substep;  /* h */
    double max_push; /* errors are removed at most at this speed */
} joint_rule;

/* Set the laws of the two stages. joint_first_stage() also sets the substep's impulses to zero. */
void joint_first_stage(solver_joint *joint, const solver_body *bodies, const joint_rule *rule);
void joint_second_stage(solver_joint *joint, const solver_body *bodies, const joint_rule *rule);

/* Between the first stage and the motion: laws that remove errors. Returns the fastest push. */
double joint_begin_push(solver_joint *joint, const solver_body *bodies, const joint_rule *rule);

/* Laws that take the rows to these positions in one unit of time, from rest, as far as limits let them move. Returns the largest way that is missing. */
double joint_begin_return(solver_joint *joint, const double planned[JOINT_ROWS]);

/* Where the first stage puts the bodies: a and b at the end of the motion. Corrects `curve`, and returns the largest correction as a speed. */
double joint_bend(solver_joint *joint, const solver_body *bodies, const solver_body *a, const solver_body *b, const joint_rule *rule);

void joint_unbend(solver_joint *joint);

/* Half of the impulse that a substep is expected to need. */
void joint_warm_start(solver_joint *joint, solver_body *bodies);

/* One pass over the rows. Returns the largest change of a rate, as a speed. */
double joint_pass(solver_joint *joint, solver_body *bodies);

/* After a stage: counts its impulses to force and torque, and remembers those of the limits. */
void joint_end_stage(solver_joint *joint, const solver_body *bodies);

/* Ends the substep: expects the same impulses for the next. */
void joint_end_substep(solver_joint *joint, double h);

/* The rate of a row. */
double joint_rate(const joint_row *row, const solver_body *a, const solver_body *b);

/* The piece of its graph on which a row ends that has this rate and impulse p, if only its own impulse changes. */
joint_piece joint_piece_at(const joint_row *row, double rate, double p);

/* Adds to the impulse of a row. */
void joint_push(joint_row *row, solver_body *a, solver_body *b, double change);
