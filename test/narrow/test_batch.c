/*
 * abut_collide_batch(): bit for bit the results of abut_collide(), for all threads, schedulers, caches and orders; short buffers, pairs
 * that fail, bad arguments and lack of memory.
 */
#include "support/allocator.h"
#include "support/moving.h"
#include "support/threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS = 600, ROOM = 512 };

/* Many pairs, and the results of single calls. */
typedef struct crowd {
    int32_t count;
    moving_pair moving[PAIRS];
    abut_pair pairs[PAIRS];
    abut_pair_result expected[PAIRS];
    abut_contact *contacts; /* [needed] of the single calls, packed */
    int64_t needed;
} crowd;

static void copy_poses(crowd *c) {
    for (int32_t i = 0; i < c->count; i++) {
        const moving_pair *m = &c->moving[i];
        c->pairs[i] = (abut_pair){m->a, m->pose_a, m->b, m->pose_b};
    }
}

static void ask_one_by_one(crowd *c, const abut_collide_settings *settings) {
    abut_contact *room = check_memory(ROOM, sizeof *room);
    free(c->contacts);
    c->contacts = check_memory((size_t)c->count * ROOM, sizeof *c->contacts);
    c->needed = 0;
    for (int32_t i = 0; i < c->count; i++) {
        const abut_pair *p = &c->pairs[i];
        int32_t found;
        abut_status status = abut_collide(&(abut_pair){p->a, p->pose_a, p->b, p->pose_b}, settings, NULL, room, ROOM, &found);
        assert_true(found <= ROOM);
        c->expected[i] = (abut_pair_result){status, found, c->needed};
        memcpy(c->contacts + c->needed, room, (size_t)found * sizeof *room);
        c->needed += found;
    }
    free(room);
}

static crowd *make_crowd(uint64_t seed, int32_t count, const abut_collide_settings *settings) {
    crowd *c = check_memory(1, sizeof *c);
    random_state random = random_make(seed);
    c->count = count;
    for (int32_t i = 0; i < count; i++) {
        c->moving[i] = moving_make(&random);
    }
    copy_poses(c);
    ask_one_by_one(c, settings);
    return c;
}

static void free_crowd(crowd *c) {
    for (int32_t i = 0; i < c->count; i++) {
        moving_free(&c->moving[i]);
    }
    free(c->contacts);
    free(c);
}

static bool same_result(const abut_pair_result *p, const abut_pair_result *q) {
    return p->status == q->status && p->count == q->count && p->first == q->first;
}

/* A call with room for `capacity` contacts returns those of the single calls, and does not write past them. */
static void check_call(const crowd *c, const abut_collide_settings *settings, abut_cache *caches, const abut_parallel *parallel,
                       int64_t capacity) {
    enum { BEHIND = 8 };
    size_t bytes = (size_t)(capacity + BEHIND) * sizeof(abut_contact), written = (size_t)(capacity < c->needed ? capacity : c->needed);
    abut_contact *contacts = check_memory((size_t)(capacity + BEHIND), sizeof *contacts);
    abut_pair_result *results = check_memory((size_t)c->count, sizeof *results);
    memset(contacts, 0xa5, bytes);
    int64_t needed = -1;
    abut_status status = abut_collide_batch(c->pairs, c->count, settings, caches, parallel, contacts, capacity, &needed, results);
    assert_status(status, c->needed > capacity ? ABUT_ERROR_CAPACITY : ABUT_OK);
    assert_true(needed == c->needed);
    for (int32_t i = 0; i < c->count; i++) {
        if (!same_result(&results[i], &c->expected[i])) {
            fail_msg("pair %d, %s: %s, %d contacts at %lld; alone %s, %d at %lld", (int)i, c->moving[i].what,
                     abut_status_name(results[i].status), (int)results[i].count, (long long)results[i].first,
                     abut_status_name(c->expected[i].status), (int)c->expected[i].count, (long long)c->expected[i].first);
        }
    }
    assert_memory_equal(contacts, c->contacts, written * sizeof *contacts);
    for (size_t i = written * sizeof *contacts; i < bytes; i++) {
        assert_int_equal(((unsigned char *)contacts)[i], 0xa5);
    }
    free(contacts);
    free(results);
}

