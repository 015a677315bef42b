/*
 * The linear law of the dem stepper against the damped linear oscillator: time of contact, speed of rebound and depth, to the second order
 * of the step; balls of other masses; rest, friction and rolling; meshed balls; and materials of which only some are linear.
 */
#include <abut/world.h>

#include <stdio.h>

#include "support/bodies.h"
#include "support/check.h"
#include "support/facet_body.h"
#include "support/random.h"
#include "support/shapes.h"

static const double radius = 0.1, stiffness = 2e5; /* of each body: 1e5 of a pair */

static abut_world *make_world(double gravity, double step) {
    abut_world_def def = abut_world_def_default();
    def.stepper = ABUT_STEPPER_DEM;
    def.gravity = abut_vec3_make(0, 0, -gravity);
    def.dem.step = step;
    return open_world(def);
}

static abut_body_def linear_body(double restitution) {
    abut_body_def body = abut_body_def_default();
    body.contact_stiffness = stiffness;
    body.restitution = restitution;
    body.mass = 2.0;
    return body;
}

static void add_floor(abut_world *world, abut_body_def def) {
    def.kind = ABUT_BODY_STATIC;
    def.mass = 0.0;
    def.density = 1.0;
    put_as(world, def, plane(abut_vec3_make(0, 0, 1), 0.0));
}

/* ---- an impact ---- */

/* A ball with the speed 1 that reaches the floor after the time `before`, in steps of the given length, after the time `whole`, during which it has left. */
static abut_body_state hit(double restitution, double before, double whole, double step) {
    abut_world *world = make_world(0.0, step);
    abut_body_def body = linear_body(restitution);
    add_floor(world, body);
    abut_body_id id = put_moving(world, sphere(radius), abut_vec3_make(0, 0, radius + before), abut_vec3_make(0, 0, -1), body);
    assert_ok(abut_world_step(world, whole, NULL));
    abut_body_state s = state_of(world, id);
    abut_world_destroy(world);
    return s;
}

/* Root mean squares over places of the ball between two steps: errors of the speed of rebound, and of the place at the end over that speed, a time. */
typedef struct errors {
    double speed, time;
} errors;

static errors errors_of(double restitution, int steps) {
    enum { PHASES = 32 };
    const double mass = 2.0, k = 0.5 * stiffness, omega = sqrt(k / mass);
    double ratio = 0.0;
    assert_ok(abut_pressure_damping(restitution, false, &ratio));
    /* Without pull the contact ends when damping takes the whole pressure, deeper than it began. */
    double time = (ratio > 0.0 ? 2.0 * acos(ratio) / sqrt(1.0 - ratio * ratio) : PI) / omega, deep = 2.0 * ratio * restitution / omega;
    double step = time / steps, whole = 4.0 * time;
    errors e = {0.0, 0.0};
    for (int i = 0; i < PHASES; ++i) {
        double before = time + (i + 0.5) / PHASES * step;
        abut_body_state s = hit(restitution, before, whole, step);
        double place = radius - deep + restitution * (whole - before - time);
        e.speed += pow(s.motion.linear.z - restitution, 2.0) / PHASES;
        e.time += pow((s.centre.z - place) / restitution / time, 2.0) / PHASES;
    }
    return (errors){sqrt(e.speed), sqrt(e.time)};
}

/* The speed of rebound is right to the second order, a quarter of the error for half the step; so is the time of contact of an elastic
 * impact. That of a damped one is right to the first order. */
static void test_impact_to_the_second_order(void **state) {
    (void)state;
    const double restitutions[] = {1.0, 0.8, 0.5, 0.2};
    for (int i = 0; i < 4; ++i) {
        errors before = errors_of(restitutions[i], 25);
        for (int steps = 50; steps <= 200; steps *= 2) {
            errors now = errors_of(restitutions[i], steps);
            printf("restitution %.1f, %d steps: speed off by %.2g (%.2f times less), time of contact by %.2g (%.2f)\n", restitutions[i],
                   steps, now.speed, before.speed / now.speed, now.time, before.time / now.time);
            assert_true(before.speed >= 3.0 * now.speed || now.speed <= 1e-12);
            assert_true(steps > 50 || (now.speed <= 1.2e-4 && now.time <= (restitutions[i] < 1.0 ? 0.0275 : 1.7e-4)));
            assert_true(before.time >= (restitutions[i] < 1.0 ? 1.8 : 3.0) * now.time);
            before = now;
        }
        assert_true(before.speed <= 1e-5 && before.time <= 1e-2);
    }
}

