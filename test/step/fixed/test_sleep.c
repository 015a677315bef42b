/* Sleep: resting bodies fall asleep island by island, stay unchanged to the last bit, and wake when something touches them. */
#include "support/random.h"
#include "support/staging.h"

static const double step = 1.0 / 60.0;

enum { PILE = 8 };

typedef struct pile {
    staging stage;
    abut_body_id bodies[PILE];
} pile;

/* Boxes and cylinders, dropped into a pit. */
static pile open_pile(uint64_t seed) {
    pile p = {.stage = staging_open(NULL)};
    random_state random = random_make(seed);
    staging_ground(&p.stage, 0.6);
    const abut_shape *wall = staging_box(&p.stage, 0.2, 1.6, 1.0), *box = staging_box(&p.stage, 0.3, 0.25, 0.2);
    abut_shape *cylinder = NULL;
    assert_ok(abut_shape_create_prism(0.25, 0.2, 16, &cylinder));
    staging_keep(&p.stage, cylinder);
    for (int i = 0; i < 4; i++) {
        abut_body_def side = staging_body(ABUT_BODY_STATIC, wall, abut_vec3_make(0, 0, 1));
        side.pose.rotation = abut_quat_about(abut_vec3_make(0, 0, 1), i * 1.5707963267948966);
        side.pose.position = abut_add(side.pose.position, abut_quat_rotate(side.pose.rotation, abut_vec3_make(1.4, 0, 0)));
        staging_put(&p.stage, &side);
    }
    for (int i = 0; i < PILE; i++) {
        abut_body_def body = staging_body(ABUT_BODY_DYNAMIC, i % 2 == 0 ? box : cylinder, random_vec3(&random, -0.6, 0.6));
        body.pose.position.z = 0.5 + 0.6 * i;
        body.pose.rotation = random_rotation(&random);
        body.friction = 0.6;
        p.bodies[i] = staging_put(&p.stage, &body);
    }
    return p;
}

static int32_t steps_to_sleep(staging *stage, int32_t limit) {
    for (int32_t i = 1; i <= limit; i++) {
        if (staging_run(stage, step, 1).awake == 0) {
            return i;
        }
    }
    return limit + 1;
}

static uint64_t contact_hash(const abut_world *world) {
    const abut_world_contact *contacts;
    int32_t count;
    assert_ok(abut_world_contacts(world, &contacts, &count));
    uint64_t hash = (uint64_t)count;
    for (int32_t i = 0; i < count; i++) {
        const double numbers[] = {contacts[i].normal_force, contacts[i].contact.gap, contacts[i].contact.on_a.x, contacts[i].contact.on_a.y,
                                  contacts[i].friction_force.x};
        const unsigned char *bytes = (const unsigned char *)numbers;
        for (size_t k = 0; k < sizeof numbers; k++) {
            hash = (hash ^ bytes[k]) * UINT64_C(1099511628211);
        }
    }
    return hash;
}

static void test_a_pile_falls_asleep(void **state) {
    (void)state;
    uint64_t seed = random_seed("test_a_pile_falls_asleep", 31);
    for (uint64_t k = 0; k < 2; k++) {
        pile p = open_pile(seed + k);
        int32_t steps = steps_to_sleep(&p.stage, 900);
        print_message("asleep after %d steps\n", (int)steps);
        assert_true(steps > 30 && steps <= 900);
        uint64_t hash = abut_world_hash(p.stage.world), contacts = contact_hash(p.stage.world);
        for (int32_t i = 0; i < 100; i++) {
            abut_step_report report = staging_run(&p.stage, step, 1);
            assert_int_equal(report.awake, 0);
            assert_true(report.contacts >= 3 && report.touching >= 1);
            assert_near(report.kinetic_energy, 0.0, 0.0);
            assert_true(abut_world_hash(p.stage.world) == hash);
            assert_true(contact_hash(p.stage.world) == contacts);
        }
        for (int32_t i = 0; i < PILE; i++) {
            assert_vec3_near(staging_state(&p.stage, p.bodies[i]).motion.linear, abut_vec3_make(0, 0, 0), 0.0);
        }
        staging_close(&p.stage);
    }
}