static void any_threads_give_the_same_bits(void **state) {
    (void)state;
    static const int32_t threads[] = {0, 1, 2, 3, 7, 16};
    for (int variant = 0; variant < 4; variant++) {
        abut_collide_settings settings = abut_collide_settings_default();
        settings.normal = variant % 2 ? ABUT_NORMAL_MINIMUM : ABUT_NORMAL_GROWTH;
        settings.margin = variant / 2 ? 0.1 : 0.0;
        crowd *c = make_crowd(random_seed("any_threads_give_the_same_bits", (uint64_t)(321 + variant)), PAIRS, &settings);
        check_call(c, &settings, NULL, NULL, c->needed);
        for (size_t k = 0; k < sizeof threads / sizeof *threads; k++) {
            abut_parallel parallel = {.threads = threads[k]};
            check_call(c, &settings, NULL, &parallel, c->needed + 100);
        }
        three_threads own = {0};
        abut_parallel parallel = three_threads_parallel(&own);
        check_call(c, &settings, NULL, &parallel, c->needed);
        assert_true(own.calls > 0);
        free_crowd(c);
    }
}

/* A scheduler that goes backwards one index at a time, on the caller's thread. */
static void one_at_a_time_backwards(void *context, int32_t count, int32_t grain, abut_task *task, void *argument) {
    (void)context;
    (void)grain;
    for (int32_t i = count - 1; i >= 0; i--) {
        task(argument, i, i + 1);
    }
}

/* Pieces need not be multiples of the grain. */
static void in_uneven_pieces(void *context, int32_t count, int32_t grain, abut_task *task, void *argument) {
    (void)context;
    (void)grain;
    for (int32_t begin = 0, size = 1; begin < count; begin += size, size = size % 13 + 1) {
        task(argument, begin, count - begin < size ? count : begin + size);
    }
}

static void any_scheduler_gives_the_same_bits(void **state) {
    (void)state;
    crowd *c = make_crowd(random_seed("any_scheduler_gives_the_same_bits", 331), PAIRS, NULL);
    abut_parallel backwards = {.run = one_at_a_time_backwards}, uneven = {.run = in_uneven_pieces};
    check_call(c, NULL, NULL, &backwards, c->needed);
    check_call(c, NULL, NULL, &uneven, c->needed);
    free_crowd(c);
}

/* Any number of pairs: one, as many as the lanes of a vector, one more and one less. */
static void any_number_of_pairs(void **state) {
    (void)state;
    crowd *c = make_crowd(random_seed("any_number_of_pairs", 332), 40, NULL);
    int32_t all = c->count;
    for (int32_t count = 1; count <= all; count++) {
        c->count = count;
        c->needed = c->expected[count - 1].first + c->expected[count - 1].count;
        check_call(c, NULL, NULL, NULL, c->needed);
    }
    c->count = all;
    free_crowd(c);
}

/* The neighbours of a pair in the batch do not matter: many pairs of one kind, the same pair many times, all pairs in another order. */
static void any_neighbours(void **state) {
    (void)state;
    crowd *c = make_crowd(random_seed("any_neighbours", 333), 200, NULL);
    for (int32_t i = 0; i < c->count / 2; i++) {
        abut_pair first = c->pairs[i];
        c->pairs[i] = c->pairs[c->count - 1 - i];
        c->pairs[c->count - 1 - i] = first;
    }
    ask_one_by_one(c, NULL);
    check_call(c, NULL, NULL, NULL, c->needed);
    for (int32_t i = 0; i < c->count; i++) {
        c->pairs[i] = c->pairs[i % 3];
    }
    ask_one_by_one(c, NULL);
    check_call(c, NULL, NULL, NULL, c->needed);
    free_crowd(c);
}

/* Caches, empty, warm over many steps, and of other pairs. */
static void any_caches_give_the_same_bits(void **state) {
    (void)state;
    crowd *c = make_crowd(random_seed("any_caches_give_the_same_bits", 334), 300, NULL);
    abut_cache *warm = check_memory((size_t)c->count, sizeof *warm), *shifted = check_memory((size_t)c->count, sizeof *shifted);
    for (int step = 0; step < 12; step++) {
        check_call(c, NULL, warm, NULL, c->needed);
        for (int32_t i = 0; i < c->count; i++) {
            shifted[i] = warm[(i + 1) % c->count];
            moving_step(&c->moving[i]);
        }
        check_call(c, NULL, shifted, NULL, c->needed);
        copy_poses(c);
        ask_one_by_one(c, NULL);
    }
    free(warm);
    free(shifted);
    free_crowd(c);
}

