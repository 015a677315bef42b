/*
 * Contact of two rounded triangles: see facet.h. After supplementary information 1 of B. Smeets, T. Odenthal, S. Vanmaercke, H. Ramon
 * [S14], with these corrections: the overlap is R1 + R2 - D; equation 36 contains h^2; the polygon comes from clipping, which yields its
 * corners in order; there is no contact beyond the contact circle; a sphere past the other's equator has a status of its own.
 *
 * Coordinates are relative to the pair's origin. The contact normal points from B into A, against the axis from A's sphere centre to B's.
 */
#include "narrow/facet/facet.h"

#include "base/real.h"
#include "narrow/facet/polygon.h"
#include "narrow/facet/quadric.h"

/* ---- the contact circle of two spheres ---- */

/* R1 + R2 - D of two facets' spheres. Computed from the centres and normals of the triangles' circumcircles, which avoids the cancellation
 * of large radii. */
static double facets_overlap(const facet_side *a, const facet_side *b, double distance) {
    abut_vec3 way = abut_sub(b->foot, a->foot), both = abut_add(a->normal, b->normal);
    double ra = a->foot_radius * a->foot_radius, rb = b->foot_radius * b->foot_radius, lean = abut_length_squared(both);
    double radii = (a->radius * a->radius * rb + ra * b->height * b->height) / (a->radius * b->radius + a->height * b->height);
    double along = abut_dot(way, a->normal) * a->height - abut_dot(way, b->normal) * b->height;
    double squares = ra + rb - abut_length_squared(way) + 2.0 * radii + a->height * b->height * lean - 2.0 * along;
    return squares / (a->radius + b->radius + distance);
}

/* Computes the contact circle relative to the pair's origin. False if there is none; c->relation then says why. */
static bool spheres_meet(const facet_side *a, const facet_side *b, double reach, abut_facet_contact *c) {
    abut_vec3 way = abut_sub(b->centre, a->centre);
    double distance = abut_length(way), ra = a->radius, rb = b->radius;
    if (!(distance > FACET_LEAST_APART * (ra + rb))) {
        c->relation = ABUT_FACET_COINCIDENT;
        return false;
    }
    abut_vec3 axis = abut_unit(way);
    double delta = a->corner != NULL && b->corner != NULL ? facets_overlap(a, b, distance) : ra + rb - distance;
    c->normal = abut_neg(axis);
    c->sphere_gap = -delta;
    c->radius = ra * rb / (ra + rb);
    if (!(delta > -reach)) {
        c->relation = ABUT_FACET_APART;
        return false;
    }
    /* How far each sphere extends past the contact plane. */
    double cap = delta * (rb + distance - ra) / (2.0 * distance), other_cap = delta - cap;
    if (!(cap < ra && other_cap < rb && ((cap > 0.0 && other_cap > 0.0) || delta <= 0.0))) {
        c->relation = ABUT_FACET_ENGULFED;
        return false;
    }
    c->circle_radius = delta > 0.0 ? sqrt(cap * (2.0 * ra - cap)) : 0.0;
    /* From the smaller sphere, because its centre has the smaller rounding error. */
    c->centre = ra <= rb ? abut_add_scaled(a->centre, ra - cap, axis) : abut_add_scaled(b->centre, other_cap - rb, axis);
    return true;
}

/* The same for a sphere, as A, and a half-space. */
static bool sphere_meets_plane(const facet_side *a, const facet_side *b, double reach, abut_facet_contact *c) {
    double height = abut_dot(b->normal, abut_sub(a->centre, b->foot)), delta = a->radius - height;
    if (a->corner != NULL) {
        double lean = 0.5 * abut_length_squared(abut_add(a->normal, b->normal));
        double sag = facet_sagitta(a->radius, a->foot_radius * a->foot_radius);
        delta = sag + a->height * lean - abut_dot(b->normal, abut_sub(a->foot, b->foot));
    }
    c->normal = b->normal;
    c->sphere_gap = -delta;
    c->radius = a->radius;
    if (!(delta > -reach)) {
        c->relation = ABUT_FACET_APART;
        return false;
    }
    if (!(delta < a->radius)) {
        c->relation = ABUT_FACET_ENGULFED;
        return false;
    }
    c->circle_radius = delta > 0.0 ? sqrt(delta * (2.0 * a->radius - delta)) : 0.0;
    c->centre = abut_add_scaled(a->centre, -height, b->normal);
    return true;
}

