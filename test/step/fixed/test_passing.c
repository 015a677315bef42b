/*
 * Nothing passes through bodies that do not yield: random shots of all sizes, speeds and spins at plates, boxes, meshes and corners. The oracle is the sign of
 * the height of the body's centre over the surface. The energy stays below that of the shot.
 */
#include <abut/abut.h>

#include <stdio.h>

#include "support/check.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/shapes.h"
#include "support/threads.h"

typedef enum target { PLANE, PLATE, THIN_BOX, CLOSED_MESH, OPEN_MESH, FIELD, CORNER, LIFT, TARGETS, WALL = TARGETS, ALL_TARGETS } target;

static const char *const target_names[ALL_TARGETS] = {"plane",        "plate",  "thin box", "closed mesh",   "open mesh",
                                                      "height field", "corner", "lift",     "floor and wall"};

enum { KINDS = 7, MESH_KINDS = 6, ALL_KINDS = KINDS + MESH_KINDS };
static const char *const kind_names[ALL_KINDS] = {"sphere",   "capsule",  "box",         "hull", "ellipsoid", "cylinder", "bar",
                                                  "box mesh", "fine box", "sphere mesh", "star", "L",         "ring"};

/* Of the energy over that of the shot: rounding errors of shots that end at rest on a surface that does not yield. */
static const double most_growth = 1e-7;

static const double wide = 2e4; /* half the sides of the targets: farther than any shot gets */

/* ---- bodies ---- */

static abut_shape *hull(random_state *random, double size) {
    abut_vec3 points[20];
    for (int i = 0; i < 20; i++) {
        points[i] = abut_scale(0.5 * size, random_direction(random));
    }
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_hull(points, 20, &shape));
    return shape;
}

/* A surface around the origin. least: of the distances of its vertices, relative to half the size; 1 for vertices on a sphere */
static abut_shape *round_mesh(random_state *random, double size, double least) {
    enum { AROUND = 24, ACROSS = 16 };
    abut_vec3 vertices[AROUND * ACROSS + 2];
    int32_t triangles[6 * AROUND * ACROSS], made = 0, around = 3 + random_below(random, AROUND - 2),
                                            across = 3 + random_below(random, ACROSS - 2);
    int32_t top = around * (across - 1), bottom = top + 1;
    for (int32_t i = 0; i <= bottom; i++) {
        double tilt = 3.141592653589793 * (i / around + 1) / across, turn = 6.283185307179586 * (i % around) / around;
        abut_vec3 way = {sin(tilt) * cos(turn), sin(tilt) * sin(turn), cos(tilt)};
        way = i < top ? way : abut_vec3_make(0, 0, i == top ? 1 : -1);
        vertices[i] = abut_scale(0.5 * size * (least < 1.0 ? random_range(random, least, 1.0) : 1.0), way);
    }
    for (int32_t i = 0; i < top; i++) {
        int32_t next = i % around == around - 1 ? i + 1 - around : i + 1;
        bool last = i + around >= top;
        const int32_t below[6] = {i, i + around, next, next, i + around, next + around}, end[3] = {i, bottom, next},
                      cap[3] = {top, i, next};
        for (int c = 0; c < (last ? 3 : 6); c++) {
            triangles[made++] = last ? end[c] : below[c];
        }
        for (int c = 0; c < 3 && i < around; c++) {
            triangles[made++] = cap[c];
        }
    }
    return meshes_make(vertices, bottom + 1, triangles, made / 3);
}

/* Two arms, `thick` relative to their length. */
static abut_shape *angle_mesh(double size, double thick, double deep) {
    const double t = thick, outline[6][2] = {{0, 0}, {1, 0}, {1, t}, {t, t}, {t, 1}, {0, 1}};
    const int32_t flat[12] = {0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5};
    abut_vec3 vertices[12];
    int32_t triangles[60], made = 0;
    for (int i = 0; i < 12; i++) {
        vertices[i] = abut_vec3_make(size * (outline[i % 6][0] - 0.5), size * (outline[i % 6][1] - 0.5), i < 6 ? 0.0 : deep * size);
    }
    for (int i = 0; i < 12; i += 3) {
        const int32_t ends[6] = {flat[i], flat[i + 2], flat[i + 1], 6 + flat[i], 6 + flat[i + 1], 6 + flat[i + 2]};
        for (int c = 0; c < 6; c++) {
            triangles[made++] = ends[c];
        }
    }
    for (int32_t i = 0; i < 6; i++) {
        const int32_t next = (i + 1) % 6, side[6] = {i, next, 6 + next, i, 6 + next, 6 + i};
        for (int c = 0; c < 6; c++) {
            triangles[made++] = side[c];
        }
    }
    return meshes_make(vertices, 12, triangles, made / 3);
}

