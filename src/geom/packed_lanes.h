#pragma once

#include "geom/packed_tree.h"

/*
 * The boxes of a packed_tree, all axes at once: one number after the other, a processor cannot guess which way the comparisons go. The same
 * operations in the same order as without. Where there are none, or ABUT_SCALAR is set, PACKED_LANES is not.
 */

#if defined(__SSE2__) && !defined(ABUT_SCALAR)
#define PACKED_LANES 1

#include <immintrin.h>

/* Corners of a box, its six numbers one after the other; what is in the fourth place is of no account. The upper one is not read from
 * where it is: what comes behind need not be a number. */
static inline __m128 packed_lower(const float *box) { return _mm_loadu_ps(box); }

static inline __m128 packed_upper(const float *box) {
    __m128 upper = _mm_loadu_ps(box + 2);
    return _mm_shuffle_ps(upper, upper, _MM_SHUFFLE(3, 3, 2, 1));
}

#endif
