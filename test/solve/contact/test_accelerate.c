/* Accelerated passes reach in few passes the result of many plain passes. */
#include "heap.h"

#include "solve/contact/accelerate.h"

static const solver_rule rule = {1.0 / 240.0, 9.0, 3.0, 1e-14, 0.5};

static double speed_after(int32_t passes, bool faster) {
    heap h;
    heap_tower(&h, 10, 0.1, 0.5);
    heap_drop(&h, 1.0);
    solver_first_stage(&h.set, &rule);
    accelerator state = accelerate_begin(&h.set);
    for (int32_t pass = 0; pass < passes; pass++) {
        solver_progress progress = solver_pass_on(&h.set, state.factor);
        if (faster && pass + 1 < passes) {
            accelerate_passes(&state, &h.set, progress.energy);
        }
    }
    for (int32_t i = 0; i < h.set.point_count; i++) {
        assert_true(h.points[i].impulse.normal >= 0.0);
    }
    return heap_speed(&h);
}

static void test_faster_than_plain_passes(void **state) {
    (void)state;
    double plain = speed_after(100, false), faster = speed_after(100, true);
    assert_true(faster < 0.1 * plain);
}

static void test_a_solution_stays(void **state) {
    (void)state;
    heap h;
    heap_tower(&h, 2, 0.0, 0.5);
    heap_drop(&h, 1.0);
    solver_first_stage(&h.set, &rule);
    for (int pass = 0; pass < 500; pass++) {
        solver_pass(&h.set, false, true);
    }
    accelerator faster = accelerate_begin(&h.set);
    for (int pass = 0; pass < 20; pass++) {
        solver_progress progress = solver_pass_on(&h.set, faster.factor);
        accelerate_passes(&faster, &h.set, progress.energy);
    }
    assert_true(heap_speed(&h) < 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faster_than_plain_passes),
        cmocka_unit_test(test_a_solution_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
