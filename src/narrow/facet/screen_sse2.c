/* The kernel of narrow/facet/screen.h, two pairs at a time. Every x86-64 has SSE2. */
#include "base/instruction_set.h"

#if SIMD_HAS_VECTORS
#define SIMD_LEVEL SIMD_SSE2
#include "narrow/facet/screen_lanes.h"

void facet_screen_sse2(facet_screen *s) { screen(s); }
#else
typedef int facet_screen_sse2_is_left_out; /* a file must declare something */
#endif