static void short_buffers(void **state) {
    (void)state;
    crowd *c = make_crowd(random_seed("short_buffers", 335), 100, NULL);
    assert_true(c->needed > 20);
    const int64_t capacities[] = {0, 1, 2, 7, c->needed / 2, c->needed - 1, c->needed, c->needed + 1};
    for (size_t k = 0; k < sizeof capacities / sizeof *capacities; k++) {
        check_call(c, NULL, NULL, NULL, capacities[k]);
    }
    /* Without a buffer, the call returns the needed size. */
    abut_pair_result results[PAIRS];
    int64_t needed = -1;
    assert_status(abut_collide_batch(c->pairs, c->count, NULL, NULL, NULL, NULL, 0, &needed, results), ABUT_ERROR_CAPACITY);
    assert_true(needed == c->needed);
    for (int32_t i = 0; i < c->count; i++) {
        assert_true(same_result(&results[i], &c->expected[i]));
    }
    free_crowd(c);
}

/* Pairs that cannot be answered have a status in their own result, and the others are not affected. */
static void errors_of_single_pairs(void **state) {
    (void)state;
    crowd *c = make_crowd(random_seed("errors_of_single_pairs", 336), 64, NULL);
    abut_shape *plane = NULL;
    assert_ok(abut_shape_create_plane(abut_vec3_make(0, 0, 1), 0.0, &plane));
    c->pairs[0].a = NULL;
    c->pairs[5].b = NULL;
    c->pairs[6].pose_a.position.x = NAN;
    c->pairs[7].pose_b.rotation.w = INFINITY;
    c->pairs[20].pose_a.rotation = abut_quat_make(1, 1, 1, 1);
    c->pairs[21].pose_b.rotation = abut_quat_make(0, 0, 0, 0);
    c->pairs[40] = (abut_pair){plane, abut_pose_identity(), plane, abut_pose_identity()};
    c->pairs[63].pose_a.position.z = -INFINITY;
    ask_one_by_one(c, NULL);
    static const struct {
        int32_t pair;
        abut_status status;
    } bad[] = {{0, ABUT_ERROR_INVALID_ARGUMENT},  {5, ABUT_ERROR_INVALID_ARGUMENT},  {6, ABUT_ERROR_NOT_FINITE},
               {7, ABUT_ERROR_NOT_FINITE},        {20, ABUT_ERROR_INVALID_ARGUMENT}, {21, ABUT_ERROR_INVALID_ARGUMENT},
               {40, ABUT_ERROR_UNSUPPORTED_PAIR}, {63, ABUT_ERROR_NOT_FINITE}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_status(c->expected[bad[k].pair].status, bad[k].status);
        assert_int_equal(c->expected[bad[k].pair].count, 0);
    }
    check_call(c, NULL, NULL, NULL, c->needed);
    check_call(c, NULL, NULL, NULL, c->needed / 2);
    abut_shape_release(plane);
    free_crowd(c);
}

/* Settings out of range give the same status as abut_collide() for every pair. */
static void bad_settings(void **state) {
    (void)state;
    abut_collide_settings settings = abut_collide_settings_default();
    crowd *c = make_crowd(random_seed("bad_settings", 337), 8, NULL);
    settings.margin = -1.0;
    ask_one_by_one(c, &settings);
    assert_status(c->expected[0].status, ABUT_ERROR_INVALID_ARGUMENT);
    check_call(c, &settings, NULL, NULL, 4);
    settings = abut_collide_settings_default();
    settings.feature_angle = NAN;
    ask_one_by_one(c, &settings);
    assert_status(c->expected[0].status, ABUT_ERROR_NOT_FINITE);
    check_call(c, &settings, NULL, NULL, 4);
    free_crowd(c);
}

