/* Points on features, and where they end. Shape frame within this file, if not said otherwise. */
#include "narrow/curved/side.h"

#include "base/real.h"
#include "geom/closest.h"
#include "narrow/mesh/point.h"
#include "shape/surface/contact_surface.h"
#include "shape/smooth.h"
#include "shape/surface/triangulation_data.h"
#include "shape/trimesh.h"
#include "shape/user.h"

static abut_vec3 seen_by(const contact_side *side, abut_vec3 point) {
    return abut_mat3_apply_transposed(side->rotation, abut_sub(point, side->position));
}

static bool is_curved(const contact_side *side) { return smooth_is_unknown(side->shape); }

/* ---- bodies that are smooth and not convex ---- */

/* A place on the surface: its curvatures are those along any two directions of the tangent plane, so they are turned to the principal ones. */
typedef struct curved_place {
    abut_vec3 point, normal;
    double bend[3]; /* along u, mixed, along v */
    abut_vec3 u, v;
} curved_place;

static bool place_implicit(const smooth_user *user, abut_vec3 point, curved_place *place) {
    enum { STEPS = 12 };
    abut_implicit_point at = implicit_at(&user->implicit, point);
    for (int i = 0; i < STEPS && at.value != 0.0; ++i) {
        point = abut_add_scaled(point, -at.value / abut_length_squared(at.gradient), at.gradient);
        at = implicit_at(&user->implicit, point);
    }
    place->point = point;
    place->normal = abut_unit(at.gradient);
    if (!abut_vec3_is_finite(point) || !(abut_length_squared(place->normal) > 0.5)) {
        return false;
    }
    abut_tangent_frame(place->normal, &place->u, &place->v);
    implicit_curvature(&at, place->u, place->v, place->bend);
    return true;
}

static bool place_parametric(const smooth_user *user, double u, double v, curved_place *place) {
    const abut_parametric_point at = parametric_at(&user->parametric, u, v);
    place->point = at.s;
    place->normal = abut_scale(user->sign, abut_unit(abut_cross(at.su, at.sv)));
    if (!abut_vec3_is_finite(place->point) || !(abut_length_squared(place->normal) > 0.5)) {
        return false;
    }
    abut_tangent_frame(place->normal, &place->u, &place->v);
    return parametric_curvature(&at, place->normal, place->u, place->v, place->bend);
}

/* The principal curvatures are the eigenvalues of the matrix. */
static void take(contact_side *side, const curved_place *place) {
    double mean = 0.5 * (place->bend[0] + place->bend[2]), half = 0.5 * (place->bend[0] - place->bend[2]), mixed = place->bend[1];
    double spread = sqrt(half * half + mixed * mixed);
    /* The eigenvector of mean + spread: the better conditioned of two forms. */
    double x = half >= 0.0 ? half + spread : mixed, y = half >= 0.0 ? mixed : spread - half;
    double length = sqrt(x * x + y * y);
    abut_vec3 first = length > 0.0 ? abut_add(abut_scale(x / length, place->u), abut_scale(y / length, place->v)) : place->u;
    side->point = abut_add(abut_mat3_apply(side->rotation, place->point), side->position);
    side->outward = abut_mat3_apply(side->rotation, place->normal);
    side->direction[0] = abut_mat3_apply(side->rotation, first);
    side->direction[1] = abut_cross(side->outward, side->direction[0]);
    side->curvature[0] = mean + spread;
    side->curvature[1] = mean - spread;
}

/* The parameters whose point is, to first order, at a place of the tangent plane. */
static void move_parameters(contact_side *side, abut_vec3 to) {
    const abut_parametric_def *def = &side->shape->user->parametric;
    const abut_parametric_point at = parametric_at(def, side->u, side->v);
    abut_vec3 way = abut_sub(to, at.s);
    double e = abut_length_squared(at.su), f = abut_dot(at.su, at.sv), g = abut_length_squared(at.sv), det = e * g - f * f;
    double p = abut_dot(way, at.su), q = abut_dot(way, at.sv);
    if (det > 1e-12 * e * g) {
        side->u += (g * p - f * q) / det;
        side->v += (e * q - f * p) / det;
        parametric_wrap(def, &side->u, &side->v);
    }
}