static void test_touch_wakes(void **state) {
    (void)state;
    staging stage = staging_open(NULL);
    staging_ground(&stage, 0.5);
    const abut_shape *box = staging_box(&stage, 0.5, 0.5, 0.5);
    abut_body_id lower = staging_add(&stage, ABUT_BODY_DYNAMIC, box, abut_vec3_make(0, 0, 0.5));
    abut_body_id upper = staging_add(&stage, ABUT_BODY_DYNAMIC, box, abut_vec3_make(0, 0, 1.5));
    abut_body_id apart = staging_add(&stage, ABUT_BODY_DYNAMIC, box, abut_vec3_make(3, 0, 0.5));
    staging_run(&stage, step, 60);
    assert_false(staging_awake(&stage, lower) || staging_awake(&stage, upper) || staging_awake(&stage, apart));
    abut_pose untouched = staging_state(&stage, apart).pose;
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, staging_sphere(&stage, 0.3), abut_vec3_make(0.1, 0, 4));
    abut_body_id ball = staging_put(&stage, &def);
    bool woken = false;
    for (int32_t i = 0; i < 60; i++) {
        staging_run(&stage, step, 1);
        bool touched = staging_state(&stage, ball).motion.linear.z > -9.81 * step * i;
        assert_true(staging_awake(&stage, lower) == staging_awake(&stage, upper));
        assert_true(staging_awake(&stage, upper) || !touched || woken);
        woken = woken || staging_awake(&stage, upper);
        assert_true(i > 20 || !woken);
        assert_false(staging_awake(&stage, apart));
    }
    assert_true(woken);
    abut_pose now = staging_state(&stage, apart).pose;
    assert_memory_equal(&untouched, &now, sizeof untouched);
    staging_close(&stage);
}

/* Two stacks with only the ground in common are two islands. */
static void test_islands(void **state) {
    (void)state;
    staging stage = staging_open(NULL);
    staging_ground(&stage, 0.5);
    const abut_shape *box = staging_box(&stage, 0.5, 0.5, 0.5);
    abut_body_id stack[2][3];
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 3; i++) {
            stack[k][i] = staging_add(&stage, ABUT_BODY_DYNAMIC, box, abut_vec3_make(1.5 * k, 0, 0.5 + i));
        }
    }
    assert_true(steps_to_sleep(&stage, 60) <= 60);
    abut_body_state before[3];
    for (int i = 0; i < 3; i++) {
        before[i] = staging_state(&stage, stack[1][i]);
    }
    assert_ok(abut_world_set_body_motion(stage.world, stack[0][2], (abut_motion){abut_vec3_make(-0.3, 0, 0), abut_vec3_make(0, 0, 0)}));
    assert_int_equal(staging_run(&stage, step, 1).awake, 3);
    assert_true(steps_to_sleep(&stage, 200) <= 200);
    for (int i = 0; i < 3; i++) {
        abut_body_state after = staging_state(&stage, stack[1][i]);
        assert_memory_equal(&before[i].pose, &after.pose, sizeof after.pose);
    }
    assert_true(staging_state(&stage, stack[0][2]).centre.x < -1e-3);
    /* An island sleeps no earlier than its most active body. */
    for (int32_t i = 0; i < 60; i++) {
        assert_ok(abut_world_set_body_motion(stage.world, stack[0][2], (abut_motion){abut_vec3_make(0, 0, 0), abut_vec3_make(0, 0, 0)}));
        assert_int_equal(staging_run(&stage, step, 1).awake, 3);
    }
    staging_close(&stage);
}

