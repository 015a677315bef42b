#pragma once

#include "narrow/facet/facet.h"

/* Sets saddle, summit and summit_gap of a contact, in the coordinates of the corners; zero if both facets are round in all directions. The other
 * fields of the contact are set. */
void facet_fit_quadric(const facet_side *a, const facet_side *b, abut_facet_contact *contact);
