/* The kernel of narrow/facet/screen.h one pair at a time: for any machine, and what the others are compared with. */
#define SIMD_LEVEL SIMD_SCALAR
#include "narrow/facet/screen_lanes.h"

void facet_screen_scalar(facet_screen *s) { screen(s); }
