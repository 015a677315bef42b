#pragma once

#include <stdatomic.h>

#include "base/instruction_set.h"
#include "narrow/normal/box_sat.h"

/*
 * The overlap of two boxes along their fifteen axes, three axes in the lanes of a vector. box_sat.c says what the axes are and picks one. All instruction sets
 * give the same bits.
 */

enum { BOX_FACE_AXES = 6, BOX_EDGE_AXES = 9 };

/* Square of the sine below which two edges count as parallel. The face normals are then enough. */
#define BOX_PARALLEL 1e-18

/* Face axes are 0 to 2 of A and 3 to 5 of B. The cross product of A's axis i and B's axis j is edge axis 3 i + j. Vectors write one number more than they
 * mean. */
typedef struct box_axes {
    double t_b[4];                         /* the centre of B along B's axes */
    double deep[BOX_FACE_AXES + 1];        /* overlap along the face normals */
    double square[BOX_EDGE_AXES + 1];      /* squared length of the cross products */
    double towards[BOX_EDGE_AXES + 1];     /* the centre of B along them, times their length */
    double deep_across[BOX_EDGE_AXES + 1]; /* overlap along them, times their length */
    double least;                          /* of the overlaps along face normals */
    unsigned separating;                   /* bits of the edge axes that separate the boxes, beyond rounding error */
    unsigned shallow;                      /* bits of the edge axes that may be no deeper than the least face, and of some others */
} box_axes;

/* Fills *axes. rounding: of an overlap. Where the least overlap along a face normal is below -apart, nothing about edges is filled. */
typedef void (*box_axes_kernel)(const box_placement *where, double rounding, double apart, box_axes *axes);

/* The kernel in use; NULL until the first call. */
extern _Atomic(box_axes_kernel) box_axes_in_use;
box_axes_kernel box_axes_choose(void);

static inline void box_axes_find(const box_placement *where, double rounding, double apart, box_axes *axes) {
    box_axes_kernel found = atomic_load_explicit(&box_axes_in_use, memory_order_relaxed);
    (found != NULL ? found : box_axes_choose())(where, rounding, apart, axes);
}

/* For tests and benchmarks: selects an instruction set. False, without effect, if the machine does not have it. */
bool box_axes_use(instruction_set set);

/* Those of the build's sets exist. */
void box_axes_scalar(const box_placement *where, double rounding, double apart, box_axes *axes);
void box_axes_sse2(const box_placement *where, double rounding, double apart, box_axes *axes);
void box_axes_avx2(const box_placement *where, double rounding, double apart, box_axes *axes);
void box_axes_avx512(const box_placement *where, double rounding, double apart, box_axes *axes);
