/*
 * Placed shapes: every question has the bits and the status that it has for the pair, single and in batches, with caches and on threads; what is not placed is
 * refused.
 */
#include <abut/placed.h>

#include "support/moving.h"
#include "support/threads.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM = 512, BODIES = 120, PAIRS = 700 };

typedef struct two {
    abut_placed a, b;
    abut_pair pair;
} two;

static two place(const abut_shape *a, abut_pose pose_a, const abut_shape *b, abut_pose pose_b) {
    two t = {.pair = {a, pose_a, b, pose_b}};
    assert_ok(abut_place(a, pose_a, &t.a));
    assert_ok(abut_place(b, pose_b, &t.b));
    return t;
}

static two place_moving(const moving_pair *m) { return place(m->a, m->pose_a, m->b, m->pose_b); }

/* ---- single questions ---- */

static void compare_contacts(const two *t, const abut_collide_settings *settings, abut_cache caches[2], const char *what) {
    static abut_contact alone[ROOM], placed[ROOM];
    int32_t count, found;
    abut_status status = abut_collide(&t->pair, settings, &caches[0], alone, ROOM, &count);
    assert_status(abut_collide_placed(&t->a, &t->b, settings, &caches[1], placed, ROOM, &found), status);
    if (found != count || memcmp(alone, placed, (size_t)count * sizeof *alone) != 0) {
        fail_msg("%s: %d contacts, and %d placed", what, (int)count, (int)found);
    }
}

/* The bytes behind the last field are padding. */
#define ASSERT_SAME_BITS(p, q, type, last) assert_memory_equal(p, q, offsetof(type, last) + sizeof((p)->last))

static void compare_distance(const two *t, const abut_collide_settings *settings, abut_cache caches[2]) {
    abut_separation alone, placed;
    memset(&alone, 0, sizeof alone);
    memset(&placed, 0, sizeof placed);
    abut_status status = abut_distance(&t->pair, settings, &caches[0], &alone);
    assert_status(abut_distance_placed(&t->a, &t->b, settings, &caches[1], &placed), status);
    ASSERT_SAME_BITS(&alone, &placed, abut_separation, flags);
}

static void compare_overlap(const two *t, abut_cache caches[2]) {
    bool alone = false, placed = false;
    abut_status status = abut_overlap(&t->pair, &caches[0], &alone);
    assert_status(abut_overlap_placed(&t->a, &t->b, &caches[1], &placed), status);
    assert_int_equal(alone, placed);
}

static void compare_growth(const two *t, const abut_collide_settings *settings) {
    abut_growth alone, placed;
    memset(&alone, 0, sizeof alone);
    memset(&placed, 0, sizeof placed);
    abut_status status = abut_growth_distance(&t->pair, settings, &alone);
    assert_status(abut_growth_distance_placed(&t->a, &t->b, settings, &placed), status);
    ASSERT_SAME_BITS(&alone, &placed, abut_growth, normal_chosen);
}

static void compare_hits(const abut_hit *p, const abut_hit *q) {
    assert_int_equal(p->hit, q->hit);
    assert_int_equal(p->started_inside, q->started_inside);
    assert_memory_equal(&p->fraction, &q->fraction, offsetof(abut_hit, iterations) + sizeof p->iterations - offsetof(abut_hit, fraction));
}

static void compare_casts(const two *t, random_state *random) {
    abut_hit alone, placed;
    abut_vec3 origin = random_vec3(random, -2.0, 2.0), way = random_vec3(random, -4.0, 4.0);
    abut_motion a = {random_vec3(random, -3.0, 3.0), random_vec3(random, -1.0, 1.0)}, b = {random_vec3(random, -3.0, 3.0), {0.0, 0.0, 0.0}};
    memset(&alone, 0, sizeof alone);
    memset(&placed, 0, sizeof placed);
    abut_status status = abut_ray_cast(t->pair.a, t->pair.pose_a, origin, way, &alone);
    assert_status(abut_ray_cast_placed(&t->a, origin, way, &placed), status);
    compare_hits(&alone, &placed);
    memset(&alone, 0, sizeof alone);
    memset(&placed, 0, sizeof placed);
    status = abut_shape_cast(&t->pair, a, b, 0.0, &alone);
    assert_status(abut_shape_cast_placed(&t->a, &t->b, a, b, 0.0, &placed), status);
    compare_hits(&alone, &placed);
}

