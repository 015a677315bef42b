#include "geom/cells.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/real.h"

bool cells_init(cells *made, int dimensions, const double *reach, const double *extent, int32_t capacity) {
    const double wide = 4.0, most = 1e9; /* cells of four reaches: a search mostly meets one or two in each dimension */
    *made = (cells){.dimensions = dimensions, .mask = 15};
    for (int i = 0; i < dimensions; ++i) {
        made->reach[i] = reach[i];
        made->size[i] = real_max(wide * reach[i], extent[i] / most);
        made->size[i] = made->size[i] > 0.0 ? made->size[i] : 1.0;
    }
    while (made->mask < (uint32_t)capacity) {
        made->mask = 2 * made->mask + 1;
    }
    size_t buckets = (size_t)made->mask + 1;
    made->head = memory_allocate(buckets, sizeof *made->head);
    made->next = memory_allocate((size_t)capacity, sizeof *made->next);
    if (made->head == NULL || made->next == NULL) {
        cells_free(made);
        return false;
    }
    memset(made->head, -1, buckets * sizeof *made->head);
    return true;
}

void cells_free(cells *made) {
    memory_release(made->head);
    memory_release(made->next);
    made->head = made->next = NULL;
}

static uint64_t mix(uint64_t x) {
    x ^= x >> 32;
    x *= UINT64_C(0xd6e8feb86659fd93);
    return x ^ x >> 32;
}

static uint64_t mix_in(uint64_t hash, double cell) {
    uint64_t bits;
    memcpy(&bits, &cell, sizeof bits);
    return mix(hash + bits);
}

static double cell_of(const cells *in, int dimension, double x) { return floor(x / in->size[dimension]) + 0.0; }

void cells_add(cells *to, const double *point, int32_t item) {
    uint64_t hash = 0;
    for (int i = 0; i < to->dimensions; ++i) {
        hash = mix_in(hash, cell_of(to, i, point[i]));
    }
    int32_t *head = &to->head[hash & to->mask];
    to->next[item] = *head;
    *head = item;
}

static void enter(cells_walk *walk) {
    uint64_t hash = 0;
    for (int i = 0; i < walk->in->dimensions; ++i) {
        hash = mix_in(hash, (walk->corner >> i & 1) != 0 ? walk->upper[i] : walk->lower[i]);
    }
    walk->link = &walk->in->head[hash & walk->in->mask];
}

void cells_begin(cells_walk *walk, cells *in, const double *point) {
    walk->in = in;
    walk->corner = 0;
    for (int i = 0; i < in->dimensions; ++i) {
        walk->lower[i] = cell_of(in, i, point[i] - in->reach[i]);
        walk->upper[i] = cell_of(in, i, point[i] + in->reach[i]);
    }
    enter(walk);
}

/* Whether a cell was met before, because the search meets only one cell in some dimension. */
static bool is_repeated(const cells_walk *walk) {
    for (int i = 0; i < walk->in->dimensions; ++i) {
        if ((walk->corner >> i & 1) != 0 && walk->upper[i] == walk->lower[i]) {
            return true;
        }
    }
    return false;
}

/* Goes to the next cell with items. False after the last one. */
static bool advance(cells_walk *walk) {
    while (walk->link == NULL || *walk->link < 0) {
        do {
            ++walk->corner;
        } while (walk->corner >> walk->in->dimensions == 0 && is_repeated(walk));
        if (walk->corner >> walk->in->dimensions != 0) {
            --walk->corner; /* another call ends here, too */
            return false;
        }
        enter(walk);
    }
    return true;
}

int32_t cells_next(cells_walk *walk) {
    if (!advance(walk)) {
        return -1;
    }
    int32_t item = *walk->link;
    walk->before = walk->link;
    walk->link = &walk->in->next[item];
    return item;
}

void cells_skip(cells_walk *walk) { walk->link = NULL; }

void cells_drop(cells_walk *walk) {
    *walk->before = *walk->link;
    walk->link = walk->before;
}
