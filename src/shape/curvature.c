/*
 * The curvature of a surface at the point with a given outward normal. For smooth shapes it comes from the second derivatives of the
 * support function, for other shapes from the feature with that normal. Shape frame.
 */

#include <abut/smooth.h>

#include <math.h>

#include "base/argument.h"
#include "base/elementary.h"
#include "base/real.h"
#include "shape/curvature.h"
#include "shape/shape.h"
#include "shape/smooth.h"
#include "shape/user.h"

#define SAME_ANGLE 1e-9

static void set_radii(abut_curvature *c, double along, double across) {
    c->radius[0] = along;
    c->radius[1] = across;
    for (int i = 0; i < 2; ++i) {
        c->curvature[i] = 1.0 / c->radius[i]; /* also for 0 and INFINITY */
    }
}

/* Two directions; the first one is given, or arbitrary when NULL. */
static void set_directions(abut_curvature *c, const abut_vec3 *first) {
    if (first == NULL) {
        abut_tangent_frame(c->normal, &c->direction[0], &c->direction[1]);
        return;
    }
    c->direction[0] = abut_unit(abut_add_scaled(*first, -abut_dot(*first, c->normal), c->normal));
    c->direction[1] = abut_cross(c->normal, c->direction[0]);
}

static void curvature_of_smooth(const abut_shape *shape, abut_curvature *c) {
    const double flattest = 1e20; /* times the size: larger radii count as infinite */
    abut_vec3 u, v;
    smooth_place place;
    abut_tangent_frame(c->normal, &u, &v);
    smooth_place_find(shape, c->normal, u, v, &place);
    double angle = 0.5 * elementary_atan2(2.0 * place.r12, place.r11 - place.r22); /* of the larger radius */
    abut_vec3 first = abut_add_scaled(abut_scale(elementary_cos(angle), u), elementary_sin(angle), v);
    c->feature = (abut_feature){.kind = ABUT_FEATURE_SMOOTH};
    c->point = place.point;
    set_directions(c, &first);
    smooth_place_find(shape, c->normal, c->direction[0], c->direction[1], &place);
    bool flat = place.r11 > flattest * shape->size, flat_both = place.r22 > flattest * shape->size;
    set_radii(c, flat ? INFINITY : place.r11, flat_both ? INFINITY : real_max_number(place.r22, 0.0));
}

static void curvature_of_capsule(const abut_shape *shape, abut_curvature *c) {
    static const abut_vec3 axis = {0, 0, 1};
    bool side = shape->half_length > 0.0 && fabs(c->normal.z) <= SAME_ANGLE;
    double z = side ? 0.0 : c->normal.z > 0.0 ? shape->half_length : -shape->half_length;
    bool upper = shape->half_length > 0.0 && z > 0.0;
    c->feature = (abut_feature){.kind = ABUT_FEATURE_SMOOTH, .index = side ? 2 : upper};
    c->point = abut_add_scaled(abut_vec3_make(0.0, 0.0, z), shape->radius, c->normal);
    set_directions(c, side ? &axis : NULL);
    set_radii(c, side ? INFINITY : shape->radius, shape->radius);
}

/*
 * A rim is the limit of a torus whose tube shrinks: with the unit normal (n_rho, n_z) its radius of curvature along the rim is that of the rim divided by
 * n_rho, and 0 across it. On the side the circles of latitude bend with rho / normal_rho (Meusnier), the lines not at all. The side is taken at half its
 * height.
 */
static void curvature_of_frustum(const abut_shape *shape, abut_curvature *c) {
    static const abut_vec3 axis = {0, 0, 1};
    const frustum *f = &shape->round;
    double rho = frustum_rho(c->normal.x, c->normal.y);
    int32_t end = frustum_support(f, c->normal, &c->point);
    bool apex = f->radius[end] == 0.0;
    if (fabs(rho * f->normal_z - c->normal.z * f->normal_rho) <= SAME_ANGLE && rho > 0.0) {
        double z = 0.5 * (f->z[0] + f->z[1]), r = 0.5 * (f->radius[0] + f->radius[1]);
        c->feature = (abut_feature){.kind = ABUT_FEATURE_SMOOTH};
        c->point = abut_vec3_make(r * (c->normal.x / rho), r * (c->normal.y / rho), z);
        set_directions(c, &axis);
        set_radii(c, INFINITY, r / f->normal_rho);
    } else if (rho <= SAME_ANGLE && !apex) {
        c->feature = (abut_feature){.kind = ABUT_FEATURE_FACE, .index = end};
        c->point = abut_vec3_make(0.0, 0.0, f->z[end]);
        set_directions(c, NULL);
        set_radii(c, INFINITY, INFINITY);
    } else if (apex) {
        c->feature = (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = end};
        set_directions(c, NULL);
        set_radii(c, 0.0, 0.0);
    } else {
        const abut_vec3 along = {-c->normal.y, c->normal.x, 0.0};
        c->feature = (abut_feature){.kind = ABUT_FEATURE_EDGE, .index = end};
        set_directions(c, &along);
        set_radii(c, f->radius[end] / rho, 0.0);
    }
}

