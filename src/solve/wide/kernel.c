/* Selects the instruction set of the kernels once: the widest that the machine has. */
#include "solve/wide/kernel.h"

static const wide_kernel_table *const tables[INSTRUCTION_SETS] = INSTRUCTION_SET_VARIANTS(wide_kernel);

/* All threads make the same choice, so it does not matter which one comes first. */
const wide_kernel_table *_Atomic wide_kernel_in_use;

const wide_kernel_table *wide_kernel_choose(void) {
    const wide_kernel_table *best = tables[instruction_set_best()];
    atomic_store_explicit(&wide_kernel_in_use, best, memory_order_relaxed);
    return best;
}

bool wide_kernel_use(instruction_set set) {
    bool has = instruction_set_is_here(set);
    if (has) {
        atomic_store_explicit(&wide_kernel_in_use, tables[set], memory_order_relaxed);
    }
    return has;
}
