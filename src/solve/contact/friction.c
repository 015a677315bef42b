/* The friction disc. Sliding means b + M l = -k l with k > 0, so l(k) = -(M + k)^-1 b, and its length falls as k grows. Newton's method
 * finds the k with |l| = bound from 1 / |l|, which is concave and almost linear in k (the secular equation of trust-region methods; More
 * and Sorensen 1983). With the adjugate, l(k) = n / det, so an iteration costs two divisions and a square root. */
#include "solve/contact/friction.h"

#include <math.h>

#include "base/elementary.h"
#include "base/real.h"

/* Newton's method ends with the step that starts at this relative error of the length or less; the step squares the error. */
static const double near_enough = 1e-5;

/* If no impulse on the disc can remove more than this share of the speed, M is negligible beside k. */
static const double hardly = 1e-12;

/* M + k, and n = -adj(M + k) b */
typedef struct shifted {
    double xx, yy, determinant, x, y, squared;
} shifted;

static shifted shift(friction_matrix m, friction_vector b, double k) {
    shifted s = {.xx = m.xx + k, .yy = m.yy + k};
    s.determinant = s.xx * s.yy - m.xy * m.xy;
    s.x = m.xy * b.y - s.yy * b.x;
    s.y = m.xy * b.x - s.xx * b.y;
    s.squared = s.x * s.x + s.y * s.y;
    return s;
}

/* One Newton step from k, where the length is known. */
static double improve(const shifted *s, double xy, double k, double length, double bound) {
    double slope = s->yy * s->x * s->x - 2.0 * xy * s->x * s->y + s->xx * s->y * s->y;
    return k + s->squared * s->determinant * (length - bound) / (slope * bound);
}

friction_vector friction_slide(friction_matrix m, friction_vector b, double bound, double *slip) {
    if (bound * (m.xx + m.yy) < hardly * (fabs(b.x) + fabs(b.y))) {
        double scale = bound / elementary_hypot(b.x, b.y);
        return (friction_vector){-b.x * scale, -b.y * scale};
    }
    double k = *slip;
    shifted s = shift(m, b, k);
    double length = sqrt(s.squared) / s.determinant, before = INFINITY;
    /* The function is concave. The first step ends to the left of the root from any start; from there the iteration rises to the root
     * without passing it. */
    for (int iteration = 0; iteration < 24 && before > near_enough * bound; iteration++) {
        before = fabs(length - bound);
        k = real_max_number(improve(&s, m.xy, k, length, bound), 0.0);
        s = shift(m, b, k);
        length = sqrt(s.squared) / s.determinant;
    }
    *slip = k;
    double scale = bound / (length * s.determinant);
    return (friction_vector){s.x * scale, s.y * scale};
}

friction_vector friction_solve(friction_matrix m, friction_vector b, double bound, double *slip) {
    if (!(bound > 0.0)) {
        return (friction_vector){0.0, 0.0};
    }
    shifted s = shift(m, b, 0.0);
    friction_vector stuck = {s.x / s.determinant, s.y / s.determinant};
    return stuck.x * stuck.x + stuck.y * stuck.y <= bound * bound ? stuck : friction_slide(m, b, bound, slip);
}
