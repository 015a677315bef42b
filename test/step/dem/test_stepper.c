/*
 * The dem stepper with balls and planes: bounces keep their energy or lose it by their restitution; sliding becomes rolling; momentum is
 * conserved; heaps come to rest; neither threads nor lists of near pairs change a bit; periodic space.
 */
#include <abut/world.h>

#include <stdio.h>

#include "support/bodies.h"
#include "support/check.h"
#include "support/random.h"
#include "support/threads.h"
#include "support/user_surface.h"

static abut_world_def make_def(void) {
    abut_world_def def = abut_world_def_default();
    def.stepper = ABUT_STEPPER_DEM;
    return def;
}

static abut_world *make_world(const abut_world_def *def) {
    abut_world *world = NULL;
    assert_ok(abut_world_create(def, &world));
    return world;
}

static abut_body_id add_ball(abut_world *world, double radius, abut_vec3 place, abut_body_def def) {
    abut_shape *shape = NULL;
    abut_body_id id;
    assert_ok(abut_shape_create_sphere(radius, &shape));
    def.shape = shape;
    def.pose.position = place;
    assert_ok(abut_world_add_body(world, &def, &id));
    abut_shape_release(shape);
    return id;
}

static void add_floor(abut_world *world, abut_vec3 normal, double offset, abut_body_def def) {
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_plane(normal, offset, &shape));
    def.kind = ABUT_BODY_STATIC;
    def.shape = shape;
    assert_ok(abut_world_add_body(world, &def, NULL));
    abut_shape_release(shape);
}

static double energy_of(const abut_step_report *r) {
    return r->kinetic_energy + r->potential_energy + r->dem.elastic_energy + r->dem.spring_energy;
}

/* A glass ball dropped by half a metre: it comes up again, and its energy stays the same all the time. */
static void test_bounce_keeps_energy(void **state) {
    (void)state;
    abut_world_def def = make_def();
    def.dem.step_share = 0.02;
    abut_world *world = make_world(&def);
    abut_body_def body = abut_body_def_default();
    body.friction = 0.0;
    body.restitution = 1.0;
    body.density = 2500.0;
    add_floor(world, abut_vec3_make(0, 0, 1), 0.0, body);
    abut_body_id ball = add_ball(world, 0.1, abut_vec3_make(0, 0, 0.6), body);
    abut_step_report r;
    double first = 0.0, worst = 0.0, after = 0.0, lowest = INFINITY, highest = -INFINITY;
    for (int i = 0; i < 800; ++i) {
        assert_ok(abut_world_step(world, 1e-3, &r));
        first = i == 0 ? energy_of(&r) : first;
        worst = fmax(worst, fabs(energy_of(&r) / first - 1.0));
        after = fmax(after, r.contacts == 0 ? fabs(energy_of(&r) / first - 1.0) : 0.0);
        double z = state_of(world, ball).centre.z;
        lowest = fmin(lowest, z);
        highest = i > 500 ? fmax(highest, z) : highest;
    }
    printf("bounce: energy within %.2g, before and after %.2g, lowest %.6g, back to %.9g\n", worst, after, lowest, highest);
    assert_true(after <= 1e-6);
    assert_true(worst <= 2e-4); /* within the contact, Verlet's velocities lag behind */
    assert_true(lowest < 0.1);
    assert_near(highest, 0.6, 1e-4); /* as near to the top as the steps of the world allow */
    abut_world_destroy(world);
}

static double speed_after(double restitution, double speed) {
    abut_world_def def = make_def();
    def.gravity = abut_vec3_make(0, 0, 0);
    def.dem.step_share = 0.05;
    abut_world *world = make_world(&def);
    abut_body_def body = abut_body_def_default();
    body.restitution = restitution;
    add_floor(world, abut_vec3_make(0, 0, 1), 0.0, body);
    body.motion.linear = abut_vec3_make(0, 0, -speed);
    abut_body_id ball = add_ball(world, 0.1, abut_vec3_make(0, 0, 0.1), body);
    for (int i = 0; i < 2000; ++i) {
        assert_ok(abut_world_step(world, 1e-4, NULL));
    }
    double after = state_of(world, ball).motion.linear.z;
    abut_world_destroy(world);
    return after;
}

/* At any speed. */
static void test_restitution(void **state) {
    (void)state;
    for (double e = 0.1; e < 1.05; e += 0.2) {
        for (double speed = 0.1; speed < 2.0; speed *= 10.0) {
            double e_now = fmin(e, 1.0), actual = speed_after(e_now, speed) / speed;
            printf("restitution %.1f at %.1f: %.5f\n", e_now, speed, actual);
            assert_near(actual, e_now, 2e-3);
        }
    }
}

