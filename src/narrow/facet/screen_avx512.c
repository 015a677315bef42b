/* The kernel of narrow/facet/screen.h, eight pairs at a time. */
#include "base/instruction_set.h"

#if SIMD_HAS_WIDE_VECTORS
#include "base/simd_begin_avx512.h"

#include "narrow/facet/screen_lanes.h"

void facet_screen_avx512(facet_screen *s) { screen(s); }

#include "base/simd_end.h"
#else
typedef int facet_screen_avx512_is_left_out; /* ISO C forbids an empty source file */
#endif
