/* Joints of a world as objects: ids, checks, saved states; and what holds for any joints: momenta, threads. */
#include <stdio.h>
#include <stdlib.h>

#include <abut/joint.h>

#include "support/check.h"
#include "support/random.h"
#include "support/staging.h"

enum { BODIES = 9, KINDS = ABUT_JOINT_GEAR + 1 };

static abut_joint_id add(abut_world *world, const abut_joint_def *def) {
    abut_joint_id id = {0, 0};
    assert_ok(abut_world_add_joint(world, def, &id));
    return id;
}

static abut_joint_state state_of(const abut_world *world, abut_joint_id id) {
    abut_joint_state state;
    assert_ok(abut_world_joint_state(world, id, &state));
    return state;
}

static void test_ids(void **state) {
    (void)state;
    staging s = staging_make(0.0);
    abut_body_id a = staging_add(&s, ABUT_BODY_DYNAMIC, s.box, abut_vec3_make(0, 0, 0)),
                 b = staging_add(&s, ABUT_BODY_DYNAMIC, s.box, abut_vec3_make(3, 0, 0)),
                 c = staging_add(&s, ABUT_BODY_STATIC, s.box, abut_vec3_make(6, 0, 0));
    abut_joint_def def = abut_joint_def_default(ABUT_JOINT_SPHERICAL);
    def.a = a;
    def.b = b;
    def.frame_a.position.x = 1.5;
    def.frame_b.position.x = -1.5;
    abut_joint_id first = add(s.world, &def);
    def.a = c;
    def.frame_a.position.x = -1.5;
    def.frame_b.position.x = 1.5;
    abut_joint_id keeps = add(s.world, &def);
    abut_joint_state read;
    abut_joint_motor motor = {ABUT_MOTOR_OFF, 0.0, INFINITY, INFINITY};
    assert_ok(abut_world_remove_joint(s.world, first));
    assert_status(abut_world_remove_joint(s.world, first), ABUT_ERROR_STALE_ID);
    assert_status(abut_world_joint_state(s.world, first, &read), ABUT_ERROR_STALE_ID);
    assert_status(abut_world_set_joint_motor(s.world, first, &motor), ABUT_ERROR_STALE_ID);
    def.a = a;
    def.frame_a.position.x = 1.5;
    def.frame_b.position.x = -1.5;
    abut_joint_id second = add(s.world, &def);
    assert_int_equal(second.index, first.index);
    assert_int_equal(second.generation, first.generation + 1);
    assert_ok(abut_world_remove_body(s.world, a)); /* takes its joints along */
    assert_status(abut_world_joint_state(s.world, second, &read), ABUT_ERROR_STALE_ID);
    assert_ok(abut_world_joint_state(s.world, keeps, &read));
    assert_ok(abut_world_remove_body(s.world, c));
    assert_status(abut_world_joint_state(s.world, keeps, &read), ABUT_ERROR_STALE_ID);
    staging_run(&s, STAGING_STEP, 2);
    staging_close(&s);
}

static void test_definitions_are_checked(void **state) {
    (void)state;
    enum { BAD = 20, NUMBERS = 6 };
    staging s = staging_make(0.0);
    abut_body_id a = staging_add(&s, ABUT_BODY_DYNAMIC, s.box, abut_vec3_make(0, 0, 0)),
                 fixed = staging_add(&s, ABUT_BODY_STATIC, s.box, abut_vec3_make(3, 0, 0)), still = staging_ground(&s, 0.5);
    abut_joint_def def[BAD];
    for (int i = 0; i < BAD; i++) {
        def[i] = abut_joint_def_default(ABUT_JOINT_REVOLUTE);
        def[i].a = a;
        def[i].b = fixed;
    }
    def[0].rest = NAN;
    def[1].frame_a.position.x = INFINITY;
    def[2].frame_b.rotation.w = NAN;
    def[3].motor.target = INFINITY;
    def[4].upper = NAN;
    def[5].motor.max_force = NAN;
    def[6].b = a;
    def[7].a = still;
    def[8].kind = (abut_joint_kind)17;
    def[9].frame_a.rotation.w = 0.5;
    def[10].stiffness = -1.0;
    def[11].damping = -1.0;
    def[12].lower = 1.0;
    def[12].upper = 0.0;
    def[13].kind = ABUT_JOINT_GEAR;
    def[13].ratio = 0.0;
    def[14].kind = ABUT_JOINT_WELD;
    def[14].limited = true;
    def[15].kind = ABUT_JOINT_SPHERICAL;
    def[15].motor.mode = ABUT_MOTOR_SPEED;
    def[16].motor.mode = (abut_motor_mode)5;
    def[17].motor.mode = ABUT_MOTOR_POSITION;
    def[17].motor.speed = 0.0;
    def[18].break_force = -1.0;
    def[19].kind = ABUT_JOINT_DISTANCE;
    def[19].rest = -1.0;
    for (int i = 0; i < BAD; i++) {
        abut_joint_id id = {9, 9};
        assert_status(abut_world_add_joint(s.world, &def[i], &id), i < NUMBERS ? ABUT_ERROR_NOT_FINITE : ABUT_ERROR_INVALID_ARGUMENT);
        assert_int_equal(id.index, 9);
    }
    def[0] = abut_joint_def_default(ABUT_JOINT_WELD);
    assert_status(abut_world_add_joint(s.world, &def[0], NULL), ABUT_ERROR_STALE_ID);
    staging_close(&s);
}

