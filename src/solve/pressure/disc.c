/*
 * The contact disc of two spheres and their force: H. Hertz (K. L. Johnson, "Contact mechanics", 1985, section 4.2); with adhesion by K. L.
 * Johnson, K. Kendall, A. D. Roberts, 1971 (there section 5.5), or by B. V. Derjaguin, V. M. Muller, Y. P. Toporov, 1975.
 *
 * JKR in units of the disc radius b at which spheres separate, b^3 = pi w R^2 / (8 E*). With a = b y^2 the overlap is b^2 / R (y^4 - 4 y).
 * It is smallest at y = 1, and the larger y is stable. With y = 1 + u, the overlap exceeds its smallest value by u^4 + 4 u^3 + 6 u^2.
 */
#include <math.h>

#include "base/argument.h"
#include "base/elementary.h"
#include "base/real.h"
#include "solve/pressure/pressure.h"

/* The positive root of u^4 + 4 u^3 + 6 u^2 = excess. Each term alone gives an upper bound, from which Newton's steps descend to the root. */
static double root_of_excess(double excess) {
    double u = real_min(sqrt(excess / 6.0), sqrt(sqrt(excess)));
    for (int step = 0; step < 60 && u > 0.0; ++step) {
        double next = u - (u * u * (u * u + 4.0 * u + 6.0) - excess) / (4.0 * u * (u * u + 3.0 * u + 3.0));
        if (!(next < u)) {
            break;
        }
        u = next;
    }
    return u;
}

static bool jkr_disc(const abut_pressure_law *law, double radius, double overlap, bool touched, pressure_disc *disc) {
    double e = law->modulus, w = law->adhesion_work, b = elementary_cbrt(REAL_PI * w / (8.0 * e) * radius * radius),
           unit = b * (b / radius);
    double excess = overlap / unit + 3.0;
    if (!(overlap > 0.0) && !(touched && excess >= 0.0)) {
        return false;
    }
    /* The overlap of this disc after Hertz, and the distance by which a flat punch is then drawn back. */
    double y = 1.0 + root_of_excess(excess), a = b * y * y, hertz = a * (a / radius), off = sqrt(2.0 * REAL_PI * a * w / e);
    disc->radius = a;
    disc->pressing = 4.0 / 3.0 * e * a * hertz;
    disc->brim = sqrt(8.0 * REAL_PI * w * e * a) * a;
    disc->hold = 3.0 * REAL_PI * w * radius;
    disc->energy = 8.0 / 15.0 * e * a * hertz * hertz - disc->pressing * off + e * a * off * off - REAL_PI * w * a * a;
    return true;
}

bool pressure_disc_of(const abut_pressure_law *law, double radius, double overlap, bool touched, pressure_disc *disc) {
    *disc = (pressure_disc){.radius = 0.0};
    if (law->adhesion == ABUT_ADHESION_JKR) {
        return jkr_disc(law, radius, overlap, touched, disc);
    }
    if (law->adhesion == ABUT_ADHESION_MAUGIS) {
        pressure_disc jkr = {.radius = 0.0};
        (void)jkr_disc(law, radius, overlap, touched, &jkr);
        return (overlap > 0.0 || touched) && pressure_maugis_disc(law, radius, overlap, &jkr, disc);
    }
    if (!(overlap > 0.0)) {
        return false;
    }
    double a = sqrt(radius) * sqrt(overlap);
    disc->radius = a;
    if (pressure_is_linear(law)) {
        disc->pressing = law->stiffness * overlap;
        disc->energy = 0.5 * disc->pressing * overlap;
        return true;
    }
    disc->pressing = 4.0 / 3.0 * law->modulus * a * overlap;
    disc->energy = 0.4 * disc->pressing * overlap;
    if (law->adhesion == ABUT_ADHESION_DMT) {
        disc->even = disc->hold = 2.0 * REAL_PI * law->adhesion_work * radius;
        disc->energy -= disc->even * overlap;
    }
    return true;
}

double pressure_within(const abut_pressure_law *law, double radius, const pressure_disc *disc, double r) {
    double a = disc->radius, height = sqrt(real_max((1.0 - r / a) * (1.0 + r / a), 0.0));
    if (pressure_is_linear(law)) {
        return 1.5 * disc->pressing / (REAL_PI * a * a) * height;
    }
    double pull = disc->brim > 0.0 ? disc->brim / (2.0 * REAL_PI * a * a) / height : 0.0;
    return 2.0 * law->modulus / REAL_PI * (a / radius) * height - pull;
}

abut_status abut_pressure_spheres(const abut_pressure_law *law, double radius, double gap, bool touched, abut_pressure_disc *disc) {
    if (argument_is_null(CALL_NAME, "law", law) || argument_is_null(CALL_NAME, "disc", disc)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (pressure_check_law(law) != ABUT_OK) {
        return pressure_refuse_law(CALL_NAME, law);
    }
    if (argument_is_not_positive(CALL_NAME, "radius", radius)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (argument_is_not_finite(CALL_NAME, "radius", radius) || argument_is_not_finite(CALL_NAME, "gap", gap)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    pressure_disc found;
    abut_pressure_disc out = {.radius = 0.0};
    bool dry = pressure_disc_of(law, radius, -gap, touched, &found) && found.radius > 0.0;
    if (dry) {
        out = (abut_pressure_disc){found.radius, found.pressing - found.even - found.brim,
                                   pressure_is_linear(law) ? law->stiffness : 2.0 * law->modulus * found.radius, found.energy,
                                   pressure_within(law, radius, &found, 0.0)};
    }
    pressure_bridge bridge;
    if ((dry || touched) && pressure_bridge_of(law, radius, gap, &bridge)) {
        out.force -= bridge.pull;
        out.energy += bridge.energy;
    }
    if (!isfinite(out.radius) || !isfinite(out.force) || !isfinite(out.energy) || !isfinite(out.pressure) || !isfinite(out.stiffness)) {
        return refuse(ABUT_ERROR_NOT_FINITE, CALL_NAME, "the force, energy or pressure of this radius and gap overflows");
    }
    *disc = out;
    return ABUT_OK;
}

double abut_pressure_reach(const abut_pressure_law *law, double radius) {
    if (law == NULL || pressure_check_law(law) != ABUT_OK || !(radius > 0.0 && radius < INFINITY)) {
        return NAN;
    }
    /* The largest excess of a^2 / (2 R) over the overlap, reached at a^3 = pi w R^2 / (2 E*). Surfaces separate at less than 4/5 of it. */
    double half = elementary_cbrt(REAL_PI * law->adhesion_work / (2.0 * law->modulus));
    double jkr = pressure_snaps(law) ? 1.5 * half * half * elementary_cbrt(radius) : 0.0;
    return real_max(jkr, pressure_rupture(law));
}
