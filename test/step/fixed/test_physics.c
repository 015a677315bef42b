/* Motion against closed forms and conservation laws: falling, spinning, colliding, sliding, rolling, bouncing, springs, damping, and
 * kinematic bodies. */
#include "support/staging.h"

static const double step = 1.0 / 60.0;
static const double g = 9.81;

/* Without gravity and sleep. */
static staging open_weightless(void) {
    abut_world_def def = abut_world_def_default();
    def.gravity = abut_vec3_make(0, 0, 0);
    def.fixed.sleeping = false;
    return staging_open(&def);
}

static staging open_sleepless(void) {
    abut_world_def def = abut_world_def_default();
    def.fixed.sleeping = false;
    return staging_open(&def);
}

/* Constant forces: the leapfrog scheme is exact. */
static void test_free_fall(void **state) {
    (void)state;
    abut_world_def world = abut_world_def_default();
    world.gravity = abut_vec3_make(0.3, -0.2, -9.81);
    staging stage = staging_open(&world);
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, staging_box(&stage, 0.5, 0.3, 0.2), abut_vec3_make(1, 2, 3));
    def.motion.linear = abut_vec3_make(4, -5, 6);
    abut_body_id id = staging_put(&stage, &def);
    for (int32_t n = 1; n <= 120; n++) {
        staging_run(&stage, step, 1);
        double t = n * step;
        abut_body_state now = staging_state(&stage, id);
        abut_vec3 velocity = abut_add_scaled(def.motion.linear, t, world.gravity);
        abut_vec3 place = abut_add_scaled(abut_add_scaled(def.pose.position, t, def.motion.linear), 0.5 * t * t, world.gravity);
        assert_vec3_near(now.motion.linear, velocity, 1e-12);
        assert_vec3_near(now.pose.position, place, 1e-12);
        assert_vec3_near(now.motion.angular, abut_vec3_make(0, 0, 0), 0.0);
    }
    staging_close(&stage);
}

typedef struct momenta {
    abut_vec3 linear, angular; /* the latter about the origin */
    double energy;
} momenta;

static void add_momenta(const staging *stage, abut_body_id id, momenta *sum) {
    abut_body_info info;
    assert_ok(abut_world_body_info(stage->world, id, &info));
    abut_body_state now = staging_state(stage, id);
    abut_vec3 p = abut_scale(info.mass, now.motion.linear);
    abut_vec3 spin =
        abut_quat_rotate(now.pose.rotation, abut_mat3_apply(info.inertia, abut_quat_rotate_inverse(now.pose.rotation, now.motion.angular)));
    sum->linear = abut_add(sum->linear, p);
    sum->angular = abut_add(sum->angular, abut_add(spin, abut_cross(now.centre, p)));
    sum->energy += 0.5 * abut_dot(p, now.motion.linear) + 0.5 * abut_dot(spin, now.motion.angular);
}

static momenta momenta_of(const staging *stage, const abut_body_id *ids, int32_t count) {
    momenta sum = {{0, 0, 0}, {0, 0, 0}, 0.0};
    for (int32_t i = 0; i < count; i++) {
        add_momenta(stage, ids[i], &sum);
    }
    return sum;
}

static void test_collision_keeps_momentum(void **state) {
    (void)state;
    const double restitution[] = {0.0, 0.7};
    for (int k = 0; k < 2; k++) {
        staging stage = open_weightless();
        abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, staging_box(&stage, 0.5, 0.3, 0.2), abut_vec3_make(-1.5, 0.1, 0.05));
        def.motion.linear = abut_vec3_make(2, 0, 0);
        def.motion.angular = abut_vec3_make(0.5, 1, -2);
        def.restitution = restitution[k];
        def.mass = 1.0;
        abut_body_id ids[2];
        ids[0] = staging_put(&stage, &def);
        def = staging_body(ABUT_BODY_DYNAMIC, staging_box(&stage, 0.4, 0.6, 0.3), abut_vec3_make(0.5, -0.2, -0.1));
        def.motion.linear = abut_vec3_make(-1, 0.3, 0);
        def.pose.rotation = abut_quat_about(abut_vec3_make(0.6, 0.8, 0), 0.4);
        def.mass = 3.0;
        ids[1] = staging_put(&stage, &def);
        momenta before = momenta_of(&stage, ids, 2);
        double linear = 0.0;
        for (int32_t i = 0; i < 120; i++) {
            staging_run(&stage, step, 1);
            momenta now = momenta_of(&stage, ids, 2);
            linear = fmax(linear, abut_distance_between(now.linear, before.linear));
            assert_true(now.energy <= before.energy * (1.0 + 1e-5));
        }
        assert_true(linear <= 1e-12);
        assert_true(abut_distance_between(staging_state(&stage, ids[0]).motion.linear, abut_vec3_make(2, 0, 0)) > 0.5);
        staging_close(&stage);
    }
}

