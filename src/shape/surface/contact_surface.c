/* Curvature of a shape at a contact feature, and abut_contact_surfaces(): see contact_surface.h. */
#include "shape/surface/contact_surface.h"

#include <abut/rates.h>

#include "base/argument.h"
#include "base/real.h"
#include "shape/curvature.h"
#include "shape/facet/mesh.h"
#include "shape/shape.h"
#include "shape/smooth.h"
#include "shape/trimesh.h"

static void set_bends(abut_curvature *s, double first, double second) {
    const double k[2] = {first, second};
    for (int i = 0; i < 2; ++i) {
        s->curvature[i] = k[i];
        s->radius[i] = k[i] == 0.0 ? INFINITY : isinf(k[i]) ? 0.0 : 1.0 / k[i];
    }
}

static abut_curvature even(abut_feature feature, abut_vec3 point, abut_vec3 outward, double bend) {
    abut_curvature s = {.feature = feature, .point = point, .normal = outward};
    abut_tangent_frame(outward, &s.direction[0], &s.direction[1]);
    set_bends(&s, bend, bend);
    return s;
}

/* Curvature 0 along one direction and `across` perpendicular to it. */
static abut_curvature straight(abut_feature feature, abut_vec3 point, abut_vec3 outward, abut_vec3 along, double across) {
    abut_curvature s = {.feature = feature, .point = point, .normal = outward};
    s.direction[0] = abut_unit(abut_add_scaled(along, -abut_dot(along, outward), outward));
    s.direction[1] = abut_cross(outward, s.direction[0]);
    set_bends(&s, 0.0, across);
    return s;
}

abut_status contact_surface_edge(const abut_shape *shape, int32_t edge, abut_vec3 *along) {
    if (shape->mesh != NULL) {
        abut_triangle t;
        if (edge < 0 || edge / 3 >= shape->mesh->triangle_count) {
            return ABUT_ERROR_INVALID_ARGUMENT;
        }
        trimesh_triangle(shape->mesh, edge / 3, &t);
        *along = abut_sub(t.corner[(edge % 3 + 1) % 3], t.corner[edge % 3]);
        return ABUT_OK;
    }
    if (edge < 0 || edge >= shape->surface.edge_count) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    const polytope_edge *e = &shape->surface.edges[edge];
    *along = abut_sub(shape->surface.vertices[e->vertex[1]], shape->surface.vertices[e->vertex[0]]);
    return ABUT_OK;
}

/* The rims and the side of a cylinder or a cone. A rim bends along itself like the torus whose tube shrinks to it, which is away from a normal that points
 * inwards. A circle of latitude at the radius rho bends with normal_rho / rho. */
static abut_curvature on_frustum(const abut_shape *shape, abut_feature feature, abut_vec3 point, abut_vec3 outward) {
    const frustum *f = &shape->round;
    double rho = frustum_rho(point.x, point.y);
    const abut_vec3 round = rho > 0.0 ? abut_vec3_make(-point.y / rho, point.x / rho, 0.0) : abut_vec3_make(0.0, 1.0, 0.0);
    abut_curvature s = straight(feature, point, outward, round, INFINITY);
    double outwards = rho > 0.0 ? (outward.x * point.x + outward.y * point.y) / rho : 0.0;
    if (feature.kind == ABUT_FEATURE_EDGE) {
        s.curvature[0] = outwards / f->radius[feature.index];
        s.radius[0] = s.curvature[0] == 0.0 ? INFINITY : 1.0 / s.curvature[0];
        return s;
    }
    const abut_vec3 line = abut_cross(outward, s.direction[0]);
    return straight(feature, point, outward, line, f->normal_rho / rho);
}

static bool has_rim(const abut_shape *shape, int32_t edge) { return edge >= 0 && edge < 2 && shape->round.radius[edge] > 0.0; }

static abut_status find_round(const abut_shape *shape, abut_feature feature, abut_vec3 point, abut_vec3 outward, abut_curvature *surface) {
    if (shape->kind == ABUT_SHAPE_SPHERE) {
        *surface = even(feature, point, outward, 1.0 / shape->radius);
        return ABUT_OK;
    }
    if (shape->kind == ABUT_SHAPE_CAPSULE) {
        bool side = feature.index == 2 && abut_dot(outward, outward) - outward.z * outward.z > 1e-12;
        *surface = side ? straight(feature, point, outward, abut_vec3_make(0.0, 0.0, 1.0), 1.0 / shape->radius)
                        : even(feature, point, outward, 1.0 / shape->radius);
        return ABUT_OK;
    }
    if (shape_is_frustum(shape)) {
        *surface = on_frustum(shape, feature, point, outward);
        return ABUT_OK;
    }
    if (shape->user != NULL && !shape->convex) {
        return shape_curvature_at(NULL, shape, point, surface);
    }
    return smooth_is(shape) ? shape_curvature(NULL, shape, outward, surface) : ABUT_ERROR_INVALID_ARGUMENT;
}

