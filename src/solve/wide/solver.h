#pragma once

#include <stdatomic.h>

#include "solve/contact/contact.h"

/*
 * The quick contact solver of the fixed stepper: short substeps with one pass each.
 *
 * A step of length dt has n substeps of length h = dt / n. Substeps are those of a leapfrog: the velocities change by half of the forces and impulses of a
 * substep, then bodies move and velocities change by turns, and a closing half ends the step. So there are n + 1 passes. Normals, arms and inertia stay those
 * of the begin of the step. Then the impulses of one substep change the velocities by the same amount in the next one: the warm start of all substeps but the
 * first is one addition for each body, and it is exact. Within the step gaps follow the rigid motion of both bodies, so they are linear over a patch.
 *
 * Penetration is removed once in a step, by passes in a velocity field of their own, which moves the bodies and is then discarded. It never enters impulses.
 *
 * A patch is one constraint. A pass changes the load of its points by a linear function over the patch that makes all of them meet their targets
 * (solve/contact/patch.c). Where a point would pull, the points are solved one by one. Friction of a patch is one force at its middle and one moment about its
 * normal. Several patches are solved at once in vector lanes, those of one colour: they share no body that moves. Results have the same bits for all widths of
 * lanes (base/simd.h) and any number of threads.
 *
 * Impulses lag behind the loads by the passes that a change needs to run through a stack. Undamped, this lag makes stacks sway. So every pass takes each load
 * a little back to its own slow mean, which the next step inherits, and friction to that of the begin of the step.
 *
 * New patches do not know their impulses. Some passes before the first substep guess them (solve/wide/kernel_fill.h).
 */

/* How a step is solved. */
typedef struct wide_rule {
    double step;      /* dt */
    int32_t substeps; /* n */
    double push_rate; /* penetration is removed at the speed push_rate * depth ... */
    double max_push;  /* ... but not faster than this */

    /* Before the motion of each substep, which wide_motion_of() tells; NULL for none. */
    void (*note)(void *context, int32_t group, int32_t substep);
    void *context;
} wide_rule;

/* What forces do to a body in half a substep. */
typedef struct wide_kick {
    double linear[4], angular[4]; /* change of the velocities; the fourth numbers are 0 */
    double keeps, angular_keeps;  /* damping: the factors of the velocities after this change */
} wide_kick;

/* A patch to solve: where it is, and the rows of its bodies. */
typedef struct wide_source {
    int32_t set, pair, patch; /* indices of the set, and in the set */
    int32_t a, b;             /* rows of its bodies */
    int32_t class;            /* (solve/wide/colours.h) */
    int32_t key;              /* colour and class: patches of one key share blocks */
    bool moves_a, moves_b;    /* whether its bodies move */
    bool leans;               /* to one side, of patches between bodies that move */
    bool fresh;               /* all its contacts are new */
    bool guesses;             /* it is fresh, or its loads cannot lag */
} wide_source;

/* Blocks of one key, one after the other in the group's memory. */
typedef struct wide_run {
    size_t at;                /* of its first block, in bytes from the group's first */
    int32_t colour;           /* (solve/wide/colours.h) */
    int32_t points;           /* of a patch; patches with fewer points have idle ones */
    int32_t blocks, guessing; /* the first blocks have the patches that guess */
    int32_t source, count;    /* its patches, in the solver's order */
    bool single;              /* every block has one patch only */
} wide_run;

/* Consecutive sets that one task solves together, with blocks and bodies of their own. */
typedef struct wide_group {
    int32_t set, set_end;
    int32_t body, body_count; /* indices in the layout of all bodies */
    int32_t row;              /* of its first body; the row behind those of its bodies belongs to idle lanes */
    int32_t source, source_count, run, run_count;
    size_t at; /* of the blocks of a large group, in bytes */
} wide_group;

/* Velocities and motions of bodies: rows of eight numbers. */
typedef struct wide_rows {
    double *velocity; /* linear, 0, angular, 0 */
    double *kicked;   /* the same after the kick of the present substep, before impulses */
    double *push;     /* velocities of the push */
    double *motion;   /* way, 0, rotation since the begin of the step as a quaternion */
} wide_rows;

