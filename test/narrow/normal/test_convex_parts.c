/* Parts of bodies in the pair's frame: their placement, and their bounding balls. */
#include "support/specimen.h"

#include "narrow/normal/convex_parts.h"

static void parts_of_every_kind(void **state) {
    (void)state;
    abut_shape *ball = NULL, *ground = NULL, *both = NULL;
    assert_ok(abut_shape_create_sphere(0.5, &ball));
    assert_ok(abut_shape_create_plane(abut_vec3_make(0, 0, 1), 2.0, &ground));
    abut_part parts[2] = {{ball, abut_pose_identity()}, {ball, abut_pose_identity()}};
    parts[1].pose.position = abut_vec3_make(3, 0, 0);
    assert_ok(abut_shape_create_compound(parts, 2, &both));
    abut_mat3 turn = abut_mat3_from_quat(abut_quat_about(abut_vec3_make(0, 1, 0), -1.5707963267948966)); /* x becomes z */
    abut_vec3 place = {10, 20, 30};
    convex_parts placed;

    assert_true(convex_parts_place(ball, turn, place, &placed));
    assert_int_equal(placed.count, 1);
    assert_false(placed.is_plane);
    assert_vec3_near(placed.part[0].position, place, 0.0);
    convex_parts_free(&placed);

    assert_true(convex_parts_place(both, turn, place, &placed));
    assert_int_equal(placed.count, 2);
    assert_vec3_near(placed.part[1].position, abut_vec3_make(10, 20, 33), 1e-14);
    assert_int_equal(placed.part[1].part, 1);
    convex_parts_free(&placed);

    assert_true(convex_parts_place(ground, turn, place, &placed)); /* its normal becomes -x: x >= 10 - 2 */
    assert_int_equal(placed.count, 0);
    assert_true(placed.is_plane);
    assert_vec3_near(placed.outward, abut_vec3_make(-1, 0, 0), 1e-15);
    assert_near(placed.offset, -8.0, 1e-14);
    convex_parts_free(&placed);
    abut_shape_release(ball);
    abut_shape_release(ground);
    abut_shape_release(both);
}

static void balls_hold_their_parts(void **state) {
    (void)state;
    random_state random = random_make(random_seed("balls_hold_their_parts", 561));
    for (int i = 0; i < 1000; i++) {
        specimen s = specimen_random(&random, random_log_range(&random, 1e-3, 1e3));
        abut_pose in_body = random_pose(&random, s.size), body = random_pose(&random, 10.0);
        abut_part part = {s.shape, in_body};
        abut_shape *shape = NULL;
        convex_parts placed, alone;
        assert_ok(abut_shape_create_compound(&part, 1, &shape));
        assert_true(convex_parts_place(shape, abut_mat3_from_quat(body.rotation), body.position, &placed));
        assert_true(convex_parts_place(s.shape, abut_mat3_from_quat(body.rotation), body.position, &alone));
        oracle_body oracle = specimen_oracle(&s, abut_pose_compose(body, in_body)), oracle_alone = specimen_oracle(&s, body);
        for (int k = 0; k < 20; k++) {
            abut_vec3 direction = random_direction(&random);
            assert_true(oracle_support(&oracle, direction) <= abut_dot(direction, placed.ball[0].centre) + placed.ball[0].radius);
            assert_true(oracle_support(&oracle_alone, direction) <= abut_dot(direction, alone.ball[0].centre) + alone.ball[0].radius);
        }
        assert_true(placed.ball[0].radius <= 3.5 * s.size);
        oracle_free(&oracle);
        oracle_free(&oracle_alone);
        convex_parts_free(&placed);
        convex_parts_free(&alone);
        abut_shape_release(shape);
        specimen_free(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts_of_every_kind), cmocka_unit_test(balls_hold_their_parts)};
    return cmocka_run_group_tests_name("narrow/normal/convex_parts", tests, NULL, NULL);
}
