#pragma once

#include "tetra/mesh/parting.h"
#include "tetra/mesh/volumes.h"
#include "tetra/mesh/zones.h"

/*
 * The least displacement along the normal of a zone's plane for which no element falls below its volume ratio.
 *
 * Moves u along one unit vector n change the volume ratio of an element to 1 + sum a_i u_i with a_i = n . grad b_i, where b_i are the
 * barycentric coordinates. This is exact and linear, so for one plane
 *
 *     minimise sum m u^2 / 2  where  s_i u_i >= need_i(c) on the plane's sides s_i,  1 + sum a_i u_i >= r for each element
 *
 * is a convex quadratic program in the moves and the offset c. Elements pass the pressure of the plane on to their neighbours, so vertices
 * outside the zone move as well.
 */

typedef struct zone_limit {
    const volumes *volumes;
    double *move;     /* [vertex_count] towards side 1, in the frame of the zone that is solved */
    double *push;     /* [vertex_count] multipliers of the plane */
    int32_t *owner;   /* [vertex_count] the vertex of a zone that moved this one, or -1 */
    uint8_t *touched; /* [vertex_count] moved by the zone that is solved */
    int32_t *vertex;  /* the touched vertices */
    int32_t vertex_count;
    uint8_t *listed;  /* [element_count] has a touched vertex */
    int32_t *element; /* the listed elements */
    int32_t element_count;
    double *hold;       /* multipliers of the listed elements */
    double *slope;      /* a of the listed elements, four each */
    double *way, *rest; /* [element_count + vertex_count] of the conjugate directions: of listed elements, then of the plane's vertices */
    double *shift;      /* [vertex_count] moves along such a direction */
    abut_vec3 *normal;  /* [vertex_count] for roots: of the plane, towards the root's side */
    int32_t met[2];     /* vertices of two zones that one plane must separate */
} zone_limit;

/* False when there is no memory; there is then nothing to release. */
bool zone_limit_make(zone_limit *l, const joint *j, const volumes *v);
void zone_limit_release(zone_limit *l);

typedef enum zone_end {
    ZONE_MOVED, /* all vertices are in place */
    ZONE_HELD,  /* no displacement was found; nothing moved */
    ZONE_MET    /* the zone needs a vertex that another zone moves, see `met`; nothing moved */
} zone_end;

/* The problem of one zone, in the zone's frame. */
typedef struct zone_problem {
    zones *zones;
    joint *joint;
    const abut_vec3 *from;        /* [vertex_count] positions before */
    const int32_t *vertex;        /* the zone's vertices, parallel to the points */
    const parting_points *points; /* scaled by the unit */
    parting_plane plane;
    double unit;
    int32_t root;
} zone_problem;

/* Moves the vertices. The zone's vertices are at `from` before. */
zone_end zone_limit_part(zone_limit *l, zone_problem *p);

/* After ZONE_MET: makes one zone of the two. */
void zone_limit_unite(zone_limit *l, zones *z, const joint *j);

/* Returns all vertices that changed zones moved to their places before. */
void zone_limit_reset(zone_limit *l, zones *z, joint *j, const abut_vec3 *from);
