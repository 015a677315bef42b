#pragma once

#include <stdbool.h>

#include <gmp.h>
#include <mpfr.h>

#include <abut/math.h>

/*
 * Numbers of 256 bits by value (MPFR, round to nearest), and vectors and placed points made of them, for the oracles of the accuracy tests. They share no code
 * with the library. Infinity and NaN are allowed.
 */

enum { BIG_LIMBS = 256 / GMP_NUMB_BITS };

typedef struct big {
    mp_limb_t limb[BIG_LIMBS];
    mpfr_exp_t exponent;
    int kind;
} big;

typedef struct bigv {
    big x, y, z;
} bigv;

big big_of(double x);
double big_double(big x);
big big_add(big x, big y);
big big_sub(big x, big y);
big big_mul(big x, big y);
big big_div(big x, big y);
big big_sqrt(big x);
big big_hypot(big x, big y);
big big_neg(big x);
big big_abs(big x);
big big_pi(void);
big big_pow(big x, big y); /* x >= 0 */
bool big_less(big x, big y);
static inline big big_max(big x, big y) { return big_less(x, y) ? y : x; }
static inline big big_min(big x, big y) { return big_less(y, x) ? y : x; }

bigv bigv_of(abut_vec3 v);
bigv bigv_add(bigv a, bigv b);
bigv bigv_sub(bigv a, bigv b);
bigv bigv_scale(big s, bigv v);
bigv bigv_along(bigv from, big s, bigv way); /* from + s way */
bigv bigv_cross(bigv a, bigv b);
big bigv_dot(bigv a, bigv b);
big bigv_length(bigv v);

/* A pose: columns of the exact rotation of the normalised quaternion, and the position. */
typedef struct big_pose {
    bigv column[3], position;
} big_pose;

big_pose big_pose_of(abut_pose pose);
big_pose big_pose_within(const big_pose *outer, abut_pose inner); /* the pose of a frame that is given in another one */
bigv big_turn(const big_pose *pose, bigv local);                  /* a direction into the world */
bigv big_unturn(const big_pose *pose, bigv world);                /* and back */
