#pragma once

#include <abut/facet.h>

#include "support/random.h"

/*
 * Random pairs of rounded triangles of a wanted relation: circles through the corners of radius 0.3 to 0.6, radii of curvature 1 to 3, uniform in the
 * logarithm; no corner nearer to another one than a sixth of the circle. The partner looks the other way, tilted and moved aside:
 *
 *     in contact   spheres overlap by 0.001 to 0.1
 *     beside       likewise, moved aside by up to 2
 *     apart        spheres are 0.0001 to 0.5 apart
 *     turned       the partner is turned at random
 *
 * What does not come out as it should is thrown again. The same pairs on every machine.
 */

/* [count] each. */
void inputs_fill(random_state *random, abut_facet_relation wanted, int32_t count, abut_facet *a, abut_facet *b);

/* A mix: in every eight pairs two in contact, four beside, one apart, one turned. */
void inputs_mix(random_state *random, int32_t count, abut_facet *a, abut_facet *b);
