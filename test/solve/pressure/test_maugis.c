/*
 * The disc of Maugis against his three equations, solved by a search of its own; its limits, JKR's and DMT's discs; the pull-off forces of his
 * paper; its energy.
 */
#include "solve/pressure/pressure.h"

#include <stdio.h>

#include "support/check.h"
#include "support/random.h"

/* The law with Maugis's parameter L for spheres of the effective radius R. */
static abut_pressure_law law_of(double lambda, double modulus, double work, double radius, abut_adhesion adhesion) {
    double k = 4.0 / 3.0 * modulus;
    return (abut_pressure_law){.modulus = modulus,
                               .adhesion = adhesion,
                               .adhesion_work = work,
                               .adhesion_strength = 0.5 * lambda * cbrt(PI * work * k * k / radius)};
}

/* With K = 1, pi w = 1 and R = 1 all units are 1. */
static abut_pressure_law unit_law(double lambda, abut_adhesion adhesion) { return law_of(lambda, 0.75, 1.0 / PI, 1.0, adhesion); }

static bool at(const abut_pressure_law *law, double radius, double overlap, abut_pressure_disc *disc) {
    assert_ok(abut_pressure_spheres(law, radius, -overlap, true, disc));
    return disc->radius > 0.0;
}

/* ---- a search of its own ---- */

/* Overlap and force of a disc of the radius a, whose ring ends at m a, found by bisection of the third equation. */
typedef struct point {
    double overlap, force;
} point;

static double third(double lambda, double a, double m) {
    double root = sqrt(m * m - 1.0), turn = atan(root);
    return 0.5 * lambda * a * a * (root + (m * m - 2.0) * turn) + 4.0 / 3.0 * lambda * lambda * a * (root * turn - m + 1.0) - 1.0;
}

static point point_of(double lambda, double a) {
    double low = 1.0, high = 2.0;
    while (third(lambda, a, high) < 0.0) {
        high *= 2.0;
    }
    for (int i = 0; i < 200; ++i) {
        double m = 0.5 * (low + high);
        *(third(lambda, a, m) < 0.0 ? &low : &high) = m;
    }
    double root = sqrt(low * low - 1.0);
    return (point){a * a - 4.0 / 3.0 * lambda * a * root, a * a * a - lambda * a * a * (root + low * low * atan(root))};
}

/* On the stable branch, where the overlap rises with the radius, both agree; where it does not, there is no disc of this radius. */
static void test_equations(void **state) {
    (void)state;
    double worst = 0.0;
    for (double lambda = 0.02; lambda < 20.0; lambda *= 1.7) {
        abut_pressure_law law = unit_law(lambda, ABUT_ADHESION_MAUGIS);
        double before = -INFINITY, least = INFINITY;
        for (double a = 0.05; a < 6.0; a *= 1.03) {
            least = fmin(least, point_of(lambda, a).overlap);
        }
        for (double a = 6.0; a > 0.05; a /= 1.03) {
            point p = point_of(lambda, a), smaller = point_of(lambda, a / 1.001);
            abut_pressure_disc d;
            if (!(p.overlap > smaller.overlap) || p.overlap < least + 1e-3) {
                break; /* past the smallest overlap */
            }
            assert_true(at(&law, 1.0, p.overlap, &d));
            worst = fmax(worst, fmax(fabs(d.radius - a), fabs(d.force - p.force)) / (1.0 + a * a * a));
            before = a;
        }
        assert_true(before < 1.7); /* it was followed into its pull */
    }
    printf("off by %.2g\n", worst);
    assert_true(worst <= 1e-6);
}

/* The largest pull over pi w R: 2 for a small L, 3/2 for a large one, and rising in between as in the paper; no disc is left out before its end. */
static void test_largest_pull(void **state) {
    (void)state;
    double before = 2.0 + 1e-3;
    for (double lambda = 1e-3; lambda < 200.0; lambda *= 1.5) {
        abut_pressure_law law = unit_law(lambda, ABUT_ADHESION_MAUGIS);
        double pull = 0.0, exact = 0.0;
        bool ended = false;
        for (double overlap = 1.0; overlap > -1.3; overlap -= 2e-4) {
            abut_pressure_disc d;
            bool touches = at(&law, 1.0, overlap, &d);
            assert_true(!(ended && touches));
            ended = !touches;
            pull = fmin(pull, d.force);
        }
        for (double a = 1e-3; a < 3.0; a += 2e-3) {
            exact = fmin(exact, point_of(lambda, a).force);
        }
        assert_true(ended);
        assert_near(pull, exact, 2e-2);
        assert_true(-pull <= before && -pull >= 1.5 - 1e-3);
        before = -pull + 1e-3;
    }
}

