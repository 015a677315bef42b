#include "narrow/separating.h"

#include "narrow/normal/gauge.h"

static double spread(abut_vec3 v) { return fabs(v.x) + fabs(v.y) + fabs(v.z); }

/* A bound of the coordinates that place the body's points in the pair's frame. These coordinates set the rounding error. */
static double coordinates_at(const abut_shape *shape, abut_vec3 position) {
    const abut_aabb *bounds = &shape->bounds;
    return spread(bounds->lower) + spread(bounds->upper) + spread(position);
}

static double coordinates_of(const convex *body) { return coordinates_at(body->shape, body->position); }

static double doubt_of(double size, double coordinates) { return 1e-6 * size + 1e-14 * coordinates; }

double separating_doubt(const convex *a, const convex *b) { return doubt_of(a->size + b->size, coordinates_of(a) + coordinates_of(b)); }

double separating_doubt_of_shapes(const abut_shape *a, const abut_shape *b, abut_vec3 position_b) {
    const abut_vec3 origin = {0.0, 0.0, 0.0};
    return doubt_of(a->size + b->size, coordinates_at(a, origin) + coordinates_at(b, position_b));
}

double separating_doubt_beside(const convex *body, double size) { return doubt_of(body->size + size, 2.0 * coordinates_of(body) + size); }

double separating_doubt_of_plane(const convex *body, const convex_parts *plane) {
    return doubt_of(body->size, coordinates_of(body) + fabs(plane->offset));
}

bool separating_holds(const collide_pair *pair, abut_vec3 direction) {
    abut_vec3 unit = abut_unit(direction);
    if (!(abut_length_squared(unit) > 0.5) || !shape_is_convex(pair->a) || !shape_is_convex(pair->b)) {
        return false;
    }
    convex a, b;
    collide_place_convex(pair, &a, &b);
    return -gauge_support(&a, &b, unit) > pair->normal.margin + separating_doubt(&a, &b);
}
