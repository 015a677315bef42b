/* abut_overlap(): closed forms. Its agreement with abut_collide() and abut_distance() is tested in test_separation.c, its early exits in
 * test_gjk_overlap.c. */
#include <abut/query.h>

#include "support/shapes.h"
#include "support/specimen.h"

static bool overlap(const abut_shape *a, abut_pose pose_a, const abut_shape *b, abut_pose pose_b) {
    bool forth = false, back = false;
    assert_ok(abut_overlap(&(abut_pair){a, pose_a, b, pose_b}, NULL, &forth));
    assert_ok(abut_overlap(&(abut_pair){b, pose_b, a, pose_a}, NULL, &back));
    assert_true(forth == back);
    return forth;
}

/* Two half-spaces overlap unless their planes are parallel, face each other and have a gap. */
static void half_spaces(void **state) {
    (void)state;
    abut_shape *floor = NULL, *ceiling = NULL, *slope = NULL;
    assert_ok(abut_shape_create_plane(abut_vec3_make(0, 0, 1), 1.0, &floor));     /* z <= 1 */
    assert_ok(abut_shape_create_plane(abut_vec3_make(0, 0, -1), -3.0, &ceiling)); /* z >= 3 */
    assert_ok(abut_shape_create_plane(abut_vec3_make(1, 0, -1), -1e6, &slope));
    assert_false(overlap(floor, at(0, 0, 0), ceiling, at(0, 0, 0)));
    assert_false(overlap(floor, at(5, 6, 1.999), ceiling, at(0, 0, 0)));
    assert_true(overlap(floor, at(5, 6, 2.0), ceiling, at(0, 0, 0))); /* touching */
    assert_true(overlap(floor, at(5, 6, 2.001), ceiling, at(0, 0, 0)));
    assert_true(overlap(floor, at(0, 0, -100), floor, at(0, 0, 100))); /* one in the other */
    assert_true(overlap(floor, at(0, 0, 0), slope, at(0, 0, 0)));      /* they cross somewhere */
    abut_quat upside_down = abut_quat_about(abut_vec3_make(1, 0, 0), PI);
    abut_pose turned = at(0, 0, 2.5);
    turned.rotation = upside_down; /* the floor turned over: z >= 1.5 */
    assert_false(overlap(floor, at(0, 0, 0), floor, turned));
    turned.position.z = 1.5;
    assert_true(overlap(floor, at(0, 0, 0), floor, turned));
    abut_shape_release(floor);
    abut_shape_release(ceiling);
    abut_shape_release(slope);
}

static void parts_and_planes(void **state) {
    (void)state;
    abut_shape *ball = NULL, *dumbbell = NULL, *ground = NULL;
    assert_ok(abut_shape_create_sphere(0.5, &ball));
    assert_ok(abut_shape_create_plane(abut_vec3_make(0, 0, 1), 0.0, &ground));
    abut_part parts[2] = {{ball, at(-2, 0, 0)}, {ball, at(2, 0, 0)}};
    assert_ok(abut_shape_create_compound(parts, 2, &dumbbell));
    assert_false(overlap(dumbbell, at(0, 0, 0), ball, at(0, 0, 0))); /* between the two */
    assert_true(overlap(dumbbell, at(0, 0, 0), ball, at(1.1, 0, 0)));
    assert_true(overlap(dumbbell, at(0, 0, 0), ball, at(3, 0, 0))); /* touching */
    assert_true(overlap(dumbbell, at(0, 0, 0), dumbbell, at(3.2, 0, 0)));
    assert_false(overlap(dumbbell, at(0, 0, 0), dumbbell, at(2, 0, 0)));
    assert_true(overlap(dumbbell, at(0, 0, 0.5), ground, at(0, 0, 0)));
    assert_false(overlap(dumbbell, at(0, 0, 0.5 + 1e-9), ground, at(0, 0, 0)));
    abut_pose tipped = at(0, 0, 1.0);
    tipped.rotation = abut_quat_about(abut_vec3_make(0, 1, 0), 0.3);
    assert_true(overlap(dumbbell, tipped, ground, at(0, 0, 0)));
    abut_shape_release(ball);
    abut_shape_release(dumbbell);
    abut_shape_release(ground);
}

/* Swapping A and B, or moving both, changes nothing, unless they touch to the last digit. */
static void symmetries(void **state) {
    (void)state;
    random_state random = random_make(random_seed("symmetries", 531));
    int32_t count = 0;
    for (int i = 0; i < 5000; i++) {
        specimen a = specimen_random(&random, 1.0), b = specimen_random(&random, 1.0);
        abut_pose pose_a = random_pose(&random, 0.5), pose_b = random_pose(&random, 0.5), motion = random_pose(&random, 10.0);
        bool plain = overlap(a.shape, pose_a, b.shape, pose_b);
        assert_true(plain == overlap(a.shape, abut_pose_compose(motion, pose_a), b.shape, abut_pose_compose(motion, pose_b)));
        count += plain;
        specimen_free(&a);
        specimen_free(&b);
    }
    assert_true(count > 1000 && count < 4000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(half_spaces), cmocka_unit_test(parts_and_planes), cmocka_unit_test(symmetries)};
    return cmocka_run_group_tests_name("narrow/overlap", tests, NULL, NULL);
}
