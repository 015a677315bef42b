/*
 * abut_collide_batch: splits the pairs into pieces of fixed size and spreads the pieces over threads, in rounds. When all pieces of a round are done, the place
 * of every pair in the packed buffer is known and the pieces are copied there. Where the same thread does all earlier pieces of the round, that place is known
 * at once, and the piece is written there. Each other piece has a buffer. The next round uses the same buffers: they stay in the cache, and the system gives
 * their memory once. The result of a piece does not depend on the thread that works on it.
 * Boxes that follow each other are taken together, and so are spheres, which changes no bit. Bodies are posed shapes, or placed by the caller.
 */

#include <abut/collide.h>

#include <stdio.h>
#include <string.h>

#include "base/argument.h"
#include "base/bits.h"
#include "base/memory.h"
#include "narrow/box/collide.h"
#include "narrow/generators.h"
#include "narrow/round/ball_group.h"
#include "narrow/seam/mend.h"

enum { PIECE = 16, /* pairs */ ROUND = 64, /* pieces */ ROOM = 64 /* enough contacts for most pairs */ };

typedef struct batch_piece {
    abut_contact *contacts; /* its buffer, or its place in the caller's */
    int32_t count, capacity;
    abut_contact *buffer; /* [buffer_capacity]; NULL until it is needed */
    int32_t buffer_capacity;
    bool out_of_memory;
} batch_piece;

typedef struct batch {
    const char *call;
    const abut_pair *pairs; /* [count]; NULL: the pairs are those of bodies that the caller placed */
    const abut_placed *bodies;
    int32_t body_count;
    const abut_placed_pair *placed; /* [count]; NULL when there are `pairs` */
    int32_t count;
    const abut_collide_settings *settings;
    abut_cache *caches;
    batch_piece pieces[ROUND];
    int32_t first_piece; /* of the round */
    int64_t found;       /* contacts of earlier rounds, and of this one when its pieces are placed */
    abut_pair_result *results;
    abut_contact *contacts; /* the caller's */
    int64_t capacity;
} batch;

/* Makes the buffer of a piece larger, and lets the piece use it. */
static bool use_buffer(batch_piece *piece, int64_t capacity) {
    bool in_place = piece->contacts != piece->buffer;
    if (capacity > piece->buffer_capacity) {
        size_t kept = in_place ? 0 : (size_t)piece->count;
        abut_contact *larger = capacity <= INT32_MAX ? memory_extend(piece->buffer, kept, (size_t)capacity, sizeof *larger) : NULL;
        if (larger == NULL) {
            piece->out_of_memory = true;
            return false;
        }
        piece->buffer = larger;
        piece->buffer_capacity = (int32_t)capacity;
    }
    if (in_place && piece->count > 0) {
        memcpy(piece->buffer, piece->contacts, (size_t)piece->count * sizeof *piece->buffer);
    }
    piece->contacts = piece->buffer;
    piece->capacity = piece->buffer_capacity;
    return true;
}

static bool make_room(batch_piece *piece, int32_t more) {
    return piece->capacity - piece->count >= more || use_buffer(piece, 2 * (int64_t)piece->count + (more > ROOM ? more : ROOM));
}

/* ---- bodies ---- */

/* A body that the caller placed. NULL when the index is none. */
static const abut_placed *body_of(const batch *work, int32_t index) {
    return (uint32_t)index < (uint32_t)work->body_count ? &work->bodies[index] : NULL;
}

static const abut_placed *placed_a(const batch *work, int32_t i) { return body_of(work, work->placed[i].a); }

static const abut_placed *placed_b(const batch *work, int32_t i) { return body_of(work, work->placed[i].b); }

static void tell(const batch *work, abut_status status, int32_t i) {
    if (work->pairs != NULL) {
        (void)collide_refuse(status, work->call, i, &work->pairs[i], work->settings);
        return;
    }
    const abut_placed *a = placed_a(work, i), *b = placed_b(work, i);
    char name[32];
    (void)snprintf(name, sizeof name, "pairs[%d].%s", (int)i, a == NULL ? "a" : "b");
    if (a == NULL || b == NULL) {
        (void)refused_index(work->call, name, a == NULL ? work->placed[i].a : work->placed[i].b, work->body_count);
        return;
    }
    (void)collide_refuse_placed(status, work->call, i, a, b, work->settings);
}

/* ---- one pair ---- */

