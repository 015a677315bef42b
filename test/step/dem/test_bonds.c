/*
 * Parallel bonds in the dem stepper against closed forms: a bond that is stretched, sheared, bent and twisted; frequencies of two bonded balls; a cantilever of
 * balls; the loads at which bonds break; energy, momentum and rotation as a whole; bonds of all near balls; saved states and threads.
 */
#include <abut/bond.h>
#include <abut/world.h>

#include <stdio.h>
#include <stdlib.h>

#include "support/bodies.h"
#include "support/check.h"
#include "support/random.h"
#include "support/shapes.h"

static const double radius = 0.1, young = 1e8, ratio = 2.0;

/* Damping of the motion of all balls. */
static double drag = 0.0;

static abut_world *make_world(double gravity, int32_t threads) {
    abut_world_def def = abut_world_def_default();
    def.stepper = ABUT_STEPPER_DEM;
    def.gravity = abut_vec3_make(0, 0, -gravity);
    def.parallel.threads = threads;
    return open_world(def);
}

/* Balls with small gaps touch nothing, so that bonds act alone. */
static abut_body_id put_ball(abut_world *world, abut_body_kind kind, double size, abut_vec3 place, abut_motion motion) {
    abut_body_def def = abut_body_def_default();
    def.kind = kind;
    def.pose.position = place;
    def.motion = motion;
    def.density = 2000.0;
    def.linear_damping = def.angular_damping = drag;
    return put_as(world, def, sphere(size));
}

static abut_body_id put_still(abut_world *world, abut_body_kind kind, abut_vec3 place) {
    return put_ball(world, kind, radius, place, (abut_motion){{0, 0, 0}, {0, 0, 0}});
}

static abut_bond_def cement(void) {
    abut_bond_def def = abut_bond_def_default();
    def.young = young;
    def.stiffness_ratio = ratio;
    def.radius = 1.0;
    return def;
}

static abut_bond_state bond_at(const abut_world *world, int32_t index) {
    abut_bond_id ids[64];
    int32_t count;
    abut_bond_state state;
    assert_ok(abut_world_bond_ids(world, ids, 64, &count));
    assert_true(index < count);
    assert_ok(abut_world_bond_state(world, ids[index], &state));
    return state;
}

static double energy_of(const abut_step_report *r) { return r->kinetic_energy + r->dem.elastic_energy + r->dem.spring_energy; }

/* Of a bond of two balls of the radius 0.1 with this distance of their centres. */
typedef struct stiff {
    double area, inertia, k;
} stiff;

static stiff stiff_of(double length) {
    double area = PI * radius * radius;
    return (stiff){area, 0.25 * area * radius * radius, young / length};
}

/* ---- one bond ---- */