/* What a step shows of a set. Counts and maxima are the same in whatever order threads come. */
typedef struct wide_mark {
    _Atomic int32_t deep;  /* patches with a deep contact */
    _Atomic int32_t fresh; /* patches whose contacts are all new */
    _Atomic uint64_t lag;  /* bits of the largest residual of the closing pass */
    bool damped;           /* it has several bodies that move, so its loads can lag */
    int32_t guesses;       /* passes that find the impulses of a new patch ... */
    double beyond;         /* ... and the factor of their changes */
} wide_mark;

/* Zero-initialise. The solver keeps its memory from step to step only to save allocations. */
typedef struct wide_solver {
    const solver_contacts *sets; /* of the present step */
    wide_kick *kicks;            /* [bodies] beside the bodies of all sets; the caller fills them before wide_run() */
    wide_group *groups;          /* [group_count] */
    int32_t group_count;
    wide_source *sources; /* of all groups, in the order of pairs */
    int32_t *order;       /* beside sources: indices of sources, by key */
    wide_run *runs;
    uint64_t *used;   /* by row: one bit for each colour of its patches */
    wide_mark *marks; /* by set: what the begin of the step shows */
    double *lag;      /* by set, after wide_run_group(): the largest speed by which the closing pass still changed the v_n of a patch */
    double *row_memory;
    unsigned char *block_memory;
    wide_rows rows;
    unsigned char *blocks; /* of large groups, one after the other; then rooms, in which one small group after the other has its blocks */
    size_t room_at, room_size;
    _Atomic uint64_t free_rooms; /* one bit each */
    int32_t kick_capacity, group_capacity, source_capacity, order_capacity, run_capacity, used_capacity, lag_capacity, mark_capacity,
        row_capacity, block_capacity;
} wide_solver;

/* Makes room for the kicks of this number of bodies. False when there is no memory. */
bool wide_reserve_kicks(wide_solver *solver, int32_t bodies);

/* Plans the solution of those sets that are `chosen`, [count]. The sets are consecutive parts of `all`; their bodies and pairs are filled, and their records
 * (solve/wide/record.h). Patches are in the order of their pairs. False when there is no memory. parallel: NULL for the defaults */
bool wide_plan(wide_solver *solver, const solver_contacts *all, const solver_contacts *sets, const bool *chosen, int32_t count,
               const abut_parallel *parallel);

/* Solves a group. On return the bodies have their velocities, `moved` and `rotation` after the step, and the records have their forces. Axes and inertia stay
 * those of the begin. Different groups may run at the same time. parallel: NULL for one thread */
void wide_run_group(wide_solver *solver, int32_t group, const wide_rule *rule, const abut_parallel *parallel);

/* Whether a group has work for several threads. It is then run alone, with the loops of wide_run_group() on all threads of `parallel`. */
bool wide_is_large(const wide_solver *solver, int32_t group);

/* A piece of work for a group. parallel: NULL for one thread */
typedef void wide_group_piece(const void *argument, int32_t group, const abut_parallel *parallel);

/* Runs large groups one after the other, each by all threads of `parallel`; then the others side by side. */
void wide_each_group(const wide_solver *solver, const abut_parallel *parallel, wide_group_piece *piece, const void *argument);

/* After wide_run_group(): whether most patches of a set were new, so that it had to guess its loads. */
bool wide_begins(const wide_solver *solver, int32_t set);

/* The motion of a group's body since the start of the step, and its velocities, while the group runs. body: index in the layout of all bodies */
typedef struct wide_motion {
    abut_vec3 moved, angular_velocity;
    abut_quat turned;
} wide_motion;
wide_motion wide_motion_of(const wide_solver *solver, int32_t group, int32_t body);

/* After wide_run_group(): the velocity at which the push has moved a body during the step. */
abut_vec3 wide_push_of(const wide_solver *solver, int32_t group, int32_t body);

void wide_release(wide_solver *solver);
