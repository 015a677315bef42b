/*
 * Forces of balls on each other and on planes: pressure, damping, friction and adhesion of two whole surfaces (solve/pressure/pressure.h),
 * by the kernels of step/dem/kernel.h. Each pair is computed separately. Sums over the pairs of a body, and over all pairs, are in the
 * order of the pairs, so they do not depend on threads.
 */
#include "base/array.h"
#include "step/dem/kernel.h"
#include "step/dem/system.h"

bool dem_block_reserve(const dem_system *s, dem_block *block, int32_t contacts) {
    const int32_t used = block->contacts == NULL ? 0 : block->count + 1, rolls = block->rolls == NULL ? 0 : block->count + 1;
    return array_extend(&block->contacts, &block->capacity, used, contacts + 1, sizeof *block->contacts) &&
           (!s->rolls || array_extend(&block->rolls, &block->roll_capacity, rolls, contacts + 1, sizeof *block->rolls));
}

void dem_forget(dem_system *s, int32_t i, dem_tally *tally) {
    const uint16_t at = s->touching[i];
    if (at == 0) {
        return;
    }
    dem_block *block = dem_block_of(s, i);
    const int32_t last = block->count--;
    tally->rubbed += dem_contact_energy(&block->contacts[at]);
    if (s->rolls) {
        tally->rubbed += pressure_roll_energy(block->rolls[at].stretch, block->rolls[at].stiffness);
        block->rolls[at] = block->rolls[last];
    }
    block->contacts[at] = block->contacts[last];
    s->touching[block->contacts[at].pair] = at;
    s->touching[i] = 0;
}

typedef struct job {
    dem_system *s;
    const dem_kernel_table *kernel;
    double h;
} job;

static void press_blocks(void *argument, int32_t begin, int32_t end) {
    const job *j = argument;
    dem_system *s = j->s;
    for (int32_t i = begin; i < end; ++i) {
        int32_t first = i * DEM_BLOCK, last = s->pair_count - first < DEM_BLOCK ? s->pair_count : first + DEM_BLOCK, list[DEM_LIST];
        dem_block *block = &s->blocks[i];
        int32_t count = j->kernel->find(s, first, last, list);
        block->tally = (dem_tally){0};
        if (!dem_block_reserve(s, block, count)) {
            atomic_store_explicit(&s->lacking, true, memory_order_relaxed);
        } else {
            j->kernel->press(s, j->h, block, list, count);
        }
    }
}

static void add_up(dem_system *s) {
    dem_tally *sum = &s->tally;
    sum->elastic = sum->spring = 0.0;
    sum->touching = sum->sliding = 0;
    for (int32_t i = 0; i < s->block_count; ++i) {
        const dem_tally *t = &s->blocks[i].tally;
        sum->damped += t->damped;
        sum->rubbed += t->rubbed;
        sum->elastic += t->elastic;
        sum->spring += t->spring;
        sum->touching += t->touching;
        sum->sliding += t->sliding;
    }
}

void dem_forces(dem_system *s, double h) {
    job j = {s, dem_kernel_get(), h};
    s->lacking = false;
    abut_parallel_for(&s->world->def.parallel, s->block_count, 2, press_blocks, &j);
    if (s->lacking) {
        s->status = ABUT_ERROR_OUT_OF_MEMORY;
        return;
    }
    add_up(s);
    dem_facets_press(s, h);
    if (s->bonds.count > 0) {
        dem_bonds_bear(s, h);
    }
    if (s->cells.count > 0) {
        dem_cells_bear(s, h);
    }
}
