/* A patch as one constraint: exact, even, and of the resultant that mechanics demands. */
#include "heap.h"

#include "solve/patch.h"

static const solver_rule rule = {1.0 / 240.0, 9.0, 3.0, 1e-14, 0.5};

static void test_a_cube_is_held_by_four_equal_impulses(void **state) {
    (void)state;
    heap h;
    heap_tower(&h, 1, 0.0, 0.5);
    heap_drop(&h, 2.0);
    solver_first_stage(&h.set, &rule);
    double change = solver_patch_solve(&h.bodies[1], &h.bodies[0], &h.patches[0], h.points);
    assert_true(change > 0.0);
    for (int i = 0; i < 4; i++) {
        assert_near(h.points[i].impulse.normal, 500.0, 1e-9);
        assert_near(solver_point_velocity(&h.bodies[1], &h.bodies[0], &h.patches[0], &h.points[i]), 0.0, 1e-14);
    }
    /* Solved is solved. */
    assert_true(solver_patch_solve(&h.bodies[1], &h.bodies[0], &h.patches[0], h.points) < 1e-13);
}

static void test_spin_is_stopped_as_well(void **state) {
    (void)state;
    heap h;
    heap_tower(&h, 1, 0.0, 0.5);
    heap_drop(&h, 2.0);
    h.bodies[1].angular_velocity = abut_make_vec3(0.3, -0.2, 0.7);
    solver_first_stage(&h.set, &rule);
    assert_true(solver_patch_solve(&h.bodies[1], &h.bodies[0], &h.patches[0], h.points) > 0.0);
    assert_vec3_near(h.bodies[1].velocity, abut_make_vec3(0, 0, 0), 1e-14);
    assert_vec3_near(h.bodies[1].angular_velocity, abut_make_vec3(0, 0, 0.7), 1e-14);
    /* The impulses' moment is the angular momentum that went: I w, I = m / 6. */
    abut_vec3 moment = {0, 0, 0};
    for (int i = 0; i < 4; i++) {
        moment = abut_add_scaled(moment, h.points[i].impulse.normal, h.points[i].lever_a);
    }
    assert_vec3_near(moment, abut_scale(1000.0 / 6.0, abut_make_vec3(-0.3, 0.2, 0.0)), 1e-9);
}

static void test_declines_what_would_pull(void **state) {
    (void)state;
    heap h;
    heap_tower(&h, 1, 0.0, 0.5);
    h.bodies[1].velocity = abut_make_vec3(0.0, 0.0, 1.0);
    solver_first_stage(&h.set, &rule);
    assert_true(solver_patch_solve(&h.bodies[1], &h.bodies[0], &h.patches[0], h.points) < 0.0);
    assert_true(h.bodies[1].velocity.z == 1.0 && h.points[0].impulse.normal == 0.0);
    /* Turning about one side: that side would have to pull. */
    h.bodies[1].velocity = abut_make_vec3(0.0, 0.0, 0.5);
    h.bodies[1].angular_velocity = abut_make_vec3(0.0, 2.0, 0.0);
    assert_true(solver_patch_solve(&h.bodies[1], &h.bodies[0], &h.patches[0], h.points) < 0.0);
}

static void test_points_in_a_line(void **state) {
    (void)state;
    /* An edge of two points bears no moment across it, and says so by a spread of zero. */
    heap h;
    heap_begin(&h);
    int32_t body = heap_add(&h, abut_make_vec3(0, 0, 0.5), 1000.0);
    solver_patch *patch = heap_touch(&h, body, 0, abut_make_vec3(0, 0, 0), 0.5, 0.0, 0.0, 0.5);
    solver_refresh(&h.set);
    assert_near(patch->spread[0], 1.0, 1e-14);
    assert_true(patch->spread[1] == 0.0);
    heap_drop(&h, 2.0);
    solver_first_stage(&h.set, &rule);
    assert_true(solver_patch_solve(&h.bodies[1], &h.bodies[0], patch, h.points) > 0.0);
    assert_near(h.bodies[1].velocity.z, 0.0, 1e-14);
}

static void test_tangents(void **state) {
    (void)state;
    random_state random = random_make(random_seed("patch", 8));
    for (int round = 0; round < 200; round++) {
        heap h;
        heap_begin(&h);
        int32_t body = heap_add(&h, random_vec3(&random, -1.0, 1.0), 1.0);
        solver_patch *patch = heap_touch(&h, body, 0, random_vec3(&random, -1.0, 1.0), random_range(&random, 0.5, 1.0),
                                         random_range(&random, 0.01, 0.4), 0.0, 0.5);
        assert_vec3_near(abut_cross(patch->tangent[0], patch->tangent[1]), patch->normal, 1e-14);
        assert_near(fabs(patch->tangent[0].x), 1.0, 1e-12); /* along the longer side */
        double x = 0.0, y = 0.0, xy = 0.0;
        for (int i = 0; i < 4; i++) {
            x += h.points[i].x;
            y += h.points[i].y;
            xy += h.points[i].x * h.points[i].y;
        }
        assert_near(x, 0.0, 1e-14);
        assert_near(y, 0.0, 1e-14);
        assert_near(xy, 0.0, 1e-14);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_cube_is_held_by_four_equal_impulses),
        cmocka_unit_test(test_spin_is_stopped_as_well),
        cmocka_unit_test(test_declines_what_would_pull),
        cmocka_unit_test(test_points_in_a_line),
        cmocka_unit_test(test_tangents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
