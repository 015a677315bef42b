#pragma once

#include <math.h>

#include <abut/base.h>

/**
 * @file math.h
 * Vectors, rotations and poses: plain structs, passed by value, in double precision.
 *
 * Conventions: right-handed frames, column vectors. A pose maps points of a body's own frame into the world: world = rotation * local + position.
 *
 * Functions that round are compiled into the library. They therefore give the same bits for all compiler flags of the caller, also -ffast-math. A
 * compiler that may fuse a product and a sum (gcc on ARM, or for x86-64-v3) would round once instead of twice. Functions that only copy or negate are
 * inline. The promise excludes values that the caller computes itself, and flags of the linker: with -ffast-math, gcc links code that flushes
 * subnormal numbers to zero in the whole program. See "Equal bits" in docs/use/conventions.md.
 *
 * Define ABUT_INLINE_MATH before the first header of abut to get all functions inline, from math_inline.h. Then compile with
 * -ffp-contract=off and without -ffast-math, as abut itself is compiled. Otherwise the inline functions may differ from the library in the
 * last bit.
 */

/** @def ABUT_MATH
 * Linkage of the functions that round: exported by the library, or inline when ABUT_INLINE_MATH is defined. */
#ifdef ABUT_INLINE_MATH
#  define ABUT_MATH static inline
#else
#  define ABUT_MATH ABUT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** A point, a direction or a force. */
typedef struct abut_vec3 {
    double x; /**< component along the first axis of the frame */
    double y; /**< component along the second axis */
    double z; /**< component along the third axis */
} abut_vec3;

/** A rotation as a unit quaternion x i + y j + z k + w. The identity is {0, 0, 0, 1}. */
typedef struct abut_quat {
    double x; /**< coefficient of i */
    double y; /**< coefficient of j */
    double z; /**< coefficient of k */
    double w; /**< real part */
} abut_quat;

/** A 3 x 3 matrix, stored by columns: M v = x v.x + y v.y + z v.z. */
typedef struct abut_mat3 {
    abut_vec3 x; /**< first column: image of the first axis */
    abut_vec3 y; /**< second column: image of the second axis */
    abut_vec3 z; /**< third column: image of the third axis */
} abut_mat3;

/** A rigid placement: a point p of the body's frame lies at rotation * p + position in the world. */
typedef struct abut_pose {
    abut_vec3 position; /**< position of the origin of the body's frame, world frame [length] */
    abut_quat rotation; /**< rotation from the body's frame to the world frame; unit quaternion */
} abut_pose;

/** Motion of a body or a frame: the pair of its linear and angular velocity. World frame. Zero-initialised: at rest. */
typedef struct abut_motion {
    abut_vec3 linear;  /**< velocity of the reference point; the user of the struct names that point [length / time] */
    abut_vec3 angular; /**< angular velocity [rad / time] */
} abut_motion;

/** An axis-aligned box. It is empty when a component of `lower` exceeds that of `upper`. */
typedef struct abut_aabb {
    abut_vec3 lower; /**< corner with the smallest coordinates [length] */
    abut_vec3 upper; /**< corner with the largest coordinates [length] */
} abut_aabb;

/** The vector (x, y, z). */
static inline abut_vec3 abut_vec3_make(double x, double y, double z) {
    abut_vec3 v = {x, y, z};
    return v;
}
/** True when no component is infinite or NaN. */
ABUT_MATH bool abut_vec3_is_finite(abut_vec3 a);
/** a + b */
ABUT_MATH abut_vec3 abut_add(abut_vec3 a, abut_vec3 b);
/** a - b */
ABUT_MATH abut_vec3 abut_sub(abut_vec3 a, abut_vec3 b);
/** -a */
static inline abut_vec3 abut_neg(abut_vec3 a) { return abut_vec3_make(-a.x, -a.y, -a.z); }
/** s a */
ABUT_MATH abut_vec3 abut_scale(double s, abut_vec3 a);
/** a + s b */
ABUT_MATH abut_vec3 abut_add_scaled(abut_vec3 a, double s, abut_vec3 b);
/** (1 - t) a + t b, computed as a + t (b - a) */
ABUT_MATH abut_vec3 abut_lerp(abut_vec3 a, abut_vec3 b, double t);
/** Dot product. */
ABUT_MATH double abut_dot(abut_vec3 a, abut_vec3 b);
/** Cross product a x b. */
ABUT_MATH abut_vec3 abut_cross(abut_vec3 a, abut_vec3 b);
/** |a|^2 */
ABUT_MATH double abut_length_squared(abut_vec3 a);
/** |a|. Overflows and underflows when |a|^2 does. */
ABUT_MATH double abut_length(abut_vec3 a);
/** |a - b|: the distance between two points. */
ABUT_MATH double abut_distance_between(abut_vec3 a, abut_vec3 b);
/** a / |a|, computed without overflow or underflow; the zero vector for a zero or non-finite a. */
ABUT_MATH abut_vec3 abut_unit(abut_vec3 a);
/**
 * Two unit vectors that form a right-handed orthonormal frame (first, second, n) with the unit vector n. They depend on n alone.
 * @param first, second  written; never NULL
 */
