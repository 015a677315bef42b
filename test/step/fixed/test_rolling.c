/* Rolling and spinning friction against closed forms. */
#include <stdio.h>
#include <stdlib.h>

#include "support/check.h"
#include "support/random.h"
#include "support/staging.h"

static const double gravity = 9.81, fine = 1.0 / 240.0;

static abut_vec3 vec(double x, double y, double z) { return abut_vec3_make(x, y, z); }

static staging stage(bool exact, abut_vec3 down) {
    abut_world_def def = staging_def(gravity);
    def.gravity = down;
    def.fixed.exact = exact;
    return staging_make_with(&def);
}

static abut_body_id put_ball(staging *s, double radius, double rolling, double spinning, abut_motion motion) {
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, staging_sphere(s, radius), vec(0, 0, radius));
    def.rolling_friction = rolling;
    def.spinning_friction = spinning;
    def.motion = motion;
    return staging_put(s, &def);
}

static abut_motion rolls_along(abut_vec3 velocity, double radius) {
    return (abut_motion){velocity, abut_scale(1.0 / radius, abut_cross(vec(0, 0, 1), velocity))};
}

/*
 * The moment c m g about the axis of rolling and the friction F at the ground slow the ball: m a = F and I a / r = c m g - F r, with I = 2/5 m r^2. So
 * a = 5/7 g c / r, and the ball stops after v^2 / (2 a) = 7/5 v^2 r / (2 g c).
 */
static void test_ball_that_rolls_stops(void **state) {
    (void)state;
    random_state r = random_make(random_seed("test_ball_that_rolls_stops", 41));
    int32_t samples = random_runs("test_ball_that_rolls_stops", 10);
    double worst_speed = 0.0, worst_way = 0.0;
    for (int32_t k = 0; k < samples; k++) {
        double radius = random_log_range(&r, 0.1, 1.0), c = radius * random_range(&r, 0.02, 0.15), v = random_range(&r, 0.3, 1.0);
        double angle = random_range(&r, 0.0, 2.0 * PI), a = 5.0 / 7.0 * gravity * c / radius, stop = v / a;
        abut_vec3 way = vec(cos(angle), sin(angle), 0);
        staging s = stage(k % 2 == 0, vec(0, 0, -gravity));
        staging_ground(&s, 0.8);
        abut_body_id ball = put_ball(&s, radius, c, 0.0, rolls_along(abut_scale(v, way), radius));
        for (int i = 1; i * fine < stop + 0.2; i++) {
            staging_run(&s, fine, 1);
            abut_body_state at = staging_state(&s, ball);
            double expected = fmax(v - a * i * fine, 0.0);
            bool stops = fabs(i * fine - stop) < fine;
            worst_speed = stops ? worst_speed : fmax(worst_speed, abut_distance_between(at.motion.linear, abut_scale(expected, way)));
        }
        double length = 7.0 / 5.0 * v * v * radius / (2.0 * gravity * c);
        worst_way = fmax(worst_way, fabs(abut_dot(staging_state(&s, ball).pose.position, way) / length - 1.0));
        staging_close(&s);
    }
    printf("balls that roll: speed off by %.1e m/s, way by %.1e\n", worst_speed, worst_way);
    assert_true(worst_speed < 1e-6 && worst_way < 1e-3);
}

/* The moment c m g about the normal slows the spin by c m g / I = 5/2 c g / r^2. */
static void test_ball_that_spins_stops(void **state) {
    (void)state;
    random_state r = random_make(random_seed("test_ball_that_spins_stops", 43));
    int32_t samples = random_runs("test_ball_that_spins_stops", 10);
    double worst = 0.0;
    for (int32_t k = 0; k < samples; k++) {
        double radius = random_log_range(&r, 0.1, 1.0), c = radius * random_range(&r, 0.01, 0.1), w = random_range(&r, -10.0, 10.0);
        double rate = 2.5 * c * gravity / (radius * radius);
        staging s = stage(k % 2 == 0, vec(0, 0, -gravity));
        staging_ground(&s, 0.5);
        abut_body_id ball = put_ball(&s, radius, 0.0, c, (abut_motion){{0, 0, 0}, {0, 0, w}});
        for (int i = 1; i <= 60; i++) {
            staging_run(&s, fine, 1);
            double left = fmax(fabs(w) - rate * i * fine, 0.0), got = staging_state(&s, ball).motion.angular.z;
            worst = fmax(worst, fabs(got - copysign(left, w)));
        }
        staging_close(&s);
    }
    printf("balls that spin: off by %.1e rad/s\n", worst);
    assert_true(worst < 1e-6);
}

