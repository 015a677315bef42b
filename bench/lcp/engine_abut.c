/* abut: matrix and solution from scratch; only the solution; and warm, with data that the solver kept, with another q or after all bodies
 * moved a little. */
#include <stdlib.h>

#include "engine.h"
#include "support/check.h"

typedef struct solver {
    const lcp_case *problem;
    abut_lcp *lcp;
    abut_lcp_settings settings;
    double *z, *w, *q[2];
    abut_lcp_row *rows; /* after a small motion; NULL without bodies */
    const double *used; /* the q of the last solution */
    int32_t turn;
} solver;

static void *prepare(const lcp_case *problem) {
    size_t n = (size_t)problem->n;
    solver *s = check_memory(1, sizeof *s);
    *s = (solver){.problem = problem, .settings = abut_lcp_settings_default()};
    s->z = check_memory(n, sizeof *s->z);
    s->w = check_memory(n, sizeof *s->w);
    if (problem->bodies != NULL) {
        s->rows = check_memory(n, sizeof *s->rows);
        for (size_t i = 0; i < n; i++) {
            s->rows[i] = problem->rows[i];
        }
    }
    for (int k = 0; k < 2; k++) {
        s->q[k] = check_memory(n, sizeof *s->q[k]);
        for (size_t i = 0; i < n; i++) {
            s->q[k][i] = problem->q[i] * (1.0 + 0.01 * k);
        }
    }
    s->used = problem->q;
    (void)abut_lcp_create(&s->lcp);
    return s;
}

static void *prepare_rows(const lcp_case *problem) { return problem->bodies != NULL ? prepare(problem) : NULL; }

static void *prepare_lemke(const lcp_case *problem) {
    solver *s = prepare(problem);
    s->settings.method = ABUT_LCP_LEMKE;
    return s;
}

/* The matrix is set, and the problem is solved for this q. */
static void *prepare_warm(const lcp_case *problem) {
    solver *s = prepare(problem);
    (void)abut_lcp_set_matrix(s->lcp, problem->n, problem->matrix);
    (void)abut_lcp_solve(s->lcp, problem->q, NULL, s->z, s->w, NULL);
    s->settings.start = s->z;
    return s;
}

static void release(void *state) {
    solver *s = state;
    abut_lcp_destroy(s->lcp);
    free(s->z);
    free(s->w);
    free(s->q[0]);
    free(s->q[1]);
    free(s->rows);
    free(s);
}

/* Forgets earlier problems. */
static void forget(void *state) {
    solver *s = state;
    (void)abut_lcp_set_matrix(s->lcp, 0, NULL);
}

static void forget_and_set(void *state) {
    solver *s = state;
    (void)abut_lcp_set_matrix(s->lcp, 0, NULL);
    (void)abut_lcp_set_matrix(s->lcp, s->problem->n, s->problem->matrix);
}

static bool solve(void *state) {
    solver *s = state;
    return abut_lcp_solve(s->lcp, s->used, &s->settings, s->z, s->w, NULL) == ABUT_OK;
}

static bool solve_matrix(void *state) {
    solver *s = state;
    return abut_lcp_set_matrix(s->lcp, s->problem->n, s->problem->matrix) == ABUT_OK && solve(s);
}

static bool solve_rows(void *state) {
    solver *s = state;
    const lcp_case *p = s->problem;
    return abut_lcp_set_rows(s->lcp, p->bodies, p->body_count, p->rows, p->n) == ABUT_OK && solve(s);
}

static void other_q(void *state) {
    solver *s = state;
    s->used = s->q[s->turn++ % 2];
}

/* Changes the arms in the seventh digit, back and forth. All values change, but mostly the same rows press. */
static void move(void *state) {
    solver *s = state;
    double factor = s->turn++ % 2 == 0 ? 1.0 + 1e-7 : 1.0;
    for (int32_t i = 0; i < s->problem->n; i++) {
        s->rows[i].angular_a = abut_scale(factor, s->problem->rows[i].angular_a);
        s->rows[i].angular_b = abut_scale(factor, s->problem->rows[i].angular_b);
    }
}

static void *prepare_moving(const lcp_case *problem) {
    if (problem->bodies == NULL) {
        return NULL;
    }
    solver *s = prepare(problem);
    (void)abut_lcp_set_rows(s->lcp, problem->bodies, problem->body_count, problem->rows, problem->n);
    (void)abut_lcp_solve(s->lcp, problem->q, NULL, s->z, s->w, NULL);
    s->settings.start = s->z;
    return s;
}

static bool solve_moved(void *state) {
    solver *s = state;
    const lcp_case *p = s->problem;
    return abut_lcp_set_rows(s->lcp, p->bodies, p->body_count, s->rows, p->n) == ABUT_OK && solve(s);
}

static const double *solution(void *state, const double **q) {
    solver *s = state;
    *q = s->used;
    return s->z;
}

/* For the original rows. */
static const double *solution_moved(void *state, const double **q) {
    solver *s = state;
    s->turn = 1;
    move(s);
    (void)solve_moved(s);
    return solution(s, q);
}

const lcp_engine lcp_abut[] = {
    {"abut, matrix and solution", "matrix", false, 1000, prepare, forget, solve_matrix, solution, release},
    {"abut, rows and solution", NULL, false, 1000, prepare_rows, forget, solve_rows, solution, release},
    {"abut, solution", "cold", false, 1000, prepare, forget_and_set, solve, solution, release},
    {"abut, solution, warm", "warm", true, 1000, prepare_warm, other_q, solve, solution, release},
    {"abut, rows moved, warm", NULL, true, 1000, prepare_moving, move, solve_moved, solution_moved, release},
    {"abut, Lemke, matrix and solution", NULL, false, 300, prepare_lemke, forget, solve_matrix, solution, release},
    {.name = NULL},
};
