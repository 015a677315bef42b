/*
 * Values that are changed while a world runs, and the gravity scales of bodies. A value that is set before the first step does what the same value of the
 * definition does, to the last bit; gravity scales that are all equal do what the scaled gravity of the world does.
 */
#include "support/random.h"
#include "support/staging.h"

static const abut_vec3 zero = {0, 0, 0};
static const abut_stepper steppers[] = {ABUT_STEPPER_FIXED, ABUT_STEPPER_EVENT, ABUT_STEPPER_DEM};
static const double lengths_of_steps[] = {1.0 / 60.0, 1.0 / 60.0, 1e-3};

enum { STEPPERS = 3, BODIES = 9, STEPS = 40 };

/* ---- the same world by definitions and by setters ---- */

typedef struct values {
    abut_vec3 gravity;
    double mass, friction, restitution, linear, angular, scale;
} values;

static const values plain = {{0, 0, -9.81}, 40.0, 0.5, 0.0, 0.0, 0.0, 1.0};
static const values other = {{0.3, -0.2, -7.0}, 61.7, 0.23, 0.35, 0.4, 0.7, 0.83};

typedef struct scene {
    staging stage;
    abut_body_id ground, bodies[BODIES];
} scene;

static abut_body_def body_of(const values *v, abut_body_kind kind, const abut_shape *shape, abut_vec3 place) {
    abut_body_def def = staging_body(kind, shape, place);
    def.mass = kind == ABUT_BODY_DYNAMIC ? v->mass : 0.0;
    def.friction = v->friction;
    def.restitution = v->restitution;
    def.linear_damping = v->linear;
    def.angular_damping = v->angular;
    def.gravity_scale = v->scale;
    return def;
}

static scene build(const values *v, int32_t stepper) {
    random_state random = random_make(9);
    abut_world_def world = abut_world_def_default();
    world.gravity = v->gravity;
    world.stepper = steppers[stepper];
    world.event.tolerance = 1e-6;
    scene s = {.stage = staging_make_with(&world)};
    staging *stage = &s.stage;
    const abut_part parts[] = {{stage->sphere, {{0, 0, 0.2}, {0, 0, 0, 1}}}, {stage->box, {{0.3, 0.1, -0.2}, {0, 0, 0, 1}}}};
    abut_shape *compound;
    assert_ok(abut_shape_create_compound(parts, 2, &compound));
    const abut_shape *shapes[] = {stage->sphere, stage->box, staging_keep(stage, compound)};
    abut_body_def ground = body_of(v, ABUT_BODY_STATIC, stage->plane, zero);
    s.ground = staging_put(stage, &ground);
    for (int32_t i = 0; i < BODIES; i++) {
        const abut_shape *shape = stepper == 2 ? stage->sphere : shapes[i % 3];
        abut_body_def def = body_of(v, ABUT_BODY_DYNAMIC, shape, abut_vec3_make(2.5 * (i % 3), 2.5 * (i / 3), stepper == 2 ? 0.5 : 1.4));
        def.pose.rotation = random_rotation(&random);
        def.motion = (abut_motion){random_vec3(&random, -1, 1), random_vec3(&random, -2, 2)};
        s.bodies[i] = staging_put(stage, &def);
    }
    return s;
}

static void set_all(const scene *s, const values *v) {
    abut_world *world = s->stage.world;
    assert_ok(abut_world_set_gravity(world, v->gravity));
    for (int32_t i = -1; i < BODIES; i++) {
        abut_body_id id = i < 0 ? s->ground : s->bodies[i];
        assert_ok(abut_world_set_body_friction(world, id, v->friction));
        assert_ok(abut_world_set_body_restitution(world, id, v->restitution));
        assert_ok(abut_world_set_body_damping(world, id, v->linear, v->angular));
        assert_ok(abut_world_set_body_gravity_scale(world, id, v->scale));
        if (i >= 0) {
            assert_ok(abut_world_set_body_mass(world, id, v->mass));
        }
    }
}

static void run_alike(scene *p, scene *q, double dt) {
    for (int32_t i = 0; i < STEPS; i++) {
        abut_step_report a = staging_run(&p->stage, dt, 1), b = staging_run(&q->stage, dt, 1);
        if (abut_world_hash(p->stage.world) != abut_world_hash(q->stage.world)) {
            fail_msg("the worlds differ after step %d", (int)i + 1);
        }
        assert_true(a.contacts == b.contacts);
        assert_true(a.kinetic_energy == b.kinetic_energy && a.potential_energy == b.potential_energy);
        assert_true(a.dem.residual == b.dem.residual && a.event.evaluations == b.event.evaluations);
    }
}

