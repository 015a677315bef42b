#pragma once

#include "shape/build/corners.h"

/*
 * Loops of faces: made, copied with vertices replaced, cleaned, and drawn round regions of faces.
 */

/* Room for so many faces and corners. ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY, and then *made holds no memory. */
abut_status loops_allocate(loops *made, int32_t face_count, int32_t corner_count);

void loops_release(loops *made);

/* Replaces every vertex by map[vertex], drops corners that repeat their predecessor, and faces that are left with fewer than three
 * corners. */
void loops_replace(loops *faces, const int32_t *map);

/* Drops vertices at which fewer than three faces meet, and faces that are left with fewer than three corners, until none is left. A
 * vertex with two faces lies in the middle of the edge between them; a face with two corners is a slit that its neighbours close. degree:
 * [vertex_count], scratch. */
void loops_straighten(loops *faces, int32_t vertex_count, int32_t *degree);

/* The outlines of the regions, as loops whose origin is the region. A region with a hole gives several. ABUT_OK;
 * ABUT_ERROR_OUT_OF_MEMORY. */
abut_status loops_outline(const loops *faces, const corners *map, const int32_t *region, loops *outlines);
