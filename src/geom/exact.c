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

abut_vec3 exact_cross(abut_vec3 p0, abut_vec3 p1, abut_vec3 q0, abut_vec3 q1) {
    twin ux = twin_sum(p1.x, -p0.x), uy = twin_sum(p1.y, -p0.y), uz = twin_sum(p1.z, -p0.z);
    twin vx = twin_sum(q1.x, -q0.x), vy = twin_sum(q1.y, -q0.y), vz = twin_sum(q1.z, -q0.z);
    return abut_vec3_make(difference_of(product_of(uy, vz), product_of(uz, vy)), difference_of(product_of(uz, vx), product_of(ux, vz)),
                          difference_of(product_of(ux, vy), product_of(uy, vx)));
}
