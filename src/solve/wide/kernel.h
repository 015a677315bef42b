#pragma once

#include <stdatomic.h>

#include "base/instruction_set.h"
#include "solve/wide/solver.h"

/*
 * The work of the wide solver for every patch and every body, several at a time. The instruction set is chosen when the program runs and changes the time only
 * (base/simd.h).
 */

/* Guesses of a new patch among others that know their loads. */
enum { WIDE_GUESSES = 6 };

/* What a pass does. */
typedef enum wide_work {
    WIDE_WARM,  /* applies the impulses that are expected */
    WIDE_GUESS, /* finds impulses of new patches, from which the next pass begins */
    WIDE_SOLVE, /* changes the impulses of the substep */
    WIDE_PUSH,  /* pushes penetration out */
    WIDE_DEEP   /* pushes on where contacts are deep */
} wide_work;

/* Numbers of a pass. */
typedef struct wide_stage {
    double share;        /* of the impulse of a substep that acts in this pass: 1/2 at both ends of the step */
    double inverse_time; /* gaps may close within this time: its inverse */
    double push_rate, max_push;
    int32_t left; /* guesses that follow this one */
    bool closes;  /* the last pass of a step: it leaves its residuals */
} wide_stage;

/* The memory of a group while it is solved. */
typedef struct wide_task {
    const wide_solver *solver;
    const wide_group *group;
    const wide_rule *rule;
    const abut_parallel *parallel; /* NULL: one thread */
    unsigned char *blocks;         /* of the group */
} wide_task;

/* Blocks begin <= i < end of a run. */
typedef struct wide_part {
    int32_t run, begin, end;
} wide_part;

/* Bodies begin <= i < end of a group. */
typedef struct wide_bodies {
    int32_t begin, end;
} wide_bodies;

typedef struct wide_kernel_table {
    int32_t lanes;
    size_t (*block_size)(int32_t points);                /* in bytes */
    void (*fill)(const wide_task *task, wide_part part); /* blocks, from pairs and records; counts marks of sets */
    void (*mark)(const wide_task *task, wide_part part); /* blocks, by the marks of their sets */
    void (*pass)(const wide_task *task, wide_part part, wide_work work, const wide_stage *stage);
    void (*keep)(const wide_task *task, wide_part part); /* forces to records, and the largest residuals to marks of sets */
    /* By half of the forces of a substep, or by all of them, and by the impulses of the last substep times `again`. */
    void (*kick)(const wide_task *task, wide_bodies bodies, bool half, double again);
    void (*drift)(const wide_task *task, wide_bodies bodies, const double *velocity, double time);
} wide_kernel_table;

/* The table in use; NULL until the first call. */
extern const wide_kernel_table *_Atomic wide_kernel_in_use;
const wide_kernel_table *wide_kernel_choose(void);

static inline const wide_kernel_table *wide_kernel_get(void) {
    const wide_kernel_table *found = atomic_load_explicit(&wide_kernel_in_use, memory_order_relaxed);
    return found != NULL ? found : wide_kernel_choose();
}

/* Selects an instruction set (instruction_set_is_here() says which exist). False, without effect, if the machine does not have it. */
bool wide_kernel_use(instruction_set set);

/* Those of the build's instruction sets exist. */
extern const wide_kernel_table wide_kernel_scalar, wide_kernel_sse2, wide_kernel_avx2, wide_kernel_avx512;
