/* The friction disc. Sliding means b + M l = -k l with k > 0, so l(k) = -(M + k)^-1 b, whose length falls as k grows; the k with |l| =
 * bound is found by Newton's method on 1 / |l|, which is almost straight in k (the secular equation of trust-region methods; More and
 * Sorensen 1983). */
#include "solve/friction.h"

#include <math.h>

/* -(M + k)^-1 b */
static friction_vector shifted_solution(friction_matrix m, friction_vector b, double k) {
    double xx = m.xx + k, yy = m.yy + k;
    double determinant = xx * yy - m.xy * m.xy;
    friction_vector l = {(m.xy * b.y - yy * b.x) / determinant, (m.xy * b.x - xx * b.y) / determinant};
    return l;
}

friction_vector friction_solve(friction_matrix m, friction_vector b, double bound) {
    friction_vector l = {0.0, 0.0};
    if (!(bound > 0.0)) {
        return l;
    }
    l = shifted_solution(m, b, 0.0);
    double length = sqrt(l.x * l.x + l.y * l.y);
    if (length <= bound) {
        return l;
    }
    /* From the left of the root, where |l| > bound, the iteration rises to it without passing it. */
    double k = 0.0;
    for (int iteration = 0; iteration < 20 && length > bound * (1.0 + 1e-14); iteration++) {
        friction_vector d = shifted_solution(m, l, k);
        double slope = -(l.x * d.x + l.y * d.y);
        k += length * length / slope * (length - bound) / bound;
        l = shifted_solution(m, b, k);
        length = sqrt(l.x * l.x + l.y * l.y);
    }
    friction_vector on_disc = {l.x * (bound / length), l.y * (bound / length)};
    return on_disc;
}
