/*
 * A list of near pairs that goes on from step to step changes no bit of the bodies: worlds that keep it are compared with worlds that list in each
 * step. What the list depends on ends it: places, bodies, filters, excluded pairs.
 */
#include <stdlib.h>
#include <string.h>

#include <abut/abut.h>

#include "step/dem/kept.h"
#include "support/random.h"
#include "support/staging.h"
#include "support/threads.h"

enum { BALLS = 90, STEPS = 60 };

typedef struct twin {
    staging stage;
    abut_body_id ids[BALLS + STEPS], floor, wall;
    int32_t count;
    int64_t lists;
} twin;

static abut_body_def ball(const staging *stage, int32_t i, abut_vec3 place) {
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, stage->shapes[i % 2], place);
    def.restitution = 0.4;
    def.friction = i % 3 == 0 ? 0.2 : 0.5;
    def.material.young = 1e6;
    def.rolling_resistance = i % 5 == 0 ? 0.1 : 0.0;
    return def;
}

/* Grains that fall on a floor; a wall goes through them. */
static twin make_twin(abut_parallel parallel, bool periodic) {
    twin t = {.lists = 0};
    random_state random = random_make(11);
    abut_world_def def = abut_world_def_default();
    def.stepper = ABUT_STEPPER_DEM;
    def.parallel = parallel;
    def.dem.periodic[1] = periodic;
    def.dem.lower = abut_vec3_make(-1, -0.01, -1);
    def.dem.upper = abut_vec3_make(1, 0.1, 1);
    t.stage = staging_open(&def);
    staging_sphere(&t.stage, 0.01);
    staging_sphere(&t.stage, 0.008);
    t.floor = staging_ground(&t.stage, 0.4);
    abut_body_def wall = staging_body(ABUT_BODY_KINEMATIC, staging_plane(&t.stage, abut_vec3_make(1, 0, 0)), abut_vec3_make(-0.02, 0, 0));
    wall.motion.linear = abut_vec3_make(0.1, 0, 0);
    t.wall = staging_put(&t.stage, &wall);
    for (int32_t i = 0; i < BALLS; i++) {
        abut_vec3 place = {0.0205 * (i % 5), 0.0215 * (i / 5 % 5), 0.0105 + 0.0205 * (i / 25)};
        abut_body_def def_of = ball(&t.stage, i, place);
        def_of.motion.linear = random_vec3(&random, -0.2, 0.2);
        t.ids[t.count++] = staging_put(&t.stage, &def_of);
    }
    return t;
}

/* Changes of every kind, one after the other. */
static void act(twin *t, int32_t step) {
    abut_world *world = t->stage.world;
    const abut_body_id id = t->ids[step], other = t->ids[step + 1];
    abut_body_state state;
    memset(&state, 0, sizeof state);
    if (step != 20) { /* that one is removed before */
        state = staging_state(&t->stage, id);
    }
    switch (step) {
    case 5:
        assert_ok(abut_world_set_body_friction(world, id, 0.9));
        break;
    case 8:
        assert_ok(abut_world_apply_impulse(world, id, abut_vec3_make(1e-3, 0, 1e-3), state.centre));
        break;
    case 12: {
        abut_pose pose = state.pose;
        pose.position.z += 0.2;
        assert_ok(abut_world_set_body_pose(world, id, pose));
        break;
    }
    case 16:
        assert_ok(abut_world_remove_body(world, t->ids[20]));
        break;
    case 22: {
        abut_body_def def = ball(&t->stage, 1, abut_vec3_make(0.03, 0.04, 0.25));
        t->ids[t->count++] = staging_put(&t->stage, &def);
        break;
    }
    case 26:
        assert_ok(abut_world_set_body_filter(world, id, (abut_filter){1, 0, 0}));
        break;
    case 30:
        assert_ok(abut_world_set_body_filter(world, t->ids[26], (abut_filter){1, UINT64_MAX, 0}));
        break;
    case 34:
        assert_ok(abut_world_exclude_pair(world, id, other));
        break;
    case 38:
        assert_ok(abut_world_include_pair(world, t->ids[34], t->ids[35]));
        break;
    case 42:
        assert_ok(abut_world_set_body_shape(world, t->ids[0], t->stage.shapes[1]));
        break;
    case 46:
        assert_ok(abut_world_set_gravity(world, abut_vec3_make(1, 0, -9)));
        break;
    case 50:
        assert_ok(abut_world_set_body_motion(world, t->wall, (abut_motion){{-0.2, 0, 0}, {0, 0.5, 0}}));
        break;
    default:
        break;
    }
}

