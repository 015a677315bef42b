#pragma once

#include "solve/contact/block.h"
#include "solve/contact/contact.h"

/*
 * How the bodies of a step are eliminated one after the other in a factorisation of their contact graph: the sparsity of solve/contact/direct.h.
 * Islands whose factorisation would cost too much are left out; so are bodies that nothing moves or that touch nothing.
 */

/* A set of contacts between bodies that touch each other, and no others. Without columns when it was left out. */
typedef struct plan_island {
    int32_t column, column_end; /* its bodies, in the order of their elimination */
    int32_t pair;               /* its first pair in plan_pair; they are in the order of the set's pairs */
    int32_t point;              /* its first point in plan_point */
    bool hopeless[2];           /* without and with friction: a direct solution was tried in this step and failed */
} plan_island;

typedef struct plan_pair {
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
    plan_island *islands;  /* [island_count], one for each set */
    int32_t *bodies;       /* [column_count] the body of a column, in its set */
    int32_t *column_first; /* [column_count + 1] into rows */
    int32_t *rows;         /* of each column: the later columns that it is coupled with, ascending */
    plan_pair *pairs;      /* island by island */
    block *diagonal;       /* [column_count] */
    block *below;          /* [rows] */
    block_vector *vector;  /* [column_count] */
    block_vector *saved;   /* [column_count] velocities before the direct solution */
    plan_point *points;    /* beside solver_contacts.points, island by island */
    int32_t island_count, column_count, row_count;

    /* Of the island at hand. */
    int32_t *columns;  /* by body: its column, or -1 */
    int32_t *places;   /* by body: its place in the list; -1 for those that are not in it */
    int32_t *list;     /* bodies that move and touch */
    int32_t *degrees;  /* by place: neighbours that are not eliminated; -1 once it is eliminated itself */
    uint64_t *coupled; /* by place: a row of bits, one for each neighbour's place */
    int32_t island_capacity, body_capacity, first_capacity, row_capacity, pair_capacity, diagonal_capacity, below_capacity, vector_capacity,
        saved_capacity, column_capacity, place_capacity, list_capacity, degree_capacity, coupled_capacity, point_capacity;
} solver_plan;

/* Plan for the step's islands. False when there is no memory. */
bool plan_make(solver_plan *plan, const solver_contacts *sets, int32_t count);
void plan_release(solver_plan *plan);
