#pragma once

#include "shape/facet/side.h"

/*
 * The part of a surface's curvature that differs between directions. With the principal curvatures h + s and h - s, the matrix of curvatures in the tangent
 * plane is h I + S with S = s (2 d d' - I), where d is the direction of h + s. A vector of the length s along d or -d stands for S: the saddle. Rotations act
 * on it as on any vector.
 */

/* The saddle with S = [xx xy; xy -xx] in a plane with the axes u and v. */
abut_vec3 facet_saddle_make(double xx, double xy, abut_vec3 u, abut_vec3 v);

/* xx and xy of a saddle in a plane with the axes u and v. The plane may be inclined against that of the saddle: then the direction is projected. */
void facet_saddle_split(abut_vec3 saddle, abut_vec3 u, abut_vec3 v, double *xx, double *xy);
