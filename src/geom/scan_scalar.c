/* The searches of scan.h one number at a time: for any machine, and what the others are compared with. */
#define SIMD_LEVEL SIMD_SCALAR
#include "geom/scan_kernels.h"

const scan_table scan_scalar = SCAN_TABLE;
