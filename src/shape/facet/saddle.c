/* The saddle of a curved surface as a vector and as a matrix: see saddle.h. */
#include "shape/facet/saddle.h"

#include "base/real.h"

abut_vec3 facet_saddle_make(double xx, double xy, abut_vec3 u, abut_vec3 v) {
    double size = abut_length(abut_vec3_make(xx, xy, 0.0));
    if (!(size > 0.0)) {
        return abut_vec3_make(0.0, 0.0, 0.0);
    }
    /* Half of the angle of (xx, xy). */
    double cosine = xx / size, sine = xy / size;
    double x = sqrt(0.5 * real_max(1.0 + cosine, 0.0)), y = sqrt(0.5 * real_max(1.0 - cosine, 0.0));
    if (cosine > 0.0) {
        y = 0.5 * sine / x;
    } else {
        x = 0.5 * sine / y;
    }
    return abut_add(abut_scale(size * x, u), abut_scale(size * y, v));
}

void facet_saddle_split(abut_vec3 saddle, abut_vec3 u, abut_vec3 v, double *xx, double *xy) {
    double size = abut_length(saddle), x = abut_dot(saddle, u), y = abut_dot(saddle, v), square = x * x + y * y;
    bool seen = square > 0.0;
    *xx = seen ? size * ((x - y) * ((x + y) / square)) : 0.0;
    *xy = seen ? size * (2.0 * x * (y / square)) : 0.0;
}
