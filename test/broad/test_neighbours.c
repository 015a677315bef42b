/* Near balls, compared with a test of every pair: balls of similar and of very different sizes, crowded, spread wide, at one place, and in periodic space. */
#include "broad/neighbours.h"

#include "support/allocator.h"
#include "support/check.h"
#include "support/random.h"
#include "support/threads.h"

enum { MOST = 600 };

static abut_vec3 centre[MOST];
static double reach[MOST];

static void compare(tally *t, const neighbour_list *list, int32_t count, const neighbour_space *space) {
    for (int32_t i = 0; i < count; ++i) {
        int32_t at = list->first[i];
        for (int32_t k = i + 1; k < count; ++k) {
            bool near = abut_length(neighbour_way(space, centre[i], centre[k])) <= reach[i] + reach[k];
            bool listed = at < list->first[i + 1] && list->other[at] == k;
            if (near != listed) {
                tally_fail(t, "pair", "%d and %d: near %d, listed %d", (int)i, (int)k, near, listed);
                return;
            }
            at += listed;
        }
        if (at != list->first[i + 1]) {
            tally_fail(t, "too many", "%d of %d", (int)(list->first[i + 1] - at), (int)i);
        }
    }
}

static void make_balls(random_state *random, int32_t count, double size, double least, double flat) {
    for (int32_t i = 0; i < count; ++i) {
        centre[i] = random_vec3(random, -size, size);
        centre[i].z *= flat;
        reach[i] = random_log_range(random, least, 1.0);
    }
}

static void test_against_all_pairs(void **state) {
    (void)state;
    random_state random = random_make(random_seed("neighbours", 101));
    static tally t;
    neighbour_list list = {0};
    for (int32_t sample = 0, samples = random_samples("neighbours", 500); sample < samples; ++sample) {
        int32_t count = random_below(&random, MOST);
        double size = random_log_range(&random, 0.01, 1000.0), least = random_log_range(&random, 1e-9, 1.0);
        make_balls(&random, count, size, least, random_below(&random, 3) == 0 ? 0.0 : 1.0);
        neighbour_space space = {{-size, -size, -size}, {size, size, size}, {false, false, false}};
        for (int axis = 0; axis < 3; ++axis) {
            space.periodic[axis] = size > 2.0 && random_below(&random, 2) == 0;
        }
        tally_sample(&t, "sample %d: %d balls, size %g, least %g", (int)sample, (int)count, size, least);
        assert_ok(neighbours_find(&list, centre, reach, count, &space, NULL));
        compare(&t, &list, count, &space);
    }
    neighbours_release(&list);
    tally_end(&t);
}

/* Balls of several sizes, in more than one part. */
static void test_threads(void **state) {
    (void)state;
    enum { MANY = 3000 };
    static abut_vec3 at[MANY];
    static double far[MANY];
    random_state random = random_make(103);
    three_threads own;
    const abut_parallel parallel[] = {{.threads = 1}, {.threads = 2}, {.threads = 8}, three_threads_parallel(&own)};
    neighbour_space open = {.periodic = {false, false, false}};
    neighbour_list first = {0}, other = {0};
    for (int32_t i = 0; i < MANY; ++i) {
        at[i] = random_vec3(&random, -5.0, 5.0);
        far[i] = random_log_range(&random, 0.1, 1.0);
    }
    assert_ok(neighbours_find(&first, at, far, MANY, &open, &parallel[0]));
    assert_true(first.first[MANY] > MANY);
    for (int k = 1; k < 4; ++k) {
        assert_ok(neighbours_find(&other, at, far, MANY, &open, &parallel[k]));
        assert_memory_equal(other.first, first.first, (MANY + 1) * sizeof *first.first);
        assert_memory_equal(other.other, first.other, (size_t)first.first[MANY] * sizeof *first.other);
    }
    neighbours_release(&first);
    neighbours_release(&other);
}

static void test_odd_inputs(void **state) {
    (void)state;
    neighbour_space open = {.periodic = {false, false, false}}, tight = {{0, 0, 0}, {3, 3, 3}, {true, false, false}};
    neighbour_list list = {0};
    assert_ok(neighbours_find(&list, centre, reach, 0, &open, NULL));
    assert_int_equal(list.first[0], 0);
    for (int32_t i = 0; i < 20; ++i) {
        centre[i] = abut_vec3_make(7, 7, 7);
        reach[i] = i < 10 ? 0.0 : 1.0;
    }
    assert_ok(neighbours_find(&list, centre, reach, 20, &open, NULL));
    assert_int_equal(list.first[20], 190);
    assert_status(neighbours_find(&list, centre, reach, 20, &tight, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    neighbours_release(&list);
}

static void test_no_memory(void **state) {
    (void)state;
    random_state random = random_make(102);
    neighbour_space open = {.periodic = {false, false, false}};
    counting_allocator memory = {.refuse_at = -1};
    int64_t refused = 0;
    make_balls(&random, 200, 5.0, 0.01, 1.0);
    do {
        neighbour_list list = {0};
        memory = (counting_allocator){.refuse_at = refused++};
        counting_allocator_install(&memory);
        abut_status status = neighbours_find(&list, centre, reach, 200, &open, NULL);
        neighbours_release(&list);
        counting_allocator_remove();
        assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
        assert_int_equal(memory.live, 0);
    } while (memory.refused);
    assert_true(refused > 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_all_pairs), cmocka_unit_test(test_threads),
                                       cmocka_unit_test(test_odd_inputs), cmocka_unit_test(test_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
