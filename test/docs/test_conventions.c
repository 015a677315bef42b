/* Checks docs/use/conventions.md line by line: frames, poses, the side that a normal points to, the sign of a gap, and the side that a force acts on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include <abut/abut.h>

static void assert_near(double value, double expected, double tolerance, const char *what) {
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%s: %.17g instead of %.17g", what, value, expected);
    }
}

static void assert_vector(abut_vec3 value, double x, double y, double z, const char *what) {
    if (!(abut_distance_between(value, abut_vec3_make(x, y, z)) <= 1e-12)) {
        fail_msg("%s: (%.17g, %.17g, %.17g) instead of (%g, %g, %g)", what, value.x, value.y, value.z, x, y, z);
    }
}

static const double quarter_turn = 1.5707963267948966;

static void test_frames_are_right_handed(void **state) {
    (void)state;
    assert_vector(abut_cross(abut_vec3_make(1, 0, 0), abut_vec3_make(0, 1, 0)), 0, 0, 1, "x cross y");
}

static void test_a_quaternion_is_x_y_z_w_and_turns_body_to_world(void **state) {
    (void)state;
    abut_quat turn = abut_quat_about(abut_vec3_make(0, 0, 1), quarter_turn);
    assert_near(turn.z, sqrt(0.5), 1e-15, "z of a quarter turn about z");
    assert_near(turn.w, sqrt(0.5), 1e-15, "w of a quarter turn about z");
    assert_vector(abut_quat_rotate(turn, abut_vec3_make(1, 0, 0)), 0, 1, 0, "x turned a quarter about z");
    abut_pose pose = {{10, 0, 0}, turn};
    assert_vector(abut_pose_apply(pose, abut_vec3_make(1, 0, 0)), 10, 1, 0, "a point of the body in the world");
    assert_vector(abut_pose_apply_inverse(pose, abut_vec3_make(10, 1, 0)), 1, 0, 0, "and back");
}

static void test_a_matrix_is_its_columns(void **state) {
    (void)state;
    abut_mat3 turn = abut_mat3_from_quat(abut_quat_about(abut_vec3_make(0, 0, 1), quarter_turn));
    assert_vector(turn.x, 0, 1, 0, "first column");
    assert_vector(turn.y, -1, 0, 0, "second column");
    assert_vector(abut_mat3_apply(turn, abut_vec3_make(1, 0, 0)), 0, 1, 0, "matrix times x");
}

/* A above B, along z. The lowest point of A is `height` above the highest of B. */
typedef struct pair {
    const char *name;
    abut_shape *a, *b;
    double reach; /* distance from the origins of both to the surface, towards each other */
} pair;

static void make_pairs(pair pairs[4]) {
    abut_shape *cube = NULL, *ball = NULL, *ground = NULL;
    assert_int_equal(abut_shape_create_box(abut_vec3_make(0.5, 0.5, 0.5), &cube), ABUT_OK);
    assert_int_equal(abut_shape_create_sphere(0.5, &ball), ABUT_OK);
    assert_int_equal(abut_shape_create_plane(abut_vec3_make(0, 0, 1), 0.0, &ground), ABUT_OK);
    pairs[0] = (pair){"box on box", cube, cube, 1.0};
    pairs[1] = (pair){"ball on ball", ball, ball, 1.0};
    pairs[2] = (pair){"ball on box", ball, cube, 1.0};
    pairs[3] = (pair){"box on plane", cube, ground, 0.5};
}

static void release_pairs(pair pairs[4]) {
    abut_shape_release(pairs[0].a);
    abut_shape_release(pairs[1].a);
    abut_shape_release(pairs[3].b);
}

static int32_t collide(const pair *pair, double gap, bool swapped, abut_contact contacts[16]) {
    abut_pose lower = abut_pose_identity(), upper = abut_pose_identity();
    upper.position.z = pair->reach + gap;
    abut_collide_settings settings = abut_collide_settings_default();
    settings.margin = 0.1;
    int32_t count = 0;
    abut_status status = swapped ? abut_collide(&(abut_pair){pair->b, lower, pair->a, upper}, &settings, NULL, contacts, 16, &count)
                                 : abut_collide(&(abut_pair){pair->a, upper, pair->b, lower}, &settings, NULL, contacts, 16, &count);
    assert_int_equal(status, ABUT_OK);
    assert_true(count > 0);
    return count;
}