static void save_and_restore(abut_world *world) {
    size_t size = 0;
    (void)abut_world_save(world, NULL, 0, &size);
    void *saved = check_memory(size, 1);
    assert_ok(abut_world_save(world, saved, size, &size));
    assert_ok(abut_world_restore(world, saved, size));
    void *again = check_memory(size, 1);
    size_t same = 0;
    assert_ok(abut_world_save(world, again, size, &same));
    assert_int_equal(same, size);
    assert_memory_equal(saved, again, size);
    free(saved);
    free(again);
}

typedef enum how { KEEPS, LISTS, RESTORES } how;

/* In long steps bodies leave the skin within a step. */
static abut_step_report make_step(twin *t, how how, int32_t step) {
    struct dem_stepper *dem = t->stage.world->dem;
    abut_step_report report;
    memset(&report, 0, sizeof report);
    act(t, step);
    if (how == LISTS && dem != NULL) {
        dem->holds = false;
    }
    if (how == RESTORES) {
        save_and_restore(t->stage.world);
    }
    assert_ok(abut_world_step(t->stage.world, step % 4 == 3 ? 5e-3 : 3e-4, &report));
    t->lists += report.dem.lists;
    report.seconds_broad = report.seconds_narrow = report.seconds_solve = report.seconds_total = 0.0;
    return report;
}

static void compare(abut_parallel parallel, bool periodic) {
    twin keeps = make_twin(parallel, periodic), lists = make_twin((abut_parallel){.threads = 1}, periodic),
         restores = make_twin(parallel, periodic);
    for (int32_t step = 0; step < STEPS; step++) {
        abut_step_report kept = make_step(&keeps, KEEPS, step), listed = make_step(&lists, LISTS, step),
                         restored = make_step(&restores, RESTORES, step);
        if (abut_world_hash(keeps.stage.world) != abut_world_hash(lists.stage.world)) {
            fail_msg("another world than with a new list, after step %d", (int)step);
        }
        if (memcmp(&kept, &restored, sizeof kept) != 0) {
            fail_msg("another report after the world was restored, in step %d", (int)step);
        }
        assert_int_equal(kept.touching, listed.touching);
        assert_near(kept.dem.elastic_energy, listed.dem.elastic_energy, 1e-13 * listed.dem.elastic_energy);
        assert_near(kept.dem.damping_work, listed.dem.damping_work, 1e-13 * listed.dem.damping_work);
    }
    assert_true(keeps.lists < lists.lists - 25);
    staging_close(&keeps.stage);
    staging_close(&lists.stage);
    staging_close(&restores.stage);
}

static void test_the_same_bits(void **state) {
    (void)state;
    three_threads own;
    const abut_parallel parallel[] = {{.threads = 1}, {.threads = 2}, {.threads = 8}, three_threads_parallel(&own)};
    for (int i = 0; i < 4; i++) {
        compare(parallel[i], i % 2 == 1);
    }
}

static int64_t lists_of_step(twin *t) {
    abut_step_report report;
    assert_ok(abut_world_step(t->stage.world, 1e-5, &report));
    return report.dem.lists;
}