static void test_the_dem_stepper_has_no_joints(void **state) {
    (void)state;
    abut_world_def world = staging_def(9.81);
    world.stepper = ABUT_STEPPER_DEM;
    staging s = staging_make_with(&world);
    abut_joint_def def = abut_joint_def_default(ABUT_JOINT_WELD);
    def.a = staging_add(&s, ABUT_BODY_DYNAMIC, s.sphere, abut_vec3_make(0, 0, 0));
    def.b = staging_add(&s, ABUT_BODY_DYNAMIC, s.sphere, abut_vec3_make(2, 0, 0));
    assert_status(abut_world_add_joint(s.world, &def, NULL), ABUT_ERROR_UNSUPPORTED);
    staging_close(&s);
}

/* ---- machines of random joints ---- */

static abut_body_id random_body(staging *s, random_state *r, int i) {
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, i % 2 == 0 ? s->box : s->sphere, random_vec3(r, -1.0, 1.0));
    def.pose.position.x += 1.5 * i;
    def.pose.position.z += 3.0;
    def.pose.rotation = random_rotation(r);
    def.mass = random_log_range(r, 0.1, 10.0);
    def.motion.linear = random_vec3(r, -1.0, 1.0);
    def.motion.angular = random_vec3(r, -1.0, 1.0);
    return staging_put(s, &def);
}

static abut_pose inverse_of(abut_pose pose) {
    return (abut_pose){abut_pose_apply_inverse(pose, abut_vec3_make(0, 0, 0)), abut_quat_conjugate(pose.rotation)};
}

/* A joint whose frames fit where the bodies are, but for the length of a distance. */
static abut_joint_def random_joint(const staging *s, random_state *r, int kinds, abut_body_id a, abut_body_id b) {
    abut_joint_def def = abut_joint_def_default((abut_joint_kind)random_below(r, kinds));
    abut_pose pose_a = staging_state(s, a).pose, pose_b = staging_state(s, b).pose;
    abut_pose frame = {abut_add(abut_lerp(pose_a.position, pose_b.position, 0.5), random_vec3(r, -0.3, 0.3)), random_rotation(r)};
    bool moves = def.kind == ABUT_JOINT_REVOLUTE || def.kind == ABUT_JOINT_PRISMATIC || def.kind == ABUT_JOINT_WHEEL;
    def.a = a;
    def.b = b;
    def.frame_a = abut_pose_compose(inverse_of(pose_a), frame);
    def.frame_b = abut_pose_compose(inverse_of(pose_b), frame);
    if (def.kind == ABUT_JOINT_DISTANCE) {
        def.frame_a = def.frame_b = abut_pose_identity();
        def.rest = abut_distance_between(pose_a.position, pose_b.position);
    }
    if (moves && random_below(r, 2) == 0) {
        def.limited = true;
        def.lower = -0.3;
        def.upper = 0.2;
    }
    if (moves && random_below(r, 2) == 0) {
        def.motor = (abut_joint_motor){1 + random_below(r, 2) == 1 ? ABUT_MOTOR_SPEED : ABUT_MOTOR_POSITION, random_range(r, -1.0, 1.0),
                                       2.0, random_log_range(r, 0.1, 100.0)};
    }
    if (moves && random_below(r, 2) == 0) {
        def.stiffness = random_log_range(r, 1.0, 1e4);
        def.damping = random_log_range(r, 0.01, 100.0);
    }
    return def;
}

/* A tree of bodies. Without gravity it has no gears, which turn bodies as though something held their axes. */
static void build(staging *s, random_state *r, double gravity, abut_parallel parallel, abut_body_id *bodies, abut_joint_id *joints) {
    abut_world_def world = staging_def(gravity);
    world.parallel = parallel;
    world.fixed.sleeping = gravity > 0.0;
    *s = staging_make_with(&world);
    if (gravity > 0.0) {
        staging_ground(s, 0.5);
    }
    for (int i = 0; i < BODIES; i++) {
        bodies[i] = random_body(s, r, i);
        if (i > 0) {
            abut_joint_def def = random_joint(s, r, gravity > 0.0 ? KINDS : ABUT_JOINT_GEAR, bodies[random_below(r, i)], bodies[i]);
            def.break_force = gravity > 0.0 && random_below(r, 8) == 0 ? 100.0 : INFINITY;
            joints[i] = add(s->world, &def);
        }
    }
}