/* A tumbling body with three different moments, also about its middle axis. */
static void test_free_rotation(void **state) {
    (void)state;
    const abut_vec3 spins[] = {{1, 5, 0.3}, {0.01, 0.02, 8}, {0.01, 8, 0.02}, {8, 0.01, 0.02}};
    /* Three times the measured value. */
    const double energies[] = {1.8e-5, 6e-10, 4e-5, 3.2e-9};
    for (size_t k = 0; k < sizeof spins / sizeof *spins; k++) {
        staging stage = open_weightless();
        abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, staging_box(&stage, 0.5, 0.3, 0.1), abut_vec3_make(0, 0, 0));
        def.motion.angular = spins[k];
        def.mass = 2.0;
        abut_body_id id = staging_put(&stage, &def);
        momenta before = momenta_of(&stage, &id, 1);
        double energy = 0.0, angular = 0.0, turned = 0.0;
        for (int32_t i = 0; i < 600; i++) {
            staging_run(&stage, step, 1);
            momenta now = momenta_of(&stage, &id, 1);
            energy = fmax(energy, fabs(now.energy / before.energy - 1.0));
            angular = fmax(angular, abut_distance_between(now.angular, before.angular) / abut_length(before.angular));
            turned = fmax(turned, abut_distance_between(staging_state(&stage, id).motion.angular, spins[k]));
        }
        print_message("spin %zu: energy within %.2g, angular momentum within %.2g, angular velocity changes by %.2g\n", k, energy, angular,
                      turned);
        assert_true(angular <= 2e-13);
        assert_true(energy <= energies[k]);
        staging_close(&stage);
    }
}

/* The slope leans by the angle about the y axis: down is +x. */
static abut_body_id add_on_slope(staging *stage, const abut_shape *shape, double lift, double angle, double friction) {
    abut_quat turn = abut_quat_about(abut_vec3_make(0, 1, 0), angle);
    abut_body_def def = staging_body(ABUT_BODY_STATIC, staging_plane(stage, abut_vec3_make(0, 0, 1)), abut_vec3_make(0, 0, 0));
    def.pose.rotation = turn;
    def.friction = friction;
    staging_put(stage, &def);
    def = staging_body(ABUT_BODY_DYNAMIC, shape, abut_quat_rotate(turn, abut_vec3_make(0, 0, lift)));
    def.pose.rotation = turn;
    def.friction = friction;
    return staging_put(stage, &def);
}

static void test_box_on_a_slope(void **state) {
    (void)state;
    double angle = 20.0 * PI / 180.0;
    abut_vec3 down = {cos(angle), 0, -sin(angle)};
    const double friction[] = {0.5, 0.37, 0.35, 0.2, 0.0};
    for (size_t k = 0; k < sizeof friction / sizeof *friction; k++) {
        staging stage = open_sleepless();
        abut_body_id id = add_on_slope(&stage, staging_box(&stage, 0.5, 0.4, 0.2), 0.2, angle, friction[k]);
        abut_vec3 start = staging_state(&stage, id).centre;
        staging_run(&stage, step, 120);
        double way = abut_dot(abut_sub(staging_state(&stage, id).centre, start), down);
        double expected = fmax(0.0, 0.5 * g * (sin(angle) - friction[k] * cos(angle)) * 4.0);
        print_message("slope, friction %.2f: %.6g m in 2 s, expected %.6g m\n", friction[k], way, expected);
        assert_near(way, expected, expected > 0.0 ? 0.01 * expected : 1e-6);
        staging_close(&stage);
    }
}

