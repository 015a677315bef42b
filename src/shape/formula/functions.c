/*
 * Functions of one and two numbers with their first and second derivatives. At a kink (abs at 0, min and max of equal numbers) the derivatives are those of one
 * side: that of positive numbers, that of the first argument.
 */
#include "shape/formula/functions.h"

#include <math.h>

#include "base/elementary.h"

static jet_slope root(double x) {
    double r = sqrt(x), a = 0.5 / r;
    return (jet_slope){r, a, -0.5 * a / x};
}

static jet_slope cube_root(double x) {
    double r = elementary_cbrt(x), a = 1.0 / (3.0 * r * r);
    return (jet_slope){r, a, -2.0 / 3.0 * a / x};
}

static jet_slope exponential(double x) {
    double e = elementary_exp(x);
    return (jet_slope){e, e, e};
}

static jet_slope logarithm(double x) { return (jet_slope){elementary_log(x), x > 0.0 ? 1.0 / x : NAN, x > 0.0 ? -1.0 / x / x : NAN}; }

static jet_slope sine(double x) {
    double s, c;
    elementary_sin_cos(x, &s, &c);
    return (jet_slope){s, c, -s};
}

static jet_slope cosine(double x) {
    double s, c;
    elementary_sin_cos(x, &s, &c);
    return (jet_slope){c, -s, -c};
}

static jet_slope tangent(double x) {
    double s, c;
    elementary_sin_cos(x, &s, &c);
    double t = s / c, a = 1.0 + t * t;
    return (jet_slope){t, a, 2.0 * t * a};
}

static jet_slope arc_tangent(double x) {
    double a = 1.0 / (1.0 + x * x);
    return (jet_slope){elementary_atan(x), a, -2.0 * x * a * a};
}

static jet_slope absolute(double x) { return (jet_slope){fabs(x), x < 0.0 ? -1.0 : 1.0, 0.0}; }

/* The angle of the point (b, a) against the first axis. */
static jet_slopes angle(double a, double b) {
    double r = elementary_hypot(a, b), s = a / r, c = b / r, twist = 2.0 * s * c / r / r;
    return (jet_slopes){elementary_atan2(a, b), c / r, -s / r, -twist, (s - c) * (s + c) / r / r, twist};
}

static jet_slopes distance(double a, double b) {
    double r = elementary_hypot(a, b), s = a / r, c = b / r;
    return (jet_slopes){r, s, c, c * c / r, -s * c / r, s * s / r};
}

/* NaN stays NaN. */
static jet_slopes first_of(double a, double b) { return (jet_slopes){.f = isnan(b) ? b : a, .a = 1.0}; }
static jet_slopes second_of(double a, double b) { return (jet_slopes){.f = isnan(a) ? a : b, .b = 1.0}; }
static jet_slopes least(double a, double b) { return b < a ? second_of(a, b) : first_of(a, b); }
static jet_slopes most(double a, double b) { return b > a ? second_of(a, b) : first_of(a, b); }

const formula_function formula_functions[] = {
    {"sqrt", 1, root, NULL},    {"cbrt", 1, cube_root, NULL}, {"exp", 1, exponential, NULL}, {"log", 1, logarithm, NULL},
    {"sin", 1, sine, NULL},     {"cos", 1, cosine, NULL},     {"tan", 1, tangent, NULL},     {"atan", 1, arc_tangent, NULL},
    {"abs", 1, absolute, NULL}, {"atan2", 2, NULL, angle},    {"hypot", 2, NULL, distance},  {"min", 2, NULL, least},
    {"max", 2, NULL, most},
};

const int formula_function_count = sizeof formula_functions / sizeof *formula_functions;

/* x^(p - 1) times p, without the product 0 * infinity at x = 0. */
static double power_slope(double factor, double x, double p) { return factor == 0.0 ? 0.0 : factor * elementary_pow(x, p); }

jet_slope formula_power(double x, double p) {
    if (p == 2.0) {
        return (jet_slope){x * x, 2.0 * x, 2.0};
    }
    return (jet_slope){elementary_pow(x, p), power_slope(p, x, p - 1.0), power_slope(p * (p - 1.0), x, p - 2.0)};
}