/* A ball on a slope stays where it is when the tangent of the slope is at most c / r, and rolls down with 5/7 (g sin - g c cos / r) on a steeper one. */
static void test_ball_on_a_slope(void **state) {
    (void)state;
    const double radius = 0.5, c = 0.05;
    const double tangents[3] = {0.05, 0.0999, 0.15};
    for (int k = 0; k < 6; k++) {
        double slope = atan(tangents[k % 3]);
        staging s = stage(k < 3, vec(gravity * sin(slope), 0, -gravity * cos(slope)));
        staging_ground(&s, 0.8);
        abut_body_id ball = put_ball(&s, radius, c, c, (abut_motion){{0, 0, 0}, {0, 0, 0}});
        staging_run(&s, 1.0 / 60.0, 120);
        abut_body_state at = staging_state(&s, ball);
        double a = fmax(0.0, 5.0 / 7.0 * gravity * (sin(slope) - c / radius * cos(slope)));
        printf("ball on a slope of %.4f: %.2e m after 2 s, %.2e expected\n", tangents[k % 3], at.pose.position.x, 2.0 * a);
        assert_near(at.motion.linear.x, 2.0 * a, 1e-6);
        assert_near(at.pose.position.x, 2.0 * a, a > 0.0 ? 1e-4 : 1e-7);
        staging_close(&s);
    }
}

/* Two balls of equal mass that roll into each other's way without ground: moments are inner ones, so the angular momentum stays. */
static void test_moments_keep_momentum(void **state) {
    (void)state;
    staging s = stage(false, vec(0, 0, 0));
    abut_body_id ids[2];
    ids[0] = put_ball(&s, 0.5, 0.02, 0.03, (abut_motion){{0, 0, 0}, {3, 1, 2}});
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, staging_sphere(&s, 0.5), vec(1, 0, 0.5));
    def.motion.linear = vec(-1, 0, 0);
    ids[1] = staging_put(&s, &def);
    staging_momenta before = staging_momenta_of(&s, ids, 2);
    staging_run(&s, fine, 60);
    staging_momenta after = staging_momenta_of(&s, ids, 2);
    assert_vec3_near(after.linear, before.linear, 1e-9);
    assert_vec3_near(after.angular, before.angular, 1e-9);
    assert_true(after.energy < before.energy);
    assert_true(fabs(staging_state(&s, ids[1]).motion.angular.x) > 1e-3); /* the other one turns along */
    staging_close(&s);
}

/* The surfaces of parts, and the caller's rule, have coefficients of their own. */
static void own_rule(void *context, const abut_surface_meeting *m, abut_surface *pair) {
    (void)context;
    (void)m;
    pair->rolling_friction = 0.04;
    pair->spinning_friction = NAN; /* not taken */
}

static void test_rule_and_surfaces(void **state) {
    (void)state;
    for (int way = 0; way < 2; way++) {
        abut_world_def world = staging_def(gravity);
        world.surfaces.meet = way == 0 ? own_rule : NULL;
        staging s = staging_make_with(&world);
        staging_ground(&s, 0.8);
        abut_shape *compound = NULL;
        const abut_part part = {s.sphere, abut_pose_identity()};
        assert_ok(abut_shape_create_compound(&part, 1, &compound));
        abut_surface surface = abut_surface_default();
        surface.rolling_friction = 0.04;
        abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, staging_keep(&s, compound), vec(0, 0, 0.5));
        def.motion = rolls_along(vec(1, 0, 0), 0.5);
        def.surfaces = way == 1 ? &surface : NULL;
        def.surface_count = way;
        abut_body_id ball = staging_put(&s, &def);
        staging_run(&s, fine, 48);
        assert_near(staging_state(&s, ball).motion.linear.x, 1.0 - 0.2 * 5.0 / 7.0 * gravity * 0.04 / 0.5, 1e-6);
        staging_close(&s);
    }
}

