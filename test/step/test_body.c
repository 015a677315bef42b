/* Bodies: what is accepted, what their ids name, what is told of them. */
#include "support/check.h"
#include "support/random.h"
#include "support/staging.h"

static void test_definitions_are_checked(void **state) {
    (void)state;
    staging s = staging_make(9.81);
    const abut_body_def fine = staging_body(ABUT_BODY_DYNAMIC, s.box, abut_make_vec3(0, 0, 0));
    abut_body_def def[13];
    for (int i = 0; i < 13; i++) {
        def[i] = fine;
    }
    def[0].shape = NULL;
    def[1].kind = (abut_body_kind)9;
    def[2].shape = s.plane;
    def[3].pose.rotation.w = 1.1;
    def[4].density = 0.0;
    def[5].mass = -1.0;
    def[6].friction = -0.1;
    def[7].restitution = 1.5;
    def[8].linear_damping = -1.0;
    def[9].pose.position.x = NAN;
    def[10].velocity.y = INFINITY;
    def[11].density = NAN;
    def[12].mass = 1e-320; /* its inverse overflows */
    for (int i = 0; i < 13; i++) {
        abut_body_id id = {5, 5};
        assert_status(abut_world_add_body(s.world, &def[i], &id), i < 9 ? ABUT_ERROR_INVALID_ARGUMENT : ABUT_ERROR_NOT_FINITE);
        assert_int_equal(id.index, 5);
    }
    assert_status(abut_world_add_body(s.world, NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_add_body(NULL, &fine, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_ok(abut_world_add_body(s.world, &fine, NULL));
    staging_close(&s);
}

static void test_stale_ids_are_recognised(void **state) {
    (void)state;
    staging s = staging_make(9.81);
    abut_body_id none = {0, 0}, far = {100, 0};
    abut_body_id first = staging_add_turned(&s, s.box, abut_make_vec3(0, 0, 0), abut_identity_quat());
    assert_int_equal(first.index, 1);
    assert_int_equal(first.generation, 0);
    assert_ok(abut_world_remove_body(s.world, first));
    abut_body_id second = staging_add_turned(&s, s.box, abut_make_vec3(0, 0, 0), abut_identity_quat());
    assert_int_equal(second.index, 1);
    assert_int_equal(second.generation, 1);
    const abut_body_id bad[3] = {none, far, first};
    abut_vec3 zero = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        abut_body_state st;
        abut_body_info info;
        abut_spring_def spring = abut_spring_def_default();
        spring.body = bad[i];
        assert_status(abut_world_body_state(s.world, bad[i], &st), ABUT_ERROR_STALE_ID);
        assert_status(abut_world_body_info(s.world, bad[i], &info), ABUT_ERROR_STALE_ID);
        assert_status(abut_world_set_velocity(s.world, bad[i], zero, zero), ABUT_ERROR_STALE_ID);
        assert_status(abut_world_set_pose(s.world, bad[i], abut_identity_pose()), ABUT_ERROR_STALE_ID);
        assert_status(abut_world_apply_force(s.world, bad[i], zero, zero), ABUT_ERROR_STALE_ID);
        assert_status(abut_world_remove_body(s.world, bad[i]), ABUT_ERROR_STALE_ID);
        assert_status(abut_world_add_spring(s.world, &spring, NULL), ABUT_ERROR_STALE_ID);
    }
    staging_state(&s, second);
    staging_close(&s);
}

static void test_ids_over_many_lives(void **state) {
    (void)state;
    enum { BODIES = 50 };
    random_state random = random_make(random_seed("body", 4));
    staging s = staging_make(9.81);
    abut_body_id alive[BODIES], gone[4000];
    bool there[BODIES] = {false};
    int32_t count = 0, removed = 0;
    for (int i = 0; i < 3000; i++) {
        int32_t k = random_below(&random, BODIES);
        if (there[k]) {
            assert_ok(abut_world_remove_body(s.world, alive[k]));
            gone[removed++] = alive[k];
            count--;
        } else {
            abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, s.sphere, random_vec3(&random, -9.0, 9.0));
            def.user = (uint64_t)k;
            alive[k] = staging_put(&s, &def);
            count++;
        }
        there[k] = !there[k];
    }
    for (int32_t i = 0; i < removed; i++) {
        abut_body_state st;
        assert_status(abut_world_body_state(s.world, gone[i], &st), ABUT_ERROR_STALE_ID);
    }
    for (int32_t k = 0; k < BODIES; k++) {
        abut_body_info info;
        if (there[k]) {
            assert_ok(abut_world_body_info(s.world, alive[k], &info));
            assert_int_equal(info.user, k);
        }
    }
    abut_body_id ids[BODIES];
    int32_t told;
    assert_ok(abut_world_bodies(s.world, ids, BODIES, &told));
    assert_int_equal(told, count);
    for (int32_t i = 1; i < told; i++) {
        assert_true(ids[i - 1].index < ids[i].index);
    }
    assert_status(abut_world_bodies(s.world, ids, count - 1, &told), ABUT_ERROR_CAPACITY);
    assert_int_equal(told, count);
    staging_close(&s);
}

static void test_mass_properties(void **state) {
    (void)state;
    staging s = staging_make(9.81);
    abut_part parts[2] = {{s.box, {{0, 0, 0}, {0, 0, 0, 1}}}, {s.box, {{1, 0, 0}, {0, 0, 0, 1}}}};
    abut_shape *bar;
    assert_ok(abut_create_compound(parts, 2, &bar));
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, bar, abut_make_vec3(0, 0, 3));
    def.mass = 12.0;
    def.user = 99;
    abut_body_id id = staging_put(&s, &def);
    abut_body_info info;
    assert_ok(abut_world_body_info(s.world, id, &info));
    assert_near(info.mass, 12.0, 1e-14);
    assert_vec3_near(info.centre, abut_make_vec3(0.5, 0, 0), 1e-15);
    /* A bar of 2 x 1 x 1: m (1 + 1) / 12 about its length, m (4 + 1) / 12 across. */
    assert_near(info.inertia.x.x, 2.0, 1e-13);
    assert_near(info.inertia.y.y, 5.0, 1e-13);
    assert_ptr_equal(info.shape, bar);
    assert_int_equal(info.user, 99);
    assert_vec3_near(staging_state(&s, id).centre, abut_make_vec3(0.5, 0, 3), 1e-15);
    def.kind = ABUT_BODY_STATIC;
    def.velocity = abut_make_vec3(1, 1, 1);
    id = staging_put(&s, &def);
    assert_ok(abut_world_body_info(s.world, id, &info));
    assert_true(info.mass == 0.0 && info.inertia.x.x == 0.0);
    assert_false(staging_state(&s, id).awake);
    assert_true(staging_state(&s, id).velocity.x == 0.0);
    assert_ok(abut_world_set_velocity(s.world, id, abut_make_vec3(1, 0, 0), abut_make_vec3(0, 0, 0)));
    assert_true(staging_state(&s, id).velocity.x == 0.0);
    abut_shape_release(bar); /* the world keeps its own reference */
    staging_run(&s, STAGING_STEP, 2);
    staging_close(&s);
}

