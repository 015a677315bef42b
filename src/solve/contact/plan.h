#pragma once

#include "solve/contact/block.h"
#include "solve/contact/contact.h"

/*
 * The elimination order of the bodies of a step in a factorisation of their contact graph, and its sparsity (for solve/contact/direct.h).
 * Left out are islands whose factorisation would cost too much, and bodies that no impulse moves or that touch nothing.
 *
 * A joint has a column of its own, for the impulses of its rows. It is eliminated after one of its bodies at least, because its part of the matrix is zero
 * before that. Nodes are the bodies of a set and then its joints.
 *
 * Where an island is left out, the parts of it that its joints hold together are planned, if each of them is small and cheap enough.
 */

/* A set of contacts between bodies that touch each other and no others. It has no columns when it was left out. */
typedef struct plan_island {
    int32_t column, column_end; /* its bodies, in elimination order */
    int32_t pair;               /* its first pair in plan_pair; pairs are in the order of the set */
    int32_t point;              /* its first point in plan_point */
    int32_t joint;              /* its first joint in plan_joint */
    bool joints_only;           /* its contacts are no part of the plan: with them it would be too large or cost too much */
    bool factored;              /* its factorisation is that of its joints alone, at the present placement */
    bool hopeless[2];           /* without and with friction: a direct solution was tried in this step and failed */
} plan_island;

typedef struct plan_pair {
    int32_t a, b;  /* columns of its bodies; -1 for a body that no impulse moves */
    int32_t block; /* index of their coupling in rows; -1 when one of them has no column */
} plan_pair;

typedef struct plan_joint {
    int32_t column;           /* its own */
    int32_t a, b;             /* as in plan_pair */
    int32_t block_a, block_b; /* their couplings with the joint; -1 for a body without column */
} plan_joint;

/* The part of a contact in a direct solution. */
typedef enum plan_bearing {
    PLAN_LOOSE,   /* no impulse */
    PLAN_PRESSES, /* its v_n meets the target; its friction is given */
    PLAN_STICKS   /* the same, and it does not slide */
} plan_bearing;

typedef struct plan_point {
    plan_bearing bearing;
    solver_impulse impulse;  /* before the direct solution */
    solver_impulse velocity; /* before the direct solution */
    solver_impulse step;     /* change by the direct solution */
} plan_point;

/* Must be zero-initialised. */
typedef struct solver_plan {
    plan_island *islands;  /* [island_count], one for each set */
    int32_t *bodies;       /* [column_count] the node of a column, in its set */
    int32_t *column_first; /* [column_count + 1] into rows */
    int32_t *rows;         /* of each column: the later columns coupled with it, ascending */
    plan_pair *pairs;      /* island by island */
    block *diagonal;       /* [column_count] */
    block *below;          /* [rows] */
    block_vector *vector;  /* [column_count] */
    block_vector *saved;   /* [column_count] velocities before the direct solution */
    block_vector *floors;  /* [column_count] least pivots, of joints */
    plan_joint *joints;    /* island by island */
    plan_point *points;    /* parallel to solver_contacts.points, island by island */
    int32_t island_count, column_count, row_count;

    /* Data of the present island. */
    int32_t *columns;  /* by node: its column, or -1 */
    int32_t *places;   /* by node: its place in the list; -1 for bodies that are not in it */
    int32_t *list;     /* bodies that move and touch or have a joint; then the joints */
    int32_t *parents;  /* by node: towards the first node of its part */
    int32_t *nexts;    /* by node: the next node of its part; -1 for none */
    int32_t *firsts;   /* by node that leads a part: the first node of the part; -1 for other nodes */
    bool *ready;       /* by place: may be eliminated */
    int32_t *degrees;  /* by place: number of neighbours that are not eliminated; -1 after its own elimination */
    uint64_t *coupled; /* by place: a row of bits, one for each neighbour */
    int32_t island_capacity, body_capacity, first_capacity, row_capacity, pair_capacity, diagonal_capacity, below_capacity, vector_capacity,
        saved_capacity, column_capacity, place_capacity, list_capacity, degree_capacity, coupled_capacity, point_capacity, joint_capacity,
        ready_capacity, floor_capacity, parent_capacity, next_capacity, lead_capacity;
} solver_plan;

/* Makes the plan for the step's islands, [count], except those to be left out; NULL for none. False when there is no memory. */
bool plan_make(solver_plan *plan, const solver_contacts *sets, const bool *left_out, int32_t count);
void plan_release(solver_plan *plan);
