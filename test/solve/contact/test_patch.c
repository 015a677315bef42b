/* A patch as one constraint: it is exact, its impulses are even, and their resultant is that of mechanics. */
#include "heap.h"

#include "solve/contact/patch.h"

static const solver_rule rule = {1.0 / 240.0, 9.0, 3.0, 1e-14, 0.5};

/* Motion of the cube relative to the ground: (velocity n, spin 0, spin 1) of the patch. */
static abut_vec3 motion_of(const heap *h, const solver_patch *patch) {
    abut_vec3 velocity = solver_patch_velocity(&h->bodies[1], &h->bodies[0], patch);
    abut_vec3 spin = solver_patch_spin(&h->bodies[1], &h->bodies[0], patch);
    return abut_vec3_make(velocity.z, spin.x, spin.y);
}

/* Presses the patch and applies the impulse to the bodies. */
static bool press(heap *h, solver_patch *patch) {
    abut_vec3 load;
    if (!solver_patch_press(patch, h->points, motion_of(h, patch), &load)) {
        return false;
    }
    solver_patch_push(&h->bodies[1], &h->bodies[0], patch, abut_vec3_make(0, 0, load.x), abut_vec3_make(load.y, load.z, 0));
    return true;
}

static void test_a_cube_is_held_by_four_equal_impulses(void **state) {
    (void)state;
    heap h;
    heap_tower(&h, 1, 0.0, 0.5);
    heap_drop(&h, 2.0);
    solver_first_stage(&h.set, &rule);
    assert_true(press(&h, &h.patches[0]));
    for (int i = 0; i < 4; i++) {
        assert_near(h.points[i].impulse.normal, 500.0, 1e-9);
        assert_near(solver_velocity(&h.set, &h.pairs[0], &h.patches[0], &h.points[i]).normal, 0.0, 1e-14);
    }
    /* Solved is solved. */
    abut_vec3 load;
    assert_true(solver_patch_press(&h.patches[0], h.points, motion_of(&h, &h.patches[0]), &load));
    assert_vec3_near(load, abut_vec3_make(0, 0, 0), 1e-10);
}

static void test_spin_is_stopped_as_well(void **state) {
    (void)state;
    heap h;
    heap_tower(&h, 1, 0.0, 0.5);
    heap_drop(&h, 2.0);
    h.bodies[1].angular_velocity = abut_vec3_make(0.3, -0.2, 0.7);
    solver_first_stage(&h.set, &rule);
    assert_true(press(&h, &h.patches[0]));
    assert_vec3_near(h.bodies[1].velocity, abut_vec3_make(0, 0, 0), 1e-14);
    assert_vec3_near(h.bodies[1].angular_velocity, abut_vec3_make(0, 0, 0.7), 1e-14);
    /* The moment of the impulses about the centre is the angular momentum removed: I w, I = m / 6. */
    abut_vec3 moment = {0, 0, 0};
    for (int i = 0; i < 4; i++) {
        abut_vec3 impulse = abut_scale(h.points[i].impulse.normal, h.patches[0].normal);
        moment = abut_add(moment, abut_cross(h.anchors[i].arm, impulse));
    }
    assert_vec3_near(moment, abut_scale(1000.0 / 6.0, abut_vec3_make(-0.3, 0.2, 0.0)), 1e-9);
}

static void test_declines_what_would_pull(void **state) {
    (void)state;
    heap h;
    heap_tower(&h, 1, 0.0, 0.5);
    h.bodies[1].velocity = abut_vec3_make(0.0, 0.0, 1.0);
    solver_first_stage(&h.set, &rule);
    assert_false(press(&h, &h.patches[0]));
    assert_true(h.bodies[1].velocity.z == 1.0 && h.points[0].impulse.normal == 0.0);
    /* The cube turns about one side, which would have to pull. */
    h.bodies[1].velocity = abut_vec3_make(0.0, 0.0, 0.5);
    h.bodies[1].angular_velocity = abut_vec3_make(0.0, 2.0, 0.0);
    assert_false(press(&h, &h.patches[0]));
}

static void test_points_in_a_line(void **state) {
    (void)state;
    /* An edge of two points carries no moment across itself; its spread there is zero. */
    heap h;
    heap_begin(&h);
    int32_t body = heap_add(&h, abut_vec3_make(0, 0, 0.5), 1000.0);
    solver_patch *patch = heap_touch(&h, body, 0, abut_vec3_make(0, 0, 0), 0.5, 0.0, 0.0, 0.5);
    solver_refresh(&h.set);
    assert_near(patch->inverse_spread[0], 1.0, 1e-14);
    assert_true(patch->inverse_spread[1] == 0.0);
    heap_drop(&h, 2.0);
    solver_first_stage(&h.set, &rule);
    assert_true(press(&h, patch));
    assert_near(h.bodies[1].velocity.z, 0.0, 1e-14);
}

/* The six numbers are compared with the bodies: the effect of an impulse agrees with the matrices. */
static void test_mobilities_are_those_of_the_bodies(void **state) {
    (void)state;
    random_state random = random_make(random_seed("patch", 5));
    for (int round = 0; round < 200; round++) {
        heap h;
        heap_begin(&h);
        int32_t low = heap_add(&h, random_vec3(&random, -1.0, 1.0), 1.0), high = heap_add(&h, random_vec3(&random, -1.0, 1.0), 3.0);
        solver_patch *patch = heap_touch(&h, high, low, random_vec3(&random, -1.0, 1.0), 0.5, 0.3, 0.01, 0.5);
        solver_refresh(&h.set);
        abut_vec3 force = random_vec3(&random, -1.0, 1.0), moment = random_vec3(&random, -1.0, 1.0);
        solver_patch_push(&h.bodies[high], &h.bodies[low], patch, force, moment);
        abut_vec3 velocity = solver_patch_velocity(&h.bodies[high], &h.bodies[low], patch);
        abut_vec3 spin = solver_patch_spin(&h.bodies[high], &h.bodies[low], patch);
        abut_vec3 slide = {force.x, force.y, moment.z}, press = {force.z, moment.x, moment.y};
        const double *c = patch->coupling;
        abut_vec3 sliding = solver_symmetric_mul(patch->sliding, slide), pressing = solver_symmetric_mul(patch->pressing, press);
        sliding = abut_add(sliding, abut_vec3_make(c[0] * press.x + c[3] * press.y + c[6] * press.z,
                                                   c[1] * press.x + c[4] * press.y + c[7] * press.z,
                                                   c[2] * press.x + c[5] * press.y + c[8] * press.z));
        pressing = abut_add(pressing, abut_vec3_make(c[0] * slide.x + c[1] * slide.y + c[2] * slide.z,
                                                     c[3] * slide.x + c[4] * slide.y + c[5] * slide.z,
                                                     c[6] * slide.x + c[7] * slide.y + c[8] * slide.z));
        assert_vec3_near(sliding, abut_vec3_make(velocity.x, velocity.y, spin.z), 1e-12);
        assert_vec3_near(pressing, abut_vec3_make(velocity.z, spin.x, spin.y), 1e-12);
    }
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
        cmocka_unit_test(test_mobilities_are_those_of_the_bodies),
        cmocka_unit_test(test_tangents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
