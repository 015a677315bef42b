/*
 * The load of the contacts of two surfaces. In area mode, a contact bears the part of its disc inside its polygon: the integrals of
 * sqrt(1 - r^2 / a^2) and of its inverse over polygon and disc, and of both times the position, in closed form (geom/disc.h). The force of
 * a contact therefore acts at its centre of pressure, and the shares of polygons that tile a disc add up to 1.
 */
#include <math.h>

#include "base/real.h"
#include "geom/disc.h"
#include "solve/pressure/pressure.h"

static abut_vec3 in_plane(abut_vec3 u, abut_vec3 v, double factor, disc_point p) {
    return abut_add(abut_scale(factor * p.x, u), abut_scale(factor * p.y, v));
}

pressure_share pressure_share_of(const abut_facet_contact *contact, double radius) {
    pressure_share share = {.dome = 1.0, .brim = 1.0, .area = REAL_PI * radius * radius};
    if (contact->corner_count == 0) {
        return share; /* two whole surfaces */
    }
    /* In units of the disc's radius. */
    disc_point corner[6];
    abut_vec3 u, v;
    abut_tangent_frame(contact->normal, &u, &v);
    for (int32_t i = 0; i < contact->corner_count; ++i) {
        abut_vec3 arm = abut_sub(contact->corner[i], contact->centre);
        corner[i] = (disc_point){abut_dot(u, arm) / radius, abut_dot(v, arm) / radius};
    }
    disc_integrals sum = disc_integrate(corner, contact->corner_count, 1.0);
    double dome = 1.5 / REAL_PI, brim = 0.5 / REAL_PI; /* inverses of the integrals over the whole disc */
    share.dome = real_min(real_max(dome * sum.dome.whole, 0.0), 1.0);
    share.brim = real_min(real_max(brim * sum.brim.whole, 0.0), 1.0);
    share.dome_arm = in_plane(u, v, dome * radius, sum.dome.moment);
    share.brim_arm = in_plane(u, v, brim * radius, sum.brim.moment);
    share.area *= real_min(real_max(sum.area.whole / REAL_PI, 0.0), 1.0);
    return share;
}

/* ---- elliptic discs ---- */

static bool is_elliptic(const abut_facet_contact *contact) {
    return contact->saddle.x != 0.0 || contact->saddle.y != 0.0 || contact->saddle.z != 0.0;
}

static pressure_ellipse ellipse_of(const abut_facet_contact *contact) {
    return is_elliptic(contact) ? pressure_ellipse_of(abut_length(contact->saddle) * contact->radius)
                                : (pressure_ellipse){.radius = 1.0, .along = 1.0, .wide = 1.0};
}

/* The distance of a convex polygon from the origin. */
static double nearest_of(const disc_point *corner, int32_t count) {
    double least = INFINITY;
    bool inside = true;
    for (int32_t i = 0; i < count; ++i) {
        const disc_point p = corner[i], q = corner[i + 1 < count ? i + 1 : 0];
        const double dx = q.x - p.x, dy = q.y - p.y, square = dx * dx + dy * dy;
        const double t = square > 0.0 ? real_min(real_max(-(p.x * dx + p.y * dy) / square, 0.0), 1.0) : 0.0;
        const double x = p.x + t * dx, y = p.y + t * dy;
        least = real_min(least, x * x + y * y);
        inside = inside && p.x * q.y - p.y * q.x >= 0.0;
    }
    return inside ? 0.0 : sqrt(least);
}

/* The share of an ellipse is that of a disc after both axes were divided by theirs. Points are relative to the summit. nearest: the distance of the polygon
 * from the middle, in semi-axes. */
static pressure_share share_of_ellipse(const abut_facet_contact *contact, double along, double wide, double *nearest) {
    pressure_share share = {.dome = 1.0, .brim = 1.0, .area = REAL_PI * along * wide};
    *nearest = 0.0;
    if (contact->corner_count == 0) {
        return share;
    }
    disc_point corner[6];
    const abut_vec3 v = abut_unit(contact->saddle), u = abut_cross(v, contact->normal); /* the longer axis along u */
    for (int32_t i = 0; i < contact->corner_count; ++i) {
        const abut_vec3 arm = abut_sub(contact->corner[i], contact->summit);
        corner[i] = (disc_point){abut_dot(u, arm) / along, abut_dot(v, arm) / wide};
    }
    const disc_integrals sum = disc_integrate(corner, contact->corner_count, 1.0);
    const double dome = 1.5 / REAL_PI, brim = 0.5 / REAL_PI;
    *nearest = nearest_of(corner, contact->corner_count);
    share.dome = real_min(real_max(dome * sum.dome.whole, 0.0), 1.0);
    share.brim = real_min(real_max(brim * sum.brim.whole, 0.0), 1.0);
    share.dome_arm = abut_add(abut_scale(dome * along * sum.dome.moment.x, u), abut_scale(dome * wide * sum.dome.moment.y, v));
    share.brim_arm = abut_add(abut_scale(brim * along * sum.brim.moment.x, u), abut_scale(brim * wide * sum.brim.moment.y, v));
    share.area *= real_min(real_max(sum.area.whole / REAL_PI, 0.0), 1.0);
    return share;
}

