#pragma once

#include "narrow/mesh/convex/met.h"

/*
 * Adds ways to work->way that are shorter than the own normals of triangles which only these serve. Returns whether there are any.
 */
bool shorten_each(convex_work *work);
