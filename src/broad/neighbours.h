#pragma once

#include <abut/base.h>
#include <abut/math.h>

/*
 * Which of many balls may touch soon: pairs whose balls, grown by a margin that their owner has in their reach, overlap. By grids of cells, one for
 * each power of two of the reach, so that few large balls among many small ones cost nothing extra. Space may be periodic.
 */

/* Space: without bounds, or repeated along axes. */
typedef struct neighbour_space {
    abut_vec3 lower, upper; /* of what is repeated */
    bool periodic[3];
} neighbour_space;

/* Pairs by their lower index: the partners of i are other[first[i]] up to other[first[i + 1] - 1], all above i, in ascending order. */
typedef struct neighbour_list {
    int32_t *first; /* [count + 1] */
    int32_t *other; /* [first[count]] */
    int32_t count, first_capacity, other_capacity;
} neighbour_list;

/* centre, reach  [count] finite; reach >= 0. Along a periodic axis the space must be longer than four times the largest reach.
 * Zero-initialise a list before its first use.
 * ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for a space that is too short, and ABUT_ERROR_OUT_OF_MEMORY: the list is then empty. */
abut_status neighbours_find(neighbour_list *list, const abut_vec3 *centre, const double *reach, int32_t count,
                            const neighbour_space *space);

void neighbours_release(neighbour_list *list);

/* From p to q the shortest way round, however often one of them has gone around. */
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