/* A ball that slides without turning finally rolls with five sevenths of its speed; friction takes two sevenths of its energy. */
static void test_sliding_becomes_rolling(void **state) {
    (void)state;
    abut_world_def def = make_def();
    abut_world *world = make_world(&def);
    abut_body_def body = abut_body_def_default();
    body.friction = 0.3;
    body.restitution = 0.1;
    body.material.young = 1e8;
    add_floor(world, abut_vec3_make(0, 0, 1), 0.0, body);
    body.motion.linear = abut_vec3_make(2.0, 0, 0);
    abut_body_id ball = add_ball(world, 0.1, abut_vec3_make(0, 0, 0.1), body);
    abut_body_info info;
    abut_step_report r;
    double rubbed = 0.0;
    for (int i = 0; i < 60; ++i) {
        assert_ok(abut_world_step(world, 1e-2, &r));
        rubbed += r.dem.friction_work;
    }
    abut_body_state s = state_of(world, ball);
    assert_ok(abut_world_body_info(world, ball, &info));
    assert_near(s.motion.linear.x, 2.0 * 5.0 / 7.0, 2e-3);
    assert_near(s.motion.angular.y, s.motion.linear.x / 0.1, 2e-2);
    assert_near(rubbed, info.mass * 2.0 * 2.0 / 7.0, 2e-2 * info.mass);
    assert_int_equal(r.dem.sliding, 0);
    abut_world_destroy(world);
}

static void add_cloud(abut_world *world, int32_t count, double size, uint64_t seed, abut_body_def body) {
    random_state random = random_make(seed);
    for (int32_t i = 0; i < count; ++i) {
        body.motion.linear = random_vec3(&random, -1.0, 1.0);
        add_ball(world, random_range(&random, 0.04, 0.07), random_vec3(&random, -size, size), body);
    }
}

static abut_vec3 momentum_of(const abut_world *world, abut_vec3 *angular) {
    abut_body_id ids[512];
    int32_t count;
    abut_vec3 sum = {0, 0, 0};
    assert_ok(abut_world_body_ids(world, ids, 512, &count));
    *angular = sum;
    for (int32_t i = 0; i < count; ++i) {
        abut_body_state s = state_of(world, ids[i]);
        abut_body_info info;
        assert_ok(abut_world_body_info(world, ids[i], &info));
        abut_vec3 p = abut_scale(info.mass, s.motion.linear);
        sum = abut_add(sum, p);
        *angular = abut_add(*angular, abut_add(abut_cross(s.centre, p), abut_scale(info.inertia.x.x, s.motion.angular)));
    }
    return sum;
}

/* For balls that collide, with friction and damping. */
static void test_momentum(void **state) {
    (void)state;
    abut_world_def def = make_def();
    def.gravity = abut_vec3_make(0, 0, 0);
    abut_world *world = make_world(&def);
    abut_body_def body = abut_body_def_default();
    body.restitution = 0.5;
    add_cloud(world, 100, 0.4, 111, body);
    abut_vec3 spin, spin_after, before = momentum_of(world, &spin);
    abut_step_report r;
    int32_t touching = 0;
    for (int i = 0; i < 20; ++i) {
        assert_ok(abut_world_step(world, 5e-3, &r));
        touching += r.touching;
    }
    abut_vec3 after = momentum_of(world, &spin_after);
    assert_true(touching > 50);
    assert_vec3_near(after, before, 1e-13);
    assert_vec3_near(spin_after, spin, 1e-12);
    abut_world_destroy(world);
}

static abut_world *make_heap_of(const abut_world_def *def, int32_t count, double restitution, double friction) {
    abut_world *world = make_world(def);
    abut_body_def body = abut_body_def_default();
    body.restitution = restitution;
    body.friction = friction;
    add_floor(world, abut_vec3_make(0, 0, 1), -0.5, body);
    add_floor(world, abut_vec3_make(1, 0, 0), -0.4, body);
    add_floor(world, abut_vec3_make(-1, 0, 0), -0.4, body);
    add_floor(world, abut_vec3_make(0, 1, 0), -0.4, body);
    add_floor(world, abut_vec3_make(0, -1, 0), -0.4, body);
    random_state random = random_make(112);
    for (int32_t i = 0; i < count; ++i) { /* layers of five by five, loosely */
        abut_vec3 place = abut_vec3_make(0.155 * (i % 5 - 2), 0.155 * (i / 5 % 5 - 2), 0.155 * (i / 25));
        add_ball(world, random_range(&random, 0.05, 0.07), abut_add(place, random_vec3(&random, -0.005, 0.005)), body);
    }
    return world;
}

