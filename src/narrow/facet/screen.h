#pragma once

#include <stdatomic.h>

#include "base/instruction_set.h"
#include "shape/facet/side.h"

/*
 * Eight pairs of rounded triangles at a time, up to where their corners are needed: their spheres, how these lie to each other, and whether the triangles,
 * seen along the axis, are clear of each other or of the contact circle. Where a pair is found not to touch, all numbers of its answer are those of
 * facet_meet() to the bit, whatever the instruction set; of the others those of facet_make_side() are.
 */

enum { FACET_SCREEN_PAIRS = 8, FACET_SCREEN_A = 0, FACET_SCREEN_B = 1 };

/* As facet_side, seen from the first corner of A. */
typedef struct facet_screen_side {
    double corner[3][3][FACET_SCREEN_PAIRS]; /* [corner][axis] in the caller's frame: to be set, */
    double given[FACET_SCREEN_PAIRS];        /* and the facet's own radius */
    double normal[3][FACET_SCREEN_PAIRS], foot[3][FACET_SCREEN_PAIRS], centre[3][FACET_SCREEN_PAIRS];
    double radius[FACET_SCREEN_PAIRS], foot_radius[FACET_SCREEN_PAIRS], height[FACET_SCREEN_PAIRS];
} facet_screen_side;

/* What is said of a pair, a bit for each. Without any, facet_meet() is to be asked with the sides as they are here. */
typedef struct facet_screen {
    facet_screen_side side[2];
    double normal[3][FACET_SCREEN_PAIRS], overlap[FACET_SCREEN_PAIRS], radius[FACET_SCREEN_PAIRS]; /* of the contact */
    unsigned odd;    /* something about it is not as usual, a flat triangle among others: nothing here counts for it */
    unsigned apart;  /* ABUT_FACET_APART */
    unsigned turned; /* ABUT_FACET_TURNED */
    unsigned beside; /* ABUT_FACET_BESIDE; others may be, too */
} facet_screen;

typedef void (*facet_screen_kernel)(facet_screen *s);

/* That in use; NULL until somebody asks. */
extern _Atomic(facet_screen_kernel) facet_screen_in_use;
facet_screen_kernel facet_screen_choose(void);

static inline void facet_screen_run(facet_screen *s) {
    facet_screen_kernel found = atomic_load_explicit(&facet_screen_in_use, memory_order_relaxed);
    (found != NULL ? found : facet_screen_choose())(s);
}

/* For tests and benchmarks: use an instruction set from now on; false, and nothing changes, when it is not there. */
bool facet_screen_use(instruction_set set);

void facet_screen_scalar(facet_screen *s);
#if SIMD_HAS_VECTORS
void facet_screen_sse2(facet_screen *s);
void facet_screen_avx2(facet_screen *s);
void facet_screen_avx512(facet_screen *s);
#endif
