#include "geom/direction_region.h"

#include "base/real.h"

void direction_region_start(direction_region *region, abut_vec3 pole) {
    const double far = 1e9; /* the tangent of the angle to a side */
    abut_vec3 u, v;
    abut_tangent_frame(pole, &u, &v);
    region->pole = pole;
    region->count = 4;
    for (int i = 0; i < 4; ++i) {
        double x = i == 0 || i == 3 ? far : -far, y = i < 2 ? far : -far;
        region->corner[i] = abut_unit(abut_add_scaled(abut_add_scaled(pole, x, u), y, v));
    }
}

static abut_vec3 mean_of(const abut_vec3 *corner, int32_t count) {
    abut_vec3 sum = abut_vec3_make(0.0, 0.0, 0.0);
    for (int32_t i = 0; i < count; ++i) {
        sum = abut_add(sum, corner[i]);
    }
    return abut_unit(sum);
}

static abut_vec3 farthest_from(abut_vec3 mean, const abut_vec3 *corner, int32_t count) {
    abut_vec3 along = abut_vec3_make(0.0, 0.0, 0.0);
    for (int32_t i = 0; i < count; ++i) {
        abut_vec3 away = abut_sub(corner[i], mean);
        along = abut_length_squared(away) > abut_length_squared(along) ? away : along;
    }
    return along;
}

/* Makes the region a rectangle about these corners, along the line from the middle to the farthest one. */
static void enclose(const abut_vec3 *corner, int32_t count, direction_region *region) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    abut_vec3 mean = mean_of(corner, count), along = farthest_from(mean, corner, count);
    abut_vec3 u = abut_unit(abut_add_scaled(along, -abut_dot(along, mean), mean)), v = abut_cross(mean, u);
    for (int32_t i = 0; i < count; ++i) {
        double scale = 1.0 / abut_dot(mean, corner[i]), x = scale * abut_dot(u, corner[i]), y = scale * abut_dot(v, corner[i]);
        low[0] = real_min(low[0], x);
        high[0] = real_max(high[0], x);
        low[1] = real_min(low[1], y);
        high[1] = real_max(high[1], y);
    }
    region->count = 4;
    for (int i = 0; i < 4; ++i) {
        double x = i == 0 || i == 3 ? high[0] : low[0], y = i < 2 ? high[1] : low[1];
        region->corner[i] = abut_unit(abut_add_scaled(abut_add_scaled(mean, x, u), y, v));
    }
}

/* A thin region's corners lie on both sides of a plane as rounding error likes, so a cut may cross every side. */
bool direction_region_cut(direction_region *region, abut_vec3 plane, abut_vec3 through) {
    abut_vec3 kept[2 * DIRECTION_REGION_MOST];
    int32_t count = 0;
    double before = abut_dot(plane, abut_sub(region->corner[region->count - 1], through));
    for (int32_t i = 0; i < region->count; ++i) {
        abut_vec3 from = region->corner[i > 0 ? i - 1 : region->count - 1], to = region->corner[i];
        double here = abut_dot(plane, abut_sub(to, through));
        if ((before < 0.0 && here > 0.0) || (before > 0.0 && here < 0.0)) {
            kept[count++] = abut_unit(abut_add(abut_scale(fabs(here), from), abut_scale(fabs(before), to)));
        }
        if (here >= 0.0) {
            kept[count++] = to;
        }
        before = here;
    }
    if (count == 0) {
        return false;
    }
    if (count > DIRECTION_REGION_MOST - 2) {
        enclose(kept, count, region);
        return true;
    }
    for (int32_t i = 0; i < count; ++i) {
        region->corner[i] = kept[i];
    }
    region->count = count;
    return true;
}

/* The centre of gravity in the tangent plane of a direction in the region. Small differences of corners keep their digits. */
abut_vec3 direction_region_centre(const direction_region *region) {
    abut_vec3 mean = mean_of(region->corner, region->count), first = region->corner[0], sum = abut_vec3_make(0.0, 0.0, 0.0);
    double least = INFINITY, whole = 0.0;
    for (int32_t i = 0; i < region->count; ++i) {
        least = real_min(least, abut_dot(mean, region->corner[i]));
    }
    abut_vec3 pole = least > 0.1 ? mean : region->pole;
    first = abut_scale(1.0 / abut_dot(first, pole), first);
    for (int32_t i = 1; i + 1 < region->count; ++i) {
        abut_vec3 p = region->corner[i], q = region->corner[i + 1];
        p = abut_sub(abut_scale(1.0 / abut_dot(p, pole), p), first);
        q = abut_sub(abut_scale(1.0 / abut_dot(q, pole), q), first);
        double area = fabs(abut_dot(pole, abut_cross(p, q)));
        sum = abut_add_scaled(sum, area, abut_add(p, q));
        whole += area;
    }
    return whole > 0.0 ? abut_unit(abut_add_scaled(first, 1.0 / (3.0 * whole), sum)) : mean;
}

void direction_region_halve(const direction_region *region, abut_vec3 centre, direction_region half[2]) {
    abut_vec3 along = farthest_from(centre, region->corner, region->count);
    half[0] = half[1] = *region;
    along = abut_add_scaled(along, -abut_dot(along, centre), centre);
    (void)direction_region_cut(&half[0], along, centre);
    (void)direction_region_cut(&half[1], abut_neg(along), centre);
}

double direction_region_radius(const direction_region *region, abut_vec3 direction) {
    double farthest = 0.0;
    for (int32_t i = 0; i < region->count; ++i) {
        farthest = real_max(farthest, abut_length(abut_sub(region->corner[i], direction)));
    }
    return farthest;
}
