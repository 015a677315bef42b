/*
 * Rolling and twisting resistance of the dem stepper against closed forms: a ball that rolls decelerates and stops, rests on a slope below its angle and rolls
 * down a steeper one, stops to spin; no motion gains energy; pairs keep their momenta.
 */
#include <abut/world.h>

#include <stdio.h>

#include "support/allocator.h"
#include "support/bodies.h"
#include "support/check.h"
#include "support/facet_body.h"
#include "support/random.h"
#include "support/shapes.h"

static const double radius = 0.1, g = 9.81;

static abut_world *make_world(abut_vec3 gravity) {
    abut_world_def def = abut_world_def_default();
    def.stepper = ABUT_STEPPER_DEM;
    def.gravity = gravity;
    return open_world(def);
}

static abut_world *make_slope(double angle) { return make_world(abut_vec3_make(g * sin(angle), 0, -g * cos(angle))); }

static void add_floor(abut_world *world, abut_body_def def) {
    def.kind = ABUT_BODY_STATIC;
    def.motion = (abut_motion){{0, 0, 0}, {0, 0, 0}};
    put_as(world, def, plane(abut_vec3_make(0, 0, 1), 0.0));
}

static abut_body_def rolling_body(double rolling, double twisting) {
    abut_body_def body = abut_body_def_default();
    body.density = 2500.0;
    body.material.young = 1e9;
    body.restitution = 0.3;
    body.rolling_resistance = rolling;
    body.twisting_resistance = twisting;
    return body;
}

/* With a mesh of rounded triangles, or as it is. */
static abut_shape *make_ball(bool meshed, double size) { return meshed ? facet_body_meshed_ball(1, size) : sphere(size); }

/* How deep a ball of the density and the modulus above is in the floor at rest. */
static double depth_at_rest(double angle, double modulus) {
    double weight = 2500.0 * 4.0 / 3.0 * PI * radius * radius * radius * g * cos(angle);
    double root = cbrt(weight / (4.0 / 3.0 * modulus * sqrt(radius)));
    return root * root;
}

/* Adds a ball that touches the floor with its weight. */
static abut_body_id add_ball(abut_world *world, bool meshed, double angle, abut_body_def def) {
    double modulus = def.material.young / (2.0 * (1.0 - def.material.poisson * def.material.poisson));
    def.pose.position = abut_vec3_make(0, 0, radius - depth_at_rest(angle, modulus));
    return put_as(world, def, make_ball(meshed, radius));
}

static void advance(abut_world *world, int steps) {
    for (int i = 0; i < steps; ++i) {
        assert_ok(abut_world_step(world, 1e-3, NULL));
    }
}

/* ---- a ball on the floor ---- */

/* m R^2 / (m R^2 + I) times mu_r g: five sevenths for a ball. A meshed ball has the moment of inertia of its polyhedron. */
static double deceleration_of(const abut_world *world, abut_body_id id, double rolling) {
    abut_body_info info;
    assert_ok(abut_world_body_info(world, id, &info));
    double square = info.mass * radius * radius;
    return square / (square + info.inertia.y.y) * rolling * g;
}

/* Whether nothing at all moves any more: a spring without a limit would swing, one with a limit and no memory would creep. */
static void assert_rests(abut_world *world, abut_body_id id) {
    abut_body_state first = state_of(world, id);
    advance(world, 500);
    abut_body_state last = state_of(world, id);
    double way = abut_distance_between(first.centre, last.centre), turn = radius * abut_length(last.motion.angular);
    printf("moves by %.2g in half a second, at %.2g\n", way, turn);
    assert_true(way <= 1e-11 && turn <= 1e-11);
}

static void roll_out(bool meshed) {
    const double rolling = 0.06, speed = 0.5;
    abut_world *world = make_slope(0.0);
    abut_body_def body = rolling_body(rolling, 0.0);
    add_floor(world, body);
    body.motion = (abut_motion){{speed, 0, 0}, {0, speed / radius, 0}};
    abut_body_id ball = add_ball(world, meshed, 0.0, body);
    double expected = deceleration_of(world, ball, rolling), stops = speed / expected;
    for (int i = 1; i <= 4; ++i) {
        advance(world, 200);
        abut_body_state s = state_of(world, ball);
        printf("rolling at %.3f s: %.6f, by the closed form %.6f\n", 0.2 * i, s.motion.linear.x, speed - 0.2 * i * expected);
        assert_near(s.motion.linear.x, speed - 0.2 * i * expected, 2e-3 * speed);
        assert_near(s.motion.angular.y * radius, s.motion.linear.x, 2e-3 * speed);
    }
    advance(world, (int)(1000.0 * (stops - 0.8)) + 1000);
    assert_near(state_of(world, ball).centre.x, 0.5 * speed * stops, 2e-3 * speed * stops);
    assert_rests(world, ball);
    abut_world_destroy(world);
}

