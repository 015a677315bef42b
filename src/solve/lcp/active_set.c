/* See solve/lcp/active_set.h: block rounds, then single rows, then one step of iterative refinement. */
#include "solve/lcp/active_set.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"

/* Rounding errors of w, relative to the scale of q and to the largest f, and of f, relative to the larger of both. */
static const double negligible_w = 1e-12, rounding_of_w = 1e-14, rounding_of_f = 1e-13;

/* A row that depends on active rows cannot be corrected alone. Violations below this, relative to the scale, are inconsistencies caused by
 * rounding. */
static const double negligible_dependent = 1e-10;

/* Block rounds end after this number of rounds that did not reduce the number of wrong rows. */
static const int patience = 2;

/* A curvature below this is rounding error: the diagonal is about 1. */
static const double flat_below = 1e-12;

#define ROOM(array) array_reserve(&a->array, &a->array##_room, n, sizeof *a->array)

bool active_set_begin(active_set *a, const lcp_system *system) {
    int32_t n = system->n;
    if (!ROOM(q) || !ROOM(f) || !ROOM(w) || !ROOM(ray) || !ROOM(x) || !ROOM(given) || !ROOM(centre) || !ROOM(best) || !ROOM(active) ||
        !ROOM(out) || !ROOM(dependent) || !ROOM(barred) || !profile_begin(&a->factor, system)) {
        return false;
    }
    a->system = system;
    return true;
}

void active_set_release(active_set *a) {
    void *blocks[] = {a->q, a->f, a->w, a->ray, a->x, a->given, a->centre, a->best, a->active, a->out, a->dependent, a->barred};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        memory_release(blocks[i]);
    }
    profile_release(&a->factor);
    *a = (active_set){.system = NULL};
}

typedef struct island {
    int32_t k, begin, end;
    const int32_t *list; /* active places */
} island;

static island island_of(const active_set *a, int32_t k) {
    int32_t begin = a->system->island[k];
    return (island){k, begin, a->system->island[k + 1], a->factor.list + begin};
}

static int32_t count_of(const active_set *a, const island *s) { return a->factor.count[s->k]; }

/* Computes f so that w = 0 in the active rows; f = 0 in the others. */
static void settle(active_set *a, const island *s) {
    int32_t count = count_of(a, s);
    for (int32_t i = 0; i < count; i++) {
        a->x[i] = -a->q[s->list[i]];
    }
    profile_solve(&a->factor, s->k, a->x);
    memset(a->f + s->begin, 0, (size_t)(s->end - s->begin) * sizeof *a->f);
    for (int32_t i = 0; i < count; i++) {
        a->f[s->list[i]] = a->x[i];
    }
}

/* Factorises the active rows. Rows that depend on others are left out. */
static void factorise(active_set *a, const island *s) {
    profile_outcome outcome = profile_factorise(&a->factor, s->k, a->active, a->dependent);
    a->factorised += outcome.made;
    a->least = real_min(a->least, outcome.least);
}

static double largest_f(const active_set *a, const island *s) {
    double largest = 0.0;
    for (int32_t i = 0; i < count_of(a, s); i++) {
        largest = real_max(largest, fabs(a->f[s->list[i]]));
    }
    return largest;
}

static double tolerance_w(const active_set *a, const island *s) { return negligible_w * a->scale + rounding_of_w * largest_f(a, s); }

static double tolerance_f(const active_set *a, const island *s) { return rounding_of_f * real_max(a->scale, largest_f(a, s)); }

/* Rows with a negative f leave; with `join`, rows with a negative w join. Returns the number of changes. */
static int32_t exchange(active_set *a, const island *s, bool join) {
    double low_f = -tolerance_f(a, s), low_w = -tolerance_w(a, s), low_dependent = real_min(low_w, -negligible_dependent * a->scale);
    int32_t changed = 0;
    for (int32_t i = s->begin; i < s->end; i++) {
        bool wrong = a->active[i] ? a->f[i] < low_f : join && !a->out[i] && a->w[i] < (a->dependent[i] ? low_dependent : low_w);
        a->active[i] ^= wrong;
        changed += wrong;
    }
    a->pivots += changed;
    return changed;
}