/* A heap of balls and boxes with all of it. */
static uint64_t hash_of_heap(int threads, bool exact, bool restores) {
    abut_world_def world = staging_def(gravity);
    world.parallel.threads = threads;
    world.fixed.exact = exact;
    world.fixed.sleeping = true;
    staging s[2];
    for (int w = 0; w < 2; w++) {
        random_state r = random_make(3);
        s[w] = staging_make_with(&world);
        staging_ground(&s[w], 0.5);
        for (int i = 0; i < 20; i++) {
            abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, i % 2 == 0 ? s[w].sphere : s[w].box,
                                             vec(0.9 * (i % 5), 0.8 * (i / 5), 0.6 + 0.5 * (i % 3)));
            def.pose.rotation = random_rotation(&r);
            def.rolling_friction = i % 3 == 0 ? 0.02 : 0.0;
            def.spinning_friction = i % 4 == 0 ? 0.01 : 0.0;
            staging_put(&s[w], &def);
        }
    }
    staging_run(&s[0], 1.0 / 60.0, 20);
    if (restores) {
        size_t size = 0;
        (void)abut_world_save(s[0].world, NULL, 0, &size);
        unsigned char *saved = malloc(size);
        assert_ok(abut_world_save(s[0].world, saved, size, &size));
        assert_ok(abut_world_restore(s[1].world, saved, size));
        for (size_t cut = 0; cut < size; cut += 997) {
            assert_true(abut_world_restore(s[1].world, saved, cut) != ABUT_OK);
        }
        free(saved);
    }
    staging *last = &s[restores ? 1 : 0];
    staging_run(last, 1.0 / 60.0, 20);
    uint64_t hash = abut_world_hash(last->world);
    staging_close(&s[0]);
    staging_close(&s[1]);
    return hash;
}

static void test_threads_and_saved_states(void **state) {
    (void)state;
    for (int exact = 0; exact < 2; exact++) {
        uint64_t hash = hash_of_heap(1, exact, false);
        assert_true(hash == hash_of_heap(2, exact, false));
        assert_true(hash == hash_of_heap(8, exact, true));
    }
}

/* Balls in a heap on a slope come to rest and fall asleep. */
static void test_heap_comes_to_rest(void **state) {
    (void)state;
    abut_world_def def = staging_def(gravity);
    def.fixed.sleeping = true;
    def.gravity = vec(0.4, 0, -gravity);
    staging s = staging_make_with(&def);
    staging_ground(&s, 0.8);
    abut_body_id balls[14];
    int count = 0;
    for (int layer = 0; layer < 2; layer++) {
        for (int i = 0; i < 9 - 4 * layer - layer; i++) {
            int side = 3 - layer;
            abut_body_def ball =
                staging_body(ABUT_BODY_DYNAMIC, s.sphere, vec(i % side + 0.5 * layer, i / side + 0.5 * layer, 0.5 + 0.70710678 * layer));
            ball.rolling_friction = ball.spinning_friction = 0.05;
            ball.friction = 0.8;
            balls[count++] = staging_put(&s, &ball);
        }
    }
    staging_run(&s, 1.0 / 60.0, 240);
    for (int i = 0; i < count; i++) {
        assert_false(staging_awake(&s, balls[i]));
    }
    staging_close(&s);
}

static void test_refusals(void **state) {
    (void)state;
    staging s = staging_make(gravity);
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, s.sphere, vec(0, 0, 1));
    def.rolling_friction = -1.0;
    assert_status(abut_world_add_body(s.world, &def, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    def.rolling_friction = 0.0;
    def.spinning_friction = INFINITY;
    assert_status(abut_world_add_body(s.world, &def, NULL), ABUT_ERROR_NOT_FINITE);
    staging_close(&s);
    abut_world_def world = staging_def(gravity);
    world.stepper = ABUT_STEPPER_DEM;
    s = staging_make_with(&world);
    def.shape = s.sphere;
    def.spinning_friction = 0.1;
    assert_status(abut_world_add_body(s.world, &def, NULL), ABUT_ERROR_UNSUPPORTED);
    staging_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball_that_rolls_stops),
        cmocka_unit_test(test_ball_that_spins_stops),
        cmocka_unit_test(test_ball_on_a_slope),
        cmocka_unit_test(test_moments_keep_momentum),
        cmocka_unit_test(test_rule_and_surfaces),
        cmocka_unit_test(test_heap_comes_to_rest),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_threads_and_saved_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
