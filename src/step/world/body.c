/* The mass properties of a body and its two frames: the shape frame and the principal frame at the centre of mass. */
#include "step/world/body.h"

#include "base/real.h"
#include "shape/inner.h"
#include "step/world/inertia.h"

abut_status body_weigh(body *made, const abut_body_def *def) {
    made->principal = abut_quat_identity();
    if (def->shape->kind == ABUT_SHAPE_PLANE) {
        return ABUT_OK;
    }
    const abut_mass *unit = &def->shape->unit_mass;
    made->local_centre = unit->centre;
    made->size = def->shape->size;
    made->core = shape_inner_radius(def->shape);
    abut_aabb bounds = def->shape->bounds;
    abut_vec3 low = abut_sub(bounds.lower, unit->centre), high = abut_sub(bounds.upper, unit->centre);
    made->radius =
        abut_length(abut_vec3_make(real_max_number(-low.x, high.x), real_max_number(-low.y, high.y), real_max_number(-low.z, high.z)));
    if (def->kind != ABUT_BODY_DYNAMIC) {
        return ABUT_OK;
    }
    if (!(unit->volume > 0.0)) {
        return ABUT_ERROR_NOT_CLOSED; /* a mesh that encloses no volume */
    }
    made->mass = def->mass > 0.0 ? def->mass : def->density * unit->volume;
    double density = made->mass / unit->volume;
    made->inertia =
        abut_mat3_make(abut_scale(density, unit->inertia.x), abut_scale(density, unit->inertia.y), abut_scale(density, unit->inertia.z));
    made->principal = inertia_principal(made->inertia, &made->moments);
    double least = real_min_number(made->moments.x, real_min_number(made->moments.y, made->moments.z));
    bool fine = made->mass > 0.0 && least > 0.0 && isfinite(1.0 / made->mass) && isfinite(1.0 / least);
    return fine && isfinite(made->mass) && abut_vec3_is_finite(made->moments) ? ABUT_OK : ABUT_ERROR_NOT_FINITE;
}

void body_follow_belt(body *b) {
    abut_vec3 linear = abut_add(b->belt.linear, abut_cross(b->belt.angular, b->local_centre));
    b->drive.linear = abut_quat_rotate_inverse(b->principal, linear);
    b->drive.angular = abut_quat_rotate_inverse(b->principal, b->belt.angular);
    b->driven = abut_length_squared(b->belt.linear) > 0.0 || abut_length_squared(b->belt.angular) > 0.0;
}

abut_status body_weigh_anew(body *body, double mass) {
    struct body made = *body;
    abut_status status = body_weigh(&made, &(abut_body_def){.kind = body->kind, .shape = body->shape, .mass = mass});
    if (status != ABUT_OK) {
        return status;
    }
    /* Rounding may turn the principal frame. The state of a body is that of its principal frame, so it stays where it can. */
    const abut_quat p = body->principal, q = made.principal;
    if (p.x != q.x || p.y != q.y || p.z != q.z || p.w != q.w) {
        made.frame = abut_quat_unit(abut_quat_mul(made.pose.rotation, made.principal));
    }
    body_follow_belt(&made);
    *body = made;
    return ABUT_OK;
}

void body_place_shape(body *body) {
    body->pose.rotation = abut_quat_unit(abut_quat_mul(body->frame, abut_quat_conjugate(body->principal)));
    body->pose.position = abut_sub(body->centre, abut_quat_rotate(body->pose.rotation, body->local_centre));
}

void body_place_centre(body *body) {
    body->frame = abut_quat_unit(abut_quat_mul(body->pose.rotation, body->principal));
    body->centre = abut_pose_apply(body->pose, body->local_centre);
}

void body_plane(const body *body, abut_vec3 *normal, double *offset) {
    *normal = abut_quat_rotate(body->pose.rotation, body->shape->normal);
    *offset = body->shape->offset + abut_dot(*normal, body->pose.position);
}
