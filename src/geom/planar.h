#pragma once

#include <abut/math.h>

/*
 * Intersection of two convex figures of a plane: points, segments, polygons, and the whole plane. All generators that intersect two planar
 * features use it.
 */

/* A corner of a figure, with the caller's names. */
typedef struct planar_corner {
    double x, y;
    int32_t vertex; /* name of the corner; -1 for none */
    int32_t edge;   /* name of the side from this corner to the next one */
} planar_corner;

/* A convex figure. One corner is a point; two are a segment, whose side is corner[0].edge; three or more are a polygon in counter-clockwise
 * order; none is the whole plane. */
typedef struct planar_figure {
    const planar_corner *corner;
    int32_t count;
} planar_figure;

/* A corner of the intersection and its position on either figure: a vertex, else an edge, else (both -1) the interior. */
typedef struct planar_point {
    double x, y;
    int32_t vertex_a, edge_a;
    int32_t vertex_b, edge_b;
    int32_t side; /* for two polygons: the side to the next corner is side `side` (not its name) of B or of A */
    bool side_of_b;
} planar_point;

/* The largest number of corners of an intersection. */
static inline int32_t planar_capacity(planar_figure a, planar_figure b) { return a.count + b.count + 2; }

/*
 * The corners of the intersection, counter-clockwise.
 *
 * tolerance  distance up to which a point outside a figure counts as on it
 * parallel   sine of the angle below which two segments count as parallel
 * out        [planar_capacity(a, b)]
 * scratch    as large as out
 * returns    their number; 0 when the figures do not meet
 */
int32_t planar_intersect(planar_figure a, planar_figure b, double tolerance, double parallel, planar_point *out, planar_point *scratch);

/* Whether a figure is a triangle whose heights are larger than `room`. */
bool planar_is_wide_triangle(planar_figure figure, double room);

/* Whether a figure is such a triangle inside a polygon, farther than `room` from its sides. planar_intersect() then finds the same as with the whole plane. */
bool planar_is_triangle_inside(planar_figure polygon, planar_figure figure, double room);

/* Names a point of a figure by its position, within the tolerance. Sets *vertex, or *edge, or neither (both -1). How the point was computed
 * does not matter, so corners of two figures that coincide within the tolerance get the same names in either order and at every step.
 *
 * On entry *vertex and *edge hold the names that the point was made from, as in planar_point, or -1. That saves most of the search. */
void planar_name(planar_figure figure, double x, double y, double tolerance, int32_t *vertex, int32_t *edge);

/* Area of a polygon from its corners in counter-clockwise order. */
double planar_area(const planar_point *corner, int32_t count);
