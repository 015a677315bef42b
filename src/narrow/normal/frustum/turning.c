/* Roots of a trigonometric equation by Bernstein polynomials: see turning.h. */
#include "narrow/normal/frustum/turning.h"

#include <math.h>

#include "base/elementary.h"
#include "base/real.h"

enum { DEGREE = 8, HALVINGS = 26 };

/* A polynomial by its Bernstein coefficients on the range. */
typedef struct bernstein {
    double c[DEGREE + 1];
} bernstein;

static const double binomial[DEGREE + 1][DEGREE + 1] = {{1},
                                                        {1, 1},
                                                        {1, 2, 1},
                                                        {1, 3, 3, 1},
                                                        {1, 4, 6, 4, 1},
                                                        {1, 5, 10, 10, 5, 1},
                                                        {1, 6, 15, 20, 15, 6, 1},
                                                        {1, 7, 21, 35, 35, 21, 7, 1},
                                                        {1, 8, 28, 56, 70, 56, 28, 8, 1}};

/* (p[0] + p[1] cos t + p[2] sin t) (1 + s^2) with s = tan((t - middle) / 2), for s from -reach to reach. */
static bernstein wave(double p0, double p1, double p2, double cosine, double sine, double reach) {
    double along = p1 * cosine + p2 * sine, across = p2 * cosine - p1 * sine; /* of cos and sin of t - middle */
    double even = p0 - along, square = reach * reach, ends = p0 + along + even * square, slope = 2.0 * across * reach;
    return (bernstein){{ends - slope, p0 + along - even * square, ends + slope}};
}

static bernstein times(const bernstein *p, int degree_p, const bernstein *q, int degree_q) {
    bernstein r = {{0}};
    const double *bp = binomial[degree_p], *bq = binomial[degree_q], *br = binomial[degree_p + degree_q];
    for (int i = 0; i <= degree_p; ++i) {
        for (int k = 0; k <= degree_q; ++k) {
            r.c[i + k] += bp[i] * bq[k] / br[i + k] * p->c[i] * q->c[k];
        }
    }
    return r;
}

static bernstein plus(const bernstein *p, double factor, const bernstein *q, int degree) {
    bernstein r = *p;
    for (int i = 0; i <= degree; ++i) {
        r.c[i] += factor * q->c[i];
    }
    return r;
}

/* The squared equation. *rounding: a bound of the rounding error of its coefficients. */
static bernstein equation(const turning *f, double middle, double reach, double *rounding) {
    double sine, cosine;
    elementary_sin_cos(middle, &sine, &cosine);
    bernstein x = wave(f->x[0], f->x[1], f->x[2], cosine, sine, reach), dx = wave(0.0, f->x[2], -f->x[1], cosine, sine, reach);
    bernstein y = wave(f->y[0], f->y[1], f->y[2], cosine, sine, reach), dy = wave(0.0, f->y[2], -f->y[1], cosine, sine, reach);
    bernstein l = wave(0.0, f->slope[0], f->slope[1], cosine, sine, reach);
    bernstein xx = times(&x, 2, &x, 2), yy = times(&y, 2, &y, 2), xdx = times(&x, 2, &dx, 2), ydy = times(&y, 2, &dy, 2);
    bernstein square = plus(&xx, 1.0, &yy, 4), half = plus(&xdx, 1.0, &ydy, 4), ll = times(&l, 2, &l, 2);
    bernstein left = times(&ll, 4, &square, 4), right = times(&half, 4, &half, 4);
    double most = 0.0, factor = f->factor * f->factor;
    for (int i = 0; i <= DEGREE; ++i) {
        most = real_max(most, fabs(left.c[i]) + fabs(factor * right.c[i]));
    }
    *rounding = 1e-15 * most;
    return plus(&left, -factor, &right, DEGREE);
}

static void halve(const bernstein *p, bernstein *low, bernstein *high) {
    bernstein work = *p;
    for (int i = 0; i <= DEGREE; ++i) {
        low->c[i] = work.c[0];
        high->c[DEGREE - i] = work.c[DEGREE - i];
        for (int k = 0; k < DEGREE - i; ++k) {
            work.c[k] = 0.5 * (work.c[k] + work.c[k + 1]);
        }
    }
}

typedef enum sight { NO_ROOT, PERHAPS, ALL_ZERO } sight;

/* Coefficients within the rounding error count as both positive and negative. */
static sight look(const bernstein *p, double rounding) {
    bool above = true, below = true, zero = true;
    for (int i = 0; i <= DEGREE; ++i) {
        above = above && p->c[i] > rounding;
        below = below && p->c[i] < -rounding;
        zero = zero && fabs(p->c[i]) <= rounding;
    }
    return above || below ? NO_ROOT : zero ? ALL_ZERO : PERHAPS;
}

typedef struct piece {
    bernstein p;
    double from;
    int level;
} piece;

int32_t turning_find(const turning *f, double middle, double half, double *angle) {
    enum { WAITING = HALVINGS + 2 };
    double rounding, reach = elementary_sin(0.5 * half) / elementary_cos(0.5 * half);
    piece waiting[WAITING];
    int32_t count = 0, left = 1;
    waiting[0] = (piece){.p = equation(f, middle, reach, &rounding), .from = 0.0, .level = 0};
    while (left > 0 && count < TURNING_MOST) {
        piece at = waiting[--left];
        sight seen = look(&at.p, rounding);
        if (seen == NO_ROOT) {
            continue;
        }
        double width = 1.0 / (double)(1 << at.level);
        if (at.level == HALVINGS || seen == ALL_ZERO) {
            double s = reach * (2.0 * (at.from + 0.5 * width) - 1.0), t = middle + 2.0 * elementary_atan2(s, 1.0);
            bool near = count > 0 && fabs(angle[count - 1] - t) < 8.0 * half * width;
            count += near ? 0 : 1;
            angle[count - 1] = near ? angle[count - 1] : t;
            continue;
        }
        piece low = {.from = at.from, .level = at.level + 1}, high = {.from = at.from + 0.5 * width, .level = at.level + 1};
        halve(&at.p, &low.p, &high.p);
        waiting[left++] = high;
        waiting[left++] = low;
    }
    return count;
}