static void test_rolling(void **state) {
    (void)state;
    /* Down a slope: 5/7 of the acceleration without friction. */
    double angle = 20.0 * PI / 180.0;
    staging stage = open_sleepless();
    abut_body_id id = add_on_slope(&stage, staging_sphere(&stage, 0.25), 0.25, angle, 0.5);
    abut_vec3 start = staging_state(&stage, id).centre;
    staging_run(&stage, step, 120);
    double way = abut_distance_between(staging_state(&stage, id).centre, start), expected = 0.5 * 5.0 / 7.0 * g * sin(angle) * 4.0;
    assert_near(way, expected, 0.01 * expected);
    assert_near(staging_state(&stage, id).motion.angular.y, abut_length(staging_state(&stage, id).motion.linear) / 0.25, 0.01 * way);
    staging_close(&stage);

    /* Sliding turns into rolling at 5/7 of the speed, whatever the friction. */
    stage = open_sleepless();
    staging_ground(&stage, 0.3);
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, staging_sphere(&stage, 0.25), abut_vec3_make(0, 0, 0.25));
    def.motion.linear = abut_vec3_make(7, 0, 0);
    def.friction = 0.3;
    id = staging_put(&stage, &def);
    staging_run(&stage, step, 30);
    assert_near(staging_state(&stage, id).motion.linear.x, 7.0 - 0.3 * g * 0.5, 1e-3);
    staging_run(&stage, step, 150);
    assert_near(staging_state(&stage, id).motion.linear.x, 5.0, 5e-3);
    assert_near(staging_state(&stage, id).motion.angular.y * 0.25, staging_state(&stage, id).motion.linear.x, 1e-6);
    staging_close(&stage);
}

/* The highest point of a ball's first bounce. */
static double bounce_height(double height, double restitution, double dt) {
    staging stage = open_sleepless();
    staging_ground(&stage, 0.5);
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, staging_sphere(&stage, 0.1), abut_vec3_make(0, 0, 0.1 + height));
    def.restitution = restitution;
    abut_body_id id = staging_put(&stage, &def);
    double highest = 0.0;
    bool rises = false;
    for (int32_t i = 0; i < (int32_t)(2.0 / dt); i++) {
        staging_run(&stage, dt, 1);
        abut_body_state now = staging_state(&stage, id);
        if (rises && now.motion.linear.z < 0.0) {
            break;
        }
        rises = rises || now.motion.linear.z > 0.0;
        /* Between steps the flight is a parabola. */
        highest = rises ? fmax(highest, now.pose.position.z - 0.1 + now.motion.linear.z * now.motion.linear.z / (2.0 * g)) : highest;
    }
    staging_close(&stage);
    return highest;
}

static void test_bounce(void **state) {
    (void)state;
    const double heights[] = {1.0, 0.63, 2.7};
    const double restitutions[] = {0.5, 0.8, 1.0};
    for (int h = 0; h < 3; h++) {
        for (int e = 0; e < 3; e++) {
            double expected = restitutions[e] * restitutions[e] * heights[h], highest = bounce_height(heights[h], restitutions[e], step);
            print_message("dropped from %.2f m, restitution %.1f: %.4f m, expected %.4f m\n", heights[h], restitutions[e], highest,
                          expected);
            assert_near(highest, expected, 0.02 * expected);
        }
    }
    /* Slow approaches do not bounce: 0.4 m/s is below the default. */
    assert_near(bounce_height(0.4 * 0.4 / (2.0 * g), 0.8, step), 0.0, 1e-4);
}

