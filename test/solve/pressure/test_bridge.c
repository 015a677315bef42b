/*
 * The capillary bridge between two spheres against the Young-Laplace equation, integrated along the meridian of the bridge; its force as the derivative of its
 * energy; closed forms at the touch and at the end; and numbers of any size.
 */
#include "solve/pressure/pressure.h"

#include <stdio.h>

#include "support/check.h"
#include "support/random.h"

static abut_pressure_law wet_law(double volume, double tension, double angle) {
    return (abut_pressure_law){.modulus = 1e7, .liquid_volume = volume, .surface_tension = tension, .contact_angle = angle};
}

static abut_pressure_disc at(const abut_pressure_law *law, double radius, double gap, bool touched) {
    abut_pressure_disc disc;
    assert_ok(abut_pressure_spheres(law, radius, gap, touched, &disc));
    return disc;
}

/* ---- the Young-Laplace equation ---- */

/* The meridian of a bridge between unit spheres, from the upper sphere down to its neck: radius r, height z, angle `turn` of its tangent from the axis. With
 * the pressure p over the surface tension, turn' = cos(turn) / r - p along the arc. volume: of the body of revolution below. */
typedef struct meridian {
    double r, z, turn, volume;
} meridian;

static meridian slope(const meridian *m, double p) {
    return (meridian){-sin(m->turn), -cos(m->turn), -(cos(m->turn) / m->r - p), PI * m->r * m->r * cos(m->turn)};
}

static meridian moved(const meridian *m, double h, const meridian *by) {
    return (meridian){m->r + h * by->r, m->z + h * by->z, m->turn + h * by->turn, m->volume + h * by->volume};
}

static meridian step(const meridian *m, double h, double p) {
    meridian a = slope(m, p), b = moved(m, 0.5 * h, &a), c, d, e;
    b = slope(&b, p);
    c = moved(m, 0.5 * h, &b);
    c = slope(&c, p);
    d = moved(m, h, &c);
    d = slope(&d, p);
    e = moved(m, h / 6.0, &a);
    e = moved(&e, h / 3.0, &b);
    e = moved(&e, h / 3.0, &c);
    return moved(&e, h / 6.0, &d);
}

/* From the ring where the liquid ends on the upper sphere to where the tangent is along the axis. False if the middle plane comes first. */
static bool to_neck(meridian m, double p, meridian *neck) {
    const double whole = m.z;
    while (m.turn > 0.0) {
        double rate = fabs(slope(&m, p).turn), h = 0.02 * fmin(whole / fmax(cos(m.turn), 0.05), 1.0 / rate);
        meridian next = step(&m, h, p);
        if (next.turn <= 0.0) { /* Newton's steps to the very place */
            for (int i = 0; i < 4; ++i) {
                m = step(&m, -m.turn / slope(&m, p).turn, p);
            }
            break;
        }
        m = next;
        if (m.z < 0.0 || !(m.r > 0.0)) {
            return false;
        }
    }
    *neck = m;
    return m.z >= 0.0;
}

typedef struct exact_bridge {
    double volume, force; /* for unit spheres and surface tension */
} exact_bridge;

/* The bridge that ends on both unit spheres at the angle `fill` from the axis. False where there is none with a neck. */
static bool solve_bridge(double fill, double angle, double gap, exact_bridge *out) {
    double top = 0.5 * gap + 1.0 - cos(fill), r = sin(fill);
    const meridian ring = {r, top, 0.5 * PI - fill - angle, 0.0};
    double low = -1e6, high = 1.0 / r;
    if (!(ring.turn > 0.05)) {
        return false;
    }
    meridian neck = ring;
    for (int i = 0; i < 100; ++i) {
        double p = 0.5 * (low + high);
        *(to_neck(ring, p, &neck) ? &low : &high) = p;
    }
    if (!to_neck(ring, low, &neck) || neck.z > 1e-6 * top) {
        return false;
    }
    double cap = PI * (1.0 - cos(fill)) * (1.0 - cos(fill)) * (2.0 + cos(fill)) / 3.0;
    out->volume = 2.0 * (neck.volume - cap);
    out->force = 2.0 * PI * neck.r - PI * neck.r * neck.r * low;
    return true;
}

