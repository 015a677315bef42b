#pragma once

#include <abut/facetmesh.h>

/*
 * Bodies of rounded triangles of which some radii are given and others estimated, and why one was refused.
 */

/* In a list of radii: estimate this one from the mesh. */
#define FACETMESH_ESTIMATED 0.0

enum { FACETMESH_REASON_SIZE = 160 };

/* As abut_shape_create_facetmesh(), whose statuses these are; def->radii may have FACETMESH_ESTIMATED in it. */
abut_status facetmesh_make(const abut_facetmesh_def *def, abut_facetmesh_report *report, abut_shape **shape);

/*
 * What is wrong with the surface, by the status and the report of a failed facetmesh_make() whose indices and radii are in range: no capital, no full stop.
 * Returns the status that readers of files give: ABUT_ERROR_FORMAT for what is out of the range of numbers.
 */
abut_status facetmesh_reason(abut_status status, const abut_facetmesh_report *report, char reason[FACETMESH_REASON_SIZE]);