static void test_as_though_defined(void **state) {
    (void)state;
    for (int32_t k = 0; k < STEPPERS; k++) {
        scene defined = build(&other, k), changed = build(&plain, k), back = build(&other, k);
        set_all(&changed, &other);
        set_all(&back, &plain);
        set_all(&back, &other);
        for (int32_t i = 0; i < BODIES; i++) {
            abut_body_info a, b;
            assert_ok(abut_world_body_info(defined.stage.world, defined.bodies[i], &a));
            assert_ok(abut_world_body_info(changed.stage.world, changed.bodies[i], &b));
            assert_true(a.mass == b.mass && a.friction == b.friction && a.restitution == b.restitution);
            assert_true(a.linear_damping == b.linear_damping && a.angular_damping == b.angular_damping &&
                        a.gravity_scale == b.gravity_scale);
            assert_memory_equal(&a.inertia, &b.inertia, sizeof a.inertia);
        }
        run_alike(&defined, &changed, lengths_of_steps[k]);
        staging_close(&defined.stage);
        staging_close(&changed.stage);
        defined = build(&other, k);
        run_alike(&defined, &back, lengths_of_steps[k]);
        staging_close(&defined.stage);
        staging_close(&back.stage);
    }
}

static void test_equal_scales_are_a_gravity(void **state) {
    (void)state;
    const double scales[] = {0.37, 0.0, -1.3};
    for (int32_t k = 0; k < STEPPERS; k++) {
        for (int32_t i = 0; i < 3; i++) {
            values scaled = plain, weaker = plain;
            scaled.scale = scales[i];
            weaker.gravity = abut_scale(scales[i], plain.gravity);
            scene p = build(&scaled, k), q = build(&weaker, k);
            run_alike(&p, &q, lengths_of_steps[k]);
            staging_close(&p.stage);
            staging_close(&q.stage);
        }
    }
}

/* ---- closed forms ---- */

/* Bodies side by side with different scales fall each by its own: s g t. */
static void test_free_fall(void **state) {
    (void)state;
    const double scales[] = {1.0, 0.0, -0.5, 3.0, 0.25};
    enum { SCALES = 5 };
    for (int32_t k = 0; k < STEPPERS; k++) {
        abut_world_def world = staging_def(10.0);
        world.stepper = steppers[k];
        staging s = staging_make_with(&world);
        abut_body_id ids[SCALES];
        double potential = 0.0;
        for (int32_t i = 0; i < SCALES; i++) {
            abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, s.sphere, abut_vec3_make(3.0 * i, 0, 20));
            def.mass = 1.0 + i;
            def.gravity_scale = scales[i];
            ids[i] = staging_put(&s, &def);
            potential += def.mass * scales[i] * 10.0 * 20.0;
        }
        abut_body_def moved = staging_body(ABUT_BODY_KINEMATIC, s.sphere, abut_vec3_make(0, 9, 0));
        moved.gravity_scale = 5.0;
        abut_body_id kinematic = staging_put(&s, &moved);
        abut_step_report report;
        assert_ok(abut_world_report(s.world, &report));
        assert_near(report.potential_energy, potential, 1e-12 * potential);
        report = staging_run(&s, 0.01, 50);
        const double energy = report.kinetic_energy + report.potential_energy;
        for (int32_t i = 0; i < SCALES; i++) {
            const abut_body_state now = staging_state(&s, ids[i]);
            assert_vec3_near(now.motion.linear, abut_vec3_make(0, 0, -5.0 * scales[i]), 1e-10);
            assert_vec3_near(now.centre, abut_vec3_make(3.0 * i, 0, 20 - 1.25 * scales[i]), 1e-10);
        }
        assert_near(energy, potential, 1e-10 * potential);
        assert_vec3_near(staging_state(&s, kinematic).motion.linear, zero, 0.0);
        /* gravity that turns aside in the midst */
        assert_ok(abut_world_set_gravity(s.world, abut_vec3_make(0, 4, 0)));
        assert_ok(abut_world_set_body_gravity_scale(s.world, ids[1], 2.0));
        staging_run(&s, 0.01, 50);
        assert_vec3_near(staging_state(&s, ids[0]).motion.linear, abut_vec3_make(0, 2, -5), 1e-10);
        assert_vec3_near(staging_state(&s, ids[1]).motion.linear, abut_vec3_make(0, 4, 0), 1e-10);
        staging_close(&s);
    }
}