/* Returns whether the rounds led to a solution. */
static bool block_rounds(active_set *a, const island *s) {
    int32_t fewest = INT32_MAX;
    for (int tries = patience; tries > 0 && a->pivots <= a->limit;) {
        factorise(a, s);
        settle(a, s);
        active_set_gradient(a, s->k);
        int32_t wrong = exchange(a, s, true);
        if (wrong == 0) {
            return true;
        }
        tries = wrong < fewest ? patience : tries - 1;
        fewest = wrong < fewest ? wrong : fewest;
    }
    return false;
}

/* Removes rows until f >= 0 and w = 0 in all active rows. */
static void retreat(active_set *a, const island *s) {
    do {
        factorise(a, s);
        settle(a, s);
    } while (exchange(a, s, false) > 0);
}

/* The row outside the active set with the most negative w; -1 when there is none. */
static int32_t most_negative(const active_set *a, const island *s) {
    double least = -tolerance_w(a, s);
    int32_t found = -1;
    for (int32_t i = s->begin; i < s->end; i++) {
        if (!a->active[i] && !a->barred[i] && !a->out[i] && a->w[i] < least) {
            least = a->w[i];
            found = i;
        }
    }
    return found;
}

/* The change of the active f per unit of f_j that keeps their w: x by position. Returns the change of w_j. */
static double direction(active_set *a, const island *s, int32_t j) {
    const lcp_system *m = a->system;
    int32_t count = count_of(a, s);
    double curvature = 0.0;
    memset(a->x, 0, (size_t)count * sizeof *a->x);
    for (int32_t e = m->first[j]; e < m->first[j + 1]; e++) {
        int32_t position = a->factor.position[m->column[e]];
        if (position >= 0) {
            a->x[position] = -m->value[e];
        }
    }
    profile_solve(&a->factor, s->k, a->x);
    for (int32_t e = m->first[j]; e < m->first[j + 1]; e++) {
        int32_t position = a->factor.position[m->column[e]];
        curvature += m->value[e] * (m->column[e] == j ? 1.0 : position >= 0 ? a->x[position] : 0.0);
    }
    return curvature + a->factor.ridge;
}

/* The largest step of f along x before an entry becomes zero; *blocking is its place. */
static double farthest(const active_set *a, const island *s, int32_t *blocking) {
    double largest = 1.0, step = INFINITY;
    for (int32_t i = 0; i < count_of(a, s); i++) {
        largest = real_max(largest, fabs(a->x[i]));
    }
    *blocking = -1;
    for (int32_t i = 0; i < count_of(a, s); i++) {
        int32_t place = s->list[i];
        if (a->x[i] < -1e-12 * largest && a->f[place] < -a->x[i] * step) {
            step = real_max(a->f[place], 0.0) / -a->x[i];
            *blocking = place;
        }
    }
    return step;
}

static void go(active_set *a, const island *s, int32_t j, double step) {
    for (int32_t i = 0; i < count_of(a, s); i++) {
        a->f[s->list[i]] += step * a->x[i];
    }
    a->f[j] += step;
}

/* Row j meets no resistance in its direction, and nothing stops it. */
static bool unbounded(active_set *a, const island *s, int32_t j) {
    memset(a->ray + s->begin, 0, (size_t)(s->end - s->begin) * sizeof *a->ray);
    for (int32_t i = 0; i < count_of(a, s); i++) {
        a->ray[s->list[i]] = a->x[i];
    }
    a->ray[j] = 1.0;
    return active_set_proves(a, s->k, a->ray);
}

/* Row j has reached w = 0 and joins. The f are those at the end of the step, up to rounding error. */
static void join(active_set *a, const island *s, int32_t j) {
    a->active[j] = true;
    factorise(a, s);
    if (a->active[j]) {
        memset(a->barred + s->begin, 0, (size_t)(s->end - s->begin) * sizeof *a->barred);
    } else {
        a->barred[j] = true; /* its violation was rounding error */
        retreat(a, s);
    }
}

