/* The friction disc against its conditions: the impulse lies inside the disc and the contact sticks, or it lies on the disc and the contact sticks or slides
 * in the opposite direction. */
#include "support/check.h"
#include "support/random.h"

#include "solve/contact/friction.h"

static friction_matrix random_matrix(random_state *random) {
    double big = random_log_range(random, 1e-6, 1e6), small = big * random_log_range(random, 1e-6, 1.0);
    double angle = random_range(random, 0.0, 3.2), c = cos(angle), s = sin(angle);
    friction_matrix m = {big * c * c + small * s * s, (big - small) * c * s, big * s * s + small * c * c};
    return m;
}

static void test_sticks_or_slides_against_the_impulse(void **state) {
    (void)state;
    random_state random = random_make(random_seed("friction", 3));
    int stuck = 0, slid = 0;
    for (int i = 0; i < 20000; i++) {
        friction_matrix m = random_matrix(&random);
        friction_vector b = {random_range(&random, -1.0, 1.0), random_range(&random, -1.0, 1.0)};
        double bound = random_log_range(&random, 1e-8, 1e8);
        double slip = i % 2 == 0 ? 0.0 : random_log_range(&random, 1e-12, 1e12); /* any start value works */
        friction_vector l = friction_solve(m, b, bound, &slip);
        double length = sqrt(l.x * l.x + l.y * l.y);
        assert_true(length <= bound * (1.0 + 1e-12));
        friction_vector v = {b.x + m.xx * l.x + m.xy * l.y, b.y + m.xy * l.x + m.yy * l.y};
        double speed = sqrt(v.x * v.x + v.y * v.y), scale = sqrt(b.x * b.x + b.y * b.y);
        if (length < bound * (1.0 - 1e-9)) {
            assert_true(speed <= 1e-9 * scale);
            stuck++;
        } else {
            /* v = -k l with k >= 0 */
            assert_true(v.x * l.x + v.y * l.y <= 1e-9 * scale * length);
            assert_true(fabs(v.x * l.y - v.y * l.x) <= 1e-8 * scale * length);
            slid++;
        }
    }
    assert_true(stuck > 1000 && slid > 1000);
}

static void test_no_bound_no_impulse(void **state) {
    (void)state;
    friction_matrix m = {1.0, 0.0, 2.0};
    friction_vector b = {1.0, 1.0};
    double slip = 0.0;
    friction_vector l = friction_solve(m, b, 0.0, &slip);
    assert_true(l.x == 0.0 && l.y == 0.0);
    l = friction_solve(m, (friction_vector){0.0, 0.0}, 1.0, &slip);
    assert_true(l.x == 0.0 && l.y == 0.0);
}

static void test_equal_in_all_directions(void **state) {
    (void)state;
    /* A separate bound for each axis would give 1.41 times the limit along the diagonal. */
    friction_matrix m = {1.0, 0.0, 1.0};
    for (int i = 0; i < 12; i++) {
        double angle = 0.5236 * i;
        friction_vector b = {5.0 * cos(angle), 5.0 * sin(angle)};
        double slip = 0.0;
        friction_vector l = friction_solve(m, b, 2.0, &slip);
        assert_near(slip, 5.0 / 2.0 - 1.0, 1e-9);
        assert_near(l.x, -2.0 * cos(angle), 1e-14);
        assert_near(l.y, -2.0 * sin(angle), 1e-14);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sticks_or_slides_against_the_impulse),
        cmocka_unit_test(test_no_bound_no_impulse),
        cmocka_unit_test(test_equal_in_all_directions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
