/* See solve/lcp/lemke.h. C. E. Lemke, "Bimatrix equilibrium points and mathematical programming", 1965; R. W. Cottle, J.-S. Pang, R. E.
 * Stone, "The Linear Complementarity Problem", 1992, 4.4. Ties are broken by the lexicographic rule. With rounding errors, exact ties of
 * symmetric problems would still be broken at random. Therefore q is first increased by a small amount, which removes no solution. The
 * caller that settles the rows corrects the effect. */
#include "solve/lcp/lemke.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "solve/lcp/lanes.h"

/* The largest perturbation of q, relative to its scale. */
static const double perturbation = 1e-10;

/* Values of the entering column below this count as zero. */
static const double negligible = 1e-11;

/* Ratios that differ by less than this, relatively, are a tie. */
static const double tie = 1e-13;

void lemke_release(lemke_tableau *t) {
    memory_release(t->entries);
    memory_release(t->basis);
    memory_release(t->place);
    memory_release(t->ratio);
    *t = (lemke_tableau){.entries = NULL};
}

static double *row_of(const lemke_tableau *t, int32_t i) { return t->entries + (size_t)i * (size_t)t->column_count; }

static bool make_room(lemke_tableau *t, int32_t rows) {
    size_t needed = (size_t)rows * (2 * (size_t)rows + 2);
    if (!array_reserve(&t->basis, &t->basis_room, rows, sizeof *t->basis) ||
        !array_reserve(&t->place, &t->place_room, rows, sizeof *t->place) ||
        !array_reserve(&t->ratio, &t->ratio_room, rows, sizeof *t->ratio)) {
        return false;
    }
    if (t->entries == NULL || t->entries_room < needed) {
        memory_release(t->entries);
        t->entries_room = 0;
        t->entries = memory_allocate(needed, sizeof(double));
        if (t->entries == NULL) {
            return false;
        }
        t->entries_room = needed;
    }
    t->rows = rows;
    t->column_count = 2 * rows + 2;
    memset(t->entries, 0, needed * sizeof *t->entries);
    return true;
}

/* A number between 0 and 1, different for each place: the fractional part of multiples of the golden ratio. */
static double spread(int32_t i) {
    double x = 0.6180339887498949 * (i + 1);
    return x - floor(x);
}

static bool begin(lemke_tableau *t, const lemke_problem *problem) {
    const lcp_system *s = problem->system;
    int32_t first = s->island[problem->k], end = s->island[problem->k + 1], rows = 0;
    for (int32_t p = first; p < end; p++) {
        rows += !problem->out[p];
    }
    if (!make_room(t, rows)) {
        return false;
    }
    rows = 0;
    for (int32_t p = first; p < end; p++) {
        if (!problem->out[p]) {
            t->place[rows++] = p;
        }
    }
    for (int32_t i = 0; i < rows; i++) {
        double *row = row_of(t, i);
        int32_t p = t->place[i], e = s->first[p];
        for (int32_t j = 0; j < rows; j++) {
            while (e < s->first[p + 1] && s->column[e] < t->place[j]) {
                e++;
            }
            row[rows + j] = e < s->first[p + 1] && s->column[e] == t->place[j] ? -s->value[e] : 0.0;
        }
        row[i] = 1.0;
        row[2 * rows] = -1.0;
        row[2 * rows + 1] = problem->q[p] + problem->scale * perturbation * spread(p);
        t->basis[i] = i;
    }
    return true;
}

static void pivot(lemke_tableau *t, int32_t r, int32_t column) {
    double *pivot_row = row_of(t, r), inverse = 1.0 / pivot_row[column];
    for (int32_t j = 0; j < t->column_count; j++) {
        pivot_row[j] *= inverse;
    }
    for (int32_t i = 0; i < t->rows; i++) {
        double *row = row_of(t, i);
        if (i == r || row[column] == 0.0) {
            continue;
        }
        lanes factor = lanes_both(row[column]);
        for (int32_t j = 0; j < t->column_count; j += 2) {
            lanes_store(row + j, lanes_minus_product(lanes_load(row + j), factor, lanes_load(pivot_row + j)));
        }
        row[column] = 0.0;
    }
    t->basis[r] = column;
}