static void test_rolling_ball_stops(void **state) {
    (void)state;
    abut_world *world = make_slope(0.0);
    abut_body_def body = rolling_body(0.06, 0.0);
    abut_body_id ball = add_ball(world, false, 0.0, body);
    assert_near(deceleration_of(world, ball, 0.06), 5.0 / 7.0 * 0.06 * g, 1e-12);
    abut_world_destroy(world);
    roll_out(false);
    roll_out(true);
}

/* Below the slope atan(mu_r) a ball rests, above it rolls down with 5/7 g (sin - mu_r cos). */
static void test_slope(void **state) {
    (void)state;
    const double rolling = 0.1, share[] = {0.5, 0.95, 1.05, 2.0};
    for (int i = 0; i < 4; ++i) {
        double angle = atan(share[i] * rolling), time = 0.5;
        abut_world *world = make_slope(angle);
        abut_body_def body = rolling_body(rolling, 0.1);
        add_floor(world, body);
        abut_body_id ball = add_ball(world, false, angle, body);
        if (share[i] < 1.0) {
            advance(world, 500);
            assert_true(state_of(world, ball).centre.x < 1e-4);
            assert_rests(world, ball);
        } else {
            advance(world, 200); /* the spring is loaded first */
            double before = state_of(world, ball).motion.linear.x;
            advance(world, (int)(1000.0 * time));
            double expected = 5.0 / 7.0 * g * (sin(angle) - rolling * cos(angle)) * time;
            double speed = state_of(world, ball).motion.linear.x - before;
            printf("slope %.3f: %.6f, by the closed form %.6f\n", angle, speed, expected);
            assert_near(speed, expected, 1e-3 * g * sin(angle) * time);
        }
        abut_world_destroy(world);
    }
}

/* A ball that spins about the normal loses 5/2 mu_t g / R of its angular velocity in unit time. */
static void test_spinning_ball_stops(void **state) {
    (void)state;
    const double twisting = 0.04, spin = 8.0, rate = 2.5 * twisting * g / radius;
    for (int meshed = 0; meshed < 2; ++meshed) {
        abut_world *world = make_slope(0.0);
        abut_body_def body = rolling_body(0.0, twisting);
        add_floor(world, body);
        body.motion.angular = abut_vec3_make(0, 0, spin);
        abut_body_id ball = add_ball(world, meshed, 0.0, body);
        abut_body_info info;
        assert_ok(abut_world_body_info(world, ball, &info));
        double slower = rate * 0.4 * info.mass * radius * radius / info.inertia.z.z; /* exactly the rate for a ball */
        advance(world, 400);
        abut_body_state s = state_of(world, ball);
        printf("spin after 0.4 s: %.6f, by the closed form %.6f\n", s.motion.angular.z, spin - 0.4 * slower);
        assert_near(s.motion.angular.z, spin - 0.4 * slower, 1e-3 * spin);
        assert_near(abut_length(s.motion.linear), 0.0, 1e-6);
        advance(world, (int)(1000.0 * (spin / slower - 0.4)) - 10);
        assert_true(state_of(world, ball).motion.angular.z > 0.01);
        advance(world, 500);
        assert_rests(world, ball);
        abut_world_destroy(world);
    }
}

/* The larger value of both bodies counts, and none lets a ball roll on. */
static void test_larger_value_counts(void **state) {
    (void)state;
    for (int of_floor = 0; of_floor < 2; ++of_floor) {
        abut_world *world = make_slope(0.0);
        abut_body_def body = rolling_body(of_floor ? 0.05 : 0.01, 0.0);
        add_floor(world, body);
        body = rolling_body(of_floor ? 0.01 : 0.05, 0.0);
        body.motion = (abut_motion){{0.5, 0, 0}, {0, 0.5 / radius, 0}};
        abut_body_id ball = add_ball(world, false, 0.0, body);
        advance(world, 400);
        assert_near(state_of(world, ball).motion.linear.x, 0.5 - 0.4 * 5.0 / 7.0 * 0.05 * g, 1e-3);
        abut_world_destroy(world);
    }
}

/* ---- several balls ---- */

static double energy_of(const abut_step_report *r) { return r->kinetic_energy + r->dem.elastic_energy + r->dem.spring_energy; }

static abut_body_id put_shape(abut_world *world, const abut_shape *shape, abut_vec3 place, abut_motion motion, abut_body_def def) {
    def.shape = shape;
    def.pose.position = place;
    def.motion = motion;
    return put_shared(world, def);
}

