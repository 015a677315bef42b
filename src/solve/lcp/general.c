/*
 * Complementarity problems whose matrix need not be positive semidefinite: see general.h. C. E. Lemke, "Bimatrix equilibrium points and mathematical
 * programming", 1965.
 *
 * Redundant contacts make the matrix singular, and symmetric ones make exact ties. So the tableau has a small number added to the diagonal and small different
 * numbers added to q. Both effects are then removed: the rows that Lemke's method names are solved for the given q, by iterations that take the first effect
 * back (a proximal point method, which converges where the equations have a solution).
 */
#include "solve/lcp/general.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"

/* Added to the diagonal. Where rows are redundant it decides how they share their load, so a second number may do where the first one fails. */
static const double softness[] = {1e-6, 1e-5, 1e-7, 1e-4, 1e-8};
enum { TRIES = sizeof softness / sizeof *softness };

/* What is added to q is smaller: divided by the softness it changes the load of redundant rows. */
static const double apart = 1e-5;

static const double negligible = 1e-10; /* entries of the entering column below this count as zero */

static bool reserve_square(double **array, size_t *room, size_t needed) {
    if (*array != NULL && *room >= needed) {
        return true;
    }
    memory_release(*array);
    *room = 0;
    *array = memory_allocate(needed, sizeof **array);
    *room = *array != NULL ? needed : 0;
    return *array != NULL;
}

bool lcp_general_reserve(lcp_general *lcp, int32_t n) {
    size_t rows = n > 0 ? (size_t)n : 1;
    lcp->n = 0;
    bool fine = reserve_square(&lcp->matrix, &lcp->matrix_room, rows * rows) &&
                reserve_square(&lcp->table, &lcp->table_room, rows * (2 * rows + 2)) &&
                reserve_square(&lcp->factor, &lcp->factor_room, rows * rows) && array_reserve(&lcp->q, &lcp->q_room, n, sizeof *lcp->q) &&
                array_reserve(&lcp->z, &lcp->z_room, n, sizeof *lcp->z) && array_reserve(&lcp->w, &lcp->w_room, n, sizeof *lcp->w) &&
                array_reserve(&lcp->presses, &lcp->presses_room, n, sizeof *lcp->presses) &&
                array_reserve(&lcp->step, &lcp->step_room, n, sizeof *lcp->step) &&
                array_reserve(&lcp->basis, &lcp->basis_room, n, sizeof *lcp->basis) &&
                array_reserve(&lcp->order, &lcp->order_room, n, sizeof *lcp->order) &&
                array_reserve(&lcp->place, &lcp->place_room, n, sizeof *lcp->place);
    lcp->n = fine ? n : 0;
    return fine;
}

void lcp_general_release(lcp_general *lcp) {
    void *blocks[] = {lcp->matrix, lcp->q,    lcp->z,     lcp->w,     lcp->presses, lcp->table,
                      lcp->factor, lcp->step, lcp->basis, lcp->order, lcp->place};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) {
        memory_release(blocks[i]);
    }
    *lcp = (lcp_general){.n = 0};
}

/* ---- Lemke's pivots ---- */

static double *table_row(const lcp_general *lcp, int32_t i) { return lcp->table + (size_t)i * (2 * (size_t)lcp->n + 2); }

/* A number between 0 and 1, different for each row. */
static double spread(int32_t i) {
    double x = 0.6180339887498949 * (i + 1);
    return x - floor(x);
}

/* Columns: w, z, z0, and the constants. w - M z - z0 = q. */
static void begin_table(lcp_general *lcp, double scale, double soft) {
    int32_t n = lcp->n;
    for (int32_t i = 0; i < n; ++i) {
        double *row = table_row(lcp, i);
        memset(row, 0, (2 * (size_t)n + 2) * sizeof *row);
        row[i] = 1.0;
        for (int32_t j = 0; j < n; ++j) {
            row[n + j] = -lcp->matrix[(size_t)i * (size_t)n + (size_t)j];
        }
        row[n + i] -= soft;
        row[2 * n] = -1.0;
        row[2 * n + 1] = lcp->q[i] / scale + apart * soft * (1.0 + spread(i));
        lcp->basis[i] = i;
    }
}

static void pivot(lcp_general *lcp, int32_t leaving, int32_t entering) {
    int32_t columns = 2 * lcp->n + 2;
    double *own = table_row(lcp, leaving), inverse = 1.0 / own[entering];
    for (int32_t j = 0; j < columns; ++j) {
        own[j] *= inverse;
    }
    own[entering] = 1.0;
    for (int32_t i = 0; i < lcp->n; ++i) {
        double *row = table_row(lcp, i), factor = row[entering];
        if (i != leaving && factor != 0.0) {
            for (int32_t j = 0; j < columns; ++j) {
                row[j] -= factor * own[j];
            }
            row[entering] = 0.0;
        }
    }
    lcp->basis[leaving] = entering;
}

