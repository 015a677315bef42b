/* Bodies: accepted definitions, what their ids identify, and their getters. */
#include <abut/mesh.h>

#include "support/check.h"
#include "support/random.h"
#include "support/staging.h"

static void test_definitions_are_checked(void **state) {
    (void)state;
    staging s = staging_make(9.81);
    const abut_body_def fine = staging_body(ABUT_BODY_DYNAMIC, s.box, abut_vec3_make(0, 0, 0));
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
    def[10].motion.linear.y = INFINITY;
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
    abut_body_id first = staging_add_turned(&s, s.box, abut_vec3_make(0, 0, 0), abut_quat_identity());
    assert_int_equal(first.index, 1);
    assert_int_equal(first.generation, 0);
    assert_ok(abut_world_remove_body(s.world, first));
    abut_body_id second = staging_add_turned(&s, s.box, abut_vec3_make(0, 0, 0), abut_quat_identity());
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
        assert_status(abut_world_set_body_motion(s.world, bad[i], (abut_motion){zero, zero}), ABUT_ERROR_STALE_ID);
        assert_status(abut_world_set_body_pose(s.world, bad[i], abut_pose_identity()), ABUT_ERROR_STALE_ID);
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
    assert_ok(abut_world_body_ids(s.world, ids, BODIES, &told));
    assert_int_equal(told, count);
    for (int32_t i = 1; i < told; i++) {
        assert_true(ids[i - 1].index < ids[i].index);
    }
    assert_status(abut_world_body_ids(s.world, ids, count - 1, &told), ABUT_ERROR_CAPACITY);
    assert_int_equal(told, count);
    staging_close(&s);
}

static void test_mass_properties(void **state) {
    (void)state;
    staging s = staging_make(9.81);
    abut_part parts[2] = {{s.box, {{0, 0, 0}, {0, 0, 0, 1}}}, {s.box, {{1, 0, 0}, {0, 0, 0, 1}}}};
    abut_shape *bar;
    assert_ok(abut_shape_create_compound(parts, 2, &bar));
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, bar, abut_vec3_make(0, 0, 3));
    def.mass = 12.0;
    def.user = 99;
    abut_body_id id = staging_put(&s, &def);
    abut_body_info info;
    assert_ok(abut_world_body_info(s.world, id, &info));
    assert_near(info.mass, 12.0, 1e-14);
    assert_vec3_near(info.centre, abut_vec3_make(0.5, 0, 0), 1e-15);
    /* A bar of 2 x 1 x 1: m (1 + 1) / 12 about its length, m (4 + 1) / 12 across. */
    assert_near(info.inertia.x.x, 2.0, 1e-13);
    assert_near(info.inertia.y.y, 5.0, 1e-13);
    assert_ptr_equal(info.shape, bar);
    assert_int_equal(info.user, 99);
    assert_vec3_near(staging_state(&s, id).centre, abut_vec3_make(0.5, 0, 3), 1e-15);
    def.kind = ABUT_BODY_STATIC;
    def.motion.linear = abut_vec3_make(1, 1, 1);
    id = staging_put(&s, &def);
    assert_ok(abut_world_body_info(s.world, id, &info));
    assert_true(info.mass == 0.0 && info.inertia.x.x == 0.0);
    assert_false(staging_state(&s, id).awake);
    assert_true(staging_state(&s, id).motion.linear.x == 0.0);
    assert_ok(abut_world_set_body_motion(s.world, id, (abut_motion){abut_vec3_make(1, 0, 0), abut_vec3_make(0, 0, 0)}));
    assert_true(staging_state(&s, id).motion.linear.x == 0.0);
    abut_shape_release(bar); /* the world keeps its own reference */
    staging_run(&s, STAGING_STEP, 2);
    staging_close(&s);
}

