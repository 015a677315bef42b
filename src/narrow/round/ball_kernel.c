/* Selects the instruction set of the pairs of spheres once: the widest that the machine has. */
#include "narrow/round/ball_kernel.h"

static const ball_kernel kernels[INSTRUCTION_SETS] = INSTRUCTION_SET_VARIANTS(ball_kernel);

/* All threads make the same choice, so it does not matter which one comes first. */
_Atomic(ball_kernel) ball_kernel_in_use;

ball_kernel ball_kernel_choose(void) {
    ball_kernel best = kernels[instruction_set_best()];
    atomic_store_explicit(&ball_kernel_in_use, best, memory_order_relaxed);
    return best;
}

bool ball_kernel_use(instruction_set set) {
    bool has = instruction_set_is_here(set);
    if (has) {
        atomic_store_explicit(&ball_kernel_in_use, kernels[set], memory_order_relaxed);
    }
    return has;
}
