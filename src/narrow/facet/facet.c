/*
 * Contact of two rounded triangles: see facet.h. After supplementary information 1 of B. Smeets, T. Odenthal, S. Vanmaercke, H. Ramon
 * [S14], with these corrections: the overlap is R1 + R2 - D; equation 36 contains h^2; the polygon comes from clipping, which yields its
 * corners in order; there is no contact beyond the contact circle; a sphere past the other's equator has a status of its own.
 *
 * Coordinates are relative to the pair's origin. The contact normal points from B into A, against the axis from A's sphere centre to B's.
 */
#include "narrow/facet/facet.h"

#include "base/real.h"

/* Cosines between normal and axis up to this count as a right angle: such triangles have almost no area in the contact plane. */
static const double least_facing = 1e-3;

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
    if (!(distance > 1e-15 * (ra + rb))) {
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
    if (flat_a && flat_b) {
        c->relation = ABUT_FACET_FLAT;
        return false;
    }
    if (!flat_a && !flat_b) {
        return spheres_meet(a, b, reach, c);
    }
    bool meet = flat_b ? sphere_meets_plane(a, b, reach, c) : sphere_meets_plane(b, a, reach, c);
    c->normal = flat_a ? abut_neg(c->normal) : c->normal;
    return meet;
}

/* ---- the polygon ---- */

typedef struct frame {
    abut_vec3 centre, u, v;
} frame;

/* Projects the corners on the contact plane, counter-clockwise about the normal. A triangle of A faces against the normal, so its order is
 * reversed. */
static void project(const facet_side *side, abut_vec3 origin, const frame *f, bool turned, planar_corner out[3]) {
    for (int i = 0; i < 3; ++i) {
        abut_vec3 p = abut_sub(abut_sub(side->corner[turned ? 2 - i : i], origin), f->centre);
        out[i] = (planar_corner){abut_dot(f->u, p), abut_dot(f->v, p), i, i};
    }
}

/* Whether a projected triangle is certainly farther from the origin than a distance, given its square. */
static bool is_beyond(const planar_corner corner[3], double square) {
    bool inside = true;
    for (int i = 0; i < 3; ++i) {
        const planar_corner *p = &corner[i], *q = &corner[i < 2 ? i + 1 : 0];
        double dx = q->x - p->x, dy = q->y - p->y, length2 = dx * dx + dy * dy, along = -(p->x * dx + p->y * dy),
               across = p->x * dy - p->y * dx;
        inside = inside && across >= 0.0;
        double at = along <= 0.0 ? p->x * p->x + p->y * p->y : along >= length2 ? q->x * q->x + q->y * q->y : across * across / length2;
        if (at <= square) {
            return false;
        }
    }
    return !inside;
}

/* Two triangles intersect in at most six corners. Rounding error may leave more, some of them almost coincident; the shortest sides are
 * removed. */
static int32_t drop_shortest_sides(planar_point *corner, int32_t count) {
    for (; count > 6; --count) {
        int32_t shortest = 0;
        double least = INFINITY;
        for (int32_t i = 0; i < count; ++i) {
            const planar_point *p = &corner[i], *q = &corner[i + 1 < count ? i + 1 : 0];
            double dx = q->x - p->x, dy = q->y - p->y, square = dx * dx + dy * dy;
            shortest = square < least ? i : shortest;
            least = real_min(square, least);
        }
        for (int32_t i = shortest; i + 1 < count; ++i) {
            corner[i] = corner[i + 1];
        }
    }
    return count;
}

/* The polygon common to both projected triangles, or the one triangle if the other side is a whole sphere or plane. Returns the number of
 * its corners; 0 if a triangle is farther from the middle than the limit. */
static int32_t overlap_polygon(const facet_side *a, const facet_side *b, abut_vec3 origin, const frame *f, double limit2,
                               planar_point out[8]) {
    planar_corner p[3], q[3];
    planar_point scratch[8];
    double beyond = (1.0 + 1e-9) * limit2;
    if (a->corner != NULL) {
        project(a, origin, f, true, p);
        if (is_beyond(p, beyond)) {
            return 0;
        }
    }
    if (b->corner != NULL) {
        project(b, origin, f, false, q);
        if (is_beyond(q, beyond)) {
            return 0;
        }
    }
    if (a->corner != NULL && b->corner != NULL) {
        return drop_shortest_sides(out, planar_intersect((planar_figure){p, 3}, (planar_figure){q, 3}, 0.0, 1e-12, out, scratch));
    }
    const planar_corner *only = a->corner != NULL ? p : q;
    for (int i = 0; i < 3; ++i) {
        out[i] = (planar_point){.x = only[i].x, .y = only[i].y};
    }
    return 3;
}

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
    return side->corner == NULL || !(side->radius < INFINITY) || abut_dot(side->normal, away) > least_facing;
}

static void measure(const facet_side *a, const facet_side *b, abut_facet_contact *c, disc_point nearest) {
    double h2 = nearest.x * nearest.x + nearest.y * nearest.y;
    c->offset = sqrt(h2);
    c->gap = -facet_overlap_at(-c->sphere_gap, a->radius, b->radius, h2);
}

/* Whether the surfaces overlap by more than half of a body's thickness behind a facet. Then the other surface may belong to the body's far
 * side. */
static bool is_too_deep(const facet_side *side, double overlap) { return side->depth > 0.0 && overlap > side->depth; }

static double area_in_circle(const abut_facet_contact *c, const planar_point *corner) {
    disc_point flat[8];
    for (int32_t i = 0; i < c->corner_count; ++i) {
        flat[i] = (disc_point){corner[i].x, corner[i].y};
    }
    return c->circle_radius > 0.0 ? real_min(disc_area(flat, c->corner_count, c->circle_radius), c->area) : 0.0;
}

static abut_vec3 in_world(const frame *f, abut_vec3 origin, double x, double y) {
    return abut_add(origin, abut_add_scaled(abut_add_scaled(f->centre, x, f->u), y, f->v));
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
    double distance = sqrt(square), facing = 0.9 * least_facing * distance - off;
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
    frame f = {.centre = c.centre};
    abut_tangent_frame(c.normal, &f.u, &f.v);
    planar_point corner[8];
    c.corner_count = overlap_polygon(a, b, origin, &f, limit2, corner);
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
    if (is_too_deep(a, -c.gap) || is_too_deep(b, -c.gap)) {
        nothing.relation = ABUT_FACET_ENGULFED;
        return nothing;
    }
    c.area_in_circle = with_area ? area_in_circle(&c, corner) : 0.0;
    c.relation = ABUT_FACET_CONTACT;
    c.point = in_world(&f, origin, nearest.x, nearest.y);
    c.centre = abut_add(origin, c.centre);
    for (int32_t i = 0; i < c.corner_count; ++i) {
        c.corner[i] = in_world(&f, origin, corner[i].x, corner[i].y);
    }
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
    abut_facet_contact c;
    return come_together(a, b, reach, &c) ? meet_within(a, b, origin, reach, c, limit_squared(&c, reach), true) : c;
}

abut_facet_contact facet_meet_pressing(const facet_side *a, const facet_side *b, abut_vec3 origin) {
    abut_facet_contact c;
    return come_together(a, b, 0.0, &c) ? meet_within(a, b, origin, 0.0, c, c.radius * -c.sphere_gap, false) : c;
}
