#pragma once

#include "geom/scan.h"

/* The searches that a build has (base/instruction_set.h). */

extern const scan_table scan_scalar;
#if SIMD_HAS_VECTORS
extern const scan_table scan_sse2, scan_avx2, scan_avx512;
#endif
