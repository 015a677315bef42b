/* The hashed grid against a search through all points. */
#include "geom/cells.h"

#include <math.h>
#include <string.h>

#include "support/check.h"
#include "support/random.h"

enum { MOST = 200 };

typedef struct cloud {
    int dimensions;
    double reach[CELLS_DIMENSIONS], extent[CELLS_DIMENSIONS], point[MOST][CELLS_DIMENSIONS];
    int32_t count;
} cloud;

static cloud random_cloud(random_state *random) {
    cloud c = {.dimensions = 1 + random_below(random, CELLS_DIMENSIONS), .count = 1 + random_below(random, MOST)};
    for (int k = 0; k < c.dimensions; k++) {
        c.extent[k] = random_log_range(random, 1e-6, 1e6);
        c.reach[k] = random_below(random, 5) == 0 ? 0.0 : c.extent[k] * random_log_range(random, 1e-10, 1.0);
    }
    for (int32_t i = 0; i < c.count; i++) {
        int32_t near = random_below(random, i + 1);
        for (int k = 0; k < c.dimensions; k++) {
            bool beside = i > 0 && random_below(random, 4) != 0; /* about as far away as the reach, on either side */
            c.point[i][k] =
                beside ? c.point[near][k] + c.reach[k] * random_range(random, -1.2, 1.2) : c.extent[k] * random_range(random, -1.0, 1.0);
        }
    }
    return c;
}

static bool is_near(const cloud *c, int32_t i, int32_t k) {
    for (int d = 0; d < c->dimensions; d++) {
        if (fabs(c->point[i][d] - c->point[k][d]) > c->reach[d]) {
            return false;
        }
    }
    return true;
}

/* Every point in reach is found; points taken out are not. */
static void test_all_near(void **state) {
    (void)state;
    random_state random = random_make(random_seed("cells", 1));
    for (int32_t sample = random_samples("cells", 20000); sample > 0; sample--) {
        cloud c = random_cloud(&random);
        cells grid;
        assert_true(cells_init(&grid, c.dimensions, c.reach, c.extent, c.count));
        bool out[MOST] = {false};
        for (int32_t i = 0; i < c.count; i++) {
            cells_add(&grid, c.point[i], i);
        }
        for (int32_t turn = 0; turn < 20; turn++) {
            int32_t asked = random_below(&random, c.count), dropped = random_below(&random, c.count);
            bool found[MOST] = {false}, was_out[MOST];
            memcpy(was_out, out, sizeof out);
            cells_walk walk;
            cells_begin(&walk, &grid, c.point[asked]);
            for (int32_t i = cells_next(&walk); i >= 0; i = cells_next(&walk)) {
                assert_false(out[i]);
                found[i] = true;
                if (i == dropped) {
                    cells_drop(&walk);
                    out[i] = true;
                }
            }
            assert_int_equal(cells_next(&walk), -1);
            for (int32_t i = 0; i < c.count; i++) {
                assert_true(found[i] || was_out[i] || !is_near(&c, i, asked));
            }
        }
        cells_free(&grid);
    }
}

/* The rest of a cell comes no more, the other cells do. */
static void test_skip(void **state) {
    (void)state;
    const double reach[1] = {0.25}, extent[1] = {10.0}, first[1] = {0.9}, second[1] = {1.1};
    cells grid;
    assert_true(cells_init(&grid, 1, reach, extent, 3));
    cells_add(&grid, first, 0);
    cells_add(&grid, first, 1);
    cells_add(&grid, second, 2);
    cells_walk walk;
    cells_begin(&walk, &grid, (const double[1]){1.0});
    assert_int_equal(cells_next(&walk), 1);
    cells_skip(&walk);
    assert_int_equal(cells_next(&walk), 2);
    assert_int_equal(cells_next(&walk), -1);
    cells_free(&grid);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_near), cmocka_unit_test(test_skip)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
