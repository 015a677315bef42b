#pragma once

#include <stdatomic.h>

#include "base/instruction_set.h"
#include "tetra/lanes.h"

/*
 * Computations for all directions of two tetrahedra, several lanes at a time. Answers are the same on every machine: the instruction set is
 * chosen when the program runs and changes the time only (base/simd.h).
 */

typedef struct kernel_table {
    bool (*cross_edges)(const pair *p, lanes *l); /* true when two edges are nearly parallel */
    void (*measure)(const pair *p, lanes *l);
    void (*find_costs)(const pair *p, lanes *l, bool all);
    lane_choice (*least)(const double values[LANES_SENSES][LANES]);
} kernel_table;

/* The table in use; NULL until the first use. */
extern const kernel_table *_Atomic kernel_in_use;
const kernel_table *kernel_choose(void);

static inline const kernel_table *kernel_get(void) {
    const kernel_table *found = atomic_load_explicit(&kernel_in_use, memory_order_relaxed);
    return found != NULL ? found : kernel_choose();
}

/* Uses this instruction set from now on. If the set is missing (instruction_set_is_here()), returns false and changes nothing. */
bool kernel_use(instruction_set set);

extern const kernel_table kernel_scalar, kernel_sse2, kernel_avx2, kernel_avx512; /* those of the build's sets exist */
