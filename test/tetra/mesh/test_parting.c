/* The plane between two sets of points: its offset compared with a scan, its normal with random normals; momenta; fixed points that leave space for a plane,
 * and fixed points that leave none. */
#include "tetra/mesh/parting.h"

#include <stdlib.h>

#include "support/check.h"
#include "support/random.h"

enum { MOST = 60 };

typedef struct cloud {
    abut_vec3 at[MOST];
    double mass[MOST], height[MOST];
    int8_t side[MOST];
    parting_points points;
} cloud;

/* Two clouds, the side 1 `apart` further along a direction. */
static abut_vec3 make_clouds(random_state *random, int32_t count, double apart, cloud *c) {
    abut_vec3 direction = random_direction(random);
    for (int32_t i = 0; i < count; i++) {
        c->side[i] = i < 2 ? (int8_t)(2 * i - 1) : random_below(random, 2) ? 1 : -1;
        c->at[i] = abut_add_scaled(random_vec3(random, -0.5, 0.5), 0.5 * apart * c->side[i], direction);
        c->mass[i] = random_log_range(random, 1e-2, 1.0);
    }
    c->points = (parting_points){count, c->at, c->mass, c->side, 0.0, c->height};
    return direction;
}

static double cost_at(const cloud *c, abut_vec3 normal, double offset) {
    double sum = 0.0;
    const parting_plane plane = {normal, offset, 0.0, -1};
    for (int32_t i = 0; i < c->points.count; i++) {
        double move = parting_move(&plane, c->at[i], c->side[i], c->points.gap);
        sum += move != 0.0 ? c->mass[i] * move * move : 0.0;
    }
    return sum;
}

static void least_offset(void **state) {
    (void)state;
    random_state random = random_make(random_seed("least_offset", 11));
    int32_t samples = random_samples("least_offset", 2000);
    cloud c;
    for (int32_t k = 0; k < samples; k++) {
        make_clouds(&random, 2 + random_below(&random, MOST - 1), random_range(&random, -0.5, 1.0), &c);
        c.points.gap = k % 2 ? 0.0 : random_range(&random, 0.0, 0.1);
        abut_vec3 normal = random_direction(&random);
        parting_plane plane = parting_along(&c.points, normal);
        assert_near(plane.cost, cost_at(&c, normal, plane.offset), 1e-13);
        double momentum = 0.0;
        for (int32_t i = 0; i < c.points.count; i++) {
            momentum += c.mass[i] * parting_move(&plane, c.at[i], c.side[i], c.points.gap);
        }
        assert_near(momentum, 0.0, 1e-13);
        for (int i = -50; i <= 50; i++) {
            assert_true(cost_at(&c, normal, plane.offset + 0.02 * i) >= plane.cost - 1e-13);
        }
    }
}

static const abut_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static void least_normal(void **state) {
    (void)state;
    random_state random = random_make(random_seed("least_normal", 12));
    int32_t samples = random_samples("least_normal", 1000), beaten = 0;
    cloud c;
    for (int32_t k = 0; k < samples; k++) {
        abut_vec3 start[4] = {make_clouds(&random, 4 + random_below(&random, MOST - 3), random_range(&random, 0.2, 0.8), &c), axes[0],
                              axes[1], axes[2]};
        parting_plane plane = parting_best(&c.points, start, 4, 3);
        assert_near(plane.cost, cost_at(&c, plane.normal, plane.offset), 1e-13);
        assert_near(abut_length(plane.normal), 1.0, 1e-12);
        double least = INFINITY;
        for (int i = 0; i < 300; i++) {
            double cost = parting_along(&c.points, random_direction(&random)).cost;
            least = cost < least ? cost : least;
        }
        beaten += least < plane.cost * (1.0 - 1e-9) - 1e-13;
        /* No nearby normal is better. */
        for (int i = 0; i < 20; i++) {
            abut_vec3 near = abut_unit(abut_add_scaled(plane.normal, 1e-2, random_direction(&random)));
            assert_true(parting_along(&c.points, near).cost >= plane.cost * (1.0 - 1e-4) - 1e-13);
        }
    }
    assert_true(beaten <= samples / 20);
}

static void apart_already(void **state) {
    (void)state;
    random_state random = random_make(random_seed("apart_already", 13));
    cloud c;
    for (int32_t k = 0; k < 200; k++) {
        abut_vec3 direction = make_clouds(&random, 40, 2.0, &c);
        assert_true(parting_along(&c.points, direction).cost == 0.0);
        assert_true(parting_best(&c.points, axes, 3, 3).cost < 1e-12);
    }
}

/* Fixed points of one side limit the plane. They do not move, and the displacements of the others are found. */
static void fixed_on_one_side(void **state) {
    (void)state;
    random_state random = random_make(random_seed("fixed_on_one_side", 14));
    int32_t samples = random_samples("fixed_on_one_side", 1000);
    cloud c;
    for (int32_t k = 0; k < samples; k++) {
        make_clouds(&random, MOST, 0.5, &c);
        for (int32_t i = 0; i < MOST; i++) {
            c.mass[i] = c.side[i] > 0 && i % 2 ? INFINITY : c.mass[i];
        }
        parting_plane plane = parting_best(&c.points, axes, 3, 3);
        assert_true(plane.cost < INFINITY);
        for (int32_t i = 0; i < MOST; i++) {
            assert_true(c.mass[i] < INFINITY || parting_move(&plane, c.at[i], c.side[i], 0.0) < 1e-12);
        }
        for (int i = 0; i < 20; i++) {
            abut_vec3 near = abut_unit(abut_add_scaled(plane.normal, 1e-6, random_direction(&random)));
            assert_true(parting_along(&c.points, near).cost >= plane.cost * (1.0 - 1e-3) - 1e-13);
        }
    }
}

/* Fixed points on both sides. There is a plane between them, but no start is near it. */
static void fixed_on_both_sides(void **state) {
    (void)state;
    random_state random = random_make(random_seed("fixed_on_both_sides", 15));
    int32_t samples = random_samples("fixed_on_both_sides", 2000);
    cloud c;
    for (int32_t k = 0; k < samples; k++) {
        abut_vec3 direction = make_clouds(&random, MOST, 0.0, &c);
        double room = random_log_range(&random, 1e-3, 0.2);
        for (int32_t i = 0; i < MOST; i++) {
            double beyond = c.side[i] * abut_dot(direction, c.at[i]);
            c.mass[i] = beyond > room ? INFINITY : c.mass[i];
        }
        assert_true(parting_along(&c.points, direction).cost < INFINITY);
        assert_true(parting_best(&c.points, axes, 3, 3).cost < INFINITY);
    }
    for (int32_t i = 0; i < MOST; i++) { /* none at all */
        c.mass[i] = INFINITY;
        c.at[i] = abut_scale(i % 2 ? 1.0 : -1.0, axes[i / 2 % 3]);
        c.side[i] = i / 6 % 2 ? 1 : -1;
    }
    assert_true(parting_best(&c.points, axes, 3, 3).cost == INFINITY);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(least_offset),      cmocka_unit_test(least_normal),        cmocka_unit_test(apart_already),
        cmocka_unit_test(fixed_on_one_side), cmocka_unit_test(fixed_on_both_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