static bool move_curved(contact_side *side, abut_vec3 to) {
    curved_place place;
    if (side->shape->kind == ABUT_SHAPE_IMPLICIT) {
        return place_implicit(side->shape->user, to, &place) && (take(side, &place), true);
    }
    move_parameters(side, to);
    return place_parametric(side->shape->user, side->u, side->v, &place) && (take(side, &place), true);
}

const abut_shape *side_part(const abut_shape *shape, int32_t part, side_place *place) {
    if (shape->kind != ABUT_SHAPE_COMPOUND) {
        return shape;
    }
    const abut_part *of = &shape->parts[part];
    place->position = abut_add(abut_mat3_apply(place->rotation, of->pose.position), place->position);
    place->rotation = abut_mat3_mul(place->rotation, abut_mat3_from_quat(of->pose.rotation));
    return of->shape;
}

static void set_place(contact_side *side, const abut_shape *shape, side_place place) {
    *side = (contact_side){.shape = shape, .rotation = place.rotation, .position = place.position};
}

bool contact_side_begin_curved(contact_side *side, const abut_shape *shape, side_place place, int32_t triangle, abut_vec3 point) {
    set_place(side, shape, place);
    side->feature = (abut_feature){.kind = ABUT_FEATURE_SMOOTH};
    if (shape->kind == ABUT_SHAPE_PARAMETRIC) {
        side->u = shape->user->triangles->parameters[2 * triangle];
        side->v = shape->user->triangles->parameters[2 * triangle + 1];
        parametric_project(&shape->user->parametric, seen_by(side, point), &side->u, &side->v);
        curved_place found;
        return place_parametric(shape->user, side->u, side->v, &found) && (take(side, &found), true);
    }
    return move_curved(side, seen_by(side, point));
}

/* ---- features of other bodies ---- */

static abut_vec3 normal_of_face(const contact_side *side) {
    const abut_shape *shape = side->shape;
    abut_triangle t;
    switch (shape->kind) {
    case ABUT_SHAPE_PLANE:
        return shape->normal;
    case ABUT_SHAPE_TRIMESH:
        trimesh_triangle(shape->mesh, side->feature.index, &t);
        return abut_unit(abut_cross(abut_sub(t.corner[1], t.corner[0]), abut_sub(t.corner[2], t.corner[0])));
    case ABUT_SHAPE_CYLINDER:
    case ABUT_SHAPE_CONE:
        return abut_vec3_make(0.0, 0.0, side->feature.index == 0 ? -1.0 : 1.0);
    default:
        return shape->surface.face[side->feature.index].normal;
    }
}

/* Any unit vector across an axis, or the part of a direction that is. */
static abut_vec3 across(abut_vec3 direction, abut_vec3 axis) {
    abut_vec3 part = abut_unit(abut_add_scaled(direction, -abut_dot(direction, axis), axis)), first, second;
    if (abut_length_squared(part) > 0.5) {
        return part;
    }
    abut_tangent_frame(axis, &first, &second);
    return first;
}

static void on_rim(contact_side *side, abut_vec3 wanted, abut_vec3 *point, abut_vec3 *outward) {
    const frustum *f = &side->shape->round;
    abut_vec3 ray = across(wanted, abut_vec3_make(0.0, 0.0, 1.0));
    double radius = f->radius[side->feature.index];
    *point = abut_vec3_make(radius * ray.x, radius * ray.y, f->z[side->feature.index]);
    *outward = wanted;
}

/* The line of the side in the direction of the normal, at the place nearest to `to`. */
static void on_frustum_side(const contact_side *side, abut_vec3 to, abut_vec3 wanted, abut_vec3 *point, abut_vec3 *outward) {
    const frustum *f = &side->shape->round;
    abut_vec3 ray = across(wanted, abut_vec3_make(0.0, 0.0, 1.0));
    double rho = abut_dot(to, ray), way = -f->normal_z * rho + f->normal_rho * (to.z - f->z[0]) + f->normal_z * f->radius[0];
    double at = f->radius[0] - way * f->normal_z;
    *point = abut_vec3_make(at * ray.x, at * ray.y, f->z[0] + way * f->normal_rho);
    *outward = abut_vec3_make(f->normal_rho * ray.x, f->normal_rho * ray.y, f->normal_z);
}

