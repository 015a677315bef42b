#pragma once

#include "tetra/along.h"

/*
 * The best normal of all beside a static body: it touches the plane with a vertex, an edge or a face, and in each of these cases
 * depth^2 is a quadratic form over all normals, over those across the edge, or there is but one. `from` is any normal.
 */
along free_static_least(const pair *p, along from);
