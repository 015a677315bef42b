/*
 * Bodies of every kind in the dem stepper, by their skins. Closed forms: a box at rest sinks in by its weight over the stiffness of its layer; it bounces with
 * the coefficient of restitution of its body at any speed; a ball on flat faces of any kind moves as on a plane. Then the balance of momenta, and rest.
 */
#include <math.h>

#include <abut/abut.h>

#include "support/bodies.h"
#include "support/check.h"
#include "support/random.h"
#include "support/shapes.h"

/* step: 0 for a share of the critical one */
static abut_world *make_world(abut_vec3 gravity, double step) {
    abut_world_def def = abut_world_def_default();
    abut_world *world;
    def.stepper = ABUT_STEPPER_DEM;
    def.gravity = gravity;
    def.dem.step_share = 0.03;
    def.dem.step = step;
    def.parallel.threads = 1;
    assert_ok(abut_world_create(&def, &world));
    return world;
}

/* Takes the shape over. */
static abut_body_id add(abut_world *world, abut_shape *shape, abut_body_kind kind, abut_pose pose, abut_vec3 velocity, double restitution) {
    abut_body_def def = abut_body_def_default();
    abut_body_id id;
    def.shape = shape;
    def.kind = kind;
    def.pose = pose;
    def.motion.linear = velocity;
    def.restitution = restitution;
    assert_ok(abut_world_add_body(world, &def, &id));
    abut_shape_release(shape);
    return id;
}

static const abut_vec3 still = {0, 0, 0};

/* ---- a box on floors ---- */

enum { FLOORS = 4 };

static void add_floor(abut_world *world, int which, double restitution) {
    static const double heights[9] = {0};
    const abut_heightfield_def field = {.heights = heights, .columns = 3, .rows = 3, .spacing_x = 2.0, .spacing_y = 2.0};
    abut_shape *parts[2], *shape;
    if (which == 0) {
        add(world, plane(abut_vec3_make(0, 0, 1), 0.0), ABUT_BODY_STATIC, at(0, 0, 0), still, restitution);
    } else if (which == 1) {
        add(world, box(2, 2, 1), ABUT_BODY_STATIC, at(0, 0, -1), still, restitution);
    } else if (which == 2) {
        assert_ok(abut_shape_create_heightfield(&field, &shape));
        add(world, shape, ABUT_BODY_STATIC, at(-2, -2, 0), still, restitution);
    } else {
        parts[0] = box(1, 2, 0.5);
        parts[1] = box(1.2, 2, 0.5);
        const abut_part placed[] = {{parts[0], at(-1, 0, -0.5)}, {parts[1], at(0.8, 0, -0.5)}};
        assert_ok(abut_shape_create_compound(placed, 2, &shape));
        add(world, shape, ABUT_BODY_STATIC, at(0, 0, 0), still, restitution);
        abut_shape_release(parts[0]);
        abut_shape_release(parts[1]);
    }
}

static void step_for(abut_world *world, double time, abut_step_report *report) {
    for (int i = 0; i < (int)(time / 0.01 + 0.5); i++) {
        assert_ok(abut_world_step(world, 0.01, report));
    }
}

/* The default material has E* = 1e7 / (2 (1 - 0.3^2)). The layer is the cube root of the box's volume. */
static void test_box_at_rest(void **state) {
    (void)state;
    const abut_vec3 half = {0.3, 0.2, 0.1};
    const double modulus = 1e7 / (2.0 * (1.0 - 0.09)), area = 4.0 * half.x * half.y, volume = 8.0 * half.x * half.y * half.z, g = 10.0,
                 expected = 1000.0 * volume * g * cbrt(volume) / (modulus * area);
    for (int floor = 0; floor < FLOORS; floor++) {
        abut_world *world = make_world(abut_vec3_make(0, 0, -g), 0.0);
        add_floor(world, floor, 0.1);
        abut_body_id id = add(world, box(half.x, half.y, half.z), ABUT_BODY_DYNAMIC, at(0.1, 0.2, half.z + 1e-4), still, 0.1);
        abut_step_report report;
        step_for(world, 0.5, &report);
        abut_body_state s = state_of(world, id);
        print_message("floor %d: %.6g deep, expected %.6g, residual %.2g\n", floor, half.z - s.pose.position.z, expected,
                      report.dem.residual);
        assert_near(half.z - s.pose.position.z, expected, 1e-3 * expected);
        assert_true(report.dem.residual < 1e-2);
        assert_true(report.touching == 1 && report.contacts == 1);
        assert_vec3_near(s.motion.linear, still, 1e-4);
        abut_world_destroy(world);
    }
}

/* Damping begins with a step when the faces touch, so the error is that of a step. */
static void test_box_bounces(void **state) {
    (void)state;
    const double restitutions[] = {0.2, 0.5, 0.9};
    for (int i = 0; i < 3; i++) {
        for (int floor = 0; floor < 2; floor++) {
            abut_world *world = make_world(still, 2e-5);
            abut_step_report report;
            double speed = floor == 0 ? 0.1 : 1.0;
            add_floor(world, floor, restitutions[i]);
            abut_body_id id = add(world, box(0.2, 0.2, 0.2), ABUT_BODY_DYNAMIC, at(0, 0, 0.2 + 0.005 * speed), abut_vec3_make(0, 0, -speed),
                                  restitutions[i]);
            step_for(world, 0.15, &report);
            double back = state_of(world, id).motion.linear.z / speed;
            print_message("restitution %.1f at %.1f: %.4f\n", restitutions[i], speed, back);
            assert_near(back, restitutions[i], 0.006);
            abut_world_destroy(world);
        }
    }
}

/* ---- a ball on faces of every kind ---- */

