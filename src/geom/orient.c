/* Signs of determinants, exact: see orient.h. */
#include "geom/orient.h"

#include <math.h>

#include "geom/exact.h"
#include "geom/expansion.h"

/* Bounds of the rounding error of the plain determinants, over the sum of the sizes of their products. Shewchuk's are 7.8e-16 and 3.4e-16. */
#define VOLUME_ROUNDING 1e-15
#define TURN_ROUNDING 4e-16

typedef struct plain {
    double value, rounding;
} plain;

static plain plain_volume(abut_vec3 a, abut_vec3 b, abut_vec3 c, abut_vec3 d) {
    abut_vec3 u = abut_sub(b, a), v = abut_sub(c, a), w = abut_sub(d, a);
    double yz = u.y * v.z, zy = u.z * v.y, zx = u.z * v.x, xz = u.x * v.z, xy = u.x * v.y, yx = u.y * v.x;
    double value = (yz - zy) * w.x + (zx - xz) * w.y + (xy - yx) * w.z;
    double size = (fabs(yz) + fabs(zy)) * fabs(w.x) + (fabs(zx) + fabs(xz)) * fabs(w.y) + (fabs(xy) + fabs(yx)) * fabs(w.z);
    return (plain){value, VOLUME_ROUNDING * size};
}

typedef struct difference {
    twin axis[3];
} difference;

static difference difference_of(abut_vec3 to, abut_vec3 from) {
    return (difference){{twin_sum(to.x, -from.x), twin_sum(to.y, -from.y), twin_sum(to.z, -from.z)}};
}

/* Adds a b c for a double c. */
static void add_triple(expansion *sum, twin ab, double c) {
    expansion_add_product(sum, ab.low, c);
    expansion_add_product(sum, ab.high, c);
}

/* Adds a b c, with the sign of c. */
static void add_term(expansion *sum, twin a, twin b, twin c, double sign) {
    const double p[2] = {a.low, a.high}, q[2] = {b.low, b.high};
    for (int i = 0; i < 4; ++i) {
        if (p[i / 2] != 0.0 && q[i % 2] != 0.0) {
            twin ab = twin_product(p[i / 2], q[i % 2]);
            add_triple(sum, ab, sign * c.low);
            add_triple(sum, ab, sign * c.high);
        }
    }
}

double orient_volume(abut_vec3 a, abut_vec3 b, abut_vec3 c, abut_vec3 d) {
    difference u = difference_of(b, a), v = difference_of(c, a), w = difference_of(d, a);
    expansion sum;
    sum.count = 0;
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        add_term(&sum, u.axis[i], v.axis[j], w.axis[k], 1.0);
        add_term(&sum, u.axis[j], v.axis[i], w.axis[k], -1.0);
    }
    return expansion_value(&sum);
}

static int sign_of(double value) { return (value > 0.0) - (value < 0.0); }

int orient_side(abut_vec3 a, abut_vec3 b, abut_vec3 c, abut_vec3 d) {
    plain found = plain_volume(a, b, c, d);
    return sign_of(fabs(found.value) > found.rounding ? found.value : orient_volume(a, b, c, d));
}

/* (b - a) x (c - a) along one axis. */
static double exact_turn(difference u, difference v, int axis) {
    int j = (axis + 1) % 3, k = (axis + 2) % 3;
    twin opposite = {-u.axis[k].high, -u.axis[k].low};
    expansion sum;
    sum.count = 0;
    expansion_add_twins(&sum, u.axis[j], v.axis[k]);
    expansion_add_twins(&sum, opposite, v.axis[j]);
    return expansion_value(&sum);
}

int orient_turn(abut_vec3 a, abut_vec3 b, abut_vec3 c, int axis) {
    const double *p = &a.x, *q = &b.x, *r = &c.x;
    int j = (axis + 1) % 3, k = (axis + 2) % 3;
    double left = (q[j] - p[j]) * (r[k] - p[k]), right = (q[k] - p[k]) * (r[j] - p[j]), value = left - right;
    if (fabs(value) > TURN_ROUNDING * (fabs(left) + fabs(right))) {
        return sign_of(value);
    }
    return sign_of(exact_turn(difference_of(b, a), difference_of(c, a), axis));
}

abut_vec3 orient_cross(abut_vec3 p0, abut_vec3 p1, abut_vec3 q0, abut_vec3 q1) {
    const double plain_sine = 0.3, twin_sine = 1e-8; /* below these the error of the faster ways exceeds that of the last digits */
    abut_vec3 u = abut_sub(p1, p0), v = abut_sub(q1, q0), across = abut_cross(u, v);
    double square = abut_length_squared(across), most = abut_length_squared(u) * abut_length_squared(v);
    if (square > plain_sine * plain_sine * most) {
        return across;
    }
    if (square > twin_sine * twin_sine * most) {
        return exact_cross(p0, p1, q0, q1);
    }
    difference exact_u = difference_of(p1, p0), exact_v = difference_of(q1, q0);
    return abut_vec3_make(exact_turn(exact_u, exact_v, 0), exact_turn(exact_u, exact_v, 1), exact_turn(exact_u, exact_v, 2));
}
