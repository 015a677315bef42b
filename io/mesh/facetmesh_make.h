#pragma once

#include <abut/facetmesh.h>

/*
 * Makes bodies of rounded triangles with some radii given and others estimated, and explains why a body was refused.
 */

/* In a list of radii: estimate this radius from the mesh. */
#define FACETMESH_ESTIMATED 0.0

enum { FACETMESH_REASON_SIZE = 160 };

/* As abut_shape_create_facetmesh(), with the same statuses, but def->radii may contain FACETMESH_ESTIMATED where there are no cross_radii;
 * def->principal then refers to these. */
abut_status facetmesh_make(const abut_facetmesh_def *def, abut_facetmesh_report *report, abut_shape **shape);

/*
 * Explains the status and the report of a failed facetmesh_make() whose indices and radii are in range. The text has no capital and no full stop.
 * Returns the status that readers of files give: ABUT_ERROR_FORMAT for values outside the range of double precision.
 */
abut_status facetmesh_reason(abut_status status, const abut_facetmesh_report *report, char reason[FACETMESH_REASON_SIZE]);
