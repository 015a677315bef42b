/*
 * abut_collide_batch: splits the pairs into pieces of fixed size and spreads the pieces over threads. Each piece has its own buffer. When all pieces are done,
 * the place of every pair in the packed buffer is known and the pieces are copied there. The result of a piece does not depend on the thread that works on it.
 * Boxes that follow each other are taken together, which changes no bit.
 */

#include <abut/collide.h>

#include <string.h>

#include "base/argument.h"
#include "base/memory.h"
#include "narrow/box/collide.h"
#include "narrow/generators.h"
#include "narrow/seam/mend.h"

enum { PIECE = 32, /* pairs */ ROOM = 64 /* enough contacts for most pairs */ };

typedef struct batch_piece {
    abut_contact *contacts;
    int32_t count, capacity;
    bool out_of_memory;
} batch_piece;

typedef struct batch {
    const abut_pair *pairs;
    int32_t count;
    const abut_collide_settings *settings;
    abut_cache *caches;
    batch_piece *pieces;
    abut_pair_result *results;
    abut_contact *contacts; /* the caller's */
    int64_t capacity;
} batch;

static bool make_room(batch_piece *piece, int32_t more) {
    if (piece->capacity - piece->count >= more) {
        return true;
    }
    int64_t capacity = 2 * (int64_t)piece->capacity + (more > ROOM ? more : ROOM);
    abut_contact *larger =
        capacity <= INT32_MAX ? memory_grow(piece->contacts, (size_t)piece->count, (size_t)capacity, sizeof *larger) : NULL;
    if (larger == NULL) {
        piece->out_of_memory = true;
        return false;
    }
    piece->contacts = larger;
    piece->capacity = (int32_t)capacity;
    return true;
}

static abut_status collide_once(const batch *work, batch_piece *piece, int32_t i, int32_t *count) {
    return collide_make(&work->pairs[i], work->settings, work->caches != NULL ? &work->caches[i] : NULL, piece->contacts + piece->count,
                        piece->capacity - piece->count, count);
}

static void collide_pair_of(const batch *work, batch_piece *piece, int32_t i) {
    int32_t count = 0;
    if (!make_room(piece, ROOM)) {
        return;
    }
    abut_status status = collide_once(work, piece, i, &count);
    if (status == ABUT_ERROR_CAPACITY && make_room(piece, count)) {
        status = collide_once(work, piece, i, &count);
    }
    if (status != ABUT_OK) {
        (void)collide_refuse(status, "abut_collide_batch", i, &work->pairs[i], work->settings);
    }
    piece->out_of_memory = piece->out_of_memory || status == ABUT_ERROR_OUT_OF_MEMORY;
    work->results[i] = (abut_pair_result){.status = status, .count = status == ABUT_OK ? count : 0};
    piece->count += work->results[i].count;
}

/* ---- boxes ---- */

/* Pairs of boxes that follow each other in a piece. */
typedef struct box_group {
    int32_t first, count; /* of the pairs */
    placed_body bodies[2 * BOX_LANES];
    box_task tasks[BOX_LANES];
    abut_contact contacts[BOX_LANES][BOX_CONTACTS];
} box_group;

/* Adds the pair to those of the group. False when it is not one of boxes, or when an argument is wrong. */
static bool collect_pair(const batch *work, int32_t i, const abut_collide_settings *settings, box_group *group) {
    const abut_pair *pair = &work->pairs[i];
    if (settings == NULL || pair->a == NULL || pair->b == NULL ||
        !box_tasks_are_fit(pair->a, pair->b, settings->normal == ABUT_NORMAL_MINIMUM, settings->refine_normal)) {
        return false;
    }
    int32_t n = group->count;
    placed_body *a = &group->bodies[2 * n], *b = a + 1;
    *a = collide_place_body(pair->a, &pair->pose_a);
    *b = collide_place_body(pair->b, &pair->pose_b);
    if (!a->is_valid || !b->is_valid) {
        return false;
    }
    box_task *task = &group->tasks[n];
    box_task_set(task, a, b, settings);
    task->cache = work->caches != NULL ? &work->caches[i] : NULL;
    task->contacts = group->contacts[n];
    task->capacity = BOX_CONTACTS;
    group->first = n == 0 ? i : group->first;
    group->count = n + 1;
    return true;
}

/* The general path takes the pairs that are not decided. Its patches of boxes have no more contacts than there is room for. */
static abut_status find_generally(const abut_collide_settings *settings, box_group *group, int32_t n) {
    box_task *task = &group->tasks[n];
    const placed_body *bodies = &group->bodies[2 * n];
    return collide_generally(&bodies[0], &bodies[1], NULL, false, settings, task->cache, task->contacts, task->capacity, &task->count);
}

