/* Margins of pairs and bodies. */
#include "step/fixed/margin.h"

#include "base/real.h"
#include "step/fixed/continuous/path.h"

/* The largest distance at which contacts of a fast body are searched, relative to the smaller shape's size. At a larger distance the present normal
 * predicts poorly how the bodies will meet. */
static const double farthest_look = 0.5;

double margin_travel(const abut_world *world, const body *body, double dt) {
    double speed = abut_length(body->velocity) + abut_length(body->angular_velocity) * body->radius;
    double fall = body->kind == ABUT_BODY_DYNAMIC ? abut_length(body_gravity(world, body)) * dt : 0.0;
    return body->asleep ? 0.0 : dt * (speed + fall);
}

double margin_smaller_size(const body *a, const body *b) {
    if (a->size == 0.0 || b->size == 0.0) {
        return a->size + b->size;
    }
    return real_min_number(a->size, b->size);
}

double margin_settled(const abut_world *world, const body *a, const body *b) { return world->def.fixed.margin * margin_smaller_size(a, b); }

double margin_of_pair(const abut_world *world, const body *a, const body *b, double travel) {
    return margin_settled(world, a, b) + real_min_number(travel, farthest_look * margin_smaller_size(a, b));
}

bool margin_falls_short(const abut_world *world, const body *a, const body *b, double dt) {
    return margin_travel(world, a, dt) + margin_travel(world, b, dt) > farthest_look * margin_smaller_size(a, b);
}

double margin_angle(const abut_world *world, const body *a, const body *b, double dt) {
    const double most = 0.25 * REAL_PI; /* the largest feature_angle that abut_collide() accepts */
    double turn = dt * abut_distance_between(a->angular_velocity, b->angular_velocity);
    return real_min_number(world->def.collide.feature_angle + turn, most);
}

double margin_share(const abut_world *world, const body *body, double dt) {
    double ahead =
        body->size > 0.0 ? real_min_number(margin_travel(world, body, dt), farthest_look * body->size) : margin_travel(world, body, dt);
    /* Every pair has a dynamic body that is no smaller than the smaller body of the pair. This body contributes the settled part. */
    return ahead + (body->kind == ABUT_BODY_DYNAMIC ? world->def.fixed.margin * body->size : 0.0);
}

/* The ball around the body, at the end of its expected motion, and grown. */
static abut_aabb place_reached(const abut_world *world, const body *body, double dt, double grown) {
    abut_vec3 centre = abut_add(body->centre, path_motion(world, body, dt).linear);
    return aabb_grown((abut_aabb){centre, centre}, body->radius + grown);
}

abut_aabb margin_reach(const abut_world *world, const body *body, double dt) {
    double share = margin_share(world, body, dt);
    abut_aabb reach = aabb_grown(abut_shape_bounds(body->shape, body->pose), share);
    bool far = body->size > 0.0 && margin_travel(world, body, dt) > farthest_look * body->size;
    return far ? aabb_union(reach, place_reached(world, body, dt, share)) : reach;
}