/* Drives w_j to zero. False when that is impossible. */
static bool drive(active_set *a, const island *s, int32_t j) {
    double w = a->w[j];
    while (a->pivots++ <= a->limit) {
        double curvature = direction(a, s, j);
        bool flat = !(curvature > flat_below);
        if (flat && w >= -negligible_dependent * a->scale) {
            a->barred[j] = true;
            retreat(a, s);
            return true;
        }
        double free = flat ? INFINITY : -w / curvature;
        int32_t blocking;
        double blocked = farthest(a, s, &blocking);
        if (isinf(free) && isinf(blocked)) {
            if (unbounded(a, s, j)) {
                return false;
            }
            a->barred[j] = true;
            retreat(a, s);
            return true;
        }
        go(a, s, j, real_min(free, blocked));
        if (free <= blocked) {
            join(a, s, j);
            return true;
        }
        w += curvature * blocked;
        a->f[blocking] = 0.0;
        a->active[blocking] = false;
        factorise(a, s);
    }
    return true;
}

static active_end single_rows(active_set *a, const island *s) {
    memset(a->barred + s->begin, 0, (size_t)(s->end - s->begin) * sizeof *a->barred);
    for (;;) {
        active_set_gradient(a, s->k);
        int32_t j = most_negative(a, s);
        if (j < 0) {
            /* Removes the accumulated rounding error of many steps. */
            retreat(a, s);
            active_set_gradient(a, s->k);
            j = most_negative(a, s);
        }
        if (j < 0) {
            return ACTIVE_SOLVED;
        }
        if (!drive(a, s, j)) {
            return ACTIVE_UNBOUNDED;
        }
        if (a->pivots > a->limit) {
            retreat(a, s);
            active_set_gradient(a, s->k);
            return ACTIVE_LIMIT;
        }
    }
}

/* The remaining w of active rows is rounding error: one step of iterative refinement, and no negative f. */
static void polish(active_set *a, const island *s) {
    double rest = 0.0;
    int32_t count = count_of(a, s);
    active_set_refine(a, s->k);
    for (int32_t i = 0; i < count; i++) {
        a->x[i] = -a->w[s->list[i]];
        rest = real_max(rest, fabs(a->x[i]));
    }
    bool changed = rest > 64.0 * DBL_EPSILON * a->scale;
    if (changed) {
        profile_solve(&a->factor, s->k, a->x);
    }
    for (int32_t i = 0; i < count; i++) {
        double f = a->f[s->list[i]] + (changed ? a->x[i] : 0.0);
        changed = changed || f < 0.0;
        a->f[s->list[i]] = f < 0.0 ? 0.0 : f;
    }
    if (changed) {
        active_set_gradient(a, s->k);
        active_set_refine(a, s->k);
    }
}

/* A cold start: all rows that do not separate without forces. It finds a stack in which only the lowest row is violated at once. */
static void begin_cold(active_set *a, const island *s) {
    double parts = negligible_w * a->scale;
    for (int32_t i = s->begin; i < s->end; i++) {
        a->active[i] = !a->out[i] && a->q[i] <= parts;
    }
}

active_end active_set_solve(active_set *a, int32_t k, bool *dropped) {
    island s = island_of(a, k);
    active_end end = ACTIVE_SOLVED;
    bool warm = false;
    a->pivots = 0;
    a->least = 0.0;
    for (int32_t i = s.begin; i < s.end && !warm; i++) {
        warm = a->active[i];
    }
    bool done = warm && block_rounds(a, &s);
    *dropped = warm && !done;
    if (!done) {
        begin_cold(a, &s);
        done = block_rounds(a, &s);
    }
    if (!done) {
        retreat(a, &s);
        end = single_rows(a, &s);
    }
    if (end != ACTIVE_UNBOUNDED) {
        polish(a, &s);
    }
    return end;
}
