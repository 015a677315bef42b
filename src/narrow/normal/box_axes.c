/* Selects the instruction set of the axes of boxes once: the widest that the machine has. */
#include "narrow/normal/box_axes.h"

static const box_axes_kernel kernels[INSTRUCTION_SETS] = INSTRUCTION_SET_VARIANTS(box_axes);

/* All threads make the same choice, so it does not matter which one comes first. */
_Atomic(box_axes_kernel) box_axes_in_use;

box_axes_kernel box_axes_choose(void) {
    box_axes_kernel best = kernels[instruction_set_best()];
    atomic_store_explicit(&box_axes_in_use, best, memory_order_relaxed);
    return best;
}

bool box_axes_use(instruction_set set) {
    bool has = instruction_set_is_here(set);
    if (has) {
        atomic_store_explicit(&box_axes_in_use, kernels[set], memory_order_relaxed);
    }
    return has;
}
