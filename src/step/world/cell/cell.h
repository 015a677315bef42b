#pragma once

#include <abut/shape.h>

#include "solve/cell/cell.h"

/* The nodes of a body that is an elastic cell (abut/cell.h). One block of memory with its arrays. */
typedef struct world_cell {
    cell_law law;
    cell_mesh mesh;
    abut_vec3 *position, *velocity; /* [node_count] world frame */
    const abut_shape *first;        /* the shape when it became a cell; a reference is held. All later ones are made from it */
    const int32_t *place;           /* [node_count] the node that has the place of this vertex: of this shape */
    uint64_t digest;                /* of the body and the definition, when it became a cell */
} world_cell;
