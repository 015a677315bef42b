/* Cholesky factorisation row by row: L_ij = (A_ij - L_i . L_j) / L_jj, over the columns that both rows have. Sums are taken in a fixed
 * order. */
#include "solve/lcp/profile.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "solve/lcp/lanes.h"

/* A pivot below this is rounding error, because the diagonal is about 1: the row depends on the others. */
static const double dependent_below = 1e-12;

bool profile_begin(profile_factor *p, const lcp_system *system) {
    int32_t n = system->n, islands = system->island_count;
    size_t entries = system->profile[n];
    if (!array_reserve(&p->list, &p->list_room, n, sizeof(int32_t)) ||
        !array_reserve(&p->position, &p->position_room, n, sizeof(int32_t)) ||
        !array_reserve(&p->left, &p->left_room, n, sizeof(int32_t)) || !array_reserve(&p->inverse, &p->inverse_room, n, sizeof(double)) ||
        !array_reserve(&p->count, &p->count_room, islands, sizeof(int32_t)) ||
        !array_reserve(&p->valid, &p->valid_room, islands, sizeof(int32_t))) {
        return false;
    }
    if (p->entries == NULL || p->entries_room < entries) {
        memory_release(p->entries);
        p->entries_room = 0;
        p->entries = memory_allocate(entries, sizeof(double));
        if (p->entries == NULL) {
            return false;
        }
        p->entries_room = entries;
    }
    p->system = system;
    p->ridge = 0.0;
    for (int32_t i = 0; i < n; i++) {
        p->position[i] = -1;
    }
    memset(p->count, 0, (size_t)islands * sizeof *p->count);
    memset(p->valid, 0, (size_t)islands * sizeof *p->valid);
    return true;
}

void profile_forget(profile_factor *p, int32_t k, int32_t place) {
    const int32_t *list = p->list + p->system->island[k];
    while (p->valid[k] > 0 && list[p->valid[k] - 1] >= place) {
        p->valid[k]--;
    }
}

void profile_release(profile_factor *p) {
    void *blocks[] = {p->list, p->position, p->left, p->inverse, p->entries, p->count, p->valid};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        memory_release(blocks[i]);
    }
    *p = (profile_factor){.system = NULL};
}

static double dot(const double *a, const double *b, int32_t count) {
    int32_t i = 0;
    double sum = 0.0;
    if (count >= 4) {
        lanes s = lanes_both(0.0), t = s, u = s, v = s;
        for (; i + 8 <= count; i += 8) {
            s = lanes_plus_product(s, lanes_load(a + i), lanes_load(b + i));
            t = lanes_plus_product(t, lanes_load(a + i + 2), lanes_load(b + i + 2));
            u = lanes_plus_product(u, lanes_load(a + i + 4), lanes_load(b + i + 4));
            v = lanes_plus_product(v, lanes_load(a + i + 6), lanes_load(b + i + 6));
        }
        if (i + 4 <= count) {
            s = lanes_plus_product(s, lanes_load(a + i), lanes_load(b + i));
            t = lanes_plus_product(t, lanes_load(a + i + 2), lanes_load(b + i + 2));
            i += 4;
        }
        sum = lanes_sum(lanes_plus(lanes_plus(s, t), lanes_plus(u, v)));
    }
    for (; i < count; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* y - s x */
static void subtract(double *y, double s, const double *x, int32_t count) {
    lanes factor = lanes_both(s);
    int32_t i = 0;
    for (; i + 4 <= count; i += 4) {
        lanes_store(y + i, lanes_minus_product(lanes_load(y + i), factor, lanes_load(x + i)));
        lanes_store(y + i + 2, lanes_minus_product(lanes_load(y + i + 2), factor, lanes_load(x + i + 2)));
    }
    for (; i < count; i++) {
        y[i] -= s * x[i];
    }
}

/* Computes row `place` as the row of the factor at position `at`. Returns its pivot. */
static double make_row(profile_factor *p, const int32_t *list, int32_t place, int32_t at) {
    const lcp_system *s = p->system;
    double *row = p->entries + s->profile[place], diagonal = 0.0;
    int32_t left = at;
    for (int32_t e = s->first[place]; e < s->first[place + 1]; e++) {
        int32_t column = s->column[e], position = column < place ? p->position[column] : -1;
        if (column >= place) {
            diagonal = column == place ? s->value[e] + p->ridge : 0.0;
            break;
        }
        if (position < 0) {
            continue;
        }
        if (left == at) {
            left = position;
            memset(row, 0, (size_t)(at - left) * sizeof *row);
        }
        row[position - left] = s->value[e];
    }
    double square = 0.0;
    for (int32_t j = left; j < at; j++) {
        int32_t other = list[j], from = p->left[other] > left ? p->left[other] : left;
        double *l = p->entries + s->profile[other];
        double entry = (row[j - left] - dot(row + (from - left), l + (from - p->left[other]), j - from)) * p->inverse[other];
        row[j - left] = entry;
        square += entry * entry;
    }
    double pivot = diagonal - square;
    p->left[place] = left;
    p->inverse[place] = 1.0 / sqrt(pivot > 0.0 ? pivot : 1.0);
    return pivot;
}

/* The number of factorised rows that remain valid. Places that are no longer active lose their position. */
static int32_t common_rows(profile_factor *p, int32_t k, const bool *active) {
    int32_t begin = p->system->island[k], end = p->system->island[k + 1], at = 0;
    const int32_t *list = p->list + begin;
    for (int32_t i = begin; i < end && at < p->valid[k]; i++) {
        bool was = list[at] == i;
        if (was != active[i]) {
            break;
        }
        at += was;
    }
    for (int32_t j = at; j < p->count[k]; j++) {
        p->position[list[j]] = -1;
    }
    return at;
}

profile_outcome profile_factorise(profile_factor *p, int32_t k, bool *active, bool *dependent) {
    int32_t begin = p->system->island[k], end = p->system->island[k + 1], at = common_rows(p, k, active);
    int32_t *list = p->list + begin;
    profile_outcome outcome = {0, 1.0};
    for (int32_t i = begin; i < end; i++) {
        dependent[i] = false;
    }
    for (int32_t i = at > 0 ? list[at - 1] + 1 : begin; i < end; i++) {
        if (!active[i]) {
            continue;
        }
        double pivot = make_row(p, list, i, at);
        outcome.made++;
        outcome.least = pivot < outcome.least ? pivot : outcome.least;
        active[i] = pivot > dependent_below;
        dependent[i] = !active[i];
        if (active[i]) {
            p->position[i] = at;
            list[at++] = i;
        }
    }
    p->count[k] = at;
    p->valid[k] = at;
    return outcome;
}

void profile_solve(const profile_factor *p, int32_t k, double *x) {
    const int32_t *list = p->list + p->system->island[k];
    for (int32_t i = 0; i < p->count[k]; i++) {
        int32_t place = list[i], left = p->left[place];
        x[i] = (x[i] - dot(p->entries + p->system->profile[place], x + left, i - left)) * p->inverse[place];
    }
    for (int32_t i = p->count[k] - 1; i >= 0; i--) {
        int32_t place = list[i], left = p->left[place];
        x[i] *= p->inverse[place];
        subtract(x + left, x[i], p->entries + p->system->profile[place], i - left);
    }
}
