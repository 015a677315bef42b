/*
 * Closest points of two triangles: closed forms, slivers and points; then random triangles compared with sampled points and with the oracle's enumeration.
 */
#include "geom/triangles.h"

#include "support/check.h"
#include "support/mesh_sample.h"

static triangles_gap gap_of(const abut_vec3 p[3], const abut_vec3 q[3]) {
    triangles_gap gap;
    triangles_closest(p, q, &gap);
    triangles_set_direction(p, q, &gap);
    return gap;
}

static void closed_forms(void **state) {
    (void)state;
    const abut_vec3 p[3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
    const struct {
        abut_vec3 q[3];
        double distance, along;
    } cases[] = {
        {{{1, 1, 2}, {5, 1, 2}, {1, 5, 2}}, 2.0, 2.0},     /* above */
        {{{1, 1, 3}, {1, 1, 7}, {2, 2, 9}}, 3.0, 3.0},     /* a corner over the face */
        {{{-3, 1, -1}, {-3, 1, 1}, {-5, 2, 0}}, 3.0, 3.0}, /* beside: an edge across an edge */
        {{{1, 1, -1}, {1, 1, 2}, {9, 9, 0.5}}, 0.0, -1.0}, /* crosses the plane, by 1 on one side */
        {{{1, 1, 0}, {1, 2, 0}, {2, 1, 0}}, 0.0, 0.0},     /* in the plane, inside */
        {{{7, 0, 0}, {7, 5, 0}, {9, 2, 0}}, 3.0, 3.0},     /* in the plane, apart */
        {{{1, 1, 2}, {1, 1, 2}, {1, 1, 2}}, 2.0, 2.0},     /* a point */
        {{{1, 1, 2}, {1, 1, 5}, {1, 1, 3}}, 2.0, 2.0},     /* a segment */
        {{{1, 1, -2}, {1, 1, 5}, {1, 1, 3}}, 0.0, -1.0},   /* a segment that crosses: the shortest way out is at a side */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        triangles_gap gap = gap_of(p, cases[i].q), back = gap_of(cases[i].q, p);
        assert_near(gap.distance, cases[i].distance, 1e-15);
        assert_near(gap.along, cases[i].along, 1e-14);
        assert_near(back.distance, gap.distance, 1e-15);
        assert_near(back.along, gap.along, 1e-14);
        assert_near(abut_length(gap.normal), 1.0, 1e-15);
    }
}

static abut_vec3 at_weights(const abut_vec3 p[3], const double w[3]) {
    return abut_add_scaled(abut_add_scaled(abut_scale(w[0], p[0]), w[1], p[1]), w[2], p[2]);
}

static void random_triangles(void **state) {
    (void)state;
    random_state random = random_make(random_seed("random_triangles", 331));
    int32_t met = 0;
    for (int i = 0; i < 20000; i++) {
        abut_vec3 corner[2][3];
        for (int k = 0; k < 6; k++) {
            corner[k / 3][k % 3] = random_vec3(&random, -1, 1);
            corner[k / 3][k % 3].z += k < 3 ? 0.0 : 0.5 * (i % 3);
        }
        mesh_sample s = {.corner = corner, .count = 2};
        oracle_body a = mesh_sample_triangle(&s, 0, abut_pose_identity()), b = mesh_sample_triangle(&s, 1, abut_pose_identity());
        double expected = fmax(mesh_sample_distance(&a, &b), 0.0);
        triangles_gap gap = gap_of(corner[0], corner[1]);
        assert_near(gap.distance, expected, 1e-13);
        assert_vec3_near(at_weights(corner[0], gap.weight_p), gap.on_p, 1e-13);
        assert_vec3_near(at_weights(corner[1], gap.weight_q), gap.on_q, 1e-13);
        assert_near(abut_distance_between(gap.on_p, gap.on_q), gap.distance, 1e-13);
        assert_near(oracle_gap_along(&a, &b, gap.normal), gap.along, 1e-13);
        if (expected > 0.0) {
            assert_near(gap.along, expected, 1e-10); /* perpendicular to the features, unless rounding loses the direction */
        } else {
            met++;
            assert_near(gap.along, mesh_sample_distance(&a, &b), 1e-12); /* the shortest way out */
        }
        oracle_free(&a);
        oracle_free(&b);
    }
    assert_in_range(met, 2000, 18000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(closed_forms), cmocka_unit_test(random_triangles)};
    return cmocka_run_group_tests_name("geom/triangles", tests, NULL, NULL);
}
