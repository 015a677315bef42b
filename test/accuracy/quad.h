#pragma once

#include <math.h>

#include <abut/math.h>

/*
 * Vectors of numbers with 113 bits, for oracles. They share no code with the library.
 */

__extension__ typedef __float128 quad;

typedef struct qvec {
    quad x, y, z;
} qvec;

static inline qvec qvec_of(abut_vec3 v) { return (qvec){v.x, v.y, v.z}; }
static inline abut_vec3 qvec_round(qvec v) { return (abut_vec3){(double)v.x, (double)v.y, (double)v.z}; }
static inline qvec qvec_add(qvec p, qvec q) { return (qvec){p.x + q.x, p.y + q.y, p.z + q.z}; }
static inline qvec qvec_sub(qvec p, qvec q) { return (qvec){p.x - q.x, p.y - q.y, p.z - q.z}; }
static inline qvec qvec_scale(quad s, qvec p) { return (qvec){s * p.x, s * p.y, s * p.z}; }
static inline quad qvec_dot(qvec p, qvec q) { return p.x * q.x + p.y * q.y + p.z * q.z; }
static inline qvec qvec_cross(qvec p, qvec q) { return (qvec){p.y * q.z - p.z * q.y, p.z * q.x - p.x * q.z, p.x * q.y - p.y * q.x}; }

/* Newton's method from the rounded root: 53, 106, 113 bits. */
static inline quad quad_sqrt(quad x) {
    if (!(x > 0)) {
        return 0;
    }
    int even = 2 * (ilogb((double)x) / 2);
    quad scale = (quad)ldexp(1.0, -even), y = x * scale, root = (quad)sqrt((double)y);
    root = (root + y / root) / 2;
    root = (root + y / root) / 2;
    return root * (quad)ldexp(1.0, even / 2);
}

static inline quad qvec_length(qvec p) { return quad_sqrt(qvec_dot(p, p)); }
static inline qvec qvec_unit(qvec p) { return qvec_scale(1 / qvec_length(p), p); }

/* By a unit quaternion, which is normalised first. */
static inline qvec qvec_rotate(abut_quat r, qvec v) {
    quad x = r.x, y = r.y, z = r.z, w = r.w, n = quad_sqrt(x * x + y * y + z * z + w * w);
    qvec u = {x / n, y / n, z / n};
    qvec t = qvec_scale(2, qvec_cross(u, v));
    return qvec_add(v, qvec_add(qvec_scale(w / n, t), qvec_cross(u, t)));
}
static inline qvec qvec_place(abut_pose pose, abut_vec3 v) {
    return qvec_add(qvec_rotate(pose.rotation, qvec_of(v)), qvec_of(pose.position));
}
