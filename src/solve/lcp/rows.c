/* abut_lcp_set_rows(): A = J M^-1 J^T from the rows of J and the masses. Two rows have an entry when they share a movable body. The entry
 * is the sum over the shared bodies of linear . linear / m + angular . I^-1 angular (world frame). */
#include <math.h>
#include <string.h>

#include "base/argument.h"
#include "base/array.h"
#include "base/real.h"
#include "solve/lcp/lcp.h"

/* The largest asymmetry of an inverse inertia, relative to its largest diagonal entry. */
static const double asymmetry = 1e-9;

/* The part of a row of J for one body, and the same times the inverse mass. */
typedef struct half_row {
    abut_vec3 linear, angular;
    abut_vec3 moved, turned;
    int32_t body; /* -1 for an immovable body */
} half_row;

/* Scratch memory of one call. Lists of rows by body: rows[first[b]] .. rows[first[b + 1] - 1]. */
typedef struct assembly {
    int32_t row_count, body_count;
    half_row *half; /* [2 row_count] halves a and b of each row */
    int32_t *first; /* [body_count + 1] */
    int32_t *rows;  /* [2 row_count] */
    int32_t *seen;  /* [row_count] */
} assembly;

abut_lcp_row abut_lcp_contact_row(int32_t body_a, int32_t body_b, abut_vec3 normal, abut_vec3 arm_a, abut_vec3 arm_b) {
    return (abut_lcp_row){body_a, body_b, normal, abut_cross(arm_a, normal), abut_neg(normal), abut_neg(abut_cross(arm_b, normal))};
}

/* Words for what check_row() found. */
static abut_status refuse_row(abut_status status, const char *call, const abut_lcp_row *row, int32_t index, int32_t body_count) {
    if (status == ABUT_ERROR_NOT_FINITE) {
        return refuse(status, call, "rows[%d] has a number that is not finite", (int)index);
    }
    if (row->body_a == row->body_b && row->body_a >= 0 && row->body_a < body_count) {
        return refuse(status, call, "rows[%d].body_a and body_b are both %d: they must differ", (int)index, (int)row->body_a);
    }
    bool a = row->body_a < -1 || row->body_a >= body_count;
    return refuse(status, call, "rows[%d].body_%c is %d: it must be -1 or an index of %d bodies", (int)index, a ? 'a' : 'b',
                  (int)(a ? row->body_a : row->body_b), (int)body_count);
}

static bool finite3(abut_vec3 v) { return isfinite(v.x) && isfinite(v.y) && isfinite(v.z); }

