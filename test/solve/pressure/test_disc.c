/*
 * The law of two spheres without relative motion, against closed forms: Hertz's force, pressure and energy; JKR's radius without a load, largest pull,
 * separation and work of adhesion; DMT's pull. Forces are the derivatives of energies.
 */
#include "solve/pressure/pressure.h"

#include <math.h>
#include <string.h>

#include "support/check.h"
#include "support/random.h"

static abut_pressure_law law_with(abut_adhesion adhesion, double modulus, double work) {
    return (abut_pressure_law){.modulus = modulus, .adhesion = adhesion, .adhesion_work = work};
}

static abut_pressure_disc at(const abut_pressure_law *law, double radius, double overlap, bool touched) {
    abut_pressure_disc disc;
    assert_ok(abut_pressure_spheres(law, radius, -overlap, touched, &disc));
    return disc;
}

static void test_hertz(void **state) {
    (void)state;
    abut_pressure_law law = law_with(ABUT_ADHESION_NONE, 1e6, 0.0);
    abut_pressure_disc d = at(&law, 0.6, 0.03, false);
    assert_near(d.force, 5366.563146, 1e-6);
    assert_near(d.radius, sqrt(0.018), 1e-15);
    assert_near(d.energy, 0.4 * d.force * 0.03, 1e-12);
    assert_near(d.stiffness, 1.5 * d.force / 0.03, 1e-9);
    assert_near(d.pressure, 1.5 * d.force / (PI * 0.018), 1e-9 * d.pressure);
    abut_pressure_disc none = at(&law, 0.6, -1e-9, true);
    assert_near(none.force, 0.0, 0.0);
    assert_near(none.radius, 0.0, 0.0);
}

/* Overlaps, radii and forces from a textbook (Johnson, section 5.5), in random units. */
static void test_jkr_closed_forms(void **state) {
    (void)state;
    random_state random = random_make(random_seed("jkr", 11));
    for (int i = 0; i < 200; ++i) {
        double e = random_log_range(&random, 1e-3, 1e12), r = random_log_range(&random, 1e-7, 1e2),
               w = random_log_range(&random, 1e-3, 10.0) * e * r * 1e-6;
        abut_pressure_law law = law_with(ABUT_ADHESION_JKR, e, w);
        double unit = PI * w * r, free_radius = cbrt(4.5 * unit * r / e), free_overlap = free_radius * free_radius / (3.0 * r);
        abut_pressure_disc d = at(&law, r, free_overlap, false);
        assert_near(d.force / unit, 0.0, 1e-11);
        assert_near(d.radius / free_radius, 1.0, 1e-12);
        /* The largest pull. */
        double a = cbrt(1.125 * unit * r / e), pull_at = -a * a / (3.0 * r);
        assert_near(at(&law, r, pull_at, true).force / unit, -1.5, 1e-12);
        assert_near(at(&law, r, pull_at, true).radius / a, 1.0, 1e-12);
        assert_true(at(&law, r, 0.99 * pull_at, true).force > -1.5 * unit && at(&law, r, 1.01 * pull_at, true).force > -1.5 * unit);
        /* Parting. */
        double b = cbrt(unit * r / (8.0 * e)), last = -3.0 * b * b / r;
        assert_near(at(&law, r, last * (1.0 - 1e-13), true).force / unit, -5.0 / 6.0, 1e-5);
        assert_near(at(&law, r, last * (1.0 - 1e-13), true).radius / b, 1.0, 1e-5);
        assert_near(at(&law, r, last * (1.0 + 1e-9), true).radius, 0.0, 0.0);
        assert_near(at(&law, r, 0.5 * last, false).radius, 0.0, 0.0);
        /* At first touch. */
        assert_near(at(&law, r, 0.0, true).force / unit, -4.0 / 3.0, 1e-12);
        /* Every overlap agrees with its radius. */
        double overlap = random_log_range(&random, 1e-6, 1e-2) * r;
        d = at(&law, r, overlap, false);
        assert_near((d.radius * d.radius / r - sqrt(2.0 * PI * d.radius * w / e)) / overlap, 1.0, 1e-8);
        assert_near((d.pressure + sqrt(2.0 * w * e / (PI * d.radius))) / (2.0 * e * d.radius / (PI * r)), 1.0, 1e-12);
    }
}

