/* Memory of the wide solver, and its plan of a step: groups of sets, their rows and their blocks. */
#include "solve/wide/solver.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/processors.h"
#include "solve/wide/colours.h"
#include "solve/wide/kernel.h"

/* Small sets are solved together until a group has this number of bodies: enough to fill lanes, and few enough to stay in the cache. */
enum { GROUP = 128, ROW = 8, ROW_KINDS = 4, LINE = 64, ROOMS = 64 };

void wide_release(wide_solver *solver) {
    void *blocks[] = {solver->kicks, solver->groups,     solver->sources,      solver->order, solver->runs,
                      solver->used,  solver->row_memory, solver->block_memory, solver->lag,   solver->marks};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        memory_release(blocks[i]);
    }
}

bool wide_reserve_kicks(wide_solver *solver, int32_t bodies) {
    return array_reserve(&solver->kicks, &solver->kick_capacity, bodies, sizeof *solver->kicks);
}

/* Lists the groups. Returns the number of sources. */
static int32_t list_groups(wide_solver *solver, const solver_contacts *all, const bool *chosen, int32_t count) {
    int32_t sources = 0;
    solver->group_count = 0;
    for (int32_t i = 0; i < count; i++) {
        const solver_contacts *set = &solver->sets[i];
        if (!chosen[i]) {
            continue;
        }
        wide_group *last = solver->group_count > 0 ? &solver->groups[solver->group_count - 1] : NULL;
        if (last == NULL || last->set_end != i || last->body_count + set->body_count > GROUP) {
            int32_t body = (int32_t)(set->bodies - all->bodies);
            last = &solver->groups[solver->group_count];
            *last = (wide_group){.set = i, .body = body, .row = body + solver->group_count, .source = sources};
            solver->group_count++;
        }
        last->set_end = i + 1;
        last->body_count += set->body_count;
        last->source_count += set->patch_count;
        sources += set->patch_count;
    }
    return sources;
}

/* The lag of loads is that between bodies. A single one has none. */
static bool has_several(const solver_contacts *set) {
    int32_t moving = 0;
    for (int32_t i = 0; i < set->body_count && moving < 2; i++) {
        moving += set->bodies[i].inverse_mass > 0.0;
    }
    return moving > 1;
}

/* The pairs of a set whose patches are listed. */
typedef struct listing {
    const wide_solver *solver;
    int32_t set, row;
    int32_t first; /* the source of the set's first patch */
} listing;

static void list_patches(void *argument, int32_t begin, int32_t end) {
    const listing *of = argument;
    const solver_contacts *set = &of->solver->sets[of->set];
    for (int32_t p = begin; p < end; p++) {
        const solver_pair *pair = &set->pairs[p];
        for (int32_t k = pair->first; k < pair->first + pair->count; k++) {
            wide_source source = {.set = of->set, .pair = p, .patch = k, .a = of->row + pair->a, .b = of->row + pair->b};
            wide_source_look(set, &source);
            source.guesses = source.fresh || !of->solver->marks[of->set].damped;
            of->solver->sources[of->first + k] = source;
        }
    }
}

/* parallel: of a large group; NULL for one thread */
static void list_sources(const wide_solver *solver, const wide_group *group, const abut_parallel *parallel) {
    enum { PAIRS = 128 }; /* worth a piece of a loop */
    listing of = {solver, group->set, group->row, group->source};
    for (; of.set < group->set_end; of.set++) {
        const solver_contacts *set = &solver->sets[of.set];
        solver->marks[of.set].damped = has_several(set);
        if (parallel == NULL) {
            list_patches(&of, 0, set->pair_count);
        } else {
            abut_parallel_for(parallel, set->pair_count, PAIRS, list_patches, &of);
        }
        of.row += set->body_count;
        of.first += set->patch_count;
    }
}

/* Finds the places of the blocks in the group's memory. Returns their size. */
static size_t place_blocks(wide_solver *solver, const wide_group *group, const wide_kernel_table *kernel) {
    size_t at = 0;
    for (int32_t r = group->run; r < group->run + group->run_count; r++) {
        wide_run *run = &solver->runs[r];
        run->at = at;
        at += (size_t)run->blocks * kernel->block_size(run->points);
    }
    return at;
}

