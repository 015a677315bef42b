#pragma once

#include "geom/packed_tree.h"

/*
 * Tests of the boxes of a packed_tree, all axes at once. Tested one number after another, the comparisons cannot be predicted by the
 * processor. The operations and their order are the same as in the scalar code. PACKED_LANES is not defined where the machine has no
 * vectors or ABUT_SCALAR is set.
 */

#if defined(__SSE2__) && !defined(ABUT_SCALAR)
#define PACKED_LANES 1

#include <immintrin.h>

/* The corners of a box, which are six consecutive numbers. The fourth lane is ignored. The upper corner is not loaded from its own address:
 * the memory behind it need not be a number. */
static inline __m128 packed_lower(const float *box) { return _mm_loadu_ps(box); }

static inline __m128 packed_upper(const float *box) {
    __m128 upper = _mm_loadu_ps(box + 2);
    return _mm_shuffle_ps(upper, upper, _MM_SHUFFLE(3, 3, 2, 1));
}

#endif
