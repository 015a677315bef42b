#pragma once

#include <abut/math.h>

#include <stdbool.h>

#include "narrow/box/kernel.h"

/*
 * One pair of boxes, with axes and sides of faces in the lanes of a vector. It answers what the kernel of several pairs answers, with the same bits.
 */

typedef void (*box_one_kernel)(const box_task *task, box_answers *answers);

/* The kernel in use; NULL until the first call. */
extern _Atomic(box_one_kernel) box_one_in_use;
box_one_kernel box_one_choose(void);

/* The answer is that of lane 0. Of boxes apart without a cache it is the verdict alone. */
static inline void box_one_run(const box_task *task, box_answers *answers) {
    box_one_kernel found = atomic_load_explicit(&box_one_in_use, memory_order_relaxed);
    (found != NULL ? found : box_one_choose())(task, answers);
}

/* Those of the build's sets exist. */
void box_one_scalar(const box_task *task, box_answers *answers);
void box_one_sse2(const box_task *task, box_answers *answers);
void box_one_avx2(const box_task *task, box_answers *answers);
void box_one_avx512(const box_task *task, box_answers *answers);
