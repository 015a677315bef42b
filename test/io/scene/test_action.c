/* The steps of actions, their order, and warnings. */
#include "support/io_files.h"

#include <math.h>

/* dt in steps of 1 / denominator, one removal at `at`. */
static int64_t step_of(const char *dt, const char *at) {
    char text[1024];
    snprintf(
        text, sizeof text,
        "{\"abut_scene\": 1, \"duration\": 1000, \"dt\": %s, \"bodies\": [{\"name\": \"b\", \"shape\": {\"sphere\": {\"radius\": 1}}}], "
        "\"actions\": [{\"at\": %s, \"remove\": \"b\"}]}",
        dt, at);
    abut_scene *scene = right_scene(text);
    assert_int_equal(abut_scene_action_count(scene), 1);
    const abut_scene_action *action = abut_scene_get_action(scene, 0);
    assert_int_equal(action->kind, ABUT_ACTION_REMOVE);
    assert_int_equal(action->end_step, action->first_step + 1);
    assert_near(action->until, action->at, 0.0);
    int64_t step = action->first_step;
    abut_scene_destroy(scene);
    return step;
}

static void test_the_step_whose_interval_contains_the_time(void **state) {
    (void)state;
    assert_int_equal(step_of("0.25", "0"), 0);
    assert_int_equal(step_of("0.25", "0.2499"), 0);
    assert_int_equal(step_of("0.25", "0.25"), 1);
    assert_int_equal(step_of("0.25", "0.4"), 1);
    assert_int_equal(step_of("0.25", "100"), 400);
    /* 0.3 / 0.1 = 2.9999999999999996 in doubles, and 2 s are 120 sixtieths. */
    assert_int_equal(step_of("0.1", "0.3"), 3);
    assert_int_equal(step_of("0.1", "0.7"), 7);
    assert_int_equal(step_of("0.016666666666666666", "2"), 120);
    assert_int_equal(step_of("0.016666666666666666", "59"), 3540);
    assert_int_equal(step_of("0.1", "0.29999"), 2);
}

/* Every whole number of steps, as a decimal fraction, is found. */
static void test_whole_numbers_of_steps(void **state) {
    (void)state;
    for (int i = 1; i < 400; i += 7) {
        char at[32];
        snprintf(at, sizeof at, "%d.%02d", i / 100, i % 100);
        assert_int_equal(step_of("0.01", at), i);
    }
}

static const char mixed[] =
    "{\"abut_scene\": 1, \"duration\": 2, \"dt\": 0.5, \"bodies\": [{\"name\": \"a\", \"shape\": {\"sphere\": {\"radius\": 1}}},"
    " {\"name\": \"b\", \"shape\": {\"cone\": {\"radius\": 1, \"height\": 4}}, \"position\": [9, 0, 0]}], \"actions\": [\n"
    " {\"at\": 1.9, \"remove\": \"a\"},\n"
    " {\"at\": 2, \"remove\": \"b\"},\n"
    " {\"at\": 1.2, \"until\": 1.3, \"force\": {\"body\": \"b\", \"force\": [1, 2, 3]}},\n"
    " {\"at\": 1.0, \"until\": 9, \"spring\": {\"body\": \"b\", \"target\": [4, 5, 6]}},\n"
    " {\"at\": 1.4, \"velocity\": {\"body\": \"a\", \"angular_velocity\": [7, 8, 9]}}]}";

static void test_order_and_values(void **state) {
    (void)state;
    abut_scene *scene = right_scene(mixed);
    assert_int_equal(abut_scene_action_count(scene), 5);
    static const abut_action_kind kinds[] = {ABUT_ACTION_FORCE, ABUT_ACTION_SPRING, ABUT_ACTION_VELOCITY, ABUT_ACTION_REMOVE,
                                             ABUT_ACTION_REMOVE};
    static const int64_t first[] = {2, 2, 2, 3, 4}, end[] = {3, 18, 3, 4, 5};
    const abut_scene_action *action[5];
    for (int32_t i = 0; i < 5; i++) {
        action[i] = abut_scene_get_action(scene, i);
        assert_int_equal(action[i]->kind, kinds[i]);
        assert_int_equal(action[i]->first_step, first[i]);
        assert_int_equal(action[i]->end_step, end[i]);
    }
    assert_vec3_near(action[0]->force, abut_vec3_make(1, 2, 3), 0.0);
    /* The origin of a cone's frame is its centre of mass, which is the default. */
    assert_vec3_near(action[0]->anchor, abut_vec3_make(0, 0, 0), 1e-15);
    assert_vec3_near(action[1]->target, abut_vec3_make(4, 5, 6), 0.0);
    assert_vec3_near(action[1]->target_end, abut_vec3_make(4, 5, 6), 0.0);
    abut_spring_def spring = abut_spring_def_default();
    assert_near(action[1]->frequency, spring.frequency, 0.0);
    assert_near(action[1]->damping_ratio, spring.damping_ratio, 0.0);
    assert_true(isinf(action[1]->max_force));
    assert_false(action[2]->sets_velocity);
    assert_true(action[2]->sets_angular_velocity);
    assert_vec3_near(action[2]->angular_velocity, abut_vec3_make(7, 8, 9), 0.0);
    abut_scene_destroy(scene);
}

static void test_warning_for_what_never_happens(void **state) {
    (void)state;
    abut_scene *scene = right_scene(mixed);
    assert_int_equal(abut_scene_warning_count(scene), 1);
    char expected[1200];
    snprintf(expected, sizeof expected, "%s:3:9: this action never happens: it is at 2 s, and the scene ends at 2 s",
             abut_scene_path(scene));
    assert_string_equal(abut_scene_warning(scene, 0), expected);
    assert_null(abut_scene_warning(scene, 1));
    assert_null(abut_scene_warning(scene, -1));
    abut_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_step_whose_interval_contains_the_time),
        cmocka_unit_test(test_whole_numbers_of_steps),
        cmocka_unit_test(test_order_and_values),
        cmocka_unit_test(test_warning_for_what_never_happens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
