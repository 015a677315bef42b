/* The closest points of a ball's centre and another body: see direct.h. World frame; normals point from B into A. */
#include "step/event/direct.h"

#include "base/real.h"
#include "narrow/pair.h"
#include "narrow/patch/contact_list.h"
#include "shape/shape.h"

bool event_direct_is(const abut_shape *a, const abut_shape *b) {
    const abut_shape *other = a->kind == ABUT_SHAPE_SPHERE ? b : a;
    return (a->kind == ABUT_SHAPE_SPHERE || b->kind == ABUT_SHAPE_SPHERE) &&
           (other->kind == ABUT_SHAPE_SPHERE || other->kind == ABUT_SHAPE_PLANE || other->kind == ABUT_SHAPE_BOX);
}

/* What lies closest to a point: the point on the core, the way from there to the point, and the surface's distance from the core. */
typedef struct nearest {
    abut_vec3 core, outward; /* outward: unit */
    double distance, radius;
    abut_feature feature;
} nearest;

/* The side of a coordinate on which a point is beyond the box: -1, 0, 1. The coordinate is brought into the box. */
static int clamp(double *x, double half) {
    int side = *x > half ? 1 : *x < -half ? -1 : 0;
    *x = side == 0 ? *x : side * half;
    return side;
}

/* The vertex with the given sides. A coordinate that is inside counts as `inside`. */
static int32_t vertex_of(const int side[3], int inside) {
    int32_t vertex = 0;
    for (int i = 0; i < 3; ++i) {
        vertex |= (side[i] == 0 ? inside : side[i]) > 0 ? 1 << i : 0;
    }
    return vertex;
}

static abut_feature feature_of_box(const polytope *surface, const int side[3]) {
    int beyond = (side[0] != 0) + (side[1] != 0) + (side[2] != 0);
    int32_t first = vertex_of(side, -1), last = vertex_of(side, 1);
    if (beyond == 3) {
        return (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = first};
    }
    if (beyond == 1) {
        int axis = side[0] != 0 ? 0 : side[1] != 0 ? 1 : 2;
        return (abut_feature){.kind = ABUT_FEATURE_FACE, .index = 2 * axis + (side[axis] > 0)};
    }
    abut_feature edge = {.kind = ABUT_FEATURE_EDGE};
    while (surface->edges[edge.index].vertex[0] != first || surface->edges[edge.index].vertex[1] != last) {
        ++edge.index;
    }
    return edge;
}

static bool nearest_of_box(const abut_shape *box, const event_place *place, abut_vec3 point, nearest *found) {
    abut_vec3 local = abut_mat3_apply_transposed(place->rotation, abut_sub(point, place->position)), core = local;
    int side[3] = {clamp(&core.x, box->half.x), clamp(&core.y, box->half.y), clamp(&core.z, box->half.z)};
    abut_vec3 way = abut_sub(local, core);
    double distance = abut_length(way);
    if (!(distance > 1e-9 * box->size)) {
        return false;
    }
    *found = (nearest){.core = abut_add(abut_mat3_apply(place->rotation, core), place->position),
                       .outward = abut_unit(abut_mat3_apply(place->rotation, way)),
                       .distance = distance,
                       .feature = feature_of_box(&box->surface, side)};
    return true;
}

static bool nearest_of(const abut_shape *shape, const event_place *place, abut_vec3 point, nearest *found) {
    if (shape->kind == ABUT_SHAPE_BOX) {
        return nearest_of_box(shape, place, point, found);
    }
    abut_vec3 way = abut_sub(point, place->position);
    if (shape->kind == ABUT_SHAPE_PLANE) {
        abut_vec3 outward = abut_mat3_apply(place->rotation, shape->normal);
        double height = abut_dot(outward, way) - shape->offset;
        *found = (nearest){.core = abut_add_scaled(point, -height, outward),
                           .outward = outward,
                           .distance = height,
                           .feature = {.kind = ABUT_FEATURE_FACE}};
        return true;
    }
    double distance = abut_length(way);
    *found = (nearest){.core = place->position,
                       .outward = abut_unit(way),
                       .distance = distance,
                       .radius = shape->radius,
                       .feature = {.kind = ABUT_FEATURE_SMOOTH}};
    return distance > 1e-9 * shape->size;
}

bool event_direct_find(const event_part *const part[2], const event_place *const place[2], double margin, abut_contact *contact,
                       int32_t *count, abut_separation *apart) {
    const int ball = part[0]->shape->kind == ABUT_SHAPE_SPHERE ? 0 : 1;
    const abut_shape *shape = part[ball]->shape;
    nearest found;
    if (!nearest_of(part[1 - ball]->shape, place[1 - ball], place[ball]->position, &found)) {
        return false;
    }
    double gap = found.distance - found.radius - shape->radius;
    abut_vec3 on_ball = abut_add_scaled(place[ball]->position, -shape->radius, found.outward);
    abut_vec3 on_other = abut_add_scaled(found.core, found.radius, found.outward);
    abut_feature smooth = {.kind = ABUT_FEATURE_SMOOTH};
    abut_contact c = {.on_a = ball == 0 ? on_ball : on_other,
                      .on_b = ball == 0 ? on_other : on_ball,
                      .normal = ball == 0 ? found.outward : abut_neg(found.outward),
                      .gap = gap,
                      .feature_a = ball == 0 ? smooth : found.feature,
                      .feature_b = ball == 0 ? found.feature : smooth};
    *count = gap <= margin;
    if (*count == 0) {
        *apart = (abut_separation){
            .gap = gap, .normal = c.normal, .on_a = c.on_a, .on_b = c.on_b, .feature_a = c.feature_a, .feature_b = c.feature_b};
        return true;
    }
    c.id = contact_id(c.feature_a, c.feature_b, collide_order_of(part[0]->shape, part[1]->shape) < 0);
    *contact = c;
    return true;
}