static void test_the_normal_points_from_b_into_a(void **state) {
    (void)state;
    pair pairs[4];
    make_pairs(pairs);
    for (int i = 0; i < 4; i++) {
        abut_contact contacts[16];
        for (int32_t j = collide(&pairs[i], -0.01, false, contacts); j-- > 0;) {
            assert_vector(contacts[j].normal, 0, 0, 1, pairs[i].name);
        }
        for (int32_t j = collide(&pairs[i], -0.01, true, contacts); j-- > 0;) {
            assert_vector(contacts[j].normal, 0, 0, -1, pairs[i].name);
        }
    }
    release_pairs(pairs);
}

static void test_the_gap_is_negative_when_penetrating_and_positive_when_apart(void **state) {
    (void)state;
    pair pairs[4];
    make_pairs(pairs);
    const double gaps[] = {-0.01, 0.0, 0.01};
    for (int i = 0; i < 4; i++) {
        for (int g = 0; g < 3; g++) {
            for (int swapped = 0; swapped < 2; swapped++) {
                abut_contact contacts[16];
                for (int32_t j = collide(&pairs[i], gaps[g], swapped == 1, contacts); j-- > 0;) {
                    const abut_contact *contact = &contacts[j];
                    assert_near(contact->gap, gaps[g], 1e-12, pairs[i].name);
                    assert_near(contact->gap, abut_dot(contact->normal, abut_sub(contact->on_a, contact->on_b)), 1e-12, "n . (a - b)");
                }
            }
        }
    }
    release_pairs(pairs);
}

static void test_points_lie_on_their_own_shapes(void **state) {
    (void)state;
    pair pairs[4];
    make_pairs(pairs);
    for (int i = 0; i < 4; i++) {
        abut_contact contacts[16];
        collide(&pairs[i], -0.01, false, contacts);
        double top_of_b = pairs[i].reach - 0.5;
        assert_near(contacts[0].on_b.z, top_of_b, 1e-12, pairs[i].name);
        assert_near(contacts[0].on_a.z, top_of_b - 0.01, 1e-12, pairs[i].name);
    }
    release_pairs(pairs);
}

static void test_corners_run_counter_clockwise_about_the_normal(void **state) {
    (void)state;
    pair pairs[4];
    make_pairs(pairs);
    for (int swapped = 0; swapped < 2; swapped++) {
        abut_contact contacts[16];
        int32_t count = collide(&pairs[0], -0.01, swapped == 1, contacts);
        assert_int_equal(count, 4);
        abut_vec3 area = {0, 0, 0};
        for (int32_t j = 0; j < count; j++) {
            area = abut_add_scaled(area, 0.5, abut_cross(contacts[j].on_b, contacts[(j + 1) % count].on_b));
        }
        assert_near(abut_dot(area, contacts[0].normal), 1.0, 1e-12, "signed area of the patch");
    }
    release_pairs(pairs);
}

static void test_forces_act_on_a_along_the_normal(void **state) {
    (void)state;
    pair pairs[4];
    make_pairs(pairs);
    abut_world *world = NULL;
    assert_int_equal(abut_world_create(NULL, &world), ABUT_OK);
    abut_body_def ground = abut_body_def_default(), cube = abut_body_def_default();
    ground.kind = ABUT_BODY_STATIC;
    ground.shape = pairs[3].b;
    cube.shape = pairs[0].a;
    cube.pose.position.z = 0.5;
    abut_body_id ground_id, cube_id;
    assert_int_equal(abut_world_add_body(world, &ground, &ground_id), ABUT_OK);
    assert_int_equal(abut_world_add_body(world, &cube, &cube_id), ABUT_OK);
    for (int step = 0; step < 30; step++) {
        assert_int_equal(abut_world_step(world, 1.0 / 60.0, NULL), ABUT_OK);
    }
    const abut_world_contact *contacts = NULL;
    int32_t count = 0;
    assert_int_equal(abut_world_contacts(world, &contacts, &count), ABUT_OK);
    assert_true(count > 0);
    double lift = 0.0;
    for (int32_t j = 0; j < count; j++) {
        double on_a = contacts[j].normal_force * contacts[j].contact.normal.z;
        lift += contacts[j].a.index == cube_id.index ? on_a : -on_a;
    }
    /* A cube of 1000 kg, carried by the ground. */
    assert_near(lift, 9810.0, 98.1, "the contact force on the cube");
    abut_world_destroy(world);
    release_pairs(pairs);
}

