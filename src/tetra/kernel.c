/* Selects the instruction set of the kernels once: the widest that the machine has. */

#include "tetra/kernel.h"

static const kernel_table *const tables[INSTRUCTION_SETS] = INSTRUCTION_SET_VARIANTS(kernel);

/* All threads make the same choice, so it does not matter which one comes first. */
const kernel_table *_Atomic kernel_in_use;

const kernel_table *kernel_choose(void) {
    const kernel_table *best = tables[instruction_set_best()];
    atomic_store_explicit(&kernel_in_use, best, memory_order_relaxed);
    return best;
}

bool kernel_use(instruction_set set) {
    bool has = instruction_set_is_here(set);
    if (has) {
        atomic_store_explicit(&kernel_in_use, tables[set], memory_order_relaxed);
    }
    return has;
}
