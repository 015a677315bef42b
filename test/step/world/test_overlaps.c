/* Bodies that lie in each other: random balls, whose depths are known, over a plane; and bodies inside closed meshes, boxes and half-spaces. */
#include "support/check.h"
#include "support/random.h"

#include <abut/mesh.h>
#include <abut/world.h>

enum { BALLS = 60 };

static abut_body_id add(abut_world *world, abut_body_kind kind, abut_shape *shape, abut_vec3 at) {
    abut_body_def def = abut_body_def_default();
    abut_body_id id;
    def.kind = kind;
    def.shape = shape;
    def.pose.position = at;
    assert_ok(abut_world_add_body(world, &def, &id));
    abut_shape_release(shape);
    return id;
}

static abut_world *new_world(abut_stepper stepper) {
    abut_world_def def = abut_world_def_default();
    abut_world *world = NULL;
    def.stepper = stepper;
    assert_ok(abut_world_create(&def, &world));
    return world;
}

static abut_shape *ball(double radius) {
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_sphere(radius, &shape));
    return shape;
}

static double depth_of_balls(const double *radius, const abut_vec3 *at, int i, int k) {
    return radius[i] + radius[k] - abut_distance_between(at[i], at[k]);
}

static void test_random_balls(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        random_state r = random_make(seed);
        abut_world *world = new_world((abut_stepper)(seed % 3));
        double radius[BALLS], scale = random_log_range(&r, 1e-4, 1e4);
        abut_vec3 at[BALLS];
        abut_body_kind kind[BALLS];
        int32_t expected = 0, count = -1;
        abut_world_overlap found[BALLS * BALLS];
        for (int i = 0; i < BALLS; i++) {
            radius[i] = scale * random_log_range(&r, 0.1, 1.0);
            at[i] = random_vec3(&r, -3.0 * scale, 3.0 * scale);
            kind[i] = (abut_body_kind)random_below(&r, 3);
            add(world, kind[i], ball(radius[i]), at[i]);
        }
        assert_ok(abut_world_overlaps(world, found, BALLS * BALLS, &count));
        for (int i = 0; i < BALLS; i++) {
            for (int k = 0; k < i; k++) {
                bool dynamic_i = kind[i] == ABUT_BODY_DYNAMIC, dynamic_k = kind[k] == ABUT_BODY_DYNAMIC;
                double core = fmin(dynamic_i ? radius[i] : INFINITY, dynamic_k ? radius[k] : INFINITY);
                double depth = depth_of_balls(radius, at, i, k);
                if ((dynamic_i || dynamic_k) && depth > 0.01 * core) {
                    assert_true(expected < count);
                    assert_int_equal(found[expected].a.index, k + 1);
                    assert_int_equal(found[expected].b.index, i + 1);
                    assert_near(found[expected].depth, depth, 1e-12 * scale);
                    expected++;
                }
            }
        }
        assert_int_equal(count, expected);
        if (expected > 3) {
            assert_ok(abut_world_overlaps(world, found, 3, &count));
            assert_int_equal(count, 3);
        }
        assert_ok(abut_world_overlaps(world, NULL, 0, &count));
        assert_int_equal(count, 0);
        abut_world_destroy(world);
    }
}

/* Bodies that are wholly inside others. */
static void test_engulfed_bodies(void **state) {
    (void)state;
    static const abut_vec3 corners[8] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                         {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
    static const int32_t triangles[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                                             {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
    abut_trimesh_def cube = abut_trimesh_def_default();
    cube.vertices = corners;
    cube.vertex_count = 8;
    cube.triangles = &triangles[0][0];
    cube.triangle_count = 12;
    for (int kind = 0; kind < 3; kind++) {
        for (int inner = 0; inner < 2; inner++) {
            abut_world *world = new_world(ABUT_STEPPER_FIXED);
            abut_shape *outer = NULL, *small = NULL;
            abut_world_overlap found[4];
            int32_t count = 0;
            assert_ok(kind == 0   ? abut_shape_create_box(abut_vec3_make(1, 1, 1), &outer)
                      : kind == 1 ? abut_shape_create_plane(abut_vec3_make(0, 0, 1), 1.0, &outer)
                                  : abut_shape_create_trimesh(&cube, NULL, &outer));
            assert_ok(inner == 0 ? abut_shape_create_sphere(0.1, &small) : abut_shape_create_box(abut_vec3_make(0.1, 0.1, 0.1), &small));
            add(world, ABUT_BODY_STATIC, outer, abut_vec3_make(0, 0, 0));
            add(world, ABUT_BODY_DYNAMIC, small, abut_vec3_make(0.1, 0.2, 0.5));
            assert_ok(abut_world_overlaps(world, found, 4, &count));
            assert_int_equal(count, 1);
            assert_near(found[0].depth, 0.6, 1e-12);
            abut_world_destroy(world);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_balls), cmocka_unit_test(test_engulfed_bodies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