static void test_angular_velocity_turns_right_handed(void **state) {
    (void)state;
    pair pairs[4];
    make_pairs(pairs);
    abut_world_def def = abut_world_def_default();
    def.gravity = abut_vec3_make(0, 0, 0);
    abut_world *world = NULL;
    assert_int_equal(abut_world_create(&def, &world), ABUT_OK);
    abut_body_def ball = abut_body_def_default();
    ball.shape = pairs[1].a;
    ball.motion.angular = abut_vec3_make(0, 0, 1);
    abut_body_id id;
    assert_int_equal(abut_world_add_body(world, &ball, &id), ABUT_OK);
    assert_int_equal(abut_world_step(world, 0.01, NULL), ABUT_OK);
    abut_body_state moved;
    assert_int_equal(abut_world_body_state(world, id, &moved), ABUT_OK);
    abut_vec3 x = abut_quat_rotate(moved.pose.rotation, abut_vec3_make(1, 0, 0));
    assert_near(x.y, 0.01, 1e-4, "x turned about z");
    abut_world_destroy(world);
    release_pairs(pairs);
}

static void test_a_distance_is_a_gap(void **state) {
    (void)state;
    pair pairs[4];
    make_pairs(pairs);
    const double gaps[] = {-0.01, 0.0, 0.01};
    for (int i = 0; i < 4; i++) {
        for (int g = 0; g < 3; g++) {
            abut_pose lower = abut_pose_identity(), upper = abut_pose_identity();
            upper.position.z = pairs[i].reach + gaps[g];
            abut_separation s;
            bool overlap;
            assert_int_equal(abut_distance(&(abut_pair){pairs[i].a, upper, pairs[i].b, lower}, NULL, NULL, &s), ABUT_OK);
            assert_int_equal(abut_overlap(&(abut_pair){pairs[i].a, upper, pairs[i].b, lower}, NULL, &overlap), ABUT_OK);
            assert_near(s.gap, gaps[g], 1e-12, pairs[i].name);
            assert_near(s.gap, abut_dot(s.normal, abut_sub(s.on_a, s.on_b)), 1e-12, "n . (a - b)");
            assert_vector(s.normal, 0, 0, 1, pairs[i].name);
            assert_near(s.on_b.z, pairs[i].reach - 0.5, 1e-12, "on_b lies on B");
            assert_true(overlap == (gaps[g] <= 0.0) && overlap == (s.gap <= 0.0));
        }
    }
    release_pairs(pairs);
}

static void test_a_ray_meets_an_outward_normal(void **state) {
    (void)state;
    pair pairs[4];
    make_pairs(pairs);
    for (int i = 0; i < 4; i++) {
        double top = pairs[i].reach - 0.5;
        abut_hit hit;
        abut_vec3 origin = {0, 0, top + 1}, down = {0, 0, -4};
        assert_int_equal(abut_ray_cast(pairs[i].b, abut_pose_identity(), origin, down, &hit), ABUT_OK);
        assert_true(hit.hit);
        assert_near(hit.fraction, 0.25, 1e-12, "fraction of the way");
        assert_vector(hit.normal, 0, 0, 1, pairs[i].name);
        assert_vector(hit.point, 0, 0, top, pairs[i].name);
    }
    release_pairs(pairs);
}

