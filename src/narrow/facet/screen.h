#pragma once

#include <stdatomic.h>

#include "base/instruction_set.h"
#include "shape/facet/side.h"

/*
 * Screens eight pairs of rounded triangles at a time: their spheres, the overlap of these, and whether the triangles, projected along the
 * axis, are clear of each other or of the contact circle. For a pair found not to touch, the result equals that of facet_meet() to the bit,
 * with every instruction set. For other pairs, the sides equal those of facet_make_side() to the bit.
 */

enum { FACET_SCREEN_PAIRS = 8, FACET_SCREEN_A = 0, FACET_SCREEN_B = 1 };

/* Like facet_side, relative to the first corner of A. */
typedef struct facet_screen_side {
    double corner[3][3][FACET_SCREEN_PAIRS]; /* input: [corner][axis] in the caller's frame */
    double given[FACET_SCREEN_PAIRS];        /* input: the facet's own radius of curvature */
    double normal[3][FACET_SCREEN_PAIRS], foot[3][FACET_SCREEN_PAIRS], centre[3][FACET_SCREEN_PAIRS];
    double radius[FACET_SCREEN_PAIRS], foot_radius[FACET_SCREEN_PAIRS], height[FACET_SCREEN_PAIRS];
} facet_screen_side;

/* The result: one bit per pair in each mask. For a pair without any bit, call facet_meet() with the sides given here. */
typedef struct facet_screen {
    facet_screen_side side[2];
    double normal[3][FACET_SCREEN_PAIRS], overlap[FACET_SCREEN_PAIRS], radius[FACET_SCREEN_PAIRS]; /* of the contact */
    unsigned odd;    /* an unusual case, for example a flat triangle: nothing here is valid for it */
    unsigned apart;  /* ABUT_FACET_APART */
    unsigned turned; /* ABUT_FACET_TURNED */
    unsigned beside; /* ABUT_FACET_BESIDE; the screen does not find all such pairs */
} facet_screen;

typedef void (*facet_screen_kernel)(facet_screen *s);

/* The kernel in use; NULL until the first call. */
extern _Atomic(facet_screen_kernel) facet_screen_in_use;
facet_screen_kernel facet_screen_choose(void);

static inline void facet_screen_run(facet_screen *s) {
    facet_screen_kernel found = atomic_load_explicit(&facet_screen_in_use, memory_order_relaxed);
    (found != NULL ? found : facet_screen_choose())(s);
}

/* For tests and benchmarks: selects an instruction set. False, without effect, if the machine does not have it. */
bool facet_screen_use(instruction_set set);

/* Those of the build's sets exist. */
void facet_screen_scalar(facet_screen *s);
void facet_screen_sse2(facet_screen *s);
void facet_screen_avx2(facet_screen *s);
void facet_screen_avx512(facet_screen *s);
