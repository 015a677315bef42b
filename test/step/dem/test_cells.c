/*
 * Elastic cells in the dem stepper: Laplace's law, the frequency at which an icosahedron breathes, momentum and energy of free and colliding cells, a cell that
 * is pressed between plates, the velocity of the surface in dampers, stable steps, threads and saved states, refusals.
 */
#include <abut/cell.h>
#include <abut/facetmesh.h>
#include <abut/mesh.h>
#include <abut/world.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/allocator.h"
#include "support/bodies.h"
#include "support/check.h"
#include "support/facet_body.h"
#include "support/random.h"
#include "support/shapes.h"

static abut_world *make_world(int32_t threads) {
    abut_world_def def = abut_world_def_default();
    def.stepper = ABUT_STEPPER_DEM;
    def.dem.step_share = 0.3;
    def.gravity = abut_vec3_make(0, 0, 0);
    def.parallel.threads = threads;
    return open_world(def);
}

static abut_cell_def cortex(double stiffness) {
    abut_cell_def def = abut_cell_def_default();
    def.stiffness = stiffness;
    return def;
}

static abut_body_def soft_body(abut_vec3 place) {
    abut_body_def def = abut_body_def_default();
    def.pose.position = place;
    def.mass = 1.0;
    def.friction = 0.0;
    def.restitution = 1.0;
    def.material.young = 1e4;
    def.material.poisson = 0.3;
    return def;
}

/* A ball of the radius 1; shape: whose facets have this radius. */
static abut_body_id put_cell(abut_world *world, int level, const abut_body_def *body, const abut_cell_def *cell) {
    abut_body_id id = put_as(world, *body, facet_body_meshed_ball(level, 1.0));
    assert_ok(abut_world_make_cell(world, id, cell));
    return id;
}

static abut_cell_state cell_state(const abut_world *world, abut_body_id id) {
    abut_cell_state state;
    assert_ok(abut_world_cell_state(world, id, &state));
    return state;
}

enum { MOST_NODES = 700 };

static int32_t nodes_of(const abut_world *world, abut_body_id id, abut_cell_node *nodes) {
    int32_t count;
    assert_ok(abut_world_cell_nodes(world, id, nodes, MOST_NODES, &count));
    return count;
}

/* Momentum and angular momentum about the origin of a cell. */
typedef struct momenta {
    abut_vec3 linear, angular;
} momenta;

static momenta momenta_of(const abut_world *world, abut_body_id id) {
    static abut_cell_node nodes[MOST_NODES];
    momenta sum = {{0, 0, 0}, {0, 0, 0}};
    int32_t count = nodes_of(world, id, nodes);
    for (int32_t i = 0; i < count; ++i) {
        abut_vec3 p = abut_scale(nodes[i].mass, nodes[i].velocity);
        sum.linear = abut_add(sum.linear, p);
        sum.angular = abut_add(sum.angular, abut_cross(nodes[i].position, p));
    }
    return sum;
}

static double mean_radius(const abut_world *world, abut_body_id id) {
    static abut_cell_node nodes[MOST_NODES];
    abut_vec3 centre = state_of(world, id).pose.position;
    int32_t count = nodes_of(world, id, nodes);
    double sum = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        sum += abut_length(abut_sub(nodes[i].position, centre));
    }
    return sum / count;
}

static double energy_of(const abut_step_report *r) { return r->kinetic_energy + r->dem.elastic_energy + r->dem.spring_energy; }

/* ---- alone ---- */

/* At rest the forces have no virial: the sum of force times length of all springs is 3 p V, on any mesh. So the tension is 3 p V / (2 A), which is p R / 2 for
 * a sphere: Laplace's law. */
