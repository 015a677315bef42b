#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <abut/math.h>

/*
 * The axis of a capsule, or the centre of a sphere, and the point of it that is closest to a box. Box frame.
 */

/* The points middle + t reach, -1 <= t <= 1, and the half sizes of the box. A sphere has no reach. */
typedef struct box_line {
    double middle[3], reach[3], half[3];
} box_line;

typedef struct box_nearest {
    double place;     /* along the line, from -1 to 1 */
    double excess[3]; /* how far the point lies beyond the faces across each axis; negative inside */
    double distance;
    int32_t outside, vertex; /* bits by axes: beyond a face; on the positive side */
} box_nearest;

static inline box_line box_line_of(abut_vec3 middle, abut_vec3 reach, abut_vec3 half) {
    return (box_line){{middle.x, middle.y, middle.z}, {reach.x, reach.y, reach.z}, {half.x, half.y, half.z}};
}

void box_line_nearest(const box_line *line, bool is_point, box_nearest *near);

/* Whether no length is so small or so large beside the others that rounding errors would show. size: of the box; scale: the sum of the sizes; far: how far
 * apart the bodies stand, |x| + |y| + |z|; length: half of the capsule's axis, 0 for a sphere. */
bool box_line_is_plain(const box_line *line, double size, double scale, double far, double length);

/* Whether the closest features of the box are so by so much that no method can find others. all: scale and far. */
bool box_line_is_clear(const box_nearest *near, double size, double all);

/* Whether the line runs along the box where it is closest: no end of it is clearly closer than the points beside it. */
bool box_line_is_level(const box_line *line, const box_nearest *near, double length);
