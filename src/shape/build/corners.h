#pragma once

#include <abut/base.h>

/*
 * Who borders on whom in a surface given by the loops of its faces. Corner c stands for the directed edge from its own vertex to that of
 * the next corner of its face; in a closed, consistently wound surface every corner has a twin that runs along the same edge against it.
 */

typedef struct loops {
    int32_t face_count;
    int32_t *first;  /* [face_count + 1] into vertex; NULL when all faces are triangles */
    int32_t *vertex; /* counter-clockwise seen from outside */
    int32_t *origin; /* [face_count] where the face comes from; the owner's affair, may be NULL */
} loops;

typedef struct corners {
    int32_t count;
    int32_t *face;     /* of the corner */
    int32_t *next;     /* corner of the same face */
    int32_t *previous; /* corner of the same face */
    int32_t *twin;
    int32_t *order; /* all corners, sorted by their edge (lower vertex, upper vertex): twins are neighbours */
    void *memory;
} corners;

/* Vertices of the loops are 0 to vertex_count - 1. Release the corners when ABUT_OK comes back. ABUT_ERROR_NOT_CLOSED when an edge has
 * other than two faces or they run along it in the same sense; *culprit (unless NULL) is then the first bad corner of the face that has
 * most of them. ABUT_ERROR_OUT_OF_MEMORY. */
abut_status corners_make(corners *corners, const loops *loops, int32_t vertex_count, int32_t *culprit);

/* The same of any surface: a corner without a twin has -1 for it; *open receives their number. ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status corners_map(corners *corners, const loops *loops, int32_t vertex_count, int32_t *open);

void corners_release(corners *corners);
