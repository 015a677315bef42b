/* Siconos: Lemke's method with its lexicographic rule, on a dense matrix. Siconos stores it by columns, which makes no difference for
 * symmetric matrices. */
#include <stdlib.h>

#include "engine.h"
#include "support/check.h"

#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>

typedef struct solver {
    const lcp_case *problem;
    LinearComplementarityProblem lcp;
    SolverOptions *options;
    double *z, *w, *matrix;
} solver;

static void *prepare(const lcp_case *problem) {
    size_t n = (size_t)problem->n;
    solver *s = check_memory(1, sizeof *s);
    s->problem = problem;
    s->z = check_memory(n, sizeof *s->z);
    s->w = check_memory(n, sizeof *s->w);
    s->matrix = check_memory(n * n, sizeof *s->matrix);
    for (size_t i = 0; i < n * n; i++) {
        s->matrix[i] = problem->matrix[i];
    }
    s->lcp.size = problem->n;
    s->lcp.M = NM_create_from_data(NM_DENSE, problem->n, problem->n, s->matrix);
    s->lcp.q = problem->q;
    s->options = solver_options_create(SICONOS_LCP_LEMKE);
    s->options->iparam[SICONOS_IPARAM_MAX_ITER] = 50 * problem->n + 100;
    return s;
}

static void release(void *state) {
    solver *s = state;
    solver_options_delete(s->options);
    free(s->lcp.M); /* the data of M belong to us */
    free(s->matrix);
    free(s->z);
    free(s->w);
    free(s);
}

static bool solve(void *state) {
    solver *s = state;
    int info = 0;
    for (int32_t i = 0; i < s->problem->n; i++) {
        s->z[i] = s->w[i] = 0.0;
    }
    lcp_lexicolemke(&s->lcp, s->z, s->w, &info, s->options);
    return info == 0;
}

static const double *solution(void *state, const double **q) {
    solver *s = state;
    *q = s->problem->q;
    return s->z;
}

const lcp_engine lcp_siconos[] = {
    {"Siconos, lexicographic Lemke", NULL, false, 300, prepare, NULL, solve, solution, release},
    {.name = NULL},
};
