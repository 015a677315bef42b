/* The contracts of world.h: ids, statuses, defaults, masses, waking, springs, contacts and reports. A call that fails leaves the world
 * unchanged. */
#include <string.h>

#include "step/world/world.h"
#include "support/allocator.h"
#include "support/staging.h"

static const double step = 1.0 / 60.0;

static bool same_id(abut_body_id p, abut_body_id q) { return p.index == q.index && p.generation == q.generation; }

static void test_defaults(void **state) {
    (void)state;
    abut_world_def world = abut_world_def_default();
    assert_vec3_near(world.gravity, abut_vec3_make(0, 0, -9.81), 0.0);
    assert_int_equal(world.method, ABUT_METHOD_PATCH);
    assert_int_equal(world.fixed.substeps, 4);
    assert_int_equal(world.fixed.iterations, 8);
    assert_int_equal(world.fixed.contacts_per_patch, 32);
    assert_true(world.fixed.sleeping);
    const double numbers[][2] = {{world.fixed.contact_frequency, 30},  {world.fixed.contact_damping, 10}, {world.fixed.max_push_speed, 3},
                                 {world.fixed.restitution_speed, 0.5}, {world.fixed.margin, 0.02},        {world.fixed.sleep_speed, 0.01},
                                 {world.fixed.sleep_time, 0.5}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        assert_near(numbers[i][0], numbers[i][1], 0.0);
    }
    abut_body_def body = abut_body_def_default();
    assert_int_equal(body.kind, ABUT_BODY_DYNAMIC);
    assert_null(body.shape);
    assert_vec3_near(body.pose.position, abut_vec3_make(0, 0, 0), 0.0);
    assert_near(body.pose.rotation.w, 1.0, 0.0);
    assert_near(body.density, 1000.0, 0.0);
    assert_near(body.friction, 0.5, 0.0);
    assert_near(body.mass + body.restitution + body.linear_damping + body.angular_damping, 0.0, 0.0);
    assert_vec3_near(abut_add(body.motion.linear, body.motion.angular), abut_vec3_make(0, 0, 0), 0.0);
    abut_spring_def spring = abut_spring_def_default();
    assert_near(spring.frequency, 5.0, 0.0);
    assert_near(spring.damping_ratio, 1.0, 0.0);
    assert_true(isinf(spring.max_force) && spring.max_force > 0.0);
}

/* A number of a definition, its test value, and the expected status. */
typedef struct bad_number {
    size_t offset;
    double value;
    abut_status expected;
} bad_number;

static void set_number(void *def, const bad_number *bad) { memcpy((char *)def + bad->offset, &bad->value, sizeof bad->value); }

static void check_refused_world(const abut_world_def *def, abut_status expected) {
    abut_world *world = NULL;
    assert_status(abut_world_create(def, &world), expected);
    assert_null(world);
}