static void compare_all(const two *t, const abut_collide_settings *settings, abut_cache caches[2], random_state *random, const char *what) {
    compare_contacts(t, settings, caches, what);
    compare_distance(t, settings, caches);
    compare_overlap(t, caches);
    compare_growth(t, settings);
    compare_casts(t, random);
    assert_memory_equal(&caches[0], &caches[1], sizeof caches[0]);
}

static void every_question_has_the_bits_of_the_pair(void **state) {
    (void)state;
    random_state random = random_make(random_seed("every_question_has_the_bits_of_the_pair", 8101));
    for (int i = 0, samples = random_samples("every_question_has_the_bits_of_the_pair", 20000); i < samples; i++) {
        moving_pair m = moving_make(&random);
        abut_collide_settings settings = abut_collide_settings_default();
        settings.margin = i % 3 == 0 ? 0.1 : 0.0;
        settings.normal = i % 2 ? ABUT_NORMAL_MINIMUM : ABUT_NORMAL_GROWTH;
        abut_cache caches[2];
        memset(caches, 0, sizeof caches);
        for (int step = 0; step < 3; step++) {
            two t = place_moving(&m);
            compare_all(&t, i % 5 == 0 ? NULL : &settings, caches, &random, m.what);
            moving_step(&m);
        }
        moving_free(&m);
    }
}

static void every_status_is_that_of_the_pair(void **state) {
    (void)state;
    random_state random = random_make(random_seed("every_status_is_that_of_the_pair", 8102));
    abut_shape *plane = NULL, *ball = NULL, *box = NULL;
    assert_ok(abut_shape_create_plane(abut_vec3_make(0, 0, 1), 0.25, &plane));
    assert_ok(abut_shape_create_sphere(1.0, &ball));
    assert_ok(abut_shape_create_box(abut_vec3_make(1, 2, 3), &box));
    const abut_shape *const shapes[] = {plane, ball, box};
    const abut_pose here = abut_pose_identity();
    abut_pose far = here;
    far.position.x = 1e60;
    abut_collide_settings wrong = abut_collide_settings_default();
    wrong.weld = 1.0;
    for (int i = 0; i < 9; i++) {
        abut_cache caches[2];
        memset(caches, 0, sizeof caches);
        two near = place(shapes[i / 3], here, shapes[i % 3], here), apart = place(shapes[i / 3], far, shapes[i % 3], here);
        compare_all(&near, NULL, caches, &random, "near");
        compare_all(&apart, NULL, caches, &random, "far away");
        compare_all(&near, &wrong, caches, &random, "settings");
    }
    abut_shape_release(plane);
    abut_shape_release(ball);
    abut_shape_release(box);
}

/* ---- what is not placed ---- */