static void test_laplace(void **state) {
    (void)state;
    for (int level = 1; level <= 2; ++level) {
        abut_world *world = make_world(1);
        abut_cell_def def = cortex(100.0);
        def.rest_ratio = 0.5;
        def.pressure = 150.0;
        def.bulk_modulus = 300.0;
        def.damping = 2.0;
        abut_body_def body = soft_body(abut_vec3_make(3, -2, 1));
        body.angular_damping = 3.0;
        abut_body_id id = put_cell(world, level, &body, &def);
        abut_step_report r;
        do {
            assert_ok(abut_world_step(world, 0.25, &r));
        } while (r.kinetic_energy > 1e-18);
        abut_cell_state s = cell_state(world, id);
        double radius = mean_radius(world, id), laplace = 2.0 * s.tension / radius;
        if (getenv("SHOW")) {
            printf("level %d: radius %.6f volume %.6f pressure %.9f, 2 T / R %.9f (%.2e)\n", level, radius, s.volume, s.pressure, laplace,
                   laplace / s.pressure - 1.0);
        }
        static abut_cell_node nodes[MOST_NODES];
        assert_int_equal(nodes_of(world, id, nodes), s.nodes);
        /* An independent sum over the sides of all triangles, each of which is counted twice; the springs are half as long as the sides were. */
        abut_shape *ball = facet_body_meshed_ball(level, 1.0);
        double stretched = 0.0, area = 0.0;
        for (int32_t t = 0; t < abut_shape_triangle_count(ball); ++t) {
            abut_triangle triangle;
            assert_ok(abut_shape_triangle(ball, t, &triangle));
            abut_vec3 p[3];
            for (int k = 0; k < 3; ++k) {
                p[k] = nodes[triangle.vertex[k]].position;
            }
            for (int k = 0; k < 3; ++k) {
                double was = abut_length(abut_sub(triangle.corner[(k + 1) % 3], triangle.corner[k])),
                       is = abut_length(abut_sub(p[(k + 1) % 3], p[k]));
                stretched += 0.5 * 100.0 * (is - 0.5 * was) * is;
            }
            area += 0.5 * abut_length(abut_cross(abut_sub(p[1], p[0]), abut_sub(p[2], p[0])));
        }
        abut_shape_release(ball);
        assert_near(stretched, 3.0 * s.pressure * s.volume, 1e-6 * stretched);
        assert_near(s.tension, 0.5 * stretched / area, 1e-12 * s.tension);
        assert_near(laplace, s.pressure, (level == 1 ? 0.08 : 0.03) * s.pressure);
        abut_world_destroy(world);
    }
}

/* All nodes of an icosahedron move alike, along their radii: M x'' = -30 k c (c x - l) + p(V) dV/dx with the edge c x, V = v x^3. The period of small
 * oscillations follows from the derivative at rest. */
static void breathe(double size) {
    const double k = 50.0, c = 1.0 / sin(0.4 * PI), v = 5.0 / 12.0 * (3.0 + sqrt(5.0)) * c * c * c, p0 = 20.0, bulk = 40.0,
                 amplitude = 1e-7;
    /* The springs are so long that the icosahedron of the radius 1 is at rest: 30 k c (c - l) = 3 p0 v. */
    const double rest = c - 3.0 * p0 * v / (30.0 * k * c);
    abut_world *world = make_world(1);
    abut_cell_def def = cortex(k);
    def.rest_ratio = (rest + amplitude) / c;
    def.pressure = p0 / size;
    def.bulk_modulus = bulk / size;
    abut_body_def body = soft_body(abut_vec3_make(0, 0, 0));
    body.material.young /= size;
    abut_body_id id = put_as(world, body, facet_body_meshed_ball(0, size));
    assert_ok(abut_world_make_cell(world, id, &def));
    /* d/dx (p 3 v x^2) at x = 1 with p = p0 + bulk (1 - x^3) */
    const double square = 30.0 * k * c * c - (6.0 * v * p0 - 9.0 * v * bulk), period = 2.0 * PI / sqrt(square);
    const double dt = period / 256.0;
    double before = 0.0, last = 0.0, first_crossing = 0.0;
    int crossings = 0;
    abut_cell_state s = cell_state(world, id);
    assert_near(s.pressure * size, p0, 1e-12);
    assert_near(s.volume / (size * size * size), v, 1e-12);
    for (int i = 1; crossings < 9; ++i) {
        assert_ok(abut_world_step(world, dt, NULL));
        abut_cell_node nodes[12];
        int32_t count;
        assert_ok(abut_world_cell_nodes(world, id, nodes, 12, &count));
        double speed = abut_dot(nodes[3].velocity, abut_unit(nodes[3].position));
        if (i > 1 && (speed > 0.0) != (before > 0.0)) {
            last = dt * (i - 1 + before / (before - speed));
            first_crossing = crossings++ == 0 ? last : first_crossing;
        }
        before = speed;
    }
    double found = (last - first_crossing) / 4.0;
    if (getenv("SHOW")) {
        printf("size %g: period %.9f, closed form %.9f: %.2e\n", size, found, period, found / period - 1.0);
    }
    assert_near(found, period, 4e-5 * period);
    assert_near(state_of(world, id).motion.linear.x, 0.0, 1e-15 * size);
    abut_world_destroy(world);
}

static void test_breathing(void **state) {
    (void)state;
    breathe(1.0);
    breathe(1e-6);
    breathe(1e6);
}