/* The row whose variable reaches zero first when the entering one grows; that of z0 on a tie. -1 for none. */
static int32_t leaving_row(const lcp_general *lcp, int32_t entering) {
    const double tie = 1e-12;
    int32_t n = lcp->n, best = -1;
    double least = INFINITY;
    for (int32_t i = 0; i < n; ++i) {
        const double *row = table_row(lcp, i);
        if (row[entering] <= negligible) {
            continue;
        }
        double ratio = row[2 * n + 1] / row[entering];
        bool first = ratio < least * (1.0 - tie) || best < 0 || (lcp->basis[i] == 2 * n && ratio <= least * (1.0 + tie));
        bool kept = best >= 0 && lcp->basis[best] == 2 * n && ratio >= least * (1.0 - tie);
        if (first && !kept) {
            least = ratio;
            best = i;
        }
    }
    return best;
}

/* Finds which rows press. False when the pivots end in a ray, or not at all. */
static bool find_rows(lcp_general *lcp, double scale, double soft) {
    int32_t n = lcp->n, worst = 0;
    begin_table(lcp, scale, soft);
    for (int32_t i = 1; i < n; ++i) {
        worst = table_row(lcp, i)[2 * n + 1] < table_row(lcp, worst)[2 * n + 1] ? i : worst;
    }
    bool solved = table_row(lcp, worst)[2 * n + 1] >= 0.0;
    int32_t leaving = worst, entering = 2 * n;
    for (int32_t turn = 0; turn < 50 * n + 100 && !solved && leaving >= 0; ++turn) {
        int32_t left = lcp->basis[leaving];
        pivot(lcp, leaving, entering);
        solved = left == 2 * n;
        entering = left < n ? left + n : left - n;
        leaving = solved ? -1 : leaving_row(lcp, entering);
    }
    for (int32_t i = 0; i < n; ++i) {
        lcp->presses[i] = false;
    }
    for (int32_t i = 0; i < n && solved; ++i) {
        if (lcp->basis[i] >= n && lcp->basis[i] < 2 * n) {
            lcp->presses[lcp->basis[i] - n] = true;
        }
    }
    return solved;
}

/* ---- the equations of the pressing rows ---- */

/* Factorises M + soft of the pressing rows, with row exchanges. Returns their number; -1 if it is singular. */
static int32_t factorise(lcp_general *lcp, double soft) {
    int32_t n = lcp->n, count = 0;
    for (int32_t i = 0; i < n; ++i) {
        if (lcp->presses[i]) {
            lcp->place[count++] = i;
        }
    }
    double *f = lcp->factor;
    for (int32_t i = 0; i < count; ++i) {
        for (int32_t j = 0; j < count; ++j) {
            f[(size_t)i * (size_t)count + (size_t)j] = lcp->matrix[(size_t)lcp->place[i] * (size_t)n + (size_t)lcp->place[j]];
        }
        f[(size_t)i * (size_t)count + (size_t)i] += soft;
        lcp->order[i] = i;
    }
    for (int32_t k = 0; k < count; ++k) {
        int32_t best = k;
        for (int32_t i = k + 1; i < count; ++i) {
            best = fabs(f[(size_t)i * (size_t)count + (size_t)k]) > fabs(f[(size_t)best * (size_t)count + (size_t)k]) ? i : best;
        }
        for (int32_t j = 0; j < count && best != k; ++j) {
            double t = f[(size_t)k * (size_t)count + (size_t)j];
            f[(size_t)k * (size_t)count + (size_t)j] = f[(size_t)best * (size_t)count + (size_t)j];
            f[(size_t)best * (size_t)count + (size_t)j] = t;
        }
        int32_t o = lcp->order[k];
        lcp->order[k] = lcp->order[best];
        lcp->order[best] = o;
        double head = f[(size_t)k * (size_t)count + (size_t)k];
        if (!(fabs(head) > 1e-3 * soft * soft)) {
            return -1;
        }
        for (int32_t i = k + 1; i < count; ++i) {
            double *row = f + (size_t)i * (size_t)count, factor = row[k] / head;
            row[k] = factor;
            for (int32_t j = k + 1; j < count && factor != 0.0; ++j) {
                row[j] -= factor * f[(size_t)k * (size_t)count + (size_t)j];
            }
        }
    }
    return count;
}

/* x: right side in the order of `order`, becomes the solution. */
static void substitute(const lcp_general *lcp, int32_t count, double *x) {
    const double *f = lcp->factor;
    for (int32_t i = 0; i < count; ++i) {
        for (int32_t j = 0; j < i; ++j) {
            x[i] -= f[(size_t)i * (size_t)count + (size_t)j] * x[j];
        }
    }
    for (int32_t i = count - 1; i >= 0; --i) {
        for (int32_t j = i + 1; j < count; ++j) {
            x[i] -= f[(size_t)i * (size_t)count + (size_t)j] * x[j];
        }
        x[i] /= f[(size_t)i * (size_t)count + (size_t)i];
    }
}

static void find_w(lcp_general *lcp) {
    for (int32_t i = 0; i < lcp->n; ++i) {
        double w = lcp->q[i];
        for (int32_t j = 0; j < lcp->n; ++j) {
            w += lcp->z[j] != 0.0 ? lcp->matrix[(size_t)i * (size_t)lcp->n + (size_t)j] * lcp->z[j] : 0.0;
        }
        lcp->w[i] = w;
    }
}

