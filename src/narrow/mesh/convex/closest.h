#pragma once

#include "narrow/mesh/convex/triangle_body.h"
#include "narrow/normal/contact_normal.h"

/*
 * The contact normal of a convex body and a triangle that nearly touch, from their closest features.
 *
 * The search for the normal descends along directions. Where bodies are about as close as the rounding error of a direction moves their far ends, as with
 * edges that are nearly parallel, it stops beside the closest points. Its normal then separates the bodies by less than their distance. The points show that:
 * their distance is no less than that of the bodies, and the gap along a normal is no more.
 */

/* The same as contact_normal_find() for a triangle with a face. If the cores are apart, the gap along the normal is that of their closest points. */
bool mesh_closest_normal(const convex *body, const triangle_body *triangle, const normal_settings *settings, contact_normal *normal);