/* A cell that turns, flies and oscillates: momentum and angular momentum to rounding, and energy to the square of the step. */
static void test_floating(void **state) {
    (void)state;
    double worst[2] = {0.0, 0.0};
    for (int fine = 0; fine < 2; ++fine) {
        abut_world_def world_def = abut_world_def_default();
        world_def.stepper = ABUT_STEPPER_DEM;
        world_def.gravity = abut_vec3_make(0, 0, 0);
        world_def.dem.step = fine ? 5e-4 : 1e-3;
        abut_world *world = open_world(world_def);
        abut_cell_def def = cortex(30.0);
        def.rest_ratio = 0.9;
        def.bulk_modulus = 20.0;
        abut_body_def body = soft_body(abut_vec3_make(1, 2, 3));
        body.motion = (abut_motion){{0.5, -0.25, 1.0}, {1.0, 2.0, -1.5}};
        abut_body_id id = put_cell(world, 1, &body, &def);
        momenta m = momenta_of(world, id);
        abut_step_report r;
        assert_ok(abut_world_report(world, &r));
        double begin = energy_of(&r);
        for (int i = 0; i < 100; ++i) {
            assert_ok(abut_world_step(world, 0.02, &r));
            worst[fine] = fmax(worst[fine], fabs(energy_of(&r) / begin - 1.0));
        }
        momenta now = momenta_of(world, id);
        assert_vec3_near(now.linear, m.linear, 1e-12);
        assert_vec3_near(now.angular, m.angular, 1e-11);
        abut_body_state s = state_of(world, id);
        assert_vec3_near(s.motion.linear, body.motion.linear, 1e-12);
        assert_ok(abut_world_report(world, &r));
        assert_near(energy_of(&r), begin, worst[fine] * begin * 1.0001);
        abut_world_destroy(world);
    }
    if (getenv("SHOW")) {
        printf("energy off by %.2e, with half the step %.2e\n", worst[0], worst[1]);
    }
    assert_true(worst[0] < 1e-3 && worst[1] < 0.3 * worst[0]);
}

/* ---- contacts ---- */

