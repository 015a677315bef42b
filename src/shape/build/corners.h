#pragma once

#include <abut/base.h>

/*
 * The adjacency of a surface that is given by the loops of its faces. Corner c stands for the directed edge from its own vertex to that of the next corner of
 * its face. In a closed, consistently wound surface every corner has a twin, which runs along the same edge in the opposite sense.
 */

typedef struct loops {
    int32_t face_count;
    int32_t *first;  /* [face_count + 1] into vertex; NULL when all faces are triangles */
    int32_t *vertex; /* counter-clockwise seen from outside */
    int32_t *origin; /* [face_count] where the face comes from, for the owner's use; may be NULL */
} loops;

typedef struct corners {
    int32_t count;
    int32_t *face;     /* of the corner */
    int32_t *next;     /* corner of the same face */
    int32_t *previous; /* corner of the same face */
    int32_t *twin;
    int32_t *order; /* all corners, sorted by their edge (lower vertex, upper vertex), so that twins are neighbours */
    void *memory;
} corners;

/* Finds the twins. The vertices of the loops are 0 to vertex_count - 1. The caller releases the corners after ABUT_OK. Returns ABUT_ERROR_NOT_CLOSED when an
 * edge does not have exactly two faces, or both run along it in the same sense; *culprit (unless NULL) is then the first bad corner of the face with the
 * most bad corners. Returns ABUT_ERROR_OUT_OF_MEMORY. */
abut_status corners_make(corners *corners, const loops *loops, int32_t vertex_count, int32_t *culprit);

/* The same for any surface. A corner without a twin gets -1; *open receives the number of these corners. Returns ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status corners_map(corners *corners, const loops *loops, int32_t vertex_count, int32_t *open);

void corners_release(corners *corners);