/* True when the normals of the edge's faces span an arc that contains the direction. */
static bool is_over_edge(const polytope *surface, const polytope_edge *edge, abut_vec3 n, abut_vec3 *along) {
    *along = abut_unit(abut_sub(surface->vertices[edge->vertex[1]], surface->vertices[edge->vertex[0]]));
    if (fabs(abut_dot(*along, n)) > SAME_ANGLE) {
        return false;
    }
    abut_vec3 left = surface->normals[edge->face[0]], right = surface->normals[edge->face[1]];
    return abut_dot(abut_cross(left, n), *along) >= 0.0 && abut_dot(abut_cross(n, right), *along) >= 0.0;
}

static bool is_face_normal(const polytope *surface, int32_t face, abut_vec3 n) {
    return abut_dot(surface->normals[face], n) > 0.0 && abut_length(abut_cross(surface->normals[face], n)) <= SAME_ANGLE;
}

/* The curvature of the feature at the vertex that is extreme along the normal. */
static void curvature_of_polytope(const polytope *surface, int32_t vertex, abut_curvature *c) {
    abut_vec3 along;
    c->feature = (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = vertex};
    c->point = surface->vertices[vertex];
    set_directions(c, NULL);
    set_radii(c, 0.0, 0.0);
    for (int32_t i = surface->vertex_first[vertex]; i < surface->vertex_first[vertex + 1]; ++i) {
        int32_t face = surface->vertex_faces[i], index = surface->vertex_edges[i];
        const polytope_edge *edge = &surface->edges[index];
        if (is_face_normal(surface, face, c->normal)) {
            c->feature = (abut_feature){.kind = ABUT_FEATURE_FACE, .index = face};
            set_radii(c, INFINITY, INFINITY);
            return;
        }
        if (is_over_edge(surface, edge, c->normal, &along)) {
            c->feature = (abut_feature){.kind = ABUT_FEATURE_EDGE, .index = index};
            set_directions(c, &along);
            set_radii(c, INFINITY, 0.0);
        }
    }
}

static abut_status curvature_of_plane(const abut_shape *shape, abut_curvature *c) {
    if (!(abut_dot(shape->normal, c->normal) > 0.0 && abut_length(abut_cross(shape->normal, c->normal)) <= SAME_ANGLE)) {
        return ABUT_ERROR_UNBOUNDED;
    }
    c->feature = (abut_feature){.kind = ABUT_FEATURE_FACE};
    c->point = abut_scale(shape->offset, shape->normal);
    set_directions(c, NULL);
    set_radii(c, INFINITY, INFINITY);
    return ABUT_OK;
}

static abut_status curvature_of_parts(const abut_shape *shape, abut_curvature *c) {
    const abut_part *farthest = shape->parts;
    double largest = -INFINITY;
    for (int32_t i = 0; i < shape->part_count; ++i) {
        const abut_part *part = &shape->parts[i];
        abut_vec3 point;
        (void)abut_shape_support(part->shape, abut_quat_rotate_inverse(part->pose.rotation, c->normal), &point, NULL);
        double height = abut_dot(abut_pose_apply(part->pose, point), c->normal);
        if (height > largest) {
            largest = height;
            farthest = part;
        }
    }
    abut_curvature own;
    abut_mat3 turn = abut_mat3_from_quat(farthest->pose.rotation);
    abut_status status = shape_curvature(NULL, farthest->shape, abut_mat3_apply_transposed(turn, c->normal), &own);
    own.feature.part = (int32_t)(farthest - shape->parts);
    own.point = abut_add(abut_mat3_apply(turn, own.point), farthest->pose.position);
    own.normal = c->normal;
    own.direction[0] = abut_mat3_apply(turn, own.direction[0]);
    own.direction[1] = abut_mat3_apply(turn, own.direction[1]);
    *c = own;
    return status;
}

