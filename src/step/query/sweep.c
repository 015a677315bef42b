#include "step/query/sweep.h"

#include <float.h>
#include <math.h>

#include "base/real.h"

/* Casts count a touch as a hit up to some 1e-14 of the coordinates. What they allow for the size of a shape is in the boxes (index.c). */
static const double rounding = 1e-12;

static double largest(abut_vec3 v) { return real_max(real_max(fabs(v.x), fabs(v.y)), fabs(v.z)); }

/* The largest number stands for the inverse of nothing: a product with it is 0, or far outside of the way. */
static double inverse_of(double x) {
    double inverse = 1.0 / x;
    return inverse > DBL_MAX ? DBL_MAX : inverse < -DBL_MAX ? -DBL_MAX : inverse;
}

query_sweep query_sweep_make(abut_vec3 origin, abut_vec3 translation, abut_aabb about, double pad) {
    pad += DBL_MIN + rounding * (largest(origin) + largest(translation) + largest(about.lower) + largest(about.upper));
    const abut_vec3 room = abut_vec3_make(pad, pad, pad);
    return (query_sweep){.first = abut_add(abut_add(origin, about.upper), room),
                         .last = abut_sub(abut_add(origin, about.lower), room),
                         .inverse = abut_vec3_make(inverse_of(translation.x), inverse_of(translation.y), inverse_of(translation.z))};
}

/* Narrows the fractions by one axis. Comparisons with NaN, of boxes that overflow, are false and narrow nothing. */
static inline void narrow(double lower, double upper, double inverse, double *enter, double *leave) {
    double first = lower * inverse, last = upper * inverse;
    double least = first > last ? last : first, most = first > last ? first : last;
    *enter = least > *enter ? least : *enter;
    *leave = most < *leave ? most : *leave;
}

double query_sweep_bound(const query_sweep *s, const abut_aabb *box) {
    double enter = 0.0, leave = 1.0;
    narrow(box->lower.x - s->first.x, box->upper.x - s->last.x, s->inverse.x, &enter, &leave);
    narrow(box->lower.y - s->first.y, box->upper.y - s->last.y, s->inverse.y, &enter, &leave);
    narrow(box->lower.z - s->first.z, box->upper.z - s->last.z, s->inverse.z, &enter, &leave);
    return enter <= leave ? enter : INFINITY;
}
