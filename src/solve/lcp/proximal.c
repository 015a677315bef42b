/* See solve/lcp/proximal.h. Everything is by place and scaled: the diagonal is about 1. */
#include "solve/lcp/proximal.h"

#include <math.h>
#include <string.h>

/* The ridge on the diagonal, at first and at last. It shrinks when rounds make little progress: then the remaining directions have even
 * less resistance. */
static const double first_ridge = 1e-7, last_ridge = 1e-11, little_progress = 0.3;

/* Largest number of rounds, and of rounds without a smaller residual. */
enum { ROUNDS = 100, PATIENCE = 8 };

/* A pivot below this, relative to the diagonal, is not rounding error, because the ridge should keep it positive. */
static const double indefinite_below = -1e-6;

typedef struct span {
    int32_t k, begin;
    size_t bytes;
} span;

static void set_ridge(active_set *a, int32_t k, double value) {
    a->factor.ridge = value;
    profile_forget(&a->factor, k, a->system->island[k]);
}

/* The residual of f in the problem without ridge; w belongs to it as well. */
static double judge(active_set *a, const span *s) {
    double used = a->factor.ridge;
    memcpy(a->q + s->begin, a->given + s->begin, s->bytes);
    a->factor.ridge = 0.0;
    active_set_gradient(a, s->k);
    active_set_refine(a, s->k);
    a->factor.ridge = used;
    return active_set_residual(a, s->k);
}

/* True when the direction from the centre to f proves that there is no solution. q is the given one. */
static bool leads_away(active_set *a, const span *s) {
    for (int32_t i = s->begin; i < a->system->island[s->k + 1]; i++) {
        a->ray[i] = a->f[i] - a->centre[i];
    }
    return active_set_proves(a, s->k, a->ray);
}

static proximal_end iterate(active_set *a, const span *s, double tolerance) {
    double least = INFINITY;
    int32_t pivots = a->pivots;
    active_end ended = ACTIVE_SOLVED;
    for (int round = 0, idle = 0; round < ROUNDS && idle < PATIENCE && ended != ACTIVE_LIMIT && !(least <= tolerance); round++) {
        bool dropped;
        for (int32_t i = s->begin; i < a->system->island[s->k + 1]; i++) {
            a->q[i] = a->given[i] - a->factor.ridge * a->centre[i];
        }
        ended = active_set_solve(a, s->k, &dropped);
        pivots += a->pivots;
        a->pivots = pivots;
        if (a->least < indefinite_below && a->factor.ridge == first_ridge) {
            return PROXIMAL_INDEFINITE;
        }
        double residual = judge(a, s);
        idle = residual < least ? 0 : idle + 1;
        if (!(residual < little_progress * least) && a->factor.ridge > last_ridge) {
            set_ridge(a, s->k, 0.1 * a->factor.ridge);
        }
        if (residual < least) {
            least = residual;
            memcpy(a->best + s->begin, a->f + s->begin, s->bytes);
        }
        if (!(least <= tolerance) && leads_away(a, s)) {
            return PROXIMAL_UNBOUNDED;
        }
        memcpy(a->centre + s->begin, a->f + s->begin, s->bytes);
    }
    return PROXIMAL_DONE;
}

proximal_end proximal_solve(active_set *a, int32_t k, double tolerance) {
    int32_t begin = a->system->island[k], end = a->system->island[k + 1];
    span s = {k, begin, (size_t)(end - begin) * sizeof *a->q};
    memcpy(a->ray + begin, a->f + begin, s.bytes); /* a huge f is itself nearly a proof */
    if (active_set_proves(a, k, a->ray)) {
        return PROXIMAL_UNBOUNDED;
    }
    memcpy(a->given + begin, a->q + begin, s.bytes);
    memset(a->centre + begin, 0, s.bytes);
    memset(a->best + begin, 0, s.bytes);
    memset(a->active + begin, 0, (size_t)(end - begin) * sizeof *a->active);
    set_ridge(a, k, first_ridge);
    proximal_end ended = iterate(a, &s, tolerance);
    set_ridge(a, k, 0.0);
    memcpy(a->f + begin, a->best + begin, s.bytes);
    (void)judge(a, &s);
    return ended;
}