static abut_vec3 angular_momentum(const abut_world *world, abut_body_id id) {
    abut_body_info info;
    assert_ok(abut_world_body_info(world, id, &info));
    abut_body_state s = state_of(world, id);
    abut_vec3 spin = abut_mat3_apply(info.inertia, s.motion.angular); /* a ball's inertia has no axes */
    return abut_add(spin, abut_scale(info.mass, abut_cross(s.centre, s.motion.linear)));
}

static abut_vec3 momentum(const abut_world *world, abut_body_id id) {
    abut_body_info info;
    assert_ok(abut_world_body_info(world, id, &info));
    return abut_scale(info.mass, state_of(world, id).motion.linear);
}

/* Balls of other sizes that meet with spin, and stick together by adhesion: momentum and angular momentum stay, and the energy falls. */
static void test_pairs_keep_momenta(void **state) {
    (void)state;
    random_state random = random_make(random_seed("pairs", 771));
    double worst = 0.0, lost = 0.0;
    for (int i = 0; i < 20; ++i) {
        abut_world *world = make_world(abut_vec3_make(0, 0, 0));
        abut_body_def body = rolling_body(random_range(&random, 0.0, 0.4), random_range(&random, 0.0, 0.4));
        body.adhesion_work = i % 2 == 0 ? 0.0 : 50.0;
        abut_shape *shapes[2] = {make_ball(false, 0.1), make_ball(false, random_range(&random, 0.03, 0.1))};
        abut_body_id id[2];
        for (int k = 0; k < 2; ++k) {
            abut_motion motion = {random_vec3(&random, -0.1, 0.1), random_vec3(&random, -20, 20)};
            motion.linear.x += k == 0 ? 0.3 : -0.3;
            id[k] = put_shape(world, shapes[k], abut_vec3_make(0.21 * k, 0.01 * k, 0), motion, body);
            abut_shape_release(shapes[k]);
        }
        abut_vec3 p = abut_add(momentum(world, id[0]), momentum(world, id[1]));
        abut_vec3 l = abut_add(angular_momentum(world, id[0]), angular_momentum(world, id[1]));
        double whole = abut_length(angular_momentum(world, id[0])) + abut_length(angular_momentum(world, id[1]));
        abut_step_report r;
        assert_ok(abut_world_report(world, &r));
        double first = r.kinetic_energy;
        advance(world, 400);
        assert_ok(abut_world_report(world, &r));
        abut_vec3 q = abut_add(momentum(world, id[0]), momentum(world, id[1]));
        abut_vec3 m = abut_add(angular_momentum(world, id[0]), angular_momentum(world, id[1]));
        worst = fmax(worst, fmax(abut_distance_between(p, q) / (abut_length(p) + 1.0), abut_distance_between(l, m) / whole));
        lost = fmax(lost, 1.0 - r.kinetic_energy / first);
        assert_true(r.kinetic_energy < first);
        abut_world_destroy(world);
    }
    printf("momenta off by %.2g, up to %.0f %% of the energy lost\n", worst, 100.0 * lost);
    assert_true(worst <= 1e-12 && lost > 0.1);
}

/* A cloud of balls in a periodic space: the energy of motion, contacts and springs falls, and what falls is the work of damping and friction. */
static void test_energy_falls(void **state) {
    (void)state;
    abut_world_def def = abut_world_def_default();
    def.stepper = ABUT_STEPPER_DEM;
    def.gravity = abut_vec3_make(0, 0, 0);
    def.dem.step_share = 0.03;
    for (int axis = 0; axis < 3; ++axis) {
        def.dem.periodic[axis] = true;
    }
    def.dem.upper = abut_vec3_make(1, 1, 1);
    abut_world *world = NULL;
    assert_ok(abut_world_create(&def, &world));
    random_state random = random_make(772);
    abut_body_def body = rolling_body(0.2, 0.2);
    abut_shape *ball = make_ball(false, radius);
    for (int i = 0; i < 100; ++i) {
        abut_vec3 place = {0.05 + 0.2 * (i % 5), 0.05 + 0.2 * (i / 5 % 5), 0.05 + 0.2 * (i / 25)};
        abut_motion motion = {random_vec3(&random, -1, 1), random_vec3(&random, -20, 20)};
        put_shape(world, ball, place, motion, body);
    }
    abut_shape_release(ball);
    abut_step_report r;
    assert_ok(abut_world_report(world, &r));
    double first = energy_of(&r), before = first, work = 0.0, rise = 0.0, off = 0.0;
    for (int i = 0; i < 300; ++i) {
        assert_ok(abut_world_step(world, 1e-3, &r));
        work += r.dem.damping_work + r.dem.friction_work;
        rise = fmax(rise, energy_of(&r) - before);
        off = fmax(off, fabs(energy_of(&r) + work - first));
        before = energy_of(&r);
        assert_true(r.dem.damping_work >= 0.0 && r.dem.friction_work >= 0.0);
    }
    printf("energy %.4g to %.4g, rises by up to %.2g, balance off by %.2g\n", first, before, rise, off);
    assert_true(before < 0.2 * first && rise <= 1e-4 * first && off <= 0.03 * first);
    abut_world_destroy(world);
}