static void test_poses(void **state) {
    (void)state;
    staging s = staging_make(0.0);
    abut_body_id id = staging_add_turned(&s, s.box, abut_vec3_make(1, 2, 3), abut_quat_identity());
    abut_pose pose = {{4, 5, 6}, abut_quat_about(abut_vec3_make(0, 0, 1), 0.7)};
    assert_ok(abut_world_set_body_pose(s.world, id, pose));
    assert_vec3_near(staging_state(&s, id).pose.position, pose.position, 0.0);
    assert_near(staging_state(&s, id).pose.rotation.z, pose.rotation.z, 1e-16);
    pose.rotation.w = 2.0;
    assert_status(abut_world_set_body_pose(s.world, id, pose), ABUT_ERROR_INVALID_ARGUMENT);
    pose.position.x = NAN;
    assert_status(abut_world_set_body_pose(s.world, id, pose), ABUT_ERROR_INVALID_ARGUMENT);
    abut_vec3 zero = {0, 0, 0}, bad = {0, NAN, 0};
    assert_status(abut_world_set_body_motion(s.world, id, (abut_motion){bad, zero}), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_world_set_body_motion(s.world, id, (abut_motion){zero, bad}), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_world_apply_force(s.world, id, bad, zero), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_world_apply_force(s.world, id, zero, bad), ABUT_ERROR_NOT_FINITE);
    assert_vec3_near(staging_state(&s, id).pose.position, abut_vec3_make(4, 5, 6), 0.0);
    staging_close(&s);
}

static void test_a_force_acts_for_one_step(void **state) {
    (void)state;
    staging s = staging_make(0.0);
    abut_body_id id = staging_add_turned(&s, s.box, abut_vec3_make(0, 0, 0), abut_quat_identity());
    /* 1000 kg, I = 1000 / 6: at the corner (0.5, 0.5, 0), along y. */
    assert_ok(abut_world_apply_force(s.world, id, abut_vec3_make(0, 600.0, 0), abut_vec3_make(0.5, 0.5, 0)));
    assert_ok(abut_world_apply_force(s.world, id, abut_vec3_make(0, 600.0, 0), abut_vec3_make(0.5, 0.5, 0)));
    for (int i = 0; i < 2; i++) {
        staging_run(&s, STAGING_STEP, 1);
        assert_near(staging_state(&s, id).motion.linear.y, 1200.0 / 1000.0 / 60.0, 1e-15);
        assert_near(staging_state(&s, id).motion.angular.z, 600.0 * 6.0 / 1000.0 / 60.0, 1e-15);
    }
    staging_close(&s);
}