/* At any speed, as the oscillator is linear. */
static void test_two_balls(void **state) {
    (void)state;
    for (int i = 0; i < 3; ++i) {
        const double restitution = 0.6, speed = i == 0 ? 0.01 : i == 1 ? 0.1 : 1.0;
        abut_world *world = make_world(0.0, 2e-5);
        abut_body_def body = linear_body(restitution);
        abut_body_id a = put_moving(world, sphere(0.1), abut_vec3_make(0, 0, 0), abut_vec3_make(speed, 0, 0), body);
        body.mass = 0.5;
        abut_body_id b = put_moving(world, sphere(0.06), abut_vec3_make(0.16 + 1e-3 * speed, 0, 0), abut_vec3_make(0, 0, 0), body);
        for (int k = 0; k < 100; ++k) {
            assert_ok(abut_world_step(world, 1e-3, NULL));
        }
        double va = state_of(world, a).motion.linear.x, vb = state_of(world, b).motion.linear.x;
        assert_near((vb - va) / speed, restitution, 1e-3);
        assert_near(2.0 * va + 0.5 * vb, 2.0 * speed, 1e-12 * speed);
        abut_world_destroy(world);
    }
}

/* ---- rest, friction, rolling ---- */

/* A ball lies as deep as its weight over the stiffness; pushed along, it rolls in the end with five sevenths of its speed. */
static void test_rest_and_friction(void **state) {
    (void)state;
    abut_world *world = make_world(10.0, 0.0);
    abut_body_def body = linear_body(0.3);
    body.friction = 0.3;
    add_floor(world, body);
    abut_body_id id = put_moving(world, sphere(radius), abut_vec3_make(0, 0, radius), abut_vec3_make(0, 0, 0), body);
    for (int i = 0; i < 200; ++i) {
        assert_ok(abut_world_step(world, 5e-3, NULL));
    }
    assert_near(radius - state_of(world, id).centre.z, 20.0 / (0.5 * stiffness), 1e-12);
    assert_ok(abut_world_set_body_motion(world, id, (abut_motion){{1, 0, 0}, {0, 0, 0}}));
    for (int i = 0; i < 200; ++i) {
        assert_ok(abut_world_step(world, 5e-3, NULL));
    }
    assert_near(state_of(world, id).motion.linear.x, 5.0 / 7.0, 2e-3);
    abut_world_destroy(world);
}

static void test_rolling_resistance(void **state) {
    (void)state;
    const double rolling = 0.05;
    abut_world *world = make_world(10.0, 0.0);
    abut_body_def body = linear_body(0.3);
    body.rolling_resistance = rolling;
    add_floor(world, body);
    body.motion.angular = abut_vec3_make(0, 1.0 / radius, 0);
    abut_body_id id = put_moving(world, sphere(radius), abut_vec3_make(0, 0, radius - 2e-4), abut_vec3_make(1, 0, 0), body);
    for (int i = 0; i < 100; ++i) {
        assert_ok(abut_world_step(world, 5e-3, NULL));
    }
    assert_near(state_of(world, id).motion.linear.x, 1.0 - 0.5 * 5.0 / 7.0 * rolling * 10.0, 2e-3);
    for (int i = 0; i < 1200; ++i) {
        assert_ok(abut_world_step(world, 5e-3, NULL));
    }
    assert_true(abut_length(state_of(world, id).motion.linear) <= 1e-12);
    abut_world_destroy(world);
}

/* ---- meshes, and other laws beside it ---- */

static abut_shape *make_mesh(double size) {
    facet_body body = facet_body_ball(2);
    facet_body_scale(&body, (abut_vec3){size, size, size});
    abut_shape *shape = facet_body_round(&body, size);
    facet_body_free(&body);
    return shape;
}

