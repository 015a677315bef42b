/* What an active set has come to: the residual of its answer, and whether a direction proves that there is none. See active_set.h. */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "solve/active_set.h"

/* As in active_set.c. */
static const double negligible = 1e-12;

/* A solution whose entries together are larger than this times the scale counts as none. */
static const double unbounded_above = 1e7;

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
    double largest = 0.0;
    for (int32_t i = a->system->island[k]; i < a->system->island[k + 1]; i++) {
        double root = a->system->root[i], wrong = a->out[i] ? 0.0 : fabs(real_min(a->f[i] * root, a->w[i] / root));
        largest = wrong <= largest ? largest : wrong; /* a NaN stays */
    }
    return largest > 0.0 || isnan(largest) ? largest / a->size : 0.0;
}