static void test_sleep_time_and_speed(void **state) {
    (void)state;
    const double times[] = {0.1, 0.5, 1.0};
    for (int k = 0; k < 3; k++) {
        abut_world_def def = abut_world_def_default();
        def.gravity = abut_vec3_make(0, 0, 0);
        def.fixed.sleep_time = times[k];
        staging stage = staging_open(&def);
        staging_add(&stage, ABUT_BODY_DYNAMIC, staging_sphere(&stage, 0.5), abut_vec3_make(0, 0, 0));
        int32_t steps = steps_to_sleep(&stage, 100);
        assert_true(fabs(steps * step - times[k]) <= 1.01 * step);
        staging_close(&stage);
    }
    /* The speed of the surface counts, including rotation. */
    const double speeds[][2] = {{0.0099, 0}, {0.0101, 0}, {0, 0.0185}, {0, 0.0205}};
    for (int k = 0; k < 4; k++) {
        abut_world_def def = abut_world_def_default();
        def.gravity = abut_vec3_make(0, 0, 0);
        staging stage = staging_open(&def);
        abut_shape *capsule = NULL;
        assert_ok(abut_shape_create_capsule(0.1, 0.4, &capsule));
        staging_keep(&stage, capsule);
        abut_body_def body = staging_body(ABUT_BODY_DYNAMIC, capsule, abut_vec3_make(0, 0, 0));
        body.motion.linear = abut_vec3_make(speeds[k][0], 0, 0);
        body.motion.angular = abut_vec3_make(speeds[k][1], 0, 0);
        abut_body_id id = staging_put(&stage, &body);
        staging_run(&stage, step, 120);
        assert_true(staging_awake(&stage, id) == (k % 2 == 1));
        staging_close(&stage);
    }
}

static void test_sleeping_can_be_off(void **state) {
    (void)state;
    abut_world_def def = abut_world_def_default();
    def.fixed.sleeping = false;
    staging stage = staging_open(&def);
    staging_ground(&stage, 0.5);
    staging_add(&stage, ABUT_BODY_DYNAMIC, staging_box(&stage, 0.5, 0.5, 0.5), abut_vec3_make(0, 0, 0.5));
    assert_int_equal(staging_run(&stage, step, 120).awake, 1);
    staging_close(&stage);
}

/* A body on a moving kinematic one stays awake, however slow that is; when that stops the body sleeps, and it wakes when that moves
 * again. */
static void test_kinematic_ground(void **state) {
    (void)state;
    staging stage = staging_open(NULL);
    abut_vec3 zero = {0, 0, 0}, slow = {1e-3, 0, 0};
    abut_body_def def = staging_body(ABUT_BODY_KINEMATIC, staging_box(&stage, 5, 5, 0.5), abut_vec3_make(0, 0, -0.5));
    def.motion.linear = slow;
    abut_body_id belt = staging_put(&stage, &def);
    abut_body_id box = staging_add(&stage, ABUT_BODY_DYNAMIC, staging_box(&stage, 0.5, 0.5, 0.5), abut_vec3_make(0, 0, 0.5));
    staging_run(&stage, step, 120);
    assert_true(staging_awake(&stage, box));
    assert_near(staging_state(&stage, box).centre.x, 2e-3, 1e-5);
    assert_ok(abut_world_set_body_motion(stage.world, belt, (abut_motion){zero, zero}));
    assert_true(steps_to_sleep(&stage, 60) <= 60);
    assert_ok(abut_world_set_body_motion(stage.world, belt, (abut_motion){slow, zero}));
    staging_run(&stage, step, 1);
    assert_true(staging_awake(&stage, box));
    staging_close(&stage);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_pile_falls_asleep),  cmocka_unit_test(test_touch_wakes),         cmocka_unit_test(test_islands),
        cmocka_unit_test(test_sleep_time_and_speed), cmocka_unit_test(test_sleeping_can_be_off), cmocka_unit_test(test_kinematic_ground),
    };
    return cmocka_run_group_tests_name("step/sleep", tests, NULL, NULL);
}
