/* A world as a whole: definitions, hashes, and failures that leave the world unchanged. */
#include "support/allocator.h"
#include "support/check.h"
#include "support/random.h"
#include "support/staging.h"

#include <string.h>

static void test_definitions_are_checked(void **state) {
    (void)state;
    abut_world *world = NULL;
    assert_ok(abut_world_create(NULL, &world));
    abut_world_destroy(world);
    abut_world_destroy(NULL);
    assert_status(abut_world_create(NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    const abut_world_def fine = abut_world_def_default();
    abut_world_def def[16];
    for (int i = 0; i < 16; i++) {
        def[i] = fine;
    }
    def[0].fixed.substeps = 0;
    def[1].fixed.iterations = 0;
    def[2].fixed.contact_frequency = 0.0;
    def[3].fixed.contact_damping = -1.0;
    def[4].fixed.max_push_speed = 0.0;
    def[5].fixed.restitution_speed = -1.0;
    def[6].fixed.margin = -0.1;
    def[7].fixed.contacts_per_patch = -1;
    def[8].fixed.sleep_speed = -1.0;
    def[9].fixed.sleep_time = -1.0;
    def[10].method = (abut_contact_method)7;
    def[11].collide.feature_angle = 1.0;
    def[12].collide.weld = -1.0;
    def[13].gravity.y = NAN;
    def[14].fixed.margin = INFINITY;
    def[15].collide.feature_angle = NAN;
    for (int i = 0; i < 16; i++) {
        world = NULL;
        assert_status(abut_world_create(&def[i], &world), i < 13 ? ABUT_ERROR_INVALID_ARGUMENT : ABUT_ERROR_NOT_FINITE);
        assert_null(world);
    }
}

static void test_an_empty_world_steps(void **state) {
    (void)state;
    staging s = staging_make(9.81);
    abut_step_report report = staging_run(&s, STAGING_STEP, 3);
    assert_int_equal(report.step, 3);
    assert_near(report.time, 0.05, 1e-15);
    const abut_world_contact *contacts;
    int32_t count = -1;
    assert_ok(abut_world_contacts(s.world, &contacts, &count));
    assert_int_equal(count, 0);
    assert_status(abut_world_step(s.world, 0.0, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_step(s.world, NAN, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_step(NULL, 0.1, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_contacts(NULL, &contacts, &count), ABUT_ERROR_INVALID_ARGUMENT);
    staging_close(&s);
}

/* A heap of boxes and balls on a floor; some of them are in flight. */
static staging make_heap(int32_t threads, uint64_t seed, abut_body_id *last) {
    abut_world_def def = staging_def(9.81);
    def.fixed.sleeping = true;
    def.parallel.threads = threads;
    staging s = staging_make_with(&def);
    staging_ground(&s, 0.5);
    random_state random = random_make(seed);
    for (int i = 0; i < 60; i++) {
        abut_body_def body = staging_body(ABUT_BODY_DYNAMIC, i % 3 == 0 ? s.sphere : s.box, random_vec3(&random, -2.0, 2.0));
        body.pose.position.z = 1.0 + 0.5 * i;
        body.pose.rotation = random_rotation(&random);
        body.restitution = 0.3;
        *last = staging_put(&s, &body);
    }
    abut_spring_def spring = abut_spring_def_default();
    spring.body = *last;
    assert_ok(abut_world_add_spring(s.world, &spring, NULL));
    return s;
}

static void test_equal_calls_give_equal_worlds(void **state) {
    (void)state;
    abut_body_id last;
    staging first = make_heap(1, 4, &last), again = make_heap(1, 4, &last);
    staging threads = make_heap(2, 4, &last), other = make_heap(1, 5, &last);
    assert_true(abut_world_hash(first.world) == abut_world_hash(again.world));
    assert_true(abut_world_hash(first.world) != abut_world_hash(other.world));
    for (int i = 0; i < 90; i++) {
        uint64_t before = abut_world_hash(first.world);
        staging_run(&first, STAGING_STEP, 1);
        staging_run(&again, STAGING_STEP, 1);
        staging_run(&threads, STAGING_STEP, 1);
        assert_true(abut_world_hash(first.world) != before);
        assert_true(abut_world_hash(first.world) == abut_world_hash(again.world));
        assert_true(abut_world_hash(first.world) == abut_world_hash(threads.world));
    }
    staging_close(&first);
    staging_close(&again);
    staging_close(&threads);
    staging_close(&other);
}

static void test_the_hash_sees_every_body(void **state) {
    (void)state;
    staging s = staging_make(0.0);
    staging_add_turned(&s, s.box, abut_vec3_make(0, 0, 0), abut_quat_identity());
    abut_body_id id = staging_add_turned(&s, s.box, abut_vec3_make(5, 0, 0), abut_quat_identity());
    uint64_t before = abut_world_hash(s.world);
    abut_pose pose = staging_state(&s, id).pose;
    pose.position.x = nextafter(5.0, 6.0);
    assert_ok(abut_world_set_body_pose(s.world, id, pose));
    assert_true(abut_world_hash(s.world) != before);
    pose.position.x = 5.0;
    assert_ok(abut_world_set_body_pose(s.world, id, pose));
    assert_true(abut_world_hash(s.world) == before);
    assert_ok(abut_world_set_body_motion(s.world, id, (abut_motion){abut_vec3_make(0, 0, 0), abut_vec3_make(0, 1e-300, 0)}));
    assert_true(abut_world_hash(s.world) != before);
    staging_close(&s);
}

/* A step that fails for lack of memory has no effect: the next one runs as if it had not been tried. */
static void test_a_step_that_finds_no_memory_changes_nothing(void **state) {
    (void)state;
    for (int32_t warm = 0; warm < 60; warm += 29) {
        for (int64_t refused = 0;; refused++) {
            abut_body_id last;
            staging tried = make_heap(1, 9, &last), plain = make_heap(1, 9, &last);
            staging_run(&tried, STAGING_STEP, warm);
            staging_run(&plain, STAGING_STEP, warm);
            const abut_world_contact *contacts;
            int32_t before, after;
            assert_ok(abut_world_contacts(tried.world, &contacts, &before));
            counting_allocator memory = {.refuse_at = refused};
            counting_allocator_install(&memory);
            abut_step_report report = {.step = -5};
            abut_status status = abut_world_step(tried.world, 1.0 / 60.0, &report);
            counting_allocator_remove();
            if (memory.refused) {
                assert_status(status, ABUT_ERROR_OUT_OF_MEMORY);
                assert_int_equal(report.step, -5);
                assert_true(abut_world_hash(tried.world) == abut_world_hash(plain.world));
                assert_ok(abut_world_contacts(tried.world, &contacts, &after));
                assert_int_equal(before, after);
                staging_run(&tried, STAGING_STEP, 1);
            } else {
                assert_ok(status);
            }
            staging_run(&plain, STAGING_STEP, 1);
            assert_true(abut_world_hash(tried.world) == abut_world_hash(plain.world));
            staging_run(&tried, STAGING_STEP, 2);
            staging_run(&plain, STAGING_STEP, 2);
            assert_true(abut_world_hash(tried.world) == abut_world_hash(plain.world));
            staging_close(&tried);
            staging_close(&plain);
            assert_int_equal(memory.live, 0);
            if (!memory.refused) {
                break;
            }
        }
    }
}

static void test_adding_without_memory_changes_nothing(void **state) {
    (void)state;
    for (int64_t refused = 0;; refused++) {
        counting_allocator memory = {.refuse_at = -1};
        counting_allocator_install(&memory);
        staging s = staging_make(9.81);
        memory.refuse_at = memory.requests + refused;
        bool failed = false;
        int32_t bodies = 0;
        for (int i = 0; i < 40 && !failed; i++) {
            abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, s.box, abut_vec3_make(2.0 * i, 0, 0));
            abut_body_id id = {77, 77};
            abut_status status = abut_world_add_body(s.world, &def, &id);
            failed = status != ABUT_OK;
            if (failed) {
                assert_status(status, ABUT_ERROR_OUT_OF_MEMORY);
                assert_int_equal(id.index, 77);
                break;
            }
            bodies++;
            abut_spring_def spring = abut_spring_def_default();
            spring.body = id;
            status = abut_world_add_spring(s.world, &spring, NULL);
            failed = status != ABUT_OK;
        }
        memory.refuse_at = -1;
        assert_int_equal(failed, memory.refused);
        int32_t count;
        assert_status(abut_world_body_ids(s.world, NULL, 0, &count), bodies > 0 ? ABUT_ERROR_CAPACITY : ABUT_OK);
        assert_int_equal(count, bodies);
        staging_run(&s, STAGING_STEP, 1);
        staging_close(&s);
        counting_allocator_remove();
        assert_int_equal(memory.live, 0);
        if (!memory.refused) {
            break;
        }
    }
}

static void test_overflow_is_refused(void **state) {
    (void)state;
    staging s = staging_make(9.81);
    abut_body_id quiet = staging_add_turned(&s, s.box, abut_vec3_make(0, 0, 5), abut_quat_identity());
    abut_body_id fast = staging_add_turned(&s, s.box, abut_vec3_make(1.7e308, 0, 0), abut_quat_identity());
    assert_ok(abut_world_set_body_motion(s.world, fast, (abut_motion){abut_vec3_make(1.7e308, 0, 0), abut_vec3_make(0, 0, 0)}));
    uint64_t before = abut_world_hash(s.world);
    for (int i = 0; i < 3; i++) {
        assert_status(abut_world_step(s.world, 1.0, NULL), ABUT_ERROR_NOT_FINITE);
        assert_true(abut_world_hash(s.world) == before);
    }
    assert_ok(abut_world_remove_body(s.world, fast));
    staging_run(&s, STAGING_STEP, 1);
    assert_true(staging_state(&s, quiet).motion.linear.z < 0.0);
    staging_close(&s);
}

/* The same scene in millimetres, with gravity and settings to match, moves in the same way. */
static void test_scales(void **state) {
    (void)state;
    double rest[3], scale[3] = {1.0, 1e-3, 1e3};
    for (int k = 0; k < 3; k++) {
        abut_world_def def = staging_def(9.81 * scale[k]);
        def.fixed.max_push_speed *= scale[k];
        def.fixed.restitution_speed *= scale[k];
        staging s = staging_make_with(&def);
        abut_shape *box;
        assert_ok(abut_shape_create_box(abut_vec3_make(0.5 * scale[k], 0.4 * scale[k], 0.3 * scale[k]), &box));
        staging_ground(&s, 0.5);
        abut_quat turn = abut_quat_about(abut_unit(abut_vec3_make(1, 2, 0)), 0.3);
        abut_body_id id = staging_add_turned(&s, box, abut_vec3_make(0, 0, scale[k]), turn);
        abut_body_id top = staging_add_turned(&s, box, abut_vec3_make(0.1 * scale[k], 0, 2.0 * scale[k]), abut_quat_identity());
        abut_step_report report = staging_run(&s, STAGING_STEP, 240);
        assert_true(report.max_penetration <= 1e-6 * scale[k]);
        assert_near(staging_state(&s, id).centre.z / scale[k], 0.3, 1e-6);
        rest[k] = staging_state(&s, top).centre.x / scale[k];
        abut_shape_release(box);
        staging_close(&s);
    }
    assert_near(rest[1], rest[0], 1e-6);
    assert_near(rest[2], rest[0], 1e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definitions_are_checked),
        cmocka_unit_test(test_an_empty_world_steps),
        cmocka_unit_test(test_equal_calls_give_equal_worlds),
        cmocka_unit_test(test_the_hash_sees_every_body),
        cmocka_unit_test(test_a_step_that_finds_no_memory_changes_nothing),
        cmocka_unit_test(test_adding_without_memory_changes_nothing),
        cmocka_unit_test(test_overflow_is_refused),
        cmocka_unit_test(test_scales),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
