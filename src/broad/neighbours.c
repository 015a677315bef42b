/*
 * Pairs of near balls by grids of cells. Balls whose reaches differ by less than a factor of two share a grid; its cells are twice as large as
 * the largest reach in it. A ball searches the 27 cells around it in each coarser grid, and half of them in its own one. Parts of the balls
 * are searched side by side; their pairs are then sorted by counting, so that the list does not depend on threads.
 */
#include "broad/neighbours.h"

#include <string.h>

#include "base/array.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/parts.h"

enum { LEVELS = 24 };

/* The balls of one power of two of the reach. */
typedef struct grid {
    double lower[3], cell[3];
    int32_t cells[3];
    bool periodic[3];
    int32_t *start; /* [cells + 1] offsets into item */
    int32_t *item;  /* balls, sorted by cell */
    int32_t count;
} grid;

/* A near pair, the lower ball first. */
typedef struct found_pair {
    int32_t lower, higher;
} found_pair;

/* The pairs of some balls. */
typedef struct found_part {
    found_pair *pairs;
    int32_t count, capacity;
    bool lacks; /* there was no memory */
} found_part;

typedef struct search {
    const abut_vec3 *centre;
    const double *reach;
    const neighbour_space *space;
    const int32_t *level; /* [count] */
    int32_t count;
    grid grids[LEVELS];
    found_part parts[PARTS_MOST];
} search;

static double axis_of(abut_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

/* ---- grids ---- */

/* 0 for the largest reach, plus one for each halving. */
static int level_of(double reach, double largest) {
    int level = 0;
    for (double limit = 0.5 * largest; level + 1 < LEVELS && reach <= limit && limit > 0.0; limit *= 0.5) {
        ++level;
    }
    return level;
}

static int32_t cell_along(const grid *g, int axis, double x) {
    double at = floor((x - g->lower[axis]) / g->cell[axis]);
    int32_t n = g->cells[axis];
    if (g->periodic[axis]) {
        at -= floor(at / n) * n;
    }
    return at < 0.0 ? 0 : at >= n ? n - 1 : (int32_t)at;
}

static int32_t cell_of(const grid *g, abut_vec3 p) {
    return (cell_along(g, 2, p.z) * g->cells[1] + cell_along(g, 1, p.y)) * g->cells[0] + cell_along(g, 0, p.x);
}

/* As many cells as the largest reach allows, but not many more than balls: cells are larger where balls are spread widely. */
static void lay_out(const search *s, grid *g, double reach, double lower[3], double upper[3]) {
    double most = elementary_cbrt(4.0 * g->count + 8.0);
    for (int axis = 0; axis < 3; ++axis) {
        g->periodic[axis] = s->space->periodic[axis];
        g->lower[axis] = g->periodic[axis] ? axis_of(s->space->lower, axis) : lower[axis];
        double length = (g->periodic[axis] ? axis_of(s->space->upper, axis) : upper[axis]) - g->lower[axis];
        double cells = reach > 0.0 ? floor(length / (2.0 * reach)) : most;
        cells = cells < 1.0 ? 1.0 : cells > 4.0 * most ? 4.0 * most : cells;
        g->cells[axis] = (int32_t)cells;
        g->cell[axis] = length > 0.0 ? length / g->cells[axis] : 1.0;
    }
    while ((double)g->cells[0] * g->cells[1] * g->cells[2] > 8.0 * g->count + 64.0) {
        int longest = g->cells[0] >= g->cells[1] && g->cells[0] >= g->cells[2] ? 0 : g->cells[1] >= g->cells[2] ? 1 : 2;
        double length = g->cell[longest] * g->cells[longest];
        g->cells[longest] = g->cells[longest] / 2;
        g->cell[longest] = length / g->cells[longest];
    }
}

static void bounds_of(const search *s, int level, int32_t count, double *reach, double lower[3], double upper[3]) {
    *reach = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        lower[axis] = INFINITY;
        upper[axis] = -INFINITY;
    }
    for (int32_t i = 0; i < count; ++i) {
        for (int axis = 0; axis < 3 && s->level[i] == level; ++axis) {
            double x = axis_of(s->centre[i], axis);
            lower[axis] = x < lower[axis] ? x : lower[axis];
            upper[axis] = x > upper[axis] ? x : upper[axis];
        }
        *reach = s->level[i] == level && s->reach[i] > *reach ? s->reach[i] : *reach;
    }
}

