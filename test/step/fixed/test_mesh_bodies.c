/*
 * Moving meshes: a closed surface rests, slides and stacks like the solid that it bounds, on planes, on height fields and across tiles; and
 * bodies that are not convex do what no hull could do.
 */
#include <abut/abut.h>

#include <stdlib.h>

#include "support/check.h"
#include "support/meshes.h"
#include "support/shapes.h"

typedef enum ground { PLANE, GRID, TILES, GROUNDS } ground;

static const char *const ground_names[GROUNDS] = {"plane", "height field", "tiles"};

static void add(abut_world *world, abut_body_kind kind, const abut_shape *shape, abut_pose pose, double friction, abut_vec3 velocity,
                abut_body_id *id) {
    abut_body_def def = abut_body_def_default();
    def.kind = kind;
    def.shape = shape;
    def.pose = pose;
    def.friction = friction;
    def.motion.linear = velocity;
    assert_ok(abut_world_add_body(world, &def, id));
}

static void add_ground(abut_world *world, ground kind, double friction) {
    const abut_vec3 still = {0, 0, 0};
    abut_shape *shape = NULL;
    if (kind == PLANE) {
        assert_ok(abut_shape_create_plane(abut_vec3_make(0, 0, 1), 0.0, &shape));
        add(world, ABUT_BODY_STATIC, shape, abut_pose_identity(), friction, still, NULL);
    } else {
        int32_t cells = kind == GRID ? 40 : 10;
        shape = meshes_grid(cells, 0.5);
        for (int32_t i = 0; i < (kind == GRID ? 1 : 16); i++) {
            add(world, ABUT_BODY_STATIC, shape, at(5.0 * (i % 4), 5.0 * (int32_t)(i / 4), 0), friction, still, NULL);
        }
    }
    abut_shape_release(shape);
}

static abut_world *make_world(void) {
    abut_world_def def = abut_world_def_default();
    def.fixed.sleeping = false;
    abut_world *world = NULL;
    assert_ok(abut_world_create(&def, &world));
    return world;
}

static abut_shape *box_surface(abut_vec3 half, int32_t cells) {
    abut_shape *box = NULL;
    assert_ok(abut_shape_create_box(half, &box));
    abut_shape *mesh = meshes_surface_of(box, cells);
    abut_shape_release(box);
    return mesh;
}

/* Without friction at 8.5 m/s over 17 m: no slower, no higher, not turned. */
static void slides_on_anything(void **state) {
    (void)state;
    const double speed = 8.5;
    for (int kind = 0; kind < GROUNDS; kind++) {
        abut_world *world = make_world();
        add_ground(world, (ground)kind, 0.0);
        abut_shape *mesh = box_surface(abut_vec3_make(0.5, 0.4, 0.3), 3);
        abut_body_id id;
        abut_pose pose = {{1.5, 10.1, 0.3}, abut_quat_about(abut_vec3_make(0, 0, 1), 0.3)};
        add(world, ABUT_BODY_DYNAMIC, mesh, pose, 0.0, abut_vec3_make(speed, 0.31, 0), &id);
        for (int step = 0; step < 110; step++) {
            assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
            abut_body_state s;
            assert_ok(abut_world_body_state(world, id, &s));
            bool kept = fabs(s.motion.linear.x - speed) <= 1e-3 * speed && fabs(s.motion.linear.y - 0.31) <= 1e-3 * speed &&
                        fabs(s.pose.position.z - 0.3) <= 3e-7;
            if (!kept) {
                print_error("%s, step %d: velocity (%.9g %.9g %.9g), height off by %.3g\n", ground_names[kind], step, s.motion.linear.x,
                            s.motion.linear.y, s.motion.linear.z, s.pose.position.z - 0.3);
            }
            assert_true(kept);
        }
        abut_shape_release(mesh);
        abut_world_destroy(world);
    }
}

/* Five boxes as differently triangulated surfaces, dropped on each other: they come to rest like a stack of boxes. */
static void stacks(void **state) {
    (void)state;
    enum { BOXES = 5 };
    for (int kind = 0; kind < GROUNDS; kind++) {
        abut_world *world = make_world();
        add_ground(world, (ground)kind, 0.5);
        abut_body_id id[BOXES];
        for (int i = 0; i < BOXES; i++) {
            abut_shape *mesh = box_surface(abut_vec3_make(0.5, 0.4, 0.3), 1 + i % 3);
            abut_pose pose = {{5.02, 5.1, 0.31 + 0.61 * i}, abut_quat_about(abut_vec3_make(0, 0, 1), 0.2 * i)};
            add(world, ABUT_BODY_DYNAMIC, mesh, pose, 0.5, abut_vec3_make(0, 0, 0), &id[i]);
            abut_shape_release(mesh);
        }
        for (int step = 0; step < 300; step++) {
            assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
        }
        for (int i = 0; i < BOXES; i++) {
            abut_body_state s;
            assert_ok(abut_world_body_state(world, id[i], &s));
            assert_near(s.pose.position.z, 0.3 + 0.6 * i, 0.01);
            assert_near(s.pose.position.x, 5.02, 0.01);
            assert_near(s.pose.position.y, 5.1, 0.01);
            assert_true(abut_length(s.motion.linear) < 1e-3);
            assert_true(abut_length(s.motion.angular) < 1e-3);
        }
        abut_world_destroy(world);
    }
}

/* A ring dropped over a pole comes down around it and lies on the ground with the pole in its hole. */
static void ring_over_a_pole(void **state) {
    (void)state;
    for (int kind = 0; kind < GROUNDS; kind++) {
        abut_world *world = make_world();
        add_ground(world, (ground)kind, 0.5);
        abut_shape *ring = meshes_ring(1.0, 0.2, 24, 12), *pole = box_surface(abut_vec3_make(0.3, 0.3, 1.0), 2);
        const abut_vec3 still = {0, 0, 0};
        abut_body_id id;
        add(world, ABUT_BODY_STATIC, pole, at(5, 5, 1.0), 0.2, still, NULL);
        abut_pose tilted = {{5.25, 5.1, 2.6}, abut_quat_about(abut_vec3_make(1, 0, 0), 0.15)};
        add(world, ABUT_BODY_DYNAMIC, ring, tilted, 0.2, still, &id);
        abut_body_state s;
        for (int step = 0; step < 480; step++) {
            assert_ok(abut_world_step(world, 1.0 / 120.0, NULL));
            assert_ok(abut_world_body_state(world, id, &s));
            assert_true(hypot(s.pose.position.x - 5.0, s.pose.position.y - 5.0) < 0.75);
        }
        assert_near(s.pose.position.z, 0.2, 0.01);
        assert_true(abut_length(s.motion.linear) < 0.01);
        abut_shape_release(ring);
        abut_shape_release(pole);
        abut_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slides_on_anything),
        cmocka_unit_test(stacks),
        cmocka_unit_test(ring_over_a_pole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
