/*
 * The elliptic disc of contact: H. Hertz, 1881 (K. L. Johnson, "Contact mechanics", 1985, equations 4.25 to 4.33). The gap of the surfaces before the load is
 * A x^2 + B y^2 - d with A <= B. Their disc has the semi-axes a >= b, q = b / a, and with the complete elliptic integrals K and E of the modulus
 * k = sqrt(1 - q^2)
 *
 *     B / A = (E / q^2 - K) / (K - E),   a^2 = d / A (K - E) / (k^2 K),   force = 2/3 pi E* d a / K,   stiffness = pi E* a / K.
 *
 * So the force and the stiffness are those of spheres whose disc has the radius pi a / (2 K), at every overlap. The arithmetic-geometric mean gives
 * K = pi / (2 agm(1, q)) and E = K (1 - k^2 / 2 - t) with a sum t (M. Abramowitz, I. A. Stegun, "Handbook of mathematical functions", 1964, section 17.6). All
 * differences are divided by 1 - q beforehand, so that nothing cancels for nearly round discs.
 */
#include <math.h>

#include "base/elementary.h"
#include "base/real.h"
#include "solve/pressure/pressure.h"

/* With (1 - q) P = E / K - q^2 and (1 - q) Q = 1 - E / K: the ratio is P / (q^2 Q). */
typedef struct integrals {
    double mean; /* agm(1, q) */
    double p, q;
} integrals;

static integrals integrals_of(double ratio) {
    const double rest = 1.0 - ratio;
    double a = 0.5 * (1.0 + ratio), b = sqrt(ratio), c = 0.5, power = 1.0,
           sum = 0.0; /* c: half the last difference of the means, over 1 - q */
    for (int step = 0; step < 40; ++step) {
        const double term = power * c * c * rest;
        sum += term;
        if (!(term > 1e-17 * sum)) {
            break;
        }
        const double next = 0.5 * (a + b);
        b = sqrt(a * b);
        a = next;
        c = 0.25 * c * c * rest / next;
        power *= 2.0;
    }
    return (integrals){.mean = a, .p = 0.5 * (1.0 + ratio) - sum, .q = 0.5 * (1.0 + ratio) + sum};
}

/* d log(B / A) / d log q. It tends to -3/2 for round discs, where its formula loses digits. */
static double slope_of(const integrals *at, double q) {
    const double rest = 1.0 - q;
    if (rest < 1e-4) {
        return -1.5;
    }
    return (at->p + at->q * q * q) / ((1.0 + q) * at->q * rest) - q * q / (at->p * rest) - 2.0;
}

/* The ratio of the semi-axes for a ratio B / A >= 1, by Newton's method. */
static double axes_for(double curvatures) {
    const double root = elementary_cbrt(curvatures);
    double q = 1.0 / (root * root);
    for (int step = 0; step < 20; ++step) {
        const integrals at = integrals_of(q);
        const double wanted = curvatures * q * q * at.q / at.p; /* over the ratio at q; below 1 where q is too small */
        double next = q * (1.0 + (wanted - 1.0) / (wanted * slope_of(&at, q)));
        next = real_min(real_max(next, 0.5 * q), 1.0);
        const bool settled = fabs(next - q) <= 4e-16 * q;
        q = next;
        if (settled) {
            break;
        }
    }
    return q;
}

pressure_ellipse pressure_ellipse_of(double part) {
    const double q = axes_for((1.0 + part) / (1.0 - part));
    const integrals at = integrals_of(q);
    return (pressure_ellipse){
        .radius = at.mean * at.mean * (2.0 * at.q / ((1.0 - part) * (1.0 + q))), .along = 1.0 / at.mean, .wide = q / at.mean};
}