static void shapes_that_are_not_placed_are_refused(void **state) {
    (void)state;
    abut_shape *ball = NULL;
    assert_ok(abut_shape_create_sphere(1.0, &ball));
    abut_placed placed, none, before;
    memset(&none, 0, sizeof none);
    memset(&before, 0x5a, sizeof before);
    assert_ok(abut_place(ball, abut_pose_identity(), &placed));
    const abut_placed *const bad[] = {NULL, &none};
    abut_contact contact;
    abut_separation separation;
    abut_growth growth;
    abut_hit hit;
    bool overlap;
    int32_t count = 7;
    abut_motion still = {{0, 0, 0}, {0, 0, 0}};
    for (int k = 0; k < 4; k++) {
        const abut_placed *a = k < 2 ? bad[k] : &placed, *b = k < 2 ? &placed : bad[k - 2];
        assert_status(abut_collide_placed(a, b, NULL, NULL, &contact, 1, &count), ABUT_ERROR_INVALID_ARGUMENT);
        assert_int_equal(count, 0);
        assert_status(abut_distance_placed(a, b, NULL, NULL, &separation), ABUT_ERROR_INVALID_ARGUMENT);
        assert_status(abut_overlap_placed(a, b, NULL, &overlap), ABUT_ERROR_INVALID_ARGUMENT);
        assert_status(abut_growth_distance_placed(a, b, NULL, &growth), ABUT_ERROR_INVALID_ARGUMENT);
        assert_status(abut_shape_cast_placed(a, b, still, still, 0.0, &hit), ABUT_ERROR_INVALID_ARGUMENT);
    }
    assert_status(abut_ray_cast_placed(&none, abut_vec3_make(0, 0, 5), abut_vec3_make(0, 0, -9), &hit), ABUT_ERROR_INVALID_ARGUMENT);
    /* A place that is refused is not written. */
    abut_pose bad_pose = abut_pose_identity();
    bad_pose.position.y = NAN;
    placed = before;
    assert_status(abut_place(ball, bad_pose, &placed), ABUT_ERROR_NOT_FINITE);
    bad_pose = abut_pose_identity();
    bad_pose.rotation.w = 0.5;
    assert_status(abut_place(ball, bad_pose, &placed), ABUT_ERROR_INVALID_ARGUMENT);
    assert_memory_equal(&placed, &before, sizeof before);
    abut_shape_release(ball);
}

/* ---- batches ---- */

/* Bodies in a heap, each of them in many pairs, and what single calls say of these pairs. */
typedef struct heap {
    moving_pair moving[BODIES / 2];
    abut_placed bodies[BODIES];
    abut_placed_pair pairs[PAIRS];
    abut_pair_result expected[PAIRS];
    abut_contact *contacts;
    int64_t needed;
} heap;

static bool is_body(int32_t index) { return index >= 0 && index < BODIES; }

static void ask_one_by_one(heap *h) {
    h->contacts = check_memory((size_t)PAIRS * ROOM, sizeof *h->contacts);
    for (int32_t i = 0; i < PAIRS; i++) {
        int32_t count = 0;
        abut_placed_pair p = h->pairs[i];
        abut_status status = is_body(p.a) && is_body(p.b)
                                 ? abut_collide_placed(&h->bodies[p.a], &h->bodies[p.b], NULL, NULL, h->contacts + h->needed, ROOM, &count)
                                 : ABUT_ERROR_INVALID_ARGUMENT;
        h->expected[i] = (abut_pair_result){status, count, h->needed};
        h->needed += count;
    }
}

/* Spheres and boxes stand together often enough to be taken together. */
static heap *make_heap(uint64_t seed) {
    heap *h = check_memory(1, sizeof *h);
    random_state random = random_make(seed);
    for (int32_t i = 0; i < BODIES / 2; i++) {
        h->moving[i] = moving_make(&random);
        two t = place_moving(&h->moving[i]);
        h->bodies[2 * i] = t.a;
        h->bodies[2 * i + 1] = t.b;
    }
    for (int32_t i = 0; i < PAIRS; i++) {
        int32_t first = (int32_t)random_below(&random, BODIES), own = first ^ 1;
        int32_t any = (int32_t)random_below(&random, BODIES);
        h->pairs[i] = (abut_placed_pair){first, random_below(&random, 2) == 0 ? own : any};
        h->pairs[i] = i > 0 && random_below(&random, 2) == 0 ? h->pairs[i - 1] : h->pairs[i];
    }
    return h;
}

static void free_heap(heap *h) {
    for (int32_t i = 0; i < BODIES / 2; i++) {
        moving_free(&h->moving[i]);
    }
    free(h->contacts);
    free(h);
}