abut_status shape_curvature(const char *call, const abut_shape *shape, abut_vec3 direction, abut_curvature *curvature) {
    if (argument_is_no_vector(call, "direction", direction)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    abut_curvature c = {.normal = abut_unit(direction)};
    if (argument_is_null(call, "shape", shape) || argument_is_null(call, "curvature", curvature)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (!(abut_length_squared(c.normal) > 0.0)) {
        return refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "direction is zero");
    }
    if (shape->mesh != NULL) {
        return shape_refuse_kind(call, "shape", shape, "another kind");
    }
    if (smooth_is_unknown(shape)) {
        return refuse(ABUT_ERROR_NOT_CONVEX, call, "shape is a smooth shape that is not convex");
    }
    abut_status status = ABUT_OK;
    int32_t vertex;
    switch (shape->kind) {
    case ABUT_SHAPE_ELLIPSOID:
    case ABUT_SHAPE_SUPERQUADRIC:
    case ABUT_SHAPE_IMPLICIT:
    case ABUT_SHAPE_PARAMETRIC:
        curvature_of_smooth(shape, &c);
        break;
    case ABUT_SHAPE_BOX:
    case ABUT_SHAPE_POLYTOPE:
        (void)abut_shape_support(shape, c.normal, &c.point, &vertex);
        curvature_of_polytope(&shape->surface, vertex, &c);
        break;
    case ABUT_SHAPE_CYLINDER:
    case ABUT_SHAPE_CONE:
        curvature_of_frustum(shape, &c);
        break;
    case ABUT_SHAPE_PLANE:
        status = curvature_of_plane(shape, &c);
        break;
    case ABUT_SHAPE_COMPOUND:
        status = curvature_of_parts(shape, &c);
        break;
    default:
        curvature_of_capsule(shape, &c); /* a sphere is a capsule of zero length */
        break;
    }
    if (status == ABUT_OK) {
        *curvature = c;
    }
    return status;
}

abut_status abut_shape_curvature(const abut_shape *shape, abut_vec3 direction, abut_curvature *curvature) {
    return shape_curvature(CALL_NAME, shape, direction, curvature);
}

/* ---- at a point ---- */

/* Principal curvatures, of any sign, of a symmetric matrix along u and v. */
static void set_curvatures(abut_curvature *c, abut_vec3 u, abut_vec3 v, const double k[3]) {
    double mean = 0.5 * (k[0] + k[2]), half = 0.5 * (k[0] - k[2]), spread = sqrt(half * half + k[1] * k[1]);
    double angle = 0.5 * elementary_atan2(-2.0 * k[1], k[2] - k[0]); /* of the smaller one */
    abut_vec3 first = abut_add_scaled(abut_scale(elementary_cos(angle), u), elementary_sin(angle), v);
    set_directions(c, &first);
    c->curvature[0] = mean - spread;
    c->curvature[1] = mean + spread;
    for (int i = 0; i < 2; ++i) {
        c->radius[i] = c->curvature[i] != 0.0 ? 1.0 / c->curvature[i] : INFINITY;
    }
}

/* Newton steps along the gradient. */
static bool onto_implicit(const smooth_user *user, abut_vec3 point, abut_curvature *c) {
    enum { STEPS = 8 };
    abut_implicit_point at = implicit_at(&user->implicit, point);
    for (int i = 0; i < STEPS && at.value != 0.0; ++i) {
        point = abut_add_scaled(point, -at.value / abut_length_squared(at.gradient), at.gradient);
        at = implicit_at(&user->implicit, point);
    }
    abut_vec3 u, v;
    double k[3];
    c->point = point;
    c->normal = abut_unit(at.gradient);
    abut_tangent_frame(c->normal, &u, &v);
    implicit_curvature(&at, u, v, k);
    set_curvatures(c, u, v, k);
    return abut_vec3_is_finite(point) && abut_length_squared(c->normal) > 0.5;
}

static bool onto_parametric(const smooth_user *user, abut_vec3 point, abut_curvature *c) {
    const user_sample *near = user->samples;
    for (int32_t i = 1; i < user->count; ++i) {
        near = abut_distance_between(point, user->samples[i].point) < abut_distance_between(point, near->point) ? &user->samples[i] : near;
    }
    double s = near->u, t = near->v, k[3];
    parametric_project(&user->parametric, point, &s, &t);
    abut_parametric_point at = parametric_at(&user->parametric, s, t);
    abut_vec3 u, v;
    c->point = at.s;
    c->normal = abut_scale(user->sign, abut_unit(abut_cross(at.su, at.sv)));
    abut_tangent_frame(c->normal, &u, &v);
    if (!(abut_length_squared(c->normal) > 0.5) || !parametric_curvature(&at, c->normal, u, v, k)) {
        return false;
    }
    set_curvatures(c, u, v, k);
    return true;
}

abut_status shape_curvature_at(const char *call, const abut_shape *shape, abut_vec3 point, abut_curvature *curvature) {
    if (argument_is_null(call, "shape", shape) || argument_is_null(call, "curvature", curvature)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (!smooth_is(shape) && shape->user == NULL) {
        return shape_refuse_kind(call, "shape", shape, "a smooth shape");
    }
    if (argument_is_no_vector(call, "point", point)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (shape->user == NULL) {
        abut_vec3 slope;
        (void)smooth_gauge(shape, point, &slope);
        return shape_curvature(call, shape, slope, curvature);
    }
    abut_curvature c = {.feature = {.kind = ABUT_FEATURE_SMOOTH}};
    bool found = shape->kind == ABUT_SHAPE_IMPLICIT ? onto_implicit(shape->user, point, &c) : onto_parametric(shape->user, point, &c);
    if (!found) {
        return refuse(ABUT_ERROR_DEGENERATE, call, "point: the surface has no normal or no tangents near it");
    }
    *curvature = c;
    return ABUT_OK;
}

abut_status abut_shape_curvature_at(const abut_shape *shape, abut_vec3 point, abut_curvature *curvature) {
    return shape_curvature_at(CALL_NAME, shape, point, curvature);
}