/* Two cells that strike each other off centre, and a rigid ball: all momenta are kept, with damping and friction, too. */
static void test_collision(void **state) {
    (void)state;
    abut_world *world = make_world(1);
    abut_cell_def def = cortex(300.0);
    def.bulk_modulus = 200.0;
    def.damping = 0.3;
    abut_body_def body = soft_body(abut_vec3_make(0, 0, 0));
    body.friction = 0.6;
    body.restitution = 0.3;
    body.motion.angular = abut_vec3_make(0, 0, 4);
    abut_body_id ids[3];
    ids[0] = put_cell(world, 2, &body, &def);
    body.pose.position = abut_vec3_make(2.05, 0.4, 0.3);
    body.motion = (abut_motion){{-3, 0, 0}, {0, 1, 0}};
    ids[1] = put_cell(world, 1, &body, &def);
    body.pose.position = abut_vec3_make(-0.5, 0.3, 1.6);
    body.motion.linear = abut_vec3_make(0, 0, -2);
    ids[2] = put_as(world, body, sphere(0.5));
    double touched = 0.0;
    momenta before = {{0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i <= 60; ++i) {
        momenta sum = {{0, 0, 0}, {0, 0, 0}};
        for (int k = 0; k < 2; ++k) {
            momenta m = momenta_of(world, ids[k]);
            sum.linear = abut_add(sum.linear, m.linear);
            sum.angular = abut_add(sum.angular, m.angular);
        }
        abut_body_state s = state_of(world, ids[2]);
        sum.linear = abut_add(sum.linear, s.motion.linear);
        sum.angular = abut_add(sum.angular, abut_cross(s.pose.position, s.motion.linear));
        sum.angular = abut_add(sum.angular, abut_scale(0.4 * 0.25, s.motion.angular));
        if (i == 0) {
            before = sum;
        }
        assert_vec3_near(sum.linear, before.linear, 1e-12);
        assert_vec3_near(sum.angular, before.angular, 1e-11);
        abut_step_report r;
        assert_ok(abut_world_step(world, 0.01, &r));
        touched += r.touching;
    }
    assert_true(touched > 20);
    assert_true(abut_length(abut_sub(state_of(world, ids[1]).motion.linear, abut_vec3_make(-3, 0, 0))) > 0.5);
    abut_world_destroy(world);
}

/* A cell that bounces off the floor without dampers keeps its energy, the better the finer the mesh: contacts do the work that their energy says. With dampers
 * the report says what they take. */
static void test_bounce(void **state) {
    (void)state;
    double off[3];
    for (int k = 0; k < 3; ++k) {
        abut_world *world = make_world(1);
        abut_cell_def def = cortex(300.0);
        def.bulk_modulus = 300.0;
        abut_body_def body = soft_body(abut_vec3_make(0, 0, 1.02));
        body.restitution = k < 2 ? 1.0 : 0.3;
        body.motion.linear = abut_vec3_make(0, 0, -2);
        abut_body_id id = put_cell(world, k == 0 ? 1 : 2, &body, &def);
        abut_body_def floor = soft_body(abut_vec3_make(0, 0, 0));
        floor.kind = ABUT_BODY_STATIC;
        floor.restitution = body.restitution;
        (void)put_as(world, floor, plane(abut_vec3_make(0, 0, 1), 0.0));
        double lost = 0.0;
        abut_step_report r;
        for (int i = 0; i < 30; ++i) {
            assert_ok(abut_world_step(world, 0.02, &r));
            lost += r.dem.damping_work;
        }
        assert_int_equal(r.touching, 0);
        off[k] = (energy_of(&r) + lost) / 2.0 - 1.0;
        if (getenv("SHOW")) {
            printf("bounced: energy off by %.2e, lost %.4f of 2\n", off[k], lost);
        }
        assert_true(state_of(world, id).motion.linear.z > 1.0);
        assert_true(k < 2 ? lost == 0.0 : lost > 0.1);
        abut_world_destroy(world);
    }
    assert_true(fabs(off[0]) < 0.1 && fabs(off[1]) < 0.03 && fabs(off[2]) < 0.05);
}

/* A cell that grows against two plates while its centre is at rest: its surface moves, and the dampers of its contacts feel it. */
static void test_surface_velocity(void **state) {
    (void)state;
    abut_world *world = make_world(1);
    abut_cell_def def = cortex(300.0);
    def.rest_ratio = 1.05;
    abut_body_def body = soft_body(abut_vec3_make(0, 0, 0));
    body.restitution = 0.2;
    abut_body_id id = put_cell(world, 1, &body, &def);
    body.kind = ABUT_BODY_STATIC;
    for (int k = 0; k < 2; ++k) {
        body.pose.position = abut_vec3_make(0, 0, k == 0 ? -1.01 : 1.01);
        (void)put_as(world, body, plane(abut_vec3_make(0, 0, k == 0 ? 1 : -1), 0.0));
    }
    abut_step_report r;
    assert_ok(abut_world_report(world, &r));
    double begin = energy_of(&r), lost = 0.0;
    for (int i = 0; i < 20; ++i) {
        assert_ok(abut_world_step(world, 0.01, &r));
        lost += r.dem.damping_work;
        assert_true(abut_length(state_of(world, id).motion.linear) < 1e-9);
    }
    if (getenv("SHOW")) {
        printf("growing: lost %.4f of %.4f, off by %.2e\n", lost, begin, (energy_of(&r) + lost) / begin - 1.0);
    }
    assert_true(lost > 0.03 * begin);
    assert_near(energy_of(&r) + lost, begin, 0.05 * begin);
    abut_world_destroy(world);
}

/* Two cells that touch stick to each other by Maugis's law and come to rest, and a force below the pull-off force does not part them. Their
 * energy does not grow. */
static void test_adhering(void **state) {
    (void)state;
    abut_world *world = make_world(1);
    abut_cell_def def = cortex(100.0);
    def.bulk_modulus = 100.0;
    def.damping = 1.0;
    abut_body_def body = soft_body(abut_vec3_make(0, 0, 0));
    body.restitution = 0.2;
    body.angular_damping = 5.0;
    body.adhesion_work = 2.0;
    body.adhesion_strength = 100.0;
    abut_body_id ids[2];
    ids[0] = put_cell(world, 1, &body, &def);
    body.pose.position = abut_vec3_make(1.97, 0.1, 0.05);
    ids[1] = put_cell(world, 1, &body, &def);
    abut_step_report r;
    assert_ok(abut_world_step(world, 1e-6, &r));
    double begin = energy_of(&r), area[2] = {0.0, 0.0}, most = begin;
    for (int i = 0; i < 12; ++i) {
        assert_ok(abut_world_step(world, 0.05, &r));
        most = fmax(most, energy_of(&r));
        const abut_world_contact *contacts;
        int32_t count;
        assert_ok(abut_world_contacts(world, &contacts, &count));
        area[1] = 0.0;
        for (int32_t k = 0; k < count; ++k) {
            area[1] += contacts[k].contact.area;
        }
        area[0] = i == 0 ? area[1] : area[0];
    }
    double apart = state_of(world, ids[1]).pose.position.x - state_of(world, ids[0]).pose.position.x;
    if (getenv("SHOW")) {
        printf("adhering: area %.4f after 0.05 s, %.4f at rest; centres %.4f apart, energy from %.4f to %.4f, %.2e above the first\n",
               area[0], area[1], apart, begin, energy_of(&r), most - begin);
    }
    assert_true(area[1] > 0.03 && apart < 2.0 && r.kinetic_energy < 1e-3);
    assert_true(most <= begin + 1e-9 && energy_of(&r) < 0.0);
    assert_vec3_near(abut_add(momenta_of(world, ids[0]).linear, momenta_of(world, ids[1]).linear), abut_vec3_make(0, 0, 0), 1e-12);
    for (int i = 0; i < 6; ++i) { /* the pull-off force of balls of the radius 1 is between 2 and 3/2 of pi w R = 3.1 */
        for (int k = 0; k < 2; ++k) {
            assert_ok(
                abut_world_apply_force(world, ids[k], abut_vec3_make(k == 0 ? -1.5 : 1.5, 0, 0), state_of(world, ids[k]).pose.position));
        }
        assert_ok(abut_world_step(world, 0.05, &r));
    }
    assert_int_equal(r.touching, 1);
    abut_world_destroy(world);
}

/* A cell between two plates that come together and part again: the forces of both are equal, the cell is flattened, and becomes round again. */
static void test_pressed(void **state) {
    (void)state;
    abut_world *world = make_world(1);
    abut_cell_def def = cortex(100.0);
    def.pressure = 20.0;
    def.bulk_modulus = 500.0;
    def.damping = 4.0;
    def.rest_ratio = 0.95;
    abut_body_def body = soft_body(abut_vec3_make(0, 0, 0));
    body.restitution = 0.1;
    body.linear_damping = body.angular_damping = 4.0;
    abut_body_id id = put_cell(world, 1, &body, &def);
    for (int i = 0; i < 40; ++i) {
        assert_ok(abut_world_step(world, 0.05, NULL));
    }
    static abut_cell_node round[MOST_NODES], flat[MOST_NODES], again[MOST_NODES];
    nodes_of(world, id, round);
    double radius = mean_radius(world, id), volume = cell_state(world, id).volume;
    abut_body_def plate = abut_body_def_default();
    plate.kind = ABUT_BODY_KINEMATIC;
    plate.friction = 0.0;
    plate.restitution = 0.1;
    plate.material = body.material;
    plate.pose.position = abut_vec3_make(0, 0, -1.1);
    abut_body_id plates[2];
    plates[0] = put_as(world, plate, plane(abut_vec3_make(0, 0, 1), 0.0));
    plate.pose.position = abut_vec3_make(0, 0, 1.1);
    plates[1] = put_as(world, plate, plane(abut_vec3_make(0, 0, -1), 0.0));
    for (int phase = 0; phase < 4; ++phase) { /* in, hold, out, hold */
        for (int k = 0; k < 2; ++k) {
            double speed = phase == 0 ? 0.4 : phase == 2 ? -0.4 : 0.0;
            assert_ok(abut_world_set_body_motion(world, plates[k], (abut_motion){{0, 0, k == 0 ? speed : -speed}, {0, 0, 0}}));
        }
        for (int i = 0; i < (phase % 2 == 0 ? 20 : 60); ++i) {
            assert_ok(abut_world_step(world, 0.05, NULL));
        }
        if (phase == 1) {
            const abut_world_contact *contacts;
            int32_t count;
            double force[2] = {0.0, 0.0};
            assert_ok(abut_world_contacts(world, &contacts, &count));
            for (int32_t i = 0; i < count; ++i) {
                bool upper = contacts[i].a.index == plates[1].index || contacts[i].b.index == plates[1].index;
                force[upper] += contacts[i].normal_force;
            }
            int32_t nodes = nodes_of(world, id, flat);
            double high = 0.0, wide = 0.0;
            for (int32_t i = 0; i < nodes; ++i) {
                high = fmax(high, fabs(flat[i].position.z));
                wide = fmax(wide, hypot(flat[i].position.x, flat[i].position.y));
            }
            if (getenv("SHOW")) {
                printf("pressed: forces %.6f %.6f, half height %.4f of %.4f, width %.4f, volume %.4f of %.4f\n", force[0], force[1], high,
                       radius, wide, cell_state(world, id).volume, volume);
            }
            assert_true(force[0] > 1.0);
            assert_near(force[0], force[1], 1e-3 * force[0]);
            assert_true(high < 0.85 * radius && wide > 1.05 * radius);
        }
    }
    int32_t count = nodes_of(world, id, again);
    double off = 0.0;
    abut_vec3 shift = abut_sub(state_of(world, id).pose.position, abut_vec3_make(0, 0, 0));
    for (int32_t i = 0; i < count; ++i) {
        off = fmax(off, abut_length(abut_sub(abut_sub(again[i].position, shift), round[i].position)));
    }
    if (getenv("SHOW")) {
        printf("round again: off by %.2e\n", off);
    }
    assert_true(off < 1e-3);
    abut_world_destroy(world);
}

/* ---- threads, saved states ---- */

static abut_world *make_heap(int32_t threads, abut_body_id ids[4]) {
    abut_world_def world_def = abut_world_def_default();
    world_def.stepper = ABUT_STEPPER_DEM;
    world_def.dem.step_share = 0.5;
    world_def.parallel.threads = threads;
    abut_world *world = open_world(world_def);
    abut_cell_def def = cortex(300.0);
    def.bulk_modulus = 300.0;
    def.damping = 1.0;
    for (int i = 0; i < 4; ++i) {
        abut_body_def body = soft_body(abut_vec3_make(0.3 * (i % 2), 0.2 * (i / 2), 1.05 + 2.1 * i));
        body.friction = 0.5;
        body.restitution = 0.2;
        body.motion.angular = abut_vec3_make(0, i, 1);
        ids[i] = put_as(world, body, i == 2 ? sphere(0.8) : facet_body_meshed_ball(1, 1.0));
        if (i != 2) {
            assert_ok(abut_world_make_cell(world, ids[i], &def));
        }
    }
    abut_body_def floor = abut_body_def_default();
    floor.kind = ABUT_BODY_STATIC;
    floor.material.young = 1e4;
    (void)put_as(world, floor, plane(abut_vec3_make(0, 0, 1), 0.0));
    return world;
}

static void assert_same(const abut_world *a, const abut_world *b, const abut_body_id ids[4]) {
    static abut_cell_node p[MOST_NODES], q[MOST_NODES];
    assert_true(abut_world_hash(a) == abut_world_hash(b));
    for (int i = 0; i < 4; ++i) {
        int32_t count;
        if (i != 2) {
            count = nodes_of(a, ids[i], p);
            assert_int_equal(nodes_of(b, ids[i], q), count);
            assert_memory_equal(p, q, (size_t)count * sizeof *p);
        }
    }
}

/* The same bits for any number of threads, and after a saved state was restored into a new world or one that has gone on. */
static void test_threads_and_saved_states(void **state) {
    (void)state;
    abut_body_id ids[4];
    abut_world *worlds[3] = {make_heap(1, ids), make_heap(4, ids), make_heap(1, ids)};
    for (int i = 0; i < 24; ++i) {
        if (i == 12) { /* an impulse, and a new pose and motion, before the state is saved */
            for (int k = 0; k < 2; ++k) {
                assert_ok(abut_world_apply_impulse(worlds[k], ids[0], abut_vec3_make(0.1, 0.2, 0), abut_vec3_make(0, 0, 2)));
                abut_pose pose = turned(state_of(worlds[k], ids[3]).pose, abut_vec3_make(1, 2, 3), 0.4);
                assert_ok(abut_world_set_body_pose(worlds[k], ids[3], pose));
                assert_ok(abut_world_set_body_motion(worlds[k], ids[3], (abut_motion){{0.5, 0, 0}, {0, 0, 1}}));
            }
        }
        if (i == 6 || i == 12) {
            size_t size = 0;
            assert_int_equal(abut_world_save(worlds[0], NULL, 0, &size), ABUT_ERROR_CAPACITY);
            unsigned char *saved = malloc(size);
            assert_non_null(saved);
            assert_ok(abut_world_save(worlds[0], saved, size, &size));
            if (i == 6) { /* a world that has never made a step */
                abut_world_destroy(worlds[2]);
                worlds[2] = make_heap(1, ids);
            }
            assert_ok(abut_world_restore(worlds[2], saved, size));
            assert_same(worlds[0], worlds[2], ids);
            for (size_t k = size - 9; k > 64; k -= 1 + k / 7) { /* a damaged state changes nothing */
                saved[k] ^= 0x55;
                assert_true(abut_world_restore(worlds[2], saved, size) != ABUT_OK);
                saved[k] ^= 0x55;
            }
            free(saved);
        }
        for (int k = 0; k < 3; ++k) {
            assert_ok(abut_world_step(worlds[k], 0.05, NULL));
        }
        assert_same(worlds[0], worlds[1], ids);
        if (i >= 6) {
            assert_same(worlds[0], worlds[2], ids);
        }
    }
    abut_body_id other[4];
    abut_world *plain = make_heap(1, other);
    assert_ok(abut_world_remove_body(plain, other[0]));
    size_t size = 0;
    assert_int_equal(abut_world_save(worlds[0], NULL, 0, &size), ABUT_ERROR_CAPACITY);
    unsigned char *saved = malloc(size);
    assert_non_null(saved);
    assert_ok(abut_world_save(worlds[0], saved, size, &size));
    assert_int_equal(abut_world_restore(plain, saved, size), ABUT_ERROR_FOREIGN);
    free(saved);
    abut_world_destroy(plain);
    for (int i = 0; i < 3; ++i) {
        abut_world_destroy(worlds[i]);
    }
}

/* ---- what is refused ---- */

static void test_refused(void **state) {
    (void)state;
    abut_world *world = make_world(1);
    abut_cell_def def = cortex(100.0);
    abut_body_def body = soft_body(abut_vec3_make(0, 0, 0));
    abut_body_id ball = put_as(world, body, sphere(1.0)), id = put_cell(world, 0, &body, &def);
    assert_int_equal(abut_world_make_cell(world, ball, &def), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_world_make_cell(world, id, &def), ABUT_ERROR_INVALID_ARGUMENT);
    abut_cell_state s;
    assert_int_equal(abut_world_cell_state(world, ball, &s), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_world_set_body_mass(world, id, 2.0), ABUT_ERROR_UNSUPPORTED);
    abut_shape *shape = facet_body_meshed_ball(0, 1.0);
    assert_int_equal(abut_world_set_body_shape(world, id, shape), ABUT_ERROR_UNSUPPORTED);
    body.shape = shape;
    body.kind = ABUT_BODY_KINEMATIC;
    abut_body_id moved = put_shared(world, body);
    assert_int_equal(abut_world_make_cell(world, moved, &def), ABUT_ERROR_INVALID_ARGUMENT);
    body.kind = ABUT_BODY_DYNAMIC;
    abut_body_id other = put_shared(world, body);
    const double bad[] = {0.0, -1.0, NAN, INFINITY, 1e308};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        def.stiffness = bad[i];
        assert_true(abut_world_make_cell(world, other, &def) != ABUT_OK);
    }
    def = cortex(1.0);
    double *numbers[] = {&def.damping, &def.rest_ratio, &def.pressure, &def.bulk_modulus};
    for (size_t i = 0; i < 4; ++i) {
        const double good = *numbers[i];
        *numbers[i] = NAN;
        assert_int_equal(abut_world_make_cell(world, other, &def), ABUT_ERROR_NOT_FINITE);
        *numbers[i] = -1.0;
        if (i != 2) { /* a pressure may have any sign */
            assert_int_equal(abut_world_make_cell(world, other, &def), ABUT_ERROR_INVALID_ARGUMENT);
        }
        *numbers[i] = good;
    }
    abut_cell_node nodes[3];
    int32_t count = 0;
    assert_int_equal(abut_world_cell_nodes(world, id, nodes, 3, &count), ABUT_ERROR_CAPACITY);
    assert_int_equal(count, 12);
    abut_world *fixed = world_of(ABUT_STEPPER_FIXED);
    abut_body_id resting = put_shared(fixed, body);
    assert_int_equal(abut_world_make_cell(fixed, resting, &def), ABUT_ERROR_UNSUPPORTED);
    abut_world_destroy(fixed);
    abut_shape_release(shape);
    assert_ok(abut_world_remove_body(world, id));
    assert_int_equal(abut_world_make_cell(world, id, &def), ABUT_ERROR_STALE_ID);
    abut_world_destroy(world);
}

