#pragma once

#include "shape/build/corners.h"

/*
 * Loops of faces: making them, replacing their vertices, cleaning them, and the outlines of regions of faces.
 */

/* Makes room for that many faces and corners. Returns ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY, and then *made holds no memory. */
abut_status loops_allocate(loops *made, int32_t face_count, int32_t corner_count);

void loops_release(loops *made);

/* Replaces every vertex by map[vertex]. Drops corners that repeat their predecessor, and faces with fewer than three corners left. */
void loops_replace(loops *faces, const int32_t *map);

/* Drops vertices with fewer than three faces, and faces with fewer than three corners, until none is left. A vertex with two faces lies in the middle of the
 * edge between them. A face with two corners is a slit that its neighbours close. degree is scratch, [vertex_count]. */
void loops_straighten(loops *faces, int32_t vertex_count, int32_t *degree);

/* The outlines of the regions, as loops whose origin is the region. A region with a hole has several outlines. Returns ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status loops_outline(const loops *faces, const corners *map, const int32_t *region, loops *outlines);