/* Its ends and its side follow each other, so the point goes over by itself. */
static void on_capsule(contact_side *side, abut_vec3 to, abut_vec3 wanted, abut_vec3 *point, abut_vec3 *outward) {
    const abut_vec3 axis = {0.0, 0.0, 1.0};
    double half = side->shape->half_length, z = real_max(-half, real_min(half, to.z));
    bool at_end = side->feature.index == 2 ? fabs(to.z) > half : (side->feature.index == 1) == (wanted.z >= 0.0);
    z = at_end && side->feature.index < 2 ? (side->feature.index == 1 ? half : -half) : z;
    *outward = at_end ? wanted : across(wanted, axis);
    *point = abut_add_scaled(abut_vec3_make(0.0, 0.0, z), side->shape->radius, *outward);
    side->feature.index = at_end ? (z > 0.0 ? 1 : 0) : 2;
}

static void on_smooth(contact_side *side, abut_vec3 to, abut_vec3 wanted, abut_vec3 *point, abut_vec3 *outward) {
    const abut_shape *shape = side->shape;
    if (shape->kind == ABUT_SHAPE_CAPSULE) {
        on_capsule(side, to, wanted, point, outward);
    } else if (shape_is_frustum(shape)) {
        on_frustum_side(side, to, wanted, point, outward);
    } else {
        *point = smooth_is(shape) ? smooth_support(shape, wanted) : abut_scale(shape->radius, wanted);
        *outward = wanted;
    }
}

static void on_edge(contact_side *side, abut_vec3 to, abut_vec3 wanted, abut_vec3 *point, abut_vec3 *outward) {
    abut_vec3 along;
    if (shape_is_frustum(side->shape)) {
        on_rim(side, wanted, point, outward);
        return;
    }
    *point = side->anchor;
    *outward = wanted;
    if (contact_surface_edge(side->shape, side->feature.index, &along) == ABUT_OK) {
        along = abut_unit(along);
        *point = abut_add_scaled(side->anchor, abut_dot(abut_sub(to, side->anchor), along), along);
        *outward = across(wanted, along);
    }
}

/* On a feature of a body of another kind. */
static bool move_on_feature(contact_side *side, abut_vec3 to, abut_vec3 wanted) {
    abut_vec3 point = side->anchor, outward = wanted;
    switch (side->feature.kind) {
    case ABUT_FEATURE_FACE:
        outward = normal_of_face(side);
        point = abut_add_scaled(to, -abut_dot(outward, abut_sub(to, side->anchor)), outward);
        break;
    case ABUT_FEATURE_EDGE:
        on_edge(side, to, wanted, &point, &outward);
        break;
    case ABUT_FEATURE_SMOOTH:
        on_smooth(side, to, wanted, &point, &outward);
        break;
    default:
        break;
    }
    abut_curvature bend;
    if (contact_surface_find(side->shape, side->feature, point, outward, &bend) != ABUT_OK) {
        return false;
    }
    side->point = abut_add(abut_mat3_apply(side->rotation, point), side->position);
    side->outward = abut_mat3_apply(side->rotation, outward);
    for (int i = 0; i < 2; ++i) {
        side->direction[i] = abut_mat3_apply(side->rotation, bend.direction[i]);
        side->curvature[i] = bend.curvature[i];
    }
    return true;
}

bool contact_side_move(contact_side *side, abut_vec3 to, abut_vec3 wanted) {
    abut_vec3 seen = seen_by(side, to);
    return is_curved(side) ? move_curved(side, seen) : move_on_feature(side, seen, abut_mat3_apply_transposed(side->rotation, wanted));
}

bool contact_side_begin(contact_side *side, const abut_shape *shape, side_place place, abut_feature feature, abut_vec3 point,
                        abut_vec3 outward) {
    set_place(side, shape, place);
    side->feature = (abut_feature){feature.kind, feature.index, 0};
    side->anchor = seen_by(side, point);
    return contact_side_move(side, point, outward);
}

/* ---- where features end ---- */

static const double slack = 1e-9; /* of the size, and of a unit vector */

static abut_feature feature_named(abut_feature_kind kind, int32_t index) { return (abut_feature){.kind = kind, .index = index}; }

