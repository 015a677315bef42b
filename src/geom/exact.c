#include "geom/exact.h"

/* The unevaluated sum of two numbers, the second of the size of the first one's rounding. */
typedef struct twin {
    double high, low;
} twin;

static twin exact_sum(double a, double b) {
    double sum = a + b, part = sum - a;
    return (twin){sum, (a - (sum - part)) + (b - part)};
}

/* Two halves of the digits, whose products are exact. */
static twin split(double a) {
    double factor = 134217729.0 * a, high = factor - (factor - a); /* 2^27 + 1 */
    return (twin){high, a - high};
}

static twin exact_product(double a, double b) {
    twin p = split(a), q = split(b);
    double product = a * b;
    return (twin){product, ((p.high * q.high - product) + p.high * q.low + p.low * q.high) + p.low * q.low};
}

static twin product_of(twin a, twin b) {
    twin product = exact_product(a.high, b.high);
    product.low += a.high * b.low + a.low * b.high;
    return product;
}

static double difference_of(twin a, twin b) {
    twin difference = exact_sum(a.high, -b.high);
    return difference.high + (difference.low + (a.low - b.low));
}

abut_vec3 exact_cross(abut_vec3 p0, abut_vec3 p1, abut_vec3 q0, abut_vec3 q1) {
    twin ux = exact_sum(p1.x, -p0.x), uy = exact_sum(p1.y, -p0.y), uz = exact_sum(p1.z, -p0.z);
    twin vx = exact_sum(q1.x, -q0.x), vy = exact_sum(q1.y, -q0.y), vz = exact_sum(q1.z, -q0.z);
    return abut_make_vec3(difference_of(product_of(uy, vz), product_of(uz, vy)), difference_of(product_of(uz, vx), product_of(ux, vz)),
                          difference_of(product_of(ux, vy), product_of(uy, vx)));
}
