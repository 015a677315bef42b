/* The searches of scan.h; compiled once per instruction set (base/simd.h). */
#include "base/simd.h"
#include "geom/scan.h"

static int32_t farthest(const scan_lanes *lanes, double x, double y, double z) {
    simd dx = simd_set(x), dy = simd_set(y), dz = simd_set(z), step = simd_set(SIMD_WIDTH);
    simd best = simd_set(-INFINITY), index = simd_steps(), at = index;
    for (int32_t i = 0; i < lanes->count; i += SIMD_WIDTH) {
        simd value = simd_add(simd_add(simd_mul(simd_load(lanes->x + i), dx), simd_mul(simd_load(lanes->y + i), dy)),
                              simd_mul(simd_load(lanes->z + i), dz));
        at = simd_select(simd_greater(value, best), index, at);
        best = simd_max(value, best);
        index = simd_add(index, step);
    }
    return simd_first_of_largest(best, at);
}

static int32_t highest(const scan_lanes *lanes, double x, double y, double z) {
    simd px = simd_set(x), py = simd_set(y), pz = simd_set(z), step = simd_set(SIMD_WIDTH);
    simd best = simd_set(-INFINITY), index = simd_steps(), at = index;
    for (int32_t i = 0; i < lanes->count; i += SIMD_WIDTH) {
        simd value = simd_add(simd_add(simd_mul(simd_load(lanes->x + i), px), simd_mul(simd_load(lanes->y + i), py)),
                              simd_mul(simd_load(lanes->z + i), pz));
        value = simd_sub(value, simd_load(lanes->offset + i));
        at = simd_select(simd_greater(value, best), index, at);
        best = simd_max(value, best);
        index = simd_add(index, step);
    }
    return simd_first_of_largest(best, at);
}

static int32_t near_planes(const scan_coarse *planes, float x, float y, float z, float depth, int32_t *found, int32_t capacity) {
    simdf px = simdf_set(x), py = simdf_set(y), pz = simdf_set(z), limit = simdf_set(depth);
    int32_t n = 0;
    for (int32_t i = 0; i < planes->count; i += SIMDF_WIDTH) {
        simdf value = simdf_add(simdf_add(simdf_mul(simdf_load(planes->x + i), px), simdf_mul(simdf_load(planes->y + i), py)),
                                simdf_mul(simdf_load(planes->z + i), pz));
        unsigned bits = simdf_greater_bits(limit, simdf_sub(simdf_load(planes->offset + i), value));
        for (; bits != 0u; bits &= bits - 1u) {
            if (n < capacity) {
                found[n] = i + bits_lowest(bits);
            }
            ++n;
        }
    }
    return n;
}

const scan_table SIMD_VARIANT(scan) = {farthest, highest, near_planes};
