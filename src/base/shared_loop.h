#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <abut/base.h>

/*
 * Loops that several threads run together. The owner, the thread that called the loop, opens it and takes part; helpers join it. Threads
 * take pieces one at a time, so a helper that comes late, or never, leaves its pieces to the others. At the end the owner closes the loop
 * and waits for helpers that are still inside, and for no others.
 */

typedef struct loop_work {
    abut_task *task;
    void *argument;
    int32_t count, grain; /* at least 1 */
} loop_work;

typedef struct shared_loop shared_loop;

enum { SHARED_LOOP_HELPERS = 255 };

/* ---- the owner ---- */

/* Opens a loop to at most this number of helpers (1 to SHARED_LOOP_HELPERS). NULL if other threads have too many loops open. */
shared_loop *shared_loop_open(const loop_work *work, int32_t helpers);

/* True while helpers are inside, after the owner's shared_loop_run(). */
bool shared_loop_is_helped(const shared_loop *loop);

/* Asks the helpers inside to tell the owner when the last one leaves. False if none is inside. */
bool shared_loop_await(shared_loop *loop);

/* Gives the loop back, when no helper is inside. */
void shared_loop_end(shared_loop *loop);

/* ---- helpers ---- */

/* True if a loop wants a helper. */
bool shared_loop_is_any_open(void);

/* Joins a loop that wants a helper, unless its owner was on this processor when it opened the loop: two threads on one processor are not
 * faster than one. `crowded` tells of such a loop. NULL if there is no other. A negative processor is none. */
shared_loop *shared_loop_join(int32_t processor, bool *crowded);

/* True if the owner waits for the helpers inside. */
bool shared_loop_is_awaited(const shared_loop *loop);

/* Leaves the loop. True if the owner must be told. */
bool shared_loop_leave(shared_loop *loop);

/* ---- both ---- */

/* Runs pieces until none is left, and closes the loop: no more helpers join. Participants with different numbers begin at different places;
 * the owner has number 0. */
void shared_loop_run(shared_loop *loop, int32_t participant);

/* Forgets all loops, in a child after fork(), where no other thread lives. */
void shared_loop_forget_all(void);
