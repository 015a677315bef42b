/* Surfaces that move along themselves, against closed forms: belts, turntables, vehicles on tracks. */
#include <stdio.h>
#include <stdlib.h>

#include "support/check.h"
#include "support/random.h"
#include "support/staging.h"

static const double gravity = 9.81;

static abut_vec3 vec(double x, double y, double z) { return abut_vec3_make(x, y, z); }

static abut_motion along(abut_vec3 linear) { return (abut_motion){linear, {0, 0, 0}}; }

/* A static or kinematic slab whose top is at z = 0. */
static abut_body_def slab(staging *s, abut_body_kind kind, double friction, abut_motion belt) {
    abut_body_def def = staging_body(kind, staging_box(s, 50, 50, 1), vec(0, 0, -1));
    def.friction = friction;
    def.surface_velocity = belt;
    return def;
}

static abut_body_id put_box(staging *s, double friction, abut_vec3 velocity) {
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, staging_box(s, 0.5, 0.4, 0.1), vec(0, 0, 0.1));
    def.friction = friction;
    def.motion.linear = velocity;
    return staging_put(s, &def);
}

/* A box at rest gets the acceleration mu g, and after V / (mu g) it goes along with the belt. Twice in a world of quick islands, once in an exact one. */
static void test_box_on_a_belt(void **state) {
    (void)state;
    random_state r = random_make(random_seed("test_box_on_a_belt", 11));
    int32_t samples = random_runs("test_box_on_a_belt", 12);
    double worst = 0.0;
    for (int32_t k = 0; k < samples; k++) {
        abut_world_def world = staging_def(gravity);
        world.fixed.exact = k % 3 == 0;
        staging s = staging_make_with(&world);
        double mu = random_range(&r, 0.1, 0.8), v = random_range(&r, 0.3, 3.0), angle = random_range(&r, 0.0, 2.0 * PI), dt = 1.0 / 240.0;
        abut_vec3 way = vec(cos(angle), sin(angle), 0);
        abut_body_def belt = slab(&s, k % 2 == 0 ? ABUT_BODY_STATIC : ABUT_BODY_KINEMATIC, mu, along(vec(v, 0, 0)));
        belt.pose.rotation = abut_quat_about(vec(0, 0, 1), angle);
        staging_put(&s, &belt);
        abut_body_id box = put_box(&s, mu, vec(0, 0, 0));
        double full = v / (mu * gravity);
        for (int i = 1; i * dt < full + 0.3; i++) {
            staging_run(&s, dt, 1);
            double t = i * dt, ramp = fmin(t, full), a = mu * gravity;
            abut_body_state at = staging_state(&s, box);
            double error = abut_distance_between(at.motion.linear, abut_scale(a * ramp, way));
            double place = 0.5 * a * ramp * ramp + v * (t - ramp);
            abut_vec3 moved = vec(at.pose.position.x, at.pose.position.y, 0);
            bool turns = t > full - dt && t < full + dt; /* within the step in which the box catches up */
            assert_true(error <= (turns ? a * dt : 1e-9));
            worst = fmax(worst, fabs(abut_dot(moved, way) - place));
            assert_true(abut_distance_between(moved, abut_scale(abut_dot(moved, way), way)) < 1e-9);
        }
        staging_close(&s);
    }
    printf("boxes on belts: error of the place %.1e m at 1/240 s\n", worst);
    assert_true(worst < 2e-5);
}

/* The belt of a moving body adds to its motion. */
static void test_belt_on_a_moving_body(void **state) {
    (void)state;
    staging s = staging_make(gravity);
    abut_body_def belt = slab(&s, ABUT_BODY_KINEMATIC, 0.5, along(vec(0.5, 0, 0)));
    belt.motion.linear = vec(0.25, 1, 0);
    staging_put(&s, &belt);
    abut_body_id box = put_box(&s, 0.5, vec(0, 0, 0));
    staging_run(&s, 1.0 / 60.0, 60);
    assert_vec3_near(staging_state(&s, box).motion.linear, vec(0.75, 1, 0), 1e-9);
    staging_close(&s);
}

/* A box on a turntable begins at its speed, and goes round in a circle where w^2 r < mu g. */
static void test_turntable(void **state) {
    (void)state;
    const double w = 2.0, radius = 0.8, dt = 1.0 / 240.0;
    staging s = staging_make(gravity);
    abut_body_def table = slab(&s, ABUT_BODY_STATIC, 0.5, (abut_motion){{0, 0, 0}, {0, 0, w}});
    staging_put(&s, &table);
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, staging_box(&s, 0.1, 0.1, 0.05), vec(radius, 0, 0.05));
    def.motion = (abut_motion){{0, w * radius, 0}, {0, 0, w}};
    abut_body_id box = staging_put(&s, &def);
    staging_run(&s, dt, 480);
    abut_body_state at = staging_state(&s, box);
    double angle = w * 480 * dt;
    printf("turntable: radius %.6f m, angle off by %.1e rad after 2 s\n", hypot(at.pose.position.x, at.pose.position.y),
           remainder(atan2(at.pose.position.y, at.pose.position.x) - angle, 2.0 * PI));
    assert_near(hypot(at.pose.position.x, at.pose.position.y), radius, 1e-5);
    assert_near(remainder(atan2(at.pose.position.y, at.pose.position.x) - angle, 2.0 * PI), 0.0, 1e-4);
    assert_vec3_near(at.motion.angular, vec(0, 0, w), 1e-3);
    staging_close(&s);
}

