/* The order of balls in memory: a permutation, by cells along the longest axis first, for every place that a ball can have. */
#include "step/dem/order.h"

#include <math.h>

#include "support/check.h"
#include "support/random.h"

enum { BALLS = 500 };

/* A ball in every second slot; boxes and removed bodies are in the others. */
static abut_world *world_of(const abut_vec3 *places, int32_t count) {
    abut_world_def def = abut_world_def_default();
    abut_world *world = NULL;
    abut_shape *ball = NULL, *box = NULL;
    assert_ok(abut_world_create(&def, &world));
    assert_ok(abut_shape_create_sphere(0.5, &ball));
    assert_ok(abut_shape_create_box(abut_vec3_make(1, 1, 1), &box));
    for (int32_t i = 0; i < count; ++i) {
        abut_body_def body = abut_body_def_default();
        abut_body_id other;
        body.shape = i % 3 == 0 ? ball : box;
        assert_ok(abut_world_add_body(world, &body, &other));
        if (i % 2 == 0) {
            assert_ok(abut_world_remove_body(world, other));
        }
        body.shape = ball;
        body.pose.position = places[i];
        assert_ok(abut_world_add_body(world, &body, NULL));
    }
    abut_shape_release(ball);
    abut_shape_release(box);
    return world;
}

static void check_permutation(const dem_order *order, const abut_world *world) {
    int32_t balls = 0;
    for (int32_t slot = 0; slot < world->body_used; ++slot) {
        balls += world->bodies[slot].used && abut_shape_kind(world->bodies[slot].shape) == ABUT_SHAPE_SPHERE;
    }
    assert_int_equal(order->count, balls);
    for (int32_t i = 0; i < order->count; ++i) {
        assert_true(order->ranks[i] >= 0 && order->ranks[i] < order->count);
        assert_int_equal(order->at[order->ranks[i]], i);
        assert_true(i == 0 || order->slots[i - 1] < order->slots[i]);
    }
}

static void test_a_bed(void **state) {
    (void)state;
    random_state random = random_make(7);
    abut_vec3 places[BALLS];
    for (int i = 0; i < BALLS; ++i) {
        places[i] = abut_vec3_make(random_range(&random, 0, 5), random_range(&random, -100, -60), random_range(&random, 3, 13));
    }
    abut_world *world = world_of(places, BALLS);
    dem_order order = {.count = 0};
    assert_true(dem_order_make(&order, world));
    check_permutation(&order, world);
    int32_t near = 0;
    for (int32_t i = 1; i < order.count; ++i) {
        abut_vec3 p = world->bodies[order.slots[order.ranks[i - 1]]].centre, q = world->bodies[order.slots[order.ranks[i]]].centre;
        near += fabs(p.y - q.y) < 2.0;
    }
    assert_int_equal(near, order.count - 2); /* balls at the origin are a layer of their own, far away */
    dem_order_release(&order);
    abut_world_destroy(world);
}

static void test_places_at_the_ends_of_numbers(void **state) {
    (void)state;
    const abut_vec3 places[] = {{0, 0, 0}, {1e300, 0, -1e300}, {-1e300, 1e-300, 1e300}, {0, 0, 0}, {1e-320, 0, 0}, {1.7e308, -1.7e308, 0}};
    for (int32_t count = 0; count <= 6; ++count) {
        abut_world *world = world_of(places, count);
        dem_order order = {.count = 0};
        assert_true(dem_order_make(&order, world));
        check_permutation(&order, world);
        for (int32_t slot = 0; slot < world->body_used; ++slot) {
            world->bodies[slot].centre.y = slot % 2 ? NAN : INFINITY;
        }
        assert_true(dem_order_make(&order, world));
        check_permutation(&order, world);
        dem_order_release(&order);
        abut_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_bed), cmocka_unit_test(test_places_at_the_ends_of_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
