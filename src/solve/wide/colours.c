/*
 * Greedy colouring in the order of pairs: each patch takes a colour that neither of its bodies has yet. The order depends on the patches alone.
 *
 * The order of the colours decides how well a pass spreads loads. In masonry a brick bears on two, one on each side. A pass does well when it solves the one
 * side, course by course, and then the other side in the reverse order. With other orders walls sink in and lean several times as much. So patches that lean
 * one way take the first free colour, and those that lean the other way the last one. A patch of a body that does not move leans neither way: it keeps one free
 * at both ends, so that the two halves stay each other's mirror image.
 */
#include "solve/wide/colours.h"

#include <string.h>

#include "solve/wide/record.h"

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

static int32_t first_free(uint64_t taken) {
    int32_t colour = 0;
    while (colour < WIDE_COLOURS && (taken >> colour & 1) != 0) {
        colour++;
    }
    return colour;
}

static int32_t last_free(uint64_t taken) {
    int32_t colour = WIDE_COLOURS - 1;
    while (colour >= 0 && (taken >> colour & 1) != 0) {
        colour--;
    }
    return colour >= 0 ? colour : WIDE_COLOURS;
}

static uint64_t bit_of(int32_t colour) { return colour < WIDE_COLOURS ? UINT64_C(1) << colour : 0; }

/* Of a patch between two bodies that move. */
static int32_t choose_between(uint64_t *used, const wide_source *source) {
    uint64_t taken = used[source->a] | used[source->b];
    int32_t colour = source->leans ? last_free(taken) : first_free(taken);
    used[source->a] |= bit_of(colour);
    used[source->b] |= bit_of(colour);
    return colour;
}

/* Of a patch of the body in this row with one that does not move. */
static int32_t choose_beside(uint64_t *used, int32_t row) {
    int32_t colour = first_free(used[row]);
    used[row] |= bit_of(colour) | bit_of(colour < WIDE_COLOURS ? WIDE_COLOURS - 1 - colour : colour);
    return colour;
}

/* Whether a patch leans to the one side, seen along its normal and from a fixed direction, whichever body comes first. Bodies that lie almost centrally on each
 * other do not lean. */
static bool leans(const solver_pair *pair, abut_vec3 normal) {
    const abut_vec3 side = {0.8, 0.5, 0.33}, up = {0.31, 0.47, 0.83}; /* along no axis of a scene, most likely */
    const double central = 0.05;
    abut_vec3 between = pair->offset, aside = abut_add_scaled(between, -abut_dot(between, normal), normal);
    double way = abut_dot(aside, side);
    return way * way > central * central * abut_length_squared(between) && way * abut_dot(normal, up) < 0.0;
}

static bool is_fresh(const wide_patch *patch, const wide_contact *contacts) {
    bool fresh = true;
    for (int32_t i = patch->first; i < patch->first + patch->count && fresh; i++) {
        fresh = contacts[i].mean < 0.0;
    }
    return fresh;
}

void wide_source_look(const solver_contacts *set, wide_source *source) {
    const solver_pair *pair = &set->pairs[source->pair];
    const wide_patch *patch = &set->wide_patches[source->patch];
    source->moves_a = set->bodies[pair->a].inverse_mass > 0.0;
    source->moves_b = set->bodies[pair->b].inverse_mass > 0.0;
    source->leans = source->moves_a && source->moves_b && leans(pair, patch->normal);
    source->class = wide_class_of(patch->count);
    source->fresh = is_fresh(patch, set->wide_contacts);
}

/* Sets the keys of the sources of one kind and counts them. */
static void find_keys_of(const wide_solver *solver, const wide_group *group, bool between, int32_t counts[KEYS]) {
    for (int32_t i = group->source; i < group->source + group->source_count; i++) {
        wide_source *source = &solver->sources[i];
        if ((source->moves_a && source->moves_b) == between) {
            int32_t colour =
                between ? choose_between(solver->used, source) : choose_beside(solver->used, source->moves_a ? source->a : source->b);
            source->key = colour * WIDE_CLASSES + source->class;
            counts[source->key]++;
        }
    }
}

/* Sets the keys of all sources and counts them. */
static void find_keys(const wide_solver *solver, const wide_group *group, int32_t counts[KEYS]) {
    memset(counts, 0, KEYS * sizeof *counts);
    memset(solver->used + group->row, 0, ((size_t)group->body_count + 1) * sizeof *solver->used);
    find_keys_of(solver, group, false, counts);
    find_keys_of(solver, group, true, counts);
}

/* Some passes are for patches that guess only, so these share blocks where the order is free. */
static bool comes_first(const wide_source *source) { return source->guesses && source->key < WIDE_COLOURS * WIDE_CLASSES; }

/* Puts the sources of a group in order. next: the first place of each key */
static void place_sources(const wide_solver *solver, const wide_group *group, int32_t next[KEYS]) {
    for (int turn = 0; turn < 2; turn++) {
        for (int32_t i = group->source; i < group->source + group->source_count; i++) {
            const wide_source *source = &solver->sources[i];
            if (comes_first(source) == (turn == 0)) {
                solver->order[next[source->key]++] = i;
            }
        }
    }
}

/* The first blocks of a run, which have all patches that guess. */
static int32_t guessing_blocks(const wide_solver *solver, const wide_run *run, int32_t lanes) {
    int32_t count = 0;
    while (count < run->count && solver->sources[solver->order[run->source + count]].guesses) {
        count++;
    }
    return run->single ? run->blocks : (count + lanes - 1) / lanes;
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
    place_sources(solver, group, next);
    for (int32_t r = group->run; r < group->run + runs; r++) {
        solver->runs[r].guessing = guessing_blocks(solver, &solver->runs[r], lanes);
    }
    return runs;
}