/* A ball is put elsewhere and turned a little: force and moment of the bond, and its stress, as in the paper. */
static void test_displaced(void **state) {
    (void)state;
    random_state random = random_make(random_seed("displaced", 81));
    const double length = 2.02 * radius, size = 1e-5;
    stiff s = stiff_of(length);
    for (int i = 0; i < 200; ++i) {
        abut_world *world = make_world(0.0, 1);
        abut_vec3 axis = abut_unit(random_vec3(&random, -1, 1)), place = random_vec3(&random, -5, 5);
        abut_body_id a = put_still(world, ABUT_BODY_STATIC, place),
                     b = put_still(world, ABUT_BODY_DYNAMIC, abut_add_scaled(place, length, axis));
        abut_bond_def def = cement();
        int32_t made;
        assert_ok(abut_world_bond_near(world, NULL, 0, 0.05 * radius, &def, &made));
        assert_int_equal(made, 1);
        abut_vec3 by = random_vec3(&random, -size, size), turn = random_vec3(&random, -size, size);
        abut_pose pose = state_of(world, b).pose;
        pose.position = abut_add(pose.position, by);
        pose.rotation = abut_quat_unit(abut_quat_mul((abut_quat){0.5 * turn.x, 0.5 * turn.y, 0.5 * turn.z, 1.0}, pose.rotation));
        assert_ok(abut_world_set_body_pose(world, b, pose));
        assert_ok(abut_world_step(world, 1e-12, NULL));
        /* The middle of the bond, as the ball carries it. */
        abut_vec3 apart = abut_add(by, abut_cross(turn, abut_scale(-0.5 * length, axis)));
        double along = abut_dot(apart, axis), about = abut_dot(turn, axis);
        abut_vec3 across = abut_add_scaled(apart, -along, axis), bent = abut_add_scaled(turn, -about, axis);
        abut_vec3 force = abut_add_scaled(abut_scale(s.k * s.area / ratio, across), s.k * s.area * along, axis);
        abut_vec3 moment = abut_add_scaled(abut_scale(s.k * s.inertia, bent), s.k * 2.0 * s.inertia / ratio * about, axis);
        abut_bond_state bond = bond_at(world, 0);
        assert_true(bond.a.index == a.index && bond.b.index == b.index && !bond.broken);
        double unit = s.k * s.area * size;
        assert_vec3_near(bond.force, force, 1e-3 * unit);
        assert_vec3_near(bond.moment, moment, 1e-3 * unit * radius);
        assert_near(bond.tension, s.k * along + s.k * radius * abut_length(bent), 1e-3 * s.k * size);
        assert_near(bond.shear, s.k / ratio * abut_length(across) + s.k / ratio * radius * fabs(about), 1e-3 * s.k * size);
        abut_world_destroy(world);
    }
}

/* Two equal balls that are pushed apart, or turned against each other about the axis, swing with the frequencies of a mass and a spring. */
static void test_frequencies(void **state) {
    (void)state;
    const double length = 2.02 * radius, mass = 2000.0 * 4.0 / 3.0 * PI * radius * radius * radius, inertia = 0.4 * mass * radius * radius;
    stiff s = stiff_of(length);
    for (int twisting = 0; twisting < 2; ++twisting) {
        for (int damped = 0; damped < 2; ++damped) {
            abut_world *world = make_world(0.0, 1);
            abut_motion first = {{0, 0, twisting ? 0.0 : -1e-3}, {0, 0, twisting ? -1e-2 : 0.0}};
            abut_motion second = {abut_scale(-1.0, first.linear), abut_scale(-1.0, first.angular)};
            (void)put_ball(world, ABUT_BODY_DYNAMIC, radius, abut_vec3_make(0, 0, 0), first);
            abut_body_id b = put_ball(world, ABUT_BODY_DYNAMIC, radius, abut_vec3_make(0, 0, length), second);
            abut_bond_def def = cement();
            def.damping_ratio = damped ? 0.1 : 0.0;
            assert_ok(abut_world_bond_near(world, NULL, 0, 0.05 * radius, &def, NULL));
            double frequency = twisting ? sqrt(2.0 * s.k * 2.0 * s.inertia / ratio / inertia) : sqrt(2.0 * s.k * s.area / mass);
            double rate = def.damping_ratio * frequency, swing = frequency * sqrt(1.0 - def.damping_ratio * def.damping_ratio);
            double most = twisting ? 1e-2 : 1e-3, worst = 0.0;
            for (int i = 1; i <= 40; ++i) {
                double dt = 0.1 * 2.0 * PI / frequency, t = i * dt;
                abut_step_report r;
                assert_ok(abut_world_step(world, dt, &r));
                abut_motion m = state_of(world, b).motion;
                double expected = most * exp(-rate * t) * (cos(swing * t) - rate / swing * sin(swing * t));
                worst = fmax(worst, fabs((twisting ? m.angular.z : m.linear.z) - expected) / most);
            }
            printf("%s, damping ratio %.1f: speed off by %.2g\n", twisting ? "twisting" : "stretching", def.damping_ratio, worst);
            assert_true(worst <= 0.02);
            abut_world_destroy(world);
        }
    }
}

/* ---- a beam ---- */

/* The tip of a cantilever of n balls under a force P across it, at rest: each bond is sheared by P / (k A / ratio) and bent by P x / (k I),
 * where x is its distance from the tip. For many balls this is Timoshenko's beam. */
