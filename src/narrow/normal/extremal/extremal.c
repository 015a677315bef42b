/*
 * Extremal pairs of two bodies, at least one of them smooth, from a direction near them.
 */

#include "narrow/normal/extremal/extremal.h"

#include "base/real.h"
#include "narrow/normal/feature.h"
#include "narrow/normal/frustum/apart.h"

void extremal_look(const convex *a, const convex *b, abut_vec3 direction, extremal *found) {
    *found = (extremal){.direction = direction};
    int32_t index_a = convex_support(a, direction, &found->on_a), index_b = convex_support(b, abut_neg(direction), &found->on_b);
    found->feature_a = (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = index_a};
    found->feature_b = (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = index_b};
    found->height = abut_dot(direction, abut_sub(found->on_a, found->on_b));
}

void extremal_put_points(const convex *a, const convex *b, abut_vec3 on_a, abut_vec3 on_b, extremal *found) {
    found->on_a = on_a;
    found->on_b = on_b;
    found->feature_a = feature_holding(a, found->feature_a.index, on_a);
    found->feature_b = feature_holding(b, found->feature_b.index, on_b);
    found->moved = true;
    found->settled = extremal_is_pair(found, extremal_scale(a, b));
}

static bool has_vertices(const convex *body) { return body->core == CORE_POLYTOPE || body->core == CORE_SEGMENT; }

static extremal turned_round(const extremal *found) {
    extremal turned = *found;
    turned.direction = abut_neg(found->direction);
    turned.on_a = found->on_b;
    turned.on_b = found->on_a;
    turned.feature_a = found->feature_b;
    turned.feature_b = found->feature_a;
    return turned;
}

/* A cylinder or a cone and a smooth body. */
static void find_of_frustum(const convex *a, const convex *b, abut_vec3 start, double enough, extremal *found) {
    frustum_pair pair;
    frustum_relation relation = frustum_apart(a, b, start, enough, &pair);
    if (relation == FRUSTUM_CLOSE) {
        frustum_local(a, b, start, &pair);
    }
    extremal_look(a, b, pair.direction, found);
    found->apart = relation == FRUSTUM_FAR;
    const double scale = extremal_scale(a, b);
    bool on_surface = a->core == CORE_SMOOTH ? extremal_is_on_surface(a, pair.on_a, scale) : extremal_is_on_surface(b, pair.on_b, scale);
    if (relation != FRUSTUM_FAR && pair.aside <= 1e-10 * scale && on_surface) {
        found->on_a = pair.on_a;
        found->on_b = pair.on_b;
        found->height = pair.height;
        found->feature_a = pair.feature_a;
        found->feature_b = pair.feature_b;
        found->settled = true;
    }
}

static void find_near(const convex *a, const convex *b, abut_vec3 start, double enough, double near, extremal *found) {
    if (a->core == CORE_FRUSTUM || b->core == CORE_FRUSTUM) {
        find_of_frustum(a, b, start, enough, found);
        return;
    }
    if (has_vertices(a)) {
        extremal_walk(a, b, start, enough, near, found);
        return;
    }
    if (has_vertices(b)) {
        extremal_walk(b, a, abut_neg(start), enough, near, found);
        *found = turned_round(found);
        return;
    }
    extremal_search search = {.a = {a, a->core == CORE_POINT ? &a->position : NULL},
                              .b = {b, b->core == CORE_POINT ? &b->position : NULL},
                              .enough = enough,
                              .scale = extremal_scale(a, b),
                              .most_steps = 30};
    extremal_descend(&search, start, found);
}

void extremal_find(const convex *a, const convex *b, abut_vec3 start, double enough, extremal *found) {
    const double at_once = 1e-7; /* sine of a direction that is the normal of a face, or belongs to an edge, up to rounding error */
    find_near(a, b, start, enough, at_once, found);
}

void extremal_sharpen(const convex *a, const convex *b, extremal *found) {
    static const double near[] = {1e-2, 1e-5};
    /* The height of any direction bounds the minimum below it, up to rounding error. */
    const double as_low = found->height + 1e-13 * extremal_scale(a, b);
    for (size_t i = 0; i < sizeof near / sizeof *near && !found->repeated; ++i) {
        extremal sharper;
        find_near(a, b, found->direction, INFINITY, near[i], &sharper);
        if (sharper.settled && sharper.height <= as_low) {
            *found = sharper;
        }
    }
}

static void look_if_lower(const convex *a, const convex *b, abut_vec3 direction, extremal *best) {
    extremal here;
    extremal_look(a, b, direction, &here);
    if (here.height < best->height) {
        *best = here;
    }
}

bool extremal_is_on_surface(const convex *body, abut_vec3 point, double scale) {
    const double rounding = 1e-14 * scale;
    abut_vec3 slope;
    double beyond = smooth_gauge(body->shape, convex_to_local(body, point), &slope) - 1.0;
    return fabs(beyond) <= rounding * abut_length(slope);
}

bool extremal_is_pair(const extremal *found, double scale) {
    const double rounding = 1e-14, aside = 1e-9; /* the height does not change to first order when points slide aside */
    abut_vec3 apart = abut_sub(found->on_a, found->on_b);
    double along = abut_dot(found->direction, apart);
    return fabs(along - found->height) <= rounding * scale &&
           abut_length(abut_add_scaled(apart, -along, found->direction)) <= aside * scale;
}

/* The normal of the surface where a ray from the body's centre in this direction leaves it. */
static abut_vec3 normal_on_ray(const convex *body, abut_vec3 way) {
    abut_vec3 slope;
    abut_vec3 beyond = abut_add_scaled(smooth_middle(body->shape), body->size, convex_direction_to_local(body, way));
    (void)smooth_gauge(body->shape, beyond, &slope);
    return abut_unit(convex_direction_to_pair(body, slope));
}

abut_vec3 extremal_start(const convex *a, const convex *b, abut_vec3 otherwise) {
    abut_vec3 line = abut_sub(convex_centroid(b), convex_centroid(a)), way = abut_unit(line);
    if (!(abut_length_squared(way) > 0.5)) {
        return otherwise;
    }
    extremal best;
    extremal_look(a, b, way, &best);
    if (a->core == CORE_SMOOTH) {
        look_if_lower(a, b, normal_on_ray(a, way), &best);
    }
    if (b->core == CORE_SMOOTH) {
        look_if_lower(a, b, abut_neg(normal_on_ray(b, abut_neg(way))), &best);
    }
    return best.direction;
}

static double least_radius(const convex *body) { return body->core == CORE_SMOOTH ? body->shape->least_radius : 0.0; }

double extremal_inner_ball(const convex *a, const convex *b) {
    const double clearly = 1.0 - 1e-6;
    return clearly * (least_radius(a) + least_radius(b));
}

/*
 * Every radius of curvature of the difference is at least the sum of both bodies' least radii. So the difference contains a ball of that radius that touches
 * its surface at the pair (Blaschke). When the height is less than the radius, the ball reaches higher along every other direction. When they are equal, the
 * centre of the ball is the origin, and any direction may be as good.
 */
bool extremal_is_least(const convex *a, const convex *b, const extremal *found) {
    return found->settled && found->height <= extremal_inner_ball(a, b);
}