static abut_status collide_once(const batch *work, batch_piece *piece, int32_t i, int32_t *count) {
    abut_cache *cache = work->caches != NULL ? &work->caches[i] : NULL;
    abut_contact *contacts = piece->contacts + piece->count;
    int32_t room = piece->capacity - piece->count;
    if (work->pairs != NULL) {
        return collide_make(&work->pairs[i], work->settings, cache, contacts, room, count);
    }
    const abut_placed *a = placed_a(work, i), *b = placed_b(work, i);
    return collide_are_placed(a, b) ? collide_beside(a, b, NULL, false, work->settings, cache, contacts, room, count)
                                    : ABUT_ERROR_INVALID_ARGUMENT;
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
        tell(work, status, i);
    }
    piece->out_of_memory = piece->out_of_memory || status == ABUT_ERROR_OUT_OF_MEMORY;
    work->results[i] = (abut_pair_result){.status = status, .count = status == ABUT_OK ? count : 0};
    piece->count += work->results[i].count;
}

/* ---- boxes ---- */

/* Pairs of boxes that follow each other in a piece. */
typedef struct box_group {
    int32_t first, count;           /* of the pairs */
    abut_placed own[2 * BOX_LANES]; /* of posed shapes */
    const abut_placed *bodies[2 * BOX_LANES];
    box_terms terms;
    box_task tasks[BOX_LANES];
    box_answers answers;
} box_group;

static void begin_boxes(const abut_collide_settings *settings, box_group *group) {
    group->terms = box_terms_of(settings);
    for (int32_t n = 0; n < BOX_LANES; ++n) {
        group->tasks[n].terms = &group->terms;
        group->tasks[n].cache = NULL;
    }
}

static bool are_fit(const abut_shape *a, const abut_shape *b, const abut_collide_settings *settings) {
    return box_tasks_are_fit(a, b, settings->normal == ABUT_NORMAL_MINIMUM, settings->refine_normal);
}

/* Finds the two bodies of a pair of boxes, and places them when the caller has not. False for other pairs and when an argument is wrong. */
static bool find_boxes(const batch *work, int32_t i, const abut_collide_settings *settings, abut_placed own[2],
                       const abut_placed *bodies[2]) {
    if (work->pairs == NULL) {
        const abut_placed *a = placed_a(work, i), *b = placed_b(work, i);
        bodies[0] = a;
        bodies[1] = b;
        return collide_are_placed(a, b) && are_fit(a->shape, b->shape, settings);
    }
    const abut_pair *pair = &work->pairs[i];
    if (pair->a == NULL || pair->b == NULL || !are_fit(pair->a, pair->b, settings)) {
        return false;
    }
    own[0] = collide_place_body(pair->a, &pair->pose_a);
    own[1] = collide_place_body(pair->b, &pair->pose_b);
    bodies[0] = &own[0];
    bodies[1] = &own[1];
    return own[0].is_valid && own[1].is_valid;
}

/* Adds the pair to those of the group. False when it is not one of boxes, or when an argument is wrong. */
static bool collect_boxes(const batch *work, int32_t i, const abut_collide_settings *settings, box_group *group) {
    int32_t n = group->count;
    const abut_placed **bodies = &group->bodies[2 * n];
    if (!find_boxes(work, i, settings, &group->own[2 * n], bodies)) {
        return false;
    }
    box_task_place(&group->tasks[n], bodies[0], bodies[1]);
    if (work->caches != NULL) {
        group->tasks[n].cache = &work->caches[i];
    }
    group->count = n + 1;
    return true;
}

/* The general path takes the pairs that are not decided. Its patches of boxes have no more contacts than there is room for. */
static abut_status finish_boxes(const abut_collide_settings *settings, box_group *group, int32_t n, box_task *task) {
    box_task_finish(&group->answers, n, task);
    return task->decided ? ABUT_OK
                         : collide_generally(group->bodies[2 * n], group->bodies[2 * n + 1], NULL, false, settings, task->cache,
                                             task->contacts, task->capacity, &task->count);
}

/* A pair that may have contacts. */
static void write_boxes(const batch *work, const abut_collide_settings *settings, batch_piece *piece, box_group *group, int32_t n) {
    box_task *task = &group->tasks[n];
    if (!make_room(piece, BOX_CONTACTS)) {
        return;
    }
    task->contacts = piece->contacts + piece->count;
    task->capacity = piece->capacity - piece->count;
    if (finish_boxes(settings, group, n, task) != ABUT_OK) {
        collide_pair_of(work, piece, group->first + n); /* it tells why */
        return;
    }
    work->results[group->first + n] = (abut_pair_result){.status = ABUT_OK, .count = task->count};
    piece->count += task->count;
}

