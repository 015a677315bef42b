/*
 * The distance of cores and their closest points, against the certificate of the answer itself and the referee's distance.
 */

#include "support/check.h"
#include "support/solid.h"

#include "narrow/normal/gjk.h"

static convex place(const abut_shape *shape, abut_pose pose) {
    return convex_place(shape, abut_mat3_from_quat(pose.rotation), pose.position, 0);
}

/* Closest points certify themselves: no point of either body lies farther along the line between them. */
static void random_bodies(void **state) {
    (void)state;
    random_state random = random_make(random_seed("random_bodies", 131));
    int32_t apart = 0, most = 0;
    for (int i = 0; i < 3000; i++) {
        solid p = solid_cloud(&random, 4 + random_below(&random, 60), abut_vec3_make(1, 0.7, 0.4));
        solid q = i % 3 == 0 ? solid_box(random_vec3(&random, 0.1, 1)) : solid_prism(0.5, 0.5, 3 + random_below(&random, 30));
        abut_shape *shape_p = solid_shape(&p), *shape_q = solid_shape(&q);
        abut_pose pose_p = random_pose(&random, 2), pose_q = random_pose(&random, 2);
        convex a = place(shape_p, pose_p), b = place(shape_q, pose_q);
        oracle_body oracle_a = oracle_solid(&p, pose_p), oracle_b = oracle_solid(&q, pose_q);
        gjk_result d = gjk_solve(&a, &b);
        double least = oracle_signed_distance(&oracle_a, &oracle_b);
        most = d.supports > most ? d.supports : most;
        if (least > 1e-9) {
            apart++;
            assert_near(d.distance, least, 1e-13);
            assert_near(abut_distance_between(d.on_a, d.on_b), d.distance, 1e-13);
            double rounding = 1e-14 + 4e-15 / least; /* the direction of a short vector between points some units away */
            assert_near(oracle_support(&oracle_a, d.direction), abut_dot(d.direction, d.on_a), rounding);
            assert_near(oracle_support(&oracle_b, abut_neg(d.direction)), -abut_dot(d.direction, d.on_b), rounding);
        } else if (least < -1e-9) {
            assert_near(d.distance, 0.0, 0.0);
        }
        oracle_free(&oracle_a);
        oracle_free(&oracle_b);
        abut_shape_release(shape_p);
        abut_shape_release(shape_q);
        solid_free(&p);
        solid_free(&q);
    }
    print_message("random_bodies: %d of 3000 apart, at most %d supports\n", (int)apart, (int)most);
    assert_true(apart > 1000);
    assert_true(most < 64);
}

/* Parallel faces, edges and coincident bodies, where many pairs of points are closest. */
static void degenerate_pairs(void **state) {
    (void)state;
    abut_shape *cube = NULL, *thin = NULL, *capsule = NULL;
    assert_ok(abut_shape_create_box(abut_vec3_make(0.5, 0.5, 0.5), &cube));
    assert_ok(abut_shape_create_box(abut_vec3_make(50, 50, 1e-4), &thin));
    assert_ok(abut_shape_create_capsule(0.1, 0.5, &capsule));
    static const double gaps[] = {1e-12, 1e-6, 1e-3, 1, 1e6};
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
        abut_pose up = abut_pose_identity();
        up.position = abut_vec3_make(0.3, -0.2, 1 + gaps[i]);
        convex a = place(cube, up), b = place(cube, abut_pose_identity());
        gjk_result d = gjk_solve(&a, &b);
        assert_near(d.distance, gaps[i], 4e-16 * (1 + gaps[i]));
        up.position.z = 0.5 + 1e-4 + gaps[i];
        a = place(cube, up);
        b = place(thin, abut_pose_identity());
        assert_near(gjk_solve(&a, &b).distance, gaps[i], 2e-14 * (1 + gaps[i])); /* the slab is 100 wide */
        up.position.z = 1.0 + gaps[i];
        a = place(capsule, up);
        b = place(cube, abut_pose_identity());
        assert_near(gjk_solve(&a, &b).distance, gaps[i], 4e-16 * (1 + gaps[i]));
    }
    convex a = place(cube, abut_pose_identity());
    assert_near(gjk_solve(&a, &a).distance, 0.0, 0.0);
    assert_near(abut_length(gjk_solve(&a, &a).direction), 0.0, 0.0);
    abut_shape_release(cube);
    abut_shape_release(thin);
    abut_shape_release(capsule);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_bodies), cmocka_unit_test(degenerate_pairs)};
    return cmocka_run_group_tests_name("narrow/normal/gjk", tests, NULL, NULL);
}
