/* Bounds of the distance of two triangles: see rough_triangles.h. */
#include "accuracy/rough_triangles.h"

#include <math.h>

static abut_vec3 minus(abut_vec3 p, abut_vec3 q) { return (abut_vec3){p.x - q.x, p.y - q.y, p.z - q.z}; }
static double inner(abut_vec3 p, abut_vec3 q) { return p.x * q.x + p.y * q.y + p.z * q.z; }
static abut_vec3 outer(abut_vec3 p, abut_vec3 q) {
    return (abut_vec3){p.y * q.z - p.z * q.y, p.z * q.x - p.x * q.z, p.x * q.y - p.y * q.x};
}

/* How far P and Q are apart along a direction; 0 if they are not. */
static double apart_along(abut_vec3 n, const abut_vec3 p[3], const abut_vec3 q[3]) {
    double length = sqrt(inner(n, n)), p_low = INFINITY, p_high = -INFINITY, q_low = INFINITY, q_high = -INFINITY;
    for (int i = 0; i < 3; i++) {
        double hp = inner(n, minus(p[i], q[0])), hq = i == 0 ? 0.0 : inner(n, minus(q[i], q[0]));
        p_low = hp < p_low ? hp : p_low;
        p_high = hp > p_high ? hp : p_high;
        q_low = hq < q_low ? hq : q_low;
        q_high = hq > q_high ? hq : q_high;
    }
    double apart = p_low - q_high > q_low - p_high ? p_low - q_high : q_low - p_high;
    return length > 0.0 && apart > 0.0 ? apart / length : 0.0;
}

bool rough_are_far(const abut_vec3 p[3], const abut_vec3 q[3], double far) {
    static const abut_vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; i++) {
        if (apart_along(axis[i], p, q) > far) {
            return true;
        }
    }
    if (apart_along(outer(minus(p[1], p[0]), minus(p[2], p[0])), p, q) > far ||
        apart_along(outer(minus(q[1], q[0]), minus(q[2], q[0])), p, q) > far) {
        return true;
    }
    for (int e = 0; e < 9; e++) {
        abut_vec3 u = minus(p[(e / 3 + 1) % 3], p[e / 3]), v = minus(q[(e % 3 + 1) % 3], q[e % 3]);
        if (apart_along(outer(u, v), p, q) > far) {
            return true;
        }
    }
    return false;
}
