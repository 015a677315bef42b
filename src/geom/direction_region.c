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

/* Makes the region a rectangle about these corners, along the line from the middle to the farthest one, with corners in the middle of its long sides, too. */
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
    const double x[6] = {high[0], 0.0, low[0], low[0], 0.0, high[0]};
    region->count = 6;
    for (int i = 0; i < 6; ++i) {
        region->corner[i] = abut_unit(abut_add_scaled(abut_add_scaled(mean, x[i], u), i < 3 ? high[1] : low[1], v));
    }
}

/* The corners that a cut leaves. A thin region's corners lie on both sides of a plane as rounding error likes, so a cut may cross every side. */
typedef struct cut_corners {
    abut_vec3 corner[2 * DIRECTION_REGION_MOST + 1];
    int32_t count;
} cut_corners;

/* Splits the side after a corner, if it is longer than a right angle, at its point next to the pole. A side whose ends are nearly opposite would say little
 * about where it is. The side lies in the plane of a cut. */
static void split_side(cut_corners *kept, int32_t after, abut_vec3 pole, abut_vec3 plane, abut_vec3 through) {
    const double square = abut_length_squared(plane), near = 1e-3; /* a plane that is farther from the pole leaves next to nothing */
    abut_vec3 from = kept->corner[after], to = kept->corner[after + 1 < kept->count ? after + 1 : 0];
    abut_vec3 foot = abut_add_scaled(pole, -abut_dot(plane, pole) / square, plane);
    if (abut_dot(from, to) >= 0.0 || !(abut_length(foot) > near)) {
        return;
    }
    for (int32_t i = kept->count++; i > after + 1; --i) {
        kept->corner[i] = kept->corner[i - 1];
    }
    kept->corner[after + 1] = abut_unit(abut_add_scaled(abut_unit(foot), abut_dot(plane, through) / square, plane));
}

/* Returns the last corner before the new side; -1 when there is none. */
static int32_t keep_side(const direction_region *region, abut_vec3 plane, abut_vec3 through, cut_corners *kept) {
    double before = abut_dot(plane, abut_sub(region->corner[region->count - 1], through));
    int32_t last = -1;
    bool wraps = false;
    kept->count = 0;
    for (int32_t i = 0; i < region->count; ++i) {
        abut_vec3 from = region->corner[i > 0 ? i - 1 : region->count - 1], to = region->corner[i];
        double here = abut_dot(plane, abut_sub(to, through));
        if ((before < 0.0 && here > 0.0) || (before > 0.0 && here < 0.0)) {
            kept->corner[kept->count++] = abut_unit(abut_add(abut_scale(fabs(here), from), abut_scale(fabs(before), to)));
        }
        if (here >= 0.0) {
            kept->corner[kept->count++] = to;
        } else if (before >= 0.0) {
            last = kept->count - 1;
            wraps = last < 0; /* it is the region's last corner, on the plane */
        }
        before = here;
    }
    return wraps ? kept->count - 1 : last;
}

bool direction_region_cut(direction_region *region, abut_vec3 plane, abut_vec3 through) {
    cut_corners kept;
    int32_t last = keep_side(region, plane, through, &kept);
    if (kept.count == 0) {
        return false;
    }
    if (last >= 0) {
        split_side(&kept, last, region->pole, plane, through);
    }
    if (kept.count > DIRECTION_REGION_MOST - 2) {
        enclose(kept.corner, kept.count, region);
        return true;
    }
    for (int32_t i = 0; i < kept.count; ++i) {
        region->corner[i] = kept.corner[i];
    }
    region->count = kept.count;
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
