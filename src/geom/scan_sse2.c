/* The searches of scan.h two numbers at a time: every x86-64 has SSE2. */
#include "base/instruction_set.h"

#if SIMD_HAS_VECTORS
#define SIMD_LEVEL SIMD_SSE2
#include "geom/scan_kernels.h"

const scan_table scan_sse2 = SCAN_TABLE;
#else
typedef int scan_sse2_is_left_out; /* a file must declare something */
#endif
