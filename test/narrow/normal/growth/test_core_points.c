/*
 * Projection on eroded bodies, and contraction points of the growth distance.
 */

#include "support/check.h"
#include "support/solid.h"

#include "narrow/normal/growth/core_points.h"

static convex place(const abut_shape *shape, abut_pose pose) {
    return convex_place(shape, abut_mat3_from_quat(pose.rotation), pose.position, 0);
}

/* y is the projection of x on a convex set if y is in the set and no vertex of the set lies beyond y as seen from x. Eroded polytopes have
 * no list of vertices here, so their points are sampled. */
static void projection_on_eroded_polytopes(void **state) {
    (void)state;
    random_state random = random_make(random_seed("projection_on_eroded_polytopes", 141));
    int32_t outside = 0, beyond = 0;
    for (int i = 0; i < 300; i++) {
        solid p = solid_cloud(&random, 8 + random_below(&random, 60), abut_vec3_make(1, 0.8, 0.5));
        abut_shape *shape = solid_shape(&p);
        convex body = place(shape, random_pose(&random, 1));
        double rho = convex_inradius(&body) * random_range(&random, 0.0, 0.9);
        for (int k = 0; k < 10; k++) {
            abut_vec3 x = abut_add(body.position, random_vec3(&random, -2, 2)), y = core_project(&body, rho, x);
            assert_true(convex_depth_of(&body, y) >= rho - 1e-9);
            outside += abut_distance_between(x, y) > 0.0;
            for (int j = 0; j < 30; j++) {
                abut_vec3 z = abut_add(body.position, random_vec3(&random, -1, 1));
                if (convex_depth_of(&body, z) >= rho) {
                    assert_true(abut_dot(abut_sub(x, y), abut_sub(z, y)) <= 1e-8);
                    beyond++;
                }
            }
        }
        /* A body eroded by its whole inradius is a point, the centre of the largest ball, and it is found. */
        abut_vec3 centre = core_project(&body, convex_inradius(&body), abut_vec3_make(3, 3, 3));
        assert_near(convex_depth_of(&body, centre), convex_inradius(&body), 1e-7);
        abut_shape_release(shape);
        solid_free(&p);
    }
    assert_true(outside > 2000 && beyond > 2000);
}

static void closed_forms(void **state) {
    (void)state;
    abut_shape *box = NULL, *capsule = NULL, *cylinder = NULL;
    assert_ok(abut_shape_create_box(abut_vec3_make(2, 1, 0.5), &box));
    assert_ok(abut_shape_create_capsule(0.5, 1, &capsule));
    assert_ok(abut_shape_create_prism(0.5, 3, 64, &cylinder));
    convex a = place(box, abut_pose_identity());
    assert_vec3_near(core_project(&a, 0.25, abut_vec3_make(3, -0.2, 7)), abut_vec3_make(1.75, -0.2, 0.25), 0.0);
    convex b = place(capsule, abut_pose_identity());
    assert_vec3_near(core_project(&b, 0.25, abut_vec3_make(3, 0, 0.5)), abut_vec3_make(0.25, 0, 0.5), 1e-15);
    assert_vec3_near(core_project(&b, 0.5, abut_vec3_make(3, 0, 9)), abut_vec3_make(0, 0, 1), 1e-15);
    /* A long cylinder eroded by its radius is almost its axis; a point beside it projects straight on the axis. */
    convex c = place(cylinder, abut_pose_identity());
    abut_vec3 on_axis = core_project(&c, convex_inradius(&c), abut_vec3_make(5, 1, 1.25));
    assert_vec3_near(on_axis, abut_vec3_make(0, 0, 1.25), 1e-6);
    abut_shape_release(box);
    abut_shape_release(capsule);
    abut_shape_release(cylinder);
}

/* The slab and the cube at its rim: the points lie over each other, one inradius inside either face. */
static void slab_and_cube(void **state) {
    (void)state;
    solid slab = solid_box(abut_vec3_make(5, 5, 0.5)), cube = solid_box(abut_vec3_make(0.5, 0.5, 0.5));
    abut_shape *as_box = NULL, *as_polytope = solid_shape(&slab), *small = solid_shape(&cube);
    assert_ok(abut_shape_create_box(abut_vec3_make(5, 5, 0.5), &as_box));
    abut_pose pose = abut_pose_identity();
    pose.position = abut_vec3_make(4.4, 0.1, 0.99);
    convex a = place(small, pose);
    const abut_shape *lower[2] = {as_box, as_polytope};
    for (int i = 0; i < 2; i++) {
        convex b = place(lower[i], abut_pose_identity());
        abut_vec3 point_a, point_b, swapped_a, swapped_b;
        assert_true(core_points(&a, &b, &point_a, &point_b));
        assert_vec3_near(point_a, pose.position, 1e-7);
        assert_vec3_near(point_b, abut_vec3_make(4.4, 0.1, 0), 1e-7);
        assert_true(core_points(&b, &a, &swapped_b, &swapped_a));
        assert_vec3_near(swapped_a, point_a, 1e-7);
        assert_vec3_near(swapped_b, point_b, 1e-7);
        pose.position.z = 1e-4; /* as deep as both inradii: the cores nearly meet */
        convex sunk = place(small, pose);
        assert_false(core_points(&sunk, &b, &point_a, &point_b));
        pose.position.z = 0.99;
    }
    abut_shape_release(as_box);
    abut_shape_release(as_polytope);
    abut_shape_release(small);
    solid_free(&slab);
    solid_free(&cube);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(projection_on_eroded_polytopes), cmocka_unit_test(closed_forms),
                                       cmocka_unit_test(slab_and_cube)};
    return cmocka_run_group_tests_name("narrow/normal/growth/core_points", tests, NULL, NULL);
}
