#pragma once

#include <abut/base.h>
#include <abut/math.h>

/*
 * Finds the pairs among many balls that may touch soon: the pairs whose balls overlap when grown by a margin, which is part of their reach.
 * It uses grids of cells, one for each power of two of the reach, so a few large balls among many small ones cost little. Space may be
 * periodic.
 */

/* Space: unbounded, or periodic along axes. */
typedef struct neighbour_space {
    abut_vec3 lower, upper; /* bounds of the period */
    bool periodic[3];
} neighbour_space;

/* Pairs by their lower index. The partners of i are other[first[i]] to other[first[i + 1] - 1], all higher than i, in ascending order. */
typedef struct neighbour_list {
    int32_t *first; /* [count + 1] */
    int32_t *other; /* [first[count]] */
    int32_t count, first_capacity, other_capacity;
} neighbour_list;

/* Whether a periodic space is long enough for balls of this reach. */
bool neighbours_fit(const neighbour_space *space, double largest);

/* centre, reach  [count] finite; reach >= 0. Along a periodic axis the space must be longer than four times the largest reach.
 * parallel: NULL for the defaults; the list is the same for any number of threads. Zero-initialise a list before its first use.
 * ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for a space that is too short, and ABUT_ERROR_OUT_OF_MEMORY: the list is then empty. */
abut_status neighbours_find(neighbour_list *list, const abut_vec3 *centre, const double *reach, int32_t count, const neighbour_space *space,
                            const abut_parallel *parallel);

void neighbours_release(neighbour_list *list);

/* The shortest displacement from p to q in periodic space, however many periods lie between them. */
static inline double neighbour_wrap(double way, double length) {
    bool around = way > 0.5 * length || way < -0.5 * length;
    return around ? way - length * floor(way / length + 0.5) : way;
}

static inline abut_vec3 neighbour_way(const neighbour_space *space, abut_vec3 p, abut_vec3 q) {
    abut_vec3 way = abut_sub(q, p);
    way.x = space->periodic[0] ? neighbour_wrap(way.x, space->upper.x - space->lower.x) : way.x;
    way.y = space->periodic[1] ? neighbour_wrap(way.y, space->upper.y - space->lower.y) : way.y;
    way.z = space->periodic[2] ? neighbour_wrap(way.z, space->upper.z - space->lower.z) : way.z;
    return way;
}
