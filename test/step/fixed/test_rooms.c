/*
 * Bodies in rooms that they cannot leave: between belts, turntables and walls, pushed by others, turned by torques. The oracle is the place of their centres:
 * in the room or not.
 */
#include <abut/abut.h>

#include "support/bodies.h"
#include "support/check.h"
#include "support/random.h"
#include "support/shapes.h"
#include "support/threads.h"

enum { KINDS = 8 };

static abut_shape *club(double size) {
    abut_shape *shape = NULL;
    const abut_part parts[2] = {{sphere(0.2 * size), at(0, 0, 0)}, {box(0.4 * size, 0.02 * size, 0.02 * size), at(0.5 * size, 0, 0)}};
    assert_ok(abut_shape_create_compound(parts, 2, &shape));
    abut_shape_release((abut_shape *)parts[0].shape);
    abut_shape_release((abut_shape *)parts[1].shape);
    return shape;
}

static abut_shape *body_of(int kind, double size) {
    switch (kind) {
    case 0:
        return sphere(0.5 * size);
    case 1:
        return capsule(0.1 * size, 0.4 * size);
    case 2:
        return box(0.5 * size, 0.4 * size, 0.3 * size);
    case 3:
        return box(0.5 * size, 0.5 * size, 0.01 * size);
    case 4:
        return box(0.5 * size, 0.01 * size, 0.01 * size);
    case 5:
        return cylinder(0.5 * size, 0.1 * size);
    case 6:
        return cone(0.5 * size, 0.6 * size);
    default:
        return club(size);
    }
}

static bool is_inside(const abut_world *world, abut_body_id id) {
    abut_body_state state;
    assert_ok(abut_world_body_state(world, id, &state));
    return fabs(state.centre.x) < 1.0 && fabs(state.centre.y) < 1.0 && fabs(state.centre.z) < 1.0;
}

static abut_body_id launch(abut_world *world, abut_shape *shape, abut_pose pose, abut_motion motion, double friction, double restitution,
                           bool continuous) {
    abut_body_def def = abut_body_def_default();
    def.pose = pose;
    def.motion = motion;
    def.friction = friction;
    def.restitution = restitution;
    def.continuous = continuous;
    return put_as(world, def, shape);
}

/* ---- belts ---- */

/* A room of |x|, |y|, |z| < 1 with static walls of 1 cm that meet at the edges. Floor and ceiling move along the room in opposite directions. */
static void add_room(abut_world *world, abut_motion of_floor, double friction) {
    for (int side = -1; side <= 1; side += 2) {
        put(world, ABUT_BODY_STATIC, box(0.005, 1.01, 1.01), at(side * 1.005, 0, 0));
        put(world, ABUT_BODY_STATIC, box(1.01, 0.005, 1.01), at(0, side * 1.005, 0));
        abut_body_def def = abut_body_def_default();
        abut_shape *belt = box(1000.0, 1000.0, 0.005);
        def.kind = ABUT_BODY_KINEMATIC;
        def.shape = belt;
        def.pose = at(0, 0, side * 1.005);
        def.motion = (abut_motion){abut_scale(side, of_floor.linear), abut_scale(side, of_floor.angular)};
        def.friction = friction;
        assert_ok(abut_world_add_body(world, &def, NULL));
        abut_shape_release(belt);
    }
}

static bool stays_between_belts(uint64_t seed) {
    random_state random = random_make(seed);
    abut_world *world = floating_world();
    double belt = random_log_range(&random, 1.0, 100.0), friction = random_below(&random, 2) == 0 ? 0.0 : random_range(&random, 0.0, 1.0);
    bool turns = random_below(&random, 3) == 0;
    abut_vec3 along = {belt, 0, 0}, about = {0, 0, belt}, none = {0, 0, 0};
    add_room(world, turns ? (abut_motion){none, about} : (abut_motion){along, none}, friction);
    double size = random_range(&random, 0.05, 0.4), rate = random_log_range(&random, 30.0, 240.0);
    abut_pose pose = {random_vec3(&random, -0.6, 0.6), random_rotation(&random)};
    abut_motion motion = {abut_scale(random_log_range(&random, 1.0, 200.0), random_direction(&random)),
                          abut_scale(random_log_range(&random, 0.1, 100.0), random_direction(&random))};
    double restitution = random_below(&random, 2) == 0 ? 0.0 : 0.9;
    int kind = random_below(&random, KINDS);
    abut_body_id id = launch(world, body_of(kind, size), pose, motion, friction, restitution, false);
    bool inside = true;
    for (int step = 0; step < 60 && inside; step++) {
        assert_ok(abut_world_step(world, 1.0 / rate, NULL));
        inside = is_inside(world, id);
    }
    if (!inside) {
        print_error("kind %d, size %g, belts %g, friction %g, %g Hz, seed %llu\n", kind, size, belt, friction, rate,
                    (unsigned long long)seed);
    }
    abut_world_destroy(world);
    return inside;
}