static void test_create_statuses(void **state) {
    (void)state;
    assert_status(abut_world_create(NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    const bad_number bad[] = {
        {offsetof(abut_world_def, gravity.y), NAN, ABUT_ERROR_NOT_FINITE},
        {offsetof(abut_world_def, gravity.z), -INFINITY, ABUT_ERROR_NOT_FINITE},
        {offsetof(abut_world_def, fixed.contact_frequency), 0.0, ABUT_ERROR_INVALID_ARGUMENT},
        {offsetof(abut_world_def, fixed.contact_frequency), NAN, ABUT_ERROR_NOT_FINITE},
        {offsetof(abut_world_def, fixed.contact_damping), 0.0, ABUT_ERROR_INVALID_ARGUMENT},
        {offsetof(abut_world_def, fixed.max_push_speed), -1.0, ABUT_ERROR_INVALID_ARGUMENT},
        {offsetof(abut_world_def, fixed.restitution_speed), -0.1, ABUT_ERROR_INVALID_ARGUMENT},
        {offsetof(abut_world_def, fixed.margin), -0.1, ABUT_ERROR_INVALID_ARGUMENT},
        {offsetof(abut_world_def, fixed.margin), INFINITY, ABUT_ERROR_NOT_FINITE},
        {offsetof(abut_world_def, fixed.sleep_speed), -0.1, ABUT_ERROR_INVALID_ARGUMENT},
        {offsetof(abut_world_def, fixed.sleep_time), NAN, ABUT_ERROR_NOT_FINITE},
        {offsetof(abut_world_def, collide.feature_angle), -0.1, ABUT_ERROR_INVALID_ARGUMENT},
        {offsetof(abut_world_def, collide.feature_angle), 0.8, ABUT_ERROR_INVALID_ARGUMENT},
        {offsetof(abut_world_def, collide.feature_angle), NAN, ABUT_ERROR_NOT_FINITE},
        {offsetof(abut_world_def, collide.weld), -1.0, ABUT_ERROR_INVALID_ARGUMENT},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        abut_world_def def = abut_world_def_default();
        set_number(&def, &bad[i]);
        check_refused_world(&def, bad[i].expected);
    }
    abut_world_def def = abut_world_def_default();
    def.fixed.substeps = 0;
    check_refused_world(&def, ABUT_ERROR_INVALID_ARGUMENT);
    def = abut_world_def_default();
    def.fixed.iterations = 0;
    check_refused_world(&def, ABUT_ERROR_INVALID_ARGUMENT);
    def = abut_world_def_default();
    def.fixed.contacts_per_patch = -1;
    check_refused_world(&def, ABUT_ERROR_INVALID_ARGUMENT);
    def = abut_world_def_default();
    def.method = (abut_contact_method)2;
    check_refused_world(&def, ABUT_ERROR_INVALID_ARGUMENT);
    /* The margin of the collide settings is ignored. */
    def = abut_world_def_default();
    def.collide.margin = NAN;
    abut_world *world = NULL;
    assert_ok(abut_world_create(&def, &world));
    abut_world_destroy(world);
    abut_world_destroy(NULL);
}

static void check_refused_body(const staging *stage, const abut_body_def *def, abut_status expected) {
    abut_body_id id = {77, 7};
    uint64_t hash = abut_world_hash(stage->world);
    assert_status(abut_world_add_body(stage->world, def, &id), expected);
    assert_true(id.index == 77 && id.generation == 7);
    assert_true(abut_world_hash(stage->world) == hash);
    int32_t count = -1;
    assert_ok(abut_world_body_ids(stage->world, NULL, 0, &count));
    assert_int_equal(count, 0);
}

static void test_add_body_statuses(void **state) {
    (void)state;
    staging stage = staging_open(NULL);
    const abut_shape *box = staging_box(&stage, 0.5, 0.5, 0.5), *plane = staging_plane(&stage, abut_vec3_make(0, 0, 1));
    const bad_number bad[] = {
        {offsetof(abut_body_def, pose.position.x), NAN, ABUT_ERROR_NOT_FINITE},
        {offsetof(abut_body_def, pose.position.z), INFINITY, ABUT_ERROR_NOT_FINITE},
        {offsetof(abut_body_def, pose.rotation.x), NAN, ABUT_ERROR_NOT_FINITE},
        {offsetof(abut_body_def, pose.rotation.w), 0.0, ABUT_ERROR_INVALID_ARGUMENT},
        {offsetof(abut_body_def, pose.rotation.w), 1.1, ABUT_ERROR_INVALID_ARGUMENT},
        {offsetof(abut_body_def, motion.linear.y), NAN, ABUT_ERROR_NOT_FINITE},
        {offsetof(abut_body_def, motion.angular.z), INFINITY, ABUT_ERROR_NOT_FINITE},
        {offsetof(abut_body_def, density), 0.0, ABUT_ERROR_INVALID_ARGUMENT},
        {offsetof(abut_body_def, density), -1000.0, ABUT_ERROR_INVALID_ARGUMENT},
        {offsetof(abut_body_def, density), NAN, ABUT_ERROR_NOT_FINITE},
        {offsetof(abut_body_def, mass), -1.0, ABUT_ERROR_INVALID_ARGUMENT},
        {offsetof(abut_body_def, mass), INFINITY, ABUT_ERROR_NOT_FINITE},
        {offsetof(abut_body_def, friction), -0.1, ABUT_ERROR_INVALID_ARGUMENT},
        {offsetof(abut_body_def, friction), NAN, ABUT_ERROR_NOT_FINITE},
        {offsetof(abut_body_def, restitution), -0.1, ABUT_ERROR_INVALID_ARGUMENT},
        {offsetof(abut_body_def, restitution), 1.0001, ABUT_ERROR_INVALID_ARGUMENT},
        {offsetof(abut_body_def, linear_damping), -0.1, ABUT_ERROR_INVALID_ARGUMENT},
        {offsetof(abut_body_def, angular_damping), -0.1, ABUT_ERROR_INVALID_ARGUMENT},
        {offsetof(abut_body_def, angular_damping), NAN, ABUT_ERROR_NOT_FINITE},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, box, abut_vec3_make(0, 0, 0));
        set_number(&def, &bad[i]);
        check_refused_body(&stage, &def, bad[i].expected);
    }
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, NULL, abut_vec3_make(0, 0, 0));
    check_refused_body(&stage, &def, ABUT_ERROR_INVALID_ARGUMENT);
    def.shape = plane;
    check_refused_body(&stage, &def, ABUT_ERROR_INVALID_ARGUMENT);
    def = staging_body((abut_body_kind)3, box, abut_vec3_make(0, 0, 0));
    check_refused_body(&stage, &def, ABUT_ERROR_INVALID_ARGUMENT);
    check_refused_body(&stage, NULL, ABUT_ERROR_INVALID_ARGUMENT);
    def = staging_body(ABUT_BODY_DYNAMIC, box, abut_vec3_make(0, 0, 0));
    assert_status(abut_world_add_body(NULL, &def, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    def.restitution = 1.0;
    assert_ok(abut_world_add_body(stage.world, &def, NULL));
    def = staging_body(ABUT_BODY_KINEMATIC, plane, abut_vec3_make(0, 0, -5));
    assert_ok(abut_world_add_body(stage.world, &def, NULL));
    staging_close(&stage);
}

/* Every call with a body's id detects a stale one. */
static void check_stale(abut_world *world, abut_body_id id) {
    abut_body_state body;
    abut_body_info info;
    abut_vec3 zero = {0, 0, 0};
    uint64_t hash = abut_world_hash(world);
    assert_status(abut_world_body_state(world, id, &body), ABUT_ERROR_STALE_ID);
    assert_status(abut_world_body_info(world, id, &info), ABUT_ERROR_STALE_ID);
    assert_status(abut_world_set_body_motion(world, id, (abut_motion){zero, zero}), ABUT_ERROR_STALE_ID);
    assert_status(abut_world_set_body_pose(world, id, abut_pose_identity()), ABUT_ERROR_STALE_ID);
    assert_status(abut_world_apply_force(world, id, zero, zero), ABUT_ERROR_STALE_ID);
    abut_spring_def spring = abut_spring_def_default();
    spring.body = id;
    assert_status(abut_world_add_spring(world, &spring, NULL), ABUT_ERROR_STALE_ID);
    assert_status(abut_world_remove_body(world, id), ABUT_ERROR_STALE_ID);
    assert_true(abut_world_hash(world) == hash);
}

static void test_ids(void **state) {
    (void)state;
    staging stage = staging_open(NULL);
    const abut_shape *box = staging_box(&stage, 0.5, 0.5, 0.5);
    check_stale(stage.world, (abut_body_id){0, 0});
    check_stale(stage.world, (abut_body_id){1, 0});
    abut_body_id id[3];
    for (int i = 0; i < 3; i++) {
        id[i] = staging_add(&stage, ABUT_BODY_DYNAMIC, box, abut_vec3_make(2.0 * i, 0, 0));
        assert_int_equal(id[i].index, i + 1);
    }
    check_stale(stage.world, (abut_body_id){4, 0});
    check_stale(stage.world, (abut_body_id){1, 1});
    check_stale(stage.world, (abut_body_id){UINT32_MAX, 0});
    assert_ok(abut_world_remove_body(stage.world, id[1]));
    check_stale(stage.world, id[1]);
    abut_body_id again = staging_add(&stage, ABUT_BODY_DYNAMIC, box, abut_vec3_make(2, 7, 0));
    assert_int_equal(again.index, id[1].index);
    assert_int_not_equal(again.generation, id[1].generation);
    check_stale(stage.world, id[1]);
    assert_vec3_near(staging_state(&stage, again).pose.position, abut_vec3_make(2, 7, 0), 0.0);
    assert_vec3_near(staging_state(&stage, id[2]).pose.position, abut_vec3_make(4, 0, 0), 0.0);
    abut_body_id listed[4] = {{9, 9}, {9, 9}, {9, 9}, {9, 9}};
    int32_t count = 0;
    assert_ok(abut_world_body_ids(stage.world, listed, 4, &count));
    assert_int_equal(count, 3);
    assert_true(same_id(listed[0], id[0]) && same_id(listed[1], again) && same_id(listed[2], id[2]) && listed[3].index == 9);
    staging_close(&stage);
}

/* A slot with no generations left is not used again, because its first ids would become valid again. */
static void test_generations_run_out(void **state) {
    (void)state;
    staging stage = staging_open(NULL);
    const abut_shape *box = staging_box(&stage, 0.5, 0.5, 0.5);
    abut_body_id first = staging_add(&stage, ABUT_BODY_DYNAMIC, box, abut_vec3_make(0, 0, 0));
    stage.world->bodies[0].generation = UINT32_MAX;
    abut_body_id last = {first.index, UINT32_MAX};
    assert_ok(abut_world_remove_body(stage.world, last));
    abut_body_id next = staging_add(&stage, ABUT_BODY_DYNAMIC, box, abut_vec3_make(0, 0, 0));
    assert_int_not_equal(next.index, first.index);
    check_stale(stage.world, first);
    check_stale(stage.world, last);
    staging_close(&stage);
}

static void test_bodies_capacity(void **state) {
    (void)state;
    staging stage = staging_open(NULL);
    const abut_shape *box = staging_box(&stage, 0.5, 0.5, 0.5);
    for (int i = 0; i < 3; i++) {
        staging_add(&stage, ABUT_BODY_DYNAMIC, box, abut_vec3_make(2.0 * i, 0, 0));
    }
    abut_body_id ids[3];
    int32_t count = -1;
    assert_status(abut_world_body_ids(stage.world, NULL, 0, &count), ABUT_ERROR_CAPACITY);
    assert_int_equal(count, 3);
    count = -1;
    assert_status(abut_world_body_ids(stage.world, ids, 2, &count), ABUT_ERROR_CAPACITY);
    assert_int_equal(count, 3);
    assert_ok(abut_world_body_ids(stage.world, ids, 3, &count));
    assert_status(abut_world_body_ids(stage.world, ids, -1, &count), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_body_ids(stage.world, NULL, 3, &count), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_body_ids(stage.world, ids, 3, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_body_ids(NULL, ids, 3, &count), ABUT_ERROR_INVALID_ARGUMENT);
    staging_close(&stage);
}

static void test_setters_statuses(void **state) {
    (void)state;
    staging stage = staging_open(NULL);
    abut_body_id id = staging_add(&stage, ABUT_BODY_DYNAMIC, staging_box(&stage, 0.5, 0.5, 0.5), abut_vec3_make(0, 0, 0));
    abut_vec3 zero = {0, 0, 0}, bad = {0, NAN, 0}, endless = {INFINITY, 0, 0};
    uint64_t hash = abut_world_hash(stage.world);
    assert_status(abut_world_set_body_motion(stage.world, id, (abut_motion){bad, zero}), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_world_set_body_motion(stage.world, id, (abut_motion){zero, endless}), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_world_apply_force(stage.world, id, bad, zero), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_world_apply_force(stage.world, id, zero, endless), ABUT_ERROR_NOT_FINITE);
    abut_pose pose = abut_pose_identity();
    pose.position = bad;
    assert_status(abut_world_set_body_pose(stage.world, id, pose), ABUT_ERROR_INVALID_ARGUMENT);
    pose = abut_pose_identity();
    pose.rotation.w = 1.01;
    assert_status(abut_world_set_body_pose(stage.world, id, pose), ABUT_ERROR_INVALID_ARGUMENT);
    assert_true(abut_world_hash(stage.world) == hash);
    /* A rejected force is not stored in part. */
    staging_run(&stage, step, 1);
    assert_vec3_near(staging_state(&stage, id).motion.linear, abut_vec3_make(0, 0, -9.81 * step), 1e-15);
    assert_status(abut_world_body_state(stage.world, id, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_body_info(stage.world, id, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    staging_close(&stage);
}

/* Without a world there is no stale id. */
static void test_no_world(void **state) {
    (void)state;
    const abut_body_id id = {1, 0};
    const abut_spring_id spring = {1, 0};
    const abut_vec3 zero = {0, 0, 0};
    abut_body_def body_def = abut_body_def_default();
    abut_spring_def spring_def = abut_spring_def_default();
    abut_body_state body_state;
    abut_body_info info;
    const abut_world_contact *contacts;
    int32_t count;
    assert_status(abut_world_add_body(NULL, &body_def, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_remove_body(NULL, id), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_body_state(NULL, id, &body_state), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_body_info(NULL, id, &info), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_set_body_motion(NULL, id, (abut_motion){zero, zero}), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_set_body_pose(NULL, id, abut_pose_identity()), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_apply_force(NULL, id, zero, zero), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_body_ids(NULL, NULL, 0, &count), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_add_spring(NULL, &spring_def, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_set_spring_target(NULL, spring, zero), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_remove_spring(NULL, spring), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_step(NULL, step, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_contacts(NULL, &contacts, &count), ABUT_ERROR_INVALID_ARGUMENT);
    abut_world_hash(NULL);
    abut_world_destroy(NULL);
}

static void test_step_and_contacts_statuses(void **state) {
    (void)state;
    staging stage = staging_open(NULL);
    staging_add(&stage, ABUT_BODY_DYNAMIC, staging_box(&stage, 0.5, 0.5, 0.5), abut_vec3_make(0, 0, 0));
    uint64_t hash = abut_world_hash(stage.world);
    const double bad[] = {0.0, -1.0, NAN, INFINITY};
    abut_step_report report = {.step = 55};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_status(abut_world_step(stage.world, bad[i], &report), ABUT_ERROR_INVALID_ARGUMENT);
        assert_int_equal(report.step, 55);
    }
    assert_status(abut_world_step(NULL, step, &report), ABUT_ERROR_INVALID_ARGUMENT);
    assert_true(abut_world_hash(stage.world) == hash);
    const abut_world_contact *contacts;
    int32_t count;
    assert_status(abut_world_contacts(NULL, &contacts, &count), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_contacts(stage.world, NULL, &count), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_contacts(stage.world, &contacts, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_ok(abut_world_contacts(stage.world, &contacts, &count));
    assert_int_equal(count, 0);
    assert_ok(abut_world_step(stage.world, step, NULL));
    assert_true(abut_world_hash(stage.world) != hash);
    staging_close(&stage);
}

static void check_inertia(abut_mat3 actual, abut_mat3 expected, double scale) {
    assert_vec3_near(actual.x, expected.x, 1e-14 * scale);
    assert_vec3_near(actual.y, expected.y, 1e-14 * scale);
    assert_vec3_near(actual.z, expected.z, 1e-14 * scale);
}

static void test_body_info(void **state) {
    (void)state;
    staging stage = staging_open(NULL);
    abut_shape *capsule = NULL, *cone = NULL;
    assert_ok(abut_shape_create_capsule(0.2, 0.4, &capsule));
    assert_ok(abut_shape_create_pyramid(0.5, 1.2, 16, &cone));
    const abut_shape *shapes[] = {staging_box(&stage, 0.5, 0.3, 0.2), staging_sphere(&stage, 0.7), staging_keep(&stage, capsule),
                                  staging_keep(&stage, cone)};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, shapes[i], abut_vec3_make(5, 0, 3));
        def.pose.rotation = abut_quat_about(abut_vec3_make(0.6, 0, 0.8), 0.7);
        def.density = 2400.0;
        def.friction = 0.37;
        def.restitution = 0.21;
        def.user = 0x123456789abcdefULL;
        abut_body_info info;
        abut_mass expected;
        abut_body_id id = staging_put(&stage, &def);
        assert_ok(abut_world_body_info(stage.world, id, &info));
        assert_ok(abut_shape_mass(shapes[i], def.density, &expected));
        assert_near(info.mass, expected.mass, 1e-14 * expected.mass);
        assert_vec3_near(info.centre, expected.centre, 0.0);
        check_inertia(info.inertia, expected.inertia, abut_length(expected.inertia.x) + abut_length(expected.inertia.z));
        assert_true(info.kind == def.kind && info.shape == def.shape && info.user == def.user);
        assert_near(info.friction, 0.37, 0.0);
        assert_near(info.restitution, 0.21, 0.0);
        assert_vec3_near(staging_state(&stage, id).centre, abut_pose_apply(def.pose, expected.centre), 1e-15);
        def.mass = 3.5;
        assert_ok(abut_world_body_info(stage.world, staging_put(&stage, &def), &info));
        double density = 3.5 * def.density / expected.mass;
        assert_ok(abut_shape_mass(shapes[i], density, &expected));
        assert_near(info.mass, 3.5, 0.0);
        check_inertia(info.inertia, expected.inertia, abut_length(expected.inertia.x) + abut_length(expected.inertia.z));
        const abut_body_kind kinds[] = {ABUT_BODY_STATIC, ABUT_BODY_KINEMATIC};
        for (int k = 0; k < 2; k++) {
            def.kind = kinds[k];
            assert_ok(abut_world_body_info(stage.world, staging_put(&stage, &def), &info));
            assert_near(info.mass, 0.0, 0.0);
            check_inertia(info.inertia, (abut_mat3){{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, 0.0);
        }
    }
    staging_close(&stage);
}

/* The world keeps the shape alive. */
static void test_shapes_are_retained(void **state) {
    (void)state;
    counting_allocator memory = {.refuse_at = -1};
    counting_allocator_install(&memory);
    staging stage = staging_open(NULL);
    abut_shape *box = NULL;
    assert_ok(abut_shape_create_box(abut_vec3_make(1, 2, 3), &box));
    abut_body_id id = staging_add(&stage, ABUT_BODY_DYNAMIC, box, abut_vec3_make(0, 0, 0));
    abut_shape_release(box);
    abut_body_info info;
    abut_mass mass;
    assert_ok(abut_world_body_info(stage.world, id, &info));
    assert_ok(abut_shape_mass(info.shape, 1.0, &mass));
    assert_near(mass.mass, 48.0, 1e-12);
    staging_run(&stage, step, 2);
    int64_t before = memory.live;
    assert_ok(abut_world_remove_body(stage.world, id));
    assert_true(memory.live < before);
    staging_close(&stage);
    assert_int_equal(memory.live, 0);
    counting_allocator_remove();
}

/* Two boxes on each other on a third, static one, asleep. */
typedef struct sleeping_tower {
    staging stage;
    abut_body_id base, lower, upper;
} sleeping_tower;

static sleeping_tower open_sleeping_tower(void) {
    sleeping_tower t = {.stage = staging_open(NULL)};
    const abut_shape *box = staging_box(&t.stage, 0.5, 0.5, 0.5);
    t.base = staging_add(&t.stage, ABUT_BODY_STATIC, box, abut_vec3_make(0, 0, 0));
    t.lower = staging_add(&t.stage, ABUT_BODY_DYNAMIC, box, abut_vec3_make(0, 0, 1));
    t.upper = staging_add(&t.stage, ABUT_BODY_DYNAMIC, box, abut_vec3_make(0, 0, 2));
    staging_run(&t.stage, step, 60);
    assert_false(staging_awake(&t.stage, t.lower));
    assert_false(staging_awake(&t.stage, t.upper));
    return t;
}

static void test_removal_wakes(void **state) {
    (void)state;
    sleeping_tower t = open_sleeping_tower();
    assert_ok(abut_world_remove_body(t.stage.world, t.base));
    assert_true(staging_awake(&t.stage, t.lower));
    assert_int_equal(staging_run(&t.stage, step, 1).awake, 2);
    abut_step_report report = staging_run(&t.stage, step, 29);
    assert_int_equal(report.bodies, 2);
    assert_near(staging_state(&t.stage, t.lower).pose.position.z, 1.0 - 0.5 * 9.81 * 0.25, 1e-3);
    assert_near(staging_state(&t.stage, t.upper).pose.position.z, 2.0 - 0.5 * 9.81 * 0.25, 1e-3);
    staging_close(&t.stage);

    t = open_sleeping_tower();
    assert_ok(abut_world_remove_body(t.stage.world, t.lower));
    const abut_world_contact *contacts;
    int32_t count;
    assert_ok(abut_world_contacts(t.stage.world, &contacts, &count));
    assert_int_equal(count, 0);
    assert_true(staging_awake(&t.stage, t.upper));
    staging_run(&t.stage, step, 60);
    assert_near(staging_state(&t.stage, t.upper).pose.position.z, 1.0, 1e-4);
    staging_close(&t.stage);
}

static void test_touching_a_body_wakes_it(void **state) {
    (void)state;
    abut_vec3 zero = {0, 0, 0};
    sleeping_tower t = open_sleeping_tower();
    assert_ok(abut_world_set_body_motion(t.stage.world, t.upper, (abut_motion){zero, zero}));
    assert_true(staging_awake(&t.stage, t.upper));
    staging_close(&t.stage);

    t = open_sleeping_tower();
    assert_ok(abut_world_apply_force(t.stage.world, t.upper, abut_vec3_make(0, 0, 1), zero));
    assert_true(staging_awake(&t.stage, t.upper));
    assert_int_equal(staging_run(&t.stage, step, 1).awake, 2);
    staging_close(&t.stage);

    t = open_sleeping_tower();
    abut_pose pose = {{7, 0, 5}, abut_quat_about(abut_vec3_make(0, 1, 0), 0.3)};
    assert_ok(abut_world_set_body_pose(t.stage.world, t.lower, pose));
    assert_true(staging_awake(&t.stage, t.lower));
    assert_true(staging_awake(&t.stage, t.upper));
    assert_vec3_near(staging_state(&t.stage, t.lower).pose.position, pose.position, 0.0);
    assert_vec3_near(staging_state(&t.stage, t.lower).centre, pose.position, 1e-15);
    assert_int_equal(staging_run(&t.stage, step, 1).touching, 0);
    staging_close(&t.stage);

    /* The ground is removed. */
    t = open_sleeping_tower();
    pose.position = abut_vec3_make(50, 0, 0);
    assert_ok(abut_world_set_body_pose(t.stage.world, t.base, pose));
    staging_run(&t.stage, step, 30);
    assert_near(staging_state(&t.stage, t.lower).pose.position.z, 1.0 - 0.5 * 9.81 * 0.25, 1e-3);
    staging_close(&t.stage);
}

/* A force acts during one step only. It turns a body if it does not act at the centre. */
static void test_force_lasts_one_step(void **state) {
    (void)state;
    abut_world_def def = abut_world_def_default();
    def.gravity = abut_vec3_make(0, 0, 0);
    staging stage = staging_open(&def);
    abut_body_def body = staging_body(ABUT_BODY_DYNAMIC, staging_sphere(&stage, 0.5), abut_vec3_make(1, 2, 3));
    body.mass = 2.0;
    abut_body_id id = staging_put(&stage, &body);
    assert_ok(abut_world_apply_force(stage.world, id, abut_vec3_make(10, 0, 0), abut_vec3_make(1, 2, 3.5)));
    assert_ok(abut_world_apply_force(stage.world, id, abut_vec3_make(2, 0, 0), abut_vec3_make(1, 2, 3.5)));
    abut_vec3 spin = {0, 12.0 * 0.5 * step / (0.4 * 2.0 * 0.25), 0};
    for (int i = 0; i < 2; i++) {
        staging_run(&stage, step, 1);
        assert_vec3_near(staging_state(&stage, id).motion.linear, abut_vec3_make(6.0 * step, 0, 0), 1e-15);
        assert_vec3_near(staging_state(&stage, id).motion.angular, spin, 1e-14);
    }
    staging_close(&stage);
}

static void test_spring_statuses(void **state) {
    (void)state;
    staging stage = staging_open(NULL);
    const abut_shape *box = staging_box(&stage, 0.5, 0.5, 0.5);
    abut_body_id id = staging_add(&stage, ABUT_BODY_DYNAMIC, box, abut_vec3_make(0, 0, 0));
    abut_body_id fixed = staging_add(&stage, ABUT_BODY_STATIC, box, abut_vec3_make(5, 0, 0));
    abut_body_id driven = staging_add(&stage, ABUT_BODY_KINEMATIC, box, abut_vec3_make(9, 0, 0));
    const bad_number bad[] = {
        {offsetof(abut_spring_def, anchor.x), NAN, ABUT_ERROR_NOT_FINITE},
        {offsetof(abut_spring_def, target.y), INFINITY, ABUT_ERROR_NOT_FINITE},
        {offsetof(abut_spring_def, frequency), NAN, ABUT_ERROR_NOT_FINITE},
        {offsetof(abut_spring_def, frequency), 0.0, ABUT_ERROR_INVALID_ARGUMENT},
        {offsetof(abut_spring_def, frequency), -1.0, ABUT_ERROR_INVALID_ARGUMENT},
        {offsetof(abut_spring_def, damping_ratio), -0.1, ABUT_ERROR_INVALID_ARGUMENT},
        {offsetof(abut_spring_def, damping_ratio), INFINITY, ABUT_ERROR_NOT_FINITE},
        {offsetof(abut_spring_def, max_force), -1.0, ABUT_ERROR_INVALID_ARGUMENT},
        {offsetof(abut_spring_def, max_force), NAN, ABUT_ERROR_NOT_FINITE},
    };
    abut_spring_id spring = {66, 6};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        abut_spring_def def = abut_spring_def_default();
        def.body = id;
        set_number(&def, &bad[i]);
        assert_status(abut_world_add_spring(stage.world, &def, &spring), bad[i].expected);
    }
    abut_spring_def def = abut_spring_def_default();
    def.body = fixed;
    assert_status(abut_world_add_spring(stage.world, &def, &spring), ABUT_ERROR_INVALID_ARGUMENT);
    def.body = driven;
    assert_status(abut_world_add_spring(stage.world, &def, &spring), ABUT_ERROR_INVALID_ARGUMENT);
    def.body = id;
    assert_status(abut_world_add_spring(NULL, &def, &spring), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_add_spring(stage.world, NULL, &spring), ABUT_ERROR_INVALID_ARGUMENT);
    assert_true(spring.index == 66 && spring.generation == 6);
    assert_ok(abut_world_add_spring(stage.world, &def, NULL));
    staging_close(&stage);
}

static void test_spring_life(void **state) {
    (void)state;
    sleeping_tower t = open_sleeping_tower();
    abut_vec3 target = {0, 0, 2};
    assert_status(abut_world_remove_spring(t.stage.world, (abut_spring_id){0, 0}), ABUT_ERROR_STALE_ID);
    abut_spring_def def = abut_spring_def_default();
    def.body = t.upper;
    def.target = target;
    abut_spring_id first, second, third;
    assert_ok(abut_world_add_spring(t.stage.world, &def, &first));
    assert_true(staging_awake(&t.stage, t.upper));
    assert_ok(abut_world_add_spring(t.stage.world, &def, &second));
    assert_int_equal(first.index, 1);
    assert_int_equal(second.index, 2);
    staging_run(&t.stage, step, 60);
    assert_false(staging_awake(&t.stage, t.upper));
    assert_status(abut_world_set_spring_target(t.stage.world, second, abut_vec3_make(NAN, 0, 0)), ABUT_ERROR_NOT_FINITE);
    assert_false(staging_awake(&t.stage, t.upper));
    assert_ok(abut_world_set_spring_target(t.stage.world, second, target));
    assert_true(staging_awake(&t.stage, t.upper));
    assert_ok(abut_world_remove_spring(t.stage.world, first));
    assert_status(abut_world_remove_spring(t.stage.world, first), ABUT_ERROR_STALE_ID);
    assert_status(abut_world_set_spring_target(t.stage.world, first, target), ABUT_ERROR_STALE_ID);
    assert_ok(abut_world_add_spring(t.stage.world, &def, &third));
    assert_int_equal(third.index, first.index);
    assert_int_not_equal(third.generation, first.generation);
    assert_status(abut_world_set_spring_target(t.stage.world, first, target), ABUT_ERROR_STALE_ID);
    /* They go with their body. */
    assert_ok(abut_world_remove_body(t.stage.world, t.upper));
    assert_status(abut_world_set_spring_target(t.stage.world, second, target), ABUT_ERROR_STALE_ID);
    assert_status(abut_world_remove_spring(t.stage.world, third), ABUT_ERROR_STALE_ID);
    assert_near(staging_run(&t.stage, step, 1).spring_energy, 0.0, 0.0);
    staging_close(&t.stage);
}

static void test_contacts(void **state) {
    (void)state;
    staging stage = staging_open(NULL);
    const abut_shape *box = staging_box(&stage, 0.5, 0.4, 0.3);
    staging_ground(&stage, 0.5);
    for (int i = 0; i < 4; i++) {
        abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, box, abut_vec3_make(3.0 * (i / 2), 0, 0.3 + 0.6 * (i % 2)));
        def.mass = 2.0 + i;
        staging_put(&stage, &def);
    }
    staging_run(&stage, step, 50);
    for (int asleep = 0; asleep < 2; asleep++) {
        const abut_world_contact *contacts;
        int32_t count;
        assert_ok(abut_world_contacts(stage.world, &contacts, &count));
        assert_int_equal(count, 16);
        double total[6] = {0};
        for (int32_t i = 0; i < count; i++) {
            const abut_world_contact *c = &contacts[i];
            assert_true(c->a.index < c->b.index);
            if (i > 0) {
                const abut_world_contact *last = c - 1;
                bool ascending = last->a.index < c->a.index || (last->a.index == c->a.index && last->b.index <= c->b.index);
                assert_true(ascending);
                assert_true(last->b.index != c->b.index || last->a.index != c->a.index || last->contact.patch <= c->contact.patch);
            }
            assert_true(c->normal_force >= 0.0);
            assert_near(fabs(c->contact.normal.z), 1.0, 1e-9);
            assert_near(abut_dot(c->friction_force, c->contact.normal), 0.0, 1e-9);
            assert_true(abut_length(c->friction_force) <= 0.5 * c->normal_force * (1.0 + 1e-9));
            total[c->b.index] += c->normal_force;
        }
        /* Pairs (plane, lower), (lower, upper), and the same of the second tower. */
        assert_near(total[2], 9.81 * (2 + 3), 1e-6 * 9.81 * 5);
        assert_near(total[3], 9.81 * 3, 1e-6 * 9.81 * 3);
        assert_near(total[4], 9.81 * (4 + 5), 1e-6 * 9.81 * 9);
        assert_near(total[5], 9.81 * 5, 1e-6 * 9.81 * 5);
        assert_int_equal(staging_run(&stage, step, 50).awake, 0);
    }
    staging_close(&stage);
}

static void test_report_of_a_free_body(void **state) {
    (void)state;
    staging stage = staging_open(NULL);
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, staging_box(&stage, 0.5, 0.3, 0.2), abut_vec3_make(1, 2, 30));
    def.mass = 6.0;
    def.motion.linear = abut_vec3_make(1, -2, 3);
    def.motion.angular = abut_vec3_make(0, 0, 4);
    abut_body_id id = staging_put(&stage, &def);
    abut_step_report r = staging_run(&stage, step, 30);
    double v = 3.0 - 9.81 * 0.5, z = 30.0 + 3.0 * 0.5 - 0.5 * 9.81 * 0.25, spin = 6.0 / 3.0 * (0.25 + 0.09);
    assert_int_equal(r.step, 30);
    assert_near(r.time, 0.5, 1e-12);
    assert_true(r.bodies == 1 && r.awake == 1 && r.candidates == 0 && r.touching == 0 && r.contacts == 0);
    assert_near(r.max_penetration, 0.0, 0.0);
    assert_near(r.kinetic_energy, 3.0 * (1 + 4 + v * v) + 0.5 * spin * 16.0, 1e-10);
    assert_near(r.potential_energy, 6.0 * 9.81 * z, 1e-9);
    assert_near(r.spring_energy, 0.0, 0.0);
    assert_true(r.seconds_broad >= 0.0 && r.seconds_narrow >= 0.0 && r.seconds_solve >= 0.0 && r.seconds_total >= r.seconds_solve);
    abut_spring_def spring = abut_spring_def_default();
    spring.body = id;
    spring.frequency = 0.5;
    spring.anchor = abut_vec3_make(0.5, 0, 0);
    spring.target = abut_vec3_make(0, 0, 20);
    assert_ok(abut_world_add_spring(stage.world, &spring, NULL));
    r = staging_run(&stage, step, 1);
    abut_vec3 anchor = abut_pose_apply(staging_state(&stage, id).pose, spring.anchor);
    double stiffness = 6.0 * PI * PI;
    assert_near(r.spring_energy, 0.5 * stiffness * abut_length_squared(abut_sub(anchor, spring.target)), 1e-9);
    staging_close(&stage);
}

static void test_report_counts(void **state) {
    (void)state;
    abut_world_def world = abut_world_def_default();
    world.gravity = abut_vec3_make(0, 0, 0);
    staging stage = staging_open(&world);
    const abut_shape *ball = staging_sphere(&stage, 1.0);
    /* The first two overlap; the bounds of the third meet the second's, its ball does not; the fourth is far away, the fifth static. */
    const double at[5][2] = {{0, 0}, {1.9, 0}, {3.4, 1.5}, {30, 0}, {30, 40}};
    for (int i = 0; i < 5; i++) {
        staging_add(&stage, i == 4 ? ABUT_BODY_STATIC : ABUT_BODY_DYNAMIC, ball, abut_vec3_make(at[i][0], at[i][1], 0));
    }
    abut_step_report r = staging_run(&stage, step, 1);
    assert_int_equal(r.bodies, 5);
    assert_int_equal(r.awake, 4);
    assert_int_equal(r.candidates, 2);
    assert_int_equal(r.touching, 1);
    assert_int_equal(r.contacts, 1);
    assert_near(r.max_penetration, 0.1, 1e-12);
    staging_close(&stage);
}

/* A small scene that uses every list of a step: contacts, patches, springs. If any request for memory is refused, the call returns the
 * status and leaves the world unchanged; the same call again then succeeds with the same result. */
static uint64_t make_and_step(counting_allocator *memory, abut_contact_method method, int32_t *refusals) {
    abut_shape *shapes[3] = {NULL, NULL, NULL};
    assert_ok(abut_shape_create_plane(abut_vec3_make(0, 0, 1), 0, &shapes[0]));
    assert_ok(abut_shape_create_box(abut_vec3_make(0.5, 0.5, 0.5), &shapes[1]));
    assert_ok(abut_shape_create_prism(0.5, 0.5, 24, &shapes[2]));
    counting_allocator_install(memory);
    abut_world_def def = abut_world_def_default();
    def.method = method;
    def.parallel.threads = 1;
    abut_world *world = NULL;
    abut_status status = abut_world_create(&def, &world);
    if (status != ABUT_OK) {
        assert_status(status, ABUT_ERROR_OUT_OF_MEMORY);
        assert_null(world);
        ++*refusals;
        assert_ok(abut_world_create(&def, &world));
    }
    abut_body_id last = {0, 0};
    for (int i = 0; i < 6; i++) {
        abut_body_def body = staging_body(i == 0 ? ABUT_BODY_STATIC : ABUT_BODY_DYNAMIC, shapes[i == 0 ? 0 : 1 + i % 2],
                                          abut_vec3_make(0.1 * i, 0, i == 0 ? 0.0 : i - 0.5));
        uint64_t hash = abut_world_hash(world);
        status = abut_world_add_body(world, &body, &last);
        if (status != ABUT_OK) {
            assert_status(status, ABUT_ERROR_OUT_OF_MEMORY);
            assert_true(abut_world_hash(world) == hash);
            ++*refusals;
            assert_ok(abut_world_add_body(world, &body, &last));
        }
    }
    abut_spring_def spring = abut_spring_def_default();
    spring.body = last;
    spring.target = abut_vec3_make(0, 0, 9);
    abut_spring_id id = {0, 0};
    status = abut_world_add_spring(world, &spring, &id);
    if (status != ABUT_OK) {
        assert_status(status, ABUT_ERROR_OUT_OF_MEMORY);
        assert_int_equal(id.index, 0);
        ++*refusals;
        assert_ok(abut_world_add_spring(world, &spring, &id));
    }
    for (int i = 0; i < 4; i++) {
        uint64_t hash = abut_world_hash(world);
        abut_step_report report = {.step = -1};
        int32_t before, after;
        const abut_world_contact *contacts;
        assert_ok(abut_world_contacts(world, &contacts, &before));
        status = abut_world_step(world, step, &report);
        if (status != ABUT_OK) {
            assert_status(status, ABUT_ERROR_OUT_OF_MEMORY);
            assert_true(abut_world_hash(world) == hash);
            assert_ok(abut_world_contacts(world, &contacts, &after));
            assert_int_equal(after, before);
            assert_int_equal(report.step, -1);
            ++*refusals;
            assert_ok(abut_world_step(world, step, &report));
        }
        assert_int_equal(report.step, i + 1);
    }
    uint64_t hash = abut_world_hash(world);
    abut_world_destroy(world);
    counting_allocator_remove();
    assert_int_equal(memory->live, 0);
    for (int i = 0; i < 3; i++) {
        abut_shape_release(shapes[i]);
    }
    return hash;
}

static void test_out_of_memory(void **state) {
    (void)state;
    for (int method = 0; method < 2; method++) {
        counting_allocator memory = {.refuse_at = -1};
        int32_t refusals = 0, runs = 0;
        uint64_t expected = make_and_step(&memory, (abut_contact_method)method, &refusals);
        assert_int_equal(refusals, 0);
        int64_t refused = 0;
        do {
            memory = (counting_allocator){.refuse_at = refused++};
            refusals = 0;
            uint64_t hash = make_and_step(&memory, (abut_contact_method)method, &refusals);
            assert_int_equal(refusals, memory.refused);
            if (hash != expected) {
                fail_msg("method %d: another world after request %d was refused", method, (int)refused - 1);
            }
            runs++;
        } while (memory.refused);
        print_message("method %d: %d requests refused in turn\n", method, runs - 1);
        assert_true(runs > 20);
    }
}

static void check_overflow(staging *stage, double dt) {
    uint64_t hash = abut_world_hash(stage->world);
    abut_step_report report = {.step = -7};
    int32_t before, after;
    const abut_world_contact *contacts;
    assert_ok(abut_world_contacts(stage->world, &contacts, &before));
    assert_status(abut_world_step(stage->world, dt, &report), ABUT_ERROR_NOT_FINITE);
    assert_true(abut_world_hash(stage->world) == hash);
    assert_int_equal(report.step, -7);
    assert_ok(abut_world_contacts(stage->world, &contacts, &after));
    assert_int_equal(after, before);
}

static void test_overflow(void **state) {
    (void)state;
    staging stage = staging_open(NULL);
    const abut_shape *box = staging_box(&stage, 0.5, 0.5, 0.5);
    staging_ground(&stage, 0.5);
    staging_add(&stage, ABUT_BODY_DYNAMIC, box, abut_vec3_make(0, 0, 0.5));
    abut_body_id id = staging_add(&stage, ABUT_BODY_DYNAMIC, box, abut_vec3_make(5, 0, 5));
    abut_vec3 zero = {0, 0, 0}, up = {0, 0, 1e308};
    staging_run(&stage, step, 3);
    assert_ok(abut_world_set_body_motion(stage.world, id, (abut_motion){up, zero}));
    check_overflow(&stage, 10.0);
    assert_ok(abut_world_set_body_motion(stage.world, id, (abut_motion){zero, abut_vec3_make(1e308, 1e308, 0)}));
    check_overflow(&stage, step);
    assert_ok(abut_world_set_body_motion(stage.world, id, (abut_motion){zero, zero}));
    assert_ok(abut_world_apply_force(stage.world, id, up, staging_state(&stage, id).centre));
    check_overflow(&stage, 1e5);
    assert_int_equal(staging_run(&stage, 1e-200, 1).step, 4); /* so short that the way of the body can be measured */
    staging_close(&stage);
}

static void test_hash(void **state) {
    (void)state;
    staging stage = staging_open(NULL);
    uint64_t empty = abut_world_hash(stage.world);
    const abut_shape *box = staging_box(&stage, 0.5, 0.5, 0.5);
    abut_body_id id = staging_add(&stage, ABUT_BODY_DYNAMIC, box, abut_vec3_make(0, 0, 1));
    uint64_t added = abut_world_hash(stage.world);
    assert_true(added != empty);
    abut_pose pose = abut_pose_identity();
    pose.position.z = nextafter(1.0, 2.0);
    assert_ok(abut_world_set_body_pose(stage.world, id, pose));
    assert_true(abut_world_hash(stage.world) != added);
    pose.position.z = 1.0;
    assert_ok(abut_world_set_body_pose(stage.world, id, pose));
    assert_true(abut_world_hash(stage.world) == added);
    assert_ok(abut_world_set_body_motion(stage.world, id, (abut_motion){abut_vec3_make(0, 0, 5e-324), abut_vec3_make(0, 0, 0)}));
    assert_true(abut_world_hash(stage.world) != added);
    staging_close(&stage);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_create_statuses),
        cmocka_unit_test(test_add_body_statuses),
        cmocka_unit_test(test_ids),
        cmocka_unit_test(test_generations_run_out),
        cmocka_unit_test(test_bodies_capacity),
        cmocka_unit_test(test_setters_statuses),
        cmocka_unit_test(test_no_world),
        cmocka_unit_test(test_step_and_contacts_statuses),
        cmocka_unit_test(test_body_info),
        cmocka_unit_test(test_shapes_are_retained),
        cmocka_unit_test(test_removal_wakes),
        cmocka_unit_test(test_touching_a_body_wakes_it),
        cmocka_unit_test(test_force_lasts_one_step),
        cmocka_unit_test(test_spring_statuses),
        cmocka_unit_test(test_spring_life),
        cmocka_unit_test(test_contacts),
        cmocka_unit_test(test_report_of_a_free_body),
        cmocka_unit_test(test_report_counts),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_overflow),
        cmocka_unit_test(test_hash),
    };
    return cmocka_run_group_tests_name("step/calls", tests, NULL, NULL);
}
