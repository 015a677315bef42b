/*
 * Kinematic bodies that stop: a body on them stays at rest, and a falling body is caught where they are, not where they were. Bodies that strike and bounce.
 */

#include "support/bodies.h"
#include "support/check.h"
#include "support/random.h"
#include "support/shapes.h"

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

/* ---- impacts without gravity ---- */

static abut_world *floating_world(void) {
    abut_world *world = world_of(ABUT_STEPPER_FIXED);
    assert_ok(abut_world_set_gravity(world, abut_vec3_make(0, 0, 0)));
    return world;
}

static abut_body_id put_with(abut_world *world, abut_body_def def, abut_shape *shape, double restitution, double friction) {
    abut_body_id id;
    def.shape = shape;
    def.restitution = restitution;
    def.friction = friction;
    assert_ok(abut_world_add_body(world, &def, &id));
    abut_shape_release(shape);
    return id;
}

/* A moving paddle strikes a body: it brings in energy, and the body parts from it e times as fast as they have met. */
static void struck_by_a_paddle(void **state) {
    (void)state;
    random_state random = random_make(random_seed("struck_by_a_paddle", 5));
    for (int sample = 0; sample < 300; sample++) {
        double speed = random_log_range(&random, 1.0, 50.0), toward = sample % 3 == 0 ? 0.0 : random_range(&random, 0.0, 20.0);
        double restitution = 0.25 * random_below(&random, 5), friction = random_range(&random, 0.0, 1.0);
        abut_world *world = floating_world();
        abut_body_def paddle = abut_body_def_default(), struck = abut_body_def_default();
        paddle.kind = ABUT_BODY_KINEMATIC;
        paddle.motion.linear.x = speed;
        put_with(world, paddle, box(0.1, 2, 2), restitution, friction);
        struck.pose.position.x = 0.2 + random_log_range(&random, 1e-4, 1.0);
        struck.motion.linear.x = -toward;
        abut_body_id id = put_with(world, struck, sample % 2 == 0 ? sphere(0.1) : box(0.1, 0.1, 0.1), restitution, friction);
        abut_body_state after;
        for (int i = 0; i < 600; i++) {
            assert_ok(abut_world_step(world, step / 5, NULL));
        }
        assert_ok(abut_world_body_state(world, id, &after));
        double right = speed + restitution * (speed + toward);
        assert_near(after.motion.linear.x, right, 1e-6 * right);
        assert_near(abut_length(after.motion.angular), 0.0, 1e-6 * right);
        abut_world_destroy(world);
    }
}

/* A turned box bounces on a smooth plate without losses: it gains no energy, and loses little but where several corners strike at once, or strike slowly. */
static void bounces_of_a_turned_box(void **state) {
    (void)state;
    random_state random = random_make(random_seed("bounces_of_a_turned_box", 6));
    int kept = 0;
    for (int sample = 0; sample < 300; sample++) {
        abut_world *world = floating_world();
        abut_body_def plate = abut_body_def_default(), shot = abut_body_def_default();
        plate.kind = ABUT_BODY_STATIC;
        plate.pose.position.z = -0.5;
        put_with(world, plate, box(50, 50, 0.5), 1.0, 0.0);
        shot.pose.position.z = 1.0;
        shot.pose.rotation = random_rotation(&random);
        shot.motion.linear.z = -random_log_range(&random, 0.6, 10.0);
        shot.motion.angular = abut_scale(random_range(&random, 0.0, 10.0), random_direction(&random));
        put_with(world, shot, box(0.1, 0.2, 0.3), 1.0, 0.0);
        abut_step_report before, after;
        assert_ok(abut_world_report(world, &before));
        for (int i = 0; i < 120; i++) {
            assert_ok(abut_world_step(world, step, &after));
        }
        kept += after.kinetic_energy >= 0.9 * before.kinetic_energy;
        assert_true(after.kinetic_energy <= (1.0 + 1e-9) * before.kinetic_energy);
        abut_world_destroy(world);
    }
    print_message("%d of 300 kept nine tenths of their energy\n", kept);
    assert_true(kept >= 285);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(stopped_lift), cmocka_unit_test(block_under_a_ball),
                                       cmocka_unit_test(struck_by_a_paddle), cmocka_unit_test(bounces_of_a_turned_box)};
    return cmocka_run_group_tests_name("step/kinematic", tests, NULL, NULL);
}