/* z0 enters. The row that leaves has the smallest (q_i, i-th row of the identity): for equal q_i, the last. */
static int32_t first_to_leave(const lemke_tableau *t) {
    int32_t least = 0;
    for (int32_t i = 1; i < t->rows; i++) {
        if (row_of(t, i)[t->column_count - 1] <= row_of(t, least)[t->column_count - 1]) {
            least = i;
        }
    }
    return least;
}

/* Among the rows marked by a ratio >= 0, keeps those whose entry in `column`, divided by the entering entry, is minimal up to ties. */
static int32_t keep_least(lemke_tableau *t, int32_t column, int32_t entering) {
    double least = INFINITY;
    int32_t kept = 0;
    for (int32_t i = 0; i < t->rows; i++) {
        if (!isnan(t->ratio[i])) {
            t->ratio[i] = row_of(t, i)[column] / row_of(t, i)[entering];
            least = t->ratio[i] < least ? t->ratio[i] : least;
        }
    }
    double most = least + tie * fabs(least);
    for (int32_t i = 0; i < t->rows; i++) {
        if (!isnan(t->ratio[i]) && !(t->ratio[i] <= most)) {
            t->ratio[i] = NAN;
        }
        kept += !isnan(t->ratio[i]);
    }
    return kept;
}

/* The row that leaves for the entering variable by the lexicographic rule; z0 leaves before others. -1 when no row leaves. */
static int32_t to_leave(lemke_tableau *t, int32_t entering) {
    int32_t count = 0, z0 = 2 * t->rows;
    for (int32_t i = 0; i < t->rows; i++) {
        bool candidate = row_of(t, i)[entering] > negligible;
        t->ratio[i] = candidate ? 0.0 : NAN;
        count += candidate;
    }
    if (count == 0) {
        return -1;
    }
    count = keep_least(t, t->column_count - 1, entering);
    for (int32_t i = 0; i < t->rows; i++) {
        if (!isnan(t->ratio[i]) && t->basis[i] == z0) {
            return i;
        }
    }
    for (int32_t column = 0; column < t->rows && count > 1; column++) {
        count = keep_least(t, column, entering);
    }
    for (int32_t i = 0; i < t->rows; i++) {
        if (!isnan(t->ratio[i])) {
            return i;
        }
    }
    return -1; /* only after an overflow */
}

static void write_ray(const lemke_tableau *t, int32_t entering, double *ray) {
    for (int32_t i = 0; i < t->rows; i++) {
        int32_t f = t->basis[i] - t->rows;
        if (f >= 0 && f < t->rows) {
            ray[t->place[f]] = -row_of(t, i)[entering];
        }
    }
    if (entering >= t->rows && entering < 2 * t->rows) {
        ray[t->place[entering - t->rows]] = 1.0;
    }
}

lemke_end lemke_solve(lemke_tableau *t, const lemke_problem *problem, bool *active, double *ray, int32_t *pivots) {
    *pivots = 0;
    if (!begin(t, problem)) {
        return LEMKE_MEMORY;
    }
    const lcp_system *s = problem->system;
    for (int32_t p = s->island[problem->k]; p < s->island[problem->k + 1]; p++) {
        active[p] = false;
        ray[p] = 0.0;
    }
    int32_t entering = 2 * t->rows, z0 = entering, leaving = first_to_leave(t);
    while (leaving >= 0 && *pivots < problem->limit) {
        int32_t left = t->basis[leaving];
        pivot(t, leaving, entering);
        (*pivots)++;
        if (left == z0) {
            for (int32_t i = 0; i < t->rows; i++) {
                int32_t f = t->basis[i] - t->rows;
                if (f >= 0 && f < t->rows && row_of(t, i)[t->column_count - 1] > 0.0) {
                    active[t->place[f]] = true;
                }
            }
            return LEMKE_SOLVED;
        }
        entering = left < t->rows ? left + t->rows : left - t->rows;
        leaving = to_leave(t, entering);
    }
    if (leaving < 0) {
        write_ray(t, entering, ray);
        return LEMKE_RAY;
    }
    return LEMKE_LIMIT;
}
