/*
 * Forces of balls on each other and on planes: pressure, damping, friction and adhesion of two whole surfaces (solve/pressure/pressure.h),
 * by the kernels of step/dem/kernel.h. Each pair is computed separately. Sums over the pairs of a body, and over all pairs, are in the
 * order of the pairs, so they do not depend on threads.
 */
#include "step/dem/kernel.h"
#include "step/dem/system.h"

void dem_forget(dem_system *s, int32_t i, dem_tally *tally) {
    dem_pair *pair = &s->pairs[i];
    if (pair->touched) {
        tally->rubbed += dem_pair_energy(pair);
        pair->touched = false;
        pair->memory.stiffness = 0.0;
        s->forces[i] = (dem_force){.arm_a = 0.0};
        if (s->rolls) {
            tally->rubbed += pressure_roll_energy(s->rolled[i].stretch, s->rolled[i].stiffness);
            s->rolled[i] = (dem_roll){.stiffness = 0.0};
        }
    }
}

typedef struct job {
    dem_system *s;
    const dem_kernel_table *kernel;
    double h;
} job;

static void press_blocks(void *argument, int32_t begin, int32_t end) {
    const job *j = argument;
    dem_system *s = j->s;
    for (int32_t block = begin; block < end; ++block) {
        dem_tally tally = {0};
        int32_t first = block * DEM_BLOCK, last = s->pair_count - first < DEM_BLOCK ? s->pair_count : first + DEM_BLOCK;
        j->kernel->press(s, j->h, first, last, &tally);
        s->block_tallies[block] = tally;
    }
}

static void add_up(dem_system *s, int32_t blocks) {
    dem_tally *sum = &s->tally;
    sum->elastic = sum->spring = 0.0;
    sum->touching = sum->sliding = 0;
    for (int32_t i = 0; i < blocks; ++i) {
        const dem_tally *t = &s->block_tallies[i];
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
    int32_t blocks = s->pair_count / DEM_BLOCK + (s->pair_count % DEM_BLOCK != 0);
    abut_parallel_for(&s->world->def.parallel, blocks, 2, press_blocks, &j);
    add_up(s, blocks);
    dem_facets_press(s, h);
    if (s->bonds.count > 0) {
        dem_bonds_bear(s, h);
    }
    if (s->cells.count > 0) {
        dem_cells_bear(s, h);
    }
}
