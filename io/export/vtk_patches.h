#pragma once

#include "io/export/vtk_shapes.h"

/*
 * Areas of contact: where the surfaces of two bodies are in each other at the poses of a frame, and the pressure there. Between balls, planes and bodies of
 * rounded triangles, whose areas are made of a polygon for each pair of facets; of other shapes nothing.
 */

/* Corners of what is drawn for a whole disc, and of a piece of it, which up to six sides cut. */
enum { VTK_PATCH_DISC = 24, VTK_PATCH_CORNERS = VTK_PATCH_DISC + 8 };

typedef struct vtk_patch {
    int32_t facet_a, facet_b;               /* -1 of balls and planes */
    abut_vec3 normal;                       /* unit, from B into A */
    double overlap;                         /* of the two surfaces, where it is largest */
    double area;                            /* of contact */
    double force;                           /* the pressure's integral; NaN, as all pressures, when a material is not known */
    double mean_pressure, largest_pressure; /* over the patch */
    abut_vec3 corners[VTK_PATCH_CORNERS];   /* of what is drawn, in the plane of the contact, counter-clockwise about the normal */
    int32_t corner_count;
} vtk_patch;

/* What patches are found with: a frame, the shapes that bodies have in it, and room. Zero at first but for these two. */
typedef struct vtk_patches {
    const vtk_scene *scene;
    const vtk_shapes *shapes;
    struct abut_facetmesh_contact *contacts;
    size_t capacity;
} vtk_patches;

void vtk_patches_release(vtk_patches *patches);

/* Hands every patch of the pair to `take`, as drawn beside body A. ABUT_OK, also when there are none; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status vtk_patches_of(vtk_patches *patches, const vtk_pair *pair, void (*take)(void *user, const vtk_patch *patch), void *user,
                           abut_error *error);