static abut_world *make_heap(const abut_world_def *def, int32_t count) { return make_heap_of(def, count, 0.2, 0.4); }

/* The missing energy of a heap after four seconds, as a fraction of the work of damping and friction. */
static double settle(double step_share, abut_step_report *r) {
    abut_world_def def = make_def();
    def.dem.step_share = step_share;
    abut_world *world = make_heap(&def, 150);
    double taken = 0.0, first = NAN;
    for (int i = 0; i < 400; ++i) {
        assert_ok(abut_world_step(world, 1e-2, r));
        taken += r->dem.damping_work + r->dem.friction_work;
        first = i == 0 ? energy_of(r) + taken : first;
    }
    abut_world_destroy(world);
    return (energy_of(r) + taken - first) / taken;
}

/* The energy balance is of first order in the step. */
static void test_heap_comes_to_rest(void **state) {
    (void)state;
    abut_step_report r, fine;
    double coarse_gap = settle(0.1, &r), fine_gap = settle(0.025, &fine);
    printf("heap: residual %.2g of a weight, kinetic energy %.2g, %d contacts, energy off by %.2g, with a quarter of the step %.2g\n",
           r.dem.residual, r.kinetic_energy, (int)r.contacts, coarse_gap, fine_gap);
    assert_true(r.dem.residual <= 1e-3);
    assert_true(fine.dem.residual <= 1e-3);
    assert_true(fabs(coarse_gap) <= 0.06);
    assert_true(fabs(fine_gap) <= 0.35 * fabs(coarse_gap));
    assert_true(r.contacts > 300);
}

/* With fractions of the critical step at which strong dampers, six on each ball, once kept a heap shaking for ever. */
static void test_strong_damping_is_stable(void **state) {
    (void)state;
    static const double shares[] = {0.1, 0.2, 1.0}, restitutions[] = {0.01, 0.1, 0.3};
    for (int i = 0; i < 9; ++i) {
        abut_world_def def = make_def();
        def.dem.step_share = shares[i / 3];
        abut_world *world = make_heap_of(&def, 120, restitutions[i % 3], 0.1);
        abut_step_report r;
        for (int k = 0; k < 400; ++k) {
            assert_ok(abut_world_step(world, 1e-2, &r));
        }
        printf("share %g, restitution %g: %d steps, residual %.2g of a weight\n", shares[i / 3], restitutions[i % 3], (int)r.dem.steps,
               r.dem.residual);
        assert_true(r.dem.residual <= 1e-3);
        abut_world_destroy(world);
    }
}

static uint64_t hash_after(const abut_world_def *def, int steps) {
    abut_world *world = make_heap(def, 120);
    for (int i = 0; i < steps; ++i) {
        assert_ok(abut_world_step(world, 5e-3, NULL));
    }
    uint64_t hash = abut_world_hash(world);
    abut_world_destroy(world);
    return hash;
}

static void test_threads_and_lists(void **state) {
    (void)state;
    three_threads own;
    abut_world_def def = make_def();
    def.parallel.threads = 1;
    uint64_t hash = hash_after(&def, 60);
    def.parallel.threads = 2;
    assert_true(hash_after(&def, 60) == hash);
    def.parallel = three_threads_parallel(&own);
    assert_true(hash_after(&def, 60) == hash);
    def.parallel = (abut_parallel){.threads = 1};
    def.dem.skin = 0.05; /* other lists, the same contacts */
    assert_true(hash_after(&def, 60) == hash);
}

/* Two balls on opposite sides of the border of periodic space collide across it; one goes round and round. */
static void test_periodic(void **state) {
    (void)state;
    abut_world_def def = make_def();
    def.gravity = abut_vec3_make(0, 0, 0);
    def.dem.periodic[0] = true;
    def.dem.lower = abut_vec3_make(-1, -1, -1);
    def.dem.upper = abut_vec3_make(1, 1, 1);
    abut_world *world = make_world(&def);
    abut_body_def body = abut_body_def_default();
    body.restitution = 1.0;
    body.friction = 0.0;
    body.motion.linear = abut_vec3_make(1, 0, 0);
    abut_body_id right = add_ball(world, 0.1, abut_vec3_make(0.85, 0, 0), body);
    body.motion.linear = abut_vec3_make(0, 0, 0);
    abut_body_id left = add_ball(world, 0.1, abut_vec3_make(-0.8, 0, 0), body);
    for (int i = 0; i < 100; ++i) {
        assert_ok(abut_world_step(world, 5e-3, NULL));
    }
    assert_near(state_of(world, right).motion.linear.x, 0.0, 1e-3);
    assert_near(state_of(world, left).motion.linear.x, 1.0, 1e-3);
    abut_world_destroy(world);
}