static void test_conveyor(void **state) {
    (void)state;
    staging stage = staging_open(NULL);
    abut_body_def def = staging_body(ABUT_BODY_KINEMATIC, staging_box(&stage, 20, 1, 0.5), abut_vec3_make(0, 0, -0.5));
    def.motion.linear = abut_vec3_make(1.5, 0, 0);
    abut_body_id belt = staging_put(&stage, &def);
    abut_body_id box = staging_add(&stage, ABUT_BODY_DYNAMIC, staging_box(&stage, 0.3, 0.3, 0.2), abut_vec3_make(0, 0, 0.2));
    /* Friction accelerates the box by mu g until it is as fast as the belt. */
    staging_run(&stage, step, 6);
    assert_near(staging_state(&stage, box).motion.linear.x, 0.5 * g * 0.1, 1e-3);
    staging_run(&stage, step, 114);
    assert_vec3_near(staging_state(&stage, box).motion.linear, abut_vec3_make(1.5, 0, 0), 1e-6);
    assert_true(staging_awake(&stage, box));
    double until = 1.5 / (0.5 * g);
    assert_near(staging_state(&stage, box).centre.x, 1.5 * 2.0 - 0.5 * 1.5 * until, 5e-3);
    assert_vec3_near(staging_state(&stage, belt).pose.position, abut_vec3_make(3, 0, -0.5), 1e-12);
    staging_close(&stage);
}

static void test_kinematic_body_is_not_pushed(void **state) {
    (void)state;
    staging stage = open_sleepless();
    abut_body_def def = staging_body(ABUT_BODY_KINEMATIC, staging_box(&stage, 0.5, 0.5, 0.5), abut_vec3_make(0, 0, 0));
    def.motion.linear = abut_vec3_make(0.25, 0, 0.5);
    def.motion.angular = abut_vec3_make(0, 0, 2);
    abut_body_id lift = staging_put(&stage, &def);
    def = staging_body(ABUT_BODY_DYNAMIC, staging_sphere(&stage, 0.4), abut_vec3_make(0.1, 0, 2));
    def.mass = 1e6;
    abut_body_id ball = staging_put(&stage, &def);
    assert_ok(abut_world_apply_force(stage.world, lift, abut_vec3_make(0, 0, -1e9), abut_vec3_make(0.5, 0, 0)));
    abut_step_report report = staging_run(&stage, step, 60);
    assert_true(report.touching == 1);
    abut_body_state now = staging_state(&stage, lift);
    assert_vec3_near(now.pose.position, abut_vec3_make(0.25, 0, 0.5), 1e-13);
    assert_vec3_near(now.motion.linear, abut_vec3_make(0.25, 0, 0.5), 0.0);
    assert_vec3_near(now.motion.angular, abut_vec3_make(0, 0, 2), 0.0);
    abut_vec3 axis = abut_quat_rotate(now.pose.rotation, abut_vec3_make(1, 0, 0));
    assert_vec3_near(axis, abut_vec3_make(cos(2.0), sin(2.0), 0), 1e-12);
    assert_near(staging_state(&stage, ball).pose.position.z, 0.5 + 0.5 + 0.4, 1e-3);
    staging_close(&stage);
}

static abut_spring_id add_spring(staging *stage, abut_body_id id, abut_vec3 target, double frequency, double ratio, double max_force) {
    abut_spring_def def = abut_spring_def_default();
    def.body = id;
    def.target = target;
    def.frequency = frequency;
    def.damping_ratio = ratio;
    def.max_force = max_force;
    abut_spring_id spring;
    assert_ok(abut_world_add_spring(stage->world, &def, &spring));
    return spring;
}

