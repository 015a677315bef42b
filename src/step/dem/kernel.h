#pragma once

#include <stdatomic.h>

#include "base/instruction_set.h"
#include "step/dem/system.h"

/*
 * What the dem stepper does with every pair and every ball in every step, several of them at a time. One answer on every machine: the instruction set is
 * chosen when the program runs, and changes the time only (base/simd.h).
 */

/* What happens to bodies between two times at which forces are computed: the second half of the one, the first of the other, and motion. */
typedef struct dem_motion {
    dem_system *s;
    double h;
    bool ends, begins; /* a step: both but for the last and the first */
} dem_motion;

/* step/dem/motion.c: the same of one body that is no ball, by the forces of its pairs. False where it has strayed too far. */
bool dem_move(const dem_motion *m, int32_t body);

typedef struct dem_kernel_table {
    /* Forces of pairs first up to, not with, end; at most DEM_BLOCK. Memories move on by h. Adds to the tally. */
    void (*press)(dem_system *s, double h, int32_t first, int32_t end, dem_tally *tally);
    /* What the forces of its pairs come to on each ball. */
    void (*gather)(dem_system *s, int32_t begin, int32_t end);
    /* Moves balls by their pushes. False where one has strayed too far from where near pairs were listed. */
    bool (*move)(const dem_motion *m, int32_t begin, int32_t end);
} dem_kernel_table;

/* The table in use; NULL until somebody asks. */
extern const dem_kernel_table *_Atomic dem_kernel_in_use;
const dem_kernel_table *dem_kernel_choose(void);

static inline const dem_kernel_table *dem_kernel_get(void) {
    const dem_kernel_table *found = atomic_load_explicit(&dem_kernel_in_use, memory_order_relaxed);
    return found != NULL ? found : dem_kernel_choose();
}

/* Use an instruction set from now on (instruction_set_is_here() says which there are); false, and nothing changes, when it is not there. */
bool dem_kernel_use(instruction_set set);

extern const dem_kernel_table dem_kernel_scalar;
#if SIMD_HAS_VECTORS
extern const dem_kernel_table dem_kernel_sse2, dem_kernel_avx2, dem_kernel_avx512;
#endif