/* Resting on the ground, each body presses with its own weight. */
static void test_weights(void **state) {
    (void)state;
    const double scales[] = {1.0, 0.5, 2.0};
    for (int32_t k = 0; k < 2; k++) {
        abut_world_def world = staging_def(10.0);
        world.stepper = steppers[k];
        staging s = staging_make_with(&world);
        staging_ground(&s, 0.5);
        for (int32_t i = 0; i < 3; i++) {
            abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, s.sphere, abut_vec3_make(2.0 * i, 0, 0.5));
            def.mass = 3.0;
            def.gravity_scale = scales[i];
            staging_put(&s, &def);
        }
        staging_run(&s, STAGING_STEP, 60);
        const abut_world_contact *contacts;
        int32_t count;
        assert_ok(abut_world_contacts(s.world, &contacts, &count));
        assert_int_equal(count, 3);
        for (int32_t i = 0; i < 3; i++) {
            assert_near(contacts[i].normal_force, 30.0 * scales[i], 1e-4);
        }
        staging_close(&s);
    }
}

static void test_mass(void **state) {
    (void)state;
    staging s = staging_make(0.0);
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, s.box, abut_vec3_make(1, 2, 3));
    def.mass = 6.0;
    def.motion = (abut_motion){{1, 2, 3}, {0.1, 0.2, 0.3}};
    abut_body_id id = staging_put(&s, &def);
    const abut_body_state before = staging_state(&s, id);
    assert_ok(abut_world_set_body_mass(s.world, id, 24.0));
    abut_body_info info;
    assert_ok(abut_world_body_info(s.world, id, &info));
    assert_near(info.mass, 24.0, 0.0);
    assert_near(info.inertia.x.x, 4.0, 1e-14);
    assert_near(info.inertia.z.z, 4.0, 1e-14);
    const abut_body_state after = staging_state(&s, id);
    assert_memory_equal(&before.pose, &after.pose, sizeof before.pose);
    assert_memory_equal(&before.motion, &after.motion, sizeof before.motion);
    assert_ok(abut_world_apply_force(s.world, id, abut_vec3_make(48, 0, 0), after.centre));
    staging_run(&s, 0.01, 1);
    assert_vec3_near(staging_state(&s, id).motion.linear, abut_vec3_make(1.02, 2, 3), 1e-13);
    /* what the numbers cannot hold: inertia, its inverse, a spring */
    assert_status(abut_world_set_body_mass(s.world, id, 1e-320), ABUT_ERROR_NOT_FINITE);
    abut_spring_def spring = abut_spring_def_default();
    spring.body = id;
    spring.frequency = 1e20;
    assert_ok(abut_world_add_spring(s.world, &spring, NULL));
    assert_status(abut_world_set_body_mass(s.world, id, 1e300), ABUT_ERROR_NOT_FINITE);
    assert_ok(abut_world_body_info(s.world, id, &info));
    assert_near(info.mass, 24.0, 0.0);
    assert_near(info.inertia.x.x, 4.0, 1e-14);
    staging_close(&s);
}

/* A block on a slope of 30 degrees slides when its friction falls below tan 30 degrees. */
static void test_friction(void **state) {
    (void)state;
    abut_world_def world = abut_world_def_default();
    world.gravity = abut_vec3_make(5.0, 0, -8.660254037844387); /* the slope is the plane z = 0 */
    for (int32_t k = 0; k < 2; k++) {
        staging s = staging_make_with(&world);
        abut_body_id ground = staging_ground(&s, 0.7);
        abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, s.box, abut_vec3_make(0, 0, 0.5));
        def.friction = 0.7;
        abut_body_id id = staging_put(&s, &def);
        staging_run(&s, STAGING_STEP, 90);
        assert_false(staging_awake(&s, id));
        assert_ok(abut_world_set_body_friction(s.world, k == 0 ? id : ground, 0.0)); /* the ground's change wakes the block on it */
        assert_true(staging_awake(&s, id));
        staging_run(&s, STAGING_STEP, 60);
        assert_near(staging_state(&s, id).motion.linear.x, 5.0, 0.02);
        staging_close(&s);
    }
}