/* Nodes that were put somewhere, with velocities: the body has their centre and momentum, and the state their volume and energy. */
static void test_placed_nodes(void **state) {
    (void)state;
    abut_world *world = make_world(1);
    abut_cell_def def = cortex(10.0);
    abut_body_def body = soft_body(abut_vec3_make(1, 2, 3));
    abut_body_id id = put_cell(world, 1, &body, &def);
    static abut_cell_node nodes[MOST_NODES], read[MOST_NODES];
    int32_t count = nodes_of(world, id, nodes);
    double volume = cell_state(world, id).volume, kinetic = 0.0;
    for (int32_t i = 0; i < count; ++i) { /* twice as large, elsewhere, moving along x and breathing */
        abut_vec3 arm = abut_scale(2.0, abut_sub(nodes[i].position, body.pose.position));
        nodes[i].position = abut_add(abut_vec3_make(-5, 0, 1), arm);
        nodes[i].velocity = abut_add(abut_vec3_make(3, 0, 0), abut_scale(0.5, arm));
        kinetic += 0.5 * nodes[i].mass * abut_length_squared(nodes[i].velocity);
    }
    assert_ok(abut_world_set_cell_nodes(world, id, nodes, count));
    abut_step_report r;
    assert_ok(abut_world_report(world, &r));
    assert_near(r.kinetic_energy, kinetic, 1e-12 * kinetic);
    assert_near(cell_state(world, id).kinetic_energy, kinetic - 4.5, 1e-11);
    assert_near(cell_state(world, id).volume, 8.0 * volume, 1e-12 * volume);
    assert_vec3_near(state_of(world, id).motion.linear, abut_vec3_make(3, 0, 0), 1e-13);
    assert_vec3_near(state_of(world, id).motion.angular, abut_vec3_make(0, 0, 0), 1e-13);
    assert_vec3_near(state_of(world, id).pose.position, abut_vec3_make(-5, 0, 1), 1e-12);
    assert_int_equal(nodes_of(world, id, read), count);
    assert_memory_equal(read, nodes, (size_t)count * sizeof *read);
    assert_ok(abut_world_step(world, 1e-3, NULL));
    abut_world_destroy(world);
}