static void test_ball_on_flat_faces(void **state) {
    (void)state;
    double first = 0.0;
    for (int floor = 0; floor < FLOORS; floor++) {
        abut_world *world = make_world(abut_vec3_make(0, 0, -10), 0.0);
        add_floor(world, floor, 0.3);
        abut_body_id id = add(world, sphere(0.2), ABUT_BODY_DYNAMIC, at(-0.3, 0.1, 0.25), abut_vec3_make(1, 0, 0), 0.3);
        step_for(world, 0.5, NULL);
        double place = state_of(world, id).pose.position.x;
        first = floor == 0 ? place : first;
        assert_near(place, first, 2e-3);
        abut_world_destroy(world);
    }
}

/* ---- all kinds ---- */

enum { KINDS = 9 };

static abut_shape *shape_of(int kind) {
    abut_shape *parts[2], *shape;
    switch (kind) {
    case 0:
        return box(0.2, 0.15, 0.1);
    case 1:
        return prism(0.2, 0.1, 6);
    case 2:
        return capsule(0.1, 0.15);
    case 3:
        return cylinder(0.15, 0.1);
    case 4:
        return cone(0.2, 0.3);
    case 5:
        return ellipsoid(0.2, 0.15, 0.1);
    case 6:
        assert_ok(abut_shape_create_superquadric(abut_vec3_make(0.15, 0.15, 0.15), 0.6, 0.6, &shape));
        return shape;
    case 7:
        return sphere(0.15);
    default:
        parts[0] = box(0.2, 0.05, 0.05);
        parts[1] = sphere(0.1);
        const abut_part placed[] = {{parts[0], at(0, 0, 0)}, {parts[1], at(0.15, 0, 0)}};
        assert_ok(abut_shape_create_compound(placed, 2, &shape));
        abut_shape_release(parts[0]);
        abut_shape_release(parts[1]);
        return shape;
    }
}

/* Two bodies that meet without gravity keep their momentum and lose energy. */
static void test_momentum(void **state) {
    (void)state;
    random_state random = random_make(random_seed("momentum of kinds", 3));
    int32_t samples = random_runs("momentum of kinds", KINDS * 3), met = 0;
    for (int32_t i = 0; i < samples; i++) {
        abut_world *world = make_world(still, 0.0);
        abut_body_id id[2];
        id[0] = add(world, shape_of(i % KINDS), ABUT_BODY_DYNAMIC, (abut_pose){{-0.3, 0, 0}, random_rotation(&random)},
                    abut_vec3_make(1, 0, 0), 0.3);
        id[1] = add(world, shape_of((i + random_below(&random, KINDS)) % KINDS), ABUT_BODY_DYNAMIC,
                    (abut_pose){{0.3, 0.05, 0.02}, random_rotation(&random)}, abut_vec3_make(-1, 0, 0), 0.3);
        abut_step_report before, after;
        assert_ok(abut_world_report(world, &before));
        abut_vec3 momentum[2], spin[2];
        for (int when = 0; when < 2; when++) {
            momentum[when] = spin[when] = still;
            for (int k = 0; k < 2; k++) {
                abut_body_state s = state_of(world, id[k]);
                abut_body_info info;
                assert_ok(abut_world_body_info(world, id[k], &info));
                abut_vec3 push = abut_scale(info.mass, s.motion.linear), own = abut_quat_rotate_inverse(s.pose.rotation, s.motion.angular);
                momentum[when] = abut_add(momentum[when], push);
                spin[when] = abut_add(spin[when], abut_quat_rotate(s.pose.rotation, abut_mat3_apply(info.inertia, own)));
                spin[when] = abut_add(spin[when], abut_cross(s.centre, push));
            }
            if (when == 0) {
                step_for(world, 0.3, &after);
            }
        }
        assert_vec3_near(momentum[1], momentum[0], 1e-9);
        assert_vec3_near(spin[1], spin[0], 1e-9);
        met += after.kinetic_energy < before.kinetic_energy;
        assert_true(after.kinetic_energy <= before.kinetic_energy * (1.0 + 1e-9));
        abut_world_destroy(world);
    }
    assert_true(met > samples / 2);
}

/* ---- too deep ---- */

/* Soft bodies that fall too fast sink into a thick wall, and through it. They are counted while they are inside. */
static void test_engulfed_bodies_are_counted(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        abut_world *world = make_world(still, 0.0);
        abut_body_def def = abut_body_def_default();
        abut_body_id id;
        add(world, box(1, 1, 0.5), ABUT_BODY_STATIC, at(0, 0, -0.5), still, 0.3);
        def.shape = shape_of(kind);
        def.material.young = 1e3;
        def.motion.linear.z = -10.0;
        def.pose = at(0.02, 0.01, 0.5);
        assert_ok(abut_world_add_body(world, &def, &id));
        int32_t engulfed = 0;
        for (int i = 0; i < 40; i++) {
            abut_step_report report;
            assert_ok(abut_world_step(world, 0.005, &report));
            assert_true(report.engulfed == 0 || report.engulfed_body.index == id.index);
            double z = state_of(world, id).centre.z;
            engulfed += report.engulfed;
            assert_true(report.engulfed == 0 || (z < 0.0 && z > -1.0));
        }
        print_message("kind %d: ends at %.2f, engulfed in %d steps\n", kind, state_of(world, id).centre.z, (int)engulfed);
        assert_true(state_of(world, id).centre.z > 0.0 || engulfed > 0);
        abut_world_destroy(world);
        abut_shape_release(def.shape);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box_at_rest),
        cmocka_unit_test(test_box_bounces),
        cmocka_unit_test(test_ball_on_flat_faces),
        cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_engulfed_bodies_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
