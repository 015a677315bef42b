#pragma once

#include "narrow/mesh/convex/beyond.h"
#include "narrow/mesh/convex/spot.h"
#include "narrow/mesh/index/edges.h"
#include "narrow/mesh/index/facing.h"
#include "narrow/mesh/index/hub.h"
#include "narrow/mesh/index/near.h"
#include "narrow/mesh/index/parts.h"
#include "narrow/mesh/surface.h"

/*
 * Whether the surface admits a way out of a body over an edge or a corner. The body has sunk in; the way leads out of one of its triangles.
 *
 * 1. It is a normal of the surface at the place: no triangle there rises above the plane through the place with that normal.
 * 2. Where it is no combination of the normals of the triangles there, the surface ends. Then it must lead behind none of these triangles,
 *    and the body must reach over that border: it meets the triangle's edge, or contains its corner, that the way leads over.
 * 3. The way takes the body out of the whole flat part to which the triangle belongs. Over a border it must not lead into a triangle that
 *    the body does not meet yet.
 */

#define MESH_RIM_LEVEL 1e-3 /* of what counts as one place: small triangles, too, rise above a normal that leans by little */

typedef struct mesh_rim {
    const mesh_surface *surface;
    const mesh_set *set; /* the triangles near the body */
    mesh_near *near;     /* finds those at a point */
    mesh_hub *hub;       /* the same, where many meet */
    mesh_spot *spot;     /* the same, outside of the body */
    mesh_edges *edges;   /* finds those across a side */
    mesh_parts *parts;   /* finds those in one plane */
    mesh_beyond *beyond; /* finds those that a moved body meets */
    mesh_facing *facing; /* knows directions that none of them faces */
    const convex *body;
    int64_t *gathered; /* triangles gathered so far to look for those beyond a side */
    bool out_of_memory;
} mesh_rim;

typedef enum mesh_rim_kind {
    MESH_RIM_CLOSED, /* the surface does not admit the way */
    MESH_RIM_EDGE,   /* it does, and the normal is one between those of its triangles */
    MESH_RIM_BORDER  /* it does, because it ends there */
} mesh_rim_kind;

/* of: the triangle; p: the point of it at which the normal acts; depth: of the body below the plane through p with that normal. */
mesh_rim_kind mesh_rim_judge(mesh_rim *rim, const mesh_triangle *of, abut_vec3 p, abut_vec3 normal, double depth);

/* Which sides of a triangle, as bits, may be outer: no single triangle continues the plane beyond the whole side. */
int mesh_rim_outer_sides(mesh_rim *rim, const mesh_triangle *t);

/* The same, and sides that only a search would find to be inner ones. */
int mesh_rim_open_sides(const mesh_rim *rim, const mesh_triangle *t);

/* Whether two triangles face one way in one plane. */
bool mesh_rim_is_coplanar(const mesh_triangle *t, const mesh_triangle *other, double same);
