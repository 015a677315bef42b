/* Memory, scales and profile of the matrix. The order is in solve/lcp/order.c. */
#include "solve/lcp/system.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "solve/lcp/lanes.h"

#define ROOM(array, count, type) array_reserve(&s->array, &s->array##_room, count, sizeof(type))

bool lcp_system_room(lcp_system *s, int32_t n, int32_t entries) {
    s->n = 0;
    s->island_count = 0;
    if (!ROOM(index, n, int32_t) || !ROOM(place, n, int32_t) || !ROOM(island, n + 1, int32_t) || !ROOM(first, n + 1, int32_t) ||
        !ROOM(column, entries, int32_t) || !ROOM(value, entries, double) || !ROOM(scale, n, double) || !ROOM(diagonal, n, double) ||
        !ROOM(unit, n, double) || !ROOM(profile, n + 1, size_t) || !ROOM(degree, n, int32_t) || !ROOM(queue, n, int32_t)) {
        return false;
    }
    s->n = n;
    return true;
}

void lcp_system_release(lcp_system *s) {
    void *blocks[] = {s->index, s->place,    s->island, s->first,   s->column, s->value,
                      s->scale, s->diagonal, s->unit,   s->profile, s->degree, s->queue};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        memory_release(blocks[i]);
    }
    *s = (lcp_system){.n = 0};
}

void lcp_system_add_column(const lcp_system *s, int32_t j, double f, double *w) {
    int32_t begin = s->first[j], end = s->first[j + 1];
    if (s->column[end - 1] - s->column[begin] == end - 1 - begin) {
        double *to = w + s->column[begin];
        const double *from = s->value + begin;
        lanes factor = lanes_both(f);
        int32_t i = 0, count = end - begin;
        for (; i + 2 <= count; i += 2) {
            lanes_store(to + i, lanes_plus_product(lanes_load(to + i), factor, lanes_load(from + i)));
        }
        if (i < count) {
            to[i] += f * from[i];
        }
        return;
    }
    for (int32_t e = begin; e < end; e++) {
        w[s->column[e]] += f * s->value[e];
    }
}

double lcp_scale_of(double d) {
    if (!(d > 0.0 && isfinite(d))) {
        return 1.0;
    }
    int exponent;
    (void)frexp(d, &exponent); /* d = m 2^exponent, 1/2 <= m < 1 */
    return ldexp(1.0, -(exponent >= 0 ? exponent / 2 : -((1 - exponent) / 2)));
}

void lcp_system_profile(lcp_system *s) {
    s->profile[0] = 0;
    for (int32_t i = 0; i < s->n; i++) {
        int32_t leftmost = s->first[i] < s->first[i + 1] && s->column[s->first[i]] < i ? s->column[s->first[i]] : i;
        s->profile[i + 1] = s->profile[i] + (size_t)(i - leftmost + 1);
    }
}

void lcp_system_dense(const lcp_system *s, int32_t k, double *dense) {
    int32_t begin = s->island[k], count = s->island[k + 1] - begin;
    memset(dense, 0, (size_t)count * (size_t)count * sizeof *dense);
    for (int32_t i = 0; i < count; i++) {
        for (int32_t e = s->first[begin + i]; e < s->first[begin + i + 1]; e++) {
            dense[(size_t)i * (size_t)count + (size_t)(s->column[e] - begin)] = s->value[e];
        }
    }
}
