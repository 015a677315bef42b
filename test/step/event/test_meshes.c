/*
 * Meshes in the event stepper. The oracles: a plane instead of a flat mesh, a convex solid instead of the mesh of its surface, and the closed form of a ball
 * that slides over an edge.
 */
#include <abut/abut.h>

#include <math.h>
#include <stdlib.h>

#include "support/bodies.h"
#include "support/check.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/shapes.h"

#define G 9.81

static abut_world *make_world(double tolerance) {
    abut_world_def def = abut_world_def_default();
    def.stepper = ABUT_STEPPER_EVENT;
    def.event.tolerance = tolerance;
    return open_world(def);
}

static abut_body_id add_ground(abut_world *world, const abut_shape *shape, abut_pose pose) {
    abut_body_def def = abut_body_def_default();
    def.kind = ABUT_BODY_STATIC;
    def.shape = shape;
    def.pose = pose;
    return put_shared(world, def);
}

/* ---- bodies that move in two worlds ---- */

/* The largest distance of both bodies' centres and points at a radius, over a time. */
static double difference(abut_world *const world[2], const abut_body_id id[2], double time, double radius) {
    const double dt = 1.0 / 60.0;
    double worst = 0.0;
    for (int k = 0; k < (int)(time / dt); k++) {
        abut_body_state s[2];
        for (int i = 0; i < 2; i++) {
            assert_ok(abut_world_step(world[i], dt, NULL));
            s[i] = state_of(world[i], id[i]);
        }
        double aside = abut_distance_between(s[0].pose.position, s[1].pose.position);
        abut_quat p = s[0].pose.rotation, q = s[1].pose.rotation;
        double turned = 1.0 - fabs(p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z);
        worst = fmax(worst, aside + radius * 2.0 * sqrt(fmax(2.0 * turned, 0.0)));
    }
    return worst;
}

enum { RIDERS = 6 };

static abut_shape *rider(int kind) {
    abut_shape *shape = NULL;
    const abut_vec3 points[] = {{0.3, 0, -0.1}, {-0.2, 0.25, -0.1}, {-0.2, -0.2, -0.12}, {0.05, 0.02, 0.3}, {0.1, -0.2, 0.1}};
    switch (kind) {
    case 0:
        return sphere(0.25);
    case 1:
        return box(0.3, 0.2, 0.15);
    case 2:
        return capsule(0.2, 0.2);
    case 3:
        return ellipsoid(0.3, 0.2, 0.25);
    case 4:
        assert_ok(abut_shape_create_superquadric(abut_vec3_make(0.3, 0.2, 0.25), 0.7, 0.8, &shape));
        return shape;
    default:
        assert_ok(abut_shape_create_hull(points, 5, &shape));
        return shape;
    }
}

/* A plane, or the closed mesh of a plate with many triangles or few; all with the surface z = 0 about the origin. */
static abut_shape *ground(int kind, abut_pose *pose) {
    abut_shape *shape = NULL;
    *pose = abut_pose_identity();
    if (kind == 0) {
        assert_ok(abut_shape_create_plane(abut_vec3_make(0, 0, 1), 0.0, &shape));
        return shape;
    }
    abut_shape *plate = box(6.0, 6.0, 0.5);
    shape = meshes_surface_of(plate, kind == 1 ? 1 : 7);
    pose->position = abut_vec3_make(0.07, -0.11, -0.5);
    abut_shape_release(plate);
    return shape;
}

/* The same fall onto two grounds. Returns how far the bodies end up apart. */
static double fall_on_both(const abut_body_def *def, const abut_shape *const under[2], const abut_pose pose[2], double time) {
    abut_world *world[2];
    abut_body_id id[2];
    for (int i = 0; i < 2; i++) {
        world[i] = make_world(1e-9);
        add_ground(world[i], under[i], pose[i]);
        id[i] = put_shared(world[i], *def);
    }
    double worst = difference(world, id, time, 0.3);
    abut_world_destroy(world[0]);
    abut_world_destroy(world[1]);
    return worst;
}

static abut_body_def falling(random_state *random, const abut_shape *shape, abut_vec3 from) {
    abut_body_def def = abut_body_def_default();
    def.shape = shape;
    def.pose = (abut_pose){from, random_rotation(random)};
    def.motion.linear = random_vec3(random, -2.0, 2.0);
    def.motion.angular = random_vec3(random, -3.0, 3.0);
    def.restitution = random_range(random, 0.0, 1.0);
    return def;
}

static void note_apart(double worst[RIDERS], int kind, int32_t sample, double apart) {
    if (apart > 1e-3) {
        fail_msg("sample %d: rider %d is %.2e m away", sample, kind, apart);
    }
    worst[kind] = fmax(worst[kind], apart);
}

static void print_worst(const char *what, const double worst[RIDERS]) {
    for (int kind = 0; kind < RIDERS; kind++) {
        print_message("%s: rider %d off by %.2e m\n", what, kind, worst[kind]);
    }
}

