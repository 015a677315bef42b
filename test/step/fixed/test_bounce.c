/*
 * Impacts with restitution, without gravity: the speed after the impact against Newton's law, and the energy against that before.
 */

#include "support/bodies.h"
#include "support/check.h"
#include "support/random.h"
#include "support/shapes.h"

#include <abut/world.h>

static const double step = 1.0 / 60.0;

static abut_body_id put_with(abut_world *world, abut_body_def def, abut_shape *shape, double restitution, double friction) {
    def.restitution = restitution;
    def.friction = friction;
    return put_as(world, def, shape);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(struck_by_a_paddle), cmocka_unit_test(bounces_of_a_turned_box)};
    return cmocka_run_group_tests_name("step/bounce", tests, NULL, NULL);
}