/* Joints are inner forces: momenta of a tree that nothing else touches stay, and each joint holds. */
static void test_random_joints_keep_momenta(void **state) {
    (void)state;
    random_state r = random_make(random_seed("test_random_joints_keep_momenta", 61));
    int32_t samples = random_runs("test_random_joints_keep_momenta", 20);
    for (int32_t k = 0; k < samples; k++) {
        staging s;
        abut_body_id bodies[BODIES];
        abut_joint_id joints[BODIES];
        build(&s, &r, 0.0, (abut_parallel){.threads = 1}, bodies, joints);
        for (int i = 0; i < BODIES; i++) { /* no contacts */
            for (int j = 0; j < i; j++) {
                abut_joint_def apart = abut_joint_def_default(ABUT_JOINT_DISTANCE);
                apart.a = bodies[j];
                apart.b = bodies[i];
                apart.limited = true;
                add(s.world, &apart);
            }
        }
        staging_momenta before = staging_momenta_of(&s, bodies, BODIES);
        double error = 0.0;
        for (int i = 0; i < 60; i++) {
            staging_run(&s, 1.0 / 240.0, 1);
        }
        for (int i = 1; i < BODIES; i++) {
            abut_joint_state read = state_of(s.world, joints[i]);
            error = fmax(error, fmax(read.error, read.turn_error));
        }
        staging_momenta after = staging_momenta_of(&s, bodies, BODIES);
        if (error > 1e-7 || abut_distance_between(before.linear, after.linear) > 1e-9 ||
            abut_distance_between(before.angular, after.angular) > 1e-6) {
            fail_msg("sample %d: error %g, momenta change by %g and %g", (int)k, error, abut_distance_between(before.linear, after.linear),
                     abut_distance_between(before.angular, after.angular));
        }
        staging_close(&s);
    }
}

/* On a floor, with limits, motors, springs and joints that break: a restored world goes on with the same bits, and so do two threads. */
static void test_saved_joints_go_on(void **state) {
    (void)state;
    uint64_t seed = random_seed("test_saved_joints_go_on", 62);
    int32_t samples = random_runs("test_saved_joints_go_on", 5);
    for (int32_t k = 0; k < samples; k++) {
        staging s[3];
        abut_body_id bodies[BODIES];
        abut_joint_id joints[BODIES];
        for (int i = 0; i < 3; i++) {
            random_state r = random_make(seed + (uint64_t)k);
            build(&s[i], &r, 9.81, (abut_parallel){.threads = i == 1 ? 2 : 1}, bodies, joints);
        }
        for (int i = 0; i < 3; i++) {
            staging_run(&s[i], STAGING_STEP, i == 2 ? 7 : 30); /* the third is elsewhere */
        }
        assert_ok(abut_world_remove_joint(s[2].world, joints[1]));
        size_t size = 0;
        assert_status(abut_world_save(s[0].world, NULL, 0, &size), ABUT_ERROR_CAPACITY);
        void *saved = check_memory(size, 1);
        assert_ok(abut_world_save(s[0].world, saved, size, &size));
        assert_ok(abut_world_restore(s[2].world, saved, size));
        free(saved);
        for (int step = 0; step < 30; step++) {
            uint64_t hash[3];
            for (int i = 0; i < 3; i++) {
                staging_run(&s[i], STAGING_STEP, 1);
                hash[i] = abut_world_hash(s[i].world);
            }
            if (hash[0] != hash[1] || hash[0] != hash[2]) {
                fail_msg("sample %d, step %d: %s differs", (int)k, step, hash[0] != hash[1] ? "two threads" : "the restored world");
            }
        }
        for (int i = 1; i < BODIES; i++) {
            abut_joint_state one = state_of(s[0].world, joints[i]), other = state_of(s[2].world, joints[i]);
            assert_memory_equal(&one.force, &other.force, sizeof one.force);
            assert_memory_equal(&one.torque, &other.torque, sizeof one.torque);
            assert_true(one.coordinate == other.coordinate && one.broken == other.broken);
        }
        for (int i = 0; i < 3; i++) {
            staging_close(&s[i]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ids),
        cmocka_unit_test(test_definitions_are_checked),
        cmocka_unit_test(test_the_dem_stepper_has_no_joints),
        cmocka_unit_test(test_random_joints_keep_momenta),
        cmocka_unit_test(test_saved_joints_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