static bool leaves_face(const polytope *p, double size, int32_t face, abut_vec3 point, abut_feature *next) {
    double most = slack * size;
    bool leaves = false;
    for (int32_t i = p->face[face].first; i < p->face[face].first + p->face[face].count; ++i) {
        const polytope_edge *e = &p->edges[p->corner[i].edge];
        abut_vec3 from = p->vertices[p->corner[i].vertex];
        int32_t far = e->vertex[0] == p->corner[i].vertex ? e->vertex[1] : e->vertex[0];
        abut_vec3 outside = abut_unit(abut_cross(abut_sub(p->vertices[far], from), p->face[face].normal));
        double beyond = abut_dot(outside, abut_sub(point, from));
        if (beyond > most) {
            most = beyond;
            *next = feature_named(ABUT_FEATURE_EDGE, p->corner[i].edge);
            leaves = true;
        }
    }
    return leaves;
}

/* The normals of an edge are those between its faces. */
static bool leaves_edge(const polytope *p, double size, int32_t edge, abut_vec3 point, abut_vec3 wanted, abut_feature *next) {
    const polytope_edge *e = &p->edges[edge];
    abut_vec3 from = p->vertices[e->vertex[0]], way = abut_sub(p->vertices[e->vertex[1]], from);
    double length = abut_length(way), at = abut_dot(abut_sub(point, from), way) / length;
    if (at < -slack * size || at > length + slack * size) {
        *next = feature_named(ABUT_FEATURE_VERTEX, e->vertex[at > 0.0]);
        return true;
    }
    for (int side = 0; side < 2; ++side) { /* face[0] is on the left of the way, seen from outside */
        abut_vec3 into = abut_unit(abut_cross(p->face[e->face[side]].normal, side == 0 ? way : abut_neg(way)));
        if (abut_dot(into, wanted) > slack) {
            *next = feature_named(ABUT_FEATURE_FACE, e->face[side]);
            return true;
        }
    }
    return false;
}

/* The normals of a vertex are those along which no other end of its edges is farther. */
static bool leaves_vertex(const polytope *p, int32_t vertex, abut_vec3 wanted, abut_feature *next) {
    double most = slack;
    bool leaves = false;
    for (int32_t i = p->vertex_first[vertex]; i < p->vertex_first[vertex + 1]; ++i) {
        abut_vec3 way = abut_unit(abut_sub(p->vertices[p->spoke[i].far], p->vertices[vertex]));
        double farther = abut_dot(way, wanted);
        if (farther > most) {
            most = farther;
            *next = feature_named(ABUT_FEATURE_EDGE, p->spoke[i].edge);
            leaves = true;
        }
    }
    return leaves;
}

/* Whether a mesh goes on along a normal, at a point of one of its edges or corners. */
typedef struct mesh_going_on {
    abut_vec3 point, normal;
    double near;
    bool does;
} mesh_going_on;

static bool goes_on(void *context, int32_t index, const abut_triangle *t) {
    const double flat = 1e-6; /* sides that rise by less do not tell a normal from that of a flat place */
    mesh_going_on *at = context;
    bool here = false;
    (void)index;
    for (int i = 0; i < 3; ++i) {
        const abut_vec3 p = t->corner[i], q = t->corner[(i + 1) % 3];
        here = here || abut_distance_between(abut_lerp(p, q, closest_on_segment(at->point, p, q)), at->point) <= at->near;
    }
    for (int i = 0; i < 3 && here; ++i) {
        const abut_vec3 way = abut_sub(t->corner[i], at->point);
        const double length = abut_length(way);
        at->does = at->does || (length > at->near && abut_dot(way, at->normal) > flat * length);
    }
    return !at->does;
}

/* The normals of an edge and of a corner are those along which no triangle there goes on, as for solids. Inside a flat place that is the face's alone. */
static bool leaves_cone(const contact_side *side, abut_vec3 point, abut_vec3 wanted) {
    mesh_going_on at = {.point = point, .normal = wanted, .near = slack * side->shape->size};
    if (side->feature.kind == ABUT_FEATURE_EDGE || side->feature.kind == ABUT_FEATURE_VERTEX) {
        trimesh_in_ball(side->shape->mesh, point, at.near, goes_on, &at);
    }
    return at.does;
}

