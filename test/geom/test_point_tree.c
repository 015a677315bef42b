/* Farthest points: the tree compared with all points, for clouds, planar, equal and few points. */
#include "geom/point_tree.h"

#include <stdlib.h>

#include "support/allocator.h"
#include "support/check.h"

static double highest(const abut_vec3 *points, const int32_t *subset, int32_t count, abut_vec3 direction) {
    double height = -INFINITY;
    for (int32_t i = 0; i < count; i++) {
        height = fmax(height, abut_dot(direction, points[subset != NULL ? subset[i] : i]));
    }
    return height;
}

static void check_queries(random_state *random, const abut_vec3 *points, const int32_t *subset, int32_t count) {
    point_tree tree;
    assert_ok(point_tree_make(&tree, points, subset, count));
    for (int query = 0; query < 40; query++) {
        abut_vec3 direction = random_direction(random);
        double expected = highest(points, subset, count, direction), height;
        int32_t farthest = point_tree_farthest(&tree, direction, -INFINITY, &height);
        assert_near(height, expected, 0.0);
        assert_near(abut_dot(direction, points[farthest]), expected, 0.0);
        /* No point exceeds a bound that is already the maximum. */
        assert_int_equal(point_tree_farthest(&tree, direction, expected, &height), -1);
        assert_near(height, expected, 0.0);
    }
    point_tree_release(&tree);
}

static void clouds_of_all_sizes(void **state) {
    (void)state;
    random_state random = random_make(random_seed("clouds_of_all_sizes", 8));
    enum { most = 3000 };
    abut_vec3 *points = check_memory(most, sizeof *points);
    for (int32_t count = 1; count <= most; count += 1 + count / 5) {
        for (int kind = 0; kind < 4; kind++) {
            for (int32_t i = 0; i < count; i++) {
                points[i] = kind == 0 ? random_vec3(&random, -1, 1) : random_direction(&random);
                points[i].z = kind == 2 ? 0.25 : points[i].z;
                points[i] = kind == 3 ? abut_vec3_make(1, 2, 3) : points[i];
            }
            check_queries(&random, points, NULL, count);
        }
    }
    free(points);
}

static void a_subset_leaves_the_others_out(void **state) {
    (void)state;
    random_state random = random_make(random_seed("a_subset_leaves_the_others_out", 9));
    abut_vec3 points[500];
    int32_t subset[250];
    for (int32_t i = 0; i < 500; i++) {
        points[i] = i % 2 ? random_direction(&random) : random_vec3(&random, -100, 100);
        subset[i / 2] = i / 2 * 2 + 1;
    }
    check_queries(&random, points, subset, 250);
}

static void out_of_memory(void **state) {
    (void)state;
    const abut_vec3 points[2] = {{0, 0, 0}, {1, 1, 1}};
    for (int64_t refused = 0; refused < 2; refused++) {
        counting_allocator memory = {.refuse_at = refused};
        counting_allocator_install(&memory);
        point_tree tree;
        abut_status status = point_tree_make(&tree, points, NULL, 2);
        counting_allocator_remove();
        assert_status(status, ABUT_ERROR_OUT_OF_MEMORY);
        assert_int_equal(memory.live, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clouds_of_all_sizes),
        cmocka_unit_test(a_subset_leaves_the_others_out),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
