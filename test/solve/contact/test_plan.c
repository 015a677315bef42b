/* The order of elimination: every body of an island once, complete fill-in, and costly islands left out. */
#include "heap.h"

#include "support/allocator.h"

/* Adds a touching pair; geometry is not needed here. */
static void join(heap *h, int32_t a, int32_t b) { h->pairs[h->set.pair_count++] = (solver_pair){.a = a, .b = b}; }

static void add_bodies(heap *h, int32_t count) {
    heap_begin(h);
    for (int32_t i = 0; i < count; i++) {
        heap_add(h, abut_vec3_make(0, 0, 0), 1.0);
    }
}

static bool has_row(const solver_plan *plan, int32_t column, int32_t row) {
    for (int32_t k = plan->column_first[column]; k < plan->column_first[column + 1]; k++) {
        if (plan->rows[k] == row) {
            return true;
        }
    }
    return false;
}

static void check_plan(const solver_plan *plan, const heap *h) {
    for (int32_t c = 0; c < plan->column_count; c++) {
        assert_int_equal(plan->columns[plan->bodies[c]], c);
        for (int32_t k = plan->column_first[c]; k < plan->column_first[c + 1]; k++) {
            assert_true(plan->rows[k] > c && (k == plan->column_first[c] || plan->rows[k] > plan->rows[k - 1]));
            /* Eliminating a column makes its later neighbours neighbours of each other. */
            for (int32_t i = k + 1; i < plan->column_first[c + 1]; i++) {
                assert_true(has_row(plan, plan->rows[k], plan->rows[i]));
            }
        }
    }
    for (int32_t p = 0; p < h->set.pair_count; p++) {
        const plan_pair *planned = &plan->pairs[p];
        const solver_pair *pair = &h->pairs[p];
        assert_int_equal(planned->a, pair->a == 0 ? -1 : plan->columns[pair->a]);
        assert_int_equal(planned->b, pair->b == 0 ? -1 : plan->columns[pair->b]);
        if (planned->a >= 0 && planned->b >= 0) {
            assert_int_equal(plan->rows[planned->block], planned->a > planned->b ? planned->a : planned->b);
        } else {
            assert_int_equal(planned->block, -1);
        }
    }
}

static void test_a_tower_has_no_fill(void **state) {
    (void)state;
    heap h;
    add_bodies(&h, 40);
    for (int32_t i = 1; i <= 40; i++) {
        join(&h, i, i - 1);
    }
    solver_plan plan = {0};
    assert_true(plan_make(&plan, &h.set, NULL, 1));
    assert_int_equal(plan.island_count, 1);
    assert_int_equal(plan.column_count, 40);
    assert_int_equal(plan.row_count, 39);
    check_plan(&plan, &h);
    plan_release(&plan);
}

static void test_random_graphs(void **state) {
    (void)state;
    random_state random = random_make(random_seed("plan", 6));
    solver_plan plan = {0};
    for (int round = 0; round < 300; round++) {
        heap h;
        int32_t bodies = 1 + random_below(&random, 40), pairs = random_below(&random, 2 * bodies);
        add_bodies(&h, bodies);
        for (int32_t i = 0; i < pairs; i++) {
            int32_t a = random_below(&random, bodies + 1), b = random_below(&random, bodies + 1);
            if (a != b) {
                join(&h, a, b);
            }
        }
        assert_true(plan_make(&plan, &h.set, NULL, 1));
        check_plan(&plan, &h);
    }
    plan_release(&plan);
}

static void test_what_touches_nothing_is_left_out(void **state) {
    (void)state;
    heap h;
    add_bodies(&h, 6);
    join(&h, 1, 0);
    join(&h, 2, 1);
    join(&h, 4, 0); /* 3 touches nothing */
    join(&h, 5, 6);
    solver_plan plan = {0};
    assert_true(plan_make(&plan, &h.set, NULL, 1));
    assert_int_equal(plan.column_count, 5);
    assert_int_equal(plan.columns[3], -1);
    check_plan(&plan, &h);
    plan_release(&plan);
}

static void test_every_set_is_an_island(void **state) {
    (void)state;
    heap towers[3];
    solver_contacts sets[3];
    for (int32_t k = 0; k < 3; k++) {
        add_bodies(&towers[k], 3 + k);
        for (int32_t i = 1; i <= 3 + k; i++) {
            join(&towers[k], i, i - 1);
        }
        towers[k].set.point_count = 10 * k;
        sets[k] = towers[k].set;
    }
    solver_plan plan = {0};
    assert_true(plan_make(&plan, sets, NULL, 3));
    assert_int_equal(plan.island_count, 3);
    int32_t column = 0, pair = 0, point = 0;
    for (int32_t k = 0; k < 3; k++) {
        const plan_island *island = &plan.islands[k];
        assert_int_equal(island->column, column);
        assert_int_equal(island->column_end, column + 3 + k);
        assert_int_equal(island->pair, pair);
        assert_int_equal(island->point, point);
        column += 3 + k;
        pair += 3 + k;
        point += 10 * k;
        /* Columns couple with columns of their own island only. */
        for (int32_t i = plan.column_first[island->column]; i < plan.column_first[island->column_end]; i++) {
            assert_in_range(plan.rows[i], island->column, island->column_end - 1);
        }
    }
    plan_release(&plan);
}

static void test_costly_islands_are_left_out(void **state) {
    (void)state;
    /* Every body touches every other, so no order avoids a full matrix. */
    static solver_body bodies[80];
    static solver_pair pairs[80 * 40];
    solver_contacts set = {.bodies = bodies, .pairs = pairs, .body_count = 80};
    for (int32_t i = 0; i < 80; i++) {
        bodies[i].inverse_mass = 1.0;
        for (int32_t k = 0; k < i; k++) {
            pairs[set.pair_count++] = (solver_pair){.a = i, .b = k};
        }
    }
    solver_plan plan = {0};
    assert_true(plan_make(&plan, &set, NULL, 1));
    assert_int_equal(plan.island_count, 1);
    assert_int_equal(plan.column_count, 0);
    assert_int_equal(plan.islands[0].column_end, 0);
    plan_release(&plan);
}

static void test_out_of_memory(void **state) {
    (void)state;
    heap h;
    add_bodies(&h, 20);
    for (int32_t i = 1; i <= 20; i++) {
        join(&h, i, i - 1);
    }
    counting_allocator memory = {.refuse_at = -1};
    for (int64_t refused = 0;; refused++) {
        memory = (counting_allocator){.refuse_at = refused};
        counting_allocator_install(&memory);
        solver_plan plan = {0};
        bool fine = plan_make(&plan, &h.set, NULL, 1);
        assert_int_equal(fine, !memory.refused);
        plan_release(&plan);
        counting_allocator_remove();
        assert_int_equal(memory.live, 0);
        if (!memory.refused) {
            break;
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_tower_has_no_fill),
        cmocka_unit_test(test_random_graphs),
        cmocka_unit_test(test_what_touches_nothing_is_left_out),
        cmocka_unit_test(test_every_set_is_an_island),
        cmocka_unit_test(test_costly_islands_are_left_out),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
