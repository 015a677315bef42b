/* Balls at random places: no overlap, all inside the box, the same for the same seed, uniformly distributed. */
#include "io/scene/grain/scatter.h"
#include "support/check.h"

#include <math.h>
#include <string.h>

enum { COUNT = 600 };

static const scatter_region box = {.lower = {-1.0, 2.0, 0.0}, .upper = {2.0, 4.0, 5.0}, .spacing = 0.01};

static void check_balls(const scatter_ball *balls, int32_t count, const scatter_region *in) {
    for (int32_t i = 0; i < count; i++) {
        abut_vec3 p = balls[i].centre;
        double r = balls[i].radius;
        assert_true(p.x - r >= in->lower.x - 1e-15 && p.x + r <= in->upper.x + 1e-15);
        assert_true(p.y - r >= in->lower.y - 1e-15 && p.y + r <= in->upper.y + 1e-15);
        assert_true(p.z - r >= in->lower.z - 1e-15 && p.z + r <= in->upper.z + 1e-15);
        for (int32_t k = 0; k < i; k++) {
            double gap = abut_length(abut_sub(p, balls[k].centre)) - r - balls[k].radius;
            assert_true(gap >= in->spacing * (1.0 - 1e-12));
        }
    }
}

static int32_t fill(scatter_ball *balls, uint64_t seed) {
    scatter_random random = {seed};
    int32_t placed = -1;
    for (int32_t i = 0; i < COUNT; i++) {
        balls[i] = (scatter_ball){.radius = 0.05 + 0.1 * scatter_draw(&random)};
    }
    assert_ok(scatter_balls(balls, 0, COUNT, &(scatter_search){.region = &box, .tries = 2000}, &random, &placed));
    assert_int_equal(placed, COUNT);
    return placed;
}

static void test_balls_lie_apart_in_the_box(void **state) {
    (void)state;
    static scatter_ball one[COUNT], same[COUNT], other[COUNT];
    fill(one, 1);
    fill(same, 1);
    fill(other, 2);
    check_balls(one, COUNT, &box);
    check_balls(other, COUNT, &box);
    assert_memory_equal(one, same, sizeof one);
    assert_true(memcmp(one, other, sizeof one) != 0);
    abut_vec3 mean = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < COUNT; i++) {
        mean = abut_add_scaled(mean, 1.0 / COUNT, one[i].centre);
    }
    /* Five standard deviations of a uniform distribution: a box's side / sqrt(12 COUNT). */
    assert_near(mean.x, 0.5, 5.0 * 3.0 / sqrt(12.0 * COUNT));
    assert_near(mean.y, 3.0, 5.0 * 2.0 / sqrt(12.0 * COUNT));
    assert_near(mean.z, 2.5, 5.0 * 5.0 / sqrt(12.0 * COUNT));
}

/* The first places are fixed, so that no machine or change can alter them unnoticed. */
static void test_places_are_the_same_everywhere(void **state) {
    (void)state;
    scatter_random random = {1};
    assert_near(scatter_draw(&random), 0.5665615751722809, 1e-16);
    assert_near(scatter_draw(&random), 0.7457817572627011, 1e-16);
}

static void test_earlier_balls_are_heeded(void **state) {
    (void)state;
    scatter_ball balls[64] = {{{0.0, 0.0, 0.0}, 2.0}, {{50.0, 0.0, 0.0}, 3.0}};
    const scatter_region around = {.lower = {-3.0, -3.0, -3.0}, .upper = {3.0, 3.0, 3.0}};
    for (int i = 2; i < 64; i++) {
        balls[i] = (scatter_ball){.radius = 0.3};
    }
    scatter_random random = {7};
    int32_t placed;
    assert_ok(scatter_balls(balls, 2, 64, &(scatter_search){.region = &around, .tries = 2000}, &random, &placed));
    assert_int_equal(placed, 64);
    for (int i = 2; i < 64; i++) {
        assert_true(abut_length(balls[i].centre) >= 2.3);
        for (int k = 2; k < i; k++) {
            assert_true(abut_length(abut_sub(balls[i].centre, balls[k].centre)) >= 0.6);
        }
    }
}

static void test_a_full_box_says_how_many_fit(void **state) {
    (void)state;
    scatter_ball balls[30];
    const scatter_region tight = {.lower = {0.0, 0.0, 0.0}, .upper = {2.0, 2.0, 5.0}, .spacing = 0.5};
    for (int i = 0; i < 30; i++) {
        balls[i] = (scatter_ball){.radius = 1.0};
    }
    scatter_random random = {3};
    int32_t placed;
    assert_ok(scatter_balls(balls, 0, 30, &(scatter_search){.region = &tight, .tries = 2000}, &random, &placed));
    assert_in_range(placed, 1, 2);
    check_balls(balls, placed, &tight);
    assert_true(scatter_fits(&tight, 1.0));
    assert_false(scatter_fits(&tight, 1.0 + 1e-15));
}

