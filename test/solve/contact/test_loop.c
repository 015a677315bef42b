/* Loops over a set: every pair and every body once, colour after colour, and the same bits with any number of threads. */
#include "heap.h"

#include <string.h>

#include "support/threads.h"

#include "solve/contact/accelerate.h"
#include "solve/contact/loop.h"

static const solver_rule rule = {1.0 / 240.0, 9.0, 3.0, 1e-14, 0.5};

enum { CUBES = 40, CHUNKS = 6 };

/* A tower with pairs of two colours, each in three chunks: first pairs of even bodies with the body below, then the others. */
typedef struct coloured {
    heap h;
    int32_t chunks[CHUNKS + 1], colours[3], turns[CHUNKS];
    solver_progress progress[CHUNKS];
    solver_schedule schedule;
} coloured;

static void make(coloured *c, const abut_parallel *parallel) {
    heap *h = &c->h;
    heap_begin(h);
    for (int32_t i = 0; i < CUBES; i++) {
        heap_add(h, abut_vec3_make(0.1 * (i % 2), 0.0, 0.5 + i), 1000.0);
    }
    for (int32_t odd = 0; odd < 2; odd++) {
        for (int32_t i = odd; i < CUBES; i += 2) {
            heap_touch(h, i + 1, i, abut_vec3_make(0.05, 0.0, i), 0.45, 0.5, -1e-3, 0.5);
        }
    }
    solver_refresh(&h->set);
    c->schedule = (solver_schedule){parallel, c->chunks, c->colours, CHUNKS, 2, c->progress, c->turns};
    const int32_t chunks[CHUNKS + 1] = {0, 7, 14, CUBES / 2, CUBES / 2 + 7, CUBES / 2 + 14, CUBES}, colours[3] = {0, 3, 6},
                                  turns[CHUNKS] = {0, 3, 1, 4, 2, 5};
    memcpy(c->chunks, chunks, sizeof chunks);
    memcpy(c->colours, colours, sizeof colours);
    memcpy(c->turns, turns, sizeof turns);
    h->set.schedule = &c->schedule;
}

/* Records the visits of a loop's pieces. */
typedef struct visits {
    int pairs[CUBES], bodies[HEAP_BODIES], last_colour;
} visits;

static void count_pairs(void *argument, solver_range range) {
    visits *v = argument;
    int colour = range.begin >= CUBES / 2;
    assert_true(range.chunk >= 0 && range.chunk < CHUNKS && (range.chunk >= 3) == colour);
    for (int32_t i = range.begin; i < range.end; i++) {
        v->pairs[i]++;
    }
    v->last_colour = colour;
}

static void count_bodies(void *argument, solver_range range) {
    for (int32_t i = range.begin; i < range.end; i++) {
        ((visits *)argument)->bodies[i]++;
    }
}

static void test_everything_is_met_once(void **state) {
    (void)state;
    const abut_parallel one = {.threads = 1};
    static coloured c;
    make(&c, &one);
    for (int loop = 0; loop < 4; loop++) {
        visits v = {.last_colour = -1};
        if (loop == 0) {
            solver_each_pair(&c.h.set, count_pairs, &v);
        } else if (loop < 3) {
            solver_each_colour(&c.h.set, loop == 2, count_pairs, &v);
            assert_int_equal(v.last_colour, loop == 1);
        } else {
            solver_each_body(&c.h.set, count_bodies, &v);
        }
        for (int i = 0; i < CUBES; i++) {
            assert_int_equal(v.pairs[i], loop < 3);
        }
        for (int i = 0; i < c.h.body_count; i++) {
            assert_int_equal(v.bodies[i], loop == 3);
        }
    }
}

/* All work on a set in a substep. */
static void solve(const solver_contacts *set) {
    solver_refresh(set);
    solver_note_approach(set);
    solver_note_impact(set, &rule);
    solver_first_stage(set, &rule);
    solver_warm_start(set);
    accelerator faster = accelerate_begin(set);
    for (int pass = 0; pass < 10; pass++) {
        accelerate_passes(&faster, set, solver_pass_on(set, faster.factor).energy);
    }
    assert_true(solver_begin_push(set, &rule) > 0.0);
    solver_pass(set, false, false);
    solver_pass(set, true, false);
    solver_end_push(set);
    solver_second_stage(set, &rule, true);
    solver_end_substep(set);
}

static void test_threads_change_no_bit(void **state) {
    (void)state;
    three_threads own = {0};
    const abut_parallel parallel[] = {{.threads = 1}, {.threads = 2}, three_threads_parallel(&own)};
    static coloured c[3];
    for (int i = 0; i < 3; i++) {
        make(&c[i], &parallel[i]);
        heap_drop(&c[i].h, 1.0);
        solve(&c[i].h.set);
        solve(&c[i].h.set);
        assert_memory_equal(c[i].h.bodies, c[0].h.bodies, sizeof c[0].h.bodies);
        assert_memory_equal(c[i].h.points, c[0].h.points, sizeof c[0].h.points);
        assert_memory_equal(c[i].h.anchors, c[0].h.anchors, sizeof c[0].h.anchors);
    }
    assert_true(own.calls > 0);
}

static void test_without_a_schedule_all_is_one_piece(void **state) {
    (void)state;
    const abut_parallel one = {.threads = 1};
    static coloured c, whole;
    make(&c, &one);
    make(&whole, &one);
    whole.h.set.schedule = NULL;
    heap_drop(&c.h, 1.0);
    heap_drop(&whole.h, 1.0);
    solve(&c.h.set);
    solve(&whole.h.set);
    /* The order is the same, except for the sums of the energies. */
    for (int i = 0; i < CUBES; i++) {
        assert_vec3_near(c.h.bodies[i + 1].velocity, whole.h.bodies[i + 1].velocity, 1e-12);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_everything_is_met_once),
        cmocka_unit_test(test_threads_change_no_bit),
        cmocka_unit_test(test_without_a_schedule_all_is_one_piece),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