static abut_shape *mesh_of(random_state *random, int kind, double size, double p, double q) {
    double thin = random_range(random, 0.05, 0.3);
    abut_shape *solid, *mesh;
    switch (kind) {
    case 0:
    case 1:
        solid = box(0.5 * size, 0.5 * p * size, 0.5 * q * size);
        mesh = meshes_surface_of(solid, kind == 0 ? 1 : 6);
        abut_shape_release(solid);
        return mesh;
    case 2:
        return round_mesh(random, size, 1.0);
    case 3:
        return round_mesh(random, size, random_range(random, 0.3, 0.9));
    case 4:
        return angle_mesh(size, thin, 0.5 * p);
    default:
        return meshes_ring(0.4 * size, thin * 0.3 * size, 3 + random_below(random, 14), 3 + random_below(random, 8));
    }
}

static abut_shape *body_of(random_state *random, int kind, double size) {
    double p = random_range(random, 0.3, 1.0), q = random_range(random, 0.3, 1.0);
    switch (kind) {
    case 0:
        return sphere(0.5 * size);
    case 1:
        return capsule(0.25 * p * size, 0.25 * q * size);
    case 2:
        return box(0.5 * size, 0.5 * p * size, 0.5 * q * size);
    case 3:
        return hull(random, size);
    case 4:
        return ellipsoid(0.5 * size, 0.5 * p * size, 0.5 * q * size);
    case 5:
        return cylinder(0.5 * p * size, 0.5 * q * size);
    case 6:
        return box(0.5 * size, 0.01 * size, 0.01 * size);
    default:
        return mesh_of(random, kind - KINDS, size, p, q);
    }
}

/* ---- targets: their surface is z = 0, and for a corner x = 0 and y = 0, too ---- */

static void add_still(abut_world *world, abut_shape *shape, abut_pose pose, double friction, double restitution) {
    abut_body_def def = abut_body_def_default();
    def.kind = ABUT_BODY_STATIC;
    def.shape = shape;
    def.pose = pose;
    def.friction = friction;
    def.restitution = restitution;
    assert_ok(abut_world_add_body(world, &def, NULL));
    abut_shape_release(shape);
}

static abut_shape *open_mesh(random_state *random) {
    double x = random_range(random, -1.0, 1.0), y = random_range(random, -1.0, 1.0);
    const abut_vec3 corners[5] = {{-wide, -wide, 0}, {wide, -wide, 0}, {wide, wide, 0}, {-wide, wide, 0}, {x, y, 0}};
    const int32_t triangles[12] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
    return meshes_make(corners, 5, triangles, 4);
}

/* A floor z = 0 where x > 0, and a wall x = 0 above it. */
static abut_shape *floor_and_wall(random_state *random) {
    double y = random_range(random, -1.0, 1.0);
    const abut_vec3 corners[7] = {{0, -wide, 0},    {wide, -wide, 0}, {wide, wide, 0}, {0, wide, 0},
                                  {0, -wide, wide}, {0, wide, wide},  {0, y, 0}};
    const int32_t triangles[18] = {0, 1, 6, 1, 2, 6, 2, 3, 6, 0, 6, 4, 6, 5, 4, 6, 3, 5};
    return meshes_make(corners, 7, triangles, 6);
}

static abut_shape *closed_mesh(void) {
    abut_shape *solid = box(wide, wide, 0.005), *mesh = meshes_surface_of(solid, 3);
    abut_shape_release(solid);
    return mesh;
}

static abut_body_id add_lift(abut_world *world, double speed, double turn, double friction, double restitution) {
    abut_body_def def = abut_body_def_default();
    abut_body_id id;
    abut_shape *shape = box(wide, wide, 0.005);
    def.kind = ABUT_BODY_KINEMATIC;
    def.shape = shape;
    def.pose = at(0, 0, -0.005);
    def.friction = friction;
    def.restitution = restitution;
    def.motion.linear.z = speed;
    def.motion.angular.z = turn;
    assert_ok(abut_world_add_body(world, &def, &id));
    abut_shape_release(shape);
    return id;
}

