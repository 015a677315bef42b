#pragma once

#include "narrow/normal/feature_overlap.h"

/*
 * A face of a box, seen along the contact normal: a rectangle in the contact plane, or a parallelogram where the face leans. Two of them are intersected
 * here. The answers are those of geom/planar.h, to the last bit. This is its work for four corners, without names of features: places in the loop of corners
 * stand for them.
 */

enum { RECTANGLE_CORNERS = 4, RECTANGLES_MOST = 2 * RECTANGLE_CORNERS };

/* Places on a rectangle: the corners 0 to 3, the sides 4 to 7 from these corners to the next ones, and the inside. */
enum { RECTANGLE_SIDE = 4, RECTANGLE_INSIDE = 8 };

/* Corners run counter-clockwise about the contact normal. */
typedef struct rectangle {
    double x[RECTANGLE_CORNERS], y[RECTANGLE_CORNERS];
    abut_vec3 corner[RECTANGLE_CORNERS];                        /* pair's frame */
    int32_t vertex[RECTANGLE_CORNERS], edge[RECTANGLE_CORNERS]; /* of the box: the corners, and the sides from them */
} rectangle;

/* A corner of the intersection, and where it lies on either rectangle. The inside also stands for corners whose place was not looked for. */
typedef struct rectangle_point {
    double x, y;
    int32_t on_a, on_b;
    int32_t side; /* the next corner lies on this side of A, or of B from RECTANGLE_SIDE on */
} rectangle_point;

/* Projects the face of a box. backwards: true for A, whose face points against the contact normal, and false for B. */
void rectangle_of_face(const contact_plane *plane, const convex *box, int32_t face, bool backwards, rectangle *r);

/* The corners of the intersection, counter-clockwise; as planar_intersect() does. tolerance: distance up to which a point outside counts as on the border.
 * Returns their number; 0 when the rectangles do not meet. */
int32_t rectangles_intersect(const rectangle *a, const rectangle *b, double tolerance, rectangle_point point[RECTANGLES_MOST + 2]);

/* The place of a point on the rectangle, up to the tolerance; as planar_name() does. on: the place that the point was made from. */
int32_t rectangle_place(const rectangle *r, const rectangle_point *point, int32_t on, double tolerance);
