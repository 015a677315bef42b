#include "narrow/relation.h"

#include "geom/closest.h"
#include "narrow/separating.h"

/* Points of the difference of the cores, whose origin is where bodies meet, and the points of A that they are made of. */
typedef struct simplex {
    abut_vec3 point[4], on_a[4];
    int32_t count;
    abut_vec3 closest; /* to the origin, and the point of A behind it */
    abut_vec3 closest_on_a;
} simplex;

/* Adds the vertex of the difference that is farthest along the direction; returns it. */
static abut_vec3 add_support(simplex *s, const convex *a, const convex *b, abut_vec3 direction) {
    abut_vec3 on_a, on_b;
    convex_support(a, direction, &on_a);
    convex_support(b, abut_neg(direction), &on_b);
    s->on_a[s->count] = on_a;
    s->point[s->count++] = abut_sub(on_a, on_b);
    return abut_sub(on_a, on_b);
}

/* Keeps the points that carry weight, and says what they make. */
static void keep_weighted(simplex *s, const double *weight) {
    int32_t kept = 0;
    s->closest = s->closest_on_a = abut_make_vec3(0, 0, 0);
    for (int32_t i = 0; i < s->count; ++i) {
        if (weight[i] > 0.0) {
            s->closest = abut_add_scaled(s->closest, weight[i], s->point[i]);
            s->closest_on_a = abut_add_scaled(s->closest_on_a, weight[i], s->on_a[i]);
            s->point[kept] = s->point[i];
            s->on_a[kept++] = s->on_a[i];
        }
    }
    s->count = kept;
}

/* Reduces a simplex of one to three points to the smallest face that holds its point closest to the origin. */
static void reduce_to_closest(simplex *s) {
    const abut_vec3 origin = {0, 0, 0};
    double weight[3] = {1.0, 0.0, 0.0};
    if (s->count == 2) {
        weight[1] = closest_on_segment(origin, s->point[0], s->point[1]);
        weight[0] = 1.0 - weight[1];
    } else if (s->count == 3) {
        closest_on_triangle(origin, s->point[0], s->point[1], s->point[2], weight);
    }
    keep_weighted(s, weight);
}

/* Height of the origin over the face i, j, k, positive on the side of the fourth point. */
static double height_over_face(const abut_vec3 *p, int i, int j, int k, int fourth) {
    abut_vec3 normal = abut_unit(abut_cross(abut_sub(p[j], p[i]), abut_sub(p[k], p[i])));
    double side = abut_dot(normal, abut_sub(p[fourth], p[i]));
    double height = -abut_dot(normal, p[i]);
    return side > 0.0 ? height : side < 0.0 ? -height : -INFINITY;
}

/* Reduces a tetrahedron to the face closest to the origin; returns how deep the origin lies in it, negative outside. */
static double reduce_tetrahedron(simplex *s) {
    static const int face[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
    double depth = INFINITY, least = INFINITY;
    simplex best = *s;
    for (int f = 0; f < 4; ++f) {
        const int *i = face[f];
        depth = fmin(depth, height_over_face(s->point, i[0], i[1], i[2], i[3]));
        simplex t = {.count = 3};
        for (int k = 0; k < 3; ++k) {
            t.point[k] = s->point[i[k]];
            t.on_a[k] = s->on_a[i[k]];
        }
        reduce_to_closest(&t);
        double length = abut_length_squared(t.closest);
        if (length < least) {
            least = length;
            best = t;
        }
    }
    *s = best;
    return depth;
}

static bool hold_a_ball(const convex *a, const convex *b, abut_vec3 middle, double radius) {
    return convex_depth_of(a, middle) > radius && convex_depth_of(b, middle) > radius;
}

/* Bodies in tidy places have points of their difference straight across the origin, and the descent ends there with nothing proved. Then
 * the point of A that it found is one of B too; it, or a point on the way from it to the bodies' middles, mostly lies inside both. */
static bool share_a_ball(const convex *a, const convex *b, abut_vec3 common, double radius) {
    abut_vec3 middle = abut_lerp(convex_centroid(a), convex_centroid(b), 0.5);
    return hold_a_ball(a, b, common, radius) || hold_a_ball(a, b, abut_lerp(common, middle, 0.25), radius) ||
           hold_a_ball(a, b, middle, radius);
}

convex_relation convex_relate(const convex *a, const convex *b, abut_vec3 *axis) {
    enum { MOST_STEPS = 40 };
    const double doubt = separating_doubt(a, b), radius = a->radius + b->radius;
    const double sunk = 1e-2 * doubt; /* bodies deeper than this are certainly in each other */
    abut_vec3 start = abut_sub(convex_centroid(b), convex_centroid(a));
    simplex s = {.count = 0};
    add_support(&s, a, b, abut_length(start) > 0.0 ? start : abut_make_vec3(1, 0, 0));
    reduce_to_closest(&s);
    for (int step = 0; step < MOST_STEPS; ++step) {
        double length = abut_length(s.closest);
        if (length < radius - sunk) {
            return RELATION_OVERLAP;
        }
        abut_vec3 towards = abut_neg(abut_unit(s.closest));
        abut_vec3 w = add_support(&s, a, b, towards);
        double separation = -abut_dot(towards, w) - radius;
        if (separation > doubt) {
            *axis = towards;
            return RELATION_APART;
        }
        if (length - radius - separation <= sunk) {
            break; /* the distance is known, and says neither */
        }
        if (s.count < 4) {
            reduce_to_closest(&s);
        } else {
            double depth = reduce_tetrahedron(&s);
            if (depth > 0.0 && depth + radius > sunk) {
                return RELATION_OVERLAP;
            }
        }
    }
    return share_a_ball(a, b, s.closest_on_a, sunk) ? RELATION_OVERLAP : RELATION_CLOSE;
}