static void test_a_cast_meets_on_b_with_the_normal_into_a(void **state) {
    (void)state;
    pair pairs[4];
    make_pairs(pairs);
    const double tolerance = 1e-6;
    for (int i = 0; i < 4; i++) {
        abut_pose lower = abut_pose_identity(), upper = abut_pose_identity();
        upper.position.z = pairs[i].reach + 1.0;
        abut_motion down = {{0, 0, -2}, {0, 0, 0}}, still = {{0, 0, 0}, {0, 0, 0}};
        abut_hit hit;
        assert_int_equal(abut_shape_cast(&(abut_pair){pairs[i].a, upper, pairs[i].b, lower}, down, still, tolerance, &hit), ABUT_OK);
        assert_true(hit.hit);
        assert_near(hit.fraction, 0.5, tolerance, "fraction of the way");
        assert_vector(hit.normal, 0, 0, 1, pairs[i].name);
        assert_near(hit.point.z, pairs[i].reach - 0.5, 1e-12, "the point lies on B");
        assert_int_equal(abut_shape_cast(&(abut_pair){pairs[i].b, lower, pairs[i].a, upper}, still, down, tolerance, &hit), ABUT_OK);
        assert_vector(hit.normal, 0, 0, -1, pairs[i].name);
        assert_near(hit.point.z, pairs[i].reach - 0.5 + 2.0 * (0.5 - hit.fraction), 1e-12, "the point lies on B");
    }
    release_pairs(pairs);
}

/* A knob at the end of an arm along +x turns about the z axis towards +y, until it meets a ball on the y axis. */
static void test_a_motion_turns_right_handed_about_the_frames_origin(void **state) {
    (void)state;
    abut_shape *knob = NULL, *arm = NULL;
    assert_int_equal(abut_shape_create_sphere(0.5, &knob), ABUT_OK);
    abut_part part = {knob, abut_pose_identity()};
    part.pose.position.x = 3.0;
    assert_int_equal(abut_shape_create_compound(&part, 1, &arm), ABUT_OK);
    abut_pose ball = abut_pose_identity();
    ball.position.y = 3.0;
    abut_motion turn = {{0, 0, 0}, {0, 0, quarter_turn}}, back = {{0, 0, 0}, {0, 0, -quarter_turn}}, still = {{0, 0, 0}, {0, 0, 0}};
    abut_hit hit;
    assert_int_equal(abut_shape_cast(&(abut_pair){arm, abut_pose_identity(), knob, ball}, turn, still, 1e-9, &hit), ABUT_OK);
    assert_true(hit.hit);
    /* The centres are 1 apart, on a circle of radius 3. */
    assert_near(hit.fraction, 1.0 - 2.0 * asin(1.0 / 6.0) / quarter_turn, 1e-8, "fraction of the turn");
    assert_int_equal(abut_shape_cast(&(abut_pair){arm, abut_pose_identity(), knob, ball}, back, still, 1e-9, &hit), ABUT_OK);
    assert_false(hit.hit);
    abut_shape_release(knob);
    abut_shape_release(arm);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames_are_right_handed),
        cmocka_unit_test(test_a_quaternion_is_x_y_z_w_and_turns_body_to_world),
        cmocka_unit_test(test_a_matrix_is_its_columns),
        cmocka_unit_test(test_the_normal_points_from_b_into_a),
        cmocka_unit_test(test_the_gap_is_negative_when_penetrating_and_positive_when_apart),
        cmocka_unit_test(test_points_lie_on_their_own_shapes),
        cmocka_unit_test(test_corners_run_counter_clockwise_about_the_normal),
        cmocka_unit_test(test_forces_act_on_a_along_the_normal),
        cmocka_unit_test(test_angular_velocity_turns_right_handed),
        cmocka_unit_test(test_a_distance_is_a_gap),
        cmocka_unit_test(test_a_ray_meets_an_outward_normal),
        cmocka_unit_test(test_a_cast_meets_on_b_with_the_normal_into_a),
        cmocka_unit_test(test_a_motion_turns_right_handed_about_the_frames_origin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