static void run_boxes(const batch *work, const abut_collide_settings *settings, batch_piece *piece, box_group *group) {
    box_tasks_find(group->tasks, group->count, &group->answers);
    for (int32_t n = 0; n < group->count && !piece->out_of_memory; ++n) {
        if (work->caches == NULL && box_tasks_are_apart(&group->answers, n)) {
            work->results[group->first + n] = (abut_pair_result){.status = ABUT_OK};
        } else {
            write_boxes(work, settings, piece, group, n);
        }
    }
}

/* ---- spheres ---- */

/* Pairs of spheres that follow each other in a piece. */
typedef struct sphere_group {
    int32_t first; /* of the pairs */
    ball_group balls;
} sphere_group;

/* Adds a pair to those of the group. False when it is not one of spheres. */
static inline bool collect_spheres(const batch *work, int32_t i, sphere_group *group) {
    if (work->pairs != NULL) {
        const abut_pair *pair = &work->pairs[i];
        if (pair->a == NULL || pair->b == NULL || !ball_group_takes(pair->a, pair->b)) {
            return false;
        }
        ball_group_add(&group->balls, pair->a, &pair->pose_a, pair->b, &pair->pose_b);
        return true;
    }
    const abut_placed *a = placed_a(work, i), *b = placed_b(work, i);
    if (!collide_are_placed(a, b) || !ball_group_takes(a->shape, b->shape)) {
        return false;
    }
    ball_group_add(&group->balls, a->shape, &a->pose, b->shape, &b->pose);
    return true;
}

/* Writes what is known of the pairs, whose contacts are in place. */
static void write_spheres(const batch *work, batch_piece *piece, const sphere_group *group) {
    const int32_t count = group->balls.block.count;
    const unsigned touching = group->balls.answers.touching;
    abut_pair_result *results = work->results + group->first;
    for (int32_t n = 0; n < count; ++n) {
        results[n] = (abut_pair_result){.status = ABUT_OK, .count = touching >> n & 1u};
    }
    for (int32_t n = 0; n < count && work->caches != NULL; ++n) {
        ball_group_remember(&group->balls, n, &work->caches[group->first + n]);
    }
    piece->count += bits_count(touching);
}

/* The same where some pairs are not decided: they are asked alone, and their contacts come between the others. */
static void write_some_spheres(const batch *work, batch_piece *piece, const sphere_group *group) {
    const ball_answers *answers = &group->balls.answers;
    const int32_t first = piece->count, count = group->balls.block.count;
    abut_contact found[BALL_LANES], *next = found;
    memcpy((void *)found, piece->contacts + first, (size_t)bits_count(answers->touching) * sizeof *found);
    for (int32_t n = 0; n < count && !piece->out_of_memory; ++n) {
        const int32_t i = group->first + n;
        if ((answers->undecided >> n & 1u) != 0u) {
            collide_pair_of(work, piece, i);
            continue;
        }
        int32_t contacts = answers->touching >> n & 1u;
        if (contacts > 0 && make_room(piece, 1)) {
            piece->contacts[piece->count++] = *next++;
        }
        if (work->caches != NULL) {
            ball_group_remember(&group->balls, n, &work->caches[i]);
        }
        work->results[i] = (abut_pair_result){.status = ABUT_OK, .count = contacts};
    }
}

static void run_spheres(const batch *work, batch_piece *piece, sphere_group *group) {
    if (!make_room(piece, group->balls.block.count)) {
        return;
    }
    ball_group_run(&group->balls, piece->contacts + piece->count);
    if (group->balls.answers.undecided == 0u) {
        write_spheres(work, piece, group);
    } else {
        write_some_spheres(work, piece, group);
    }
}

/* ---- pieces ---- */

/* The settings, when they are valid: groups are taken with these only. */
static const abut_collide_settings *settings_for_groups(const batch *work) {
    static const abut_collide_settings defaults = COLLIDE_DEFAULTS;
    const abut_collide_settings *settings = work->settings != NULL ? work->settings : &defaults;
    return collide_check_settings(settings) == ABUT_OK ? settings : NULL;
}

/* The pairs of a piece of the round: up to the first one of the next piece. */
static int32_t first_pair(const batch *work, int32_t p) {
    int64_t first = (int64_t)(work->first_piece + p) * PIECE;
    return first < work->count ? (int32_t)first : work->count;
}

