/*
 * Effective moduli of two materials, and damping against restitution: closed forms, their inverses, and balls whose equation of motion is integrated.
 */
#include "solve/pressure/pressure.h"

#include <math.h>
#include <string.h>

#include "support/check.h"


static void test_moduli(void **state) {
    (void)state;
    abut_material steel = {210e9, 0.3}, rubber = {1e7, 0.5}, rigid = {INFINITY, 0.2};
    abut_pressure_law law;
    assert_ok(abut_pressure_law_make(&steel, &steel, &law));
    assert_near(law.modulus / (210e9 / (2.0 * 0.91)), 1.0, 1e-15);
    assert_near(law.shear_modulus / (210e9 / 2.6 / 3.4), 1.0, 1e-15);
    assert_int_equal(law.mode, ABUT_PRESSURE_AREA);
    assert_int_equal(law.adhesion, ABUT_ADHESION_NONE);
    assert_ok(abut_pressure_law_make(&rigid, &rubber, &law));
    assert_near(law.modulus, 1e7 / 0.75, 1e-7);
    assert_near(law.shear_modulus, 1e7 / 3.0 / 1.5, 1e-7);
    /* Mindlin: the stiffness along the surface over that across it is 2 (1 - nu) / (2 - nu) for equal materials. */
    assert_ok(abut_pressure_law_make(&steel, &steel, &law));
    assert_near(8.0 * law.shear_modulus / (2.0 * law.modulus), 2.0 * 0.7 / 1.7, 1e-15);
    assert_near(law.damping + law.friction + law.adhesion_work, 0.0, 0.0);
}

static void test_moduli_refused(void **state) {
    (void)state;
    abut_material good = {1.0, 0.3}, rigid = {INFINITY, 0.3};
    abut_pressure_law law, before;
    memset(&before, 3, sizeof before);
    memcpy(&law, &before, sizeof law);
    const abut_material bad[] = {{0.0, 0.3}, {-1.0, 0.3}, {NAN, 0.3}, {1.0, 0.51}, {1.0, -1.0}, {1.0, NAN}, {1.0, INFINITY}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        assert_status(abut_pressure_law_make(&bad[i], &good, &law), ABUT_ERROR_INVALID_ARGUMENT);
        assert_status(abut_pressure_law_make(&good, &bad[i], &law), ABUT_ERROR_INVALID_ARGUMENT);
    }
    assert_status(abut_pressure_law_make(&rigid, &rigid, &law), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_pressure_law_make(NULL, &good, &law), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_pressure_law_make(&good, &good, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_memory_equal(&law, &before, sizeof law);
}

static double restitution(double damping, bool pulls) {
    double e;
    assert_ok(abut_pressure_restitution(damping, pulls, &e));
    return e;
}

static void test_damping_and_back(void **state) {
    (void)state;
    for (int pulls = 0; pulls < 2; ++pulls) {
        for (int i = 1; i <= 200; ++i) {
            double e = 0.005 * i, z, back;
            assert_ok(abut_pressure_damping(e, pulls == 1, &z));
            back = restitution(z, pulls == 1);
            assert_near(back / e, 1.0, 1e-13);
        }
    }
    double z;
    assert_ok(abut_pressure_damping(1.0, false, &z));
    assert_near(z, 0.0, 0.0);
    assert_ok(abut_pressure_damping(1e-200, false, &z));
    assert_near(log(restitution(z, false)) / log(1e-200), 1.0, 1e-12);
    assert_near(restitution(1.0, false), exp(-2.0), 1e-15);
    assert_near(restitution(1.0 - 1e-9, false), restitution(1.0 + 1e-9, false), 1e-9);
    assert_near(restitution(1.0, true), 0.0, 0.0);
    assert_near(restitution(sqrt(0.5), true), exp(-PI), 1e-15);
    assert_near(restitution(1e-6, false), 1.0 - PI * 1e-6, 1e-10);
}

static void test_damping_refused(void **state) {
    (void)state;
    double x = 5.0;
    const double bad[] = {0.0, -0.1, 1.1, NAN, INFINITY};
    for (int i = 0; i < 5; ++i) {
        assert_status(abut_pressure_damping(bad[i], false, &x), ABUT_ERROR_INVALID_ARGUMENT);
    }
    assert_status(abut_pressure_damping(0.5, true, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_pressure_restitution(-0.1, true, &x), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_pressure_restitution(NAN, true, &x), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_pressure_restitution(INFINITY, true, &x), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_pressure_restitution(0.1, true, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_near(x, 5.0, 0.0);
}

/* ---- balls ---- */

typedef struct ball {
    double mass, speed, damping;
    bool pulls;
} ball;

/* Acceleration at an overlap that grows at a rate, from the law as it is documented. */
static double acceleration(const ball *b, double overlap, double rate) {
    if (!(overlap > 0.0)) {
        return 0.0;
    }
    const double modulus = 1e7, radius = 0.01;
    double force = 4.0 / 3.0 * modulus * sqrt(radius) * pow(overlap, 1.5), stiffness = 2.0 * modulus * sqrt(radius * overlap);
    force += 2.0 * sqrt(5.0 / 6.0) * b->damping * sqrt(b->mass * stiffness) * rate;
    return -(b->pulls ? force : fmax(force, 0.0)) / b->mass;
}

/* Runge and Kutta, fourth order. */
static double bounce(const ball *b) {
    double time = pow(b->mass * b->mass / (1e14 * 0.01 * b->speed), 0.2), h = 2e-4 * time, x = 0.0, v = b->speed;
    for (int i = 0; i < 400000 && (x >= 0.0); ++i) {
        double a1 = acceleration(b, x, v), v2 = v + 0.5 * h * a1, a2 = acceleration(b, x + 0.5 * h * v, v2), v3 = v + 0.5 * h * a2;
        double a3 = acceleration(b, x + 0.5 * h * v2, v3), v4 = v + h * a3, a4 = acceleration(b, x + h * v3, v4);
        x += h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
        v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
    return -v / b->speed;
}

static void test_bounces_do_not_depend_on_speed(void **state) {
    (void)state;
    const double speeds[2] = {0.01, 10.0}, wanted[4] = {0.95, 0.7, 0.4, 0.2};
    for (int pulls = 0; pulls < 2; ++pulls) {
        for (int i = 0; i < 4; ++i) {
            ball b = {.mass = 0.03, .pulls = pulls == 1};
            assert_ok(abut_pressure_damping(wanted[i], b.pulls, &b.damping));
            for (int k = 0; k < 2; ++k) {
                b.speed = speeds[k];
                assert_near(bounce(&b), wanted[i], 1e-4);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moduli),
        cmocka_unit_test(test_moduli_refused),
        cmocka_unit_test(test_damping_and_back),
        cmocka_unit_test(test_damping_refused),
        cmocka_unit_test(test_bounces_do_not_depend_on_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