/* Faces are flat, except those of rounded triangles. */
static double bend_of_face(const abut_shape *shape, int32_t face) {
    bool known = shape->facets != NULL && face >= 0 && face < shape->mesh->triangle_count;
    return known ? 1.0 / shape->facets->side[face].radius : 0.0;
}

abut_status contact_surface_find(const abut_shape *shape, abut_feature feature, abut_vec3 point, abut_vec3 outward,
                                 abut_curvature *surface) {
    abut_vec3 along;
    abut_status status;
    switch (feature.kind) {
    case ABUT_FEATURE_FACE:
        *surface = even(feature, point, outward, bend_of_face(shape, feature.index));
        return ABUT_OK;
    case ABUT_FEATURE_VERTEX:
        *surface = even(feature, point, outward, INFINITY);
        return ABUT_OK;
    case ABUT_FEATURE_EDGE:
        if (shape_is_frustum(shape)) {
            if (!has_rim(shape, feature.index)) {
                return ABUT_ERROR_INVALID_ARGUMENT;
            }
            *surface = on_frustum(shape, feature, point, outward);
            return ABUT_OK;
        }
        status = contact_surface_edge(shape, feature.index, &along);
        if (status == ABUT_OK) {
            *surface = straight(feature, point, outward, along, INFINITY);
        }
        return status;
    case ABUT_FEATURE_SMOOTH:
        return find_round(shape, feature, point, outward, surface);
    default:
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
}

void contact_surface_turn(abut_curvature *surface, abut_mat3 rotation, abut_vec3 position) {
    surface->point = abut_add(abut_mat3_apply(rotation, surface->point), position);
    surface->normal = abut_mat3_apply(rotation, surface->normal);
    surface->direction[0] = abut_mat3_apply(rotation, surface->direction[0]);
    surface->direction[1] = abut_mat3_apply(rotation, surface->direction[1]);
}

/* ---- both surfaces of a contact ---- */

static abut_status surface_of(const abut_shape *shape, abut_pose pose, abut_feature feature, abut_vec3 point, abut_vec3 outward,
                              abut_curvature *surface) {
    abut_part part;
    if (feature.part < 0 || feature.part >= abut_shape_part_count(shape)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    (void)abut_shape_part(shape, feature.part, &part);
    abut_pose placed = abut_pose_compose(pose, part.pose);
    abut_mat3 rotation = abut_mat3_from_quat(placed.rotation);
    abut_vec3 local = abut_mat3_apply_transposed(rotation, abut_sub(point, placed.position));
    abut_status status = contact_surface_find(part.shape, feature, local, abut_mat3_apply_transposed(rotation, outward), surface);
    if (status == ABUT_OK) {
        contact_surface_turn(surface, rotation, placed.position);
    }
    return status;
}

abut_status abut_contact_surfaces(const abut_contact *contact, const abut_pair *pair, abut_curvature *surface_a,
                                  abut_curvature *surface_b) {
    if (argument_is_null(CALL_NAME, "contact", contact) || argument_is_null(CALL_NAME, "pair", pair) ||
        argument_is_null(CALL_NAME, "pair->a", pair->a) || argument_is_null(CALL_NAME, "pair->b", pair->b) ||
        argument_is_null(CALL_NAME, "surface_a", surface_a) || argument_is_null(CALL_NAME, "surface_b", surface_b)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (argument_is_no_vector(CALL_NAME, "contact->normal", contact->normal) ||
        argument_is_no_vector(CALL_NAME, "contact->on_a", contact->on_a) ||
        argument_is_no_vector(CALL_NAME, "contact->on_b", contact->on_b)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (argument_is_no_pose(CALL_NAME, "pair->pose_a", pair->pose_a) || argument_is_no_pose(CALL_NAME, "pair->pose_b", pair->pose_b)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (fabs(abut_length(contact->normal) - 1.0) > 1e-6) {
        return refuse(ABUT_ERROR_INVALID_ARGUMENT, CALL_NAME, "contact->normal is no unit vector");
    }
    abut_curvature of_a, of_b;
    const abut_feature *feature = &contact->feature_a;
    abut_status status = surface_of(pair->a, pair->pose_a, contact->feature_a, contact->on_a, abut_neg(contact->normal), &of_a);
    if (status == ABUT_OK) {
        feature = &contact->feature_b;
        status = surface_of(pair->b, pair->pose_b, *feature, contact->on_b, contact->normal, &of_b);
    }
    if (status != ABUT_OK) {
        return refuse(status, CALL_NAME,
                      "contact->feature_%c: the shape has no such feature, or no curvature there (kind %d, index %d, part %d)",
                      feature == &contact->feature_a ? 'a' : 'b', (int)feature->kind, (int)feature->index, (int)feature->part);
    }
    *surface_a = of_a;
    *surface_b = of_b;
    return ABUT_OK;
}
