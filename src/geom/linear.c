/* Gaussian elimination for the small systems of Newton's methods. */

#include "geom/linear.h"

#include <math.h>

#include "base/real.h"

static bool scale_row(double *row, int n) {
    double most = 0.0;
    for (int k = 0; k < n; ++k) {
        most = real_max_number(most, fabs(row[k]));
    }
    if (!(most > 0.0) || !isfinite(most) || !isfinite(row[n])) {
        return false;
    }
    for (int k = 0; k <= n; ++k) {
        row[k] /= most;
    }
    return true;
}

static void swap_rows(double *p, double *q, int n) {
    for (int k = 0; k <= n; ++k) {
        double keep = p[k];
        p[k] = q[k];
        q[k] = keep;
    }
}

bool linear_solve(int n, double *rows, double *x) {
    const double singular = 1e-15;
    int width = n + 1;
    for (int i = 0; i < n; ++i) {
        if (!scale_row(&rows[i * width], n)) {
            return false;
        }
    }
    for (int i = 0; i < n; ++i) {
        int pivot = i;
        for (int k = i + 1; k < n; ++k) {
            pivot = fabs(rows[k * width + i]) > fabs(rows[pivot * width + i]) ? k : pivot;
        }
        if (!(fabs(rows[pivot * width + i]) > singular)) {
            return false;
        }
        swap_rows(&rows[i * width], &rows[pivot * width], n);
        for (int k = i + 1; k < n; ++k) {
            double factor = rows[k * width + i] / rows[i * width + i];
            for (int j = i; j <= n; ++j) {
                rows[k * width + j] -= factor * rows[i * width + j];
            }
        }
    }
    for (int i = n - 1; i >= 0; --i) {
        double sum = rows[i * width + n];
        for (int j = i + 1; j < n; ++j) {
            sum -= rows[i * width + j] * x[j];
        }
        x[i] = sum / rows[i * width + i];
    }
    return true;
}

/* The largest entry among the rows and columns from `step` on. */
static double find_pivot(int n, const double *rows, int step, int *row, int *column) {
    double most = 0.0;
    *row = *column = step;
    for (int i = step; i < n; ++i) {
        for (int k = step; k < n; ++k) {
            double entry = fabs(rows[i * (n + 1) + k]);
            if (entry > most) {
                most = entry;
                *row = i;
                *column = k;
            }
        }
    }
    return most;
}

static void bring_to_front(int n, double *rows, int order[LINEAR_MOST], int step, int row, int column) {
    swap_rows(rows + step * (n + 1), rows + row * (n + 1), n);
    for (int i = 0; i < n; ++i) {
        double *from = rows + i * (n + 1), keep = from[step];
        from[step] = from[column];
        from[column] = keep;
    }
    int held = order[step];
    order[step] = order[column];
    order[column] = held;
}

static void eliminate_below(int n, double *rows, int step) {
    const double *pivot = rows + step * (n + 1);
    for (int i = step + 1; i < n; ++i) {
        double *row = rows + i * (n + 1), factor = row[step] / pivot[step];
        for (int k = step; k <= n; ++k) {
            row[k] -= factor * pivot[k];
        }
    }
}

void linear_solve_rank(int n, double *rows, double least, double *x) {
    int order[LINEAR_MOST], rank = 0, row, column;
    double largest = find_pivot(n, rows, 0, &row, &column);
    for (int i = 0; i < n; ++i) {
        order[i] = i;
        x[i] = 0.0;
    }
    while (rank < n && find_pivot(n, rows, rank, &row, &column) > least * largest) {
        bring_to_front(n, rows, order, rank, row, column);
        eliminate_below(n, rows, rank);
        rank += 1;
    }
    for (int i = rank - 1; i >= 0; --i) {
        double sum = rows[i * (n + 1) + n];
        for (int k = i + 1; k < rank; ++k) {
            sum -= rows[i * (n + 1) + k] * x[order[k]];
        }
        x[order[i]] = sum / rows[i * (n + 1) + i];
    }
}