/* The work that separates surfaces after they snapped together: 7.09 (w^5 R^4 / E*^2)^(1/3) (K. L. Johnson, H. M. Pollock, 1994). */
static void test_jkr_work_of_sticking(void **state) {
    (void)state;
    abut_pressure_law law = law_with(ABUT_ADHESION_JKR, 2e6, 0.3);
    double r = 0.01, b = cbrt(PI * 0.3 * r * r / (8.0 * 2e6)), last = -3.0 * b * b / r;
    double work = at(&law, r, last * (1.0 - 1e-12), true).energy - at(&law, r, 0.0, true).energy;
    assert_near(work / cbrt(pow(0.3, 5.0) * pow(r, 4.0) / 4e12), 7.09, 0.005);
}

static void test_force_is_slope_of_energy(void **state) {
    (void)state;
    const abut_adhesion kinds[3] = {ABUT_ADHESION_NONE, ABUT_ADHESION_JKR, ABUT_ADHESION_DMT};
    for (int k = 0; k < 3; ++k) {
        abut_pressure_law law = law_with(kinds[k], 1e5, k > 0 ? 0.5 : 0.0);
        for (double overlap = k == 1 ? -2e-4 : 1e-4; overlap < 1e-2; overlap += 2.3e-4) {
            double step = 1e-7,
                   slope = (at(&law, 0.4, overlap + step, true).energy - at(&law, 0.4, overlap - step, true).energy) / (2.0 * step);
            assert_near(slope, at(&law, 0.4, overlap, true).force, 1e-4);
        }
    }
}

static void test_little_adhesion_is_hertz(void **state) {
    (void)state;
    abut_pressure_law plain = law_with(ABUT_ADHESION_NONE, 1e6, 0.0), jkr = law_with(ABUT_ADHESION_JKR, 1e6, 1e-20);
    abut_pressure_disc p = at(&plain, 0.6, 0.03, false), q = at(&jkr, 0.6, 0.03, false);
    assert_near(q.force / p.force, 1.0, 1e-11);
    assert_near(q.radius / p.radius, 1.0, 1e-11);
    assert_near(q.energy / p.energy, 1.0, 1e-11);
}

static void test_dmt(void **state) {
    (void)state;
    abut_pressure_law law = law_with(ABUT_ADHESION_DMT, 1e6, 0.7), plain = law_with(ABUT_ADHESION_NONE, 1e6, 0.0);
    assert_near(at(&law, 0.6, 1e-14, false).force, -2.0 * PI * 0.7 * 0.6, 1e-9);
    assert_near(at(&law, 0.6, 0.01, false).force, at(&plain, 0.6, 0.01, false).force - 2.0 * PI * 0.7 * 0.6, 1e-9);
    assert_near(at(&law, 0.6, -1e-14, true).force, 0.0, 0.0);
    /* Without a load: 4/3 E* a^3 / R = 2 pi w R. */
    double a = cbrt(1.5 * PI * 0.7 * 0.36 / 1e6);
    assert_near(at(&law, 0.6, a * a / 0.6, false).force, 0.0, 1e-12);
}

/* The reach is large enough for JKR's disc. The disc lies in the overlap circle of the spheres moved nearer by the reach, at every overlap, and equals it at
 * one overlap. */
