/*
 * Kinematic bodies that stop: a body on them stays at rest, and a falling body is caught where they are, not where they were.
 */

#include "support/check.h"

#include <abut/world.h>

static const double step = 1.0 / 60.0;

static abut_body_id add(abut_world *world, abut_shape *shape, abut_body_kind kind, abut_vec3 position, abut_vec3 velocity) {
    abut_body_def def = abut_body_def_default();
    def.kind = kind;
    def.shape = shape;
    def.pose.position = position;
    def.motion.linear = velocity;
    abut_body_id id;
    assert_ok(abut_world_add_body(world, &def, &id));
    return id;
}

static void stop(abut_world *world, abut_body_id id) {
    assert_ok(abut_world_set_body_motion(world, id, (abut_motion){abut_vec3_make(0, 0, 0), abut_vec3_make(0, 0, 0)}));
}

static double height_of(const abut_world *world, abut_body_id id) {
    abut_body_state state;
    assert_ok(abut_world_body_state(world, id, &state));
    return state.pose.position.z;
}

/* A lift of any thickness, also a plane, rises for a second and stops under a box. */
static void stopped_lift(void **state) {
    (void)state;
    static const double halves[] = {0.0, 0.02, 1.0}; /* 0: a plane */
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) {
        abut_world *world = NULL;
        abut_shape *lift_shape = NULL, *box = NULL;
        assert_ok(abut_world_create(NULL, &world));
        assert_ok(abut_shape_create_box(abut_vec3_make(0.2, 0.2, 0.2), &box));
        assert_ok(halves[i] > 0.0 ? abut_shape_create_box(abut_vec3_make(1, 1, halves[i]), &lift_shape)
                                  : abut_shape_create_plane(abut_vec3_make(0, 0, 1), 0, &lift_shape));
        abut_vec3 up = {0, 0, 2};
        abut_body_id lift = add(world, lift_shape, ABUT_BODY_KINEMATIC, abut_vec3_make(0, 0, 0), up);
        abut_body_id passenger = add(world, box, ABUT_BODY_DYNAMIC, abut_vec3_make(0, 0, halves[i] + 0.2), up);
        for (int k = 0; k < 180; k++) {
            if (k == 60) {
                stop(world, lift);
            }
            assert_ok(abut_world_step(world, step, NULL));
            assert_true(height_of(world, passenger) - height_of(world, lift) - halves[i] - 0.2 >= -1e-6);
        }
        assert_near(height_of(world, passenger) - height_of(world, lift), halves[i] + 0.2, 1e-5);
        abut_world_destroy(world);
        abut_shape_release(lift_shape);
        abut_shape_release(box);
    }
}

/* A small block moves under a falling ball and stops there. */
static void block_under_a_ball(void **state) {
    (void)state;
    static const double speeds[] = {5, 12, 20, 30};
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++) {
        abut_world *world = NULL;
        abut_shape *block_shape = NULL, *ball_shape = NULL;
        assert_ok(abut_world_create(NULL, &world));
        assert_ok(abut_shape_create_box(abut_vec3_make(0.1, 0.1, 0.1), &block_shape));
        assert_ok(abut_shape_create_sphere(0.05, &ball_shape));
        int steps = (int)(3.0 / (speeds[i] * step));
        abut_body_id block =
            add(world, block_shape, ABUT_BODY_KINEMATIC, abut_vec3_make(-speeds[i] * steps * step, 0, 0), abut_vec3_make(speeds[i], 0, 0));
        abut_body_id ball = add(world, ball_shape, ABUT_BODY_DYNAMIC, abut_vec3_make(0, 0, 2), abut_vec3_make(0, 0, 0));
        for (int k = 0; k < 120; k++) {
            if (k == steps) {
                stop(world, block);
            }
            assert_ok(abut_world_step(world, step, NULL));
        }
        assert_near(height_of(world, ball), 0.15, 1e-3); /* caught: a ball that is missed ends below -9 */
        abut_world_destroy(world);
        abut_shape_release(block_shape);
        abut_shape_release(ball_shape);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(stopped_lift), cmocka_unit_test(block_under_a_ball)};
    return cmocka_run_group_tests_name("step/kinematic", tests, NULL, NULL);
}
