#pragma once

#include <abut/facet.h>

#include "support/random.h"

/*
 * Random pairs of rounded triangles with a given relation. The circles through the corners have radii of 0.3 to 0.6, the radii of curvature
 * are 1 to 3, uniform in the logarithm; corners are at least a sixth of the circle apart. The partner faces the other way, tilted and
 * shifted:
 *
 *     in contact   spheres overlap by 0.001 to 0.1
 *     beside       the same, shifted by up to 2
 *     apart        spheres are 0.0001 to 0.5 apart
 *     turned       the partner has a random orientation
 *
 * Pairs with another relation are drawn again. The same pairs on every machine.
 */

/* [count] each. */
void inputs_fill(random_state *random, abut_facet_relation wanted, int32_t count, abut_facet *a, abut_facet *b);

/* A mix: in every eight pairs two in contact, four beside, one apart, one turned. */
void inputs_mix(random_state *random, int32_t count, abut_facet *a, abut_facet *b);
