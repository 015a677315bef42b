/* A block: one patch in every lane. Included where SIMD_LEVEL is defined. */
#pragma once

#include "solve/wide/kernel.h"
#include "solve/wide/lanes.h"

/* Vectors of a patch are in its frame (tangent 0, tangent 1, normal), at the middle of its points. */

typedef struct wide_point {
    lanes_column x, y; /* position on the patch */
    lanes_column gap;  /* at the begin of the step */
    lanes_column load; /* normal impulse of a substep */
    lanes_column mean; /* slow mean of the load; negative where the load is not damped */
    lanes_column sum;  /* of the impulses of the step so far */
} wide_point;

typedef struct wide_block {
    int32_t a[SIMD_WIDTH], b[SIMD_WIDTH];       /* rows of the bodies */
    int32_t to_a[SIMD_WIDTH], to_b[SIMD_WIDTH]; /* the same; -1 for bodies that do not move: several threads may read their rows */
    int32_t source[SIMD_WIDTH];                 /* -1 for idle lanes */
    int32_t unused[SIMD_WIDTH];                 /* columns begin at a multiple of their size, so none crosses a line of the cache */
    lanes_column count;                         /* of points; 0 for idle lanes */
    lanes_column fresh;                         /* guesses of a patch whose contacts are all new, else 0 */
    lanes_column beyond;                        /* factor of the changes of the first of these guesses */
    lanes_column deep;                          /* 1 for a patch of a set in which a contact is deep, else 0 */
    lanes_column inverse_count, inverse_spread[2];
    lanes_column normal[3], tangent[3];
    lanes_column arm_a[3], arm_b[3];                         /* from the centres of mass to the middle */
    lanes_column round_a, round_b;                           /* how far behind the surface the anchors of round shapes are */
    lanes_column mass_a, mass_b, inertia_a[6], inertia_b[6]; /* inverses */
    lanes_column pressing[6];                                /* change of (velocity n, spin 0, spin 1) by (force n, moment 0, moment 1) */
    lanes_column coupling[9];                                /* of the same by (force 0, force 1, moment n), row by row */
    lanes_column inverse_pressing[6], inverse_sliding[6];
    lanes_column friction, reach; /* coefficient; mean distance of the points from the middle */
    lanes_column held[3];         /* friction of a substep: force 0, force 1, moment n */
    lanes_column held_sum[3];
    lanes_column held_mean[3]; /* to which it is damped: friction of the step before, or the guess */
    lanes_column residual;     /* speed by which the closing pass has changed v_n */
    wide_point point[];
} wide_block;

static inline size_t wide_block_size(int32_t points) { return sizeof(wide_block) + (size_t)points * sizeof(wide_point); }

static inline wide_block *wide_block_of(const wide_task *task, const wide_run *run, int32_t index) {
    return (wide_block *)(void *)(task->blocks + run->at + (size_t)index * wide_block_size(run->points));
}
