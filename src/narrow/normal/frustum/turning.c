/* Roots of a trigonometric equation by Bernstein polynomials: see turning.h. */
#include "narrow/normal/frustum/turning.h"

#include <math.h>

#include "base/elementary.h"
#include "base/real.h"

enum { DEGREE = 8, HALVINGS = 26 };

/*
 * A polynomial of degree n by its Bernstein coefficients on the range. While products are formed, each coefficient is scaled by its binomial number, so that a
 * product is a plain convolution.
 */
typedef struct bernstein {
    double c[DEGREE + 1];
} bernstein;

/* (p[0] + p[1] cos t + p[2] sin t) (1 + s^2) with s = tan((t - middle) / 2), for s from -reach to reach; scaled. */
static bernstein wave(double p0, double p1, double p2, double cosine, double sine, double reach) {
    double along = p1 * cosine + p2 * sine, across = p2 * cosine - p1 * sine; /* of cos and sin of t - middle */
    double even = p0 - along, square = reach * reach, ends = p0 + along + even * square, slope = 2.0 * across * reach;
    return (bernstein){{ends - slope, 2.0 * (p0 + along - even * square), ends + slope}};
}

static bernstein times(const bernstein *p, const bernstein *q, int degree) {
    bernstein r = {{0}};
    for (int i = 0; i <= degree; ++i) {
        for (int k = 0; k <= degree; ++k) {
            r.c[i + k] += p->c[i] * q->c[k];
        }
    }
    return r;
}

static bernstein sum(const bernstein *p, const bernstein *q) {
    bernstein r = *p;
    for (int i = 0; i <= DEGREE; ++i) {
        r.c[i] += q->c[i];
    }
    return r;
}

/* The squared equation. *rounding: a bound of the rounding error of its coefficients. */
static bernstein equation(const turning *f, double middle, double reach, double *rounding) {
    static const double unscale[DEGREE + 1] = {1.0, 1.0 / 8.0, 1.0 / 28.0, 1.0 / 56.0, 1.0 / 70.0, 1.0 / 56.0, 1.0 / 28.0, 1.0 / 8.0, 1.0};
    double sine, cosine, most = 0.0, factor = f->factor * f->factor;
    elementary_sin_cos(middle, &sine, &cosine);
    bernstein x = wave(f->x[0], f->x[1], f->x[2], cosine, sine, reach), dx = wave(0.0, f->x[2], -f->x[1], cosine, sine, reach);
    bernstein y = wave(f->y[0], f->y[1], f->y[2], cosine, sine, reach), dy = wave(0.0, f->y[2], -f->y[1], cosine, sine, reach);
    bernstein l = wave(0.0, f->slope[0], f->slope[1], cosine, sine, reach);
    bernstein xx = times(&x, &x, 2), yy = times(&y, &y, 2), xdx = times(&x, &dx, 2), ydy = times(&y, &dy, 2);
    bernstein square = sum(&xx, &yy), half = sum(&xdx, &ydy), ll = times(&l, &l, 2);
    bernstein left = times(&ll, &square, 4), right = times(&half, &half, 4), r;
    for (int i = 0; i <= DEGREE; ++i) {
        double p = unscale[i] * left.c[i], q = factor * unscale[i] * right.c[i];
        most = real_max(most, fabs(p) + fabs(q));
        r.c[i] = p - q;
    }
    double reached = 0.0;
    for (int i = 0; i < 5; ++i) {
        static const double of_four[5] = {1.0, 0.25, 1.0 / 6.0, 0.25, 1.0};
        reached = real_max(reached, of_four[i] * fabs(square.c[i]));
    }
    *rounding = real_max(1e-15 * most, f->rounding * f->rounding * reached);
    return r;
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

/* The value, and *slope. */
static double value_at(const bernstein *p, double t, double *slope) {
    bernstein work = *p;
    for (int i = DEGREE; i > 1; --i) {
        for (int k = 0; k < i; ++k) {
            work.c[k] += t * (work.c[k + 1] - work.c[k]);
        }
    }
    *slope = DEGREE * (work.c[1] - work.c[0]);
    return work.c[0] + t * (work.c[1] - work.c[0]);
}

typedef enum sight { NO_ROOT, ONE_ROOT, PERHAPS, ALL_ZERO } sight;

/* Coefficients within the rounding error count as both positive and negative. */
static sight look(const bernstein *p, double rounding) {
    bool above = true, below = true, zero = true, clear = true;
    int changes = 0;
    for (int i = 0; i <= DEGREE; ++i) {
        above = above && p->c[i] > rounding;
        below = below && p->c[i] < -rounding;
        zero = zero && fabs(p->c[i]) <= rounding;
        clear = clear && fabs(p->c[i]) > rounding;
        changes += i > 0 && (p->c[i] > 0.0) != (p->c[i - 1] > 0.0);
    }
    return above || below ? NO_ROOT : zero ? ALL_ZERO : clear && changes == 1 ? ONE_ROOT : PERHAPS;
}

/* The only root between 0 and 1, by Newton's method, with halving where a step would leave the range of the root. */
static double only_root(const bernstein *p) {
    enum { MOST_STEPS = 60 };
    const double narrow = 1e-10;
    double low = 0.0, high = 1.0, t = 0.5;
    for (int i = 0; i < MOST_STEPS && high - low > narrow; ++i) {
        double slope, value = value_at(p, t, &slope), next = t - value / slope;
        bool before = (value > 0.0) == (p->c[0] > 0.0);
        low = before ? t : low;
        high = before ? high : t;
        bool last = fabs(next - t) <= narrow;
        t = next >= low && next <= high ? next : 0.5 * (low + high);
        if (last && next >= low && next <= high) {
            break;
        }
    }
    return t;
}

typedef struct piece {
    bernstein p;
    double from, width;
    int level;
} piece;

int32_t turning_find(const turning *f, double middle, double half, double *angle) {
    enum { WAITING = HALVINGS + 2 };
    double rounding, reach = elementary_sin(0.5 * half) / elementary_cos(0.5 * half);
    piece waiting[WAITING];
    int32_t count = 0, left = 1;
    waiting[0] = (piece){.p = equation(f, middle, reach, &rounding), .width = 1.0};
    while (left > 0 && count < TURNING_MOST) {
        piece at = waiting[--left];
        sight seen = look(&at.p, rounding);
        if (seen == NO_ROOT) {
            continue;
        }
        if (at.level == HALVINGS || seen == ALL_ZERO || seen == ONE_ROOT) {
            double t = at.from + at.width * (seen == ONE_ROOT ? only_root(&at.p) : 0.5);
            double found = middle + 2.0 * elementary_atan2(reach * (2.0 * t - 1.0), 1.0);
            bool near = seen != ONE_ROOT && count > 0 && fabs(angle[count - 1] - found) < 8.0 * half * at.width;
            count += near ? 0 : 1;
            angle[count - 1] = near ? angle[count - 1] : found;
            continue;
        }
        double width = 0.5 * at.width;
        piece low = {.from = at.from, .width = width, .level = at.level + 1};
        piece high = {.from = at.from + width, .width = width, .level = at.level + 1};
        halve(&at.p, &low.p, &high.p);
        waiting[left++] = high;
        waiting[left++] = low;
    }
    return count;
}