static abut_status check_body(const abut_lcp_body *body) {
    const abut_mat3 *m = &body->inverse_inertia;
    if (!isfinite(body->inverse_mass) || !finite3(m->x) || !finite3(m->y) || !finite3(m->z)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    double largest = real_max_number(m->x.x, real_max_number(m->y.y, m->z.z)),
           off = real_max_number(fabs(m->x.y - m->y.x), real_max_number(fabs(m->x.z - m->z.x), fabs(m->y.z - m->z.y)));
    bool fine = body->inverse_mass >= 0.0 && m->x.x >= 0.0 && m->y.y >= 0.0 && m->z.z >= 0.0 && off <= asymmetry * largest;
    return fine ? ABUT_OK : ABUT_ERROR_INDEFINITE;
}

static abut_status check_row(const abut_lcp_row *row, int32_t body_count) {
    if (row->body_a < -1 || row->body_a >= body_count || row->body_b < -1 || row->body_b >= body_count ||
        (row->body_a == row->body_b && row->body_a >= 0)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    bool finite = finite3(row->linear_a) && finite3(row->angular_a) && finite3(row->linear_b) && finite3(row->angular_b);
    return finite ? ABUT_OK : ABUT_ERROR_NOT_FINITE;
}

static bool lacks_arrays(const char *call, const abut_lcp *lcp, const abut_lcp_body *bodies, int32_t body_count, const abut_lcp_row *rows,
                         int32_t row_count) {
    return argument_is_null(call, "lcp", lcp) || argument_is_outside(call, "body_count", body_count, 0, INT32_MAX - 1) ||
           argument_is_outside(call, "row_count", row_count, 0, INT32_MAX / 4) ||
           (body_count > 0 && argument_is_null(call, "bodies", bodies)) || (row_count > 0 && argument_is_null(call, "rows", rows));
}

static abut_status check(const char *call, const abut_lcp *lcp, const abut_lcp_body *bodies, int32_t body_count, const abut_lcp_row *rows,
                         int32_t row_count) {
    if (lacks_arrays(call, lcp, bodies, body_count, rows, row_count)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    for (int32_t i = 0; i < body_count; i++) {
        abut_status status = check_body(&bodies[i]);
        if (status != ABUT_OK) {
            return status == ABUT_ERROR_NOT_FINITE ? refuse(status, call, "bodies[%d] has a number that is not finite", (int)i) : status;
        }
    }
    for (int32_t i = 0; i < row_count; i++) {
        abut_status status = check_row(&rows[i], body_count);
        if (status != ABUT_OK) {
            return refuse_row(status, call, &rows[i], i, body_count);
        }
    }
    return ABUT_OK;
}

/* The product with the symmetric part, so that the matrix is the same whichever of two rows is multiplied. */
static abut_vec3 turn(const abut_mat3 *m, abut_vec3 v) {
    double xy = 0.5 * (m->x.y + m->y.x), xz = 0.5 * (m->x.z + m->z.x), yz = 0.5 * (m->y.z + m->z.y);
    return abut_vec3_make(m->x.x * v.x + xy * v.y + xz * v.z, xy * v.x + m->y.y * v.y + yz * v.z, xz * v.x + yz * v.y + m->z.z * v.z);
}

static bool can_move(const abut_lcp_body *body) {
    const abut_mat3 *m = &body->inverse_inertia;
    return body->inverse_mass > 0.0 || m->x.x > 0.0 || m->y.y > 0.0 || m->z.z > 0.0;
}

static half_row make_half(const abut_lcp_body *bodies, int32_t body, abut_vec3 linear, abut_vec3 angular) {
    half_row h = {.linear = linear, .angular = angular, .body = body >= 0 && can_move(&bodies[body]) ? body : -1};
    if (h.body >= 0) {
        h.moved = abut_scale(bodies[body].inverse_mass, linear);
        h.turned = turn(&bodies[body].inverse_inertia, angular);
    }
    return h;
}

static void row_entries(const void *matrix, int32_t i, const int32_t *columns, int32_t count, double *entries) {
    const half_row *halves = matrix, *p = halves + 2 * (size_t)i;
    for (int32_t e = 0; e < count; e++) {
        const half_row *q = halves + 2 * (size_t)columns[e];
        double sum = 0.0;
        for (int a = 0; a < 2; a++) {
            for (int b = 0; b < 2; b++) {
                if (p[a].body >= 0 && p[a].body == q[b].body) {
                    sum += abut_dot(p[a].moved, q[b].linear) + abut_dot(p[a].turned, q[b].angular);
                }
            }
        }
        entries[e] = sum;
    }
}

/* Makes the lists of rows by body from half[].body. */
static void list_rows(assembly *s) {
    memset(s->first, 0, ((size_t)s->body_count + 1) * sizeof *s->first);
    for (int32_t h = 0; h < 2 * s->row_count; h++) {
        if (s->half[h].body >= 0) {
            s->first[s->half[h].body + 1]++;
        }
    }
    for (int32_t b = 0; b < s->body_count; b++) {
        s->first[b + 1] += s->first[b];
    }
    /* Backwards, so that each list ascends. first[b + 1] counts down to the beginning of the list of b, which is one entry off afterwards. */
    int32_t total = s->first[s->body_count];
    for (int32_t h = 2 * s->row_count - 1; h >= 0; h--) {
        if (s->half[h].body >= 0) {
            s->rows[--s->first[s->half[h].body + 1]] = h / 2;
        }
    }
    memmove(s->first, s->first + 1, (size_t)s->body_count * sizeof *s->first);
    s->first[s->body_count] = total;
}

/* Writes the rows that share a body with row i, including i, to `next` unless it is NULL. Returns their number. */
static int32_t neighbours_of(const assembly *s, int32_t i, int32_t *next) {
    int32_t count = 0;
    for (int side = 0; side < 2; side++) {
        int32_t body = s->half[2 * i + side].body;
        for (int32_t e = body >= 0 ? s->first[body] : 0; body >= 0 && e < s->first[body + 1]; e++) {
            int32_t j = s->rows[e];
            if (s->seen[j] != i) {
                s->seen[j] = i;
                if (next != NULL) {
                    next[count] = j;
                }
                count++;
            }
        }
    }
    if (s->seen[i] != i) {
        s->seen[i] = i;
        if (next != NULL) {
            next[count] = i;
        }
        count++;
    }
    return count;
}

static bool find_graph(abut_lcp *lcp, assembly *s) {
    lcp_graph *g = &lcp->graph;
    if (!lcp_graph_room(g, s->row_count, 0)) {
        return false;
    }
    int64_t sum = 0;
    for (int32_t i = 0; i < s->row_count; i++) {
        s->seen[i] = -1;
    }
    for (int32_t i = 0; i < s->row_count; i++) {
        g->start[i] = (int32_t)sum;
        sum += neighbours_of(s, i, NULL);
        if (sum > INT32_MAX) {
            return false;
        }
    }
    g->start[s->row_count] = (int32_t)sum;
    if (!lcp_graph_room(g, s->row_count, (int32_t)sum)) {
        return false;
    }
    for (int32_t i = 0; i < s->row_count; i++) {
        s->seen[i] = -1;
    }
    for (int32_t i = 0; i < s->row_count; i++) {
        (void)neighbours_of(s, i, g->next + g->start[i]);
    }
    return true;
}

static bool make_room(abut_lcp *lcp, assembly *s) {
    if (!array_reserve(&lcp->halves, &lcp->halves_room, 2 * s->row_count, sizeof(half_row)) ||
        !array_reserve(&lcp->first, &lcp->first_room, s->body_count + 1, sizeof *lcp->first) ||
        !array_reserve(&lcp->rows, &lcp->rows_room, 2 * s->row_count, sizeof *lcp->rows) ||
        !array_reserve(&lcp->seen, &lcp->seen_room, s->row_count, sizeof *lcp->seen)) {
        return false;
    }
    s->half = lcp->halves;
    s->first = lcp->first;
    s->rows = lcp->rows;
    s->seen = lcp->seen;
    return true;
}

abut_status lcp_set_rows(const char *call, abut_lcp *lcp, const abut_lcp_body *bodies, int32_t body_count, const abut_lcp_row *rows,
                         int32_t row_count) {
    abut_status status = check(call, lcp, bodies, body_count, rows, row_count);
    assembly s = {.row_count = row_count, .body_count = body_count};
    if (status == ABUT_OK && !make_room(lcp, &s)) {
        status = ABUT_ERROR_OUT_OF_MEMORY;
    }
    if (status == ABUT_OK) {
        for (int32_t i = 0; i < row_count; i++) {
            const abut_lcp_row *row = &rows[i];
            s.half[2 * i] = make_half(bodies, row->body_a, row->linear_a, row->angular_a);
            s.half[2 * i + 1] = make_half(bodies, row->body_b, row->linear_b, row->angular_b);
        }
        list_rows(&s);
        status = find_graph(lcp, &s) ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
    }
    if (status != ABUT_OK) {
        if (lcp != NULL) {
            lcp_clear(lcp);
        }
        return status;
    }
    status = lcp_build(lcp, row_entries, s.half);
    return status == ABUT_ERROR_NOT_FINITE ? refuse(status, call, "rows and bodies: an entry of the matrix overflows") : status;
}

abut_status abut_lcp_set_rows(abut_lcp *lcp, const abut_lcp_body *bodies, int32_t body_count, const abut_lcp_row *rows, int32_t row_count) {
    return lcp_set_rows(CALL_NAME, lcp, bodies, body_count, rows, row_count);
}
