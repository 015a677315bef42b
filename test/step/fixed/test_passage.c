/* What the guard refuses: more substeps than it can note, ways that are too long. */
#include <abut/abut.h>

#include "support/bodies.h"
#include "support/check.h"
#include "support/refusal.h"
#include "support/shapes.h"

static abut_body_id throw(abut_world * world, double speed) {
    abut_body_def def = abut_body_def_default();
    abut_body_id id;
    abut_shape *ball = sphere(0.5);
    def.shape = ball;
    def.motion.linear.x = speed;
    assert_ok(abut_world_add_body(world, &def, &id));
    abut_shape_release(ball);
    return id;
}

/* The path of a fast body has a point more than there are substeps. */
static void test_the_most_substeps(void **state) {
    (void)state;
    abut_world_def def = abut_world_def_default();
    abut_world *world = NULL;
    def.fixed.substeps = INT32_MAX;
    assert_ok(abut_world_create(&def, &world));
    throw(world, 1e3);
    assert_status(abut_world_step(world, 1.0 / 60.0, NULL), ABUT_ERROR_OUT_OF_MEMORY);
    abut_world_destroy(world);
}

/* The log names the body. */
static void test_a_way_that_is_too_long(void **state) {
    (void)state;
    abut_world *world = world_of(ABUT_STEPPER_FIXED);
    put(world, ABUT_BODY_STATIC, box(1, 1, 1), at(10, 0, 0));
    throw(world, 1e200);
    refusal_listen();
    if (ABUT_TEST_HAS_MESSAGES) {
        REFUSES(ABUT_ERROR_NOT_FINITE, "body 2 (generation 0): its way in the step is too long", abut_world_step(world, 1.0 / 60.0, NULL));
    } else {
        assert_status(abut_world_step(world, 1.0 / 60.0, NULL), ABUT_ERROR_NOT_FINITE);
    }
    refusal_silence();
    abut_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_most_substeps),
        cmocka_unit_test(test_a_way_that_is_too_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
