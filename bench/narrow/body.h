#pragma once

#include <abut/math.h>

#include "support/solid.h"

/* A body of the benchmark as every engine can take it: plain numbers, made without any engine. Body frame, metres. */

typedef enum body_kind { BODY_BOX, BODY_HULL, BODY_SPHERE, BODY_CAPSULE } body_kind;

typedef struct body {
    body_kind kind;
    abut_vec3 half;     /* of a box; of a prism, of the box around it */
    double radius;      /* of a sphere or capsule */
    double half_length; /* of a capsule's segment, along z */
    solid surface;      /* of a box or hull: faces counter-clockwise from outside; the mean of its vertices lies at the origin */
    double size;        /* its smallest extent: a box's smallest side, twice an ellipsoid's smallest semi-axis, a diameter */
} body;
