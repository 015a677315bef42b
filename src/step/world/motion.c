/* Free motion of a rigid body. The rotation is computed by splitting the kinetic energy L^2 / 2 I0 + sum (1/I_k - 1/I0) L_k^2 / 2, where I0 is the middle
 * principal moment and L is the angular momentum in the principal frame. The first part rotates the body about L, each other part about a principal axis.
 * All parts have closed formulas; their composition is symmetric (Celledoni and Saefstroem 2006, van Zon and Schofield 2007). The rotation of bodies with
 * two equal moments is exact. Other bodies keep their angular momentum and their energy up to rounding errors, at any speed. */
#include "step/world/motion.h"

#include "base/elementary.h"

/* A diag(1 / moments) A^T */
static abut_mat3 inverse_inertia(abut_mat3 axes, abut_vec3 moments) {
    abut_mat3 scaled = {abut_scale(1.0 / moments.x, axes.x), abut_scale(1.0 / moments.y, axes.y), abut_scale(1.0 / moments.z, axes.z)};
    return abut_mat3_mul(scaled, abut_mat3_transpose(axes));
}

void motion_begin(const body *body, solver_body *state) {
    *state = (solver_body){.velocity = body->velocity, .angular_velocity = body->angular_velocity, .rotation = body->frame};
    state->axes = abut_mat3_from_quat(body->frame);
    state->drive = body->driven ? &body->drive : NULL;
    if (body->kind == ABUT_BODY_DYNAMIC) {
        state->inverse_mass = 1.0 / body->mass;
        state->inverse_inertia = inverse_inertia(state->axes, body->moments);
    }
}

void motion_stiffen(const body *body, solver_body *state) {
    abut_vec3 m = body->moments;
    double least = state->least_moment;
    if (body->kind == ABUT_BODY_DYNAMIC && (m.x < least || m.y < least || m.z < least)) {
        state->inverse_inertia = inverse_inertia(
            state->axes, abut_vec3_make(real_max_number(m.x, least), real_max_number(m.y, least), real_max_number(m.z, least)));
    }
}

/* The rotation about the direction of the vector, by its length as the angle. */
static abut_quat turn_by(abut_vec3 vector) {
    double angle = abut_length(vector), sine, cosine;
    elementary_sin_cos(0.5 * angle, &sine, &cosine);
    double scale = angle > 0.0 ? sine / angle : 0.5;
    return abut_quat_make(scale * vector.x, scale * vector.y, scale * vector.z, cosine);
}