static void test_belts(void **state) {
    (void)state;
    int32_t count = random_runs("belts", 5000), left = 0;
    uint64_t first = random_seed("belts", 61000000);
    for (int32_t i = 0; i < count; i++) {
        left += !stays_between_belts(first + (uint64_t)i);
    }
    print_message("%d bodies between belts: %d left\n", count, left);
    assert_int_equal(left, 0);
}

/* ---- others that push ---- */

/* A small ball rests between a thin wall and a large ball that comes fast. */
static void test_a_ball_before_a_wall(void **state) {
    (void)state;
    for (double speed = 10.0; speed < 1000.0; speed *= 1.5) {
        for (double gap = 0.0; gap < 2.0; gap = 1.7 * gap + 0.05) {
            for (double ahead = 0.3; ahead < 3.0; ahead *= 1.5) {
                abut_world *world = floating_world();
                const abut_motion rest = {{0, 0, 0}, {0, 0, 0}}, fast = {{speed, 0, 0}, {0, 0, 0}};
                put(world, ABUT_BODY_STATIC, box(0.005, 1e3, 1e3), at(0, 0, 0));
                abut_body_id small = launch(world, sphere(0.02), at(-0.025 - gap, 0, 0), rest, 0.5, 0.0, false);
                abut_body_id large = launch(world, sphere(0.1), at(-0.15 - gap - ahead, 0.01, 0), fast, 0.5, 0.0, false);
                for (int step = 0; step < 12; step++) {
                    abut_body_state s, l;
                    assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
                    assert_ok(abut_world_body_state(world, small, &s));
                    assert_ok(abut_world_body_state(world, large, &l));
                    if (s.centre.x > 0.0 || l.centre.x > 0.0) {
                        fail_msg("%g m/s, gap %g, ahead %g: balls at %g and %g", speed, gap, ahead, s.centre.x, l.centre.x);
                    }
                }
                abut_world_destroy(world);
            }
        }
    }
}

enum { HEAP = 60 };

/* Many fast bodies of all sizes; some pass through no other body. */
static int32_t shake(uint64_t seed, bool threads, uint64_t *hash) {
    random_state random = random_make(seed);
    abut_world_def def = abut_world_def_default();
    three_threads own = {.calls = 0};
    abut_world *world = NULL;
    if (threads) {
        def.parallel = three_threads_parallel(&own);
    }
    assert_ok(abut_world_create(&def, &world));
    const abut_motion rest = {{0, 0, 0}, {0, 0, 0}};
    add_room(world, rest, 0.5);
    abut_body_id ids[HEAP];
    double speed = random_log_range(&random, 3.0, 300.0);
    for (int i = 0; i < HEAP; i++) {
        const double size = random_range(&random, 0.1, 0.9) * 0.4;
        abut_pose pose = at(-0.6 + 0.4 * (i % 4), -0.6 + 0.4 * (i / 4 % 4), -0.6 + 0.4 * (i / 16));
        abut_motion motion = {abut_scale(random_range(&random, 0.0, speed), random_direction(&random)),
                              abut_scale(random_range(&random, 0.0, 50.0), random_direction(&random))};
        ids[i] = launch(world, body_of(i % KINDS, size), pose, motion, 0.5, 0.5 * (i % 2), i % 7 == 0);
    }
    int32_t left = 0;
    for (int step = 0; step < 20; step++) {
        assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
    }
    for (int i = 0; i < HEAP; i++) {
        left += !is_inside(world, ids[i]);
    }
    *hash = abut_world_hash(world);
    abut_world_destroy(world);
    return left;
}