static void test_cantilever(void **state) {
    (void)state;
    enum { BALLS = 8 };
    const double length = 2.02 * radius, push = 0.5;
    stiff s = stiff_of(length);
    abut_world *world = make_world(0.0, 1);
    abut_body_id ids[BALLS];
    drag = 40.0;
    for (int i = 0; i < BALLS; ++i) {
        ids[i] = put_still(world, i == 0 ? ABUT_BODY_STATIC : ABUT_BODY_DYNAMIC, abut_vec3_make(i * length, 0, 0));
    }
    drag = 0.0;
    abut_bond_def def = cement();
    int32_t made;
    def.damping_ratio = 0.2;
    assert_ok(abut_world_bond_near(world, NULL, 0, 0.05 * radius, &def, &made));
    assert_int_equal(made, BALLS - 1);
    for (int i = 0; i < 400; ++i) {
        assert_ok(abut_world_apply_force(world, ids[BALLS - 1], abut_vec3_make(0, 0, push), state_of(world, ids[BALLS - 1]).centre));
        assert_ok(abut_world_step(world, 5e-3, NULL));
    }
    double expected = 0.0, euler = push * pow((BALLS - 1) * length, 3.0) / (3.0 * young * s.inertia);
    for (int i = 0; i < BALLS - 1; ++i) {
        double x = (BALLS - 1.5 - i) * length;
        expected += push / (s.k * s.area / ratio) + push * x * x / (s.k * s.inertia);
    }
    double tip = state_of(world, ids[BALLS - 1]).centre.z;
    printf("tip of the beam %.6g, by its bonds %.6g, by Euler and Bernoulli %.6g\n", tip, expected, euler);
    assert_near(tip, expected, 1e-3 * expected);
    assert_near(tip, euler, 0.05 * euler);
    /* The moment at the wall. */
    abut_bond_state wall = bond_at(world, 0);
    assert_near(fabs(wall.moment.y), push * (BALLS - 1.5) * length, 2e-3 * push * BALLS * length);
    assert_near(fabs(wall.force.z), push, 1e-3 * push);
    abut_world_destroy(world);
}

/* ---- strength ---- */

/* A ball that hangs on a bond, slowly loaded, breaks off when F / A reaches the tensile strength; across, when V / A reaches the shear strength. */
static void test_strength(void **state) {
    (void)state;
    const double length = 2.02 * radius;
    stiff s = stiff_of(length);
    for (int kind = 0; kind < 3; ++kind) {
        for (int over = 0; over < 2; ++over) {
            abut_world *world = make_world(0.0, 1);
            (void)put_still(world, ABUT_BODY_STATIC, abut_vec3_make(0, 0, 0));
            abut_body_id b = put_still(world, ABUT_BODY_DYNAMIC, abut_vec3_make(0, 0, -length));
            abut_bond_def def = cement();
            def.damping_ratio = 0.7;
            double load = 100.0, x = 0.5 * length;
            /* Along the axis; across it, with the strength of the bond against bending; across it against shear. */
            double stress = kind == 0 ? load / s.area : kind == 1 ? load * x * radius / s.inertia : load / s.area;
            def.tensile_strength = kind == 2 ? INFINITY : stress * (over ? 0.98 : 1.02);
            def.shear_strength = kind == 2 ? stress * (over ? 0.98 : 1.02) : INFINITY;
            assert_ok(abut_world_bond_near(world, NULL, 0, 0.05 * radius, &def, NULL));
            abut_step_report r = {.step = 0};
            int32_t broken = 0;
            for (int i = 0; i < 200; ++i) {
                double now = load * fmin(1.0, i / 150.0);
                abut_vec3 force = kind == 0 ? abut_vec3_make(0, 0, -now) : abut_vec3_make(now, 0, 0);
                abut_vec3 at = state_of(world, b).centre;
                assert_ok(abut_world_apply_force(world, b, force, at));
                assert_ok(abut_world_step(world, 5e-3, &r));
                broken += r.dem.broken;
            }
            assert_int_equal(broken, over);
            assert_int_equal(r.dem.bonds, 1 - over);
            assert_true(bond_at(world, 0).broken == (over == 1));
            assert_true((abut_length(state_of(world, b).motion.linear) > 0.01) == (over == 1));
            abut_world_destroy(world);
        }
    }
}

