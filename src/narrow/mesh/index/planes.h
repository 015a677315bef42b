#pragma once

#include <abut/math.h>

#include "geom/cells.h"

/*
 * Finds what lies in one plane among many things that have a plane, such as triangles or contacts. Two planes are one if their normals are
 * parallel within FLAT_SINE and a point of one is within `same` plus FLAT_SINE times its distance of the other. The search finds all of
 * these, and others.
 */

typedef struct mesh_planes {
    cells in;
    double far; /* of all points from the origin */
} mesh_planes;

/* False when there is no memory. */
bool mesh_planes_init(mesh_planes *planes, double same, double far, int32_t capacity);
void mesh_planes_free(mesh_planes *planes);

/* point: any point of the plane. */
void mesh_planes_add(mesh_planes *planes, abut_vec3 normal, abut_vec3 point, int32_t item);
void mesh_planes_begin(cells_walk *walk, mesh_planes *planes, abut_vec3 normal, abut_vec3 point);
