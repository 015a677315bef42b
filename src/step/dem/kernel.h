#pragma once

#include <stdatomic.h>

#include "base/instruction_set.h"
#include "step/dem/system.h"

/*
 * The work of the dem stepper for every pair and every ball in every step, several at a time. All machines give the same result: the
 * instruction set is selected at run time and changes only the time (base/simd.h).
 */

/* The update of bodies between two computations of forces: the second half of one step's velocity change, the first half of the next one's,
 * and the motion. */
typedef struct dem_motion {
    dem_system *s;
    double h;
    bool ends, begins; /* finish a step; begin a step. Both are true except at the last and the first update. */
} dem_motion;

/* step/dem/motion.c: the update of one mesh or plane, by the forces of its pairs. False if it has moved too far from where the near pairs
 * were listed. */
bool dem_move(const dem_motion *m, int32_t body);

/* Room for a list of pairs that is filled up to whole vectors. */
enum { DEM_LIST = DEM_BLOCK + 8 };

typedef struct dem_kernel_table {
    /* Lists those of the pairs first <= i < end, at most DEM_BLOCK, that touched before or may touch now. Returns their number. */
    int32_t (*find)(const dem_system *s, int32_t first, int32_t end, int32_t list[DEM_LIST]);
    /* Forces of these pairs. Advances memories by the time h. Adds to the tally of their block, which has room for all of them. */
    void (*press)(dem_system *s, double h, dem_block *block, const int32_t list[DEM_LIST], int32_t count);
    /* Sums the forces of the pairs of each ball. */
    void (*gather)(dem_system *s, int32_t begin, int32_t end);
    /* Updates balls by these sums. False if one has moved too far from where the near pairs were listed. */
    bool (*move)(const dem_motion *m, int32_t begin, int32_t end);
} dem_kernel_table;

/* The table in use; NULL until the first call. */
extern const dem_kernel_table *_Atomic dem_kernel_in_use;
const dem_kernel_table *dem_kernel_choose(void);

static inline const dem_kernel_table *dem_kernel_get(void) {
    const dem_kernel_table *found = atomic_load_explicit(&dem_kernel_in_use, memory_order_relaxed);
    return found != NULL ? found : dem_kernel_choose();
}

/* Selects an instruction set (instruction_set_is_here() says which exist). False, without effect, if the machine does not have it. */
bool dem_kernel_use(instruction_set set);

extern const dem_kernel_table dem_kernel_scalar, dem_kernel_sse2, dem_kernel_avx2, dem_kernel_avx512; /* those of the build's sets exist */
