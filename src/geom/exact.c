#include "geom/exact.h"

#include "base/twin.h"

static twin product_of(twin a, twin b) {
    twin product = twin_product(a.high, b.high);
    product.low += a.high * b.low + a.low * b.high;
    return product;
}

static double difference_of(twin a, twin b) {
    twin difference = twin_sum(a.high, -b.high);
    return difference.high + (difference.low + (a.low - b.low));
}

typedef struct arm {
    twin x, y, z;
} arm;

static twin scaled(double scale, twin a) { return (twin){scale * a.high, scale * a.low}; }

static arm arm_between(double scale, abut_vec3 from, abut_vec3 to) {
    return (arm){scaled(scale, twin_sum(to.x, -from.x)), scaled(scale, twin_sum(to.y, -from.y)), scaled(scale, twin_sum(to.z, -from.z))};
}

abut_vec3 exact_cross_scaled(double scale, abut_vec3 p0, abut_vec3 p1, abut_vec3 q0, abut_vec3 q1) {
    arm u = arm_between(scale, p0, p1), v = arm_between(scale, q0, q1);
    return abut_vec3_make(difference_of(product_of(u.y, v.z), product_of(u.z, v.y)),
                          difference_of(product_of(u.z, v.x), product_of(u.x, v.z)),
                          difference_of(product_of(u.x, v.y), product_of(u.y, v.x)));
}

abut_vec3 exact_cross(abut_vec3 p0, abut_vec3 p1, abut_vec3 q0, abut_vec3 q1) { return exact_cross_scaled(1.0, p0, p1, q0, q1); }
