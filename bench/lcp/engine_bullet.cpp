/* Bullet's two pivoting solvers, in double precision. Dantzig's solver overwrites its matrix and therefore gets a copy, as in Bullet itself.
 * Lemke's algorithm gets the problem without bounds; with bounds, Bullet would invert the matrix. */
#include "engine.h"

#include <BulletDynamics/MLCPSolvers/btDantzigLCP.h>
#include <BulletDynamics/MLCPSolvers/btLemkeAlgorithm.h>

#include <vector>

namespace {

struct solver {
    const lcp_case *problem;
    std::vector<double> z, a, b, w, lower, upper;
    std::vector<int> index;
    btDantzigScratchMemory scratch;
    btMatrixXu matrix;
    btVectorXu q;
};

void *prepare(const lcp_case *problem) {
    solver *s = new solver;
    size_t n = static_cast<size_t>(problem->n);
    s->problem = problem;
    s->z.assign(n, 0.0);
    s->w.assign(n, 0.0);
    s->lower.assign(n, 0.0);
    s->upper.assign(n, BT_INFINITY);
    s->index.assign(n, -1);
    s->matrix.resize(problem->n, problem->n);
    s->q.resize(problem->n);
    for (int i = 0; i < problem->n; i++) {
        s->q[i] = problem->q[i];
        for (int j = 0; j < problem->n; j++) {
            s->matrix.setElem(i, j, problem->matrix[i * problem->n + j]);
        }
    }
    return s;
}

void release(void *state) { delete static_cast<solver *>(state); }

/* A x = b + w */
bool solve_dantzig(void *state) {
    solver *s = static_cast<solver *>(state);
    int n = s->problem->n;
    s->a.assign(s->problem->matrix, s->problem->matrix + n * n);
    s->b.resize(static_cast<size_t>(n));
    for (int i = 0; i < n; i++) {
        s->b[static_cast<size_t>(i)] = -s->problem->q[i];
    }
    s->lower.assign(static_cast<size_t>(n), 0.0);
    s->upper.assign(static_cast<size_t>(n), BT_INFINITY);
    return btSolveDantzigLCP(n, s->a.data(), s->z.data(), s->b.data(), s->w.data(), 0, s->lower.data(), s->upper.data(), s->index.data(),
                             s->scratch);
}

bool solve_lemke(void *state) {
    solver *s = static_cast<solver *>(state);
    int n = s->problem->n;
    btLemkeAlgorithm lemke(s->matrix, s->q);
    lemke.setSystem(s->matrix, s->q);
    btVectorXu found = lemke.solve(static_cast<unsigned int>(50 * n + 100));
    for (int i = 0; i < n; i++) {
        s->z[static_cast<size_t>(i)] = found[n + i];
    }
    return lemke.getInfo() >= 0;
}

const double *solution(void *state, const double **q) {
    solver *s = static_cast<solver *>(state);
    *q = s->problem->q;
    return s->z.data();
}

} // namespace

extern "C" const lcp_engine lcp_bullet[] = {
    {"Bullet, Dantzig", nullptr, false, 1000, prepare, nullptr, solve_dantzig, solution, release},
    {"Bullet, Lemke", nullptr, false, 300, prepare, nullptr, solve_lemke, solution, release},
    {nullptr, nullptr, false, 0, nullptr, nullptr, nullptr, nullptr, nullptr},
};
