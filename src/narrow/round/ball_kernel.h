#pragma once

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/instruction_set.h"

/*
 * Several pairs of spheres at once, one pair in each lane of a vector. The operations are those of balls.c, so that a pair gets the same bits. What is not
 * clear is left to the general path: poses that are not valid, centres that nearly coincide, and zeros, whose sign may matter.
 */

enum { BALL_LANES = 16, BALL_NUMBERS = 16, BALL_NAMES = 5 };

/* Pairs by lanes: two vectors of the widest set, so that one vector is not idle while the other one waits for a root. */
typedef struct ball_block {
    const double *pose_a[BALL_LANES], *pose_b[BALL_LANES]; /* [7]: position and rotation, as abut_pose has them */
    const double *size_a[BALL_LANES], *size_b[BALL_LANES]; /* [4]: the size, the radius, and numbers that are not used */
    double margin;
    double names[BALL_NAMES]; /* the last words of every contact, as abut_contact has them; no numbers */
    int32_t count;
    bool with_directions;
} ball_block;

typedef struct ball_answers {
    unsigned touching, undecided;    /* bits of the pairs; the others are apart */
    double direction[BALL_LANES][4]; /* from A to B, A's frame; a zero. Of blocks with directions */
    double (*next)
        [BALL_NUMBERS]; /* where contacts go, one for each pair that touches: on_a, on_b, normal, gap, area, names, as an abut_contact.
                                        The kernel moves it on */
} ball_answers;

typedef void (*ball_kernel)(const ball_block *block, ball_answers *answers);

/* The kernel in use; NULL until the first call. */
extern _Atomic(ball_kernel) ball_kernel_in_use;
ball_kernel ball_kernel_choose(void);

static inline void ball_kernel_run(const ball_block *block, ball_answers *answers) {
    ball_kernel found = atomic_load_explicit(&ball_kernel_in_use, memory_order_relaxed);
    (found != NULL ? found : ball_kernel_choose())(block, answers);
}

/* For tests and benchmarks: selects an instruction set. False, without effect, if the machine does not have it. */
bool ball_kernel_use(instruction_set set);

/* Those of the build's sets exist. */
void ball_kernel_scalar(const ball_block *block, ball_answers *answers);
void ball_kernel_sse2(const ball_block *block, ball_answers *answers);
void ball_kernel_avx2(const ball_block *block, ball_answers *answers);
void ball_kernel_avx512(const ball_block *block, ball_answers *answers);
