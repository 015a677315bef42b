/*
 * The functions of abut/math.h that round, for callers who do not have them inline. They are compiled without fused multiply-adds, like the rest of the
 * library, so a caller's flags do not change their bits.
 */

/* The library has these functions inline everywhere else. */
#undef ABUT_INLINE_MATH
#define ABUT_MATH_DEFINITIONS

#include <abut/math.h>

#include <abut/math_inline.h>