/* The largest |w| of a pressing row. */
static double largest_error(const lcp_general *lcp) {
    double most = 0.0;
    for (int32_t i = 0; i < lcp->n; ++i) {
        most = lcp->presses[i] ? real_max_number(most, fabs(lcp->w[i])) : most;
    }
    return most;
}

/* Solves w = 0 for the pressing rows; the others have z = 0. Where rows contradict each other a little, going on would only raise forces that cancel. False if
 * the equations are singular. */
static bool solve_rows(lcp_general *lcp, double soft) {
    const int most = 20;
    for (int32_t i = 0; i < lcp->n; ++i) {
        lcp->z[i] = 0.0;
    }
    int32_t count = factorise(lcp, soft);
    find_w(lcp);
    double error = INFINITY, next = largest_error(lcp);
    for (int turn = 0; turn < most && count > 0 && next < 0.5 * error && next > 0.0; ++turn) {
        error = next;
        for (int32_t i = 0; i < count; ++i) {
            lcp->step[i] = -lcp->w[lcp->place[lcp->order[i]]];
        }
        substitute(lcp, count, lcp->step);
        for (int32_t i = 0; i < count; ++i) {
            lcp->z[lcp->place[i]] += lcp->step[i];
        }
        find_w(lcp);
        next = largest_error(lcp);
    }
    return count >= 0;
}

/* The row that violates its condition most, and by how much: z < 0 if it presses, w < 0 if not, and w of a pressing row, which cannot be exchanged. */
static int32_t worst_row(const lcp_general *lcp, double scale, double *violation) {
    int32_t worst = -1;
    *violation = 0.0;
    for (int32_t i = 0; i < lcp->n; ++i) {
        double wrong = (lcp->presses[i] ? real_max(-lcp->z[i], fabs(lcp->w[i])) : -lcp->w[i]) / scale;
        if (wrong > *violation || isnan(wrong)) {
            *violation = isnan(wrong) ? INFINITY : wrong;
            worst = lcp->presses[i] && !(lcp->z[i] < 0.0) ? -1 : i;
        }
    }
    return worst;
}

/* Exchanges wrong rows one by one, as long as that makes the answer better or few times. */
static bool settle(lcp_general *lcp, double scale, double tolerance, double soft) {
    const double exact = 1e-13;
    bool fine = solve_rows(lcp, soft);
    int32_t worst = worst_row(lcp, scale, &lcp->residual);
    for (int32_t turn = 0; turn < lcp->n + 8 && fine && worst >= 0 && lcp->residual > exact; ++turn) {
        double before = lcp->residual;
        lcp->presses[worst] = !lcp->presses[worst];
        int32_t changed = worst;
        bool solved = solve_rows(lcp, soft);
        worst = worst_row(lcp, scale, &lcp->residual);
        if (!solved || !(lcp->residual < before)) { /* worse: what was there was the best */
            lcp->presses[changed] = !lcp->presses[changed];
            fine = solve_rows(lcp, soft);
            (void)worst_row(lcp, scale, &lcp->residual);
            break;
        }
    }
    for (int32_t i = 0; i < lcp->n; ++i) {
        lcp->z[i] = real_max(lcp->z[i], 0.0);
    }
    return fine && lcp->residual <= tolerance;
}

static bool is_finite(const lcp_general *lcp) {
    double sum = 0.0;
    for (size_t i = 0; i < (size_t)lcp->n * (size_t)lcp->n; ++i) {
        sum += 0.0 * lcp->matrix[i];
    }
    for (int32_t i = 0; i < lcp->n; ++i) {
        sum += 0.0 * lcp->q[i];
    }
    return sum == 0.0;
}

/* Whether z = 0 is the answer, which it then is. */
static bool nothing_presses(lcp_general *lcp) {
    bool none = true;
    for (int32_t i = 0; i < lcp->n; ++i) {
        none = none && lcp->q[i] >= 0.0;
    }
    for (int32_t i = 0; i < lcp->n && none; ++i) {
        lcp->z[i] = 0.0;
        lcp->w[i] = lcp->q[i];
        lcp->presses[i] = false;
    }
    return none;
}

lcp_end lcp_general_solve(lcp_general *lcp, double magnitude, double allowed, bool again) {
    const double tolerance = real_max(allowed, 1e-9);
    double scale = magnitude;
    for (int32_t i = 0; i < lcp->n; ++i) {
        scale = real_max_number(scale, fabs(lcp->q[i]));
    }
    lcp->residual = 0.0;
    if (!is_finite(lcp)) {
        lcp->residual = INFINITY;
        return LCP_NONE;
    }
    if (nothing_presses(lcp)) {
        return LCP_SOLVED;
    }
    bool solved = again && settle(lcp, scale, tolerance, softness[0]);
    lcp->residual = solved ? lcp->residual : 0.0;
    for (int i = 0; i < TRIES && !solved; ++i) {
        solved = find_rows(lcp, scale, softness[i]) && settle(lcp, scale, tolerance, softness[i]);
    }
    return solved ? LCP_SOLVED : LCP_NONE;
}
