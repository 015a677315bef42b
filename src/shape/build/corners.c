/* Finds twins of the corners of a closed surface by two counting sorts: linear time, and the same result for any order in memory. */

#include "shape/build/corners.h"

#include "base/memory.h"

static int32_t lower_end(const corners *made, const loops *loops, int32_t corner) {
    int32_t a = loops->vertex[corner], b = loops->vertex[made->next[corner]];
    return a < b ? a : b;
}

static int32_t upper_end(const corners *made, const loops *loops, int32_t corner) {
    int32_t a = loops->vertex[corner], b = loops->vertex[made->next[corner]];
    return a < b ? b : a;
}

/* Stable counting sort of `from` into `to` by one end of the corner's edge. bins: [vertex_count + 1]. */
static void sort_by_end(const corners *made, const loops *loops, int32_t vertex_count, int32_t *bins, const int32_t *from, int32_t *to,
                        int32_t (*end)(const corners *, const struct loops *, int32_t)) {
    for (int32_t v = 0; v <= vertex_count; v++) {
        bins[v] = 0;
    }
    for (int32_t i = 0; i < made->count; i++) {
        bins[end(made, loops, from[i]) + 1]++;
    }
    for (int32_t v = 0; v < vertex_count; v++) {
        bins[v + 1] += bins[v];
    }
    for (int32_t i = 0; i < made->count; i++) {
        to[bins[end(made, loops, from[i])]++] = from[i];
    }
}

/* Pairs twins. A corner without a twin keeps -1. Returns the number of these corners. */
static int32_t pair_twins(corners *made, const loops *loops) {
    int32_t bad = 0;
    for (int32_t i = 0; i < made->count;) {
        int32_t a = made->order[i], end = i + 1;
        int32_t lower = lower_end(made, loops, a), upper = upper_end(made, loops, a);
        while (end < made->count && lower_end(made, loops, made->order[end]) == lower &&
               upper_end(made, loops, made->order[end]) == upper) {
            end++;
        }
        bool paired = false;
        if (end - i == 2) {
            int32_t b = made->order[i + 1];
            paired = lower != upper && loops->vertex[a] != loops->vertex[b] && made->face[a] != made->face[b];
            made->twin[a] = paired ? b : -1;
            made->twin[b] = paired ? a : -1;
        }
        for (int32_t k = i; k < end && !paired; k++) {
            made->twin[made->order[k]] = -1;
            bad++;
        }
        i = end;
    }
    return bad;
}

/* The face with the most bad corners is the most likely to be wrong: a face with reversed winding disagrees with all its neighbours. */
static int32_t find_culprit(const corners *made, const loops *loops) {
    int32_t worst = -1, most = 0;
    for (int32_t f = 0; f < loops->face_count; f++) {
        int32_t bad = 0, first_bad = -1;
        for (int32_t c = loops->first[f + 1] - 1; c >= loops->first[f]; c--) {
            if (made->twin[c] < 0) {
                bad++;
                first_bad = c;
            }
        }
        if (bad > most) {
            most = bad;
            worst = first_bad;
        }
    }
    return worst;
}

static int32_t first_corner(const loops *loops, int32_t face) { return loops->first != NULL ? loops->first[face] : 3 * face; }

abut_status corners_map(corners *made, const loops *loops, int32_t vertex_count, int32_t *open) {
    int32_t count = first_corner(loops, loops->face_count);
    size_t size = (size_t)count;
    int32_t *block = memory_allocate(5 * size + (size_t)vertex_count + 1, sizeof(int32_t));
    if (block == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    *made = (corners){.count = count,
                      .face = block,
                      .next = block + size,
                      .previous = block + 2 * size,
                      .twin = block + 3 * size,
                      .order = block + 4 * size,
                      .memory = block};
    for (int32_t f = 0; f < loops->face_count; f++) {
        int32_t first = first_corner(loops, f), end = first_corner(loops, f + 1);
        for (int32_t c = first; c < end; c++) {
            made->face[c] = f;
            made->next[c] = c + 1 < end ? c + 1 : first;
            made->previous[c] = c > first ? c - 1 : end - 1;
            made->order[c] = c;
        }
    }
    int32_t *bins = block + 5 * size;
    sort_by_end(made, loops, vertex_count, bins, made->order, made->twin, upper_end);
    sort_by_end(made, loops, vertex_count, bins, made->twin, made->order, lower_end);
    *open = pair_twins(made, loops);
    return ABUT_OK;
}

abut_status corners_make(corners *made, const loops *loops, int32_t vertex_count, int32_t *culprit) {
    int32_t open;
    abut_status status = corners_map(made, loops, vertex_count, &open);
    if (status != ABUT_OK || open == 0) {
        return status;
    }
    if (culprit != NULL) {
        *culprit = find_culprit(made, loops);
    }
    corners_release(made);
    return ABUT_ERROR_NOT_CLOSED;
}

void corners_release(corners *made) {
    memory_release(made->memory);
    *made = (corners){0};
}
