/* The polygon that two facets share in their contact plane: see polygon.h. */
#include "narrow/facet/polygon.h"

#include "base/real.h"

/* Projects the corners on the contact plane, counter-clockwise about the normal. A triangle of A faces against the normal, so its order is
 * reversed. */
static void project(const facet_side *side, abut_vec3 origin, const facet_frame *f, bool turned, planar_corner out[3]) {
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

int32_t facet_polygon(const facet_side *a, const facet_side *b, abut_vec3 origin, const facet_frame *f, double limit2,
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
        out[i] = (planar_point){.x = only[i].x, .y = only[i].y, .side_of_b = only == q};
    }
    return 3;
}

abut_vec3 facet_in_world(const facet_frame *f, abut_vec3 origin, double x, double y) {
    return abut_add(origin, abut_add_scaled(abut_add_scaled(f->centre, x, f->u), y, f->v));
}
