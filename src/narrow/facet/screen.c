/* Selects the instruction set of the screen of facet pairs once: the widest that the machine has. */
#include "narrow/facet/screen.h"

static const facet_screen_kernel kernels[INSTRUCTION_SETS] = INSTRUCTION_SET_VARIANTS(facet_screen);

/* All threads make the same choice, so it does not matter which one comes first. */
_Atomic(facet_screen_kernel) facet_screen_in_use;

facet_screen_kernel facet_screen_choose(void) {
    facet_screen_kernel best = kernels[instruction_set_best()];
    atomic_store_explicit(&facet_screen_in_use, best, memory_order_relaxed);
    return best;
}

bool facet_screen_use(instruction_set set) {
    bool has = instruction_set_is_here(set);
    if (has) {
        atomic_store_explicit(&facet_screen_in_use, kernels[set], memory_order_relaxed);
    }
    return has;
}
