#pragma once

#include "solve/block.h"
#include "solve/contact.h"

/*
 * How the bodies of a step are eliminated one after the other in a factorisation of their contact graph: the sparsity of direct.h.
 * Islands whose factorisation would cost too much are left out; so are bodies that nothing moves.
 */

/* Bodies that touch each other. */
typedef struct plan_island {
    int32_t column, column_end; /* its bodies, in the order of their elimination */
    int32_t pair, pair_end;     /* its pairs, into plan_pair */
    bool hopeless[2];           /* without and with friction: a direct solution was tried in this step and failed */
} plan_island;

typedef struct plan_pair {
    int32_t pair;  /* into solver_contacts.pairs */
    int32_t a, b;  /* columns of its bodies; -1 for a body that nothing moves */
    int32_t block; /* which of rows couples them; -1 when one is missing */
} plan_pair;

/* How a contact takes part in a direct solution. */
typedef enum plan_bearing {
    PLAN_LOOSE,   /* no impulse */
    PLAN_PRESSES, /* its v_n meets the target, its friction is given */
    PLAN_STICKS   /* nor does it slide */
} plan_bearing;

typedef struct plan_point {
    plan_bearing bearing;
    solver_impulse impulse;  /* before the direct solution */
    solver_impulse velocity; /* the same */
    solver_impulse step;     /* what the direct solution wants to add */
} plan_point;

/* Zero-initialise. */
typedef struct solver_plan {
    plan_island *islands;  /* [island_count] */
    int32_t *slots;        /* [column_count] the body of a column */
    int32_t *column_first; /* [column_count + 1] into rows */
    int32_t *rows;         /* of each column: the later columns that it is coupled with, ascending */
    plan_pair *pairs;      /* island by island */
    block *diagonal;       /* [column_count] */
    block *below;          /* [rows] */
    block_vector *vector;  /* [column_count] */
    block_vector *saved;   /* [column_count] velocities before the direct solution */
    plan_point *points;    /* beside solver_contacts.points */
    int32_t island_count, column_count, row_count;

    int32_t *columns;         /* by slot: its column, or -1 */
    int32_t *neighbour_first; /* by slot, into neighbours */
    int32_t *neighbours;
    int32_t *queue;    /* slots of the island at hand */
    int32_t *local;    /* by slot: its place in an island's queue; -1 for slots not met */
    int32_t *degrees;  /* of the island at hand */
    uint64_t *coupled; /* the same: a row of bits for each body */
    int32_t island_capacity, slot_capacity, first_capacity, row_capacity, pair_capacity, diagonal_capacity, below_capacity, vector_capacity,
        saved_capacity, column_capacity, neighbour_first_capacity, neighbour_capacity, queue_capacity, local_capacity, degree_capacity,
        coupled_capacity, point_capacity;
} solver_plan;

/* Plan for the step's pairs; bodies are slots 0 to slots - 1. False when there is no memory. */
bool plan_make(solver_plan *plan, const solver_contacts *set, int32_t slots);
void plan_release(solver_plan *plan);
