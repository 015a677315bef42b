#pragma once

#include "shape/build/build.h"

/*
 * How deep a surface that is not convex lies below the convex hull of its vertices: the largest depth of a point of an edge. A polygon of more than three
 * corners is taken as a fan about its first corner, and the heights of its corners may differ by no more. The normals of slivers do not matter.
 *
 * Writes the depth into the report, with a face of the deepest edge and the end nearest to the deepest point. Keeps the face and the vertex if the depth is 0.
 * Leaves the report as it is if there is no hull. ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY.
 */
abut_status build_find_dent(const build_source *source, abut_polytope_report *report);
