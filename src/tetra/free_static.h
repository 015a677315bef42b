#pragma once

#include "tetra/along.h"

/*
 * The best of all normals for a pair with a static body. The static body touches the plane with a vertex, an edge or a face. In these cases
 * the squared depth is a quadratic form over all normals, a form over the normals perpendicular to the edge, or there is only one normal.
 * `from` may be any normal.
 */
along free_static_least(const pair *p, along from);
