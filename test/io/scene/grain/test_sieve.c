/* Sizes of grains: samples against the distributions that were asked for (A. Kolmogorov, 1933; N. Smirnov, 1948), by number and by mass. */
#include "io/scene/grain/sieve.h"
#include "support/check.h"

#include <math.h>
#include <stdlib.h>

enum { DRAWN = 40000 };

/* The share of sizes up to `size`. */
typedef double (*share_function)(const void *of, double size);

static int by_value(const void *a, const void *b) {
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

/*
 * The largest difference of the share of a sample from the share of the distribution, in units of 1 / sqrt(n). A sample by mass counts each grain by its
 * mass; n is then (sum of the masses)^2 / (sum of their squares). Values above 1.95 come by chance once in a thousand samples; the seed is fixed.
 */
static double difference(const sieve *s, uint64_t seed, share_function share, const void *of) {
    static double sizes[DRAWN];
    scatter_random random = {seed};
    double all = 0.0, squares = 0.0, up_to = 0.0, most = 0.0;
    for (int i = 0; i < DRAWN; i++) {
        sizes[i] = sieve_draw(s, &random);
        double weight = s->by_mass ? pow(sizes[i], 3.0) : 1.0;
        all += weight;
        squares += weight * weight;
    }
    qsort(sizes, DRAWN, sizeof *sizes, by_value);
    for (int i = 0; i < DRAWN; i++) {
        /* Just below the first grain of a size, and just above the last one. */
        bool first = i == 0 || sizes[i - 1] != sizes[i], last = i + 1 == DRAWN || sizes[i + 1] != sizes[i];
        most = first ? fmax(most, fabs(up_to / all - share(of, nextafter(sizes[i], 0.0)))) : most;
        up_to += s->by_mass ? pow(sizes[i], 3.0) : 1.0;
        most = last ? fmax(most, fabs(up_to / all - share(of, sizes[i]))) : most;
    }
    return most * sqrt(all * all / squares);
}

/* ---- curves ---- */

typedef struct points {
    const double *sizes, *shares;
    int count;
} points;

static double share_of_points(const void *of, double size) {
    const points *p = of;
    double share = 0.0;
    for (int i = 0; i + 1 < p->count; i++) {
        double d = p->sizes[i], e = p->sizes[i + 1];
        share = size >= e ? p->shares[i + 1] : size > d ? p->shares[i] + (size - d) / (e - d) * (p->shares[i + 1] - p->shares[i]) : share;
    }
    return share;
}

static void test_samples_follow_a_curve(void **state) {
    (void)state;
    const double sizes[] = {0.002, 0.003, 0.004, 0.004, 0.008, 0.01}, shares[] = {0.0, 0.1, 0.25, 0.55, 0.55, 1.0};
    const points p = {sizes, shares, 6};
    for (int by_mass = 0; by_mass < 2; by_mass++) {
        sieve s;
        assert_ok(sieve_make_curve(sizes, shares, 6, by_mass == 1, &s));
        double found = difference(&s, 42, share_of_points, &p);
        print_message("curve by %s: %.3f\n", by_mass ? "mass" : "number", found);
        assert_true(found < 1.95);
        /* The wrong basis would be seen. */
        s.by_mass = !s.by_mass;
        assert_true(difference(&s, 42, share_of_points, &p) > 10.0);
        sieve_release(&s);
    }
}

/* Half of the mass in grains of half the size: eight of nine grains are small. */
static void test_two_sizes(void **state) {
    (void)state;
    const double sizes[] = {1.0, 1.0, 2.0, 2.0}, shares[] = {0.0, 0.5, 0.5, 1.0};
    sieve s;
    assert_ok(sieve_make_curve(sizes, shares, 4, true, &s));
    scatter_random random = {3};
    int small = 0;
    for (int i = 0; i < DRAWN; i++) {
        double size = sieve_draw(&s, &random);
        assert_true(size == 1.0 || size == 2.0);
        small += size == 1.0;
    }
    assert_near((double)small / DRAWN, 8.0 / 9.0, 4.0 * sqrt(8.0 / 81.0 / DRAWN));
    sieve_release(&s);
}

/* ---- normal distributions, by the error function ---- */

static double phi(const sieve_normal *n, double size) {
    double z = (n->logarithmic ? log(size / n->middle) : size - n->middle) / n->deviation;
    return 0.5 * erfc(-z / sqrt(2.0));
}

static double share_of_normal(const void *of, double size) {
    const sieve_normal *n = of;
    return (phi(n, size) - phi(n, n->least)) / (phi(n, n->most) - phi(n, n->least));
}

static void test_samples_follow_normal_distributions(void **state) {
    (void)state;
    const sieve_normal asked[] = {
        {false, 0.006, 0.001, 0.003, 0.009}, {false, 0.006, 0.001, 0.0055, 0.0058}, {false, 1e-4, 4e-5, 5e-5, 1.0},
        {false, 1.0, 0.1, 1.3, 9.0},         {true, 0.006, 0.3, 0.002, 0.02},       {true, 50.0, 0.5, 20.0, 60.0},
    };
    for (size_t i = 0; i < 2 * sizeof asked / sizeof *asked; i++) {
        const sieve_normal *n = &asked[i / 2];
        sieve s;
        assert_ok(sieve_make_normal(n, i % 2 == 1, &s));
        assert_near(sieve_most(&s), fmin(n->most, n->logarithmic ? n->middle * exp(8.0 * n->deviation) : n->middle + 8.0 * n->deviation),
                    1e-12 * n->most);
        double found = difference(&s, 7 + i, share_of_normal, n);
        print_message("normal distribution %zu by %s: %.3f\n", i / 2, i % 2 ? "mass" : "number", found);
        assert_true(found < 1.95);
        sieve_release(&s);
    }
}

static void test_what_has_no_sizes(void **state) {
    (void)state;
    sieve s;
    assert_status(sieve_make_normal(&(sieve_normal){false, 1.0, 0.01, 2.0, 3.0}, false, &s), ABUT_ERROR_DEGENERATE);
    sieve_release(&s);
    assert_status(sieve_make_normal(&(sieve_normal){true, 1.0, 0.01, 1e-300, 1e-200}, true, &s), ABUT_ERROR_DEGENERATE);
    sieve_release(&s);
    const double sizes[] = {1e-200, 1.0}, shares[] = {0.0, 1.0};
    assert_status(sieve_make_curve(sizes, shares, 2, true, &s), ABUT_ERROR_NOT_FINITE);
    sieve_release(&s);
    assert_ok(sieve_make_curve(sizes, shares, 2, false, &s));
    sieve_release(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples_follow_a_curve),
        cmocka_unit_test(test_two_sizes),
        cmocka_unit_test(test_samples_follow_normal_distributions),
        cmocka_unit_test(test_what_has_no_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
