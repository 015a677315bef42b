#pragma once

#include <stdatomic.h>
#include <stddef.h>

#include <abut/math.h>

#include "base/instruction_set.h"

/*
 * Searches through many points or planes, several at a time. Answers are the same on every machine: the instruction set is chosen when the
 * program runs and changes the time only (base/simd.h).
 */

/* Lanes are padded to a multiple of this. */
enum { SCAN_PAD = 8 };

static inline int32_t scan_padded(int32_t count) { return (count + SCAN_PAD - 1) / SCAN_PAD * SCAN_PAD; }

/* Vectors by coordinate: [scan_padded(count)] each, padded with copies of the first one. Planes have an offset in addition. */
typedef struct scan_lanes {
    const double *x, *y, *z;
    const double *offset; /* of the plane (x, y, z) . p = offset; may be NULL for points */
    int32_t count;        /* padded count */
} scan_lanes;

/* Planes in single precision, half the memory to read. The search may find too many. */
typedef struct scan_coarse {
    const float *x, *y, *z, *offset; /* [count] each */
    int32_t count;                   /* padded to a multiple of SCAN_COARSE_PAD with planes that are infinitely far away */
} scan_coarse;

enum { SCAN_COARSE_PAD = 16 };

static inline int32_t scan_coarse_padded(int32_t count) { return (count + SCAN_COARSE_PAD - 1) / SCAN_COARSE_PAD * SCAN_COARSE_PAD; }

/* The searches of one instruction set. A vector is passed as three numbers, which travel in registers. */
typedef struct scan_table {
    int32_t (*farthest)(const scan_lanes *lanes, double x, double y, double z);
    int32_t (*highest)(const scan_lanes *lanes, double x, double y, double z);
    int32_t (*near_planes)(const scan_coarse *planes, float x, float y, float z, float depth, int32_t *found, int32_t capacity);
} scan_table;

/* The table in use; NULL until the first search. */
extern const scan_table *_Atomic scan_in_use;
const scan_table *scan_choose(void);

static inline const scan_table *scan_searches(void) {
    const scan_table *found = atomic_load_explicit(&scan_in_use, memory_order_relaxed);
    return found != NULL ? found : scan_choose();
}

/* The vector with the largest (x, y, z) . d; among equals the lowest index. */
static inline int32_t scan_farthest(const scan_lanes *lanes, abut_vec3 d) { return scan_searches()->farthest(lanes, d.x, d.y, d.z); }

/* The plane with the largest signed distance of p, (x, y, z) . p - offset; among equals the lowest index. */
static inline int32_t scan_highest(const scan_lanes *lanes, abut_vec3 p) { return scan_searches()->highest(lanes, p.x, p.y, p.z); }

/* A point that asks for planes, rounded to single precision. */
typedef struct scan_probe {
    float x, y, z;
} scan_probe;

static inline scan_probe scan_probe_of(abut_vec3 p) { return (scan_probe){(float)p.x, (float)p.y, (float)p.z}; }

/* What to compare with in single precision, instead of `depth`. Offsets, points and depth must be of magnitude 1; `reach` is the largest sum of the absolute
 * coordinates of a point that asks. */
static inline float scan_depth_of(double depth, double reach) {
    const double rounding = 1e-6; /* about sixteen half units of single precision */
    return (float)(depth + rounding * (1.0 + depth + reach));
}

/* Whether offset - (x, y, z) . p < depth: p lies above the plane, or below it by less than `depth`. It may also be true for a plane that is farther by the
 * rounding error of single precision. */
static inline bool scan_is_near(const scan_coarse *planes, int32_t index, const scan_probe *p, float depth) {
    float height = planes->x[index] * p->x + planes->y[index] * p->y + planes->z[index] * p->z;
    return !(depth <= planes->offset[index] - height); /* also where numbers overflow */
}

/* All planes that are near. Ascending indices; at most `capacity` are written. Returns the number of planes found. */
static inline int32_t scan_near(const scan_coarse *planes, const scan_probe *p, float depth, int32_t *index, int32_t capacity) {
    return scan_searches()->near_planes(planes, p->x, p->y, p->z, depth, index, capacity);
}

/* For tests, and for programs that must fix the instruction set: uses this set from now on. If the set is missing, returns false and
 * changes nothing. */
bool scan_use(instruction_set set);

extern const scan_table scan_scalar, scan_sse2, scan_avx2, scan_avx512; /* those of the build's sets exist */