static void check_refused(const abut_pair *pairs, int32_t count, abut_contact *contacts, int64_t capacity, abut_pair_result *results) {
    int64_t needed = -1;
    abut_pair_result before[4];
    memset(before, 0x5a, sizeof before);
    if (results != NULL) {
        memcpy(results, before, sizeof before);
    }
    assert_status(abut_collide_batch(pairs, count, NULL, NULL, NULL, contacts, capacity, &needed, results), ABUT_ERROR_INVALID_ARGUMENT);
    assert_true(needed == 0);
    if (results != NULL) {
        assert_memory_equal(results, before, sizeof before);
    }
}

static void bad_arguments(void **state) {
    (void)state;
    crowd *c = make_crowd(random_seed("bad_arguments", 338), 4, NULL);
    abut_contact contacts[64];
    abut_pair_result results[4], before[4];
    check_refused(NULL, 4, contacts, 64, results);
    check_refused(c->pairs, -1, contacts, 64, results);
    check_refused(c->pairs, 4, NULL, 64, results);
    check_refused(c->pairs, 4, contacts, -1, results);
    check_refused(c->pairs, 4, contacts, 64, NULL);
    memset(results, 0x5a, sizeof results);
    memcpy(before, results, sizeof before);
    assert_status(abut_collide_batch(c->pairs, 4, NULL, NULL, NULL, contacts, 64, NULL, results), ABUT_ERROR_INVALID_ARGUMENT);
    assert_memory_equal(results, before, sizeof before);
    free_crowd(c);
}

static void no_pairs(void **state) {
    (void)state;
    abut_pair pair = {0};
    abut_pair_result result;
    abut_contact contact;
    int64_t needed = -1;
    memset(&result, 0x5a, sizeof result);
    abut_pair_result before = result;
    assert_ok(abut_collide_batch(&pair, 0, NULL, NULL, NULL, &contact, 1, &needed, &result));
    assert_true(needed == 0);
    assert_memory_equal(&result, &before, sizeof result);
    needed = -1;
    assert_ok(abut_collide_batch(&pair, 0, NULL, NULL, NULL, NULL, 0, &needed, &result));
    assert_true(needed == 0);
}

/* Every request for memory is refused in turn: the call fails and writes no result, or single pairs fail and the others are not affected.
 * Nothing leaks. */
static void no_memory(void **state) {
    (void)state;
    crowd *c = make_crowd(random_seed("no_memory", 339), 40, NULL);
    abut_contact *contacts = check_memory((size_t)c->needed, sizeof *contacts);
    abut_pair_result results[40], before[40];
    memset(before, 0x5a, sizeof before);
    abut_parallel one = {.threads = 1};
    counting_allocator memory = {.refuse_at = -1};
    int64_t refused = 0;
    do {
        memory = (counting_allocator){.refuse_at = refused++};
        memcpy(results, before, sizeof before);
        int64_t needed = -1;
        counting_allocator_install(&memory);
        abut_status status = abut_collide_batch(c->pairs, c->count, NULL, NULL, &one, contacts, c->needed, &needed, results);
        counting_allocator_remove();
        assert_true(memory.live == 0);
        if (status == ABUT_ERROR_OUT_OF_MEMORY) {
            assert_true(memory.refused && needed == 0);
            assert_memory_equal(results, before, sizeof before);
            continue;
        }
        assert_ok(status);
        for (int32_t i = 0; i < c->count; i++) {
            bool starved = results[i].status == ABUT_ERROR_OUT_OF_MEMORY && results[i].count == 0 && memory.refused;
            assert_true(starved || (results[i].status == c->expected[i].status && results[i].count == c->expected[i].count));
            assert_memory_equal(contacts + results[i].first, c->contacts + c->expected[i].first,
                                (size_t)results[i].count * sizeof *contacts);
        }
    } while (memory.refused);
    printf("no_memory: %lld requests refused in turn\n", (long long)refused - 1);
    free(contacts);
    free_crowd(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_threads_give_the_same_bits),
        cmocka_unit_test(any_scheduler_gives_the_same_bits),
        cmocka_unit_test(any_number_of_pairs),
        cmocka_unit_test(any_neighbours),
        cmocka_unit_test(any_caches_give_the_same_bits),
        cmocka_unit_test(short_buffers),
        cmocka_unit_test(errors_of_single_pairs),
        cmocka_unit_test(bad_settings),
        cmocka_unit_test(bad_arguments),
        cmocka_unit_test(no_pairs),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests_name("narrow/batch", tests, NULL, NULL);
}