/* A ball that has crossed the space many times collides with others at its position in the space. */
static void test_around_many_times(void **state) {
    (void)state;
    for (int around = -3; around <= 3; ++around) {
        abut_world_def def = make_def();
        def.gravity = abut_vec3_make(0, 0, 0);
        def.dem.periodic[0] = true;
        def.dem.lower = abut_vec3_make(-1, -1, -1);
        def.dem.upper = abut_vec3_make(1, 1, 1);
        abut_world *world = make_world(&def);
        abut_body_def body = abut_body_def_default();
        add_ball(world, 0.1, abut_vec3_make(2.0 * around + 0.95, 0, 0), body);
        add_ball(world, 0.1, abut_vec3_make(-0.86, 0, 0), body);
        abut_step_report r;
        assert_ok(abut_world_step(world, 1e-4, &r));
        assert_int_equal(r.touching, 1);
        abut_world_destroy(world);
    }
}

/* Adhesion holds a ball on the underside of a plane, up to its pull-off force. */
static void test_adhesion(void **state) {
    (void)state;
    double work = 0.05, radius = 1e-3, pull = 1.5 * 3.14159265358979 * work * radius;
    for (int heavy = 0; heavy < 2; ++heavy) {
        abut_world_def def = make_def();
        abut_world *world = make_world(&def);
        abut_body_def body = abut_body_def_default();
        body.adhesion_work = work;
        body.restitution = 0.1;
        body.mass = pull / 9.81 * (heavy ? 1.05 : 0.5);
        add_floor(world, abut_vec3_make(0, 0, -1), 0.0, body);
        abut_body_id ball = add_ball(world, radius, abut_vec3_make(0, 0, -radius * 0.999), body);
        for (int i = 0; i < 50; ++i) {
            assert_ok(abut_world_step(world, 1e-3, NULL));
        }
        double z = state_of(world, ball).centre.z;
        assert_true(heavy ? z < -2.0 * radius : z > -1.01 * radius);
        abut_world_destroy(world);
    }
}

static void test_refusals(void **state) {
    (void)state;
    abut_world_def def = make_def();
    abut_world *world = NULL;
    def.dem.step_share = 0.0;
    assert_status(abut_world_create(&def, &world), ABUT_ERROR_INVALID_ARGUMENT);
    def = make_def();
    def.dem.skin = NAN;
    assert_status(abut_world_create(&def, &world), ABUT_ERROR_NOT_FINITE);
    def = make_def();
    def.dem.periodic[2] = true;
    assert_status(abut_world_create(&def, &world), ABUT_ERROR_INVALID_ARGUMENT);
    def = make_def();
    world = make_world(&def);
    abut_step_report r;
    assert_ok(abut_world_step(world, 1e-3, &r));
    abut_shape *torus = NULL;
    user_torus ring = {2.0, 0.03}; /* too thin for a mesh of its surface, which its skin needs */
    const abut_implicit_def implicit = user_torus_implicit(&ring);
    assert_ok(abut_shape_create_implicit(&implicit, &torus));
    abut_body_def body = abut_body_def_default();
    body.shape = torus;
    assert_ok(abut_world_add_body(world, &body, NULL));
    assert_status(abut_world_step(world, 1e-3, &r), ABUT_ERROR_UNSUPPORTED_PAIR);
    body.material.poisson = 0.6;
    assert_status(abut_world_add_body(world, &body, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    abut_shape_release(torus);
    abut_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounce_keeps_energy),
        cmocka_unit_test(test_restitution),
        cmocka_unit_test(test_sliding_becomes_rolling),
        cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_heap_comes_to_rest),
        cmocka_unit_test(test_threads_and_lists),
        cmocka_unit_test(test_strong_damping_is_stable),
        cmocka_unit_test(test_periodic),
        cmocka_unit_test(test_around_many_times),
        cmocka_unit_test(test_adhesion),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
