#include "step/query/sweep.h"

#include <float.h>
#include <math.h>

#include "base/real.h"

/* Casts count a touch as a hit up to some 1e-14 of the sizes and coordinates. */
static const double rounding = 1e-12;

static double largest(abut_vec3 v) { return real_max(real_max(fabs(v.x), fabs(v.y)), fabs(v.z)); }

query_sweep query_sweep_make(abut_vec3 origin, abut_vec3 translation, abut_aabb about, double pad) {
    query_sweep sweep = {
        .origin = origin, .inverse = abut_vec3_make(1.0 / translation.x, 1.0 / translation.y, 1.0 / translation.z), .about = about};
    sweep.pad = pad + DBL_MIN + rounding * (largest(origin) + largest(translation) + largest(about.lower) + largest(about.upper));
    return sweep;
}

/* Narrows the fractions by one axis. The origin is that of the fractions; inverse is infinite where nothing moves along the axis. Comparisons with NaN are
 * false, so that 0 times infinity narrows nothing. */
static void narrow(double lower, double upper, double inverse, double *enter, double *leave) {
    if (isinf(inverse)) {
        *leave = lower > 0.0 || upper < 0.0 ? -INFINITY : *leave;
        return;
    }
    double first = lower * inverse, last = upper * inverse;
    double least = first > last ? last : first, most = first > last ? first : last;
    *enter = least > *enter ? least : *enter;
    *leave = most < *leave ? most : *leave;
}

double query_sweep_bound(const query_sweep *s, const abut_aabb *box) {
    abut_vec3 lower = abut_sub(abut_sub(box->lower, s->about.upper), s->origin),
              upper = abut_sub(abut_sub(box->upper, s->about.lower), s->origin);
    double pad_x = s->pad + rounding * real_max(fabs(box->lower.x), fabs(box->upper.x));
    double pad_y = s->pad + rounding * real_max(fabs(box->lower.y), fabs(box->upper.y));
    double pad_z = s->pad + rounding * real_max(fabs(box->lower.z), fabs(box->upper.z));
    double enter = 0.0, leave = 1.0;
    narrow(lower.x - pad_x, upper.x + pad_x, s->inverse.x, &enter, &leave);
    narrow(lower.y - pad_y, upper.y + pad_y, s->inverse.y, &enter, &leave);
    narrow(lower.z - pad_z, upper.z + pad_z, s->inverse.z, &enter, &leave);
    return enter <= leave ? enter : INFINITY;
}