static bool surfaces_meet(const facet_side *a, const facet_side *b, double reach, abut_facet_contact *c) {
    bool flat_a = !(a->radius < INFINITY), flat_b = !(b->radius < INFINITY);
    if (!flat_a && !flat_b) {
        return spheres_meet(a, b, reach, c);
    }
    bool meet = flat_b ? sphere_meets_plane(a, b, reach, c) : sphere_meets_plane(b, a, reach, c);
    c->normal = flat_a ? abut_neg(c->normal) : c->normal;
    return meet;
}

/* ---- the contact ---- */

/* The point of a convex polygon nearest to the origin; the origin itself if it lies inside. */
static disc_point nearest_to_centre(const planar_point *corner, int32_t count) {
    disc_point best = {0.0, 0.0};
    double least = INFINITY;
    bool inside = true;
    for (int32_t i = 0; i < count; ++i) {
        const planar_point *p = &corner[i], *q = &corner[i + 1 < count ? i + 1 : 0];
        double dx = q->x - p->x, dy = q->y - p->y, square = dx * dx + dy * dy;
        double t = square > 0.0 ? -(p->x * dx + p->y * dy) / square : 0.0;
        t = real_min(real_max(t, 0.0), 1.0);
        double x = p->x + t * dx, y = p->y + t * dy, distance = x * x + y * y;
        inside = inside && dx * -p->y + dy * p->x >= 0.0;
        if (distance < least) {
            least = distance;
            best = (disc_point){x, y};
        }
    }
    return inside ? (disc_point){0.0, 0.0} : best;
}

static bool faces(const facet_side *side, abut_vec3 away) {
    return side->corner == NULL || !(side->radius < INFINITY) || abut_dot(side->normal, away) > FACET_LEAST_FACING;
}

static void measure(const facet_side *a, const facet_side *b, abut_facet_contact *c, disc_point nearest) {
    double h2 = nearest.x * nearest.x + nearest.y * nearest.y;
    c->offset = sqrt(h2);
    c->gap = -facet_overlap_at(-c->sphere_gap, a->radius, b->radius, h2);
}

static double area_in_circle(const abut_facet_contact *c, const planar_point *corner) {
    disc_point flat[8];
    for (int32_t i = 0; i < c->corner_count; ++i) {
        flat[i] = (disc_point){corner[i].x, corner[i].y};
    }
    return c->circle_radius > 0.0 ? real_min(disc_area(flat, c->corner_count, c->circle_radius), c->area) : 0.0;
}

/* ---- early rejection ---- */

/* Whether the circles about two feet are apart, seen along a unit axis. off: how far rounding error may move them. */
static bool misses(abut_vec3 way, abut_vec3 axis, double reach, double off) {
    const double rounding = 1e-9;
    double along = abut_dot(way, axis), square = abut_length_squared(way);
    reach = (1.0 + rounding) * reach + off;
    return square - along * along > reach * reach + 1e-12 * square;
}

bool facet_is_away(const facet_side *a, const facet_side *b) {
    if (!(a->radius < INFINITY) || !(b->radius < INFINITY)) {
        return false;
    }
    abut_vec3 way = abut_sub(b->centre, a->centre);
    double sum = a->radius + b->radius, square = abut_length_squared(way), off = 1e-12 * sum;
    if (square > (sum + off) * (sum + off)) {
        return true;
    }
    double distance = sqrt(square), facing = 0.9 * FACET_LEAST_FACING * distance - off;
    if (abut_dot(a->normal, way) < facing || -abut_dot(b->normal, way) < facing) {
        return true;
    }
    double difference = (a->radius - b->radius) * (sum / distance);
    double to_plane = 0.5 * (distance + difference), circle2 = (a->radius - to_plane) * (a->radius + to_plane);
    abut_vec3 axis = abut_scale(1.0 / distance, way), centre = abut_add_scaled(a->centre, to_plane, axis);
    double circle = sqrt(real_max(circle2, 0.0) + 1e-14 * sum * sum);
    return distance > off && (misses(abut_sub(a->foot, centre), axis, a->foot_radius + circle, off) ||
                              misses(abut_sub(b->foot, centre), axis, b->foot_radius + circle, off) ||
                              misses(abut_sub(a->foot, b->foot), axis, a->foot_radius + b->foot_radius, off));
}

