/* Determinants of four points beside 64-bit whole numbers, and sums of doubles that cancel. */
#include "geom/orient.h"

#include "geom/expansion.h"
#include "support/check.h"

static void sums(void **state) {
    (void)state;
    expansion sum;
    sum.count = 0;
    const double terms[] = {1e100, 1.0, -1e100, 1e-100, -1.0};
    for (int i = 0; i < 5; i++) {
        expansion_add(&sum, terms[i]);
    }
    assert_near(expansion_value(&sum), 1e-100, 0.0);
    expansion_add(&sum, -1e-100);
    assert_int_equal(sum.count, 0);
    assert_near(expansion_value(&sum), 0.0, 0.0);
    expansion_add_product(&sum, 1.0 + 0x1p-52, 1.0 - 0x1p-52);
    expansion_add(&sum, -1.0);
    assert_near(expansion_value(&sum), -0x1p-104, 0.0);
}

/* Whole numbers below 2^19: the determinant fits into 64 bits. */
static void whole_numbers(void **state) {
    (void)state;
    random_state random = random_make(random_seed("whole_numbers", 77));
    for (int i = 0; i < 20000; i++) {
        int32_t reach = i % 2 == 0 ? 2 : 1 << 18;
        int64_t x[4][3], u[3][3];
        abut_vec3 p[4];
        for (int k = 0; k < 4; k++) {
            for (int c = 0; c < 3; c++) {
                x[k][c] = random_below(&random, 2 * reach + 1) - reach;
            }
            p[k] = abut_vec3_make((double)x[k][0], (double)x[k][1], (double)x[k][2]);
        }
        for (int k = 0; k < 9; k++) {
            u[k / 3][k % 3] = x[k / 3 + 1][k % 3] - x[0][k % 3];
        }
        int64_t turn[3] = {u[0][1] * u[1][2] - u[0][2] * u[1][1], u[0][2] * u[1][0] - u[0][0] * u[1][2],
                           u[0][0] * u[1][1] - u[0][1] * u[1][0]};
        int64_t volume = turn[0] * u[2][0] + turn[1] * u[2][1] + turn[2] * u[2][2];
        assert_int_equal(orient_side(p[0], p[1], p[2], p[3]), (volume > 0) - (volume < 0));
        assert_near(orient_volume(p[0], p[1], p[2], p[3]), (double)volume, 0x1p-52 * fabs((double)volume));
        for (int axis = 0; axis < 3; axis++) {
            assert_int_equal(orient_turn(p[0], p[1], p[2], axis), (turn[axis] > 0) - (turn[axis] < 0));
        }
    }
}

static void nearly_parallel(void **state) {
    (void)state;
    const abut_vec3 from = {0.1, 0.2, 0.3}, to = {1.1, 0.7, -0.4};
    for (int i = 1; i < 53; i++) { /* a turn about z of one end of the same arm */
        abut_vec3 other = {to.x, to.y + ldexp(1.0, -i), to.z};
        abut_vec3 across = orient_cross(from, to, from, other);
        double turn = other.y - to.y, x = to.x - from.x, z = to.z - from.z;
        assert_vec3_near(across, abut_vec3_make(-z * turn, 0.0, x * turn), 1e-15 * turn);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums), cmocka_unit_test(whole_numbers), cmocka_unit_test(nearly_parallel)};
    return cmocka_run_group_tests_name("geom/orient", tests, NULL, NULL);
}
