#pragma once

#include "geom/scan.h"

/* The searches of one instruction set. */
typedef struct scan_table {
    int32_t (*farthest)(const scan_lanes *lanes, abut_vec3 d);
    int32_t (*highest)(const scan_lanes *lanes, abut_vec3 p);
    int32_t (*near_planes)(const scan_lanes *lanes, abut_vec3 p, double depth, int32_t count, int32_t *found, int32_t capacity);
} scan_table;

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