/* ---- many bonds ---- */

enum { SIDE = 3, BALLS = SIDE * SIDE * SIDE };

/* A cube of balls of several sizes that turns and flies, or is struck by a ball. */
static abut_world *make_block(int32_t threads, double strength, double damping, bool struck, abut_body_id ids[BALLS + 1]) {
    abut_world *world = make_world(0.0, threads);
    random_state random = random_make(random_seed("block", 82));
    const abut_vec3 spin = {0.0, struck ? 0.0 : 2.0, struck ? 0.0 : 3.0};
    for (int i = 0; i < BALLS; ++i) {
        abut_vec3 place = abut_scale(2.03 * radius, abut_vec3_make(i % SIDE - 1, i / SIDE % SIDE - 1, i / SIDE / SIDE - 1));
        place = abut_add(place, random_vec3(&random, -0.01 * radius, 0.01 * radius));
        abut_motion motion = {abut_add(abut_vec3_make(0.3, 0, 0), abut_cross(spin, place)), spin};
        ids[i] = put_ball(world, ABUT_BODY_DYNAMIC, radius * random_range(&random, 0.9, 1.0), place, motion);
    }
    if (struck) {
        ids[BALLS] = put_ball(world, ABUT_BODY_DYNAMIC, 1.5 * radius, abut_vec3_make(8 * radius, 0.5 * radius, 0),
                              (abut_motion){{-8, 0, 0}, {0, 0, 0}});
    }
    abut_bond_def def = cement();
    int32_t made;
    def.tensile_strength = strength;
    def.shear_strength = strength;
    def.damping_ratio = damping;
    def.radius = 0.8;
    assert_ok(abut_world_bond_near(world, ids, BALLS, 0.4 * radius, &def, &made));
    assert_int_equal(made, 3 * SIDE * SIDE * (SIDE - 1));
    assert_ok(abut_world_bond_near(world, ids, BALLS, 0.4 * radius, &def, &made)); /* each has its bond */
    assert_int_equal(made, 0);
    return world;
}

static void sum_momenta(const abut_world *world, const abut_body_id *ids, int count, abut_vec3 *linear, abut_vec3 *angular) {
    *linear = *angular = abut_vec3_make(0, 0, 0);
    for (int i = 0; i < count; ++i) {
        abut_body_info info;
        assert_ok(abut_world_body_info(world, ids[i], &info));
        abut_body_state s = state_of(world, ids[i]);
        *linear = abut_add_scaled(*linear, info.mass, s.motion.linear);
        *angular = abut_add(*angular, abut_add(abut_scale(info.inertia.x.x, s.motion.angular),
                                               abut_scale(info.mass, abut_cross(s.centre, s.motion.linear))));
    }
}

/* A bonded block that turns keeps its energy, its momenta and, with damping, its shape: it turns as one body. */
static void test_turning_block(void **state) {
    (void)state;
    for (int damped = 0; damped < 2; ++damped) {
        abut_body_id ids[BALLS + 1];
        abut_world *world = make_block(1, INFINITY, damped ? 0.2 : 0.0, false, ids);
        abut_vec3 linear[2], angular[2];
        sum_momenta(world, ids, BALLS, &linear[0], &angular[0]);
        abut_step_report r;
        assert_ok(abut_world_report(world, &r));
        assert_near(r.dem.spring_energy, 0.0, 1e-12);
        assert_int_equal(r.dem.bonds, 3 * SIDE * SIDE * (SIDE - 1));
        double first = energy_of(&r), off = 0.0, work = 0.0;
        for (int i = 0; i < 60; ++i) {
            assert_ok(abut_world_step(world, 1e-2, &r));
            work += r.dem.damping_work + r.dem.friction_work;
            off = fmax(off, fabs(energy_of(&r) + work - first));
        }
        sum_momenta(world, ids, BALLS, &linear[1], &angular[1]);
        printf("damping %d: energy off by %.2g of %.3g, %.3g absorbed\n", damped, off, first, work);
        assert_true(off <= 2e-3 * first && work >= 0.0);
        assert_vec3_near(linear[1], linear[0], 1e-11 * abut_length(linear[0]));
        assert_vec3_near(angular[1], angular[0], 1e-11 * abut_length(angular[0]));
        if (damped) {
            abut_motion corner = state_of(world, ids[0]).motion, middle = state_of(world, ids[BALLS / 2]).motion;
            assert_vec3_near(corner.angular, middle.angular, 0.02);
        }
        abut_world_destroy(world);
    }
}