/* Returns the lift. */
static abut_body_id add_target(abut_world *world, random_state *random, target kind, double friction, double restitution) {
    const abut_vec3 up = {0, 0, 1};
    const abut_vec3 x = {1, 0, 0};
    switch (kind) {
    case PLANE:
        add_still(world, plane(up, 0.0), abut_pose_identity(), friction, restitution);
        break;
    case PLATE:
        add_still(world, box(wide, wide, 0.5), at(0, 0, -0.5), friction, restitution);
        break;
    case THIN_BOX:
        add_still(world, box(wide, wide, 0.0005), at(0, 0, -0.0005), friction, restitution);
        break;
    case CLOSED_MESH:
        add_still(world, closed_mesh(), at(0, 0, -0.005), friction, restitution);
        break;
    case OPEN_MESH:
        add_still(world, open_mesh(random), abut_pose_identity(), friction, restitution);
        break;
    case FIELD:
        add_still(world, meshes_grid(8, 0.25 * wide), at(-wide, -wide, 0), friction, restitution);
        break;
    case CORNER:
        add_still(world, box(wide, wide, 0.005), at(0, 0, -0.005), friction, restitution);
        add_still(world, box(wide, 0.005, wide), at(0, -0.005, 0), friction, restitution);
        add_still(world, plane(x, 0.0), abut_pose_identity(), friction, restitution);
        break;
    case WALL:
        add_still(world, floor_and_wall(random), abut_pose_identity(), friction, restitution);
        break;
    default:
        return add_lift(world, random_range(random, -30.0, 30.0), random_range(random, -1.0, 1.0), friction, restitution);
    }
    return (abut_body_id){0, 0};
}

/* ---- a shot ---- */

static double height_of(abut_world *world, abut_body_id id, target kind, abut_body_id lift) {
    abut_body_state state, under;
    assert_ok(abut_world_body_state(world, id, &state));
    abut_vec3 c = state.centre;
    if (kind == LIFT) {
        assert_ok(abut_world_body_state(world, lift, &under));
        return c.z - under.pose.position.z - 0.005;
    }
    return kind == CORNER ? fmin(c.z, fmin(c.x, c.y)) : kind == WALL ? fmin(c.x, c.z) : c.z;
}

typedef struct outcome {
    bool passed, grew;
    int32_t step;
    double by;
} outcome;

/* Where the lowest points of the body are at first. */
static abut_vec3 start_of(random_state *random, target kind, double drop, double size) {
    if (kind == WALL) {
        return abut_vec3_make(drop, 0.0, random_below(random, 4) == 0 ? 0.0 : -random_log_range(random, 1e-6 * size, 1e-2 * size));
    }
    return abut_vec3_make(drop + (kind == CORNER ? 0.0 : 3.7), drop, drop);
}

static abut_vec3 turned_to(target kind, abut_vec3 way) {
    return kind == CORNER ? abut_vec3_make(-fabs(way.x), -fabs(way.y), way.z)
           : kind == WALL ? abut_vec3_make(-fabs(way.x), way.y, 0.1 * way.z)
                          : way;
}