static void test_heaps(void **state) {
    (void)state;
    int32_t count = random_runs("heaps", 300), left = 0;
    uint64_t first = random_seed("heaps", 62000000);
    for (int32_t i = 0; i < count; i++) {
        uint64_t alone, together;
        int32_t now = shake(first + (uint64_t)i, false, &alone);
        if (now > 0) {
            print_error("seed %llu: %d left\n", (unsigned long long)(first + (uint64_t)i), now);
        }
        left += now;
        if (i % 8 == 0) {
            shake(first + (uint64_t)i, true, &together);
            assert_true(alone == together);
        }
    }
    print_message("%d heaps: %d bodies left\n", count, left);
    assert_int_equal(left, 0);
}

/* ---- turning ---- */

/* A ball on a turning blade slides outwards and leaves it: at most with the speed of the tip, outwards and along. */
static void test_a_turning_blade(void **state) {
    (void)state;
    for (int kind = 0; kind <= 2; kind += 2) {
        for (double size = 0.02; size < 0.3; size *= 2.5) {
            for (double spin = 3.0; spin < 110.0; spin *= 2.0) {
                for (double rate = 30.0; rate < 100.0; rate *= 2.0) {
                    abut_world *world = floating_world();
                    const abut_motion rest = {{0, 0, 0}, {0, 0, 0}};
                    abut_body_id id = launch(world, body_of(kind, size), at(0.4, 0.005 + 0.6 * size, 0), rest, 0.0, 0.0, false);
                    abut_body_def def = abut_body_def_default();
                    abut_shape *blade = box(1.0, 0.005, 1.0);
                    def.kind = ABUT_BODY_KINEMATIC;
                    def.shape = blade;
                    def.motion.angular.z = spin;
                    assert_ok(abut_world_add_body(world, &def, NULL));
                    abut_shape_release(blade);
                    double fastest = 0.0;
                    for (int step = 0; step < (int)(7.5 / spin * rate) + 30; step++) {
                        abut_body_state s;
                        assert_ok(abut_world_step(world, 1.0 / rate, NULL));
                        assert_ok(abut_world_body_state(world, id, &s));
                        fastest = fmax(fastest, abut_length(s.motion.linear));
                    }
                    if (!(fastest < 1.5 * sqrt(2.0) * spin * (1.0 + size))) {
                        fail_msg("kind %d, size %g, %g rad/s, %g Hz: %g m/s", kind, size, spin, rate, fastest);
                    }
                    abut_world_destroy(world);
                }
            }
        }
    }
}

/* A bar at rest between two poles gets a torque that turns it by up to half a round in the first step. It may slide off, and does not get through the poles. */
static void test_a_torque(void **state) {
    (void)state;
    random_state random = random_make(random_seed("torque", 63));
    for (int i = 0; i < 300; i++) {
        abut_world *world = floating_world();
        const abut_motion rest = {{0, 0, 0}, {0, 0, 0}};
        double first = random_range(&random, 0.3, 1.5), turn = random_range(&random, first + 0.2, 3.0);
        abut_body_id id = launch(world, box(1.0, 0.02, 0.02), at(0, 0, 0), rest, 0.5, 0.0, false);
        const abut_vec3 pole = {0.9 * cos(first), 0.9 * sin(first), 0.0};
        put(world, ABUT_BODY_STATIC, cylinder(0.01, 1.0), at(pole.x, pole.y, 0));
        put(world, ABUT_BODY_STATIC, cylinder(0.01, 1.0), at(-pole.x, -pole.y, 0));
        abut_body_info info;
        assert_ok(abut_world_body_info(world, id, &info));
        double inertia = info.mass / 3.0 * (1.0 + 0.0004);
        assert_ok(abut_world_apply_torque(world, id, abut_vec3_make(0, 0, 2.0 * inertia * turn * 3600.0)));
        assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
        abut_body_state s;
        assert_ok(abut_world_body_state(world, id, &s));
        for (int side = -1; side <= 1; side += 2) {
            abut_vec3 place = abut_pose_apply_inverse(s.pose, abut_scale(side, pole));
            if (fabs(place.x) < 1.0 && side * place.y < 0.0) {
                fail_msg("pole at %g, torque for %g: through the pole", first, turn);
            }
        }
        abut_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_belts),    cmocka_unit_test(test_a_ball_before_a_wall),
        cmocka_unit_test(test_heaps),    cmocka_unit_test(test_a_turning_blade),
        cmocka_unit_test(test_a_torque),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