static void check_batch(const heap *h, abut_cache *caches, const abut_parallel *parallel, int64_t capacity) {
    enum { BEHIND = 8 };
    abut_contact *contacts = check_memory((size_t)(capacity + BEHIND), sizeof *contacts);
    size_t bytes = (size_t)(capacity + BEHIND) * sizeof *contacts, written = (size_t)(capacity < h->needed ? capacity : h->needed);
    abut_pair_result results[PAIRS];
    int64_t needed = -1;
    memset((void *)contacts, 0xa5, bytes);
    abut_status status =
        abut_collide_placed_batch(h->bodies, BODIES, h->pairs, PAIRS, NULL, caches, parallel, contacts, capacity, &needed, results);
    assert_status(status, h->needed > capacity ? ABUT_ERROR_CAPACITY : ABUT_OK);
    assert_true(needed == h->needed);
    for (int32_t i = 0; i < PAIRS; i++) {
        assert_status(results[i].status, h->expected[i].status);
        assert_int_equal(results[i].count, h->expected[i].count);
        assert_true(results[i].first == h->expected[i].first);
    }
    assert_memory_equal(contacts, h->contacts, written * sizeof *contacts);
    for (size_t i = written * sizeof *contacts; i < bytes; i++) {
        assert_int_equal(((unsigned char *)contacts)[i], 0xa5);
    }
    free(contacts);
}

static void batches_have_the_bits_of_single_calls(void **state) {
    (void)state;
    for (uint64_t round = 0; round < 4; round++) {
        heap *h = make_heap(random_seed("batches_have_the_bits_of_single_calls", 8103 + round));
        ask_one_by_one(h);
        abut_cache *caches = check_memory(PAIRS, sizeof *caches);
        three_threads own = {0};
        abut_parallel one = {.threads = 1}, four = {.threads = 4}, theirs = three_threads_parallel(&own);
        check_batch(h, NULL, NULL, h->needed);
        check_batch(h, NULL, &one, h->needed / 2);
        check_batch(h, NULL, &four, h->needed + 3);
        check_batch(h, caches, &theirs, h->needed);
        check_batch(h, caches, &one, h->needed);
        free(caches);
        free_heap(h);
    }
}

/* A pair that names no body, or a body that is not placed, has its own status, and the others are not affected. */
static void wrong_indices_fail_alone(void **state) {
    (void)state;
    heap *h = make_heap(random_seed("wrong_indices_fail_alone", 8110));
    h->pairs[0].a = -1;
    h->pairs[9].b = BODIES;
    h->pairs[PAIRS - 1].a = INT32_MAX;
    memset(&h->bodies[4], 0, sizeof h->bodies[4]);
    h->pairs[20] = (abut_placed_pair){4, 5};
    ask_one_by_one(h);
    const int32_t wrong[] = {0, 9, 20, PAIRS - 1};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        assert_status(h->expected[wrong[k]].status, ABUT_ERROR_INVALID_ARGUMENT);
    }
    check_batch(h, NULL, NULL, h->needed);
    check_batch(h, NULL, NULL, h->needed / 2);
    free_heap(h);
}

/* The old batch of posed shapes and that of placed ones are one piece of code; both name no body that a caller did not give. */
static void no_bodies(void **state) {
    (void)state;
    const abut_placed_pair pair = {0, 0};
    abut_pair_result result;
    int64_t needed = -1;
    assert_ok(abut_collide_placed_batch(NULL, 0, &pair, 1, NULL, NULL, NULL, NULL, 0, &needed, &result));
    assert_status(result.status, ABUT_ERROR_INVALID_ARGUMENT);
    assert_true(needed == 0);
    needed = -1;
    assert_ok(abut_collide_placed_batch(NULL, 0, NULL, 0, NULL, NULL, NULL, NULL, 0, &needed, NULL));
    assert_true(needed == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_question_has_the_bits_of_the_pair),
        cmocka_unit_test(every_status_is_that_of_the_pair),
        cmocka_unit_test(shapes_that_are_not_placed_are_refused),
        cmocka_unit_test(batches_have_the_bits_of_single_calls),
        cmocka_unit_test(wrong_indices_fail_alone),
        cmocka_unit_test(no_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