/* Checks the oracle itself: the force is the same across the ring on the sphere as across the neck, and near it the force of a small bridge is 2 pi cos t. */
static void test_oracle(void **state) {
    (void)state;
    exact_bridge e = {0.0, 0.0};
    for (int i = 0; i < 3; ++i) {
        double angle = 0.3 * i;
        assert_true(solve_bridge(0.01, angle, 1e-9, &e));
        assert_near(e.force, 2.0 * PI * cos(angle), 0.02 * e.force);
        assert_true(e.volume > 0.0 && e.volume < 1e-6);
    }
}

/* Within the limits that the paper states: volumes below a thousandth of R^3, contact angles below 50 degrees, up to the distance of rupture. */
static void test_young_laplace(void **state) {
    (void)state;
    random_state random = random_make(random_seed("young-laplace", 61));
    int32_t count = random_samples("young-laplace", 3000), found = 0;
    double worst = 0.0, sum = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        double fill = random_range(&random, 0.03, 0.35), angle = random_range(&random, 0.0, 0.7),
               gap = random_range(&random, 0.0, 0.5) * fill;
        exact_bridge e = {0.0, 0.0};
        if (!solve_bridge(fill, angle, gap, &e) || !(e.volume > 1e-6 && e.volume < 1e-3)) {
            continue;
        }
        abut_pressure_law law = wet_law(e.volume, 1.0, angle);
        if (gap > 0.8 * pressure_rupture(&law)) {
            continue; /* near the end there are two bridges of the same volume */
        }
        double force = -at(&law, 0.5, gap, true).force, off = fabs(force - e.force);
        worst = fmax(worst, off / (2.0 * PI));
        sum += off / (2.0 * PI);
        ++found;
    }
    printf("%d bridges: force off by up to %.3g, mean %.3g of 2 pi R g\n", (int)found, worst, sum / found);
    assert_true(found > count / 10);
    assert_true(worst <= 0.06 && sum <= 0.03 * found);
}

/* ---- closed forms ---- */

/* At the touch the pull is 4 pi R g cos t: of two equal spheres of the radius r with R = r / 2, of a sphere and a plane with R = r. It ends at (1 + t / 2)
 * V^(1/3), and forms only at a touch. */
static void test_ends(void **state) {
    (void)state;
    random_state random = random_make(random_seed("ends", 62));
    for (int i = 0; i < 500; ++i) {
        double radius = random_log_range(&random, 1e-6, 1e2), volume = random_log_range(&random, 1e-9, 1e-2) * radius * radius * radius;
        double tension = random_log_range(&random, 1e-3, 10.0), angle = random_range(&random, 0.0, 0.5 * PI);
        abut_pressure_law law = wet_law(volume, tension, angle);
        double first = 4.0 * PI * radius * tension * cos(angle), last = (1.0 + 0.5 * angle) * cbrt(volume);
        assert_near(at(&law, radius, 0.0, true).force, -first, 1e-13 * 4.0 * PI * radius * tension);
        assert_near(at(&law, radius, 0.0, false).force, 0.0, 0.0);
        assert_near(at(&law, radius, 0.5 * last, false).force, 0.0, 0.0);
        assert_true(at(&law, radius, last * (1.0 - 1e-12), true).force < 0.0);
        assert_near(at(&law, radius, last * (1.0 + 1e-12), true).force, 0.0, 0.0);
        assert_near(at(&law, radius, last * (1.0 + 1e-12), true).energy, 0.0, 0.0);
        double s = 0.3 * last * sqrt(2.0 * radius / volume);
        assert_near(at(&law, radius, 0.3 * last, true).force, -first / (1.0 + 1.05 * s + 2.5 * s * s), 1e-12 * first);
        assert_near(abut_pressure_reach(&law, radius), last, 1e-13 * last);
        /* Beside Hertz's force and the pull of DMT, of which the bridge knows nothing. */
        abut_pressure_law dry = law;
        dry.liquid_volume = 0.0;
        dry.adhesion = law.adhesion = ABUT_ADHESION_DMT;
        dry.adhesion_work = law.adhesion_work = tension;
        double overlap = 1e-3 * radius, size = fabs(at(&dry, radius, -overlap, false).force) + first;
        assert_near(at(&law, radius, -overlap, false).force, at(&dry, radius, -overlap, false).force - first, 1e-12 * size);
        assert_near(at(&law, radius, -overlap, false).radius, at(&dry, radius, -overlap, false).radius, 0.0);
    }
}