/* A step that is given is refused when it is longer than what the cell needs; the default one is chosen. */
static void test_steps(void **state) {
    (void)state;
    for (int k = 0; k < 3; ++k) {
        abut_world_def world_def = abut_world_def_default();
        world_def.stepper = ABUT_STEPPER_DEM;
        world_def.gravity = abut_vec3_make(0, 0, 0);
        world_def.dem.step = k == 0 ? 0.0 : k == 1 ? 0.001 : 0.02;
        abut_world *world = open_world(world_def);
        abut_cell_def def = cortex(1000.0);
        def.rest_ratio = 0.99;
        abut_body_def body = soft_body(abut_vec3_make(0, 0, 0));
        (void)put_cell(world, 1, &body, &def);
        abut_status status = ABUT_OK;
        abut_step_report r = {.step = 0};
        for (int i = 0; i < 20 && status == ABUT_OK; ++i) {
            status = abut_world_step(world, 0.02, &r);
        }
        assert_int_equal(status, k < 2 ? ABUT_OK : ABUT_ERROR_INVALID_ARGUMENT);
        if (status == ABUT_OK) {
            double all = energy_of(&r);
            assert_true(all < 10.0 && all > 0.01);
        }
        abut_world_destroy(world);
    }
}

/* A pressure from outside that springs cannot bear: the step that turns the surface inside out fails, and leaves the world as it was. */
static void test_folded(void **state) {
    (void)state;
    abut_world *world = make_world(2);
    abut_cell_def def = cortex(1.0);
    def.pressure = -1000.0;
    abut_body_def body = soft_body(abut_vec3_make(0, 0, 0));
    (void)put_cell(world, 1, &body, &def);
    abut_status status = ABUT_OK;
    uint64_t before = 0;
    for (int i = 0; i < 200 && status == ABUT_OK; ++i) {
        before = abut_world_hash(world);
        status = abut_world_step(world, 1e-3, NULL);
    }
    assert_true(status == ABUT_ERROR_NOT_OUTWARD || status == ABUT_ERROR_DEGENERATE);
    assert_true(abut_world_hash(world) == before);
    abut_world_destroy(world);
}

