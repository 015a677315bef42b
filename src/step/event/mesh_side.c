/* Triangles, edges and vertices of meshes as features of contacts that are followed: see mesh_side.h. */
#include "step/event/mesh_side.h"

#include "base/real.h"
#include "shape/shape.h"
#include "shape/trimesh.h"

/* The unit normal of a triangle. A degenerate one has none; it gets that of its contact. */
static abut_vec3 normal_of(const trimesh *mesh, const abut_triangle *t, abut_vec3 outward) {
    abut_vec3 across;
    return trimesh_is_flat(mesh, t->corner, &across) ? outward : abut_unit(across);
}

event_side event_mesh_side(const abut_shape *shape, abut_feature feature, abut_vec3 outward) {
    event_side side = {.kind = EVENT_POINT, .shape = shape, .feature = feature};
    abut_triangle t;
    switch (feature.kind) {
    case ABUT_FEATURE_FACE:
        trimesh_triangle(shape->mesh, feature.index, &t);
        side.kind = EVENT_FACE;
        side.point = t.corner[0];
        side.direction = normal_of(shape->mesh, &t, outward);
        return side;
    case ABUT_FEATURE_EDGE: {
        trimesh_triangle(shape->mesh, feature.index / 3, &t);
        abut_vec3 from = t.corner[feature.index % 3], along = abut_sub(t.corner[(feature.index + 1) % 3], from);
        side.kind = EVENT_LINE;
        side.point = from;
        side.length = abut_length(along);
        side.direction = abut_unit(along);
        return side;
    }
    default:
        side.point = trimesh_vertex(shape->mesh, feature.index);
        return side;
    }
}

/* Outward direction of the side from corner k, in the plane of the triangle. */
static abut_vec3 outward_of_side(const abut_triangle *t, int k) {
    abut_vec3 along = abut_sub(t->corner[(k + 1) % 3], t->corner[k]);
    abut_vec3 inward = abut_sub(t->corner[(k + 2) % 3], t->corner[k]);
    double square = abut_length_squared(along);
    return abut_unit(abut_sub(square > 0.0 ? abut_scale(abut_dot(along, inward) / square, along) : along, inward));
}

static double outside_triangle(const trimesh *mesh, int32_t index, abut_vec3 point, int *nearest) {
    abut_triangle t;
    trimesh_triangle(mesh, index, &t);
    double most = -INFINITY;
    for (int k = 0; k < 3; ++k) {
        double outside = abut_dot(outward_of_side(&t, k), abut_sub(point, t.corner[k]));
        *nearest = outside > most ? k : *nearest;
        most = real_max(most, outside);
    }
    return most;
}

event_side event_mesh_border(const event_side *face, abut_vec3 point) {
    int k = 0;
    (void)outside_triangle(face->shape->mesh, face->feature.index, point, &k);
    abut_feature edge = {.kind = ABUT_FEATURE_EDGE, .index = 3 * face->feature.index + k, .part = face->feature.part};
    return event_mesh_side(face->shape, edge, face->direction);
}

/* How far a point lies over a triangle, from that side of it. If positive, the triangle is nearer to the point than the side. */
static double over_triangle(const trimesh *mesh, int32_t side, abut_vec3 point) {
    abut_triangle t;
    trimesh_triangle(mesh, side / 3, &t);
    return -abut_dot(outward_of_side(&t, side % 3), abut_sub(point, t.corner[side % 3]));
}

/* The same for both triangles at an edge. */
static double beside_edge(const trimesh *mesh, int32_t edge, abut_vec3 other) {
    return real_max(over_triangle(mesh, edge, other), over_triangle(mesh, mesh->twin[edge], other));
}

double event_mesh_slip(const event_side *side, abut_vec3 on, abut_vec3 other, bool round) {
    const trimesh *mesh = side->shape->mesh;
    if (side->kind == EVENT_FACE) {
        int nearest = 0;
        return outside_triangle(mesh, side->feature.index, on, &nearest);
    }
    if (side->kind == EVENT_LINE) {
        double along = abut_dot(side->direction, abut_sub(on, side->point)), end = real_max(-along, along - side->length);
        return round ? real_max(end, beside_edge(mesh, side->feature.index, other)) : end;
    }
    return -INFINITY;
}
