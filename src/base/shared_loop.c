/* The state of a loop is one word: the helpers inside, and the seats for more. A helper takes a seat by compare and exchange, so it joins
 * only loops that are open at that moment. Places of loops are static: a helper may look at a place at any time, also after its loop ended. */
#include "base/shared_loop.h"

#ifdef ABUT_WITH_THREADS

#include <fenv.h>
#include <stdatomic.h>

#include "base/processors.h"

/* PLACES: loops open at the same time. Each participant begins with its share of the indices and then takes pieces of other shares, so the
 * same thread mostly gets the same indices of loops that follow each other, and has their data in its cache. PIECES: at most this number of
 * pieces in a share, unless pieces have one grain. */
enum { PLACES = 8, SHARES = 64, PIECES = 32 };

/* Parts of a state. */
static const uint32_t HELPER = 1, HELPERS = 0x3ff, SEAT = 0x400, SEATS = 0xffc00, AWAITED = 1u << 20, TAKEN = 1u << 21;

/* The pieces begin <= i < end that are left of a share, in one word: begin, and end in the upper half. */
typedef struct share {
    _Alignas(64) _Atomic uint64_t left; /* a cache line of its own */
} share;

struct shared_loop {
    atomic_uint *state;
    atomic_int processor; /* of the owner */
    loop_work work;
    fenv_t environment; /* of the owner: rounding of floating-point numbers */
    int32_t piece;      /* indices in a piece */
    int32_t share_count;
    share shares[SHARES];
};

/* Helpers look at all states, so they are in one cache line. */
static _Alignas(64) atomic_uint states[PLACES];
static shared_loop places[PLACES];

static int32_t quotient_up(int32_t a, int32_t b) { return a / b + (a % b != 0); }

static void cut(shared_loop *loop, int32_t participants) {
    loop->share_count = participants < SHARES ? participants : SHARES;
    int32_t grains = quotient_up(loop->work.count, loop->work.grain);
    int32_t together = quotient_up(grains, loop->share_count * PIECES);
    int32_t pieces = quotient_up(grains, together);
    int64_t indices = (int64_t)together * loop->work.grain;
    loop->piece = indices < loop->work.count ? (int32_t)indices : loop->work.count;
    for (int32_t i = 0; i < loop->share_count; i++) {
        uint64_t begin = (uint64_t)pieces * (uint64_t)i / (uint64_t)loop->share_count;
        uint64_t end = (uint64_t)pieces * (uint64_t)(i + 1) / (uint64_t)loop->share_count;
        atomic_store_explicit(&loop->shares[i].left, begin | end << 32, memory_order_relaxed);
    }
}

static shared_loop *take_place(void) {
    for (int32_t i = 0; i < PLACES; i++) {
        uint32_t free = 0;
        if (atomic_load_explicit(&states[i], memory_order_relaxed) == 0 && atomic_compare_exchange_strong(&states[i], &free, TAKEN)) {
            places[i].state = &states[i];
            return &places[i];
        }
    }
    return NULL;
}

shared_loop *shared_loop_open(const loop_work *work, int32_t helpers) {
    shared_loop *loop = take_place();
    if (loop != NULL) {
        loop->work = *work;
        atomic_store_explicit(&loop->processor, processors_current(), memory_order_relaxed);
        (void)fegetenv(&loop->environment);
        cut(loop, helpers + 1);
        /* Sequentially consistent: a helper that goes to sleep sees the open loop, or the owner sees that the helper sleeps. */
        atomic_store(loop->state, TAKEN | (uint32_t)helpers * SEAT);
    }
    return loop;
}

bool shared_loop_is_helped(const shared_loop *loop) { return (atomic_load_explicit(loop->state, memory_order_acquire) & HELPERS) != 0; }

bool shared_loop_await(shared_loop *loop) { return (atomic_fetch_or_explicit(loop->state, AWAITED, memory_order_acq_rel) & HELPERS) != 0; }

void shared_loop_end(shared_loop *loop) { atomic_store_explicit(loop->state, 0, memory_order_release); }

bool shared_loop_is_any_open(void) {
    for (int32_t i = 0; i < PLACES; i++) {
        if ((atomic_load(&states[i]) & SEATS) != 0) {
            return true;
        }
    }
    return false;
}

static bool take_seat(atomic_uint *state) {
    uint32_t seen = atomic_load_explicit(state, memory_order_relaxed);
    while ((seen & SEATS) != 0) {
        if (atomic_compare_exchange_weak_explicit(state, &seen, seen - SEAT + HELPER, memory_order_acq_rel, memory_order_relaxed)) {
            return true;
        }
    }
    return false;
}

shared_loop *shared_loop_join(int32_t processor, bool *crowded) {
    *crowded = false;
    for (int32_t i = 0; i < PLACES; i++) {
        if ((atomic_load_explicit(&states[i], memory_order_relaxed) & SEATS) == 0) {
            continue;
        }
        if (processor >= 0 && atomic_load_explicit(&places[i].processor, memory_order_relaxed) == processor) {
            *crowded = true;
        } else if (take_seat(&states[i])) {
            (void)fesetenv(&places[i].environment);
            return &places[i];
        }
    }
    return NULL;
}

bool shared_loop_is_awaited(const shared_loop *loop) { return (atomic_load_explicit(loop->state, memory_order_relaxed) & AWAITED) != 0; }

bool shared_loop_leave(shared_loop *loop) {
    uint32_t before = atomic_fetch_sub_explicit(loop->state, HELPER, memory_order_acq_rel);
    return (before & AWAITED) != 0 && (before & HELPERS) == HELPER;
}

/* Takes the first or the last piece of what is left. */
static bool take_piece(share *from, bool last, int32_t *piece) {
    const uint64_t one = 1;
    uint64_t left = atomic_load_explicit(&from->left, memory_order_relaxed), rest;
    do {
        uint64_t begin = left & UINT32_MAX, end = left >> 32;
        if (begin >= end) {
            return false;
        }
        *piece = (int32_t)(last ? end - 1 : begin);
        rest = last ? left - (one << 32) : left + 1;
    } while (!atomic_compare_exchange_weak_explicit(&from->left, &left, rest, memory_order_relaxed, memory_order_relaxed));
    return true;
}

static void run_piece(const shared_loop *loop, int32_t piece) {
    int32_t begin = piece * loop->piece, rest = loop->work.count - begin;
    loop->work.task(loop->work.argument, begin, begin + (rest < loop->piece ? rest : loop->piece));
}

/* Runs what is left of a share. Even shares are run upward by their owners and odd ones downward, and by all others the other way. Two
 * neighbours therefore meet at the boundary of their shares, and the pieces that now one and now the other runs are few. */
static void run_share(shared_loop *loop, int32_t at, int32_t own) {
    bool last = (at % 2 != 0) == (at == own);
    int32_t piece;
    while (take_piece(&loop->shares[at], last, &piece)) {
        run_piece(loop, piece);
    }
}

void shared_loop_run(shared_loop *loop, int32_t participant) {
    int32_t own = participant % loop->share_count, neighbour = own ^ 1;
    run_share(loop, own, own);
    if (neighbour < loop->share_count) {
        run_share(loop, neighbour, own);
    }
    for (int32_t i = 1; i < loop->share_count; i++) {
        run_share(loop, (own + i) % loop->share_count, own);
    }
    atomic_fetch_and_explicit(loop->state, ~SEATS, memory_order_acq_rel);
}

void shared_loop_forget_all(void) {
    for (int32_t i = 0; i < PLACES; i++) {
        atomic_store(&states[i], 0);
    }
}

#endif