/* Sorts balls by cell; in ascending order within a cell. */
static bool fill(const search *s, grid *g, int level, int32_t count) {
    int32_t cells = g->cells[0] * g->cells[1] * g->cells[2];
    g->start = memory_allocate((size_t)cells + 2, sizeof *g->start);
    g->item = memory_allocate((size_t)g->count, sizeof *g->item);
    if (g->start == NULL || g->item == NULL) {
        return false;
    }
    for (int32_t i = 0; i < count; ++i) {
        if (s->level[i] == level) {
            ++g->start[cell_of(g, s->centre[i]) + 2];
        }
    }
    for (int32_t c = 2; c <= cells + 1; ++c) {
        g->start[c] += g->start[c - 1];
    }
    /* start[c + 1] is the place of the cell's next ball; at the end it is the beginning of the next cell. */
    for (int32_t i = 0; i < count; ++i) {
        if (s->level[i] == level) {
            g->item[g->start[cell_of(g, s->centre[i]) + 1]++] = i;
        }
    }
    return true;
}

static bool make_grids(search *s, int32_t count) {
    for (int level = 0; level < LEVELS; ++level) {
        grid *g = &s->grids[level];
        double reach, lower[3], upper[3];
        for (int32_t i = 0; i < count; ++i) {
            g->count += s->level[i] == level;
        }
        if (g->count > 0) {
            bounds_of(s, level, count, &reach, lower, upper);
            lay_out(s, g, reach, lower, upper);
            if (!fill(s, g, level, count)) {
                return false;
            }
        }
    }
    return true;
}

/* ---- pairs ---- */

static bool are_near(const search *s, int32_t i, int32_t k) {
    double reach = s->reach[i] + s->reach[k];
    return abut_length_squared(neighbour_way(s->space, s->centre[i], s->centre[k])) <= reach * reach;
}

/* The cells around a cell along one axis, without those outside and without duplicates. */
static int cells_about(const grid *g, int axis, int32_t at, int32_t out[3]) {
    int count = 0;
    int32_t n = g->cells[axis];
    for (int32_t step = -1; step <= 1; ++step) {
        int32_t c = at + step;
        c = g->periodic[axis] ? (c + n) % n : c;
        bool known = (count > 0 && out[0] == c) || (count > 1 && out[1] == c);
        if (c >= 0 && c < n && !known) {
            out[count++] = c;
        }
    }
    return count;
}

static void take_pair(found_part *part, int32_t i, int32_t k) {
    part->lacks = part->lacks || !array_extend(&part->pairs, &part->capacity, part->count, part->count + 1, sizeof *part->pairs);
    if (!part->lacks) {
        part->pairs[part->count++] = i < k ? (found_pair){i, k} : (found_pair){k, i};
    }
}

static void visit_cell(const search *s, found_part *part, int32_t i, const grid *g, int32_t cell, bool home) {
    for (int32_t at = g->start[cell]; at < g->start[cell + 1]; ++at) {
        int32_t k = g->item[at];
        if ((!home || k > i) && are_near(s, i, k)) {
            take_pair(part, i, k);
        }
    }
}

/* All near balls of one grid; in the ball's own grid only those of its own cell with a higher index, and those of higher cells. */
static void visit_grid(const search *s, found_part *part, int32_t i, const grid *g, bool own) {
    int32_t about[3][3];
    int count[3];
    for (int axis = 0; axis < 3; ++axis) {
        count[axis] = cells_about(g, axis, cell_along(g, axis, axis_of(s->centre[i], axis)), about[axis]);
    }
    const int32_t home = own ? cell_of(g, s->centre[i]) : -1;
    for (int z = 0; z < count[2]; ++z) {
        for (int y = 0; y < count[1]; ++y) {
            for (int x = 0; x < count[0]; ++x) {
                int32_t cell = (about[2][z] * g->cells[1] + about[1][y]) * g->cells[0] + about[0][x];
                if (cell >= home) {
                    visit_cell(s, part, i, g, cell, cell == home);
                }
            }
        }
    }
}

/* Visits every near pair once: each ball searches its own grid and the coarser ones. */
static void visit_parts(void *argument, int32_t begin, int32_t end) {
    search *s = argument;
    for (int32_t p = begin; p < end; ++p) {
        const int32_t first = p * parts_length(s->count);
        for (int32_t i = first; i < parts_end(s->count, first); ++i) {
            for (int level = s->level[i]; level >= 0; --level) {
                if (s->grids[level].count > 0) {
                    visit_grid(s, &s->parts[p], i, &s->grids[level], level == s->level[i]);
                }
            }
        }
    }
}

