/* Selects the instruction set of the guesses once: the widest that the machine has. */
#include "narrow/normal/guess/search.h"

static const guess_table *const tables[INSTRUCTION_SETS] = INSTRUCTION_SET_VARIANTS(guess);

/* All threads make the same choice, so it does not matter which one comes first. */
const guess_table *_Atomic guess_in_use;

const guess_table *guess_choose(void) {
    const guess_table *best = tables[instruction_set_best()];
    atomic_store_explicit(&guess_in_use, best, memory_order_relaxed);
    return best;
}

bool guess_use(instruction_set set) {
    bool has = instruction_set_is_here(set);
    if (has) {
        atomic_store_explicit(&guess_in_use, tables[set], memory_order_relaxed);
    }
    return has;
}
