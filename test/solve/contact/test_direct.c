/* The direct solution: it solves a tall tower at once, and it does not change systems that it cannot solve. */
#include "heap.h"

#include "solve/contact/direct.h"

static const solver_rule rule = {1.0 / 240.0, 9.0, 3.0, 1e-14, 0.5};

static void test_a_tower_is_held_at_once(void **state) {
    (void)state;
    enum { CUBES = 20 };
    static heap h;
    heap_tower(&h, CUBES, 0.1, 0.5);
    heap_drop(&h, 1.0);
    solver_first_stage(&h.set, &rule);
    solver_plan plan = {0};
    assert_true(plan_make(&plan, &h.set, NULL, 1));
    for (int pass = 0; pass < 4; pass++) {
        solver_pass(&h.set, false, true);
    }
    /* After only a few passes, each direct solution leaves a small part of the error. */
    double speed = heap_speed(&h);
    assert_true(speed > 0.1);
    for (int i = 0; i < 4; i++) {
        direct_solve(&plan, 0, &h.set, 1.0, true);
        assert_false(plan.islands[0].hopeless[true]);
        assert_true(heap_speed(&h) < 0.05 * speed);
        speed = heap_speed(&h);
    }
    assert_true(speed < 1e-6);
    for (int k = 0; k < CUBES; k++) {
        assert_near(heap_load(&h, &h.patches[k]), 1000.0 * (CUBES - k), 1e-2);
    }
    plan_release(&plan);
}

static void test_contacts_that_would_pull_are_let_go(void **state) {
    (void)state;
    /* The upper cube flies up: the contact between the cubes has no impulse, although it had one a moment ago. */
    static heap h;
    heap_tower(&h, 2, 0.0, 0.5);
    heap_drop(&h, 1.0);
    solver_first_stage(&h.set, &rule);
    for (int pass = 0; pass < 50; pass++) {
        solver_pass(&h.set, false, true);
    }
    h.bodies[2].velocity = abut_vec3_make(0.0, 0.0, 50.0);
    solver_plan plan = {0};
    assert_true(plan_make(&plan, &h.set, NULL, 1));
    direct_solve(&plan, 0, &h.set, 1.0, true);
    assert_false(plan.islands[0].hopeless[true]);
    assert_near(heap_load(&h, &h.patches[1]), 0.0, 1e-12);
    assert_near(heap_load(&h, &h.patches[0]), 1000.0, 1e-3);
    assert_near(h.bodies[1].velocity.z, 0.0, 1e-6);
    assert_near(h.bodies[2].velocity.z, 49.0, 1e-9);
    plan_release(&plan);
}

static void test_what_fails_leaves_no_trace(void **state) {
    (void)state;
    random_state random = random_make(random_seed("direct", 12));
    static heap h, before;
    int failed = 0, solved = 0;
    for (int round = 0; round < 200; round++) {
        heap_tower(&h, 8, 0.3, 0.2);
        for (int i = 1; i <= 8; i++) {
            h.bodies[i].velocity = random_vec3(&random, -1.0, 1.0);
            h.bodies[i].angular_velocity = random_vec3(&random, -2.0, 2.0);
        }
        solver_first_stage(&h.set, &rule);
        solver_pass(&h.set, false, true);
        before = h;
        solver_plan plan = {0};
        assert_true(plan_make(&plan, &h.set, NULL, 1));
        direct_solve(&plan, 0, &h.set, 1.0, true);
        if (plan.islands[0].hopeless[true]) {
            failed++;
            for (int i = 1; i <= 8; i++) {
                assert_memory_equal(&h.bodies[i].velocity, &before.bodies[i].velocity, sizeof(abut_vec3));
                assert_memory_equal(&h.bodies[i].angular_velocity, &before.bodies[i].angular_velocity, sizeof(abut_vec3));
            }
            for (int i = 0; i < h.set.point_count; i++) {
                assert_memory_equal(&h.points[i].impulse, &before.points[i].impulse, sizeof(solver_impulse));
            }
        } else {
            solved++;
            for (int i = 0; i < h.set.point_count; i++) {
                const solver_impulse *l = &h.points[i].impulse;
                assert_true(l->normal >= 0.0);
            }
        }
        plan_release(&plan);
    }
    assert_true(failed > 0 && solved > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_tower_is_held_at_once),
        cmocka_unit_test(test_contacts_that_would_pull_are_let_go),
        cmocka_unit_test(test_what_fails_leaves_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
