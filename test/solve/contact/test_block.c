/* The block operations are compared with their definitions, entry by entry. */
#include "support/check.h"
#include "support/random.h"

#include "solve/contact/block.h"

enum { N = BLOCK_SIDE };

static block random_block(random_state *random) {
    block m;
    for (int i = 0; i < BLOCK_SIZE; i++) {
        m.m[i] = random_range(random, -1.0, 1.0);
    }
    return m;
}

static block_vector random_vector(random_state *random) {
    block_vector v;
    for (int i = 0; i < N; i++) {
        v.v[i] = random_range(random, -1.0, 1.0);
    }
    return v;
}

/* A random symmetric positive definite block, as a sum of outer products. */
static block random_positive(random_state *random) {
    block m = {{0.0}};
    for (int k = 0; k < 2 * N; k++) {
        block_vector v = random_vector(random);
        block_add_outer(&m, 0.5, &v, &v);
    }
    return m;
}

static void test_outer_product(void **state) {
    (void)state;
    random_state random = random_make(random_seed("block", 1));
    block m = random_block(&random), before = m;
    block_vector p = random_vector(&random), q = random_vector(&random);
    block_add_outer(&m, 3.0, &p, &q);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            assert_near(m.m[N * j + i], before.m[N * j + i] + 3.0 * p.v[i] * q.v[j], 1e-15);
        }
    }
}

static void test_factorisation_solves(void **state) {
    (void)state;
    random_state random = random_make(random_seed("block", 2));
    for (int round = 0; round < 100; round++) {
        block m = random_positive(&random), l = m;
        block_vector b = random_vector(&random), x = b;
        block_factorise(&l);
        block_substitute(&x, &l);
        block_substitute_transposed(&x, &l);
        block_vector rest = b;
        block_subtract(&rest, &m, &x);
        for (int i = 0; i < N; i++) {
            assert_near(rest.v[i], 0.0, 1e-10);
        }
    }
}

static void test_division_undoes_the_product(void **state) {
    (void)state;
    random_state random = random_make(random_seed("block", 3));
    block l = random_positive(&random);
    block_factorise(&l);
    for (int i = 0; i < N; i++) {
        for (int j = i + 1; j < N; j++) {
            l.m[N * j + i] = 0.0; /* only the lower triangle, for the multiplication below */
        }
    }
    block m = random_block(&random), divided = m;
    block_divide(&divided, &l);
    for (int i = 0; i < N; i++) {
        l.m[N * i + i] = 1.0 / l.m[N * i + i];
    }
    block_subtract_product(&m, &divided, &l); /* m - (m L^-T) L^T */
    for (int i = 0; i < BLOCK_SIZE; i++) {
        assert_near(m.m[i], 0.0, 1e-12);
    }
}

static void test_transposed_subtraction(void **state) {
    (void)state;
    random_state random = random_make(random_seed("block", 4));
    block m = random_block(&random);
    block_vector v = random_vector(&random), w = random_vector(&random), before = v;
    block_subtract_transposed(&v, &m, &w);
    for (int j = 0; j < N; j++) {
        double expected = before.v[j];
        for (int i = 0; i < N; i++) {
            expected -= m.m[N * j + i] * w.v[i];
        }
        assert_near(v.v[j], expected, 1e-14);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outer_product),
        cmocka_unit_test(test_factorisation_solves),
        cmocka_unit_test(test_division_undoes_the_product),
        cmocka_unit_test(test_transposed_subtraction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
