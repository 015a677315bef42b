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
