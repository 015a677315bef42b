/*
 * The growth distance ([SNE] equations 1 and 2): alpha = min { s : A scaled by s about its contraction point meets B scaled by s about its own }. Let c be the
 * difference of the contraction points. The ray from c through the origin leaves A - B at 1 / alpha.
 */

#include "narrow/normal/growth/growth.h"

#include "base/real.h"
#include "narrow/normal/depth.h"
#include "narrow/normal/distance_normal.h"
#include "narrow/normal/extremal/extremal.h"
#include "narrow/normal/extremal/normal.h"
#include "narrow/normal/facet_memory.h"
#include "narrow/normal/frustum/apart.h"
#include "narrow/normal/frustum/normal.h"
#include "narrow/normal/gauge.h"
#include "narrow/normal/gjk.h"
#include "narrow/normal/growth/core_points.h"
#include "narrow/normal/growth/cuts.h"
#include "narrow/normal/growth/ray.h"
#include "narrow/normal/growth/ray_facet.h"
#include "shape/given/contraction.h"

/* Core points are accurate to 1e-10 of a body's size. The core point of a nearly as thin flake may lie outside the flake, and is then replaced by a point
 * inside. */
static void keep_inside(const convex *body, double rho, abut_vec3 *point) {
    const double flake = 1e-8;
    if (rho <= flake * body->size && convex_depth_of(body, *point) < 0.5 * rho) {
        *point = convex_inner_centre(body);
    }
}

/* Finds the contraction points. Core points belong to a pair, so they give way where either shape has a point of the caller. False when the points coincide.
 * *inside receives the radius of a ball about their difference inside A - B; half that radius is certain in spite of rounding error. */
static bool contraction_points(const convex *a, const convex *b, bool cores, abut_vec3 *point_a, abut_vec3 *point_b, double *inside) {
    bool given = shape_has_contraction(a->shape) || shape_has_contraction(b->shape);
    if (cores && !given && core_points(a, b, point_a, point_b)) {
        double rho = real_min(convex_inradius(a), convex_inradius(b));
        keep_inside(a, rho, point_a);
        keep_inside(b, rho, point_b);
        *inside = 2.0 * rho;
        return true;
    }
    double depth_a, depth_b;
    *point_a = convex_contraction(a, &depth_a);
    *point_b = convex_contraction(b, &depth_b);
    *inside = depth_a + depth_b;
    return abut_distance_between(*point_a, *point_b) > 1e-12 * *inside;
}

/* The distance between the ray and the weighted sum of the columns. */
static double missed_by(const gauge *g, abut_vec3 ray) {
    abut_vec3 sum = abut_neg(ray);
    for (int i = 0; i < 3; ++i) {
        sum = abut_add_scaled(sum, g->weight[i], g->column[i].w);
    }
    return abut_length(sum);
}

/* Finds the points where two bodies face each other: the closest points of the cores, or an extremal pair of smooth cores, which may overlap by rounding
 * error. *distance is an upper bound of the cores' distance. False when the cores meet because of rounding error and nothing is known. */
static bool find_facing(const convex *a, const convex *b, abut_vec3 start, contact_normal *facing, double *distance) {
    if (convex_any_smooth(a, b)) {
        extremal found;
        extremal_near(a, b, start, &found);
        *facing = (contact_normal){.direction = found.direction, .on_a = found.on_a, .on_b = found.on_b};
        *distance = abut_distance_between(found.on_a, found.on_b);
        return true;
    }
    if (convex_any_frustum(a, b)) {
        frustum_pair found;
        frustum_near(a, b, start, &found);
        *facing = (contact_normal){.direction = found.direction, .on_a = found.on_a, .on_b = found.on_b};
        *distance = real_max(-found.height, abut_distance_between(found.on_a, found.on_b));
        return true;
    }
    gjk_result d = gjk_solve(a, b);
    *distance = d.distance;
    if (!(d.distance > 0.0)) {
        return false;
    }
    *facing = normal_of_distance(a, b, &d);
    facing->on_a = d.on_a;
    facing->on_b = d.on_b;
    return true;
}

/*
 * The growth distance of round bodies. C = A - B is the difference K of the cores, grown by the radius r, and the ray leaves C where its distance from K is r.
 * The distance is a convex function of the place on the ray. So Newton's method from outside descends to that place and never passes it. Each step uses the
 * supporting plane at the closest point.
 */
