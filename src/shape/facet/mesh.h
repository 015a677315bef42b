#pragma once

#include <stdatomic.h>

#include <abut/contact.h>
#include <abut/facetmesh.h>

#include "shape/facet/side.h"
#include "shape/trimesh.h"

/*
 * A closed mesh of rounded triangles, prepared for contact queries: its facets in the shape frame, and for each node of the hierarchy of
 * boxes a ball around the encompassing spheres of its facets. The boxes contain the spheres' caps above the circles of the triangles'
 * corners.
 */

/* Data that a body shares with bodies made by moving its vertices. */
typedef struct facet_topology {
    atomic_int references;
    int32_t vertex_count, triangle_count;
    int32_t *corners; /* [3 triangle_count] vertices in the caller's numbering */
    int32_t *place;   /* [vertex_count] the first vertex at the same place */
    int32_t *twin;    /* [3 triangle_count] the corner whose edge runs along this one's against it (shape/build/corners.h) */
    int32_t *order;   /* [triangle_count] facet of each of the hierarchy's slots */
} facet_topology;

/* A ball around all encompassing spheres of a node's facets. */
typedef struct facet_ball {
    abut_vec3 centre;
    double radius;  /* 0 when none of the facets is curved */
    double spread;  /* the largest distance of their centres from the centre of the ball */
    double widest;  /* the largest of the spheres' radii */
    double least;   /* the smallest of the spheres' radii */
    bool curved;    /* the ball contains some spheres, */
    bool wide;      /* others are so large that they count as unbounded, */
    bool flat;      /* and other facets are flat */
    bool inherited; /* the same ball as that of the parent */
} facet_ball;

/* Bounds of tangent planes. Each sphere of a node's facets lies below its tangent plane over the middle of the facet's circle. The normals
 * of these planes are nearly the same. */
typedef struct facet_tangents {
    abut_vec3 normal; /* unit, the mean of them */
    double top;       /* upper bound of the tangent planes' contact points along it */
    double tilt;      /* upper bound of the difference of the planes' normals from it, as vectors */
} facet_tangents;

typedef struct facetmesh {
    facet_topology *topology;
    facet_side *side;  /* [triangle_count], shape frame */
    abut_vec3 *corner; /* [3 triangle_count] */
    double *radius;    /* [triangle_count] as given or estimated, before it is raised to the radius of the corners' circle */
    abut_vec3 *saddle; /* [triangle_count] as in facet_side, before radii are raised; NULL when all facets are round in all directions */
    facet_ball *ball;  /* [nodes of the hierarchy] */
    facet_tangents *tangents; /* tangents of the same nodes */
    abut_feature *feature;    /* [triangle_count] of the shape whose skin this is; NULL for bodies of rounded triangles */
    bool estimated;
    bool two_sided;      /* every triangle comes with its back */
    double reach;        /* the largest reach of a cap from the shape's origin, */
    double centre_reach; /* and from the centre of mass */
    double widest;       /* the largest radius of a facet that is not flat; 0 when all are flat */
    double deepest;      /* the largest depth of a facet */
    double highest;      /* the largest height of a facet's cap: no point of its surface is farther from the triangle */
} facetmesh;

/* The surface of a shape as rounded triangles, made when it is first asked for and kept with the shape (shape/skin/soup.h); a body of rounded triangles is its
 * own. Not for planes, and for smooth shapes only if they are convex. ABUT_OK; ABUT_ERROR_DEGENERATE if no triangle has an area; ABUT_ERROR_NOT_FINITE;
 * ABUT_ERROR_OUT_OF_MEMORY. */
abut_status facetmesh_skin_of(const abut_shape *given, const abut_shape **skin);

/* abut_shape_create_facetmesh_moved() without radii and report, in the name of `call`; NULL: says nothing. thick: a shape with the same triangles, whose
 * thicknesses behind the facets are taken; NULL: they are measured, which takes more than half of the time. */
abut_status facetmesh_move(const char *call, const abut_shape *shape, const abut_vec3 *vertices, const abut_shape *thick,
                           abut_shape **moved);

/* How far the surface to which distances from bodies of rounded triangles refer may lie outside of abut_shape_bounds(). INFINITY where there is no memory to
 * tell, or no skin. */
double facetmesh_overhang(const abut_shape *shape);

/* Radii above this multiple of the body's extent count as infinite. */
#define FACETMESH_FLATTEST 1e6

/* Radii of curvature from the mesh; INFINITY where it is concave or flat. `concave` receives the number of concave triangles.
 * vertices  [vertex_count] of the topology
 * extent    of the body
 * radius    [triangle_count]
 * saddle    [triangle_count] as in facet_side; NULL: not wanted */
void facet_radius_estimate(const facet_topology *topology, const abut_vec3 *vertices, double extent, double *radius, abut_vec3 *saddle,
                           int32_t *concave);

/* The box around the cap of a facet's sphere over the circle of its corners; of a flat one, around the triangle. */
abut_aabb facet_cap_bounds(const facet_side *side);

/* The reach of the spherical piece above the triangle along a unit direction. */
double facet_reach(const facet_side *side, abut_vec3 direction);

/* The smallest box around the posed spherical pieces. */
abut_aabb facetmesh_bounds(const abut_shape *shape, abut_pose pose, abut_mat3 turn);

/* Balls and tangents of the hierarchy's nodes, from the sides. extent: of the body. */
void facetmesh_make_balls(facetmesh *facets, const packed_tree *tree, double extent);
void facetmesh_make_tangents(facetmesh *facets, const packed_tree *tree);

/* Computes the depth of every facet. Needs the hierarchy. */
void facetmesh_find_depths(abut_shape *shape);

double facetmesh_find_highest(const facetmesh *facets);

/* The largest distance of any facet's cap from a point of the shape frame. */
double facetmesh_reach_from(const facetmesh *facets, abut_vec3 point);

/* Detaches from the mesh what it borrows from the topology, then releases. */
void facetmesh_release(facetmesh *facets, trimesh *mesh);
