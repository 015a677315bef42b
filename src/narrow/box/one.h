#pragma once

#include <abut/math.h>

#include <stdbool.h>

#include "narrow/box/kernel.h"

/*
 * One pair of boxes, with axes and sides of faces in the lanes of a vector. It answers what the kernel of several pairs answers, with the same bits.
 */

/* What a lane of box_block has. */
typedef struct box_one {
    const abut_mat3 *turn_a, *turn_b;
    abut_vec3 apart;
    const abut_vec3 *half_a, *half_b;
    double scale, smaller, margin, sine;
    abut_vec3 aside;
    double follow;
    bool wants_axis; /* of boxes apart: `axis`, `turn` and `centre` of the answers are read */
} box_one;

typedef void (*box_one_kernel)(const box_one *pair, box_answers *answers);

/* The kernel in use; NULL until the first call. */
extern _Atomic(box_one_kernel) box_one_in_use;
box_one_kernel box_one_choose(void);

/* The answer is that of lane 0. */
static inline void box_one_run(const box_one *pair, box_answers *answers) {
    box_one_kernel found = atomic_load_explicit(&box_one_in_use, memory_order_relaxed);
    (found != NULL ? found : box_one_choose())(pair, answers);
}

static inline void box_one_put3(const abut_vec3 *v, int lane, double to[3][BOX_LANES]) {
    to[0][lane] = v->x;
    to[1][lane] = v->y;
    to[2][lane] = v->z;
}

/* Puts a pair in a lane of a block. */
static inline void box_one_put(const box_one *pair, int lane, box_block *block) {
    block->turn_a[lane] = (const double *)(const void *)pair->turn_a;
    block->turn_b[lane] = (const double *)(const void *)pair->turn_b;
    block->half_a[lane] = (const double *)(const void *)pair->half_a;
    block->half_b[lane] = (const double *)(const void *)pair->half_b;
    box_one_put3(&pair->apart, lane, block->apart);
    box_one_put3(&pair->aside, lane, block->aside);
    block->follow[lane] = pair->follow;
    block->scale[lane] = pair->scale;
    block->smaller[lane] = pair->smaller;
    block->margin[lane] = pair->margin;
    block->sine[lane] = pair->sine;
}

/* Idle lanes get the first pair's boxes. */
static inline void box_one_fill(box_block *block) {
    for (int lane = block->count; lane < BOX_LANES; ++lane) {
        block->turn_a[lane] = block->turn_a[0];
        block->turn_b[lane] = block->turn_b[0];
        block->half_a[lane] = block->half_a[0];
        block->half_b[lane] = block->half_b[0];
    }
}

/* Those of the build's sets exist. */
void box_one_scalar(const box_one *pair, box_answers *answers);
void box_one_sse2(const box_one *pair, box_answers *answers);
void box_one_avx2(const box_one *pair, box_answers *answers);
void box_one_avx512(const box_one *pair, box_answers *answers);