/* The origin of the belt's rotation is that of the shape frame, wherever the centre of mass is. */
static void test_turntable_off_its_centre(void **state) {
    (void)state;
    staging s = staging_make(0.0);
    const abut_vec3 corners[4] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, -4}};
    abut_shape *hull = NULL;
    assert_ok(abut_shape_create_hull(corners, 4, &hull));
    abut_body_def table = staging_body(ABUT_BODY_KINEMATIC, staging_keep(&s, hull), vec(0, 0, 0));
    table.surface_velocity.angular = vec(0, 0, 0.5);
    table.friction = 100.0;
    staging_put(&s, &table);
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, staging_box(&s, 0.1, 0.1, 0.1), vec(1, 1, 0.1));
    def.friction = 100.0;
    abut_body_id box = staging_put(&s, &def);
    for (int i = 0; i < 60; i++) {
        assert_ok(abut_world_apply_force(s.world, box, vec(0, 0, -1000), staging_state(&s, box).pose.position));
        staging_run(&s, 1.0 / 600.0, 1);
    }
    abut_body_state at = staging_state(&s, box);
    abut_vec3 p = at.pose.position;
    assert_vec3_near(at.motion.linear, vec(-0.5 * p.y, 0.5 * p.x, 0), 1e-3);
    assert_vec3_near(at.motion.angular, vec(0, 0, 0.5), 1e-3);
    staging_close(&s);
}

/* A vehicle whose tracks run backwards goes forwards. */
static void test_vehicle_on_tracks(void **state) {
    (void)state;
    staging s = staging_make(gravity);
    staging_ground(&s, 0.5);
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, staging_box(&s, 0.5, 0.4, 0.1), vec(0, 0, 0.1));
    def.surface_velocity = along(vec(-1.5, 0, 0));
    def.pose.rotation = abut_quat_about(vec(0, 0, 1), 0.5 * PI);
    abut_body_id tank = staging_put(&s, &def);
    staging_run(&s, 1.0 / 60.0, 6);
    assert_vec3_near(staging_state(&s, tank).motion.linear, vec(0, 0.5 * gravity * 0.1, 0), 1e-9);
    staging_run(&s, 1.0 / 60.0, 60);
    assert_vec3_near(staging_state(&s, tank).motion.linear, vec(0, 1.5, 0), 1e-9);
    staging_close(&s);
}

/* Between two dynamic bodies the belt is an inner force: it keeps their momentum and ends with their relative velocity. */
static void test_belts_keep_momentum(void **state) {
    (void)state;
    staging s = staging_make(gravity);
    staging_ground(&s, 0.0);
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, staging_box(&s, 3, 1, 0.25), vec(0, 0, 0.25));
    def.surface_velocity = along(vec(1, 0, 0));
    abut_body_id plank = staging_put(&s, &def);
    def = staging_body(ABUT_BODY_DYNAMIC, staging_box(&s, 0.2, 0.2, 0.1), vec(0, 0, 0.6));
    abut_body_id box = staging_put(&s, &def);
    staging_run(&s, 1.0 / 60.0, 60);
    const abut_body_id ids[] = {plank, box};
    staging_momenta sum = staging_momenta_of(&s, ids, 2);
    assert_near(sum.linear.x, 0.0, 1e-6);
    assert_near(staging_state(&s, box).motion.linear.x - staging_state(&s, plank).motion.linear.x, 1.0, 1e-6);
    staging_close(&s);
}

static uint64_t hash_of_slide(double friction, abut_motion belt) {
    abut_world_def def = staging_def(gravity);
    def.fixed.exact = true;
    staging s = staging_make_with(&def);
    abut_body_def floor = slab(&s, ABUT_BODY_STATIC, friction, belt);
    staging_put(&s, &floor);
    put_box(&s, 0.5, vec(1, 0.3, 0));
    staging_run(&s, 1.0 / 60.0, 30);
    uint64_t hash = abut_world_hash(s.world);
    staging_close(&s);
    return hash;
}

static void test_no_effect_without_friction(void **state) {
    (void)state;
    abut_motion none = along(vec(0, 0, 0)), belt = {{3, 1, 2}, {0, 1, 4}};
    assert_true(hash_of_slide(0.0, belt) == hash_of_slide(0.0, none));
    assert_true(hash_of_slide(0.1, belt) != hash_of_slide(0.1, none));
}