static double component(abut_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

static abut_vec3 along(int axis, double value) {
    return abut_vec3_make(axis == 0 ? value : 0.0, axis == 1 ? value : 0.0, axis == 2 ? value : 0.0);
}

/* The flow of the energy part excess L_axis^2 / 2 during a time. The body rotates about the principal axis; in the body's frame L rotates the opposite
 * way. */
static void turn_about_axis(int axis, double excess, double time, abut_quat *rotation, abut_vec3 *momentum) {
    if (excess == 0.0) {
        return;
    }
    double angle = excess * component(*momentum, axis) * time;
    abut_quat turn = turn_by(along(axis, angle));
    *rotation = abut_quat_mul(*rotation, turn);
    *momentum = abut_quat_rotate_inverse(turn, *momentum);
}

/* The index of the principal axis with the middle moment. */
static int middle_axis(abut_vec3 m) {
    if ((m.x <= m.y && m.y <= m.z) || (m.z <= m.y && m.y <= m.x)) {
        return 1;
    }
    return (m.y <= m.x && m.x <= m.z) || (m.z <= m.x && m.x <= m.y) ? 0 : 2;
}

static abut_vec3 momentum_in_frame(const body *body, const solver_body *state) {
    abut_vec3 w = abut_mat3_apply_transposed(state->axes, state->angular_velocity);
    return abut_vec3_make(body->moments.x * w.x, body->moments.y * w.y, body->moments.z * w.z);
}

abut_vec3 motion_angular_momentum(const body *body, const solver_body *state) {
    return abut_mat3_apply(state->axes, momentum_in_frame(body, state));
}

/* The angular velocity with this angular momentum, both in the principal frame. */
static abut_vec3 spin_of(abut_vec3 moments, abut_vec3 momentum) {
    return abut_vec3_make(momentum.x / moments.x, momentum.y / moments.y, momentum.z / moments.z);
}

static void set_rotation(const body *body, solver_body *state, abut_quat rotation) {
    state->rotation = rotation;
    state->axes = abut_mat3_from_quat(rotation);
    if (body->kind == ABUT_BODY_DYNAMIC) {
        state->inverse_inertia = inverse_inertia(state->axes, body->moments);
    }
}

/* One application of the splitting. */
static void turn_once(abut_vec3 moments, double time, abut_vec3 world_momentum, abut_quat *rotation, abut_vec3 *momentum) {
    int middle = middle_axis(moments), second = (middle + 1) % 3, third = (middle + 2) % 3;
    double inverse = 1.0 / component(moments, middle);
    double excess_second = 1.0 / component(moments, second) - inverse;
    double excess_third = 1.0 / component(moments, third) - inverse;
    turn_about_axis(second, excess_second, 0.5 * time, rotation, momentum);
    turn_about_axis(third, excess_third, time, rotation, momentum);
    turn_about_axis(second, excess_second, 0.5 * time, rotation, momentum);
    *rotation = abut_quat_unit(abut_quat_mul(turn_by(abut_scale(time * inverse, world_momentum)), *rotation));
}

/* The momentum of the given length and twice the given energy that is next to this one, by Newton's method along the sphere. */
static abut_vec3 with_energy(abut_vec3 moments, abut_vec3 momentum, double twice) {
    double square = abut_length_squared(momentum), length = sqrt(square);
    for (int i = 0; i < 20; i++) {
        abut_vec3 w = spin_of(moments, momentum);
        double missing = twice - abut_dot(w, momentum);
        abut_vec3 along = abut_add_scaled(w, -abut_dot(w, momentum) / square, momentum);
        double slope = 2.0 * abut_length_squared(along);
        if (!(fabs(missing) > 1e-15 * twice) || !(slope * square > 1e-24 * twice * twice)) {
            break;
        }
        double step = missing / slope, most = 0.3 * length / abut_length(along);
        step = step > most ? most : step < -most ? -most : step;
        momentum = abut_scale(length, abut_unit(abut_add_scaled(momentum, step, along)));
    }
    return momentum;
}

/* The shortest rotation from one vector to another one of the same length. */
static abut_quat turn_from_to(abut_vec3 from, abut_vec3 to) {
    abut_vec3 axis = abut_cross(from, to);
    return abut_quat_unit(abut_quat_make(axis.x, axis.y, axis.z, abut_length_squared(from) + abut_dot(from, to)));
}

/* Where a body turns far, the splitting is applied in several parts. The rotation is corrected for the energy that it has gained or lost, where that could be
 * more than rounding error. */
static void turn_freely(const body *body, solver_body *state, double time) {
    const double noticeable = 1e-4, part = 0.5; /* [rad] */
    enum { MOST_PARTS = 1000 };
    abut_vec3 moments = body->moments, momentum = momentum_in_frame(body, state);
    abut_vec3 world_momentum = abut_mat3_apply(state->axes, momentum);
    double angle = abut_length(state->angular_velocity) * time;
    int parts = angle <= part * MOST_PARTS ? 1 + (int)(angle / part) : MOST_PARTS; /* NaN, too: the step tells it later */
    abut_quat rotation = state->rotation;
    double twice = abut_dot(momentum, spin_of(moments, momentum));
    for (int i = 0; i < parts; i++) {
        turn_once(moments, time / parts, world_momentum, &rotation, &momentum);
    }
    if (angle > noticeable) {
        abut_vec3 right = with_energy(moments, momentum, twice);
        rotation = abut_quat_unit(abut_quat_mul(rotation, turn_from_to(right, momentum)));
        momentum = right;
    }
    set_rotation(body, state, rotation);
    state->angular_velocity = abut_mat3_apply(state->axes, spin_of(moments, momentum));
}

void motion_drift(const body *body, solver_body *state, double time) {
    state->moved = abut_add_scaled(state->moved, time, state->velocity);
    abut_vec3 w = state->angular_velocity;
    bool turns = w.x != 0.0 || w.y != 0.0 || w.z != 0.0;
    if (!turns) {
        return;
    }
    if (body->kind == ABUT_BODY_DYNAMIC) {
        turn_freely(body, state, time);
    } else {
        set_rotation(body, state, abut_quat_unit(abut_quat_mul(turn_by(abut_scale(time, w)), state->rotation)));
    }
}

/* Gives the body another orientation. The energy stays and the amount of angular momentum, and its direction as far as they allow. */
static void turn_to(const body *body, solver_body *state, abut_quat rotation) {
    abut_vec3 moments = body->moments, momentum = momentum_in_frame(body, state), world = abut_mat3_apply(state->axes, momentum);
    double twice = abut_dot(momentum, spin_of(moments, momentum));
    set_rotation(body, state, rotation);
    momentum = with_energy(moments, abut_mat3_apply_transposed(state->axes, world), twice);
    state->angular_velocity = abut_mat3_apply(state->axes, spin_of(moments, momentum));
}

void motion_displace(const body *body, solver_body *state, abut_vec3 way, abut_vec3 turn) {
    state->moved = abut_add(state->moved, way);
    if (turn.x != 0.0 || turn.y != 0.0 || turn.z != 0.0) {
        turn_to(body, state, abut_quat_unit(abut_quat_mul(turn_by(turn), state->rotation)));
    }
}

void motion_follow_turn(const body *body, solver_body *state, double time) {
    const double noticeable = 1e-6; /* [rad] */
    if (body->kind == ABUT_BODY_DYNAMIC && abut_length(state->angular_velocity) * time > noticeable) {
        turn_to(body, state, state->rotation);
    }
}

void motion_renew(const body *body, solver_body *state) { set_rotation(body, state, state->rotation); }

void motion_kick(const body *body, solver_body *state, abut_vec3 gravity, double time) {
    if (body->kind != ABUT_BODY_DYNAMIC) {
        return;
    }
    abut_vec3 acceleration = abut_add_scaled(gravity, state->inverse_mass, body->force);
    state->velocity = abut_add_scaled(state->velocity, time, acceleration);
    state->angular_velocity = abut_add_scaled(state->angular_velocity, time, abut_mat3_apply(state->inverse_inertia, body->torque));
    if (body->linear_damping > 0.0) {
        state->velocity = abut_scale(elementary_exp(-body->linear_damping * time), state->velocity);
    }
    if (body->angular_damping > 0.0) {
        state->angular_velocity = abut_scale(elementary_exp(-body->angular_damping * time), state->angular_velocity);
    }
}

void motion_kick_back(const body *body, solver_body *state, abut_vec3 gravity, double time) {
    if (body->kind != ABUT_BODY_DYNAMIC) {
        return;
    }
    abut_vec3 acceleration = abut_add_scaled(gravity, state->inverse_mass, body->force);
    abut_vec3 before = abut_scale(elementary_exp(body->linear_damping * time), state->velocity);
    abut_vec3 angular_before = abut_scale(elementary_exp(body->angular_damping * time), state->angular_velocity);
    state->velocity = abut_add_scaled(before, -time, acceleration);
    state->angular_velocity = abut_add_scaled(angular_before, -time, abut_mat3_apply(state->inverse_inertia, body->torque));
}