/* The first step lists; the next ones do not, until something changes that the list depends on. */
static void test_what_ends_a_list(void **state) {
    (void)state;
    twin t = make_twin((abut_parallel){.threads = 1}, false);
    abut_world *world = t.stage.world;
    const abut_vec3 x = {1e-6, 0, 0};
    assert_int_equal(lists_of_step(&t), 1);
    assert_int_equal(lists_of_step(&t), 0);
    assert_ok(abut_world_set_body_friction(world, t.ids[0], 0.7));
    assert_ok(abut_world_set_body_motion(world, t.ids[1], (abut_motion){x, x}));
    assert_ok(abut_world_apply_force(world, t.ids[2], x, x));
    assert_ok(abut_world_set_gravity(world, x));
    assert_int_equal(lists_of_step(&t), 0);
    abut_body_state at = staging_state(&t.stage, t.ids[3]);
    assert_ok(abut_world_set_body_pose(world, t.ids[3], at.pose));
    assert_int_equal(lists_of_step(&t), 1);
    assert_ok(abut_world_set_body_pose(world, t.floor, abut_pose_identity()));
    assert_int_equal(lists_of_step(&t), 1);
    assert_ok(abut_world_set_body_shape(world, t.ids[3], t.stage.shapes[0]));
    assert_int_equal(lists_of_step(&t), 1);
    assert_ok(abut_world_set_body_filter(world, t.ids[4], (abut_filter){1, 0, 0}));
    assert_int_equal(lists_of_step(&t), 1);
    assert_ok(abut_world_exclude_pair(world, t.ids[4], t.ids[5]));
    assert_int_equal(lists_of_step(&t), 1);
    assert_ok(abut_world_include_pair(world, t.ids[4], t.ids[5]));
    assert_int_equal(lists_of_step(&t), 1);
    assert_ok(abut_world_remove_body(world, t.ids[6]));
    assert_int_equal(lists_of_step(&t), 1);
    abut_body_def def = ball(&t.stage, 0, abut_vec3_make(0, 0, 1));
    staging_put(&t.stage, &def);
    assert_int_equal(lists_of_step(&t), 1);
    assert_int_equal(lists_of_step(&t), 0);
    save_and_restore(world);
    assert_int_equal(lists_of_step(&t), 0);
    save_and_restore(world);
    assert_ok(abut_world_remove_body(world, t.ids[7]));
    assert_int_equal(lists_of_step(&t), 1);
    staging_close(&t.stage);
}

/* A filter of the caller may say something else in each step. */
static bool lets_touch(void *context, const abut_body_pair *pair) {
    (void)pair;
    return *(const bool *)context;
}

static void test_filter_of_the_caller(void **state) {
    (void)state;
    bool may = false;
    abut_world_def def = abut_world_def_default();
    def.stepper = ABUT_STEPPER_DEM;
    def.filter.lets_touch = lets_touch;
    def.filter.context = &may;
    staging stage = staging_open(&def);
    const abut_shape *sphere = staging_sphere(&stage, 0.01);
    staging_add(&stage, ABUT_BODY_DYNAMIC, sphere, abut_vec3_make(0, 0, 0));
    staging_add(&stage, ABUT_BODY_DYNAMIC, sphere, abut_vec3_make(0.0199, 0, 0));
    assert_int_equal(staging_run(&stage, 1e-5, 2).touching, 0);
    may = true;
    assert_int_equal(staging_run(&stage, 1e-5, 1).touching, 1);
    staging_close(&stage);
}

/* A wall that comes from afar within one step meets the ball in time. */
static void test_wall_from_afar(void **state) {
    (void)state;
    abut_world_def def = abut_world_def_default();
    def.stepper = ABUT_STEPPER_DEM;
    def.gravity = abut_vec3_make(0, 0, 0);
    staging stage = staging_open(&def);
    abut_body_def wall = staging_body(ABUT_BODY_KINEMATIC, staging_plane(&stage, abut_vec3_make(1, 0, 0)), abut_vec3_make(-0.1, 0, 0));
    wall.motion.linear = abut_vec3_make(1, 0, 0);
    staging_put(&stage, &wall);
    abut_body_id id = staging_add(&stage, ABUT_BODY_DYNAMIC, staging_sphere(&stage, 0.01), abut_vec3_make(0.05, 0, 0));
    staging_run(&stage, 0.2, 1);
    assert_true(staging_state(&stage, id).motion.linear.x > 1.0);
    assert_true(staging_state(&stage, id).centre.x > 0.1);
    staging_close(&stage);
}

/* Lists that end many times are made anew together with the order of the balls. */
static void test_old_lists(void **state) {
    (void)state;
    twin t = make_twin((abut_parallel){.threads = 1}, false);
    int32_t oldest = 0;
    for (int32_t step = 0; step < 200; step++) {
        assert_ok(abut_world_step(t.stage.world, 1e-3, NULL));
        oldest = t.stage.world->dem->system.age > oldest ? t.stage.world->dem->system.age : oldest;
    }
    assert_in_range(oldest, 10, 20);
    staging_close(&t.stage);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_same_bits), cmocka_unit_test(test_what_ends_a_list),
                                       cmocka_unit_test(test_filter_of_the_caller), cmocka_unit_test(test_wall_from_afar),
                                       cmocka_unit_test(test_old_lists)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
