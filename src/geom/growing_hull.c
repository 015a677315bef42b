#include "geom/growing_hull.h"

#include <stdbool.h>
#include <stddef.h>

double flat_turn(flat_point o, flat_point p, flat_point q) { return (p.x - o.x) * (q.y - o.y) - (p.y - o.y) * (q.x - o.x); }

/* Twice the area between the point and the edge that begins at the corner if the point lies beyond the edge; otherwise not positive. */
static double beyond(const growing_hull *hull, int32_t corner, int32_t point) {
    return -flat_turn(hull->point[corner], hull->point[hull->next[corner]], hull->point[point]);
}

static void join(growing_hull *hull, int32_t first, int32_t second) {
    hull->next[first] = second;
    hull->previous[second] = first;
}

/* The first of the given edges that the point lies beyond. -1 if there is none, or if the point is a corner of the hull. */
static int32_t edge_seen(const growing_hull *hull, int32_t point, const int32_t *edge, int count) {
    for (int k = 0; k < count && hull->next[point] < 0; ++k) {
        if (beyond(hull, edge[k], point) > 0.0) {
            return edge[k];
        }
    }
    return -1;
}

void growing_hull_start(growing_hull *hull, const flat_point *point, int32_t count, int32_t *memory, int32_t first, int32_t second) {
    *hull = (growing_hull){.point = point, .count = count, .next = memory, .previous = memory + count, .edge = memory + 2 * (size_t)count};
    for (int32_t i = 0; i < count; ++i) {
        hull->next[i] = hull->edge[i] = -1;
    }
    join(hull, first, second);
    join(hull, second, first);
    const int32_t sides[2] = {first, second};
    for (int32_t i = 0; i < count; ++i) {
        hull->edge[i] = edge_seen(hull, i, sides, 2);
    }
}

double growing_hull_gain(const growing_hull *hull, int32_t point) {
    int32_t edge = hull->edge[point];
    if (edge < 0) {
        return 0.0;
    }
    double gain = beyond(hull, edge, point), more;
    for (int32_t c = hull->next[edge]; c != edge && (more = beyond(hull, c, point)) > 0.0; c = hull->next[c]) {
        gain += more;
    }
    for (int32_t c = hull->previous[edge]; c != edge && (more = beyond(hull, c, point)) > 0.0; c = hull->previous[c]) {
        gain += more;
    }
    return gain;
}

/* The new corner hides edges. A point beyond a hidden edge is now beyond one of the new edges or their neighbours, or inside. Around the
 * first triangle all points are tested again. */
static void look_again(growing_hull *hull, int32_t corner) {
    int32_t before = hull->previous[corner], after = hull->next[corner];
    const int32_t near[4] = {before, corner, hull->previous[before], after};
    bool triangle = hull->next[after] == before;
    for (int32_t i = 0; i < hull->count; ++i) {
        int32_t edge = hull->edge[i];
        if (triangle || (edge >= 0 && (edge == before || hull->next[edge] < 0))) {
            hull->edge[i] = edge_seen(hull, i, near, 4);
        }
    }
}

void growing_hull_add(growing_hull *hull, int32_t point) {
    int32_t edge = hull->edge[point];
    if (edge < 0) {
        return;
    }
    int32_t before = edge, after = hull->next[edge];
    while (hull->previous[before] != after && beyond(hull, hull->previous[before], point) > 0.0) {
        before = hull->previous[before];
    }
    while (hull->next[after] != before && beyond(hull, after, point) > 0.0) {
        after = hull->next[after];
    }
    for (int32_t c = hull->next[before]; c != after;) {
        int32_t following = hull->next[c];
        hull->next[c] = -1;
        c = following;
    }
    join(hull, before, point);
    join(hull, point, after);
    hull->edge[point] = -1;
    look_again(hull, point);
}
