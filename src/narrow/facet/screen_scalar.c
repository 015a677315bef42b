/* The kernel of narrow/facet/screen.h, one pair at a time. It runs on every machine and is the reference for the others. */
#define SIMD_LEVEL SIMD_SCALAR
#include "narrow/facet/screen_lanes.h"

void facet_screen_scalar(facet_screen *s) { screen(s); }