/* Squared distance from the middle of the circle within which polygons count. With a reach, it is computed as if the spheres overlapped by
 * that much more. */
static double limit_squared(const abut_facet_contact *c, double reach) {
    double circle = c->circle_radius * c->circle_radius;
    return reach > 0.0 ? real_max(circle, 2.0 * c->radius * (reach - c->sphere_gap)) : circle;
}

/* limit2: squared distance from the middle beyond which there is no contact. */
static abut_facet_contact meet_within(const facet_side *a, const facet_side *b, abut_vec3 origin, double reach, abut_facet_contact c,
                                      double limit2, bool with_area) {
    abut_facet_contact nothing = {.relation = ABUT_FACET_BESIDE, .normal = c.normal, .sphere_gap = c.sphere_gap, .radius = c.radius};
    facet_frame f = {.centre = c.centre};
    abut_tangent_frame(c.normal, &f.u, &f.v);
    planar_point corner[8];
    c.corner_count = facet_polygon(a, b, origin, &f, limit2, corner);
    double extent = 0.0;
    for (int32_t i = 0; i < c.corner_count; ++i) {
        extent = real_max(extent, real_max(fabs(corner[i].x), fabs(corner[i].y)));
    }
    c.area = c.corner_count >= 3 ? planar_area(corner, c.corner_count) : 0.0;
    if (!(c.area > 1e-15 * extent * extent)) {
        return nothing;
    }
    disc_point nearest = nearest_to_centre(corner, c.corner_count);
    if (!(nearest.x * nearest.x + nearest.y * nearest.y < limit2)) {
        return nothing;
    }
    measure(a, b, &c, nearest);
    if (!(c.gap < 0.0) && !(reach > 0.0)) {
        return nothing;
    }
    if (facet_is_too_deep(a, -c.gap) || facet_is_too_deep(b, -c.gap)) {
        nothing.relation = ABUT_FACET_ENGULFED;
        return nothing;
    }
    c.area_in_circle = with_area ? area_in_circle(&c, corner) : 0.0;
    c.relation = ABUT_FACET_CONTACT;
    c.point = facet_in_world(&f, origin, nearest.x, nearest.y);
    c.centre = abut_add(origin, c.centre);
    for (int32_t i = 0; i < c.corner_count; ++i) {
        c.corner[i] = facet_in_world(&f, origin, corner[i].x, corner[i].y);
    }
    facet_fit_quadric(a, b, &c);
    return c;
}

/* Tests the spheres, and whether the facets face each other. */
static bool come_together(const facet_side *a, const facet_side *b, double reach, abut_facet_contact *c) {
    *c = (abut_facet_contact){.relation = ABUT_FACET_NONE};
    if (!surfaces_meet(a, b, reach, c)) {
        return false;
    }
    if (!faces(a, abut_neg(c->normal)) || !faces(b, c->normal)) {
        *c = (abut_facet_contact){.relation = ABUT_FACET_TURNED, .normal = c->normal, .sphere_gap = c->sphere_gap, .radius = c->radius};
        return false;
    }
    return true;
}

abut_facet_contact facet_meet(const facet_side *a, const facet_side *b, abut_vec3 origin, double reach) {
    if (facet_is_flat(a) && facet_is_flat(b)) {
        return facet_meet_flat(a, b, origin);
    }
    abut_facet_contact c;
    return come_together(a, b, reach, &c) ? meet_within(a, b, origin, reach, c, limit_squared(&c, reach), true) : c;
}

abut_facet_contact facet_meet_pressing(const facet_side *a, const facet_side *b, abut_vec3 origin) {
    if (facet_is_flat(a) && facet_is_flat(b)) {
        return facet_meet_flat(a, b, origin);
    }
    abut_facet_contact c;
    if (!come_together(a, b, 0.0, &c)) {
        return c;
    }
    /* The ellipse of Hertz's pressure is somewhere within the overlap. */
    double limit2 = facet_is_round(a) && facet_is_round(b) ? c.radius * -c.sphere_gap : limit_squared(&c, 0.0);
    return meet_within(a, b, origin, 0.0, c, limit2, false);
}
