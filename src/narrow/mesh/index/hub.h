#pragma once

#include "geom/point_tree.h"
#include "narrow/mesh/index/near.h"

/*
 * A point of a surface at which many triangles meet, as at the tip of a fan. Each triangle there may ask whether a way out over that point
 * is closed. When the same point is asked about several times in a row, its triangles are listed, and a tree over their corners finds one
 * that rises above a plane. The list changes the time and never the result.
 */

typedef struct mesh_hub {
    abut_vec3 point; /* asked about last */
    int32_t asked;   /* times in a row */
    bool made;
    int32_t *item; /* [count] the triangles of the set that contain the point, in ascending order; all have a face */
    int32_t count, room;
    int32_t *blunt; /* [blunt_count] those of them that can climb without rising: the point is no sharp corner of them */
    int32_t blunt_count;
    abut_vec3 *way; /* [3 count] from the point to their corners */
    point_tree tree;
} mesh_hub;

void mesh_hub_free(mesh_hub *hub);

/* Whether the triangles of the set that contain the point are listed. If not, the caller looks for them itself. same: as for
 * `near`, or less. */
bool mesh_hub_is_at(mesh_hub *hub, const mesh_set *set, mesh_near *near, abut_vec3 point, double same);

/* One of the listed triangles that rises above the plane through the point by more than `level` and FLAT_SINE; -1: none. */
int32_t mesh_hub_risen(const mesh_hub *hub, const mesh_set *set, abut_vec3 normal, double level);

/* One of the listed triangles that climbs (set.h), of those that mesh_hub_risen() need not find; -1: none. */
int32_t mesh_hub_climbs(const mesh_hub *hub, const mesh_set *set, abut_vec3 normal, double same);
