/* The public functions of abut/solve.h except those that make the matrix (solve/lcp/matrix.c, solve/lcp/rows.c). Islands are solved one by
 * one, by place and scaled; this file converts input and output. */
#include "solve/lcp/lcp.h"

#include <math.h>
#include <string.h>

#include "base/argument.h"
#include "base/memory.h"
#include "base/real.h"
#include "solve/lcp/proximal.h"

abut_status abut_lcp_create(abut_lcp **lcp) {
    if (argument_is_null(CALL_NAME, "lcp", lcp)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_lcp *made = memory_allocate(1, sizeof *made);
    if (made == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    *lcp = made;
    return ABUT_OK;
}

void abut_lcp_destroy(abut_lcp *lcp) {
    if (lcp == NULL) {
        return;
    }
    void *blocks[] = {lcp->graph.start, lcp->graph.next, lcp->before.start, lcp->before.next, lcp->filled, lcp->ahead,
                      lcp->values,      lcp->halves,     lcp->first,        lcp->rows,        lcp->seen};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        memory_release(blocks[i]);
    }
    lemke_release(&lcp->lemke);
    active_set_release(&lcp->set);
    lcp_system_release(&lcp->system);
    memory_release(lcp);
}

int32_t abut_lcp_size(const abut_lcp *lcp) { return lcp != NULL ? lcp->system.n : 0; }

abut_lcp_settings abut_lcp_settings_default(void) {
    abut_lcp_settings settings = {.method = ABUT_LCP_ACTIVE_SET, .tolerance = 1e-9};
    return settings;
}

static abut_status check(const char *call, const abut_lcp *lcp, const double *q, const abut_lcp_settings *s) {
    if (s->method != ABUT_LCP_ACTIVE_SET && s->method != ABUT_LCP_LEMKE) {
        (void)refused_integer(call, "settings->method", (int)s->method, "an abut_lcp_method");
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (argument_is_not_finite(call, "settings->tolerance", s->tolerance) ||
        argument_is_not_finite(call, "settings->magnitude", s->magnitude)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (!(s->tolerance > 0.0) && argument_is_zero(s, sizeof *s)) {
        return refuse_zero(call, "settings", "abut_lcp_settings_default");
    }
    if (argument_is_not_positive(call, "settings->tolerance", s->tolerance) ||
        argument_is_negative(call, "settings->magnitude", s->magnitude) ||
        argument_is_below(call, "settings->pivot_limit", s->pivot_limit, 0)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    for (int32_t i = 0; i < lcp->system.n; i++) {
        if (!isfinite(q[i])) {
            return refuse(ABUT_ERROR_NOT_FINITE, call, "q[%d] is not finite", (int)i);
        }
    }
    return ABUT_OK;
}

/* Far below this, numbers have no digits: a q of such numbers counts as 0. */
static const double smallest = 1e-280;

/* Copies q, out and the start into the active set. False when q overflows in the scale of the rows. */
static bool load(abut_lcp *lcp, const double *q, const abut_lcp_settings *settings) {
    const lcp_system *s = &lcp->system;
    active_set *a = &lcp->set;
    double scale = smallest, size = smallest;
    for (int32_t p = 0; p < s->n; p++) {
        int32_t i = s->index[p];
        a->q[p] = s->scale[p] * q[i];
        a->out[p] = settings->left_out != NULL && settings->left_out[i];
        a->active[p] = settings->start != NULL && settings->start[i] > 0.0 && !a->out[p];
        double most = real_max(fabs(a->q[p]), s->scale[p] * settings->magnitude);
        scale = real_max(most, scale);
        size = real_max(most * s->unit[p], size);
    }
    a->scale = scale;
    a->size = size;
    a->tolerance = settings->tolerance;
    a->factorised = 0;
    return isfinite(scale);
}

/* Uses Lemke's answer as the start of the active set. Returns how island k ended. */
static active_end solve_lemke(abut_lcp *lcp, int32_t k, abut_lcp_result *result, bool *memory) {
    active_set *a = &lcp->set;
    lemke_problem problem = {&lcp->system, k, a->q, a->out, a->scale, a->limit};
    int32_t pivots;
    lemke_end end = lemke_solve(&lcp->lemke, &problem, a->active, a->ray, &pivots);
    result->pivots += pivots;
    *memory = end != LEMKE_MEMORY;
    if (!*memory || (end == LEMKE_RAY && active_set_proves(a, k, a->ray))) {
        return ACTIVE_UNBOUNDED;
    }
    bool dropped;
    active_end ended = active_set_solve(a, k, &dropped);
    result->fallbacks += end != LEMKE_SOLVED || dropped;
    return ended;
}

static active_end solve_warm(abut_lcp *lcp, int32_t k, double tolerance, abut_lcp_result *result) {
    active_set *a = &lcp->set;
    bool dropped;
    active_end end = active_set_solve(a, k, &dropped);
    if (!dropped && end == ACTIVE_SOLVED && !(active_set_residual(a, k) <= tolerance)) {
        int32_t begin = lcp->system.island[k], pivots = a->pivots;
        memset(a->active + begin, 0, (size_t)(lcp->system.island[k + 1] - begin) * sizeof *a->active);
        end = active_set_solve(a, k, &dropped);
        a->pivots += pivots;
        dropped = true;
    }
    result->restarts += dropped;
    return end;
}

/* Solves island k. Raises *residual to the island's residual. */
static abut_status solve_island(abut_lcp *lcp, int32_t k, const abut_lcp_settings *settings, abut_lcp_result *result) {
    active_set *a = &lcp->set;
    if (active_set_trivial(a, k)) {
        return ABUT_OK;
    }
    int32_t rows = lcp->system.island[k + 1] - lcp->system.island[k];
    a->limit = settings->pivot_limit > 0 ? settings->pivot_limit : rows < INT32_MAX / 100 ? 50 * rows + 100 : INT32_MAX / 2;
    a->pivots = 0;
    bool memory = true;
    active_end end =
        settings->method == ABUT_LCP_LEMKE ? solve_lemke(lcp, k, result, &memory) : solve_warm(lcp, k, settings->tolerance, result);
    result->pivots += a->pivots;
    if (!memory) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    if (end == ACTIVE_UNBOUNDED) {
        return ABUT_ERROR_INFEASIBLE;
    }
    if (active_set_residual(a, k) <= settings->tolerance || settings->pivot_limit > 0) {
        return ABUT_OK;
    }
    a->pivots = 0;
    proximal_end nearest = proximal_solve(a, k, settings->tolerance);
    result->pivots += a->pivots;
    return nearest == PROXIMAL_UNBOUNDED ? ABUT_ERROR_INFEASIBLE : nearest == PROXIMAL_INDEFINITE ? ABUT_ERROR_INDEFINITE : ABUT_OK;
}

/* Stores the proof that island k has no solution. */
static void load_proof(abut_lcp *lcp, int32_t k) {
    active_set *a = &lcp->set;
    size_t bytes = (size_t)lcp->system.n * sizeof *a->f;
    memset(a->f, 0, bytes);
    memset(a->w, 0, bytes);
    for (int32_t p = lcp->system.island[k]; p < lcp->system.island[k + 1]; p++) {
        a->f[p] = a->ray[p];
        if (a->f[p] != 0.0) {
            lcp_system_add_column(&lcp->system, p, a->f[p], a->w);
        }
    }
}

/* True when all z and w are finite. */
static bool in_range(const abut_lcp *lcp) {
    const lcp_system *s = &lcp->system;
    for (int32_t p = 0; p < s->n; p++) {
        if (!isfinite(s->scale[p] * lcp->set.f[p]) || !isfinite(lcp->set.w[p] / s->scale[p])) {
            return false;
        }
    }
    return true;
}

static void write_out(const abut_lcp *lcp, double *z, double *w, abut_lcp_result *result) {
    const lcp_system *s = &lcp->system;
    for (int32_t p = 0; p < s->n; p++) {
        int32_t i = s->index[p];
        z[i] = s->scale[p] * lcp->set.f[p];
        if (w != NULL) {
            w[i] = lcp->set.w[p] / s->scale[p];
        }
        result->pressing += lcp->set.f[p] > 0.0;
    }
}

abut_status lcp_solve(const char *call, abut_lcp *lcp, const double *q, const abut_lcp_settings *settings, double *z, double *w,
                      abut_lcp_result *result) {
    if (argument_is_null(call, "lcp", lcp) || (lcp->system.n > 0 && (argument_is_null(call, "q", q) || argument_is_null(call, "z", z)))) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_lcp_settings used = settings != NULL ? *settings : abut_lcp_settings_default();
    abut_lcp_result found = {.islands = lcp->system.island_count};
    abut_status status = check(call, lcp, q, &used);
    if (status != ABUT_OK) {
        return status;
    }
    if (!load(lcp, q, &used)) {
        return refuse(ABUT_ERROR_NOT_FINITE, call, "q is too large for the matrix: scaled by its diagonal it overflows");
    }
    for (int32_t k = 0; k < found.islands; k++) {
        status = solve_island(lcp, k, &used, &found);
        if (status == ABUT_ERROR_INFEASIBLE) {
            load_proof(lcp, k);
            found.residual = INFINITY;
            break;
        }
        if (status != ABUT_OK) {
            return status;
        }
        found.residual = real_max_number(found.residual, active_set_residual(&lcp->set, k));
    }
    if (!in_range(lcp)) {
        return refuse(ABUT_ERROR_NOT_FINITE, call, "the solution z or w overflows");
    }
    if (status == ABUT_OK && !(found.residual <= used.tolerance)) {
        status = ABUT_ERROR_ITERATION_LIMIT;
    }
    found.factorised = lcp->set.factorised;
    write_out(lcp, z, w, &found);
    if (result != NULL) {
        *result = found;
    }
    return status;
}

abut_status abut_lcp_solve(abut_lcp *lcp, const double *q, const abut_lcp_settings *settings, double *z, double *w,
                           abut_lcp_result *result) {
    return lcp_solve(CALL_NAME, lcp, q, settings, z, w, result);
}
