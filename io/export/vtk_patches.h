#pragma once

#include "io/export/vtk_shapes.h"

/*
 * Contact patches: the areas where the surfaces of two bodies overlap at the poses of a frame, and the pressure there. For balls, planes and bodies of rounded
 * triangles; the patch of the latter has a polygon for each pair of facets. Other shapes have none.
 */

/* Corners of the polygon of a whole disc, and of a part of it, which up to six sides cut. */
enum { VTK_PATCH_DISC = 24, VTK_PATCH_CORNERS = VTK_PATCH_DISC + 8 };

typedef struct vtk_patch {
    int32_t facet_a, facet_b;               /* -1 for balls and planes */
    abut_vec3 normal;                       /* unit, from B into A */
    double overlap;                         /* largest overlap of the two surfaces */
    double area;                            /* of the contact */
    double force;                           /* integral of the pressure; NaN, like all pressures, when a material is unknown */
    double mean_pressure, largest_pressure; /* over the patch */
    abut_vec3 corners[VTK_PATCH_CORNERS];   /* of the drawn polygon, in the plane of the contact, counter-clockwise about the normal */
    int32_t corner_count;
} vtk_patch;

/* The state for computing patches: a frame, the shapes of the bodies in it, and memory. All other members begin as zero. */
typedef struct vtk_patches {
    const vtk_scene *scene;
    const vtk_shapes *shapes;
    struct abut_facetmesh_contact *contacts;
    size_t capacity;
} vtk_patches;

void vtk_patches_release(vtk_patches *patches);

/* Calls `take` for every patch of the pair, drawn next to body A. ABUT_OK, also when there are none; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status vtk_patches_of(vtk_patches *patches, const vtk_pair *pair, void (*take)(void *user, const vtk_patch *patch), void *user,
                           abut_error *error);