/* A block that is struck breaks: bonds are counted, the energy that was in them counts as lost, and momenta are kept. */
static void test_broken_block(void **state) {
    (void)state;
    abut_body_id ids[BALLS + 1];
    abut_world *world = make_block(1, 3e5, 0.05, true, ids);
    abut_vec3 linear[2], angular[2];
    sum_momenta(world, ids, BALLS + 1, &linear[0], &angular[0]);
    abut_step_report r;
    assert_ok(abut_world_report(world, &r));
    double first = energy_of(&r), off = 0.0, work = 0.0;
    int32_t whole = r.dem.bonds, broken = 0;
    for (int i = 0; i < 40; ++i) {
        assert_ok(abut_world_step(world, 5e-3, &r));
        work += r.dem.damping_work + r.dem.friction_work;
        broken += r.dem.broken;
        off = fmax(off, fabs(energy_of(&r) + work - first));
        assert_int_equal(r.dem.bonds, whole - broken);
    }
    int32_t told = 0, count;
    abut_bond_id bonds[128];
    assert_ok(abut_world_bond_ids(world, bonds, 128, &count));
    for (int32_t i = 0; i < count; ++i) {
        abut_bond_state s;
        assert_ok(abut_world_bond_state(world, bonds[i], &s));
        told += s.broken;
        assert_true(!s.broken || s.tension >= 3e5 || s.shear >= 3e5);
    }
    sum_momenta(world, ids, BALLS + 1, &linear[1], &angular[1]);
    printf("%d of %d bonds broke, energy off by %.2g of %.3g\n", (int)broken, (int)whole, off, first);
    assert_int_equal(told, broken);
    assert_true(broken > 3 && broken < whole);
    assert_true(off <= 0.01 * first);
    assert_vec3_near(linear[1], linear[0], 1e-11 * abut_length(linear[0]));
    assert_vec3_near(angular[1], angular[0], 1e-10 * abut_length(linear[0]));
    abut_world_destroy(world);
}

/* Any number of threads gives the same bits, and so does a state that was saved while the block breaks. */
static void test_threads_and_saved_states(void **state) {
    (void)state;
    abut_body_id ids[BALLS + 1];
    abut_world *worlds[3];
    for (int i = 0; i < 3; ++i) {
        worlds[i] = make_block(i == 1 ? 2 : 1, 3e5, 0.05, true, ids);
    }
    abut_step_report r[3];
    int32_t broken = 0;
    for (int i = 0; i < 30; ++i) {
        for (int k = 0; k < 3; ++k) {
            if (i == 20) {
                assert_ok(abut_world_remove_body(worlds[k], ids[4])); /* and its bonds */
            }
            assert_ok(abut_world_step(worlds[k], 5e-3, &r[k]));
            assert_true(abut_world_hash(worlds[k]) == abut_world_hash(worlds[0]));
            assert_int_equal(r[k].dem.broken, r[0].dem.broken);
            assert_true(r[k].dem.spring_energy == r[0].dem.spring_energy && r[k].dem.friction_work == r[0].dem.friction_work);
        }
        broken += r[0].dem.broken;
        if (i % 4 == 1) {
            size_t size = 0;
            assert_int_equal(abut_world_save(worlds[0], NULL, 0, &size), ABUT_ERROR_CAPACITY);
            unsigned char *saved = malloc(size);
            assert_non_null(saved);
            assert_ok(abut_world_save(worlds[0], saved, size, &size));
            abut_world *fresh = worlds[2];
            if (i < 20) { /* a world that has never made a step */
                abut_world_destroy(worlds[2]);
                fresh = worlds[2] = make_block(1, 1e3, 0.0, true, ids);
            }
            assert_ok(abut_world_restore(fresh, saved, size));
            free(saved);
        }
    }
    assert_true(broken > 3);
    for (int i = 0; i < 3; ++i) {
        abut_world_destroy(worlds[i]);
    }
}

