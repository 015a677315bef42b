#pragma once

#include <stdatomic.h>

#include <abut/facetmesh.h>

#include "shape/facet/side.h"
#include "shape/trimesh.h"

/*
 * A closed mesh of rounded triangles: what facets of it contacts want to know, ready in the shape's frame, and for each node of the hierarchy of boxes a ball
 * around the encompassing spheres of its facets. The boxes hold the spheres' caps over the circles of the triangles' corners.
 */

/* What a body and those moved from it share. */
typedef struct facet_topology {
    atomic_int references;
    int32_t vertex_count, triangle_count;
    int32_t *corners; /* [3 triangle_count] vertices as the caller numbered them */
    int32_t *place;   /* [vertex_count] the first vertex at the same place */
    int32_t *twin;    /* [3 triangle_count] the corner whose edge runs along this one's against it (shape/build/corners.h) */
    int32_t *order;   /* [triangle_count] facet of each of the hierarchy's slots */
} facet_topology;

/* Around all encompassing spheres of a node's facets. */
typedef struct facet_ball {
    abut_vec3 centre;
    double radius;  /* 0 when none of them is curved */
    double spread;  /* no centre of theirs is farther from the ball's */
    double widest;  /* the largest of their radii */
    bool curved;    /* the ball holds some, */
    bool wide;      /* others are so large that they count as everywhere, */
    bool flat;      /* and others are flat */
    bool inherited; /* the same ball as the parent's */
} facet_ball;

/* The spheres of a node's facets lie below their tangent planes over the middles of the facets' circles, whose normals are nearly one. */
typedef struct facet_tangents {
    abut_vec3 normal; /* unit, in their midst */
    double top;       /* no plane touches its sphere farther along it */
    double tilt;      /* no normal differs from it, as a vector, by more */
} facet_tangents;

typedef struct facetmesh {
    facet_topology *topology;
    facet_side *side;  /* [triangle_count], shape frame */
    abut_vec3 *corner; /* [3 triangle_count] */
    double *radius;    /* [triangle_count] as given or estimated, before it is raised to that of the corners' circle */
    facet_ball *ball;  /* [nodes of the hierarchy] */
    facet_tangents *tangents; /* beside it */
    bool estimated;
    double reach;        /* no cap reaches farther from the shape's origin, */
    double centre_reach; /* nor from its centre of mass */
    double widest;       /* the largest radius of a facet that is not flat; 0 when all are */
    double deepest;      /* the largest depth of a facet */
} facetmesh;

/* Radii above so many times the body's extent are as good as infinite. */
#define FACETMESH_FLATTEST 1e6

/* Radii of curvature from the mesh; INFINITY where it is concave or flat. `concave` receives the number of concave triangles.
 * vertices  [vertex_count] of the topology
 * extent    of the body
 * radius    [triangle_count] */
void facet_radius_estimate(const facet_topology *topology, const abut_vec3 *vertices, double extent, double *radius, int32_t *concave);

/* The box around the cap of a facet's sphere over the circle of its corners; of a flat one, around the triangle. */
abut_aabb facet_cap_bounds(const facet_side *side);

/* How far the piece of the sphere right over the triangle reaches along a unit direction. */
double facet_reach(const facet_side *side, abut_vec3 direction);

/* The smallest box around the posed pieces of spheres. */
abut_aabb facetmesh_bounds(const abut_shape *shape, abut_pose pose, abut_mat3 turn);

/* Of the hierarchy's nodes, from the sides; extent of the body. */
void facetmesh_make_balls(facetmesh *facets, const packed_tree *tree, double extent);
void facetmesh_make_tangents(facetmesh *facets, const packed_tree *tree);

/* The depth of every facet; the hierarchy is made. */
void facetmesh_find_depths(abut_shape *shape);

/* How far the caps of all facets reach from a point of the shape's frame. */
double facetmesh_reach_from(const facetmesh *facets, abut_vec3 point);

/* What the mesh borrows from the topology is taken from it first. */
void facetmesh_release(facetmesh *facets, trimesh *mesh);