static outcome shoot(uint64_t seed, bool meshes, bool threads, abut_body_state *last, char *text, size_t room) {
    random_state random = random_make(seed);
    target kind = (target)random_below(&random, meshes ? ALL_TARGETS : TARGETS);
    int shape_kind = meshes ? KINDS + random_below(&random, MESH_KINDS) : random_below(&random, KINDS);
    double size = random_log_range(&random, 1e-3, 1.0), speed = random_log_range(&random, 0.1, 3000.0);
    double rate = random_log_range(&random, 30.0, 1000.0), friction = random_range(&random, 0.0, 1.0);
    double restitution = random_below(&random, 2) == 0 ? 0.0 : random_range(&random, 0.0, 1.0);
    double spin = random_below(&random, 2) == 0 ? 0.0 : random_log_range(&random, 0.1, fmin(300.0, 50.0 / size));
    snprintf(text, room, "%s on %s: size %.3g, %.3g m/s, %.3g rad/s, %.3g Hz, restitution %.3g", kind_names[shape_kind], target_names[kind],
             size, speed, spin, rate, restitution);
    abut_world_def def = abut_world_def_default();
    three_threads own = {.calls = 0};
    if (threads) {
        def.parallel = three_threads_parallel(&own);
    }
    abut_world *world = NULL;
    assert_ok(abut_world_create(&def, &world));
    abut_body_id lift = add_target(world, &random, kind, friction, restitution), id;
    abut_body_def shot = abut_body_def_default();
    abut_shape *shape = body_of(&random, shape_kind, size);
    double drop = random_below(&random, 4) == 0 ? 1e-9 : random_log_range(&random, 1e-3 * size, 2.0 * size + 3.0 * speed / rate);
    abut_vec3 way = random_direction(&random);
    way.z = -fabs(way.z);
    shot.shape = shape;
    shot.pose.rotation = random_rotation(&random);
    abut_aabb bounds = abut_shape_bounds(shape, shot.pose);
    abut_vec3 start = start_of(&random, kind, drop, size);
    shot.pose.position = abut_sub(start, bounds.lower);
    shot.friction = friction;
    shot.restitution = restitution;
    shot.motion.linear = abut_scale(speed, turned_to(kind, way));
    shot.motion.angular = abut_scale(spin, random_direction(&random));
    assert_ok(abut_world_add_body(world, &shot, &id));
    abut_shape_release(shape);
    outcome out = {false, false, -1, 0.0};
    int32_t steps = (int32_t)fmin(60.0, 5.0 + 4000.0 * rate / speed);
    abut_step_report report;
    assert_ok(abut_world_report(world, &report));
    abut_body_info info;
    assert_ok(abut_world_body_info(world, id, &info));
    /* A body that is sunk at first is pushed out. */
    double energy = report.kinetic_energy + report.potential_energy + info.mass * abut_length(def.gravity) * fmax(-start.z, 0.0);
    for (int32_t step = 0; step < steps && !out.passed && !out.grew; step++) {
        assert_ok(abut_world_step(world, 1.0 / rate, &report));
        double height = height_of(world, id, kind, lift), now = report.kinetic_energy + report.potential_energy;
        if (height > 0.0 && report.left != 0) {
            fail_msg("%s: counted as gone through, at the height %g", text, height);
        }
        out =
            (outcome){height <= 0.0, kind != LIFT && now > (1.0 + most_growth) * energy, step, height <= 0.0 ? height : now / energy - 1.0};
    }
    assert_ok(abut_world_body_state(world, id, last));
    abut_world_destroy(world);
    return out;
}

/* Returns whether the shot is as it should be. */
static bool is_right(uint64_t seed, bool meshes) {
    char text[200];
    abut_body_state last;
    outcome out = shoot(seed, meshes, false, &last, text, sizeof text);
    if (out.passed || out.grew) {
        print_error("%s, seed %llu, step %d: %s by %.3g\n", text, (unsigned long long)seed, out.step,
                    out.passed ? "passed" : "gained energy", out.by);
    }
    return !out.passed && !out.grew;
}

/* Shots from a first seed on, and those that are held because they were wrong once. */
static void all_are_right(const char *name, int32_t full, uint64_t first, const uint64_t *held, size_t held_count, bool meshes) {
    int32_t count = random_runs(name, full), wrong = 0;
    first = random_seed(name, first);
    for (int32_t i = 0; i < count && wrong < 20; i++) {
        wrong += !is_right(first + (uint64_t)i, meshes);
    }
    for (size_t i = 0; i < held_count; i++) {
        wrong += !is_right(held[i], meshes);
    }
    print_message("%d %s: %d wrong\n", count, name, wrong);
    assert_int_equal(wrong, 0);
}

static void test_shots(void **state) {
    (void)state;
    /* Impacts that contradict each other, jammed in a corner; a body that rolls fast and is stopped early in each step; a bar that turns many times in a
     * substep, in which the push met contacts that contradict each other; a fast disc that touches at one point, whose gain was small beside its fall. */
    static const uint64_t held[] = {19002228, 19007004, 771004618, 23000448, 41003206, 19008900};
    all_are_right("shots", 10000, 19000000, held, sizeof held / sizeof *held, false);
}

/* Bodies of meshes, on the same targets and on a floor and wall of one mesh, where they are a little sunk into the floor at first. */
static void test_shots_of_meshes(void **state) {
    (void)state;
    /* Small meshes that lean a little on a wide plate, and got contacts as deep as their size; a box that bounces almost elastically on a corner, with
     * friction; a thin ring, sunk into the floor deeper than the balls inside it are large. */
    static const uint64_t held[] = {23000042, 23000089, 23000735, 23001012, 23001049, 23001940, 23001968, 23001283, 51001381};
    all_are_right("mesh shots", 3000, 23000000, held, sizeof held / sizeof *held, true);
}

