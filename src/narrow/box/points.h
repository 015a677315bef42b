#pragma once

#include <stdatomic.h>

#include "narrow/box/kernel.h"

/*
 * The points of a patch in which faces of two boxes meet, several points at a time, one in each lane of a vector. All instruction sets give the same bits.
 */

/* Both faces, in the reference frame of kernel.h, and that frame in the frame of the contacts. */
typedef struct box_frame {
    double x[3], y[3], out[3];                              /* unit; out points to the incident box */
    double base[3];                                         /* of the reference face's middle, from the centre of the reference box */
    double position[3];                                     /* of that box */
    double normal[3];                                       /* of the contacts */
    double h[2];                                            /* half sizes of the reference face */
    double middle[2], u[2], v[2], across_u[2], across_v[2]; /* the incident face; across_u: unit, across side V, towards U */
    double most_u, most_v;                                  /* how far it reaches along these */
    double shrink;                                          /* of areas: x times this, and y, are coordinates across the normal */
    double weld;                                            /* length */
    double
        clear; /* points whose distance in the reference frame has a larger square are farther apart than the weld distance, on both bodies */
    double of_b; /* 1 when the reference box is B, else 0 */
} box_frame;

/* Where the points lie on a face, a bit for each: within the weld distance of a corner; farther than that from all sides; on the positive side of each
 * coordinate; and at least as near to the sides across the first coordinate as to the others. */
typedef struct box_spots {
    unsigned corner, inside, up[2], nearer;
} box_spots;

enum { BOX_POINT_NUMBERS = 12, BOX_POINT_LANES = 8 /* of the widest vector */ };

typedef struct box_points {
    int32_t count;
    /* x, y and the height of each point in the reference frame and its box_corner, counter-clockwise about the normal: the last point, then all of them from 1
     * on, and then the first one in all other places. */
    const double *point[1 + BOX_PLACES + BOX_POINT_LANES];
    double *row
        [BOX_PLACES]; /* where points go, [12]: on_a, on_b, normal, gap, area, as abut_contact has them; a zero. Those of whole vectors are written */
    /* The kernel fills the rest. */
    box_spots own, incident; /* of the points that are renamed, and maybe of others */
    unsigned renamed; /* bits of the points that have the name of a corner or side within the weld distance, not that of their own place */
    bool close;       /* two points that follow each other are within the weld distance */
} box_points;

typedef void (*box_points_kernel)(const box_frame *frame, box_points *points);

/* The kernel in use; NULL until the first call. */
extern _Atomic(box_points_kernel) box_points_in_use;
box_points_kernel box_points_choose(void);

static inline void box_points_run(const box_frame *frame, box_points *points) {
    box_points_kernel found = atomic_load_explicit(&box_points_in_use, memory_order_relaxed);
    (found != NULL ? found : box_points_choose())(frame, points);
}

/* Those of the build's sets exist. */
void box_points_scalar(const box_frame *frame, box_points *points);
void box_points_sse2(const box_frame *frame, box_points *points);
void box_points_avx2(const box_frame *frame, box_points *points);
void box_points_avx512(const box_frame *frame, box_points *points);