static void test_poses(void **state) {
    (void)state;
    staging s = staging_make(0.0);
    abut_body_id id = staging_add_turned(&s, s.box, abut_make_vec3(1, 2, 3), abut_identity_quat());
    abut_pose pose = {{4, 5, 6}, abut_quat_about(abut_make_vec3(0, 0, 1), 0.7)};
    assert_ok(abut_world_set_pose(s.world, id, pose));
    assert_vec3_near(staging_state(&s, id).pose.position, pose.position, 0.0);
    assert_near(staging_state(&s, id).pose.rotation.z, pose.rotation.z, 1e-16);
    pose.rotation.w = 2.0;
    assert_status(abut_world_set_pose(s.world, id, pose), ABUT_ERROR_INVALID_ARGUMENT);
    pose.position.x = NAN;
    assert_status(abut_world_set_pose(s.world, id, pose), ABUT_ERROR_INVALID_ARGUMENT);
    abut_vec3 zero = {0, 0, 0}, bad = {0, NAN, 0};
    assert_status(abut_world_set_velocity(s.world, id, bad, zero), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_world_set_velocity(s.world, id, zero, bad), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_world_apply_force(s.world, id, bad, zero), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_world_apply_force(s.world, id, zero, bad), ABUT_ERROR_NOT_FINITE);
    assert_vec3_near(staging_state(&s, id).pose.position, abut_make_vec3(4, 5, 6), 0.0);
    staging_close(&s);
}

static void test_a_force_acts_for_one_step(void **state) {
    (void)state;
    staging s = staging_make(0.0);
    abut_body_id id = staging_add_turned(&s, s.box, abut_make_vec3(0, 0, 0), abut_identity_quat());
    /* 1000 kg, I = 1000 / 6: at the corner (0.5, 0.5, 0), along y. */
    assert_ok(abut_world_apply_force(s.world, id, abut_make_vec3(0, 600.0, 0), abut_make_vec3(0.5, 0.5, 0)));
    assert_ok(abut_world_apply_force(s.world, id, abut_make_vec3(0, 600.0, 0), abut_make_vec3(0.5, 0.5, 0)));
    for (int i = 0; i < 2; i++) {
        staging_run(&s, STAGING_STEP, 1);
        assert_near(staging_state(&s, id).velocity.y, 1200.0 / 1000.0 / 60.0, 1e-15);
        assert_near(staging_state(&s, id).angular_velocity.z, 600.0 * 6.0 / 1000.0 / 60.0, 1e-15);
    }
    staging_close(&s);
}

static void test_removal_takes_contacts_along(void **state) {
    (void)state;
    staging s = staging_make(9.81);
    staging_ground(&s, 0.5);
    abut_body_id id[3];
    for (int i = 0; i < 3; i++) {
        id[i] = staging_add_turned(&s, s.box, abut_make_vec3(3.0 * i, 0, 0.5), abut_identity_quat());
    }
    staging_run(&s, STAGING_STEP, 2);
    const abut_world_contact *contacts;
    int32_t count;
    assert_ok(abut_world_contacts(s.world, &contacts, &count));
    assert_int_equal(count, 12);
    assert_ok(abut_world_remove_body(s.world, id[1]));
    assert_ok(abut_world_contacts(s.world, &contacts, &count));
    assert_int_equal(count, 8);
    for (int32_t i = 0; i < count; i++) {
        assert_true(contacts[i].b.index == id[0].index || contacts[i].b.index == id[2].index);
        assert_near(contacts[i].normal_force, 1000.0 * 9.81 / 4.0, 1e-6);
    }
    staging_run(&s, STAGING_STEP, 1);
    staging_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definitions_are_checked),
        cmocka_unit_test(test_stale_ids_are_recognised),
        cmocka_unit_test(test_ids_over_many_lives),
        cmocka_unit_test(test_mass_properties),
        cmocka_unit_test(test_poses),
        cmocka_unit_test(test_a_force_acts_for_one_step),
        cmocka_unit_test(test_removal_takes_contacts_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