/* A body that falls, bounces and slides on a flat mesh moves as on a plane. Every bounce enlarges what the tolerance leaves. */
static void test_flat_meshes(void **state) {
    (void)state;
    random_state random = random_make(random_seed("flat_meshes", 22));
    int32_t samples = random_runs("flat_meshes", 2000);
    double worst[RIDERS] = {0.0};
    for (int32_t n = 0; n < samples; n++) {
        int kind = n % RIDERS;
        abut_shape *shape = rider(kind);
        abut_body_def def = falling(&random, shape, abut_vec3_make(0, 0, 0.6));
        abut_pose pose[2];
        abut_shape *under[2] = {ground(0, &pose[0]), ground(1 + n / RIDERS % 2, &pose[1])};
        double apart = fall_on_both(&def, (const abut_shape *const *)under, pose, 0.6);
        note_apart(worst, kind, n, apart);
        abut_shape_release(under[0]);
        abut_shape_release(under[1]);
        abut_shape_release(shape);
    }
    print_worst("flat_meshes", worst);
}

/* A body that falls onto faces, edges and vertices of a solid moves as on the mesh of its surface. */
static void test_solids(void **state) {
    (void)state;
    random_state random = random_make(random_seed("solids", 23));
    int32_t samples = random_runs("solids", 2000);
    double worst[RIDERS] = {0.0};
    for (int32_t n = 0; n < samples; n++) {
        int kind = n % RIDERS;
        abut_shape *shape = rider(kind), *solid = meshes_random_solid(&random, 1.0);
        abut_shape *mesh = meshes_surface_of(solid, 1 + n / RIDERS % 3);
        const abut_shape *const under[2] = {solid, mesh};
        abut_pose at = {random_vec3(&random, -0.2, 0.2), random_rotation(&random)};
        abut_body_def def = falling(&random, shape, abut_vec3_make(0, 0, 3.2));
        double apart = fall_on_both(&def, under, (const abut_pose[2]){at, at}, 1.0);
        note_apart(worst, kind, n, apart);
        abut_shape_release(mesh);
        abut_shape_release(solid);
        abut_shape_release(shape);
    }
    print_worst("solids", worst);
}

/* A capsule that lies on a box slides lengthwise over its edge and tips. The end of the segment in which they touch stays at the edge. */
static void test_over_the_edge(void **state) {
    (void)state;
    random_state random = random_make(random_seed("over_the_edge", 26));
    int32_t samples = random_samples("over_the_edge", 100);
    double worst = 0.0;
    for (int32_t n = 0; n < samples; n++) {
        abut_shape *shape = capsule(0.05, 0.2), *table = box(0.5, 0.5, 0.5), *mesh = meshes_surface_of(table, 1 + n % 3);
        const abut_shape *const under[2] = {table, mesh};
        const abut_pose pose[2] = {at(0, 0, -0.5), at(0, 0, -0.5)};
        double angle = random_range(&random, -0.5, 0.5), speed = random_range(&random, 0.2, 2.0);
        abut_body_def def = abut_body_def_default();
        def.shape = shape;
        def.pose =
            turned(turned(at(0.35, 0.0, 0.05), abut_vec3_make(0, 1, 0), 0.5 * 3.14159265358979323846), abut_vec3_make(0, 0, 1), angle);
        def.motion.linear = abut_vec3_make(speed, random_range(&random, -0.2, 0.2), 0.0);
        worst = fmax(worst, fall_on_both(&def, under, pose, 0.4));
        abut_shape_release(mesh);
        abut_shape_release(table);
        abut_shape_release(shape);
    }
    print_message("over_the_edge: off by %.1e m\n", worst);
    assert_true(worst < 1e-5);
}

/* ---- energy, and an edge ---- */

/* The energy of a step. */
static double energy_after(abut_world *world, double dt) {
    abut_step_report report;
    assert_ok(abut_world_step(world, dt, &report));
    return report.kinetic_energy + report.potential_energy;
}

/* In the hole of a ring impacts take energy away, unless the restitution is 1; nothing else changes it. */
static void test_energy(void **state) {
    (void)state;
    random_state random = random_make(random_seed("energy", 24));
    int32_t samples = random_runs("energy", 200);
    double gained = 0.0, lost = 0.0;
    for (int32_t n = 0; n < samples; n++) {
        abut_shape *shape = rider(n % RIDERS);
        abut_pose pose = {{0, 0, 0}, random_rotation(&random)};
        abut_shape *under = meshes_ring(0.5, 0.2, 5 + random_below(&random, 12), 4 + random_below(&random, 8));
        abut_world *world = make_world(1e-9);
        add_ground(world, under, pose);
        abut_body_def def = falling(&random, shape, abut_vec3_make(0, 0, 1.3));
        def.restitution = n / RIDERS % 2 == 0 ? 1.0 : def.restitution;
        put_shared(world, def);
        double before = energy_after(world, 1e-6), total = before;
        for (int k = 0; k < 45; k++) {
            double now = energy_after(world, 1.0 / 60.0);
            gained = fmax(gained, (now - before) / total);
            lost = def.restitution == 1.0 ? fmax(lost, (before - now) / total) : lost;
            before = now;
        }
        abut_world_destroy(world);
        abut_shape_release(under);
        abut_shape_release(shape);
    }
    print_message("energy: grew by %.1e and fell by %.1e of all in a step without losses\n", gained, lost);
    assert_true(gained < 1e-5 && lost < 1e-6);
}

