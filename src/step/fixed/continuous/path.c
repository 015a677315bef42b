/* The motions of bodies within a step. */
#include "step/fixed/continuous/path.h"

#include "base/elementary.h"
#include "base/real.h"

path_point path_point_of(const solver_body *state) { return (path_point){state->moved, state->rotation, state->angular_velocity}; }

path_point path_start(const body *body) { return (path_point){abut_vec3_make(0.0, 0.0, 0.0), body->frame, body->angular_velocity}; }

/* Of the body's own torque. */
static abut_vec3 angular_acceleration(const body *body) {
    abut_vec3 t = abut_quat_rotate_inverse(body->frame, body->torque), m = body->moments;
    return abut_quat_rotate(body->frame, abut_vec3_make(t.x / m.x, t.y / m.y, t.z / m.z));
}

abut_motion path_motion(const abut_world *world, const body *body, double dt) {
    if (body->kind == ABUT_BODY_STATIC || body->asleep) {
        return (abut_motion){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    }
    abut_motion mean = {body->velocity, body->angular_velocity};
    if (body->kind == ABUT_BODY_DYNAMIC) {
        abut_vec3 acceleration = abut_add_scaled(body_gravity(world, body), 1.0 / body->mass, body->force);
        mean.linear = abut_add_scaled(mean.linear, 0.5 * dt, acceleration);
        if (abut_length_squared(body->torque) > 0.0) {
            mean.angular = abut_add_scaled(mean.angular, 0.5 * dt, angular_acceleration(body));
        }
    }
    return (abut_motion){abut_scale(dt, mean.linear), abut_scale(dt, mean.angular)};
}

moving_body path_expected(const abut_world *world, const body *body, double dt) {
    return (moving_body){body->shape, body->pose, body->local_centre, path_motion(world, body, dt)};
}

/* The rotation vector that leads from one rotation to the other, with as many full turns as the expected one has. */
static abut_vec3 turn_between(abut_quat from, abut_quat to, abut_vec3 expected) {
    abut_quat turn = abut_quat_mul(to, abut_quat_conjugate(from));
    double sign = turn.w < 0.0 ? -1.0 : 1.0;
    abut_vec3 part = abut_vec3_make(sign * turn.x, sign * turn.y, sign * turn.z);
    double sine = abut_length(part), angle = 2.0 * elementary_atan2(sine, sign * turn.w);
    abut_vec3 axis = sine > 0.0 ? abut_scale(1.0 / sine, part) : abut_unit(expected);
    double turns = floor((abut_dot(axis, expected) - angle) / (2.0 * REAL_PI) + 0.5);
    return abut_scale(angle + 2.0 * REAL_PI * turns, axis);
}

static abut_pose pose_at(const body *body, const path_point *at) {
    abut_quat rotation = abut_quat_unit(abut_quat_mul(at->rotation, abut_quat_conjugate(body->principal)));
    abut_vec3 centre = abut_add(body->centre, at->moved);
    return (abut_pose){abut_sub(centre, abut_quat_rotate(rotation, body->local_centre)), rotation};
}

moving_body path_between(const body *body, const path_point *from, const path_point *to, double dt) {
    abut_vec3 turn = turn_between(from->rotation, to->rotation, abut_scale(dt, from->angular_velocity));
    return (moving_body){body->shape, pose_at(body, from), body->local_centre, {abut_sub(to->moved, from->moved), turn}};
}

moving_body path_part(const moving_body *whole, double begin, double end) {
    moving_body part = *whole;
    part.pose = shape_cast_pose(whole, begin);
    part.motion = (abut_motion){abut_scale(end - begin, whole->motion.linear), abut_scale(end - begin, whole->motion.angular)};
    return part;
}

double path_length(const body *body, abut_motion motion) {
    return abut_length(motion.linear) + real_min(abut_length(motion.angular), REAL_PI) * body->radius;
}
