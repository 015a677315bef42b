/*
 * Frictionless sliding over hills folded from flat strips: the motion is that over the smooth hills that they sample. Energy is constant up
 * to the effect of the folds and the step; the body keeps its distance, and nothing pushes it sideways.
 */
#include <abut/abut.h>

#include <stdlib.h>

#include "support/check.h"

#define HEIGHT 0.15 /* of the hills: z = HEIGHT cos x */
#define RADIUS 0.3
#define ACROSS 2.03

static void add_hills(abut_world *world, int32_t strips) {
    enum { ROWS = 21 };
    int32_t columns = strips + 1;
    double width = 12.566370614359172 / strips, *heights = check_memory((size_t)(columns * ROWS), sizeof *heights);
    for (int32_t i = 0; i < columns * ROWS; i++) {
        heights[i] = HEIGHT * cos(width * (i % columns));
    }
    abut_heightfield_def def = {.heights = heights, .columns = columns, .rows = ROWS, .spacing_x = width, .spacing_y = 0.2};
    abut_body_def body = abut_body_def_default();
    abut_shape *hills = NULL;
    assert_ok(abut_shape_create_heightfield(&def, &hills));
    body.kind = ABUT_BODY_STATIC;
    body.shape = hills;
    body.friction = 0.0;
    assert_ok(abut_world_add_body(world, &body, NULL));
    abut_shape_release(hills);
    free(heights);
}

static double distance_from_hills(abut_vec3 p) {
    double least = INFINITY;
    for (double x = p.x - 0.4; x < p.x + 0.4; x += 5e-4) {
        double dx = x - p.x, dz = p.z - HEIGHT * cos(x);
        least = fmin(least, sqrt(dx * dx + dz * dz));
    }
    return least;
}

static double energy_of(const abut_body_state *s) { return 0.5 * abut_length_squared(s->motion.linear) + 9.81 * s->pose.position.z; }

static void slide(abut_shape *shape, abut_quat rotation, int32_t strips) {
    abut_world_def def = abut_world_def_default();
    def.fixed.sleeping = false;
    abut_world *world = NULL;
    assert_ok(abut_world_create(&def, &world));
    add_hills(world, strips);
    abut_body_def body = abut_body_def_default();
    double slope = -HEIGHT * sin(1.0), length = sqrt(1.0 + slope * slope);
    body.shape = shape;
    body.friction = 0.0;
    body.pose = (abut_pose){{1.0 - RADIUS * slope / length, ACROSS, HEIGHT * cos(1.0) + RADIUS / length}, rotation};
    body.motion.linear = abut_vec3_make(2.5, 0.0, 2.5 * slope);
    abut_body_id id;
    abut_body_state state;
    assert_ok(abut_world_add_body(world, &body, &id));
    assert_ok(abut_world_body_state(world, id, &state));
    double before = energy_of(&state), moving = 0.5 * abut_length_squared(state.motion.linear);
    for (int step = 0; step < 200; step++) {
        assert_ok(abut_world_step(world, 1.0 / 120.0, NULL));
        assert_ok(abut_world_body_state(world, id, &state));
        assert_near(energy_of(&state), before, 0.02 * moving);
        assert_near(state.pose.position.y, ACROSS, 1e-9);
        assert_near(distance_from_hills(state.pose.position), RADIUS, 1.5e-3);
    }
    abut_world_destroy(world);
}

static void folded_hills_are_smooth(void **state) {
    (void)state;
    abut_shape *ball = NULL, *capsule = NULL;
    assert_ok(abut_shape_create_sphere(RADIUS, &ball));
    assert_ok(abut_shape_create_capsule(RADIUS, 0.4, &capsule));
    static const int32_t strips[] = {60, 120, 240, 480, 960};
    for (size_t i = 0; i < sizeof strips / sizeof *strips; i++) {
        slide(ball, abut_quat_identity(), strips[i]);
        slide(capsule, abut_quat_about(abut_vec3_make(1, 0, 0), 1.5707963267948966), strips[i]);
    }
    abut_shape_release(ball);
    abut_shape_release(capsule);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(folded_hills_are_smooth)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