/* A grain that slides keeps its velocities, once its friction is gone. */
static void test_friction_of_grains(void **state) {
    (void)state;
    abut_world_def world = staging_def(10.0);
    world.stepper = ABUT_STEPPER_DEM;
    staging s = staging_make_with(&world);
    staging_ground(&s, 0.5);
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, s.sphere, abut_vec3_make(0, 0, 0.4999));
    def.motion.linear = abut_vec3_make(1, 0, 0);
    abut_body_id id = staging_put(&s, &def);
    staging_run(&s, 1e-3, 3);
    assert_true(staging_state(&s, id).motion.angular.y > 1e-3);
    assert_ok(abut_world_set_body_friction(s.world, id, 0.0));
    const abut_body_state before = staging_state(&s, id);
    assert_int_equal(staging_run(&s, 1e-3, 3).contacts, 1);
    /* The half step in which the last forces still act is over before the change. */
    assert_near(staging_state(&s, id).motion.linear.x, before.motion.linear.x, 1e-14);
    assert_vec3_near(staging_state(&s, id).motion.angular, before.motion.angular, 1e-14);
    staging_close(&s);
}

static void test_damping(void **state) {
    (void)state;
    staging s = staging_make(0.0);
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, s.sphere, zero);
    def.motion = (abut_motion){{2, 0, 0}, {0, 3, 0}};
    abut_body_id id = staging_put(&s, &def);
    assert_ok(abut_world_set_body_damping(s.world, id, 0.5, 1.5));
    staging_run(&s, 0.01, 100);
    assert_vec3_near(staging_state(&s, id).motion.linear, abut_vec3_make(2.0 * exp(-0.5), 0, 0), 1e-12);
    assert_vec3_near(staging_state(&s, id).motion.angular, abut_vec3_make(0, 3.0 * exp(-1.5), 0), 1e-12);
    staging_close(&s);
}

/* ---- what wakes, what is refused ---- */

static void test_waking(void **state) {
    (void)state;
    staging s = staging_make_with(NULL);
    staging_ground(&s, 0.5);
    abut_body_def weightless = staging_body(ABUT_BODY_DYNAMIC, s.box, abut_vec3_make(5, 0, 4));
    weightless.gravity_scale = 0.0;
    abut_body_id id = staging_add(&s, ABUT_BODY_DYNAMIC, s.box, abut_vec3_make(0, 0, 0.5)), floats = staging_put(&s, &weightless);
    staging_run(&s, STAGING_STEP, 60);
    assert_false(staging_awake(&s, id) || staging_awake(&s, floats));
    /* the values that it has, and those that move nothing */
    abut_body_info info;
    assert_ok(abut_world_body_info(s.world, id, &info));
    assert_ok(abut_world_set_body_mass(s.world, id, info.mass));
    assert_ok(abut_world_set_body_friction(s.world, id, 0.5));
    assert_ok(abut_world_set_body_gravity_scale(s.world, id, 1.0));
    assert_ok(abut_world_set_gravity(s.world, abut_vec3_make(0, 0, -9.81)));
    assert_ok(abut_world_set_body_restitution(s.world, id, 0.3));
    assert_ok(abut_world_set_body_damping(s.world, id, 0.1, 0.2));
    assert_false(staging_awake(&s, id));
    for (int32_t k = 0; k < 4; k++) {
        assert_ok(k == 0   ? abut_world_set_body_mass(s.world, id, 10.0)
                  : k == 1 ? abut_world_set_body_friction(s.world, id, 0.6)
                  : k == 2 ? abut_world_set_body_gravity_scale(s.world, id, 1.1)
                           : abut_world_set_gravity(s.world, abut_vec3_make(0, 0, -9.0)));
        assert_true(staging_awake(&s, id));
        staging_run(&s, STAGING_STEP, 60);
        assert_false(staging_awake(&s, id) || staging_awake(&s, floats));
    }
    assert_ok(abut_world_set_body_gravity_scale(s.world, floats, 0.1));
    staging_run(&s, STAGING_STEP, 10);
    assert_true(staging_state(&s, floats).motion.linear.z < 0.0);
    staging_close(&s);
}

typedef abut_status one_value(abut_world *world, abut_body_id id, double value);

static abut_status set_linear(abut_world *world, abut_body_id id, double value) {
    return abut_world_set_body_damping(world, id, value, 0.0);
}
static abut_status set_angular(abut_world *world, abut_body_id id, double value) {
    return abut_world_set_body_damping(world, id, 0.0, value);
}