/* Small balls fill a quarter of the volume, with any seed. */
static void test_a_quarter_of_the_volume(void **state) {
    (void)state;
    enum { BALLS = 2000 };
    static scatter_ball balls[BALLS];
    const double radius = cbrt(0.25 * 0.75 / (acos(-1.0) * BALLS));
    const scatter_region cube = {.lower = {0.0, 0.0, 0.0}, .upper = {1.0, 1.0, 1.0}};
    for (uint64_t seed = 1; seed <= 10; seed++) {
        scatter_random random = {seed};
        int32_t placed = -1;
        for (int i = 0; i < BALLS; i++) {
            balls[i] = (scatter_ball){.radius = radius};
        }
        assert_ok(scatter_balls(balls, 0, BALLS, &(scatter_search){.region = &cube, .tries = 2000}, &random, &placed));
        assert_int_equal(placed, BALLS);
    }
}

static void test_turns_are_rotations_of_all_kinds(void **state) {
    (void)state;
    scatter_random random = {5};
    double w = 0.0;
    enum { TURNS = 4000 };
    for (int i = 0; i < TURNS; i++) {
        abut_quat q = scatter_turn(&random);
        assert_near(abut_quat_norm(q), 1.0, 1e-15);
        w += q.w * q.w / TURNS;
    }
    assert_near(w, 0.25, 5.0 * sqrt(0.0625 / TURNS)); /* the mean over the sphere; its variance is below 1/16 */
}

/* Centres lie in the plane of the disc, evenly over the circle that leaves room for the ball, and no ball is where the caller has no room. */
static bool is_right_half(void *context, scatter_ball ball) {
    (void)context;
    return ball.centre.y > 2.0;
}

static void test_a_disc(void **state) {
    (void)state;
    enum { DRAWN = 4000 };
    abut_vec3 n = abut_unit(abut_vec3_make(1.0, 2.0, -2.0)), centre = abut_vec3_make(1.0, 2.0, 3.0);
    const scatter_region disc = scatter_disc(centre, n, 0.5);
    double mean_square = 0.0;
    scatter_random random = {11};
    for (int i = 0; i < DRAWN; i++) {
        scatter_ball ball = {.radius = 0.1};
        int32_t placed = 0;
        assert_ok(scatter_balls(&ball, 0, 1, &(scatter_search){.region = &disc, .tries = 100}, &random, &placed));
        assert_int_equal(placed, 1);
        abut_vec3 arm = abut_sub(ball.centre, centre);
        assert_near(abut_dot(arm, n), 0.0, 1e-15);
        assert_true(abut_length(arm) <= 0.4 + 1e-15);
        mean_square += abut_length_squared(arm) / DRAWN;
    }
    assert_near(mean_square, 0.5 * 0.4 * 0.4, 5.0 * 0.4 * 0.4 / sqrt(12.0 * DRAWN)); /* the square is uniform from 0 to 0.4^2 */
    assert_true(scatter_fits(&disc, 0.5));
    assert_false(scatter_fits(&disc, 0.5 + 1e-15));
    for (int i = 0; i < 100; i++) {
        scatter_ball ball = {.radius = 0.1};
        int32_t placed = 0;
        assert_ok(scatter_balls(&ball, 0, 1, &(scatter_search){&disc, 100, is_right_half, NULL}, &random, &placed));
        assert_int_equal(placed, 1);
        assert_true(ball.centre.y > 2.0);
    }
}

static void test_parts_of_a_seed_differ(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        for (uint64_t part = 0; part < 20; part++) {
            scatter_random one = scatter_part(seed, part), same = scatter_part(seed, part), next = scatter_part(seed, part + 1),
                           other = scatter_part(seed + 1, part);
            double drawn = scatter_draw(&one);
            assert_true(drawn == scatter_draw(&same));
            assert_true(drawn != scatter_draw(&next) && drawn != scatter_draw(&other));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_balls_lie_apart_in_the_box),
        cmocka_unit_test(test_places_are_the_same_everywhere),
        cmocka_unit_test(test_earlier_balls_are_heeded),
        cmocka_unit_test(test_a_full_box_says_how_many_fit),
        cmocka_unit_test(test_a_quarter_of_the_volume),
        cmocka_unit_test(test_turns_are_rotations_of_all_kinds),
        cmocka_unit_test(test_a_disc),
        cmocka_unit_test(test_parts_of_a_seed_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