/* place: of the piece in the caller's buffer; -1 when it is not known yet. */
static void begin_piece(const batch *work, int64_t place, batch_piece *piece) {
    int64_t room = place >= 0 ? work->capacity - place : 0;
    bool in_place = room > 0;
    piece->contacts = in_place ? work->contacts + place : piece->buffer;
    piece->capacity = !in_place ? piece->buffer_capacity : room < INT32_MAX ? (int32_t)room : INT32_MAX;
    piece->count = 0;
}

typedef struct batch_groups {
    box_group boxes;
    sphere_group spheres;
} batch_groups;

static const abut_shape *shape_of(const batch *work, int32_t i, bool second) {
    const abut_placed *body = work->pairs != NULL ? NULL : second ? placed_b(work, i) : placed_a(work, i);
    return work->pairs == NULL ? (body != NULL ? body->shape : NULL) : second ? work->pairs[i].b : work->pairs[i].a;
}

/* Prefetches the first line of the shapes of a piece. They lie anywhere in memory. */
static void fetch_shapes(const batch *work, int32_t p) {
    for (int32_t i = first_pair(work, p), last = first_pair(work, p + 1); i < last; ++i) {
        for (int k = 0; k < 2; ++k) {
            const abut_shape *shape = shape_of(work, i, k != 0);
            if (shape != NULL) {
                memory_fetch(shape, 1);
            }
        }
    }
}

/* Prefetches what the contacts of two polytopes read first. */
static void fetch_surfaces(const batch *work, int32_t i) {
    const abut_shape *a = shape_of(work, i, false), *b = shape_of(work, i, true);
    if (a != NULL && b != NULL && a->kind == ABUT_SHAPE_POLYTOPE && b->kind == ABUT_SHAPE_POLYTOPE) {
        polytope_fetch_lanes(&a->surface);
        polytope_fetch_lanes(&b->surface);
    }
}

/* The kind of shape A; a plane, which no group takes, where there is none. */
static inline abut_kind kind_of(const batch *work, int32_t i) {
    const abut_shape *shape = shape_of(work, i, false);
    return shape != NULL ? shape->kind : ABUT_SHAPE_PLANE;
}

/* Takes the pairs from one on that belong together, so that the contacts stay in order. Returns the first one after them. */
static int32_t take_pairs(const batch *work, int32_t i, int32_t last, const abut_collide_settings *settings, batch_groups *groups,
                          batch_piece *piece) {
    int32_t first = i;
    switch (settings != NULL ? kind_of(work, i) : ABUT_SHAPE_PLANE) {
    case ABUT_SHAPE_SPHERE:
        groups->spheres.first = i;
        groups->spheres.balls.block.count = 0;
        while (i < last && i < first + BALL_LANES && collect_spheres(work, i, &groups->spheres)) {
            ++i;
        }
        if (i > first) {
            run_spheres(work, piece, &groups->spheres);
        }
        break;
    case ABUT_SHAPE_BOX:
        groups->boxes.first = i;
        groups->boxes.count = 0;
        while (i < last && i < first + BOX_LANES && collect_boxes(work, i, settings, &groups->boxes)) {
            ++i;
        }
        if (i > first) {
            run_boxes(work, settings, piece, &groups->boxes);
        }
        break;
    default:
        break;
    }
    if (i == first) {
        if (i + 1 < last) {
            fetch_surfaces(work, i + 1);
        }
        collide_pair_of(work, piece, i++);
    }
    return i;
}

static void collide_piece(const batch *work, int32_t p, const abut_collide_settings *settings, batch_groups *groups, batch_piece *piece) {
    int32_t last = first_pair(work, p + 1);
    fetch_shapes(work, p + 1);
    for (int32_t i = first_pair(work, p); i < last && !piece->out_of_memory;) {
        i = take_pairs(work, i, last, settings, groups, piece);
    }
}

static void collide_pieces(void *argument, int32_t begin, int32_t end) {
    batch *work = argument;
    const abut_collide_settings *settings = settings_for_groups(work);
    batch_groups groups;
    if (settings != NULL) {
        begin_boxes(settings, &groups.boxes);
        ball_group_begin(&groups.spheres.balls, settings->margin, work->caches != NULL);
    }
    int64_t place = begin == 0 ? work->found : -1;
    for (int32_t p = begin; p < end; ++p) {
        batch_piece *piece = &work->pieces[p];
        begin_piece(work, place, piece);
        collide_piece(work, p, settings, &groups, piece);
        place = place >= 0 ? place + piece->count : -1;
    }
}