static void test_statuses(void **state) {
    (void)state;
    one_value *const setters[] = {
        abut_world_set_body_mass,         abut_world_set_body_friction, abut_world_set_body_restitution, set_linear, set_angular,
        abut_world_set_body_gravity_scale};
    staging s = staging_make(9.81);
    abut_body_id gone = staging_add(&s, ABUT_BODY_DYNAMIC, s.box, zero), none = {0, 0};
    assert_ok(abut_world_remove_body(s.world, gone));
    abut_body_id id = staging_add(&s, ABUT_BODY_DYNAMIC, s.box, zero), fixed = staging_add(&s, ABUT_BODY_STATIC, s.box, zero),
                 moved = staging_add(&s, ABUT_BODY_KINEMATIC, s.box, zero);
    abut_body_info before, after;
    assert_ok(abut_world_body_info(s.world, id, &before));
    for (size_t i = 0; i < sizeof setters / sizeof *setters; i++) {
        assert_status(setters[i](s.world, gone, 1.0), ABUT_ERROR_STALE_ID);
        assert_status(setters[i](s.world, none, 1.0), ABUT_ERROR_STALE_ID);
        assert_status(setters[i](NULL, id, 1.0), ABUT_ERROR_INVALID_ARGUMENT);
        assert_status(setters[i](s.world, id, NAN), ABUT_ERROR_NOT_FINITE);
        assert_status(setters[i](s.world, id, INFINITY), ABUT_ERROR_NOT_FINITE);
        assert_status(setters[i](s.world, id, -INFINITY), ABUT_ERROR_NOT_FINITE);
        if (i < 5) {
            assert_status(setters[i](s.world, id, -1e-9), ABUT_ERROR_INVALID_ARGUMENT);
        }
    }
    assert_status(abut_world_set_body_mass(s.world, id, 0.0), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_set_body_restitution(s.world, id, 1.0000001), ABUT_ERROR_INVALID_ARGUMENT);
    assert_ok(abut_world_body_info(s.world, id, &after));
    assert_true(before.mass == after.mass && before.friction == after.friction && before.restitution == after.restitution &&
                before.linear_damping == after.linear_damping && before.angular_damping == after.angular_damping &&
                before.gravity_scale == after.gravity_scale);
    const abut_body_id heavy[] = {fixed, moved};
    for (int32_t i = 0; i < 2; i++) {
        assert_status(abut_world_set_body_mass(s.world, heavy[i], 1.0), ABUT_ERROR_INVALID_ARGUMENT);
        assert_status(abut_world_set_body_mass(s.world, heavy[i], NAN), ABUT_ERROR_NOT_FINITE);
        assert_ok(abut_world_set_body_friction(s.world, heavy[i], 0.25));
        assert_ok(abut_world_set_body_restitution(s.world, heavy[i], 0.75));
        assert_ok(abut_world_set_body_damping(s.world, heavy[i], 0.5, 0.125));
        assert_ok(abut_world_set_body_gravity_scale(s.world, heavy[i], 2.0));
        assert_ok(abut_world_body_info(s.world, heavy[i], &after));
        assert_true(after.mass == 0.0 && after.friction == 0.25 && after.restitution == 0.75 && after.linear_damping == 0.5 &&
                    after.angular_damping == 0.125 && after.gravity_scale == 2.0);
    }
    assert_status(abut_world_set_gravity(NULL, zero), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_set_gravity(s.world, abut_vec3_make(0, NAN, 0)), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_world_set_gravity(s.world, abut_vec3_make(0, 0, -INFINITY)), ABUT_ERROR_NOT_FINITE);
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, s.box, zero);
    def.gravity_scale = NAN;
    assert_status(abut_world_add_body(s.world, &def, NULL), ABUT_ERROR_NOT_FINITE);
    def.gravity_scale = -INFINITY;
    assert_status(abut_world_add_body(s.world, &def, NULL), ABUT_ERROR_NOT_FINITE);
    assert_near(abut_body_def_default().gravity_scale, 1.0, 0.0);
    staging_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_though_defined),
        cmocka_unit_test(test_equal_scales_are_a_gravity),
        cmocka_unit_test(test_free_fall),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_mass),
        cmocka_unit_test(test_friction),
        cmocka_unit_test(test_friction_of_grains),
        cmocka_unit_test(test_damping),
        cmocka_unit_test(test_waking),
        cmocka_unit_test(test_statuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
