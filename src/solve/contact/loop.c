/* Loops over the chunks of the schedule. */
#include "solve/contact/loop.h"

/* Bodies per chunk. */
enum { BODIES = 256 };

typedef struct loop {
    const solver_schedule *schedule;
    solver_piece *piece;
    void *argument;
    int32_t first; /* chunk */
    int32_t count; /* bodies */
} loop;

static void run_chunks(void *argument, int32_t begin, int32_t end) {
    const loop *l = argument;
    const int32_t *chunks = l->schedule->chunks + l->first;
    for (int32_t i = begin; i < end; i++) {
        l->piece(l->argument, (solver_range){l->first + i, chunks[i], chunks[i + 1]});
    }
}

static void run_turns(void *argument, int32_t begin, int32_t end) {
    const loop *l = argument;
    const int32_t *chunks = l->schedule->chunks;
    for (int32_t i = begin; i < end; i++) {
        int32_t chunk = l->schedule->turns[i];
        l->piece(l->argument, (solver_range){chunk, chunks[chunk], chunks[chunk + 1]});
    }
}

void solver_each_pair(const solver_contacts *set, solver_piece *piece, void *argument) {
    const solver_schedule *schedule = set->schedule;
    if (schedule == NULL) {
        piece(argument, (solver_range){0, 0, set->pair_count});
        return;
    }
    loop l = {.schedule = schedule, .piece = piece, .argument = argument};
    abut_parallel_for(schedule->parallel, schedule->chunk_count, 1, run_turns, &l);
}

void solver_each_colour(const solver_contacts *set, bool backward, solver_piece *piece, void *argument) {
    const solver_schedule *schedule = set->schedule;
    if (schedule == NULL) {
        piece(argument, (solver_range){0, 0, set->pair_count});
        return;
    }
    for (int32_t i = 0; i < schedule->colour_count; i++) {
        int32_t colour = backward ? schedule->colour_count - 1 - i : i;
        loop l = {.schedule = schedule, .piece = piece, .argument = argument, .first = schedule->colours[colour]};
        abut_parallel_for(schedule->parallel, schedule->colours[colour + 1] - l.first, 1, run_chunks, &l);
    }
}

static void run_bodies(void *argument, int32_t begin, int32_t end) {
    const loop *l = argument;
    for (int32_t i = begin; i < end; i++) {
        int32_t first = BODIES * i, rest = l->count - first;
        l->piece(l->argument, (solver_range){i, first, first + (rest > BODIES ? BODIES : rest)});
    }
}

void solver_each_body(const solver_contacts *set, solver_piece *piece, void *argument) {
    if (set->schedule == NULL) {
        piece(argument, (solver_range){0, 0, set->body_count});
        return;
    }
    loop l = {.piece = piece, .argument = argument, .count = set->body_count};
    abut_parallel_for(set->schedule->parallel, set->body_count / BODIES + 1, 1, run_bodies, &l);
}

solver_progress solver_all_progress(const solver_contacts *set, const solver_progress *one) {
    if (set->schedule == NULL) {
        return *one;
    }
    solver_progress all = {0.0, 0.0};
    for (int32_t i = 0; i < set->schedule->chunk_count; i++) {
        all.largest = real_max(all.largest, set->schedule->progress[i].largest);
        all.energy += set->schedule->progress[i].energy;
    }
    return all;
}
