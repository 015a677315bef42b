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
    static const int8_t by_kinds[BOX_PLACES] = {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15};
    box_one_kernel found = atomic_load_explicit(&box_one_in_use, memory_order_relaxed);
    answers->at = by_kinds;
    (found != NULL ? found : box_one_choose())(pair, answers);
}

/* Those of the build's sets exist. */
void box_one_scalar(const box_one *pair, box_answers *answers);
void box_one_sse2(const box_one *pair, box_answers *answers);
void box_one_avx2(const box_one *pair, box_answers *answers);
void box_one_avx512(const box_one *pair, box_answers *answers);