/* For a large L the disc is JKR's, for a small one DMT's. */
static void test_limits(void **state) {
    (void)state;
    random_state random = random_make(random_seed("limits", 71));
    double worst[2][2] = {{0.0}};
    for (int i = 0; i < 400; ++i) {
        double e = random_log_range(&random, 1e3, 1e12), r = random_log_range(&random, 1e-6, 1.0),
               w = random_log_range(&random, 1e-6, 1e-3) * e * r * 1e-4;
        double unit = cbrt(PI * PI * w * w * r / (16.0 / 9.0 * e * e));
        for (int far = 0; far < 2; ++far) {
            abut_pressure_law jkr = law_of(1.0, e, w, r, ABUT_ADHESION_JKR), dmt = law_of(1.0, e, w, r, ABUT_ADHESION_DMT);
            abut_pressure_law high = law_of(far ? 1e5 : 1e2, e, w, r, ABUT_ADHESION_MAUGIS),
                              low = law_of(far ? 1e-8 : 1e-4, e, w, r, ABUT_ADHESION_MAUGIS);
            abut_pressure_disc a, b;
            double overlap = random_range(&random, -0.85, 4.0) * unit;
            assert_true(at(&jkr, r, overlap, &a) && at(&high, r, overlap, &b));
            worst[far][0] =
                fmax(worst[far][0], fmax(fabs(a.force - b.force) / (PI * w * r), fabs(a.energy - b.energy) / (PI * w * r * unit)));
            overlap = random_range(&random, 0.05, 4.0) * unit;
            assert_true(at(&dmt, r, overlap, &a) && at(&low, r, overlap, &b));
            worst[far][1] = fmax(worst[far][1], fabs(a.force - b.force) / (PI * w * r));
        }
    }
    printf("JKR: off by %.2g at L = 100, %.2g at 1e5; DMT: %.2g at 1e-4, %.2g at 1e-8, of pi w R\n", worst[0][0], worst[1][0], worst[0][1],
           worst[1][1]);
    assert_true(worst[0][0] <= 5e-2 && worst[1][0] <= 1e-4);
    assert_true(worst[0][1] <= 5e-2 && worst[1][1] <= 1e-3);
}

/* The force is minus the derivative of the energy by the gap. */
static void test_energy(void **state) {
    (void)state;
    random_state random = random_make(random_seed("energy", 72));
    double worst = 0.0;
    for (int i = 0; i < 2000; ++i) {
        double lambda = random_log_range(&random, 1e-2, 1e2);
        abut_pressure_law law = unit_law(lambda, ABUT_ADHESION_MAUGIS);
        double overlap = random_range(&random, -1.0, 4.0), h = 1e-4;
        abut_pressure_disc less, more, d;
        if (at(&law, 1.0, overlap - 2.0 * h, &d) && at(&law, 1.0, overlap - h, &less) && at(&law, 1.0, overlap, &d) &&
            at(&law, 1.0, overlap + h, &more)) {
            double curved = fabs(more.force - 2.0 * d.force + less.force);
            worst = fmax(worst, fabs((more.energy - less.energy) / (2.0 * h) - d.force) - curved);
        }
    }
    printf("derivative off by %.2g of pi w R\n", worst);
    assert_true(worst <= 2e-6);
}

/* Any numbers give a disc, none, or the status of one that overflows. */
static void test_any_size(void **state) {
    (void)state;
    random_state random = random_make(random_seed("any size", 73));
    for (int i = 0; i < 4000; ++i) {
        double e = random_log_range(&random, 1e-100, 1e100), r = random_log_range(&random, 1e-50, 1e50),
               w = random_log_range(&random, 1e-100, 1e100);
        abut_pressure_law law = {.modulus = e,
                                 .adhesion = ABUT_ADHESION_MAUGIS,
                                 .adhesion_work = w,
                                 .adhesion_strength = random_log_range(&random, 1e-150, 1e150)};
        double gap = random_range(&random, -3.0, 1.0) * abut_pressure_reach(&law, r);
        abut_pressure_disc d = {.force = 7.0};
        abut_status status = abut_pressure_spheres(&law, r, gap, true, &d);
        assert_true(status == ABUT_OK || (status == ABUT_ERROR_NOT_FINITE && d.force == 7.0));
        assert_true(status != ABUT_OK || (isfinite(d.force) && isfinite(d.energy) && d.radius >= 0.0));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equations), cmocka_unit_test(test_largest_pull), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_energy),    cmocka_unit_test(test_any_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