static void test_threads_change_no_bit(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        char text[200];
        abut_body_state one, three;
        shoot(77000 + seed, seed % 4 == 3, false, &one, text, sizeof text);
        shoot(77000 + seed, seed % 4 == 3, true, &three, text, sizeof text);
        assert_memory_equal(&one.pose, &three.pose, sizeof one.pose);
        assert_memory_equal(&one.motion, &three.motion, sizeof one.motion);
    }
}

/* ---- many bodies, default settings ---- */

static abut_body_id add_moving(abut_world *world, const abut_shape *shape, abut_vec3 place, abut_vec3 velocity, bool continuous) {
    abut_body_def def = abut_body_def_default();
    abut_body_id id;
    def.shape = shape;
    def.pose.position = place;
    def.motion.linear = velocity;
    def.continuous = continuous;
    assert_ok(abut_world_add_body(world, &def, &id));
    return id;
}

/* 200 marbles of 5 mm dropped from 10 to 50 cm at 60 Hz, on a floor of two triangles and on a board. */
static void test_marbles(void **state) {
    (void)state;
    for (int floor = 0; floor < 2; floor++) {
        random_state random = random_make(4);
        abut_world *world = NULL;
        assert_ok(abut_world_create(NULL, &world));
        const abut_vec3 corners[4] = {{-5, -5, 0}, {5, -5, 0}, {5, 5, 0}, {-5, 5, 0}};
        const int32_t triangles[6] = {0, 1, 2, 0, 2, 3};
        add_still(world, floor == 0 ? meshes_make(corners, 4, triangles, 2) : box(5, 5, 0.005), at(0, 0, floor == 0 ? 0.0 : -0.005), 0.5,
                  0.0);
        abut_shape *marble = sphere(0.005);
        abut_body_id ids[200];
        for (int i = 0; i < 200; i++) {
            double height = random_range(&random, 0.1, 0.5);
            ids[i] = add_moving(world, marble, abut_vec3_make(0.05 * (i % 20), 0.05 * (i / 20), height), abut_vec3_make(0, 0, 0), false);
        }
        for (int step = 0; step < 90; step++) {
            assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
        }
        for (int i = 0; i < 200; i++) {
            abut_body_state s;
            assert_ok(abut_world_body_state(world, ids[i], &s));
            assert_near(s.centre.z, 0.005, 1e-4);
        }
        abut_shape_release(marble);
        abut_world_destroy(world);
    }
}

/* A ball of 1 cm against a wall of 1 cm, over phases of the step: it stops, or bounces to the height that restitution says. */
static void test_a_wall_at_any_phase(void **state) {
    (void)state;
    for (int phase = 0; phase < 50; phase++) {
        for (double speed = 1.0; speed < 2000.0; speed *= 2.0) {
            abut_world_def def = abut_world_def_default();
            abut_world *world = NULL;
            def.gravity = abut_vec3_make(0, 0, 0);
            assert_ok(abut_world_create(&def, &world));
            double restitution = phase % 2 == 0 ? 0.0 : 0.5;
            add_still(world, box(0.005, 5, 5), at(0, 0, 0), 0.5, restitution);
            abut_shape *ball = sphere(0.005);
            abut_body_id id =
                add_moving(world, ball, abut_vec3_make(-0.02 - phase * 0.02 * speed / 60.0, 0, 0), abut_vec3_make(speed, 0, 0), false);
            abut_body_state s;
            for (int step = 0; step < 4; step++) {
                assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
                assert_ok(abut_world_body_state(world, id, &s));
            }
            assert_true(s.centre.x <= -0.01 + 1e-5);
            assert_near(s.motion.linear.x, -restitution * speed, 1e-9 * speed);
            abut_shape_release(ball);
            abut_world_destroy(world);
        }
    }
}

/* A bullet and a block that stands free: it passes momentum on, and does not pass through, if it is much smaller or marked. */
static void test_dynamic_bodies(void **state) {
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        abut_world_def def = abut_world_def_default();
        abut_world *world = NULL;
        def.gravity = abut_vec3_make(0, 0, 0);
        assert_ok(abut_world_create(&def, &world));
        abut_shape *bullet = sphere(0.01), *block = kind == 0 ? box(0.005, 0.1, 0.1) : box(0.005, 0.02, 0.02);
        abut_body_id target = add_moving(world, block, abut_vec3_make(0, 0, 0), abut_vec3_make(0, 0, 0), false);
        abut_body_id shot = add_moving(world, bullet, abut_vec3_make(-1, 0, 0), abut_vec3_make(300, 0, 0), kind == 1);
        abut_body_info a, b;
        assert_ok(abut_world_body_info(world, shot, &a));
        assert_ok(abut_world_body_info(world, target, &b));
        for (int step = 0; step < 20; step++) {
            assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
            abut_body_state s, t;
            assert_ok(abut_world_body_state(world, shot, &s));
            assert_ok(abut_world_body_state(world, target, &t));
            assert_true(s.centre.x < t.centre.x);
            assert_near(a.mass * s.motion.linear.x + b.mass * t.motion.linear.x, a.mass * 300.0, 1e-9 * a.mass * 300.0);
        }
        abut_shape_release(bullet);
        abut_shape_release(block);
        abut_world_destroy(world);
    }
}

