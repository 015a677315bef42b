/* Greedy colouring in the order of pairs: each patch takes the first colour that neither of its bodies has yet. The order depends on the patches alone. */
#include "solve/wide/colours.h"

#include <string.h>

enum { KEYS = (WIDE_COLOURS + 1) * WIDE_CLASSES, SMALL = 4, STEP = 8, LINEAR = 64 };

/* 1 to 4 points, 6, then multiples of 8 up to 64, then powers of two. */
int32_t wide_class_points(int32_t class) {
    enum { FIRST_LINEAR = SMALL + 1, FIRST_POWER = FIRST_LINEAR + LINEAR / STEP };
    return class < SMALL          ? class + 1
           : class < FIRST_LINEAR ? 6
           : class < FIRST_POWER  ? STEP * (class - FIRST_LINEAR + 1)
                                  : LINEAR << (class - FIRST_POWER + 1);
}

int32_t wide_class_of(int32_t points) {
    int32_t class = 0;
    while (class + 1 < WIDE_CLASSES && wide_class_points(class) < points) {
        class ++;
    }
    return class;
}

int32_t wide_most_runs(int32_t sources) { return sources < KEYS ? sources : KEYS; }

static int32_t choose(uint64_t *used, const wide_source *source, bool moves_a, bool moves_b) {
    uint64_t taken = (moves_a ? used[source->a] : 0) | (moves_b ? used[source->b] : 0);
    int32_t colour = 0;
    while (colour < WIDE_COLOURS && (taken >> colour & 1) != 0) {
        colour++;
    }
    if (colour < WIDE_COLOURS) {
        used[source->a] |= UINT64_C(1) << colour;
        used[source->b] |= UINT64_C(1) << colour;
    }
    return colour;
}

/* Sets the keys of the sources and counts them. */
static void find_keys(const wide_solver *solver, const wide_group *group, int32_t counts[KEYS]) {
    memset(counts, 0, KEYS * sizeof *counts);
    memset(solver->used + group->row, 0, ((size_t)group->body_count + 1) * sizeof *solver->used);
    for (int32_t i = group->source; i < group->source + group->source_count; i++) {
        wide_source *source = &solver->sources[i];
        const solver_contacts *set = &solver->sets[source->set];
        const solver_pair *pair = &set->pairs[source->pair];
        int32_t colour = choose(solver->used, source, set->bodies[pair->a].inverse_mass > 0.0, set->bodies[pair->b].inverse_mass > 0.0);
        source->key = colour * WIDE_CLASSES + wide_class_of(set->patches[source->patch].count);
        counts[source->key]++;
    }
}

int32_t wide_colour(const wide_solver *solver, wide_group *group, int32_t lanes) {
    int32_t next[KEYS], counts[KEYS], at = group->source, runs = 0;
    find_keys(solver, group, counts);
    for (int32_t key = 0; key < KEYS; key++) {
        next[key] = at;
        at += counts[key];
        if (counts[key] > 0) {
            int32_t colour = key / WIDE_CLASSES;
            bool single = colour == WIDE_COLOURS;
            solver->runs[group->run + runs++] = (wide_run){.colour = colour,
                                                           .points = wide_class_points(key % WIDE_CLASSES),
                                                           .blocks = single ? counts[key] : (counts[key] + lanes - 1) / lanes,
                                                           .source = next[key],
                                                           .count = counts[key],
                                                           .single = single};
        }
    }
    for (int32_t i = group->source; i < group->source + group->source_count; i++) {
        solver->order[next[solver->sources[i].key]++] = i;
    }
    return runs;
}
