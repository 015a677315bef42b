#pragma once

#include <abut/abut.h>

#include "accuracy/big.h"
#include "support/random.h"

/*
 * Posed shapes for oracles of 256 bits: the support function and the distance of a point from the surface, from the definition of each shape alone.
 */

typedef enum big_kind {
    BIG_BALL,
    BIG_CAPSULE,
    BIG_BOX,
    BIG_POINTS,
    BIG_ELLIPSOID,
    BIG_SUPERQUADRIC,
    BIG_PLANE,
    BIG_TRIANGLE,
    BIG_FRUSTUM
} big_kind;

enum { BIG_POINTS_MOST = 24 };

/* What defines a shape, in its frame. */
typedef struct big_body {
    big_kind kind;
    double radius, half_length;       /* ball, capsule; frustum: radius at -z */
    double top_radius, height;        /* frustum */
    abut_vec3 half;                   /* box, ellipsoid, superquadric; the normal of a plane */
    double e1, e2;                    /* superquadric */
    abut_vec3 point[BIG_POINTS_MOST]; /* hull, triangle */
    int32_t point_count;
    double size; /* the largest extent */
} big_body;

/* The shape of the library. NULL if the points span no volume. */
abut_shape *big_body_make(const big_body *body);

/* The largest n . x over the body (a bounded one). World frame. */
big big_body_support(const big_body *body, const big_pose *pose, bigv n);

/* How far a point is outside of the surface, negative inside; of a triangle, how far it is away. The distance from the farthest face's plane, or from the
 * tangent plane where the ray from the middle leaves. World frame. */
double big_body_outside(const big_body *body, const big_pose *pose, bigv point);
