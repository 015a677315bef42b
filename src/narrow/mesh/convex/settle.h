#pragma once

#include "narrow/mesh/convex/met.h"

/*
 * Several ways out of a surface, taken by increasing depth: a contact that a shorter way out serves as well is dropped.
 */

/* Processes the triangles that the body penetrates by increasing depth. A triangle that the translation for a shallower one resolves needs
 * no contact of its own. A triangle that no translation resolves always gets one. */
void settle_by_depth(convex_work *work);

/* Whether all contacts have the same normal and no triangle waits. */
bool settle_is_one_way(const convex_work *work);

/* Whether moving the body out of one triangle, by its depth along its normal, also takes it out of another. */
bool settle_takes_out(const convex_work *work, const met_triangle *out_of, const met_triangle *other);

bool settle_is_same_way(const met_triangle *p, const met_triangle *q);

/* No translation shorter than this takes the body out of the triangle. For a triangle's own normal the bound is that along it, and
 * directions within a degree may be less deep. */
double settle_shortest_out(const convex_work *work, const met_triangle *met);