static void test_spring_pulls_to_its_target(void **state) {
    (void)state;
    abut_vec3 target = {1, 2, 3};
    staging stage = open_weightless();
    abut_body_id id = staging_add(&stage, ABUT_BODY_DYNAMIC, staging_box(&stage, 0.5, 0.3, 0.2), abut_vec3_make(0, 0, 0));
    add_spring(&stage, id, target, 1.0, 1.0, INFINITY);
    for (int32_t i = 0; i < 240; i++) {
        staging_run(&stage, step, 1);
        assert_true(abut_dot(staging_state(&stage, id).centre, abut_unit(target)) <= abut_length(target) * (1.0 + 1e-3));
    }
    assert_vec3_near(staging_state(&stage, id).centre, target, 1e-6);
    staging_close(&stage);

    /* Critically damped: x = (1 + w t) e^(-w t). */
    stage = open_weightless();
    id = staging_add(&stage, ABUT_BODY_DYNAMIC, staging_sphere(&stage, 0.5), abut_vec3_make(1, 0, 0));
    add_spring(&stage, id, abut_vec3_make(0, 0, 0), 1.0, 1.0, INFINITY);
    for (int32_t i = 1; i <= 60; i++) {
        staging_run(&stage, step, 1);
        double wt = 2.0 * PI * i * step;
        assert_near(staging_state(&stage, id).centre.x, (1.0 + wt) * exp(-wt), 2e-3);
    }
    staging_close(&stage);

    /* Undamped: cos(w t), ten times. */
    stage = open_weightless();
    id = staging_add(&stage, ABUT_BODY_DYNAMIC, staging_sphere(&stage, 0.5), abut_vec3_make(1, 0, 0));
    add_spring(&stage, id, abut_vec3_make(0, 0, 0), 0.5, 0.0, INFINITY);
    double largest = 0.0, energy = 0.0, first = 0.5 * 1000.0 * 4.0 / 3.0 * PI * 0.125 * PI * PI;
    for (int32_t i = 1; i <= 1200; i++) {
        abut_step_report report = staging_run(&stage, step, 1);
        largest = fmax(largest, fabs(staging_state(&stage, id).centre.x - cos(PI * i * step)));
        energy = fmax(energy, fabs((report.kinetic_energy + report.spring_energy) / first - 1.0));
    }
    print_message("undamped spring, ten periods: off by %.2g, energy within %.2g\n", largest, energy);
    assert_true(largest <= 0.02);
    assert_true(energy <= 1e-3);
    staging_close(&stage);
}

static void test_spring_force_is_limited(void **state) {
    (void)state;
    staging stage = open_weightless();
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, staging_sphere(&stage, 0.5), abut_vec3_make(0, 0, 0));
    def.mass = 4.0;
    abut_body_id id = staging_put(&stage, &def);
    add_spring(&stage, id, abut_vec3_make(0, 1000, 0), 5.0, 1.0, 12.0);
    staging_run(&stage, step, 60);
    assert_vec3_near(staging_state(&stage, id).motion.linear, abut_vec3_make(0, 3, 0), 1e-12);
    assert_vec3_near(staging_state(&stage, id).centre, abut_vec3_make(0, 1.5, 0), 1e-12);
    staging_close(&stage);

    /* A force below the weight does not lift, one above it does. */
    const double share[] = {0.98, 1.02};
    for (int k = 0; k < 2; k++) {
        stage = open_sleepless();
        staging_ground(&stage, 0.5);
        def = staging_body(ABUT_BODY_DYNAMIC, staging_box(&stage, 0.5, 0.5, 0.5), abut_vec3_make(0, 0, 0.5));
        def.mass = 4.0;
        id = staging_put(&stage, &def);
        add_spring(&stage, id, abut_vec3_make(0, 0, 50), 5.0, 1.0, share[k] * 4.0 * g);
        staging_run(&stage, step, 60);
        assert_near(staging_state(&stage, id).centre.z, 0.5 + (k == 1 ? 0.5 * 0.02 * g : 0.0), 1e-4);
        staging_close(&stage);
    }
}

/* A box pushed across the ground in many directions: it stays at rest below mu m g. Above it, it moves in the direction of the push, with
 * the acceleration of the remaining force. */