/* A mesh holds its features by place: its surface is at the point. */
static bool leaves_mesh(const contact_side *side, abut_vec3 point) {
    const placed_mesh mesh = {.mesh = side->shape->mesh, .rotation = abut_mat3_identity(), .aligned = true};
    const mesh_surface surface = {&mesh, 1, .same = slack * side->shape->size};
    mesh_point found;
    return !mesh_point_find_any(&surface, point, slack * side->shape->size, slack * side->shape->size, &found);
}

static bool leaves_frustum(const contact_side *side, abut_vec3 point, abut_vec3 wanted, abut_feature *next) {
    const frustum *f = &side->shape->round;
    double room = slack * side->shape->size;
    int end = side->feature.index;
    if (side->feature.kind == ABUT_FEATURE_SMOOTH && (point.z < f->z[0] - room || point.z > f->z[1] + room)) {
        end = point.z > f->z[0];
        *next = feature_named(f->radius[end] > 0.0 ? ABUT_FEATURE_EDGE : ABUT_FEATURE_VERTEX, end);
        return true;
    }
    if (side->feature.kind == ABUT_FEATURE_FACE && frustum_rho(point.x, point.y) > f->radius[end] + room) {
        *next = feature_named(ABUT_FEATURE_EDGE, end);
        return true;
    }
    if (side->feature.kind == ABUT_FEATURE_VERTEX) { /* no point of the side is farther than the apex */
        double farther = frustum_rho(wanted.x, wanted.y) * f->radius[1 - end] + wanted.z * (f->z[1 - end] - f->z[end]);
        *next = feature_named(ABUT_FEATURE_SMOOTH, 0);
        return farther > slack * f->slant;
    }
    if (side->feature.kind == ABUT_FEATURE_EDGE) { /* between the normal of the disc and that of the side */
        double rho = frustum_rho(wanted.x, wanted.y), sense = end == 0 ? -1.0 : 1.0;
        bool side_on = sense * (f->normal_rho * wanted.z - f->normal_z * rho) < -slack;
        *next = feature_named(side_on ? ABUT_FEATURE_SMOOTH : ABUT_FEATURE_FACE, side_on ? 0 : end);
        return side_on || rho < slack;
    }
    return false;
}

bool contact_side_leaves(const contact_side *side, abut_vec3 wanted_in_pair, abut_feature *next) {
    const abut_shape *shape = side->shape;
    abut_vec3 point = seen_by(side, side->point), wanted = abut_mat3_apply_transposed(side->rotation, wanted_in_pair);
    *next = feature_named(ABUT_FEATURE_NONE, 0);
    if (shape->kind == ABUT_SHAPE_TRIMESH) {
        return leaves_mesh(side, point) || leaves_cone(side, point, wanted);
    }
    if (shape_is_frustum(shape)) {
        return leaves_frustum(side, point, wanted, next);
    }
    if (shape->kind != ABUT_SHAPE_BOX && shape->kind != ABUT_SHAPE_POLYTOPE) {
        return false;
    }
    switch (side->feature.kind) {
    case ABUT_FEATURE_FACE:
        return leaves_face(&shape->surface, shape->size, side->feature.index, point, next);
    case ABUT_FEATURE_EDGE:
        return leaves_edge(&shape->surface, shape->size, side->feature.index, point, wanted, next);
    default:
        return leaves_vertex(&shape->surface, side->feature.index, wanted, next);
    }
}

void contact_side_change(contact_side *side, abut_feature next) {
    const polytope *p = &side->shape->surface;
    side->feature = next;
    if (shape_is_frustum(side->shape)) {
        const frustum *f = &side->shape->round;
        side->anchor = abut_vec3_make(0.0, 0.0, f->z[next.index]); /* of a disc and of an apex */
    } else if (next.kind == ABUT_FEATURE_VERTEX) {
        side->anchor = p->vertices[next.index];
    } else if (next.kind == ABUT_FEATURE_EDGE) {
        side->anchor = p->vertices[p->edges[next.index].vertex[0]];
    } else {
        side->anchor = p->vertices[p->corner[p->face[next.index].first].vertex];
    }
}