/* ---- sums ---- */

/* The largest pressure of a polygon. nearest: its distance from the middle of the disc. */
static double pressure_at(const abut_pressure_law *law, const abut_facet_contact *contact, const pressure_disc *disc,
                          const pressure_ellipse *ellipse, double nearest) {
    const double round = pressure_within(law, ellipse->radius * contact->radius, disc, nearest);
    return is_elliptic(contact) ? round / (ellipse->along * ellipse->wide) : round;
}

/* highest: the largest pressure. */
static void add(const abut_pressure_law *law, const abut_facet_contact *contact, const pressure_disc *disc, const pressure_share *share,
                abut_vec3 arm, double highest, pressure_region *region) {
    abut_vec3 n = contact->normal;
    double even = disc->pressing - disc->even, force = even * share->dome - disc->brim * share->brim,
           pressing = disc->pressing * share->dome;
    /* The place of the force: relative to the middle of the circle, which is at `arm`. */
    abut_vec3 place = abut_sub(abut_scale(even, share->dome_arm), abut_scale(disc->brim, share->brim_arm));
    place = abut_add_scaled(place, force, arm);
    region->push = abut_add_scaled(region->push, force, n);
    region->turn = abut_add(region->turn, abut_cross(place, n));
    region->normals = abut_add_scaled(region->normals, pressing, n);
    region->arms = abut_add(region->arms, abut_add_scaled(abut_scale(disc->pressing, share->dome_arm), pressing, arm));
    region->pressing += pressing;
    region->hold += disc->hold * share->dome;
    double shear = share->brim;
    if (pressure_is_linear(law)) {
        region->flat += law->stiffness * share->dome;
        region->stiffness += law->stiffness * share->dome;
        shear *= pressure_linear_shear(law);
    } else {
        region->root += sqrt(2.0 * law->modulus * disc->radius) * share->dome;
        region->stiffness += 2.0 * law->modulus * disc->radius * share->dome;
        shear = 8.0 * law->shear_modulus * disc->radius * share->brim;
    }
    region->shear += shear;
    region->round += pressing;
    region->radii += pressing * contact->radius;
    region->round_shear += shear;
    region->energy += disc->energy * share->dome;
    region->area += share->area;
    region->largest = real_max(region->largest, highest);
    ++region->contacts;
}

void pressure_add_area(const abut_pressure_law *law, const abut_facet_contact *contact, bool touched, abut_vec3 centre_a,
                       pressure_region *region) {
    const bool elliptic = is_elliptic(contact);
    const pressure_ellipse ellipse = ellipse_of(contact);
    const double gap = elliptic ? contact->summit_gap : contact->sphere_gap;
    pressure_disc disc;
    if (!pressure_disc_of(law, ellipse.radius * contact->radius, -gap, touched, &disc)) {
        return;
    }
    double nearest = contact->offset;
    pressure_share share;
    if (elliptic) {
        share = share_of_ellipse(contact, ellipse.along * disc.radius, ellipse.wide * disc.radius, &nearest);
        nearest *= disc.radius;
    }
    if (!(disc.radius > nearest)) {
        return;
    }
    if (!elliptic) {
        share = pressure_share_of(contact, disc.radius);
    }
    if (share.dome > 0.0) {
        const abut_vec3 middle = elliptic ? contact->summit : contact->centre;
        add(law, contact, &disc, &share, abut_sub(middle, centre_a), pressure_at(law, contact, &disc, &ellipse, nearest), region);
    }
}

void pressure_add_point(const abut_pressure_law *law, const abut_facet_contact *contact, bool touched, abut_vec3 centre_a,
                        pressure_region *region) {
    const pressure_ellipse ellipse = ellipse_of(contact);
    pressure_disc disc;
    if (pressure_disc_of(law, ellipse.radius * contact->radius, -contact->gap, touched, &disc) && disc.radius > 0.0) {
        pressure_share whole = {.dome = 1.0, .brim = 1.0, .area = REAL_PI * disc.radius * disc.radius * ellipse.along * ellipse.wide};
        add(law, contact, &disc, &whole, abut_sub(contact->point, centre_a), pressure_at(law, contact, &disc, &ellipse, 0.0), region);
    }
}