/* The force is minus the derivative of the energy, also where surfaces overlap. */
static void test_energy(void **state) {
    (void)state;
    random_state random = random_make(random_seed("energy", 63));
    for (int i = 0; i < 500; ++i) {
        double volume = random_log_range(&random, 1e-6, 1e-2);
        abut_pressure_law law = wet_law(volume, 0.1, random_range(&random, 0.0, 1.5));
        law.modulus = 1e-3; /* Hertz's force is far below that of the bridge */
        double last = pressure_rupture(&law), gap = random_range(&random, -0.2, 0.99) * last, h = 1e-4 * last;
        double rate = (at(&law, 1.0, gap + h, true).energy - at(&law, 1.0, gap - h, true).energy) / (2.0 * h);
        double force = at(&law, 1.0, gap, true).force;
        assert_true(fabs(gap) <= 2.0 * h || fabs(rate + force) <= 1e-5 * fabs(force));
        assert_near(at(&law, 1.0, last, true).energy, 0.0, 1e-15);
        /* What is lost at the first touch is the work to the end. */
        pressure_bridge b;
        double work = 0.0;
        enum { PARTS = 2000 };
        assert_true(pressure_bridge_of(&law, 1.0, 0.0, &b));
        assert_near(b.formed, -b.energy, 1e-15 * b.formed);
        for (int k = 0; k < PARTS && i < 5; ++k) {
            work -= at(&law, 1.0, (k + 0.5) / PARTS * last, true).force * last / PARTS;
        }
        assert_true(i >= 5 || fabs(work - b.formed) <= 1e-4 * work);
    }
}

/* A dry law has no bridge, and numbers of any size no wrong one: a finite one, or the status of a force that overflows. */
static void test_any_size(void **state) {
    (void)state;
    random_state random = random_make(random_seed("any size", 64));
    for (int i = 0; i < 2000; ++i) {
        double radius = random_log_range(&random, 1e-150, 1e150);
        abut_pressure_law law =
            wet_law(random_log_range(&random, 1e-300, 1e300), random_log_range(&random, 1e-150, 1e150), 0.5 * PI * (i % 3) / 2.0);
        abut_pressure_disc disc = {.force = 7.0};
        double gap = random_range(&random, 0.0, 1.0) * abut_pressure_reach(&law, radius);
        abut_status status = abut_pressure_spheres(&law, radius, gap, true, &disc);
        assert_true(status == ABUT_OK || (status == ABUT_ERROR_NOT_FINITE && disc.force == 7.0));
        assert_true(status != ABUT_OK || (isfinite(disc.force) && disc.force <= 0.0 && isfinite(disc.energy) && disc.energy <= 0.0));
        law.surface_tension = 0.0;
        assert_near(at(&law, 1.0, 1e-3, true).force, 0.0, 0.0);
        assert_near(abut_pressure_reach(&law, 1.0), 0.0, 0.0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_oracle), cmocka_unit_test(test_young_laplace), cmocka_unit_test(test_ends),
        cmocka_unit_test(test_energy), cmocka_unit_test(test_any_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
