/*
 * The event stepper feels no joint between level static boxes either: its contacts hold at the exact place, where the edge of the next slab touches nothing.
 */
#include <abut/abut.h>

#include "support/check.h"
#include "support/shapes.h"

enum { SLABS = 11 };

static abut_shape *rider(int kind, abut_pose *pose) {
    const double quarter = 0.5 * 3.14159265358979323846;
    switch (kind) {
    case 0:
        *pose = at(0.0, 0.0, 0.25);
        return sphere(0.25);
    case 1:
        *pose = at(0.0, 0.0, 0.15);
        return box(0.3, 0.2, 0.15);
    default:
        *pose = turned(at(0.0, 0.0, 0.2), abut_vec3_make(0.0, 1.0, 0.0), quarter);
        return capsule(0.2, 0.2);
    }
}

static void slide(int kind, double gap) {
    abut_world_def def = abut_world_def_default();
    abut_world *world = NULL;
    def.stepper = ABUT_STEPPER_EVENT;
    assert_ok(abut_world_create(&def, &world));
    abut_body_def slab = abut_body_def_default();
    slab.kind = ABUT_BODY_STATIC;
    slab.shape = box(0.45, 2.0, 0.2);
    for (int i = 0; i < SLABS; i++) {
        slab.pose = at(i * (0.9 + gap), 0.0, -0.2);
        assert_ok(abut_world_add_body(world, &slab, NULL));
    }
    abut_shape_release((abut_shape *)slab.shape);
    abut_body_def body = abut_body_def_default();
    body.shape = rider(kind, &body.pose);
    body.motion.linear = abut_vec3_make(4.0, 0.1, 0.0);
    abut_body_id id;
    assert_ok(abut_world_add_body(world, &body, &id));
    abut_shape_release((abut_shape *)body.shape);
    for (int k = 0; k < 110; k++) {
        abut_body_state p;
        assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
        assert_ok(abut_world_body_state(world, id, &p));
        assert_near(p.motion.linear.x, 4.0, 4e-3);
        assert_near(p.motion.linear.z, 0.0, 4e-3);
        assert_near(p.pose.position.z, body.pose.position.z, 1e-6);
    }
    abut_world_destroy(world);
}

static void test_level_slabs(void **state) {
    (void)state;
    static const double gaps[] = {0.0, 1e-9, -1e-9, 1e-6, -1e-6};
    for (int kind = 0; kind < 3; kind++) {
        for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++) {
            slide(kind, gaps[g]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_level_slabs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
