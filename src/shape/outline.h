#pragma once

#include "shape/corners.h"

/*
 * Loops of faces: allocation, replacement of vertices, cleaning, and outlines of regions of faces.
 */

/* Room for these numbers of faces and corners. ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY, and *made then holds no memory. */
abut_status loops_allocate(loops *made, int32_t face_count, int32_t corner_count);

void loops_release(loops *made);

/* Replaces every vertex by map[vertex]. Drops corners that repeat their predecessor, and then faces with fewer than three corners. */
void loops_replace(loops *faces, const int32_t *map);

/* Drops vertices at which fewer than three faces meet, and faces with fewer than three corners, until none is left. A vertex with two faces
 * lies in the middle of the edge between them; a face with two corners is a slit that its neighbours close. degree: [vertex_count],
 * scratch. */
void loops_straighten(loops *faces, int32_t vertex_count, int32_t *degree);

/* The outlines of the regions, as loops whose origin is the region. A region with a hole has several. ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status loops_outline(const loops *faces, const corners *map, const int32_t *region, loops *outlines);
