/* Radii of recorded shapes, against closed forms. */
#include "io/record/shape_radius.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/demo_recording.h"
#include "support/demo_scene.h"

static void test_radii_bound_the_shapes(void **state) {
    (void)state;
    abut_recording *recording = demo_recording(ABUT_TEST_SCRATCH_DIR "/demo.h5", 0);
    const double expected[DEMO_BODIES] = {
        [DEMO_FLOOR] = 0.0, [DEMO_BOX] = sqrt(0.5), [DEMO_BALL] = 0.2, [DEMO_CAPSULE] = 0.5, [DEMO_HULL] = 0.4, [DEMO_LIFT] = sqrt(0.26)};
    for (int32_t i = 0; i < DEMO_BODIES; i++) {
        abut_recorded_body body;
        assert_int_equal(abut_recording_body(recording, i, &body), ABUT_OK);
        double radius = recording_shape_radius(recording, body.shape);
        if (i == DEMO_DUMBBELL) {
            assert_true(radius >= 0.65 && radius < 0.4 + 0.35);
        } else {
            assert_true(fabs(radius - expected[i]) < 1e-12);
        }
    }
    assert_true(recording_shape_radius(recording, -1) == 0.0);
    abut_recording_close(recording);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_radii_bound_the_shapes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
