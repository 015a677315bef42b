/* Numbers of 200 bits as values: MPFR on memory of our own, so that nothing must be cleared. */
#include "accuracy/real200.h"

#include <mpfr.h>

enum { BITS = 200 };

_Static_assert(sizeof(mp_limb_t) == sizeof(uint64_t) && BITS <= 256, "four limbs hold 200 bits");

static void view(mpfr_ptr m, real200 *x) { mpfr_custom_init_set(m, x->kind, x->exponent, BITS, x->limb); }

static void begin(mpfr_ptr m, real200 *x) {
    mpfr_custom_init(x->limb, BITS);
    mpfr_custom_init_set(m, MPFR_ZERO_KIND, 0, BITS, x->limb);
}

static void end(mpfr_srcptr m, real200 *x) {
    x->kind = mpfr_custom_get_kind(m);
    x->exponent = mpfr_custom_get_exp(m);
}

typedef int unary(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
typedef int binary(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

static real200 of_one(unary *f, real200 a) {
    mpfr_t x, y;
    real200 result = {.kind = 0};
    view(x, &a);
    begin(y, &result);
    f(y, x, MPFR_RNDN);
    end(y, &result);
    return result;
}

static real200 of_two(binary *f, real200 a, real200 b) {
    mpfr_t x, y, z;
    real200 result = {.kind = 0};
    view(x, &a);
    view(y, &b);
    begin(z, &result);
    f(z, x, y, MPFR_RNDN);
    end(z, &result);
    return result;
}

real200 real200_of(double a) {
    mpfr_t x;
    real200 result = {.kind = 0};
    begin(x, &result);
    mpfr_set_d(x, a, MPFR_RNDN);
    end(x, &result);
    return result;
}

double real200_to_double(real200 a) {
    mpfr_t x;
    view(x, &a);
    return mpfr_get_d(x, MPFR_RNDN);
}

static int negate(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding) { return mpfr_neg(y, x, rounding); }
static int absolute(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding) { return mpfr_abs(y, x, rounding); }

real200 real200_add(real200 a, real200 b) { return of_two(mpfr_add, a, b); }
real200 real200_sub(real200 a, real200 b) { return of_two(mpfr_sub, a, b); }
real200 real200_mul(real200 a, real200 b) { return of_two(mpfr_mul, a, b); }
real200 real200_div(real200 a, real200 b) { return of_two(mpfr_div, a, b); }
real200 real200_sqrt(real200 a) { return of_one(mpfr_sqrt, a); }
real200 real200_neg(real200 a) { return of_one(negate, a); }
real200 real200_abs(real200 a) { return of_one(absolute, a); }
real200 real200_max(real200 a, real200 b) { return of_two(mpfr_max, a, b); }
real200 real200_min(real200 a, real200 b) { return of_two(mpfr_min, a, b); }
real200 real200_hypot(real200 a, real200 b) { return of_two(mpfr_hypot, a, b); }

real200 real200_pi(void) {
    mpfr_t x;
    real200 result = {.kind = 0};
    begin(x, &result);
    mpfr_const_pi(x, MPFR_RNDN);
    end(x, &result);
    return result;
}

int real200_less(real200 a, real200 b) {
    mpfr_t x, y;
    view(x, &a);
    view(y, &b);
    return mpfr_less_p(x, y);
}

real200 vec200_dot(vec200 a, vec200 b) {
    return real200_add(real200_add(real200_mul(a.x, b.x), real200_mul(a.y, b.y)), real200_mul(a.z, b.z));
}

real200 vec200_length(vec200 a) { return real200_sqrt(vec200_dot(a, a)); }

vec200 vec200_sub(vec200 a, vec200 b) { return (vec200){real200_sub(a.x, b.x), real200_sub(a.y, b.y), real200_sub(a.z, b.z)}; }

vec200 vec200_along(vec200 a, real200 s, vec200 b) {
    return (vec200){real200_add(a.x, real200_mul(s, b.x)), real200_add(a.y, real200_mul(s, b.y)), real200_add(a.z, real200_mul(s, b.z))};
}
