/* Large islands: the colouring of their pairs, and the same bits with any number of threads. */
#include "support/staging.h"
#include "support/threads.h"

#include "step/fixed/stepper.h"

enum { SIDE = 30, LAYERS = 3, STEPS = 3 };

/* A floor of cubes, two more on top of it, shifted by half a cube, so that every cube touches eight: one island of some 16,000 contacts. */
static staging open_block(abut_parallel parallel, bool exact) {
    abut_world_def def = abut_world_def_default();
    def.fixed.exact = exact;
    def.parallel = parallel;
    staging stage = staging_open(&def);
    staging_ground(&stage, 0.5);
    const abut_shape *cube = staging_box(&stage, 0.5, 0.5, 0.5);
    for (int i = 0; i < SIDE * SIDE * LAYERS; i++) {
        int x = i % SIDE, y = i / SIDE % SIDE, z = i / (SIDE * SIDE);
        staging_add(&stage, ABUT_BODY_DYNAMIC, cube, abut_vec3_make(x + 0.5 * (z % 2), y + 0.5 * (z % 2), 0.499 + 0.998 * z));
    }
    return stage;
}

static void test_pairs_of_one_colour_share_no_moving_body(void **state) {
    (void)state;
    staging stage = open_block((abut_parallel){.threads = 1}, true);
    staging_run(&stage, 1.0 / 60.0, 1);
    const island_layout *layout = &stage.world->fixed->layout;
    assert_int_equal(layout->island_count, 1);
    const solver_contacts *set = &layout->sets[0];
    const solver_schedule *schedule = set->schedule;
    assert_non_null(schedule);
    assert_true(set->pair_count > 4096 && schedule->colour_count > 1 && schedule->colour_count <= 65);
    static int32_t coloured[SIDE * SIDE * LAYERS + 2 * SIDE * SIDE + 2];
    assert_true(set->body_count <= (int32_t)(sizeof coloured / sizeof *coloured));
    assert_int_equal(schedule->chunks[0], 0);
    assert_int_equal(schedule->chunks[schedule->chunk_count], set->pair_count);
    assert_int_equal(schedule->colours[schedule->colour_count], schedule->chunk_count);
    for (int32_t c = 0; c < schedule->colour_count; c++) {
        for (int32_t p = schedule->chunks[schedule->colours[c]]; p < schedule->chunks[schedule->colours[c + 1]]; p++) {
            const int32_t bodies[2] = {set->pairs[p].a, set->pairs[p].b};
            for (int k = 0; k < 2; k++) {
                assert_true(set->bodies[bodies[k]].inverse_mass == 0.0 || coloured[bodies[k]] != c + 1);
                coloured[bodies[k]] = c + 1;
            }
        }
    }
    /* A loop over pairs takes every chunk once. */
    static int32_t taken[SIDE * SIDE * LAYERS * 16];
    assert_true(schedule->chunk_count <= (int32_t)(sizeof taken / sizeof *taken));
    for (int32_t i = 0; i < schedule->chunk_count; i++) {
        assert_in_range(schedule->turns[i], 0, schedule->chunk_count - 1);
        assert_int_equal(taken[schedule->turns[i]]++, 0);
    }
    /* Patches and points are in the order of the pairs. */
    int32_t patch = 0, point = 0;
    for (int32_t p = 0; p < set->pair_count; p++) {
        assert_int_equal(set->pairs[p].first, patch);
        for (int32_t k = 0; k < set->pairs[p].count; k++, patch++) {
            assert_int_equal(set->patches[patch].first, point);
            point += set->patches[patch].count;
        }
    }
    assert_int_equal(patch, set->patch_count);
    assert_int_equal(point, set->point_count);
    staging_close(&stage);
}

static void check_threads(bool exact) {
    three_threads own = {0};
    const abut_parallel parallel[] = {{.threads = 1}, {.threads = 2}, {.threads = 8}, three_threads_parallel(&own)};
    uint64_t expected = 0;
    for (int i = 0; i < 4; i++) {
        staging stage = open_block(parallel[i], exact);
        abut_step_report report = staging_run(&stage, 1.0 / 60.0, STEPS);
        assert_true(report.touching > 4096);
        expected = i == 0 ? abut_world_hash(stage.world) : expected;
        assert_true(abut_world_hash(stage.world) == expected);
        staging_close(&stage);
    }
}

static void test_threads_change_no_bit(void **state) {
    (void)state;
    check_threads(true);
}

/* The quick solver has colours of its own (solve/wide/colours.h). */
static void test_threads_change_no_bit_quickly(void **state) {
    (void)state;
    check_threads(false);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs_of_one_colour_share_no_moving_body),
        cmocka_unit_test(test_threads_change_no_bit),
        cmocka_unit_test(test_threads_change_no_bit_quickly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