/* Saved and restored in the middle of contacts, a world goes on with the same bits. */
static void test_save(void **state) {
    (void)state;
    random_state random = random_make(random_seed("save", 27));
    int32_t samples = random_runs("save", 100), touched = 0;
    for (int32_t n = 0; n < samples; n++) {
        abut_shape *shape = rider(n % RIDERS), *ring = meshes_ring(0.5, 0.2, 5 + random_below(&random, 12), 4 + random_below(&random, 8));
        abut_pose pose = {{0, 0, 0}, random_rotation(&random)};
        abut_body_def def = falling(&random, shape, abut_vec3_make(0, 0, 1.3));
        def.restitution *= 0.2;
        abut_world *world[2];
        for (int i = 0; i < 2; i++) {
            world[i] = make_world(1e-9);
            add_ground(world[i], ring, pose);
            put_shared(world[i], def);
        }
        for (int k = 0; k < 45; k++) {
            abut_step_report report;
            assert_ok(abut_world_step(world[0], 1.0 / 60.0, &report));
            touched += report.contacts > 0;
            size_t size = 0;
            assert_status(abut_world_save(world[0], NULL, 0, &size), ABUT_ERROR_CAPACITY);
            void *saved = check_memory(size, 1);
            assert_ok(abut_world_save(world[0], saved, size, &size));
            if (k > 0) {
                assert_ok(abut_world_step(world[1], 1.0 / 60.0, NULL));
                assert_true(abut_world_hash(world[0]) == abut_world_hash(world[1]));
            }
            assert_ok(abut_world_restore(world[1], saved, size));
            free(saved);
        }
        abut_world_destroy(world[0]);
        abut_world_destroy(world[1]);
        abut_shape_release(ring);
        abut_shape_release(shape);
    }
    print_message("save: contacts in %d steps\n", touched);
    assert_true(touched > samples);
}

/* A ball at rest beside the top of a ridge slides over the edge without friction. It leaves where its weight no longer holds it on a circle:
 * cos f = 2/3 cos f0. Then its horizontal speed stays. */
static void test_ridge(void **state) {
    (void)state;
    random_state random = random_make(random_seed("ridge", 25));
    int32_t samples = random_samples("ridge", 200);
    double worst = 0.0;
    for (int32_t n = 0; n < samples; n++) {
        const double radius = random_log_range(&random, 0.01, 10.0), from = random_range(&random, 0.05, 0.7), long_way = 20.0 * radius;
        const abut_vec3 corner[] = {{0, -long_way, 0},
                                    {0, long_way, 0},
                                    {-radius, -long_way, -long_way},
                                    {radius, -long_way, -long_way},
                                    {-radius, long_way, -long_way},
                                    {radius, long_way, -long_way}};
        abut_shape *roof = NULL, *ball = sphere(radius);
        assert_ok(abut_shape_create_hull(corner, 6, &roof));
        abut_shape *ridge = meshes_surface_of(roof, 1 + n % 3);
        abut_shape_release(roof);
        abut_world *world = make_world(1e-10);
        add_ground(world, ridge, abut_pose_identity());
        abut_body_def def = abut_body_def_default();
        def.shape = ball;
        def.pose = at(radius * sin(from), 0.0, radius * cos(from));
        abut_body_id id = put_shared(world, def);
        const double leaves = 2.0 / 3.0 * cos(from), speed = sqrt(2.0 * G * radius * (cos(from) - leaves)) * leaves;
        for (int k = 0; k < 400 && state_of(world, id).pose.position.z > 0.3 * radius; k++) {
            assert_ok(abut_world_step(world, 0.02 * sqrt(radius / G), NULL));
        }
        double error = fabs(state_of(world, id).motion.linear.x / speed - 1.0);
        worst = fmax(worst, error);
        assert_true(error < 1e-6);
        abut_world_destroy(world);
        abut_shape_release(ridge);
        abut_shape_release(ball);
    }
    print_message("ridge: speed off by %.1e\n", worst);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flat_meshes), cmocka_unit_test(test_solids), cmocka_unit_test(test_over_the_edge),
        cmocka_unit_test(test_energy),      cmocka_unit_test(test_ridge),  cmocka_unit_test(test_save),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