static void test_removal_takes_contacts_along(void **state) {
    (void)state;
    staging s = staging_make(9.81);
    staging_ground(&s, 0.5);
    abut_body_id id[3];
    for (int i = 0; i < 3; i++) {
        id[i] = staging_add_turned(&s, s.box, abut_vec3_make(3.0 * i, 0, 0.5), abut_quat_identity());
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

/* ---- replacing a body's shape ---- */

static abut_shape *box_of(double x, double y, double z) {
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_box(abut_vec3_make(x, y, z), &shape));
    return shape;
}

static void test_set_shape_is_refused(void **state) {
    (void)state;
    staging s = staging_make(0.0);
    abut_body_id id = staging_add_turned(&s, s.box, abut_vec3_make(1, 2, 3), abut_quat_identity()), none = {0, 0};
    uint64_t before = abut_world_hash(s.world);
    assert_status(abut_world_set_body_shape(NULL, id, s.box), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_set_body_shape(s.world, none, s.box), ABUT_ERROR_STALE_ID);
    assert_status(abut_world_set_body_shape(s.world, id, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_set_body_shape(s.world, id, s.plane), ABUT_ERROR_INVALID_ARGUMENT);
    abut_trimesh_def open = abut_trimesh_def_default();
    const abut_vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int32_t triangles[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    open.vertices = corners;
    open.vertex_count = 4;
    open.triangles = triangles;
    open.triangle_count = 4;
    abut_shape *closed = NULL, *half = NULL;
    assert_ok(abut_shape_create_trimesh(&open, NULL, &closed));
    open.triangle_count = 3;
    assert_ok(abut_shape_create_trimesh(&open, NULL, &half));
    abut_body_id mesh = staging_add_turned(&s, closed, abut_vec3_make(9, 0, 0), abut_quat_identity());
    assert_status(abut_world_set_body_shape(s.world, mesh, half), ABUT_ERROR_NOT_CLOSED);
    abut_body_info info;
    assert_ok(abut_world_body_info(s.world, mesh, &info));
    assert_ptr_equal(info.shape, closed);
    assert_ok(abut_world_remove_body(s.world, mesh));
    assert_int_equal(abut_world_hash(s.world), before);
    abut_shape_release(closed);
    abut_shape_release(half);
    staging_close(&s);
}

/* Pose, velocities and mass stay; centre and inertia are those of the new shape, whose centre is not at its origin. */
static void test_set_shape_of_a_dynamic_body(void **state) {
    (void)state;
    staging s = staging_make(0.0);
    const abut_vec3 low[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, high[4] = {{0, 0, 0}, {2, 0, 0}, {0, 3, 0}, {0, 0, 4}};
    abut_shape *first = NULL, *second = NULL;
    assert_ok(abut_shape_create_hull(low, 4, &first));
    assert_ok(abut_shape_create_hull(high, 4, &second));
    abut_quat turn = abut_quat_unit(abut_quat_make(0.1, 0.2, 0.3, 0.9));
    abut_body_id id = staging_add_turned(&s, first, abut_vec3_make(1, 2, 3), turn);
    assert_ok(abut_world_set_body_motion(s.world, id, (abut_motion){abut_vec3_make(1, 0, -1), abut_vec3_make(0, 0.5, 0)}));
    abut_body_state was = staging_state(&s, id), is;
    abut_body_info old, info;
    assert_ok(abut_world_body_info(s.world, id, &old));
    assert_ok(abut_world_set_body_shape(s.world, id, second));
    is = staging_state(&s, id);
    assert_ok(abut_world_body_info(s.world, id, &info));
    assert_ptr_equal(info.shape, second);
    assert_near(info.mass, old.mass, 0.0);
    assert_vec3_near(is.pose.position, was.pose.position, 0.0);
    assert_vec3_near(is.motion.linear, was.motion.linear, 0.0);
    assert_vec3_near(is.motion.angular, was.motion.angular, 0.0);
    assert_vec3_near(info.centre, abut_vec3_make(0.5, 0.75, 1.0), 1e-12);
    assert_vec3_near(is.centre, abut_pose_apply(was.pose, info.centre), 1e-12);
    abut_mass mass;
    assert_ok(abut_shape_mass(second, old.mass / 4.0, &mass)); /* the volume is 4 */
    assert_vec3_near(info.inertia.x, mass.inertia.x, 1e-9 * old.mass);
    assert_vec3_near(info.inertia.y, mass.inertia.y, 1e-9 * old.mass);
    assert_vec3_near(info.inertia.z, mass.inertia.z, 1e-9 * old.mass);
    /* Afterwards it behaves like a body made with that shape. */
    staging t = staging_make(0.0);
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, second, abut_vec3_make(1, 2, 3));
    def.pose.rotation = turn;
    def.mass = old.mass;
    def.motion.linear = was.motion.linear;
    def.motion.angular = was.motion.angular;
    abut_body_id other;
    assert_ok(abut_world_add_body(t.world, &def, &other));
    staging_run(&s, STAGING_STEP, 20);
    staging_run(&t, STAGING_STEP, 20);
    assert_vec3_near(staging_state(&s, id).pose.position, staging_state(&t, other).pose.position, 1e-12);
    abut_shape_release(first);
    abut_shape_release(second);
    staging_close(&s);
    staging_close(&t);
}

/* A table that shrinks under a sleeping box: the box wakes and falls by the difference. Both ways of making contacts. */
static void test_set_shape_wakes_what_lies_on_it(void **state) {
    (void)state;
    for (int method = 0; method < 2; method++) {
        abut_world_def def = abut_world_def_default();
        def.method = method == 0 ? ABUT_METHOD_PATCH : ABUT_METHOD_TRACKING;
        staging s = staging_make_with(&def);
        abut_shape *tall = box_of(2, 2, 1), *low = box_of(2, 2, 0.75);
        abut_body_def table = staging_body(ABUT_BODY_STATIC, tall, abut_vec3_make(0, 0, 0));
        abut_body_id id, box = {0, 0};
        assert_ok(abut_world_add_body(s.world, &table, &id));
        box = staging_add_turned(&s, s.box, abut_vec3_make(0, 0, 1.5), abut_quat_identity());
        staging_run(&s, STAGING_STEP, 120);
        assert_false(staging_state(&s, box).awake);
        assert_ok(abut_world_set_body_shape(s.world, id, low));
        assert_true(staging_state(&s, box).awake);
        staging_run(&s, STAGING_STEP, 120);
        assert_near(staging_state(&s, box).pose.position.z, 1.25, 0.01);
        abut_shape_release(tall);
        abut_shape_release(low);
        staging_close(&s);
    }
}

/* A static block grows into the path of a falling ball, or is moved there: every stepper that supports it detects it. */
static void test_static_bodies_are_met_where_they_are_now(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        abut_world_def def = abut_world_def_default();
        def.stepper = i < 2 ? ABUT_STEPPER_FIXED : ABUT_STEPPER_EVENT;
        staging s = staging_make_with(&def);
        const abut_shape *narrow = staging_box(&s, 0.5, 0.5, 0.5), *wide = staging_box(&s, 9.0, 9.0, 0.5);
        abut_body_id block = staging_add(&s, ABUT_BODY_STATIC, narrow, abut_vec3_make(0, 0, 0));
        abut_body_id ball = staging_add(&s, ABUT_BODY_DYNAMIC, s.sphere, abut_vec3_make(5, 0, 3));
        staging_run(&s, STAGING_STEP, 5);
        if (i % 2 == 0) {
            assert_ok(abut_world_set_body_shape(s.world, block, wide));
        } else {
            assert_ok(abut_world_set_body_pose(s.world, block, (abut_pose){{5, 0, 0}, abut_quat_identity()}));
        }
        staging_run(&s, STAGING_STEP, 120);
        double top = abut_shape_bounds(narrow, abut_pose_identity()).upper.z;
        assert_near(staging_state(&s, ball).pose.position.z, top + 0.5, 0.02);
        staging_close(&s);
    }
}

/* Shapes that the world no longer holds are freed; one that is set twice is not. */
static void test_set_shape_holds_one_shape(void **state) {
    (void)state;
    staging s = staging_make(0.0);
    abut_shape *big = box_of(2, 2, 2);
    abut_body_id id = staging_add_turned(&s, big, abut_vec3_make(0, 0, 0), abut_quat_identity());
    abut_shape_release(big);
    abut_body_info info;
    assert_ok(abut_world_body_info(s.world, id, &info));
    assert_ok(abut_world_set_body_shape(s.world, id, info.shape));
    assert_ok(abut_world_body_info(s.world, id, &info));
    assert_near(abut_shape_bounds(info.shape, abut_pose_identity()).upper.x, 2.0, 0.0);
    assert_ok(abut_world_set_body_shape(s.world, id, s.box));
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
        cmocka_unit_test(test_set_shape_is_refused),
        cmocka_unit_test(test_set_shape_of_a_dynamic_body),
        cmocka_unit_test(test_set_shape_wakes_what_lies_on_it),
        cmocka_unit_test(test_static_bodies_are_met_where_they_are_now),
        cmocka_unit_test(test_set_shape_holds_one_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
