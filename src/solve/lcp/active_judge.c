/* Evaluation of an active set: w, the residual of its answer, and whether a direction proves that there is no solution. See
 * solve/lcp/active_set.h. */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "base/twin.h"
#include "solve/lcp/active_set.h"

/* The same value as in solve/lcp/active_set.c. */
static const double negligible = 1e-12;

/* When f exceeds this times the scale, w = A f + q is computed with twice the digits. */
static const double rounding_matters = 1e5;

/* A solution whose entries have a sum above this times the scale is treated as no solution. */
static const double unbounded_above = 1e7;

void active_set_gradient(active_set *a, int32_t k) {
    int32_t begin = a->system->island[k], end = a->system->island[k + 1];
    memcpy(a->w + begin, a->q + begin, (size_t)(end - begin) * sizeof *a->w);
    for (int32_t i = begin; i < end; i++) {
        if (a->f[i] != 0.0) {
            lcp_system_add_column(a->system, i, a->f[i], a->w);
            a->w[i] += a->factor.ridge * a->f[i];
        }
    }
}

static void add_exactly(active_set *a, int32_t i, double factor, double f) {
    twin product = twin_product(factor, f), sum = twin_sum(a->w[i], product.high);
    a->w[i] = sum.high;
    a->x[i] += sum.low + product.low;
}

void active_set_refine(active_set *a, int32_t k) {
    const lcp_system *s = a->system;
    int32_t begin = s->island[k], end = s->island[k + 1];
    double sum = 0.0;
    for (int32_t i = begin; i < end; i++) {
        sum += a->f[i];
    }
    if (!(sum > rounding_matters * a->scale)) {
        return;
    }
    memcpy(a->w + begin, a->q + begin, (size_t)(end - begin) * sizeof *a->w);
    memset(a->x + begin, 0, (size_t)(end - begin) * sizeof *a->x);
    for (int32_t i = begin; i < end; i++) {
        for (int32_t e = s->first[i]; e < s->first[i + 1] && a->f[i] != 0.0; e++) {
            add_exactly(a, s->column[e], s->value[e] + (s->column[e] == i ? a->factor.ridge : 0.0), a->f[i]);
        }
    }
    for (int32_t i = begin; i < end; i++) {
        a->w[i] += a->x[i];
    }
}

bool active_set_proves(active_set *a, int32_t k, double *y) {
    int32_t begin = a->system->island[k], end = a->system->island[k + 1];
    double largest = 0.0, sum = 0.0, slope = 0.0, resistance = 0.0;
    for (int32_t i = begin; i < end; i++) {
        y[i] = y[i] > 0.0 ? y[i] : 0.0;
        largest = real_max(largest, y[i]);
    }
    memset(a->x + begin, 0, (size_t)(end - begin) * sizeof *a->x);
    for (int32_t i = begin; i < end && largest > 0.0; i++) {
        y[i] /= largest;
        sum += y[i];
        slope += a->q[i] * y[i];
        if (y[i] > 0.0) {
            lcp_system_add_column(a->system, i, y[i], a->x);
        }
    }
    for (int32_t i = begin; i < end; i++) {
        resistance = real_max(resistance, fabs(a->x[i]));
    }
    return -slope > unbounded_above * a->scale * resistance && -slope > a->tolerance * a->scale * sum;
}

bool active_set_trivial(active_set *a, int32_t k) {
    double low = -negligible * a->scale;
    int32_t begin = a->system->island[k], end = a->system->island[k + 1];
    for (int32_t i = begin; i < end; i++) {
        if (a->q[i] < low && !a->out[i]) {
            return false;
        }
    }
    memset(a->f + begin, 0, (size_t)(end - begin) * sizeof *a->f);
    memcpy(a->w + begin, a->q + begin, (size_t)(end - begin) * sizeof *a->w);
    return true;
}

double active_set_residual(const active_set *a, int32_t k) {
    const lcp_system *s = a->system;
    double largest = 0.0;
    for (int32_t i = s->island[k]; i < s->island[k + 1]; i++) {
        /* f divided by the unit equals f times the diagonal times the unit; where the diagonal is 0, this is 0 */
        double wrong = a->out[i] ? 0.0 : fabs(real_min(a->f[i] * s->diagonal[i], a->w[i])) * s->unit[i];
        largest = wrong <= largest ? largest : wrong; /* keeps a NaN */
    }
    return largest > 0.0 || isnan(largest) ? largest / a->size : 0.0;
}
