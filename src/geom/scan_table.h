#pragma once

#include "geom/scan.h"

/* The searches that a build has. */

/* x86-64 has several, and the compiler makes them all. Elsewhere, and with ABUT_SCALAR, there is the plain one. */
#if (defined(__x86_64__) && defined(__GNUC__)) && !defined(ABUT_SCALAR)
#define SCAN_HAS_VECTORS 1
#else
#define SCAN_HAS_VECTORS 0
#endif

extern const scan_table scan_scalar;
#if SCAN_HAS_VECTORS
extern const scan_table scan_sse2, scan_avx2, scan_avx512;
#endif
