#pragma once

#include <stddef.h>
#include <stdint.h>

#include <abut/shape.h>

#include "base/memory.h"
#include "geom/scan.h"

/*
 * The surface of a convex polytope and its Gauss map, prepared for contact queries: faces (coplanar faces are merged), edges with their two
 * faces, vertices with their edges. Shape frame. Boxes, polytopes, hulls, cylinders and cones share it.
 */

typedef struct polytope_edge {
    int32_t vertex[2]; /* vertex[0] < vertex[1] */
    int32_t face
        [2]; /* face[0] is on the left when walking from vertex[0] to vertex[1], seen from outside: its loop has the vertices in this order */
} polytope_edge;

/* The same data again as records. Data that are read together lie together. */
typedef struct polytope_face {
    abut_vec3 normal;
    double offset; /* not valid for boxes, which share these records: see convex_face_offset() */
    double sine; /* sine of 0.45 of the smallest exterior dihedral angle: a direction farther from the normal also belongs to a neighbour */
    int32_t first, count; /* range of its corners */
} polytope_face;

typedef struct polytope_corner {
    int32_t vertex;
    int32_t edge;   /* to the next corner of the face */
    int32_t beyond; /* the face across that edge */
} polytope_corner;

/* An edge as it leaves a vertex. Spokes are in counter-clockwise order about the vertex, seen from outside. */
typedef struct polytope_spoke {
    int32_t edge;
    int32_t far;  /* vertex at its other end */
    int32_t left; /* face to its left; the face to its right is the left one of the spoke before */
} polytope_spoke;

typedef struct polytope {
    /* Contact generation reads these fields. They are in the order in which it does, and share few lines of the cache. */
    double *lanes;             /* storage of vertex_lanes and coarse_planes; the front of the block */
    int32_t lane_bytes;        /* of that storage, as far as it is worth a prefetch */
    int32_t record_bytes;      /* from `face` to the end of vertex_first, when these bytes are few and worth a prefetch; else 0 */
    bool is_small;             /* these bytes are few */
    double inradius;           /* radius of a largest inscribed ball */
    abut_vec3 inner_centre;    /* its centre, the Chebyshev centre */
    scan_lanes vertex_lanes;   /* the vertices by coordinate */
    scan_coarse coarse_planes; /* the face planes in single precision, relative to vertex 0 and in units of `size` */
    double size;               /* largest extent of the axis-aligned bounds */
    abut_vec3 centroid;        /* of the volume */
    polytope_face *face;       /* [face_count] */
    polytope_corner *corner;   /* by face, counter-clockwise seen from outside */
    polytope_edge *edges;      /* ascending by (vertex[0], vertex[1]) */
    polytope_spoke *spoke;     /* by vertex, from vertex_first on */
    int32_t *vertex_first;     /* [vertex_count + 1] into `spoke`, vertex_edges and vertex_faces */
    int32_t vertex_count, edge_count, face_count;

    abut_vec3 *vertices;
    int32_t *edge_vertices; /* [2 edge_count] the vertices of the edges, packed for abut_polytope_view */

    abut_vec3 *normals;     /* [face_count] outward, unit */
    double *offsets;        /* [face_count] max over the face's own vertices of normal . vertex */
    double *face_angles;    /* [face_count] the smallest exterior dihedral angle to a neighbouring face [rad] */
    int32_t *face_first;    /* [face_count + 1] into the two loops below */
    int32_t *face_vertices; /* corners, counter-clockwise seen from outside */
    int32_t *face_edges;    /* face_edges[i] joins corner i to the next corner of the same face */

    int32_t *vertex_edges; /* edges at the vertex, in counter-clockwise order seen from outside */
    int32_t *vertex_faces; /* vertex_faces[i] lies between vertex_edges[i] and the next edge of the same vertex, counter-clockwise */

    scan_lanes plane_lanes; /* the face planes by coordinate */

    double centroid_inradius; /* distance of the centroid from the nearest face plane */
    bool inner_is_point;      /* the largest inscribed ball is unique */

    double *plane_numbers; /* storage of plane_lanes */
    void *memory;          /* the one block that holds all arrays above */
} polytope;

/* Allocates zeroed arrays for that many vertices, faces and corners. corner_count is the sum of the faces' corners, which is twice the number of edges.
 * Returns ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY, and then the surface holds no memory. */
abut_status polytope_allocate(polytope *surface, int32_t vertex_count, int32_t face_count, int32_t corner_count);

/* Allocates only the vertices, the offsets and the lanes, for a surface that shares all other arrays. */
abut_status polytope_allocate_own(polytope *surface, int32_t vertex_count, int32_t face_count, int32_t edge_count);

/* Fills the lanes from vertices, normals, offsets and size. polytope_complete() does this as well. */
void polytope_make_lanes(polytope *surface);

/* Computes everything that follows from `vertices`, `face_first` and `face_vertices`: edges, planes, angles, the order about the vertices, and `size`.
 * Returns ABUT_OK; ABUT_ERROR_NOT_CLOSED when the faces are not a closed surface with one fan of faces about every vertex; ABUT_ERROR_OUT_OF_MEMORY. The
 * surface keeps its memory in every case. */
abut_status polytope_complete(polytope *surface);

/* The mean of the vertices, which is a point inside. */
abut_vec3 polytope_mean_vertex(const polytope *surface);

/* Computes the centroid, the inscribed balls and the mass of the completed surface. Returns ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status polytope_measure(polytope *surface, abut_mass *unit_mass);

/* The smallest distance of a point inside to a face plane. Negative outside, where its absolute value is a lower bound of the distance. */
double polytope_depth_of(const polytope *surface, abut_vec3 point);

/* Frees the memory. A zeroed surface holds none. */
void polytope_release(polytope *surface);

/* Prefetches what searches of all vertices or faces read. Behind the first lines of a large surface the processor fetches by itself. */
static inline void polytope_fetch_lanes(const polytope *surface) {
    if (surface->lane_bytes > 0) {
        memory_fetch(surface->lanes, (size_t)surface->lane_bytes);
    }
}

/* Prefetches the other data that contact generation reads, of a small surface. Of a large one few lines are read. */
static inline void polytope_fetch_records(const polytope *surface) {
    if (surface->record_bytes > 0) {
        memory_fetch(surface->face, (size_t)surface->record_bytes);
    }
}
