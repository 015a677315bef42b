/*
 * Contact of two flat facets. The theory of [S14] has none, because two planes have no centres and no contact circle.
 *
 * The contact plane is the plane between the two: it bisects their angle, so that neither is favoured. Let n be its normal, from B into A, with n_b - n_a along
 * it. Both triangles are projected on it. Over their common polygon the overlap is linear, value + tilt . x, with the tilt -(n_a + n_b) / cos(t / 2), where t
 * is the angle between the planes. The surface of A lies half of the overlap below the contact plane, that of B as much above it.
 */
#include "base/real.h"
#include "geom/ramp.h"
#include "narrow/facet/facet.h"
#include "narrow/facet/polygon.h"

/* A point near both facets: the middle between them, or beside the one that is not a whole plane. */
static abut_vec3 between(const facet_side *a, const facet_side *b) {
    return a->corner == NULL ? b->foot : b->corner == NULL ? a->foot : abut_lerp(a->foot, b->foot, 0.5);
}

static uint32_t copy_corners(const planar_point *from, int32_t count, disc_point *to) {
    uint32_t of_b = 0;
    for (int32_t i = 0; i < count; ++i) {
        to[i] = (disc_point){from[i].x, from[i].y};
        of_b |= from[i].side_of_b ? 1U << i : 0U;
    }
    return of_b;
}

abut_facet_contact facet_meet_flat(const facet_side *a, const facet_side *b, abut_vec3 origin) {
    abut_facet_contact c = {.relation = ABUT_FACET_TURNED, .radius = INFINITY};
    double cosine = -abut_dot(a->normal, b->normal);
    if (!(cosine > FACET_LEAST_FACING)) {
        return c;
    }
    double half = sqrt(0.5 * (1.0 + cosine));
    abut_vec3 at = between(a, b);
    c.normal = abut_unit(abut_sub(b->normal, a->normal));
    double height_a = abut_dot(a->normal, abut_sub(at, a->foot)) / half, height_b = -abut_dot(b->normal, abut_sub(at, b->foot)) / half;
    facet_frame f = {.centre = abut_add_scaled(at, 0.5 * (height_a + height_b), c.normal)};
    abut_tangent_frame(c.normal, &f.u, &f.v);
    abut_vec3 tilt = abut_scale(-1.0 / half, abut_add(a->normal, b->normal));
    planar_point corner[8];
    disc_point flat[8];
    c.relation = ABUT_FACET_BESIDE;
    c.corner_count = facet_polygon(a, b, origin, &f, INFINITY, corner);
    c.sides_of_b = copy_corners(corner, c.corner_count, flat);
    c.area = c.corner_count >= 3 ? planar_area(corner, c.corner_count) : 0.0;
    ramp_integrals over = ramp_integrate(flat, c.corner_count, 0, (ramp){height_b - height_a, {abut_dot(tilt, f.u), abut_dot(tilt, f.v)}});
    c.sphere_gap = c.corner_count > 0 ? -over.largest : height_a - height_b;
    if (!(c.area > 0.0) || !(over.whole > 0.0)) {
        return (abut_facet_contact){.relation = c.area > 0.0 ? ABUT_FACET_APART : ABUT_FACET_BESIDE,
                                    .normal = c.normal,
                                    .sphere_gap = c.sphere_gap,
                                    .radius = INFINITY};
    }
    if (facet_is_too_deep(a, over.largest) || facet_is_too_deep(b, over.largest)) {
        return (abut_facet_contact){.relation = ABUT_FACET_ENGULFED, .normal = c.normal, .sphere_gap = c.sphere_gap, .radius = INFINITY};
    }
    double x = over.moment.x / over.whole, y = over.moment.y / over.whole;
    c.relation = ABUT_FACET_CONTACT;
    c.tilt = tilt;
    c.gap = -(height_b - height_a + abut_dot(tilt, f.u) * x + abut_dot(tilt, f.v) * y);
    c.point = c.centre = facet_in_world(&f, origin, x, y);
    c.area_in_circle = over.area;
    for (int32_t i = 0; i < c.corner_count; ++i) {
        c.corner[i] = facet_in_world(&f, origin, corner[i].x, corner[i].y);
    }
    return c;
}
