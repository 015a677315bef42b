/* Selects the instruction set of the pairs of boxes once: the widest that the machine has. */
#include "narrow/box/kernel.h"

#include "narrow/box/one.h"
#include "narrow/box/points.h"

static const box_kernel kernels[INSTRUCTION_SETS] = INSTRUCTION_SET_VARIANTS(box_kernel);
static const box_points_kernel points_kernels[INSTRUCTION_SETS] = INSTRUCTION_SET_VARIANTS(box_points);
static const box_one_kernel one_kernels[INSTRUCTION_SETS] = INSTRUCTION_SET_VARIANTS(box_one);

const int8_t box_kernel_at[BOX_PLACES] = {0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120};

/* All threads make the same choice, so it does not matter which one comes first. */
_Atomic(box_kernel) box_kernel_in_use;
_Atomic(box_points_kernel) box_points_in_use;
_Atomic(box_one_kernel) box_one_in_use;

box_kernel box_kernel_choose(void) {
    box_kernel best = kernels[instruction_set_best()];
    atomic_store_explicit(&box_kernel_in_use, best, memory_order_relaxed);
    return best;
}

box_points_kernel box_points_choose(void) {
    box_points_kernel best = points_kernels[instruction_set_best()];
    atomic_store_explicit(&box_points_in_use, best, memory_order_relaxed);
    return best;
}

box_one_kernel box_one_choose(void) {
    box_one_kernel best = one_kernels[instruction_set_best()];
    atomic_store_explicit(&box_one_in_use, best, memory_order_relaxed);
    return best;
}

bool box_kernel_use(instruction_set set) {
    bool has = instruction_set_is_here(set);
    if (has) {
        atomic_store_explicit(&box_kernel_in_use, kernels[set], memory_order_relaxed);
        atomic_store_explicit(&box_points_in_use, points_kernels[set], memory_order_relaxed);
        atomic_store_explicit(&box_one_in_use, one_kernels[set], memory_order_relaxed);
    }
    return has;
}
