/* Triangles, edges and vertices of meshes as features of contacts that are followed: see mesh_side.h. */
#include "step/event/mesh_side.h"

#include "base/real.h"
#include "shape/shape.h"
#include "shape/trimesh.h"

#define NEAR 1e3 /* distance within which a point counts as on a triangle, in units of the height of a degenerate one */

/* The unit normal of a triangle. A degenerate one has none; it gets that of its contact. */
static abut_vec3 normal_of(const trimesh *mesh, const abut_triangle *t, abut_vec3 outward) {
    abut_vec3 across;
    if (trimesh_is_flat(mesh, t->corner, &across)) {
        return outward;
    }
    return abut_unit(mesh->two_sided && abut_dot(across, outward) < 0.0 ? abut_neg(across) : across);
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

/* Triangles that reach a point of an edge from elsewhere. */
typedef struct around {
    const trimesh *mesh;
    abut_vec3 on, other;
    int32_t own;
    double most;
} around;

static bool look_beside(void *context, int32_t index, const abut_triangle *t) {
    around *a = context;
    int k = 0;
    (void)t;
    if (index != a->own && outside_triangle(a->mesh, index, a->on, &k) <= NEAR * a->mesh->flat) {
        a->most = real_max(a->most, over_triangle(a->mesh, 3 * index + k, a->other));
    }
    return true;
}

/* The same for both triangles at an edge. The surface of a solid knows the other one. In other meshes it is looked for: there may be none, or several along the
 * edge. */
static double beside_edge(const trimesh *mesh, int32_t edge, abut_vec3 on, abut_vec3 other) {
    double own = over_triangle(mesh, edge, other);
    if (mesh->twin != NULL) {
        return real_max(own, over_triangle(mesh, mesh->twin[edge], other));
    }
    around a = {.mesh = mesh, .on = on, .other = other, .own = edge / 3, .most = own};
    (void)trimesh_in_ball(mesh, on, NEAR * mesh->flat, look_beside, &a);
    return a.most;
}

/* Triangles in the plane of another one, beside it. */
typedef struct level_with {
    const trimesh *mesh;
    abut_vec3 on, normal;
    double least; /* how far the point is outside the nearest of them */
} level_with;

static bool look_level(void *context, int32_t index, const abut_triangle *t) {
    const double level = 1e-9;
    level_with *l = context;
    abut_vec3 across;
    if (trimesh_is_flat(l->mesh, t->corner, &across) || abut_length(abut_cross(abut_unit(across), l->normal)) > level) {
        return true;
    }
    int k = 0;
    bool in_plane = fabs(abut_dot(l->normal, abut_sub(l->on, t->corner[0]))) <=
                    level * abut_distance_between(l->on, t->corner[0]) + NEAR * l->mesh->flat;
    l->least = in_plane ? real_min(l->least, outside_triangle(l->mesh, index, l->on, &k)) : l->least;
    return true;
}

/* How far a point is outside the flat place around a triangle. Over a seam between triangles in one plane the contact goes on: the plane is the same. */
static double outside_flat_place(const event_side *side, abut_vec3 on) {
    const double reach = 1e-5; /* of the size of the mesh: farther out, only the triangle itself counts */
    const trimesh *mesh = side->shape->mesh;
    int nearest = 0;
    double own = outside_triangle(mesh, side->feature.index, on, &nearest);
    if (own <= 0.0) {
        return own;
    }
    level_with l = {.mesh = mesh, .on = on, .normal = side->direction, .least = own};
    (void)trimesh_in_ball(mesh, on, reach * side->shape->size, look_level, &l);
    return l.least;
}

double event_mesh_slip(const event_side *side, abut_vec3 on, abut_vec3 other, bool round) {
    const trimesh *mesh = side->shape->mesh;
    if (side->kind == EVENT_FACE) {
        return outside_flat_place(side, on);
    }
    if (side->kind == EVENT_LINE) {
        double along = abut_dot(side->direction, abut_sub(on, side->point)), end = real_max(-along, along - side->length);
        return round ? real_max(end, beside_edge(mesh, side->feature.index, on, other)) : end;
    }
    return -INFINITY;
}

/* A point and a distance; whether a triangle is as near. */
typedef struct near_point {
    const trimesh *mesh;
    abut_vec3 point;
    double distance;
    bool found;
} near_point;

static bool look_near(void *context, int32_t index, const abut_triangle *t) {
    near_point *n = context;
    int k = 0;
    abut_vec3 normal = normal_of(n->mesh, t, abut_vec3_make(0.0, 0.0, 0.0));
    n->found = n->found || (fabs(abut_dot(normal, abut_sub(n->point, t->corner[0]))) <= n->distance &&
                            outside_triangle(n->mesh, index, n->point, &k) <= n->distance);
    return !n->found;
}

bool event_mesh_is_near(const abut_shape *shape, abut_vec3 point, double distance) {
    near_point n = {.mesh = shape->mesh, .point = point, .distance = distance};
    (void)trimesh_in_ball(shape->mesh, point, distance, look_near, &n);
    return n.found;
}
