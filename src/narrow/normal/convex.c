/*
 * Convex bodies in the pair's frame: placement, vertices, support mapping.
 */

#include "narrow/normal/convex.h"

#include "base/real.h"
#include "geom/closest.h"
#include "shape/given/contraction.h"
#include "shape/inner.h"

static convex_core core_of(const abut_shape *shape) {
    if (shape->kind == ABUT_SHAPE_BOX || shape->kind == ABUT_SHAPE_POLYTOPE) {
        return CORE_POLYTOPE;
    }
    if (smooth_is(shape)) {
        return CORE_SMOOTH;
    }
    if (shape_is_frustum(shape)) {
        return CORE_FRUSTUM;
    }
    return shape->kind == ABUT_SHAPE_CAPSULE && shape->half_length > 0.0 ? CORE_SEGMENT : CORE_POINT;
}

/* Component by component: data that were just written are read back fast only in pieces of the same size. */
void convex_set(convex *body, const abut_shape *shape, const abut_mat3 *rotation, const abut_vec3 *position, int32_t part) {
    body->core = core_of(shape);
    body->shape = shape;
    body->surface = body->core == CORE_POLYTOPE ? &shape->surface : NULL;
    body->half_length = shape->half_length;
    body->radius = shape->radius;
    body->meridian[0] = 1.0;
    body->meridian[1] = 0.0;
    body->eroded = 0.0;
    body->rotation.x = abut_vec3_make(rotation->x.x, rotation->x.y, rotation->x.z);
    body->rotation.y = abut_vec3_make(rotation->y.x, rotation->y.y, rotation->y.z);
    body->rotation.z = abut_vec3_make(rotation->z.x, rotation->z.y, rotation->z.z);
    body->aligned = convex_is_identity(rotation);
    body->position = abut_vec3_make(position->x, position->y, position->z);
    body->size = shape->size;
    body->part = part;
}

convex convex_place(const abut_shape *shape, abut_mat3 rotation, abut_vec3 position, int32_t part) {
    convex body;
    convex_set(&body, shape, &rotation, &position, part);
    return body;
}

void convex_place_find(const convex *body, abut_vec3 outward, abut_vec3 u, abut_vec3 v, smooth_place *place) {
    smooth_place_find(body->shape, convex_direction_to_local(body, outward), convex_direction_to_local(body, u),
                      convex_direction_to_local(body, v), place);
    place->point = convex_to_pair(body, place->point);
}

convex convex_move(const convex *body, abut_mat3 rotation, abut_vec3 position) {
    convex moved = *body;
    moved.rotation = rotation;
    moved.aligned = convex_is_identity(&rotation);
    moved.position = position;
    return moved;
}

double convex_extent(const convex *body, abut_vec3 direction) {
    abut_vec3 point;
    convex_support(body, direction, &point);
    return abut_dot(direction, point);
}

abut_vec3 convex_centroid(const convex *body) {
    return body->core == CORE_POLYTOPE ? convex_to_pair(body, body->surface->centroid)
           : body->core == CORE_SMOOTH ? convex_to_pair(body, smooth_middle(body->shape))
                                       : body->position;
}

abut_vec3 convex_inner_centre(const convex *body) {
    return body->core == CORE_POLYTOPE  ? convex_to_pair(body, body->surface->inner_centre)
           : body->core == CORE_FRUSTUM ? convex_to_pair(body, abut_vec3_make(0.0, 0.0, body->shape->round.inner_z))
                                        : convex_centroid(body);
}

double convex_inradius(const convex *body) {
    bool sized = body->core == CORE_SMOOTH || body->core == CORE_FRUSTUM;
    return body->core == CORE_POLYTOPE ? body->surface->inradius : sized ? body->shape->inner_radius : body->radius;
}

double convex_centroid_inradius(const convex *body) {
    return body->core == CORE_POLYTOPE  ? body->surface->centroid_inradius
           : body->core == CORE_FRUSTUM ? body->shape->round.centre_depth
                                        : convex_inradius(body);
}

double convex_depth_of(const convex *body, abut_vec3 point) {
    abut_vec3 local = convex_to_local(body, point);
    if (body->core == CORE_SMOOTH) {
        return smooth_depth_of(body->shape, local);
    }
    if (body->core == CORE_FRUSTUM) {
        return -frustum_height(&body->shape->round, local);
    }
    if (body->core == CORE_POLYTOPE) {
        return polytope_depth_of(body->surface, local);
    }
    double z = real_max(-body->half_length, real_min(body->half_length, local.z));
    return body->radius - abut_length(abut_vec3_make(local.x, local.y, local.z - z));
}

abut_vec3 convex_contraction(const convex *body, double *depth) {
    if (!shape_has_contraction(body->shape)) {
        *depth = convex_centroid_inradius(body);
        return convex_centroid(body);
    }
    *depth = body->shape->contraction_depth;
    return convex_to_pair(body, body->shape->contraction);
}

bool convex_is_deeper(const convex *body, abut_vec3 point, double than) {
    if (body->core != CORE_POLYTOPE) {
        return convex_depth_of(body, point) > than;
    }
    const polytope *surface = body->surface;
    abut_vec3 local = convex_to_local(body, point);
    for (int32_t f = 0; f < surface->face_count; ++f) {
        if (!(surface->offsets[f] - abut_dot(surface->normals[f], local) > than)) {
            return false;
        }
    }
    return true;
}

bool convex_holds_part(const convex *body, abut_vec3 from, abut_vec3 to, abut_vec3 *middle) {
    if (body->core != CORE_POLYTOPE) {
        return false;
    }
    const polytope *surface = body->surface;
    abut_vec3 start = convex_to_local(body, from), end = convex_to_local(body, to);
    double low = 0.0, high = 1.0;
    for (int32_t f = 0; f < surface->face_count; ++f) {
        double at_start = surface->offsets[f] - abut_dot(surface->normals[f], start);
        double at_end = surface->offsets[f] - abut_dot(surface->normals[f], end);
        if (at_start <= 0.0 && at_end <= 0.0) {
            return false;
        }
        double cut = at_start / (at_start - at_end);
        low = at_start < 0.0 ? real_max(low, cut) : low;
        high = at_end < 0.0 ? real_min(high, cut) : high;
    }
    *middle = abut_lerp(from, to, 0.5 * (low + high));
    return low < high;
}

/* The thickness of a core, which is what rounding errors must be compared with; infinite for a point. */
static double thickness_of(const convex *body) {
    return body->core == CORE_POINT ? INFINITY : body->core == CORE_SEGMENT ? body->half_length : shape_inner_radius(body->shape);
}

bool convex_are_coarse(const convex *a, const convex *b) {
    /* Beyond it, rounding errors are at most some 1e-8 of the thickness, and clear features have margins of 1e-6. */
    const double coarse = 1e-8;
    const abut_vec3 apart = abut_sub(b->position, a->position);
    const double reach = a->size + b->size + fabs(apart.x) + fabs(apart.y) + fabs(apart.z);
    return !(real_min(thickness_of(a), thickness_of(b)) > coarse * reach);
}