static void grow_round(const ray_cast *cast, double inside, growth_result *result) {
    enum { MOST_STEPS = 60 };
    const double radius = cast->a->radius + cast->b->radius;
    const double enough = real_max(1e-14 * (cast->a->size + cast->b->size), growth_rounding(cast));
    abut_vec3 direction = abut_unit(cast->way.ray);
    double place = 1.0 / ray_cast_value(cast, direction), upper = INFINITY; /* place on the ray, whose end is at 1 */
    result->normal = (contact_normal){.direction = direction};
    bool settled = false;
    for (int step = 0; step < MOST_STEPS && !settled; ++step) {
        convex moved = *cast->b; /* moved so that the place on the ray becomes the origin of A - B */
        abut_vec3 shift = abut_add_scaled(cast->way.origin, place, cast->way.ray);
        moved.position = abut_add(moved.position, shift);
        contact_normal facing;
        double distance;
        bool found = find_facing(cast->a, &moved, result->normal.direction, &facing, &distance);
        ++result->supports;
        upper = real_min(upper, growth_factor_beyond(cast, inside, distance - radius) / place);
        if (!found) {
            break;
        }
        result->normal.on_a = abut_add_scaled(facing.on_a, cast->a->radius, facing.direction);
        result->normal.on_b = abut_add_scaled(abut_sub(facing.on_b, shift), -cast->b->radius, facing.direction);
        double value = ray_cast_value(cast, facing.direction), next = value > 0.0 ? 1.0 / value : INFINITY;
        settled = fabs(distance - radius) <= enough || next >= place;
        if (next < place) {
            place = next;
            result->normal.direction = facing.direction;
        }
    }
    result->alpha = 1.0 / place;
    result->alpha_lower = ray_cast_value(cast, result->normal.direction);
    growth_certify(cast, inside, upper, result);
    if (!result->converged) {
        growth_by_cuts(cast, inside, result);
    }
    if (result->alpha_lower > 0.0 && growth_missed(cast, result) > 4.0 * growth_rounding(cast)) {
        growth_ray_finish(cast, inside, result);
    }
    result->normal.gap = -gauge_support(cast->a, cast->b, result->normal.direction);
}

/* Concentric bodies, without a direction to grow along. Polytopes get a face's normal, and smooth bodies the normal of least depth. */
static contact_normal normal_of_concentric(const convex *a, const convex *b, const normal_settings *settings) {
    contact_normal normal;
    if (convex_any_smooth(a, b)) {
        (void)normal_of_smooth(a, b, settings, &normal);
        normal.chosen = true;
    } else if (convex_any_frustum(a, b)) {
        (void)normal_of_frustum(a, b, settings, &normal);
        normal.chosen = true;
    } else {
        normal = depth_of_faces(a, b, settings->previous);
    }
    normal.on_a = abut_add_scaled(normal.on_a, a->radius, normal.direction);
    normal.on_b = abut_add_scaled(normal.on_b, -b->radius, normal.direction);
    return normal;
}

growth_result growth_solve(const convex *a, const convex *b, const normal_settings *settings, double apart) {
    growth_result result = {.converged = true};
    double inside;
    bool smooth = convex_any_smooth(a, b) || convex_any_frustum(a, b); /* never about core points, and by one method */
    if (!contraction_points(a, b, settings->cores && !smooth, &result.contraction_a, &result.contraction_b, &inside)) {
        result.normal = normal_of_concentric(a, b, settings);
        return result;
    }
    ray_cast cast = {a, b, {abut_sub(result.contraction_a, result.contraction_b), abut_sub(result.contraction_b, result.contraction_a)}};
    if (settings->ray_cast && !smooth) {
        growth_ray_cast(&cast, inside, settings->previous, apart, &result);
    } else if (convex_are_polytopes(a, b)) {
        abut_feature feature_a, feature_b;
        if (facet_memory_read(a, b, settings->cache, &feature_a, &feature_b) &&
            ray_facet_is_robust(&cast, feature_a, feature_b, settings->previous, &result.normal, &result.alpha)) {
            result.alpha_lower = result.alpha;
            return result;
        }
        gauge g;
        gauge_solve(a, b, &cast.way, inside, apart, &g);
        if (g.apart) {
            result.apart = true;
            result.normal = (contact_normal){.direction = g.direction, .gap = -gauge_support(a, b, g.direction)};
            return result;
        }
        result.normal = ray_facet_normal(&cast, &g, settings->previous);
        result.alpha = g.upper;
        result.alpha_lower = g.lower;
        result.supports = g.supports;
        if (apart == INFINITY) { /* otherwise the caller needs only the normal */
            double missed = missed_by(&g, cast.way.ray) / g.upper;
            growth_certify(&cast, inside, g.upper * growth_factor_beyond(&cast, inside, missed), &result);
        }
    } else {
        grow_round(&cast, inside, &result);
    }
    return result;
}
