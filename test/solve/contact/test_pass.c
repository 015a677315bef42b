/* Passes converge to impulses that satisfy the contact conditions. */
#include "heap.h"

static const solver_rule rule = {1.0 / 240.0, 9.0, 3.0, 1e-14, 0.5};

/* v_n >= target, impulse >= 0, and at least one is an equality. Friction lies within its disc; if it is below the limit, there is no sliding. */
static void check_conditions(const heap *h, double tolerance) {
    for (int32_t p = 0; p < h->set.pair_count; p++) {
        const solver_pair *pair = &h->pairs[p];
        const solver_patch *patch = &h->patches[pair->first];
        for (int32_t i = patch->first; i < patch->first + patch->count; i++) {
            const solver_point *point = &h->points[i];
            solver_impulse v = solver_velocity(&h->set, pair, patch, point);
            assert_true(point->impulse.normal >= 0.0);
            assert_true(v.normal >= point->target - tolerance);
            assert_true(point->impulse.normal <= tolerance * point->inverse_mobility || v.normal <= point->target + tolerance);
            double bound = patch->friction * point->impulse.normal, held = hypot(point->impulse.x, point->impulse.y);
            assert_true(held <= bound * (1.0 + 1e-9) + 1e-12);
            if (held < bound * (1.0 - 1e-6) - 1e-9) {
                assert_true(hypot(v.x, v.y) <= tolerance);
            } else if (hypot(v.x, v.y) > tolerance) {
                assert_true(v.x * point->impulse.x + v.y * point->impulse.y <= 0.0);
            }
        }
    }
}

static void test_towers_come_to_rest(void **state) {
    (void)state;
    heap h;
    heap_tower(&h, 4, 0.1, 0.5);
    heap_drop(&h, 1.0);
    solver_first_stage(&h.set, &rule);
    double change = 1.0;
    int passes = 0;
    for (; passes < 20000 && change > 1e-11; passes++) {
        change = solver_pass(&h.set, passes % 2 == 1, true);
    }
    assert_true(passes < 20000);
    check_conditions(&h, 1e-7);
    assert_true(heap_speed(&h) < 1e-7);
    for (int k = 0; k < 4; k++) {
        assert_near(heap_load(&h, &h.patches[k]), 1000.0 * (4 - k), 1e-3);
    }
}

static void test_random_motion(void **state) {
    (void)state;
    random_state random = random_make(random_seed("pass", 4));
    for (int round = 0; round < 50; round++) {
        heap h;
        heap_tower(&h, 3, 0.2, random_range(&random, 0.1, 1.0));
        for (int i = 1; i <= 3; i++) {
            h.bodies[i].velocity = random_vec3(&random, -1.0, 1.0);
            h.bodies[i].angular_velocity = random_vec3(&random, -1.0, 1.0);
        }
        solver_first_stage(&h.set, &rule);
        double change = 1.0;
        for (int pass = 0; pass < 20000 && change > 1e-12; pass++) {
            change = solver_pass(&h.set, pass % 2 == 1, true);
        }
        check_conditions(&h, 1e-7);
    }
}

static void test_without_friction_tangents_stay(void **state) {
    (void)state;
    heap h;
    heap_tower(&h, 1, 0.0, 0.5);
    heap_drop(&h, 1.0);
    h.bodies[1].velocity.x = 3.0;
    solver_first_stage(&h.set, &rule);
    for (int pass = 0; pass < 50; pass++) {
        solver_pass(&h.set, false, false);
    }
    assert_true(h.bodies[1].velocity.x == 3.0);
    assert_near(h.bodies[1].velocity.z, 0.0, 1e-12);
}

static void test_momentum_is_kept_between_free_bodies(void **state) {
    (void)state;
    random_state random = random_make(random_seed("pass", 9));
    heap h;
    heap_begin(&h);
    int32_t low = heap_add(&h, abut_vec3_make(0, 0, 0.5), 700.0), high = heap_add(&h, abut_vec3_make(0.2, 0.1, 1.6), 1300.0);
    heap_touch(&h, high, low, abut_vec3_make(0.1, 0.05, 1.0), 0.4, 0.45, 0.1, 0.5);
    solver_refresh(&h.set);
    for (int i = 1; i <= 2; i++) {
        h.bodies[i].velocity = abut_add(random_vec3(&random, -1.0, 1.0), abut_vec3_make(0, 0, i == 1 ? 60.0 : -60.0));
        h.bodies[i].angular_velocity = random_vec3(&random, -1.0, 1.0);
    }
    abut_vec3 linear[2], angular[2];
    for (int after = 0; after < 2; after++) {
        linear[after] = angular[after] = abut_vec3_make(0, 0, 0);
        for (int i = 1; i <= 2; i++) {
            double mass = 1.0 / h.bodies[i].inverse_mass;
            linear[after] = abut_add_scaled(linear[after], mass, h.bodies[i].velocity);
            angular[after] = abut_add_scaled(angular[after], mass / 6.0, h.bodies[i].angular_velocity);
            angular[after] = abut_add_scaled(angular[after], mass, abut_cross(h.centre[i], h.bodies[i].velocity));
        }
        solver_first_stage(&h.set, &rule);
        for (int pass = 0; pass < 20 && after == 0; pass++) {
            solver_pass(&h.set, false, true);
        }
        assert_true(after == 1 || heap_load(&h, &h.patches[0]) > 0.0);
    }
    assert_vec3_near(linear[1], linear[0], 1e-8);
    assert_vec3_near(angular[1], angular[0], 1e-8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_towers_come_to_rest),
        cmocka_unit_test(test_random_motion),
        cmocka_unit_test(test_without_friction_tangents_stay),
        cmocka_unit_test(test_momentum_is_kept_between_free_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
