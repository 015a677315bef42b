/* Islands and the order of rows: each row occurs once, islands are contiguous, chains have a small bandwidth. */
#include "support/check.h"
#include "support/random.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "solve/lcp/lcp.h"

enum { MOST = 400 };

/* Makes the graph of the given edges; every row is also its own neighbour. */
static void make_graph(lcp_graph *g, int32_t n, const int32_t (*edges)[2], int32_t count) {
    assert_true(lcp_graph_room(g, n, n + 2 * count));
    int32_t at = 0;
    for (int32_t i = 0; i < n; i++) {
        g->start[i] = at;
        g->next[at++] = i;
        for (int32_t e = 0; e < count; e++) {
            if (edges[e][0] == i || edges[e][1] == i) {
                g->next[at++] = edges[e][0] == i ? edges[e][1] : edges[e][0];
            }
        }
    }
    g->start[n] = at;
}

static void order(lcp_system *s, const lcp_graph *g) {
    assert_true(lcp_system_room(s, g->n, g->start[g->n]));
    lcp_system_order(s, g->start, g->next);
    bool seen[MOST] = {false};
    for (int32_t p = 0; p < g->n; p++) {
        assert_false(seen[s->index[p]]);
        seen[s->index[p]] = true;
        assert_int_equal(s->place[s->index[p]], p);
    }
    assert_int_equal(s->island[0], 0);
    assert_int_equal(s->island[s->island_count], g->n);
}

static void release(lcp_system *s, lcp_graph *g) {
    lcp_system_release(s);
    memory_release(g->start);
    memory_release(g->next);
}

/* A chain with its rows in random order is put in line. */
static void test_chain(void **state) {
    (void)state;
    random_state random = random_make(random_seed("chain", 1));
    for (int32_t n = 10; n <= 100; n += 9) {
        int32_t name[MOST], edges[MOST][2];
        for (int32_t i = 0; i < n; i++) {
            int32_t j = random_below(&random, i + 1);
            name[i] = name[j];
            name[j] = i;
        }
        for (int32_t i = 0; i + 1 < n; i++) {
            edges[i][0] = name[i];
            edges[i][1] = name[i + 1];
        }
        lcp_system s = {.n = 0};
        lcp_graph g = {.n = 0};
        make_graph(&g, n, (const int32_t(*)[2])edges, n - 1);
        order(&s, &g);
        assert_int_equal(s.island_count, 1);
        for (int32_t i = 0; i + 1 < n; i++) {
            assert_int_equal(abs(s.place[name[i]] - s.place[name[i + 1]]), 1);
        }
        release(&s, &g);
    }
}

/* A grid of 20 x 20: no edge spans more rows than a diagonal has. */
static void test_grid(void **state) {
    (void)state;
    enum { SIDE = 20 };
    static int32_t edges[2 * SIDE * SIDE][2];
    int32_t count = 0;
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        if (i % SIDE > 0) {
            edges[count][0] = i - 1;
            edges[count++][1] = i;
        }
        if (i >= SIDE) {
            edges[count][0] = i - SIDE;
            edges[count++][1] = i;
        }
    }
    lcp_system s = {.n = 0};
    lcp_graph g = {.n = 0};
    make_graph(&g, SIDE * SIDE, (const int32_t(*)[2])edges, count);
    order(&s, &g);
    for (int32_t e = 0; e < count; e++) {
        assert_true(abs(s.place[edges[e][0]] - s.place[edges[e][1]]) <= SIDE + 1);
    }
    release(&s, &g);
}

/* Two rows are in one island exactly when edges connect them. A dense island keeps the caller's order. */
static void test_islands(void **state) {
    (void)state;
    const int32_t edges[5][2] = {{0, 4}, {4, 7}, {0, 7}, {2, 5}, {5, 6}};
    const int32_t island_of[8] = {0, 1, 2, 3, 0, 2, 2, 0};
    lcp_system s = {.n = 0};
    lcp_graph g = {.n = 0};
    make_graph(&g, 8, edges, 5);
    order(&s, &g);
    assert_int_equal(s.island_count, 4);
    for (int32_t k = 0; k < 4; k++) {
        for (int32_t p = s.island[k]; p < s.island[k + 1]; p++) {
            assert_int_equal(island_of[s.index[p]], k);
        }
    }
    assert_true(s.place[0] < s.place[4] && s.place[4] < s.place[7]);
    release(&s, &g);
}

static void test_scales_are_powers_of_two(void **state) {
    (void)state;
    random_state random = random_make(random_seed("scales", 2));
    for (int i = 0; i < 10000; i++) {
        double d = random_log_range(&random, 1e-300, 1e300), s = lcp_scale_of(d);
        int exponent;
        assert_near(frexp(s, &exponent), 0.5, 0.0);
        assert_in_range((int64_t)(1e6 * (s * d * s)), 500000, 2000000);
    }
    assert_near(lcp_scale_of(1.0), 1.0, 0.0);
    assert_near(lcp_scale_of(4.0), 0.5, 0.0);
    assert_near(lcp_scale_of(0.0), 1.0, 0.0);
    assert_near(lcp_scale_of(NAN), 1.0, 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_chain), cmocka_unit_test(test_grid), cmocka_unit_test(test_islands),
                                       cmocka_unit_test(test_scales_are_powers_of_two)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