ABUT_MATH void abut_tangent_frame(abut_vec3 n, abut_vec3 *first, abut_vec3 *second);

/** The quaternion x i + y j + z k + w. */
static inline abut_quat abut_quat_make(double x, double y, double z, double w) {
    abut_quat q = {x, y, z, w};
    return q;
}
/** No rotation. */
static inline abut_quat abut_quat_identity(void) { return abut_quat_make(0, 0, 0, 1); }
/** The right-handed rotation by an angle [rad] about a unit axis. Sine and cosine are abut's own, so the result is the same on every machine. */
ABUT_API abut_quat abut_quat_about(abut_vec3 axis, double angle);
/** The rotation that applies q first, then p. */
ABUT_MATH abut_quat abut_quat_mul(abut_quat p, abut_quat q);
/** The inverse of a unit quaternion. */
static inline abut_quat abut_quat_conjugate(abut_quat q) { return abut_quat_make(-q.x, -q.y, -q.z, q.w); }
/** |q| */
ABUT_MATH double abut_quat_norm(abut_quat q);
/** q / |q|; the identity for a zero quaternion. */
ABUT_MATH abut_quat abut_quat_unit(abut_quat q);
/** q v q*: rotates a direction from the body's frame into the world frame. */
ABUT_MATH abut_vec3 abut_quat_rotate(abut_quat q, abut_vec3 v);
/** q* v q: rotates a direction from the world frame into the body's frame. */
ABUT_MATH abut_vec3 abut_quat_rotate_inverse(abut_quat q, abut_vec3 v);

/** The matrix with these columns. */
static inline abut_mat3 abut_mat3_make(abut_vec3 x, abut_vec3 y, abut_vec3 z) {
    abut_mat3 m = {x, y, z};
    return m;
}
/** The identity matrix. */
static inline abut_mat3 abut_mat3_identity(void) {
    return abut_mat3_make(abut_vec3_make(1, 0, 0), abut_vec3_make(0, 1, 0), abut_vec3_make(0, 0, 1));
}
/** The rotation matrix of q. q need not be exactly normalised, but must not be zero. */
ABUT_MATH abut_mat3 abut_mat3_from_quat(abut_quat q);
/** M v */
ABUT_MATH abut_vec3 abut_mat3_apply(abut_mat3 m, abut_vec3 v);
/** M^T v. This is the inverse rotation when M is a rotation. */
ABUT_MATH abut_vec3 abut_mat3_apply_transposed(abut_mat3 m, abut_vec3 v);
/** L M */
ABUT_MATH abut_mat3 abut_mat3_mul(abut_mat3 l, abut_mat3 m);
/** M^T */
static inline abut_mat3 abut_mat3_transpose(abut_mat3 m) {
    return abut_mat3_make(abut_vec3_make(m.x.x, m.y.x, m.z.x), abut_vec3_make(m.x.y, m.y.y, m.z.y), abut_vec3_make(m.x.z, m.y.z, m.z.z));
}

/** The identity pose: the body's frame is the world frame. */
static inline abut_pose abut_pose_identity(void) {
    abut_pose pose = {{0, 0, 0}, {0, 0, 0, 1}};
    return pose;
}
/** Maps a point from the body's frame to the world frame. */
ABUT_MATH abut_vec3 abut_pose_apply(abut_pose pose, abut_vec3 local);
/** Maps a point from the world frame to the body's frame. */
ABUT_MATH abut_vec3 abut_pose_apply_inverse(abut_pose pose, abut_vec3 world);
/** The pose that applies `inner` first, then `outer`. Its quaternion is normalised. */
ABUT_MATH abut_pose abut_pose_compose(abut_pose outer, abut_pose inner);
/** True for a pose that the library accepts: all numbers are finite, and the norm of the quaternion is within 1e-6 of 1. The library normalises
    the quaternion on use. */
ABUT_MATH bool abut_pose_is_valid(abut_pose pose);

#ifdef __cplusplus
}
#endif

#ifdef ABUT_INLINE_MATH
#  include <abut/math_inline.h>
#endif