static void test_friction_is_round(void **state) {
    (void)state;
    const double mu = 0.4, mass = 5.0;
    for (int k = 0; k < 8; k++) {
        double angle = (7.0 + 22.5 * k) * PI / 180.0;
        abut_vec3 along = {cos(angle), sin(angle), 0};
        for (int above = 0; above < 2; above++) {
            staging stage = open_sleepless();
            staging_ground(&stage, mu);
            abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, staging_box(&stage, 0.5, 0.5, 0.1), abut_vec3_make(0, 0, 0.1));
            def.mass = mass;
            def.friction = mu;
            abut_body_id id = staging_put(&stage, &def);
            double share = above ? 1.1 : 0.99;
            abut_vec3 held = {0, 0, 0};
            for (int32_t i = 0; i < 60; i++) {
                assert_ok(
                    abut_world_apply_force(stage.world, id, abut_scale(share * mu * mass * g, along), staging_state(&stage, id).centre));
                staging_run(&stage, step, 1);
                held = i == 0 ? staging_state(&stage, id).centre : held;
            }
            abut_vec3 moved = abut_sub(staging_state(&stage, id).centre, abut_vec3_make(0, 0, 0.1));
            double expected = above ? 0.5 * 0.1 * mu * g : 0.0, way = abut_dot(moved, along);
            /* The first step does not know the forces yet; afterwards the box stays at rest. */
            assert_near(way, expected, above ? 0.01 * expected : 1e-5);
            assert_true(above || abut_distance_between(staging_state(&stage, id).centre, held) <= 1e-9);
            assert_true(abut_length(abut_add_scaled(moved, -way, along)) <= 1e-3 * expected + 1e-5);
            staging_close(&stage);
        }
    }
}

/* v = v0 e^(-c t), whatever the step. */
static void test_damping(void **state) {
    (void)state;
    staging stage = open_weightless();
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, staging_sphere(&stage, 0.5), abut_vec3_make(0, 0, 0));
    def.motion.linear = abut_vec3_make(3, -4, 5);
    def.motion.angular = abut_vec3_make(1, 2, -3);
    def.linear_damping = 0.7;
    def.angular_damping = 1.3;
    abut_body_id id = staging_put(&stage, &def);
    for (int32_t i = 1; i <= 120; i++) {
        staging_run(&stage, step, 1);
        double t = i * step;
        abut_body_state now = staging_state(&stage, id);
        assert_vec3_near(now.motion.linear, abut_scale(exp(-0.7 * t), def.motion.linear), 1e-12);
        assert_vec3_near(now.motion.angular, abut_scale(exp(-1.3 * t), def.motion.angular), 1e-12);
        /* The leapfrog scheme is of second order. */
        assert_vec3_near(now.centre, abut_scale((1.0 - exp(-0.7 * t)) / 0.7, def.motion.linear), 1e-5);
    }
    staging_close(&stage);
}

/* A kinematic box that rises meets a resting body and carries it without penetration. */
static void test_rising_ground(void **state) {
    (void)state;
    staging stage = open_weightless();
    abut_body_def def = staging_body(ABUT_BODY_KINEMATIC, staging_box(&stage, 2, 2, 0.5), abut_vec3_make(0, 0, -0.75));
    def.motion.linear = abut_vec3_make(0, 0, 2);
    staging_put(&stage, &def);
    abut_body_id id = staging_add(&stage, ABUT_BODY_DYNAMIC, staging_box(&stage, 0.2, 0.2, 0.2), abut_vec3_make(0, 0, 0.2));
    double deepest = 0.0;
    for (int32_t i = 0; i < 60; i++) {
        deepest = fmax(deepest, staging_run(&stage, step, 1).max_penetration);
    }
    assert_true(deepest <= 1e-4);
    assert_near(staging_state(&stage, id).motion.linear.z, 2.0, 1e-9);
    staging_close(&stage);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_fall),
        cmocka_unit_test(test_collision_keeps_momentum),
        cmocka_unit_test(test_free_rotation),
        cmocka_unit_test(test_box_on_a_slope),
        cmocka_unit_test(test_rolling),
        cmocka_unit_test(test_bounce),
        cmocka_unit_test(test_conveyor),
        cmocka_unit_test(test_kinematic_body_is_not_pushed),
        cmocka_unit_test(test_spring_pulls_to_its_target),
        cmocka_unit_test(test_spring_force_is_limited),
        cmocka_unit_test(test_friction_is_round),
        cmocka_unit_test(test_damping),
        cmocka_unit_test(test_rising_ground),
    };
    return cmocka_run_group_tests_name("step/physics", tests, NULL, NULL);
}
