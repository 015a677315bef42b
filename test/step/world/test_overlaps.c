/* Bodies that lie in each other: random balls, whose depths are known, over a plane; and bodies inside closed meshes, boxes and half-spaces. */
#include "support/bodies.h"
#include "support/check.h"
#include "support/random.h"
#include "support/shapes.h"

#include <abut/mesh.h>
#include <abut/world.h>

enum { BALLS = 60 };

static double depth_of_balls(const double *radius, const abut_vec3 *place, int i, int k) {
    return radius[i] + radius[k] - abut_distance_between(place[i], place[k]);
}

static void test_random_balls(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        random_state r = random_make(seed);
        abut_world *world = world_of((abut_stepper)(seed % 3));
        double radius[BALLS], scale = random_log_range(&r, 1e-4, 1e4);
        abut_vec3 place[BALLS];
        abut_body_kind kind[BALLS];
        int32_t expected = 0, count = -1;
        abut_world_overlap found[BALLS * BALLS];
        for (int i = 0; i < BALLS; i++) {
            radius[i] = scale * random_log_range(&r, 0.1, 1.0);
            place[i] = random_vec3(&r, -3.0 * scale, 3.0 * scale);
            kind[i] = (abut_body_kind)random_below(&r, 3);
            put(world, kind[i], sphere(radius[i]), at(place[i].x, place[i].y, place[i].z));
        }
        assert_ok(abut_world_overlaps(world, found, BALLS * BALLS, &count));
        for (int i = 0; i < BALLS; i++) {
            for (int k = 0; k < i; k++) {
                bool dynamic_i = kind[i] == ABUT_BODY_DYNAMIC, dynamic_k = kind[k] == ABUT_BODY_DYNAMIC;
                double core = fmin(dynamic_i ? radius[i] : INFINITY, dynamic_k ? radius[k] : INFINITY);
                double depth = depth_of_balls(radius, place, i, k);
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
            abut_world *world = world_of(ABUT_STEPPER_FIXED);
            abut_shape *outer = NULL, *small = inner == 0 ? sphere(0.1) : box(0.1, 0.1, 0.1);
            abut_world_overlap found[4];
            int32_t count = 0;
            if (kind == 2) {
                assert_ok(abut_shape_create_trimesh(&cube, NULL, &outer));
            } else {
                outer = kind == 0 ? box(1, 1, 1) : plane(abut_vec3_make(0, 0, 1), 1.0);
            }
            put(world, ABUT_BODY_STATIC, outer, at(0, 0, 0));
            put(world, ABUT_BODY_DYNAMIC, small, at(0.1, 0.2, 0.5));
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
