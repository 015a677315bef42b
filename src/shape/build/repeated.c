#include "shape/build/repeated.h"

#include <stdlib.h>

#include "base/memory.h"

typedef struct placed_vertex {
    abut_vec3 place;
    int32_t vertex;
} placed_vertex;

static int compare_numbers(double a, double b) { return a < b ? -1 : a > b; }

static int by_place(const void *left, const void *right) {
    const placed_vertex *a = left, *b = right;
    int order = compare_numbers(a->place.x, b->place.x);
    order = order != 0 ? order : compare_numbers(a->place.y, b->place.y);
    order = order != 0 ? order : compare_numbers(a->place.z, b->place.z);
    return order != 0 ? order : a->vertex < b->vertex ? -1 : a->vertex > b->vertex;
}

bool repeated_map(const abut_vec3 *vertices, const int32_t *used, int32_t count, int32_t *map) {
    placed_vertex *sorted = memory_allocate((size_t)count, sizeof *sorted);
    if (sorted == NULL) {
        return false;
    }
    for (int32_t i = 0; i < count; i++) {
        sorted[i] = (placed_vertex){vertices[used[i]], used[i]};
    }
    qsort(sorted, (size_t)count, sizeof *sorted, by_place);
    for (int32_t i = 0; i < count; i++) {
        abut_vec3 p = sorted[i].place, q = sorted[i > 0 ? i - 1 : 0].place;
        bool repeated = i > 0 && p.x == q.x && p.y == q.y && p.z == q.z;
        map[sorted[i].vertex] = repeated ? map[sorted[i - 1].vertex] : sorted[i].vertex;
    }
    memory_release(sorted);
    return true;
}
