#pragma once

#include "world_book.h"
#include "world_op.h"

/*
 * A world that a program of calls drives, and a twin that gets the same calls and must be equal to the last bit. It may have another number of threads, and may
 * be built anew at any time, from the calls that made the bodies and a saved state.
 */

enum { RUN_BODIES = 20, RUN_JOINTS = 24, RUN_SPRINGS = 6, RUN_SAVED = 4, RUN_LOG = 96 };

/* A saved state. */
typedef struct run_saved {
    unsigned char *bytes;
    size_t size;
    world_book book;
    int32_t log_count; /* what had made the bodies until then */
} run_saved;

/* What a new world must repeat before it can take a saved state. */
typedef struct run_entry {
    op_kind kind;  /* OP_ADD_BODY, OP_REMOVE_BODY or OP_SET_SHAPE; OP_KINDS for a restored state */
    int32_t saved; /* of a restored state */
    abut_body_id body;
    abut_body_def def;
} run_entry;

typedef struct world_run {
    abut_world_def def;
    abut_world *world, *twin; /* twin: NULL for none */
    int32_t threads;          /* of the twin */
    double dt;
    bool thorough; /* calls that fail and queries are shown to change nothing */
    run_entry log[RUN_LOG];
    int32_t log_count;
    abut_shape *shapes[RUN_LOG]; /* released at the end */
    int32_t shape_count;
    abut_body_id bodies[RUN_BODIES]; /* that were ever added */
    abut_joint_id joints[RUN_JOINTS];
    abut_spring_id springs[RUN_SPRINGS];
    int32_t body_count, joint_count, spring_count;
    run_saved saved[RUN_SAVED];
    int32_t saved_count;
    world_book book; /* after the last step */
} world_run;

/* NULL in run->world when the library refused the definition. */
void run_begin(world_run *run, const abut_world_def *def, bool twin);
void run_end(world_run *run);

/* Reads a call and makes it. */
void run_call(world_run *run, bytes *in, op_kind kind);

/* One step. False when it failed. */
bool run_step(world_run *run);

/* A query. */
void run_ask(world_run *run, bytes *in);

/* Keeps the present state; goes back to one that was kept; builds the twin anew. */
void run_save(world_run *run);
void run_restore(world_run *run, int32_t which);
void run_renew(world_run *run);