static void test_reach(void **state) {
    (void)state;
    abut_pressure_law law = law_with(ABUT_ADHESION_JKR, 3e5, 0.2), plain = law_with(ABUT_ADHESION_NONE, 3e5, 0.0);
    double r = 0.02, reach = abut_pressure_reach(&law, r), least = INFINITY;
    for (double overlap = -0.79 * reach; overlap < 20.0 * reach; overlap += 1e-3 * reach) {
        double a = at(&law, r, overlap, true).radius;
        least = fmin(least, 2.0 * r * (overlap + reach) - a * a);
    }
    assert_true(least >= -1e-12 * r * reach);
    assert_near(least / (r * reach), 0.0, 1e-5);
    assert_near(abut_pressure_reach(&plain, r), 0.0, 0.0);
    assert_true(isnan(abut_pressure_reach(NULL, r)) && isnan(abut_pressure_reach(&law, 0.0)) && isnan(abut_pressure_reach(&law, NAN)));
}

static void test_refusals(void **state) {
    (void)state;
    abut_pressure_law good = law_with(ABUT_ADHESION_JKR, 1.0, 1.0), bad;
    abut_pressure_disc d, before;
    memset(&before, 3, sizeof before);
    memcpy(&d, &before, sizeof d);
    assert_status(abut_pressure_spheres(NULL, 1.0, -1.0, false, &d), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_pressure_spheres(&good, 1.0, -1.0, false, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_pressure_spheres(&good, 0.0, -1.0, false, &d), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_pressure_spheres(&good, NAN, -1.0, false, &d), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_pressure_spheres(&good, INFINITY, -1.0, false, &d), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_pressure_spheres(&good, 1.0, NAN, false, &d), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_pressure_spheres(&good, 1e300, -1e300, false, &d), ABUT_ERROR_NOT_FINITE);
    double wrong[] = {NAN, -1.0, INFINITY};
    for (int i = 0; i < 3; ++i) {
        double *fields[] = {&bad.modulus, &bad.damping, &bad.friction, &bad.adhesion_work};
        for (int k = 0; k < 4; ++k) {
            bad = good;
            *fields[k] = wrong[i];
            assert_status(abut_pressure_spheres(&bad, 1.0, -1.0, false, &d), ABUT_ERROR_INVALID_ARGUMENT);
        }
    }
    bad = good;
    bad.friction = 0.5; /* without a shear modulus */
    assert_status(abut_pressure_spheres(&bad, 1.0, -1.0, false, &d), ABUT_ERROR_INVALID_ARGUMENT);
    bad = good;
    bad.adhesion = (abut_adhesion)9;
    assert_status(abut_pressure_spheres(&bad, 1.0, -1.0, false, &d), ABUT_ERROR_INVALID_ARGUMENT);
    assert_memory_equal(&d, &before, sizeof d);
}

/* The linear law: k d, 1/2 k d^2, over Hertz's disc with a pressure that bears the force. */
static void test_linear(void **state) {
    (void)state;
    abut_pressure_law law = law_with(ABUT_ADHESION_NONE, 1e6, 0.0);
    law.stiffness = 3e4;
    for (double overlap = 1e-6; overlap < 0.1; overlap *= 3.0) {
        abut_pressure_disc d;
        assert_ok(abut_pressure_spheres(&law, 0.5, -overlap, false, &d));
        assert_near(d.force, 3e4 * overlap, 1e-12 * d.force);
        assert_near(d.energy, 1.5e4 * overlap * overlap, 1e-12 * d.energy);
        assert_near(d.radius, sqrt(0.5 * overlap), 1e-12 * d.radius);
        assert_near(d.stiffness, 3e4, 0.0);
        assert_near(d.pressure, 1.5 * d.force / (PI * d.radius * d.radius), 1e-12 * d.pressure);
    }
    abut_pressure_disc none;
    assert_ok(abut_pressure_spheres(&law, 0.5, 1e-9, true, &none));
    assert_near(none.force, 0.0, 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear),
        cmocka_unit_test(test_hertz),
        cmocka_unit_test(test_jkr_closed_forms),
        cmocka_unit_test(test_jkr_work_of_sticking),
        cmocka_unit_test(test_force_is_slope_of_energy),
        cmocka_unit_test(test_little_adhesion_is_hertz),
        cmocka_unit_test(test_dmt),
        cmocka_unit_test(test_reach),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