static void fly(bool meshed, abut_vec3 out[2]) {
    abut_world *world = make_world(9.81, 2e-5);
    abut_body_def body = linear_body(0.7);
    body.friction = 0.0;
    add_floor(world, body);
    abut_body_id a = put_moving(world, meshed ? make_mesh(0.1) : sphere(0.1), abut_vec3_make(0, 0, 0.12), abut_vec3_make(1, 0.1, 0), body);
    abut_body_id b = put_moving(world, sphere(0.07), abut_vec3_make(0.3, 0.03, 0.2), abut_vec3_make(-1, 0, -0.3), body);
    for (int i = 0; i < 50; ++i) {
        assert_ok(abut_world_step(world, 1e-2, NULL));
    }
    out[0] = state_of(world, a).centre;
    out[1] = state_of(world, b).centre;
    abut_world_destroy(world);
}

static void test_meshed_balls_are_balls(void **state) {
    (void)state;
    abut_vec3 whole[2], meshed[2];
    fly(false, whole);
    fly(true, meshed);
    double off = fmax(abut_distance_between(whole[0], meshed[0]), abut_distance_between(whole[1], meshed[1]));
    printf("a meshed ball is off by %.2g\n", off);
    assert_true(off <= 1e-9);
}

/* Only where both bodies have a stiffness: else Hertz's law, as without it. */
static void test_hertz_beside_it(void **state) {
    (void)state;
    double places[3];
    for (int i = 0; i < 3; ++i) {
        abut_world *world = make_world(10.0, 1e-5);
        abut_body_def body = linear_body(0.3);
        body.contact_stiffness = i == 0 ? stiffness : 0.0;
        add_floor(world, body);
        body.contact_stiffness = i < 2 ? stiffness : 0.0;
        abut_body_id id = put_moving(world, sphere(radius), abut_vec3_make(0, 0, radius), abut_vec3_make(0, 0, 0), body);
        for (int k = 0; k < 30; ++k) {
            assert_ok(abut_world_step(world, 1e-2, NULL));
        }
        places[i] = state_of(world, id).centre.z;
        abut_world_destroy(world);
    }
    assert_true(places[1] == places[2]);
    assert_near(radius - places[0], 2e-4, 1e-9);
    assert_true(fabs(places[0] - places[1]) > 1e-5);
}

/* A bed of many sizes comes to rest with the default step, also with strong damping. */
static void test_bed_comes_to_rest(void **state) {
    (void)state;
    const double restitutions[] = {0.9, 0.3, 0.01};
    for (int i = 0; i < 3; ++i) {
        abut_world *world = make_world(9.81, 0.0);
        random_state random = random_make(41);
        abut_body_def body = linear_body(restitutions[i]);
        body.rolling_resistance = body.twisting_resistance = 0.02;
        static const double walls[5][4] = {{0, 0, 1, 0}, {1, 0, 0, -0.3}, {-1, 0, 0, -0.3}, {0, 1, 0, -0.3}, {0, -1, 0, -0.3}};
        for (int w = 0; w < 5; ++w) {
            abut_shape *plane = NULL;
            abut_body_def wall = body;
            wall.kind = ABUT_BODY_STATIC;
            wall.mass = 0.0;
            assert_ok(abut_shape_create_plane(abut_vec3_make(walls[w][0], walls[w][1], walls[w][2]), walls[w][3], &plane));
            put_moving(world, plane, abut_vec3_make(0, 0, 0), abut_vec3_make(0, 0, 0), wall);
        }
        for (int k = 0; k < 120; ++k) {
            double size = random_range(&random, 0.04, 0.07);
            abut_vec3 place = {0.145 * (k % 4) - 0.22, 0.145 * (k / 4 % 4) - 0.22, 0.08 + 0.15 * (k / 16)};
            body.mass = 1000.0 * 4.0 / 3.0 * PI * size * size * size;
            put_moving(world, sphere(size), place, random_vec3(&random, -0.2, 0.2), body);
        }
        abut_step_report r;
        for (int k = 0; k < 400; ++k) {
            assert_ok(abut_world_step(world, 1e-2, &r));
        }
        printf("bed with restitution %.2f: residual %.2g, kinetic energy %.2g\n", restitutions[i], r.dem.residual, r.kinetic_energy);
        assert_true(r.dem.residual <= (i == 0 ? 2e-2 : 1e-5));
        abut_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_impact_to_the_second_order), cmocka_unit_test(test_two_balls),
        cmocka_unit_test(test_rest_and_friction),          cmocka_unit_test(test_rolling_resistance),
        cmocka_unit_test(test_meshed_balls_are_balls),     cmocka_unit_test(test_hertz_beside_it),
        cmocka_unit_test(test_bed_comes_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
