/* Selects the instruction set of the searches once: the widest that the machine has. */

#include "geom/scan.h"

static const scan_table *const tables[INSTRUCTION_SETS] = INSTRUCTION_SET_VARIANTS(scan);

/* All threads make the same choice, so it does not matter which one comes first. */
const scan_table *_Atomic scan_in_use;

const scan_table *scan_choose(void) {
    const scan_table *best = tables[instruction_set_best()];
    atomic_store_explicit(&scan_in_use, best, memory_order_relaxed);
    return best;
}

bool scan_use(instruction_set set) {
    bool has = instruction_set_is_here(set);
    if (has) {
        atomic_store_explicit(&scan_in_use, tables[set], memory_order_relaxed);
    }
    return has;
}