/* Rooms for the blocks of small groups: as many as threads may want at the same time. They are few, so they stay in the cache. */
static int32_t rooms_of(const abut_parallel *parallel, int32_t groups) {
    int32_t threads = parallel != NULL && parallel->threads > 0 ? parallel->threads : processors_available();
    threads = parallel != NULL && parallel->run != NULL ? ROOMS : threads;
    threads = threads < ROOMS ? threads : ROOMS;
    return groups < threads ? groups : threads;
}

/* Finds the places of the large groups and of the rooms. Returns the size of them all. */
static size_t place_groups(wide_solver *solver, const wide_kernel_table *kernel, const abut_parallel *parallel) {
    int32_t small = 0;
    size_t at = 0;
    solver->room_size = 0;
    for (int32_t g = 0; g < solver->group_count; g++) {
        wide_group *group = &solver->groups[g];
        size_t size = place_blocks(solver, group, kernel);
        if (wide_is_large(solver, g)) {
            group->at = at;
            at += size;
        } else {
            small++;
            solver->room_size = size > solver->room_size ? size : solver->room_size;
        }
    }
    int32_t rooms = rooms_of(parallel, small);
    solver->room_at = at;
    atomic_store_explicit(&solver->free_rooms, rooms < ROOMS ? (UINT64_C(1) << rooms) - 1 : UINT64_MAX, memory_order_relaxed);
    return at + (size_t)rooms * solver->room_size;
}

/* The first multiple of a cache line at or behind the address. */
static size_t to_line(const void *address) { return (LINE - (uintptr_t)address % LINE) % LINE; }

static bool reserve_rows(wide_solver *solver, int32_t rows) {
    if (!array_reserve(&solver->row_memory, &solver->row_capacity, (rows * ROW_KINDS + 1), ROW * sizeof *solver->row_memory)) {
        return false;
    }
    double *first = solver->row_memory + to_line(solver->row_memory) / sizeof(double);
    size_t size = (size_t)rows * ROW;
    solver->rows = (wide_rows){first, first + size, first + 2 * size, first + 3 * size};
    return true;
}

static bool reserve_blocks(wide_solver *solver, size_t bytes) {
    size_t lines = bytes / LINE + 2;
    if (lines > INT32_MAX || !array_reserve(&solver->block_memory, &solver->block_capacity, (int32_t)lines, LINE)) {
        return false;
    }
    solver->blocks = solver->block_memory + to_line(solver->block_memory);
    return true;
}

typedef struct planning {
    wide_solver *solver;
    int32_t lanes;
} planning;

/* The runs of a group have the same places as its sources, so groups know nothing of each other. */
static void plan_group(const void *argument, int32_t index, const abut_parallel *parallel) {
    const planning *of = argument;
    wide_group *group = &of->solver->groups[index];
    list_sources(of->solver, group, parallel);
    group->run = group->source;
    group->run_count = wide_colour(of->solver, group, of->lanes);
}

bool wide_plan(wide_solver *solver, const solver_contacts *all, const solver_contacts *sets, const bool *chosen, int32_t count,
               const abut_parallel *parallel) {
    const wide_kernel_table *kernel = wide_kernel_get();
    solver->sets = sets;
    if (!array_reserve(&solver->groups, &solver->group_capacity, count, sizeof *solver->groups) ||
        !array_reserve(&solver->lag, &solver->lag_capacity, count, sizeof *solver->lag) ||
        !array_reserve(&solver->marks, &solver->mark_capacity, count, sizeof *solver->marks)) {
        return false;
    }
    int32_t sources = list_groups(solver, all, chosen, count), rows = all->body_count + solver->group_count;
    if (!array_reserve(&solver->sources, &solver->source_capacity, sources, sizeof *solver->sources) ||
        !array_reserve(&solver->order, &solver->order_capacity, sources, sizeof *solver->order) ||
        !array_reserve(&solver->runs, &solver->run_capacity, sources, sizeof *solver->runs) ||
        !array_reserve(&solver->used, &solver->used_capacity, rows, sizeof *solver->used) || !reserve_rows(solver, rows)) {
        return false;
    }
    wide_each_group(solver, parallel, plan_group, &(planning){solver, kernel->lanes});
    return reserve_blocks(solver, place_groups(solver, kernel, parallel));
}
