/* The searches of scan.h eight numbers at a time. */
#include "base/instruction_set.h"

#if SIMD_HAS_WIDE_VECTORS
#include "base/simd_begin_avx512.h"

#include "geom/scan_kernels.h"

const scan_table scan_avx512 = SCAN_TABLE;

#include "base/simd_end.h"
#else
typedef int scan_avx512_is_left_out; /* a file must declare something */
#endif