/* A bed in a box comes to rest with the default step, with weak and strong damping, and also where only these springs turn the balls. */
static void test_bed_comes_to_rest(void **state) {
    (void)state;
    static const double walls[5][4] = {{0, 0, 1, 0}, {1, 0, 0, -0.3}, {-1, 0, 0, -0.3}, {0, 1, 0, -0.3}, {0, -1, 0, -0.3}};
    static const double cases[4][2] = {{0.8, 0.5}, {0.3, 0.5}, {0.01, 0.5}, {0.01, 0.0}}; /* restitution, friction */
    for (int i = 0; i < 4; ++i) {
        abut_world *world = make_slope(0.0);
        random_state random = random_make(775);
        abut_body_def body = rolling_body(0.2, 0.2);
        body.material.young = 1e7;
        body.restitution = cases[i][0];
        body.friction = cases[i][1];
        for (int w = 0; w < 5; ++w) {
            abut_body_def wall = body;
            abut_shape *plane = NULL;
            wall.kind = ABUT_BODY_STATIC;
            assert_ok(abut_shape_create_plane(abut_vec3_make(walls[w][0], walls[w][1], walls[w][2]), walls[w][3], &plane));
            put_shape(world, plane, abut_vec3_make(0, 0, 0), (abut_motion){{0, 0, 0}, {0, 0, 0}}, wall);
            abut_shape_release(plane);
        }
        for (int k = 0; k < 96; ++k) {
            abut_shape *ball = make_ball(false, random_range(&random, 0.04, 0.07));
            abut_vec3 place = {0.145 * (k % 4) - 0.22, 0.145 * (k / 4 % 4) - 0.22, 0.08 + 0.15 * (k / 16)};
            put_shape(world, ball, place, (abut_motion){random_vec3(&random, -0.2, 0.2), random_vec3(&random, -9, 9)}, body);
            abut_shape_release(ball);
        }
        abut_step_report r;
        for (int k = 0; k < (i == 0 || i == 3 ? 1200 : 300); ++k) {
            assert_ok(abut_world_step(world, 1e-2, &r));
        }
        printf("bed with restitution %.2f, friction %.1f: residual %.2g, kinetic energy %.2g\n", cases[i][0], cases[i][1], r.dem.residual,
               r.kinetic_energy);
        assert_true(r.dem.residual <= 1e-3);
        abut_world_destroy(world);
    }
}

/* ---- memory ---- */

static abut_world *make_heap(void) {
    abut_world *world = make_slope(0.1);
    abut_body_def body = rolling_body(0.1, 0.1);
    add_floor(world, body);
    random_state random = random_make(774);
    for (int i = 0; i < 24; ++i) {
        abut_shape *shape = make_ball(i % 8 == 3, 0.05);
        abut_vec3 place = {0.098 * (i % 4), 0.098 * (i / 4 % 3), 0.05 + 0.098 * (i / 12)};
        put_shape(world, shape, place, (abut_motion){random_vec3(&random, -1, 1), random_vec3(&random, -9, 9)}, body);
        abut_shape_release(shape);
    }
    return world;
}

/* Without memory a step fails and changes nothing; the next one is as though nothing had happened. */
static void test_no_memory(void **state) {
    (void)state;
    static counting_allocator memory; /* outlives the worlds */
    abut_world *world = make_heap(), *other = make_heap();
    for (int step = 0; step < 3; ++step) {
        uint64_t before = abut_world_hash(world);
        int64_t refused = 0;
        do {
            memory = (counting_allocator){.refuse_at = refused++};
            counting_allocator_install(&memory);
            abut_status status = abut_world_step(world, 2e-3, NULL);
            counting_allocator_remove();
            assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
            assert_true(!memory.refused || abut_world_hash(world) == before);
        } while (memory.refused);
        assert_ok(abut_world_step(other, 2e-3, NULL));
        assert_true(abut_world_hash(world) == abut_world_hash(other));
        printf("step %d: %d refusals\n", step, (int)refused);
    }
    abut_world_destroy(world);
    abut_world_destroy(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rolling_ball_stops),  cmocka_unit_test(test_slope),        cmocka_unit_test(test_spinning_ball_stops),
        cmocka_unit_test(test_larger_value_counts), cmocka_unit_test(test_no_memory),    cmocka_unit_test(test_bed_comes_to_rest),
        cmocka_unit_test(test_pairs_keep_momenta),  cmocka_unit_test(test_energy_falls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