static void sort(int32_t *item, int32_t count) {
    for (int32_t i = 1; i < count; ++i) {
        int32_t value = item[i], at = i;
        for (; at > 0 && item[at - 1] > value; --at) {
            item[at] = item[at - 1];
        }
        item[at] = value;
    }
}

/* Counts the pairs of each ball in first[i + 2]. False when there are too many, or there was no memory. */
static bool count_pairs(const search *s, neighbour_list *list) {
    int64_t total = 0;
    memset(list->first, 0, ((size_t)s->count + 2) * sizeof *list->first);
    for (int32_t p = 0; p < PARTS_MOST; ++p) {
        const found_part *part = &s->parts[p];
        total += part->count;
        if (part->lacks || total > INT32_MAX) {
            return false;
        }
        for (int32_t at = 0; at < part->count; ++at) {
            ++list->first[part->pairs[at].lower + 2];
        }
    }
    return true;
}

static void sort_rows(void *argument, int32_t begin, int32_t end) {
    const neighbour_list *list = argument;
    for (int32_t i = begin; i < end; ++i) {
        sort(list->other + list->first[i], list->first[i + 1] - list->first[i]);
    }
}

/* Finds the pairs, counts, makes room, writes. first[i + 1] becomes the place of the next partner of i, and at the end the beginning of the partners of
 * i + 1. */
static abut_status write_pairs(search *s, neighbour_list *list, const abut_parallel *parallel) {
    enum { GRAIN = 256 }; /* balls worth a thread */
    if (!array_reserve(&list->first, &list->first_capacity, s->count + 2, sizeof *list->first)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    abut_parallel_for(parallel, parts_count(s->count), 1, visit_parts, s);
    if (!count_pairs(s, list)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    for (int32_t i = 0; i < s->count; ++i) {
        list->first[i + 2] += list->first[i + 1];
    }
    const int32_t total = list->first[s->count + 1];
    if (!array_reserve(&list->other, &list->other_capacity, total > 0 ? total : 1, sizeof *list->other)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    for (int32_t p = 0; p < PARTS_MOST; ++p) {
        for (int32_t at = 0; at < s->parts[p].count; ++at) {
            const found_pair *pair = &s->parts[p].pairs[at];
            list->other[list->first[pair->lower + 1]++] = pair->higher;
        }
    }
    abut_parallel_for(parallel, s->count, GRAIN, sort_rows, list);
    return ABUT_OK;
}

/* ---- all ---- */

bool neighbours_fit(const neighbour_space *space, double largest) {
    for (int axis = 0; axis < 3; ++axis) {
        double length = axis_of(space->upper, axis) - axis_of(space->lower, axis);
        if (space->periodic[axis] && !(length > 4.0 * largest && length < INFINITY)) {
            return false;
        }
    }
    return true;
}

static void release(search *s) {
    for (int32_t p = 0; p < PARTS_MOST; ++p) {
        memory_release(s->parts[p].pairs);
    }
    for (int level = 0; level < LEVELS; ++level) {
        memory_release(s->grids[level].start);
        memory_release(s->grids[level].item);
    }
}

abut_status neighbours_find(neighbour_list *list, const abut_vec3 *centre, const double *reach, int32_t count, const neighbour_space *space,
                            const abut_parallel *parallel) {
    double largest = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        largest = reach[i] > largest ? reach[i] : largest;
    }
    if (!neighbours_fit(space, largest)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    int32_t *level = memory_allocate((size_t)count + 1, sizeof *level);
    if (level == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    for (int32_t i = 0; i < count; ++i) {
        level[i] = level_of(reach[i], largest);
    }
    search s = {.centre = centre, .reach = reach, .space = space, .level = level, .count = count};
    abut_status status = make_grids(&s, count) ? write_pairs(&s, list, parallel) : ABUT_ERROR_OUT_OF_MEMORY;
    list->count = status == ABUT_OK ? count : 0;
    release(&s);
    memory_release(level);
    return status;
}

void neighbours_release(neighbour_list *list) {
    memory_release(list->first);
    memory_release(list->other);
    *list = (neighbour_list){0};
}