/* ---- other bodies, and periodic space ---- */

/* A bond of two boxes at any place, and one across the border of a periodic space. */
static void test_other_bonds(void **state) {
    (void)state;
    abut_world *world = make_world(0.0, 1);
    abut_shape *box = NULL;
    assert_ok(abut_shape_create_box(abut_vec3_make(0.1, 0.2, 0.3), &box));
    abut_body_def body = abut_body_def_default();
    body.shape = box;
    abut_body_id a, b;
    assert_ok(abut_world_add_body(world, &body, &a));
    body.pose.position = abut_vec3_make(0.21, 0, 0);
    body.motion.linear = abut_vec3_make(0, 0.1, 0);
    assert_ok(abut_world_add_body(world, &body, &b));
    abut_shape_release(box);
    abut_bond_def def = cement();
    def.a = a;
    def.b = b;
    def.point = abut_vec3_make(0.105, 0.1, 0.2);
    def.axis = abut_vec3_make(-3, 0, 0);
    def.length = 0.01;
    def.radius = 0.05;
    def.damping_ratio = 0.3;
    abut_bond_id id;
    assert_ok(abut_world_add_bond(world, &def, &id));
    for (int i = 0; i < 400; ++i) {
        assert_ok(abut_world_step(world, 1e-3, NULL));
    }
    /* They turn and fly together. */
    assert_vec3_near(state_of(world, a).motion.angular, state_of(world, b).motion.angular, 1e-3);
    assert_near(state_of(world, a).motion.linear.y + state_of(world, b).motion.linear.y, 0.1, 1e-12);
    assert_ok(abut_world_remove_bond(world, id));
    abut_bond_state s;
    assert_int_equal(abut_world_bond_state(world, id, &s), ABUT_ERROR_STALE_ID);
    abut_world_destroy(world);

    abut_world_def periodic = abut_world_def_default();
    periodic.stepper = ABUT_STEPPER_DEM;
    periodic.gravity = abut_vec3_make(0, 0, 0);
    periodic.dem.periodic[0] = true;
    periodic.dem.upper = abut_vec3_make(2, 1, 1);
    assert_ok(abut_world_create(&periodic, &world));
    (void)put_still(world, ABUT_BODY_DYNAMIC, abut_vec3_make(0.05, 0, 0));
    (void)put_still(world, ABUT_BODY_DYNAMIC, abut_vec3_make(1.849, 0, 0));
    int32_t made;
    def.radius = 0.5;
    assert_ok(abut_world_bond_near(world, NULL, 0, 0.02 * radius, &def, &made));
    assert_int_equal(made, 1);
    abut_step_report r;
    assert_ok(abut_world_step(world, 1e-3, &r));
    assert_int_equal(r.dem.bonds, 1);
    assert_near(r.dem.spring_energy, 0.0, 1e-15);
    assert_near(r.kinetic_energy, 0.0, 1e-15);
    abut_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_displaced),
        cmocka_unit_test(test_frequencies),
        cmocka_unit_test(test_cantilever),
        cmocka_unit_test(test_strength),
        cmocka_unit_test(test_turning_block),
        cmocka_unit_test(test_broken_block),
        cmocka_unit_test(test_threads_and_saved_states),
        cmocka_unit_test(test_other_bonds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
