#pragma once

#include <abut/math.h>

#include "support/solid.h"

/* A body of the benchmark in plain numbers, independent of any engine. Body frame, metres. */

typedef enum body_kind { BODY_BOX, BODY_HULL, BODY_SPHERE, BODY_CAPSULE } body_kind;

typedef struct body {
    body_kind kind;
    abut_vec3 half;     /* half sizes of a box, or of the box around a prism */
    double radius;      /* of a sphere or capsule */
    double half_length; /* of a capsule's segment, along z */
    solid surface;      /* box or hull: faces counter-clockwise from outside; the mean of the vertices is the origin */
    double size;        /* its smallest extent: the smallest side of a box, twice the smallest semi-axis of an ellipsoid, or a diameter */
} body;