static void write_boxes(const batch *work, const abut_collide_settings *settings, batch_piece *piece, box_group *group, int32_t n) {
    const box_task *task = &group->tasks[n];
    abut_status status = task->decided ? ABUT_OK : find_generally(settings, group, n);
    if (status != ABUT_OK) {
        collide_pair_of(work, piece, group->first + n); /* it tells why */
        return;
    }
    if (task->count > 0 && make_room(piece, task->count)) {
        memcpy(piece->contacts + piece->count, task->contacts, (size_t)task->count * sizeof *piece->contacts);
    }
    work->results[group->first + n] = (abut_pair_result){.status = ABUT_OK, .count = piece->out_of_memory ? 0 : task->count};
    piece->count += piece->out_of_memory ? 0 : task->count;
}

static void run_boxes(const batch *work, const abut_collide_settings *settings, batch_piece *piece, box_group *group) {
    box_tasks_run(group->tasks, group->count);
    for (int32_t n = 0; n < group->count && !piece->out_of_memory; ++n) {
        write_boxes(work, settings, piece, group, n);
    }
    group->count = 0;
}

/* ---- pieces ---- */

/* The settings, when they are valid: boxes are taken with these only. */
static const abut_collide_settings *settings_for_boxes(const batch *work) {
    static const abut_collide_settings defaults = COLLIDE_DEFAULTS;
    const abut_collide_settings *settings = work->settings != NULL ? work->settings : &defaults;
    return collide_check_settings(settings) == ABUT_OK ? settings : NULL;
}

static void collide_pieces(void *argument, int32_t begin, int32_t end) {
    const batch *work = argument;
    const abut_collide_settings *settings = settings_for_boxes(work);
    box_group group;
    group.count = 0;
    for (int32_t p = begin; p < end; ++p) {
        batch_piece *piece = &work->pieces[p];
        int32_t last = work->count - p * PIECE < PIECE ? work->count : (p + 1) * PIECE;
        for (int32_t i = p * PIECE; i < last && !piece->out_of_memory; ++i) {
            bool taken = collect_pair(work, i, settings, &group);
            if (!taken || group.count == BOX_LANES) {
                run_boxes(work, settings, piece, &group);
            }
            if (!taken && !piece->out_of_memory) {
                collide_pair_of(work, piece, i);
            }
        }
        run_boxes(work, settings, piece, &group);
    }
}

static void copy_pieces(void *argument, int32_t begin, int32_t end) {
    const batch *work = argument;
    for (int32_t p = begin; p < end; ++p) {
        const batch_piece *piece = &work->pieces[p];
        int64_t first = work->results[p * PIECE].first, room = work->capacity - first;
        int64_t count = piece->count < room ? piece->count : room;
        if (count > 0) {
            memcpy(work->contacts + first, piece->contacts, (size_t)count * sizeof *work->contacts);
        }
    }
}

/* Finds every pair's place in the packed buffer. Returns the number of contacts, or -1 when a piece ran out of memory. */
static int64_t place_all(const batch *work, int32_t pieces) {
    int64_t next = 0;
    for (int32_t p = 0; p < pieces; ++p) {
        if (work->pieces[p].out_of_memory) {
            return -1;
        }
    }
    for (int32_t i = 0; i < work->count; ++i) {
        work->results[i].first = next;
        next += work->results[i].count;
    }
    return next;
}

static abut_status run(batch *work, const abut_parallel *parallel, int64_t *needed, abut_pair_result *results) {
    int32_t pieces = (work->count - 1) / PIECE + 1;
    work->pieces = memory_allocate((size_t)pieces, sizeof *work->pieces);
    work->results = memory_allocate((size_t)work->count, sizeof *work->results);
    int64_t total = -1;
    if (work->pieces != NULL && work->results != NULL) {
        abut_parallel_for(parallel, pieces, 1, collide_pieces, work);
        total = place_all(work, pieces);
    }
    if (total >= 0) {
        abut_parallel_for(parallel, pieces, 8, copy_pieces, work);
        memcpy(results, work->results, (size_t)work->count * sizeof *results);
        *needed = total;
    }
    for (int32_t p = 0; work->pieces != NULL && p < pieces; ++p) {
        memory_release(work->pieces[p].contacts);
    }
    memory_release(work->pieces);
    memory_release(work->results);
    return total < 0 ? ABUT_ERROR_OUT_OF_MEMORY : total > work->capacity ? ABUT_ERROR_CAPACITY : ABUT_OK;
}

abut_status abut_collide_batch(const abut_pair *pairs, int32_t count, const abut_collide_settings *settings, abut_cache *caches,
                               const abut_parallel *parallel, abut_contact *contacts, int64_t capacity, int64_t *needed,
                               abut_pair_result *results) {
    if (argument_is_null(CALL_NAME, "needed", needed)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    *needed = 0;
    if (argument_is_below(CALL_NAME, "count", count, 0) || argument_is_no_buffer(CALL_NAME, "contacts", contacts, capacity) ||
        (count > 0 && (argument_is_null(CALL_NAME, "pairs", pairs) || argument_is_null(CALL_NAME, "results", results)))) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (count == 0) {
        return ABUT_OK;
    }
    batch work = {.pairs = pairs, .count = count, .settings = settings, .caches = caches, .contacts = contacts, .capacity = capacity};
    return run(&work, parallel, needed, results);
}
