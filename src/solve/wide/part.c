/* Parts of a group's loops: see part.h. */
#include "solve/wide/part.h"

/* A part of a pass takes about a microsecond. Whole vectors of bodies are in one part. */
enum { BLOCKS = 16, BODIES = 64 };

typedef struct block_loop {
    const wide_task *task;
    int32_t run, run_end;
    wide_block_piece *piece;
    const void *argument;
} block_loop;

static int32_t smaller(int32_t a, int32_t b) { return a < b ? a : b; }

/* Blocks of single patches may share bodies, so they keep their order. */
static int32_t parts_of(const wide_run *run) { return run->single ? 1 : (run->blocks + BLOCKS - 1) / BLOCKS; }

static void run_blocks(void *argument, int32_t begin, int32_t end) {
    const block_loop *l = argument;
    int32_t first = 0; /* part of the run */
    for (int32_t r = l->run; r < l->run_end && first < end; r++) {
        const wide_run *run = &l->task->solver->runs[r];
        int32_t next = first + parts_of(run);
        for (int32_t i = begin > first ? begin : first; i < smaller(end, next); i++) {
            int32_t block = BLOCKS * (i - first);
            l->piece(l->task, (wide_part){r, block, run->single ? run->blocks : smaller(block + BLOCKS, run->blocks)}, l->argument);
        }
        first = next;
    }
}

static void each_of_runs(const block_loop *loop) {
    block_loop l = *loop;
    int32_t count = 0;
    for (int32_t r = l.run; r < l.run_end; r++) {
        count += parts_of(&l.task->solver->runs[r]);
    }
    if (l.task->parallel == NULL) {
        run_blocks(&l, 0, count);
    } else {
        abut_parallel_for(l.task->parallel, count, 1, run_blocks, &l);
    }
}

void wide_each_block(const wide_task *task, wide_block_piece *piece, const void *argument) {
    const wide_group *group = task->group;
    each_of_runs(&(block_loop){task, group->run, group->run + group->run_count, piece, argument});
}

void wide_each_colour(const wide_task *task, wide_block_piece *piece, const void *argument) {
    const wide_run *runs = task->solver->runs;
    int32_t last = task->group->run + task->group->run_count;
    for (int32_t run = task->group->run, end; run < last; run = end) {
        for (end = run + 1; end < last && runs[end].colour == runs[run].colour && !runs[run].single;) {
            end++;
        }
        each_of_runs(&(block_loop){task, run, end, piece, argument});
    }
}

typedef struct body_loop {
    const wide_task *task;
    wide_body_piece *piece;
    const void *argument;
} body_loop;

static void run_bodies(void *argument, int32_t begin, int32_t end) {
    const body_loop *l = argument;
    int32_t count = l->task->group->body_count;
    for (int32_t i = begin; i < end; i++) {
        l->piece(l->task, (wide_bodies){BODIES * i, smaller(BODIES * (i + 1), count)}, l->argument);
    }
}

void wide_each_body(const wide_task *task, wide_body_piece *piece, const void *argument) {
    body_loop l = {task, piece, argument};
    int32_t parts = (task->group->body_count + BODIES - 1) / BODIES;
    if (task->parallel == NULL) {
        piece(task, (wide_bodies){0, task->group->body_count}, argument);
    } else {
        abut_parallel_for(task->parallel, parts, 1, run_bodies, &l);
    }
}
