/* Proofs that two convex bodies are apart or overlap, by GJK: see gjk_overlap.h. Pair frame; directions point from A to B. */
#include "narrow/query/gjk_overlap.h"

#include "base/real.h"
#include "narrow/normal/extremal/extremal.h"
#include "narrow/separating.h"
#include "narrow/normal/gjk_simplex.h"
#include "narrow/normal/extremal/normal.h"
#include "narrow/normal/frustum/apart.h"
#include "narrow/normal/frustum/normal.h"

/* Adds the support point of the difference A - B along a direction to the simplex, and returns it. */
static abut_vec3 add_support(gjk_simplex *s, const convex *a, const convex *b, abut_vec3 direction) {
    abut_vec3 on_a, on_b;
    int32_t vertex_a = convex_support(a, direction, &on_a), vertex_b = convex_support(b, abut_neg(direction), &on_b);
    abut_vec3 w = abut_sub(on_a, on_b);
    gjk_simplex_add(s, w, vertex_a, vertex_b);
    return w;
}

/* Height of the origin over the face i, j, k, positive on the side of the fourth point; -INFINITY for a flat tetrahedron. */
static double height_over_face(const abut_vec3 *p, int i, int j, int k, int fourth) {
    abut_vec3 normal = abut_unit(abut_cross(abut_sub(p[j], p[i]), abut_sub(p[k], p[i])));
    double side = abut_dot(normal, abut_sub(p[fourth], p[i]));
    double height = -abut_dot(normal, p[i]);
    return side > 0.0 ? height : side < 0.0 ? -height : -INFINITY;
}

/* Depth of the origin in a tetrahedron; negative outside. */
static double depth_in_tetrahedron(const abut_vec3 *p) {
    return real_min(real_min(height_over_face(p, 0, 1, 2, 3), height_over_face(p, 0, 1, 3, 2)),
                    real_min(height_over_face(p, 0, 2, 3, 1), height_over_face(p, 1, 2, 3, 0)));
}

/* The point of A that corresponds to the simplex's point closest to the origin. */
static abut_vec3 point_of_a(const gjk_simplex *s, const convex *a) {
    abut_vec3 point = {0, 0, 0};
    for (int32_t i = 0; i < s->count; ++i) {
        point = abut_add_scaled(point, s->weight[i], convex_to_pair(a, convex_vertex(a, s->vertex_a[i])));
    }
    return point;
}

static bool hold_a_ball(const convex *a, const convex *b, abut_vec3 middle, double radius) {
    return convex_depth_of(a, middle) > radius && convex_depth_of(b, middle) > radius;
}

/* For bodies in symmetric positions, GJK can end on a simplex with the origin on its border, which proves nothing. The point of A that it
 * found then belongs to B, too. This point, or a point between it and the bodies' middles, usually lies well inside both, which proves an
 * overlap. */
static bool share_a_ball(const convex *a, const convex *b, abut_vec3 common, double radius) {
    abut_vec3 middle = abut_lerp(convex_centroid(a), convex_centroid(b), 0.5);
    return hold_a_ball(a, b, common, radius) || hold_a_ball(a, b, abut_lerp(common, middle, 0.25), radius) ||
           hold_a_ball(a, b, middle, radius);
}

/* For smooth bodies: the gap along any direction is a lower bound of the distance, and the extremal pair gives the largest one. */
static gjk_verdict overlap_of_smooth(const convex *a, const convex *b, abut_vec3 *axis) {
    const double doubt = separating_doubt(a, b);
    extremal found;
    extremal_find(a, b, extremal_start(a, b, abut_vec3_make(1.0, 0.0, 0.0)), doubt + a->radius + b->radius, &found);
    if (-found.height - a->radius - b->radius > doubt) {
        *axis = found.direction;
        return GJK_APART;
    }
    abut_vec3 inner_a = abut_add_scaled(found.on_a, a->radius, found.direction);
    abut_vec3 inner_b = abut_add_scaled(found.on_b, -b->radius, found.direction);
    return share_a_ball(a, b, abut_lerp(inner_a, inner_b, 0.5), 1e-2 * doubt) ? GJK_OVERLAP : GJK_UNDECIDED;
}

/* For cylinders and cones: the closest points of separated cores, or a ball that both bodies share. */
static gjk_verdict overlap_of_frustum(const convex *a, const convex *b, abut_vec3 *axis) {
    const double doubt = separating_doubt(a, b), radius = a->radius + b->radius, sunk = 1e-2 * doubt;
    abut_vec3 line = abut_unit(abut_sub(convex_centroid(b), convex_centroid(a)));
    line = abut_length_squared(line) > 0.5 ? line : abut_vec3_make(1.0, 0.0, 0.0);
    frustum_pair pair;
    frustum_relation relation = frustum_apart(a, b, line, doubt + radius, &pair);
    if (-pair.height - radius > doubt) {
        *axis = pair.direction;
        return GJK_APART;
    }
    if (relation == FRUSTUM_APART) {
        return -pair.height - radius < -sunk ? GJK_OVERLAP : GJK_UNDECIDED;
    }
    return share_a_ball(a, b, abut_lerp(convex_inner_centre(a), convex_inner_centre(b), 0.5), sunk) ? GJK_OVERLAP : GJK_UNDECIDED;
}

gjk_verdict gjk_overlap(const convex *a, const convex *b, abut_vec3 *axis) {
    enum { MOST_STEPS = 40 };
    if (convex_any_smooth(a, b)) {
        return overlap_of_smooth(a, b, axis);
    }
    if (convex_any_frustum(a, b)) {
        return overlap_of_frustum(a, b, axis);
    }
    const double doubt = separating_doubt(a, b), radius = a->radius + b->radius;
    const double sunk = 1e-2 * doubt; /* bodies deeper than this certainly overlap */
    abut_vec3 start = abut_sub(convex_centroid(b), convex_centroid(a)), closest;
    gjk_simplex s = {.count = 0};
    add_support(&s, a, b, abut_length_squared(start) > 0.0 ? start : abut_vec3_make(1, 0, 0));
    gjk_simplex_reduce(&s, &closest);
    for (int step = 0; step < MOST_STEPS && s.count < 4; ++step) {
        double length = abut_length(closest);
        if (length < radius - sunk) {
            return GJK_OVERLAP;
        }
        abut_vec3 towards = abut_neg(abut_unit(closest));
        abut_vec3 w = add_support(&s, a, b, towards);
        double separation = -abut_dot(towards, w) - radius;
        if (separation > doubt) {
            *axis = towards;
            return GJK_APART;
        }
        if (length - radius - separation <= sunk) {
            --s.count;
            break; /* the distance has converged and proves neither */
        }
        gjk_simplex_reduce(&s, &closest);
    }
    bool inside = s.count == 4 && depth_in_tetrahedron(s.w) > 0.0 && depth_in_tetrahedron(s.w) + radius > sunk;
    return inside || share_a_ball(a, b, point_of_a(&s, a), sunk) ? GJK_OVERLAP : GJK_UNDECIDED;
}
