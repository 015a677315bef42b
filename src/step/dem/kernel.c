/* Selects the instruction set of the kernels once: the widest that the machine has. */

#include "step/dem/kernel.h"

static const dem_kernel_table *const tables[INSTRUCTION_SETS] = INSTRUCTION_SET_VARIANTS(dem_kernel);

/* All threads make the same choice, so it does not matter which one comes first. */
const dem_kernel_table *_Atomic dem_kernel_in_use;

const dem_kernel_table *dem_kernel_choose(void) {
    const dem_kernel_table *best = tables[instruction_set_best()];
    atomic_store_explicit(&dem_kernel_in_use, best, memory_order_relaxed);
    return best;
}

bool dem_kernel_use(instruction_set set) {
    bool has = instruction_set_is_here(set);
    if (has) {
        atomic_store_explicit(&dem_kernel_in_use, tables[set], memory_order_relaxed);
    }
    return has;
}