/* Making a cell, a step of two cells that touch, and restoring them, with every request for memory refused in turn: the world is as it was. */
static void test_memory(void **state) {
    (void)state;
    int32_t refusals = 0;
    abut_world *world = make_world(1);
    abut_body_def body = soft_body(abut_vec3_make(0, 0, 0));
    abut_cell_def def = cortex(50.0);
    abut_body_id ids[2];
    for (int i = 0; i < 2; ++i) {
        body.pose.position.x = 1.95 * i;
        ids[i] = put_as(world, body, facet_body_meshed_ball(0, 1.0));
    }
    static counting_allocator memory;
    abut_status status;
    for (int i = 0; i < 2; ++i) {
        int64_t at = 0;
        do {
            memory = (counting_allocator){.refuse_at = at++};
            counting_allocator_install(&memory);
            status = abut_world_make_cell(world, ids[i], &def);
            counting_allocator_remove();
            assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
        } while (memory.refused);
        refusals += (int32_t)at - 1;
    }
    unsigned char *saved = NULL;
    size_t size = 0;
    static abut_cell_node nodes[MOST_NODES];
    int32_t count = nodes_of(world, ids[0], nodes);
    for (int call = 0; call < 4; ++call) { /* the first step, another one, restoring what was before it, and putting nodes where they are */
        const uint64_t before = abut_world_hash(world);
        if (call == 1) {
            assert_status(abut_world_save(world, NULL, 0, &size), ABUT_ERROR_CAPACITY);
            saved = check_memory(size, 1);
            assert_ok(abut_world_save(world, saved, size, &size));
        }
        int64_t at = 0;
        do {
            memory = (counting_allocator){.refuse_at = at++};
            counting_allocator_install(&memory);
            status = call < 2    ? abut_world_step(world, 1e-3, NULL)
                     : call == 2 ? abut_world_restore(world, saved, size)
                                 : abut_world_set_cell_nodes(world, ids[0], nodes, count);
            counting_allocator_remove();
            assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
            assert_true(!memory.refused || abut_world_hash(world) == before);
        } while (memory.refused);
        refusals += (int32_t)at - 1;
    }
    free(saved);
    assert_ok(abut_world_step(world, 1e-3, NULL));
    assert_true(refusals > 60);
    abut_world_destroy(world);
}

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_laplace),  cmocka_unit_test(test_breathing),
        cmocka_unit_test(test_floating), cmocka_unit_test(test_collision),
        cmocka_unit_test(test_bounce),   cmocka_unit_test(test_surface_velocity),
        cmocka_unit_test(test_pressed),  cmocka_unit_test(test_threads_and_saved_states),
        cmocka_unit_test(test_refused),  cmocka_unit_test(test_steps),
        cmocka_unit_test(test_memory),   cmocka_unit_test(test_adhering),
        cmocka_unit_test(test_folded),   cmocka_unit_test(test_placed_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
