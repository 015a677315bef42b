#include "shape/bounds.h"

#include "base/real.h"

abut_aabb bounds_join(abut_aabb a, abut_aabb b) {
    return (abut_aabb){{real_least(a.lower.x, b.lower.x), real_least(a.lower.y, b.lower.y), real_least(a.lower.z, b.lower.z)},
                       {real_most(a.upper.x, b.upper.x), real_most(a.upper.y, b.upper.y), real_most(a.upper.z, b.upper.z)}};
}

abut_aabb bounds_of_points(const abut_vec3 *points, int32_t count) {
    abut_aabb bounds = bounds_empty();
    for (int32_t i = 0; i < count; i++) {
        bounds_include(&bounds, points[i]);
    }
    return bounds;
}

double bounds_extent(abut_aabb bounds) {
    abut_vec3 extent = abut_sub(bounds.upper, bounds.lower);
    return real_most(extent.x, real_most(extent.y, extent.z));
}