static void copy_pieces(void *argument, int32_t begin, int32_t end) {
    const batch *work = argument;
    for (int32_t p = begin; p < end; ++p) {
        const batch_piece *piece = &work->pieces[p];
        int64_t first = work->results[first_pair(work, p)].first, room = work->capacity - first;
        int64_t count = piece->count < room ? piece->count : room;
        if (count > 0 && piece->contacts == piece->buffer) {
            memcpy(work->contacts + first, piece->contacts, (size_t)count * sizeof *work->contacts);
        }
    }
}

/* Finds the place of every pair of the round in the packed buffer. False when a piece ran out of memory. */
static bool place_round(batch *work, int32_t pieces) {
    for (int32_t p = 0; p < pieces; ++p) {
        if (work->pieces[p].out_of_memory) {
            return false;
        }
    }
    for (int32_t i = first_pair(work, 0), last = first_pair(work, pieces); i < last; ++i) {
        work->results[i].first = work->found;
        work->found += work->results[i].count;
    }
    return true;
}

/* False when memory ran out. */
static bool run_rounds(batch *work, const abut_parallel *parallel) {
    int32_t all = (work->count - 1) / PIECE + 1;
    for (work->first_piece = 0; work->first_piece < all; work->first_piece += ROUND) {
        int32_t pieces = all - work->first_piece < ROUND ? all - work->first_piece : ROUND;
        abut_parallel_for(parallel, pieces, 1, collide_pieces, work);
        if (!place_round(work, pieces)) {
            return false;
        }
        abut_parallel_for(parallel, pieces, 8, copy_pieces, work);
    }
    return true;
}

static abut_status run(batch *work, const abut_parallel *parallel, int64_t *needed, abut_pair_result *results) {
    work->results = memory_allocate((size_t)work->count, sizeof *work->results);
    bool done = work->results != NULL && run_rounds(work, parallel);
    if (done) {
        memcpy(results, work->results, (size_t)work->count * sizeof *results);
        *needed = work->found;
    }
    for (int32_t p = 0; p < ROUND; ++p) {
        memory_release(work->pieces[p].buffer);
    }
    memory_release(work->results);
    return !done ? ABUT_ERROR_OUT_OF_MEMORY : work->found > work->capacity ? ABUT_ERROR_CAPACITY : ABUT_OK;
}

/* What both forms check. pairs: the array of the pairs, of either kind. */
static bool is_refused(const batch *work, const void *pairs, int64_t *needed, const abut_pair_result *results) {
    if (argument_is_null(work->call, "needed", needed)) {
        return true;
    }
    *needed = 0;
    return argument_is_below(work->call, "count", work->count, 0) ||
           argument_is_no_buffer(work->call, "contacts", work->contacts, work->capacity) ||
           (work->count > 0 && (argument_is_null(work->call, "pairs", pairs) || argument_is_null(work->call, "results", results)));
}

abut_status abut_collide_batch(const abut_pair *pairs, int32_t count, const abut_collide_settings *settings, abut_cache *caches,
                               const abut_parallel *parallel, abut_contact *contacts, int64_t capacity, int64_t *needed,
                               abut_pair_result *results) {
    batch work = {.call = CALL_NAME,
                  .pairs = pairs,
                  .count = count,
                  .settings = settings,
                  .caches = caches,
                  .contacts = contacts,
                  .capacity = capacity};
    if (is_refused(&work, pairs, needed, results)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    return count > 0 ? run(&work, parallel, needed, results) : ABUT_OK;
}

abut_status abut_collide_placed_batch(const abut_placed *bodies, int32_t body_count, const abut_placed_pair *pairs, int32_t count,
                                      const abut_collide_settings *settings, abut_cache *caches, const abut_parallel *parallel,
                                      abut_contact *contacts, int64_t capacity, int64_t *needed, abut_pair_result *results) {
    batch work = {.call = CALL_NAME,
                  .bodies = bodies,
                  .body_count = body_count,
                  .placed = pairs,
                  .count = count,
                  .settings = settings,
                  .caches = caches,
                  .contacts = contacts,
                  .capacity = capacity};
    if (is_refused(&work, pairs, needed, results) || argument_is_below(CALL_NAME, "body_count", body_count, 0) ||
        (body_count > 0 && argument_is_null(CALL_NAME, "bodies", bodies))) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    return count > 0 ? run(&work, parallel, needed, results) : ABUT_OK;
}
