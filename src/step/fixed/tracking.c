/* The cache of four witness points. */
#include "step/fixed/tracking.h"

#include "base/real.h"

/* A point is dropped when its two sides have drifted apart along the surface by more than this, relative to the smaller shape's size. A new point replaces
 * an old point that is closer than this. */
static const double drift_limit = 1e-2;

static void refresh(tracking_cache *cache, abut_pose a, abut_pose b, double margin, double limit) {
    int32_t kept = 0;
    for (int32_t i = 0; i < cache->count; i++) {
        tracking_point point = cache->points[i];
        point.contact.on_a = abut_pose_apply(a, point.local_a);
        point.contact.on_b = abut_pose_apply(b, point.local_b);
        abut_vec3 apart = abut_sub(point.contact.on_a, point.contact.on_b);
        point.contact.gap = abut_dot(point.contact.normal, apart);
        double drift = abut_length(abut_add_scaled(apart, -point.contact.gap, point.contact.normal));
        if (point.contact.gap <= margin && drift <= limit) {
            cache->points[kept++] = point;
        }
    }
    cache->count = kept;
}

static const abut_contact *deepest_of(const abut_contact *found, int32_t count) {
    const abut_contact *deepest = found;
    for (int32_t i = 1; i < count; i++) {
        deepest = found[i].gap < deepest->gap ? &found[i] : deepest;
    }
    return deepest;
}

/* The remembered point nearest to local_a on A, no further away than the limit; -1 for none. */
static int32_t find_same(const tracking_cache *cache, abut_vec3 local_a, double limit) {
    int32_t same = -1;
    for (int32_t i = 0; i < cache->count; i++) {
        double distance = abut_distance_between(cache->points[i].local_a, local_a);
        if (distance <= limit) {
            limit = distance;
            same = i;
        }
    }
    return same;
}

/* Twice the area of the largest of the three quadrilaterals with these corners: the length of the cross product of the diagonals. */
static double spread_of(const abut_vec3 p[4]) {
    double first = abut_length(abut_cross(abut_sub(p[0], p[1]), abut_sub(p[2], p[3])));
    double second = abut_length(abut_cross(abut_sub(p[0], p[2]), abut_sub(p[1], p[3])));
    double third = abut_length(abut_cross(abut_sub(p[0], p[3]), abut_sub(p[1], p[2])));
    return real_max_number(first, real_max_number(second, third));
}

/* The index of the point, of four remembered points, that a fifth point replaces: never the deepest point, otherwise the one whose replacement gives the
 * largest spread. */
static int32_t choose_displaced(const tracking_cache *cache, const tracking_point *fifth) {
    int32_t deepest = -1, displaced = -1;
    double gap = fifth->contact.gap, most = -1.0;
    for (int32_t i = 0; i < TRACKING_POINTS; i++) {
        if (cache->points[i].contact.gap < gap) {
            gap = cache->points[i].contact.gap;
            deepest = i;
        }
    }
    for (int32_t i = 0; i < TRACKING_POINTS; i++) {
        abut_vec3 p[TRACKING_POINTS];
        for (int32_t k = 0; k < TRACKING_POINTS; k++) {
            p[k] = k == i ? fifth->local_a : cache->points[k].local_a;
        }
        double spread = spread_of(p);
        if (i != deepest && spread > most) {
            most = spread;
            displaced = i;
        }
    }
    return displaced >= 0 ? displaced : 0;
}

static void add(tracking_cache *cache, abut_pose a, abut_pose b, const abut_contact *contact, double limit) {
    tracking_point point = {*contact, abut_pose_apply_inverse(a, contact->on_a), abut_pose_apply_inverse(b, contact->on_b)};
    int32_t at = find_same(cache, point.local_a, limit);
    if (at >= 0) {
        point.contact.id = cache->points[at].contact.id;
    } else {
        point.contact.id = ++cache->made;
        at = cache->count < TRACKING_POINTS ? cache->count++ : choose_displaced(cache, &point);
    }
    cache->points[at] = point;
}

int32_t tracking_update(tracking_cache *cache, abut_pose a, abut_pose b, const abut_contact *found, int32_t found_count, double margin,
                        double size, abut_contact *contacts) {
    refresh(cache, a, b, margin, drift_limit * size);
    if (found_count > 0) {
        add(cache, a, b, deepest_of(found, found_count), drift_limit * size);
    }
    for (int32_t i = 0; i < cache->count; i++) {
        contacts[i] = cache->points[i].contact;
        contacts[i].patch = i;
        contacts[i].area = 0.0;
    }
    return cache->count;
}