/* A box that a belt carries against a stop does not fall asleep, and a sleeping box goes on when the belt starts. */
static void test_belts_and_sleep(void **state) {
    (void)state;
    abut_world_def def = staging_def(gravity);
    def.fixed.sleeping = true;
    staging s = staging_make_with(&def);
    abut_body_def floor = slab(&s, ABUT_BODY_STATIC, 0.5, along(vec(0, 0, 0)));
    abut_body_id belt = staging_put(&s, &floor), box = put_box(&s, 0.5, vec(0, 0, 0));
    staging_run(&s, 1.0 / 60.0, 120);
    assert_false(staging_awake(&s, box));
    assert_ok(abut_world_set_body_surface_velocity(s.world, belt, along(vec(0.004, 0, 0))));
    assert_true(staging_awake(&s, box));
    staging_run(&s, 1.0 / 60.0, 120);
    assert_true(staging_awake(&s, box));
    assert_near(staging_state(&s, box).motion.linear.x, 0.004, 1e-9);
    assert_ok(abut_world_set_body_surface_velocity(s.world, belt, along(vec(0, 0, 0))));
    staging_run(&s, 1.0 / 60.0, 120);
    assert_false(staging_awake(&s, box));
    staging_close(&s);
}

/* A heap on belts. */
static staging heap(int threads) {
    abut_world_def def = staging_def(gravity);
    def.parallel = (abut_parallel){.threads = threads};
    def.fixed.sleeping = true;
    staging s = staging_make_with(&def);
    random_state r = random_make(5);
    for (int i = 0; i < 3; i++) {
        abut_body_def belt = staging_body(ABUT_BODY_STATIC, staging_box(&s, 2, 2, 0.1), vec(4.0 * i, 0, -0.1));
        belt.surface_velocity = (abut_motion){vec(1.0 - i, 0.3, 0), vec(0, 0, 0.2 * i)};
        staging_put(&s, &belt);
    }
    for (int i = 0; i < 24; i++) {
        abut_body_def def_of = staging_body(ABUT_BODY_DYNAMIC, i % 2 == 0 ? s.box : s.sphere, vec(1.1 * (i % 8), 1.2 * (i / 8) - 1.0, 0.6));
        def_of.pose.rotation = random_rotation(&r);
        def_of.surface_velocity = along(vec(i % 5 == 0 ? 0.4 : 0.0, 0, 0));
        staging_put(&s, &def_of);
    }
    return s;
}

static void test_threads_and_saved_states(void **state) {
    (void)state;
    uint64_t hash[3];
    const int threads[] = {1, 2, 8};
    for (int i = 0; i < 3; i++) {
        staging s = heap(threads[i]), t = heap(1);
        abut_body_id ids[32];
        int32_t count;
        assert_ok(abut_world_body_ids(s.world, ids, 32, &count));
        staging_run(&s, 1.0 / 60.0, 20);
        assert_ok(abut_world_set_body_surface_velocity(s.world, ids[1], along(vec(0.5, 0.5, 0))));
        staging_run(&s, 1.0 / 60.0, 5);
        size_t size = 0;
        (void)abut_world_save(s.world, NULL, 0, &size);
        unsigned char *saved = malloc(size);
        assert_ok(abut_world_save(s.world, saved, size, &size));
        assert_ok(abut_world_restore(t.world, saved, size));
        abut_body_info info;
        assert_ok(abut_world_body_info(t.world, ids[1], &info));
        assert_true(info.surface_velocity.linear.x == 0.5);
        staging_run(&s, 1.0 / 60.0, 30);
        staging_run(&t, 1.0 / 60.0, 30);
        hash[i] = abut_world_hash(s.world);
        assert_true(hash[i] == abut_world_hash(t.world));
        for (size_t cut = size - 60; cut < size; cut += 7) { /* damaged states are refused */
            assert_true(abut_world_restore(t.world, saved, cut) != ABUT_OK);
        }
        free(saved);
        staging_close(&s);
        staging_close(&t);
    }
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

static void test_other_steppers(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        abut_world_def def = staging_def(gravity);
        def.stepper = i == 0 ? ABUT_STEPPER_EVENT : ABUT_STEPPER_DEM;
        staging s = staging_make_with(&def);
        abut_body_def body = staging_body(ABUT_BODY_STATIC, s.sphere, vec(0, 0, 0));
        abut_body_id id = staging_put(&s, &body);
        body.surface_velocity = along(vec(1, 0, 0));
        assert_status(abut_world_add_body(s.world, &body, NULL), i == 0 ? ABUT_OK : ABUT_ERROR_UNSUPPORTED);
        assert_status(abut_world_set_body_surface_velocity(s.world, id, body.surface_velocity), i == 0 ? ABUT_OK : ABUT_ERROR_UNSUPPORTED);
        assert_ok(abut_world_set_body_surface_velocity(s.world, id, along(vec(0, 0, 0))));
        staging_close(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box_on_a_belt),
        cmocka_unit_test(test_belt_on_a_moving_body),
        cmocka_unit_test(test_turntable),
        cmocka_unit_test(test_turntable_off_its_centre),
        cmocka_unit_test(test_vehicle_on_tracks),
        cmocka_unit_test(test_belts_keep_momentum),
        cmocka_unit_test(test_no_effect_without_friction),
        cmocka_unit_test(test_belts_and_sleep),
        cmocka_unit_test(test_threads_and_saved_states),
        cmocka_unit_test(test_other_steppers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
