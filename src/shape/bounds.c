#include "shape/bounds.h"

#include "base/real.h"

abut_aabb bounds_join(abut_aabb a, abut_aabb b) {
    return (abut_aabb){
        {real_min_number(a.lower.x, b.lower.x), real_min_number(a.lower.y, b.lower.y), real_min_number(a.lower.z, b.lower.z)},
        {real_max_number(a.upper.x, b.upper.x), real_max_number(a.upper.y, b.upper.y), real_max_number(a.upper.z, b.upper.z)}};
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
    return real_max_number(extent.x, real_max_number(extent.y, extent.z));
}