/* A long thin bar that turns fast falls onto a thin plate. */
static void test_a_turning_bar(void **state) {
    (void)state;
    for (int i = 0; i < 20; i++) {
        random_state random = random_make(900 + (uint64_t)i);
        abut_world *world = NULL;
        assert_ok(abut_world_create(NULL, &world));
        add_still(world, box(20, 20, 0.001), at(0, 0, -0.001), 0.5, 0.0);
        abut_shape *bar = box(0.5, 0.01, 0.01);
        abut_body_def def = abut_body_def_default();
        def.shape = bar;
        def.pose = at(0, 0, random_range(&random, 0.51, 0.8));
        def.motion.angular = abut_scale(50.0, random_direction(&random));
        abut_body_id id;
        assert_ok(abut_world_add_body(world, &def, &id));
        for (int step = 0; step < 240; step++) {
            assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
            abut_body_state s;
            assert_ok(abut_world_body_state(world, id, &s));
            assert_true(abut_shape_bounds(bar, s.pose).lower.z > -0.005);
        }
        abut_shape_release(bar);
        abut_world_destroy(world);
    }
}

/* A body that begins deep in the ground is neither moved to the surface at once nor held there: the push parts them, and it slides on. */
static void test_deep_bodies_come_out(void **state) {
    (void)state;
    const double dt = 1.0 / 60.0, sunk[] = {0.03, 0.1, 0.2, 0.24},
                 slow = 0.1; /* in a step no body moves half the radius of the ball inside it */
    for (int kind = 0; kind < KINDS; kind++) {
        for (int32_t d = 0; d < 4; d++) {
            abut_world_def def = abut_world_def_default();
            abut_world *world = NULL;
            def.fixed.sleeping = false;
            assert_ok(abut_world_create(&def, &world));
            add_still(world, box(20.0, 20.0, 2.0), at(0.0, 0.0, -2.0), 0.0, 0.0);
            random_state random = random_make(4400 + (uint64_t)kind);
            abut_body_def body = abut_body_def_default();
            body.shape = body_of(&random, kind, 0.5);
            abut_aabb bounds = abut_shape_bounds(body.shape, abut_pose_identity());
            double depth = sunk[d] / 0.25 * -bounds.lower.z;
            body.pose = at(0.0, 0.0, -bounds.lower.z - depth);
            body.friction = 0.0;
            body.motion.linear.x = slow;
            abut_body_id id;
            assert_ok(abut_world_add_body(world, &body, &id));
            abut_shape_release((abut_shape *)body.shape);
            double before = body.pose.position.z;
            for (int step = 0; step < 120; step++) {
                abut_body_state s;
                assert_ok(abut_world_step(world, dt, NULL));
                assert_ok(abut_world_body_state(world, id, &s));
                assert_true(s.pose.position.z <= before + 1.01 * def.fixed.max_push_speed * dt);
                before = s.pose.position.z;
            }
            abut_body_state s;
            abut_step_report report;
            assert_ok(abut_world_body_state(world, id, &s));
            assert_ok(abut_world_report(world, &report));
            if (!(report.max_penetration <= 0.01 * depth + 1e-4 && fabs(s.motion.linear.x - slow) < 1e-7)) {
                fail_msg("%s, %g deep: penetration %g, speed %g", kind_names[kind], depth, report.max_penetration, s.motion.linear.x);
            }
            abut_world_destroy(world);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shots),         cmocka_unit_test(test_shots_of_meshes),      cmocka_unit_test(test_threads_change_no_bit),
        cmocka_unit_test(test_marbles),       cmocka_unit_test(test_a_wall_at_any_phase),  cmocka_unit_test(test_dynamic_bodies),
        cmocka_unit_test(test_a_turning_bar), cmocka_unit_test(test_deep_bodies_come_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
