/*
 * The disc of two adhesive spheres between the theories of JKR and DMT: D. Maugis, "Adhesion of spheres: the JKR-DMT transition using a Dugdale model", 1992.
 * The surfaces touch up to the radius a, and beyond it attract each other with the constant stress s0 up to the radius c, where their gap is w / s0.
 *
 * In units of (pi w R^2 / K)^(1/3) for radii, of (pi^2 w^2 R / K^2)^(1/3) for overlaps and of pi w R for forces, with K = 4/3 E*,
 * L = 2 s0 (R / (pi w K^2))^(1/3) and t = sqrt(c^2 / a^2 - 1):
 *
 *      overlap = A^2 - 4/3 L A t,   force = A^3 - L A^2 (t + (1 + t^2) arctan t),
 *      L A^2 / 2 (t + (t^2 - 1) arctan t) + 4/3 L^2 A (t arctan t - sqrt(1 + t^2) + 1) = 1.
 *
 * For a given overlap the first equation gives t from A, and the third one A, of which the largest is stable. JKR's disc is an upper bound,
 * except near its end: for L near 1 surfaces part a little later than after JKR. JKR's disc is the limit for a large L, DMT's for a small one.
 *
 * Energy: with g(x) = d - x^2 / R up to a and -(2 s0 / E*) sqrt(c^2 - x^2) from there to c, the elastic energy is the integral of E* g^2 and
 * the force that of 2 E* g. A uniform stress p on a disc of the radius q displaces with g = (2 p / E*) sqrt(q^2 - x^2); so by reciprocity the
 * volume of the gap between a and c is elementary, too. The work of adhesion is w up to a, and w less s0 times the gap beyond.
 */
#include <math.h>

#include "base/elementary.h"
#include "base/real.h"
#include "solve/pressure/pressure.h"

/* t + (t^2 - 1) arctan t. For a small t the terms cancel; the series is 4 sum (-1)^(j - 1) j / (4 j^2 - 1) t^(2 j + 1). */
static double bent(double t, double turn) {
    if (t > 0.1) {
        return t + (t * t - 1.0) * turn;
    }
    double sum = 0.0, power = t;
    for (int j = 1; j <= 8; ++j) {
        power *= t * t;
        sum += (j % 2 == 1 ? 4.0 : -4.0) * j / (4.0 * j * j - 1.0) * power;
    }
    return sum;
}

/* The third equation at a radius A. */
typedef struct balance {
    double t, turn;      /* turn: arctan t */
    double excess, rate; /* left side less right side; its derivative by A */
} balance;

static balance balance_at(double lambda, double overlap, double radius) {
    double t = real_max(0.75 * (radius - overlap / radius) / lambda, 0.0), turn = elementary_atan2(t, 1.0), m = sqrt(1.0 + t * t);
    double slope = 0.75 * (1.0 + overlap / (radius * radius)) / lambda; /* of t */
    double first = bent(t, turn), second = t * turn - t * t / (m + 1.0);
    double first_rate = 2.0 * t * turn + 2.0 * t * t / (m * m), second_rate = turn + t / (m * m) - t / m;
    return (balance){.t = t,
                     .turn = turn,
                     .excess = 0.5 * lambda * radius * radius * first + 4.0 / 3.0 * lambda * lambda * radius * second - 1.0,
                     .rate = lambda * radius * first + 0.5 * lambda * radius * radius * first_rate * slope +
                             4.0 / 3.0 * lambda * lambda * (second + radius * second_rate * slope)};
}

/* The largest radius with this overlap, searched for from an upper bound. False when there is none. */
static bool find_radius(double lambda, double overlap, double most, double *radius, balance *at) {
    enum { STEPS = 200 };
    double low = overlap > 0.0 ? sqrt(overlap) : 0.0, high = most, x = most;
    for (int i = 0; i < STEPS; ++i) {
        *at = balance_at(lambda, overlap, x);
        *radius = x;
        if (at->excess > 0.0) {
            high = x;
        } else {
            low = x;
            if (i == 0) {
                return true; /* the bound itself, up to rounding error */
            }
        }
        double next = x - at->excess / at->rate;
        if (!(at->rate > 0.0) && !(overlap > 0.0)) {
            return false; /* past the radius at which the surfaces part */
        }
        next = next > low && next < high ? next : 0.5 * (low + high);
        if (fabs(next - x) <= 4e-16 * x) {
            return true;
        }
        x = next;
    }
    return overlap > 0.0; /* else it has fallen to 0 */
}

/* Integrals of sqrt(q^2 - x^2), and of x^2 times it, from 0 to x. */
static double under_circle(double q, double x) {
    double y = sqrt(real_max((q - x) * (q + x), 0.0));
    return 0.5 * (x * y + q * q * elementary_atan2(x, y));
}
static double under_circle_squares(double q, double x) {
    double y = sqrt(real_max((q - x) * (q + x), 0.0));
    return 0.25 * q * q * under_circle(q, x) - 0.25 * x * y * y * y;
}

/* a, c: radii; d: overlap. */
static double energy_of(const abut_pressure_law *law, double radius, double d, double a, double c) {
    double e = law->modulus, w = law->adhesion_work, s = law->adhesion_strength, k = 2.0 * s / e, a2 = a * a, c2 = c * c;
    double ring = c2 * (c - a) - (c2 * c - a2 * a) / 3.0; /* integral of c^2 - x^2 from a to c */
    double elastic = e * (d * d * a - 2.0 / 3.0 * d * a2 * a / radius + 0.2 * a2 * a2 * a / (radius * radius) + k * k * ring);
    double disc_c = d * under_circle(c, a) - under_circle_squares(c, a) / radius - k * ring;
    double disc_a = 0.25 * REAL_PI * a2 * (d - 0.25 * a2 / radius);
    double gap = 4.0 * (disc_c - disc_a) - d * REAL_PI * (c2 - a2) + 0.25 * REAL_PI * (c2 - a2) * (c2 + a2) / radius;
    return elastic - REAL_PI * w * c2 + s * gap;
}

bool pressure_maugis_disc(const abut_pressure_law *law, double radius, double overlap, const pressure_disc *jkr, pressure_disc *disc) {
    double w = law->adhesion_work, k = 4.0 / 3.0 * law->modulus, load = REAL_PI * w * radius;
    double length = elementary_cbrt(load / k * radius), unit = length * (length / radius);
    double lambda = 2.0 * law->adhesion_strength * length * length / load, a = 0.0, last = 0.8; /* JKR's ends at the cube root of 1/6 */
    balance at;
    if (!find_radius(lambda, overlap / unit, real_max(jkr->radius / length, last), &a, &at)) {
        return false;
    }
    double m2 = 1.0 + at.t * at.t, pull = load * lambda * a * a * (at.t + m2 * at.turn), brim = 1.0 - at.turn / (0.5 * REAL_PI);
    disc->radius = a * length;
    disc->pressing = load * a * a * a;
    disc->brim = brim * pull;
    disc->even = pull - disc->brim;
    disc->hold = load * (2.0 + brim);
    disc->energy = energy_of(law, radius, overlap, disc->radius, disc->radius * sqrt(m2));
    return true;
}
