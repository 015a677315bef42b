#include "accuracy/big.h"

#define PRECISION 256

/* An MPFR number that reads the limbs of x. */
#define VIEW(x) (*big_view(&(mpfr_t){{0}}, &(x)))

static mpfr_t *big_view(mpfr_t *view, const big *x) {
    mpfr_custom_init_set(*view, x->kind, x->exponent, PRECISION, (void *)x->limb);
    return view;
}

/* An MPFR number that writes into x, and what is not among the limbs. */
static void begin(mpfr_t to, big *x) {
    mpfr_custom_init(x->limb, PRECISION);
    mpfr_custom_init_set(to, MPFR_ZERO_KIND, 0, PRECISION, x->limb);
}

static big end(mpfr_t from, big x) {
    x.kind = mpfr_custom_get_kind(from);
    x.exponent = mpfr_custom_get_exp(from);
    return x;
}

big big_of(double x) {
    big r;
    mpfr_t to;
    begin(to, &r);
    mpfr_set_d(to, x, MPFR_RNDN);
    return end(to, r);
}

double big_double(big x) { return mpfr_get_d(VIEW(x), MPFR_RNDN); }

typedef int binary(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

static big apply(binary *operation, const big *x, const big *y) {
    big r;
    mpfr_t to, a, b;
    begin(to, &r);
    operation(to, *big_view(&a, x), *big_view(&b, y), MPFR_RNDN);
    return end(to, r);
}

big big_add(big x, big y) { return apply(mpfr_add, &x, &y); }
big big_sub(big x, big y) { return apply(mpfr_sub, &x, &y); }
big big_mul(big x, big y) { return apply(mpfr_mul, &x, &y); }
big big_div(big x, big y) { return apply(mpfr_div, &x, &y); }
big big_pow(big x, big y) { return apply(mpfr_pow, &x, &y); }

big big_sqrt(big x) {
    big r;
    mpfr_t to, a;
    begin(to, &r);
    mpfr_sqrt(to, *big_view(&a, &x), MPFR_RNDN);
    return end(to, r);
}

big big_hypot(big x, big y) { return apply(mpfr_hypot, &x, &y); }
big big_neg(big x) { return big_sub(big_of(0.0), x); }
big big_abs(big x) { return big_less(x, big_of(0.0)) ? big_neg(x) : x; }

big big_pi(void) {
    big r;
    mpfr_t to;
    begin(to, &r);
    mpfr_const_pi(to, MPFR_RNDN);
    return end(to, r);
}

bool big_less(big x, big y) {
    mpfr_t a, b;
    return mpfr_less_p(*big_view(&a, &x), *big_view(&b, &y)) != 0;
}

bigv bigv_of(abut_vec3 v) { return (bigv){big_of(v.x), big_of(v.y), big_of(v.z)}; }
bigv bigv_add(bigv a, bigv b) { return (bigv){big_add(a.x, b.x), big_add(a.y, b.y), big_add(a.z, b.z)}; }
bigv bigv_sub(bigv a, bigv b) { return (bigv){big_sub(a.x, b.x), big_sub(a.y, b.y), big_sub(a.z, b.z)}; }
bigv bigv_scale(big s, bigv v) { return (bigv){big_mul(s, v.x), big_mul(s, v.y), big_mul(s, v.z)}; }
bigv bigv_along(bigv from, big s, bigv way) { return bigv_add(from, bigv_scale(s, way)); }
big bigv_dot(bigv a, bigv b) { return big_add(big_mul(a.x, b.x), big_add(big_mul(a.y, b.y), big_mul(a.z, b.z))); }
big bigv_length(bigv v) { return big_sqrt(bigv_dot(v, v)); }

bigv bigv_cross(bigv a, bigv b) {
    return (bigv){big_sub(big_mul(a.y, b.z), big_mul(a.z, b.y)), big_sub(big_mul(a.z, b.x), big_mul(a.x, b.z)),
                  big_sub(big_mul(a.x, b.y), big_mul(a.y, b.x))};
}

/* The column of a rotation: the unit vector e turned by the quaternion (w, v): e + 2 (w v x e + v x (v x e)) / |q|^2. */
static bigv column_of(big w, bigv v, big square, abut_vec3 e) {
    bigv unit = bigv_of(e), across = bigv_cross(v, unit);
    bigv turn = bigv_add(bigv_scale(w, across), bigv_cross(v, across));
    return bigv_add(unit, bigv_scale(big_div(big_of(2.0), square), turn));
}

big_pose big_pose_of(abut_pose pose) {
    big w = big_of(pose.rotation.w);
    bigv v = {big_of(pose.rotation.x), big_of(pose.rotation.y), big_of(pose.rotation.z)};
    big square = big_add(big_mul(w, w), bigv_dot(v, v));
    return (big_pose){{column_of(w, v, square, (abut_vec3){1, 0, 0}), column_of(w, v, square, (abut_vec3){0, 1, 0}),
                       column_of(w, v, square, (abut_vec3){0, 0, 1})},
                      bigv_of(pose.position)};
}

bigv big_turn(const big_pose *pose, bigv local) {
    return bigv_add(bigv_scale(local.x, pose->column[0]),
                    bigv_add(bigv_scale(local.y, pose->column[1]), bigv_scale(local.z, pose->column[2])));
}

bigv big_unturn(const big_pose *pose, bigv world) {
    return (bigv){bigv_dot(pose->column[0], world), bigv_dot(pose->column[1], world), bigv_dot(pose->column[2], world)};
}

big_pose big_pose_within(const big_pose *outer, abut_pose inner) {
    big_pose pose = big_pose_of(inner);
    for (int i = 0; i < 3; ++i) {
        pose.column[i] = big_turn(outer, pose.column[i]);
    }
    pose.position = bigv_add(big_turn(outer, pose.position), outer->position);
    return pose;
}
