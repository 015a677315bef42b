/* A spring as an implicit constraint. The force over half a substep is that at the end of the whole one, k (x + h v) + c v, so the
 * impulse l obeys
 *
 *   l = -(h / 2) (k x + (c + h k) v),   v the velocity after l,
 *
 * which is v + k x / (c + h k) + l s = 0 with the softness s = 1 / ((h / 2) (c + h k)). */
#include "solve/spring.h"

/* Inverse of a symmetric positive definite matrix, by cofactors. */
static abut_mat3 invert(abut_mat3 m) {
    abut_vec3 yz = abut_cross(m.y, m.z), zx = abut_cross(m.z, m.x), xy = abut_cross(m.x, m.y);
    double scale = 1.0 / abut_dot(m.x, yz);
    return abut_mat3_transpose(abut_make_mat3(abut_scale(scale, yz), abut_scale(scale, zx), abut_scale(scale, xy)));
}

abut_vec3 solver_spring_stretch(const solver_body *bodies, const solver_spring *spring) {
    const solver_body *body = &bodies[spring->body];
    abut_vec3 turned = abut_sub(abut_mul(body->axes, spring->local), spring->from);
    return abut_add(spring->start, abut_add(body->moved, turned));
}

void solver_spring_refresh(const solver_body *bodies, solver_spring *spring, double h) {
    const solver_body *body = &bodies[spring->body];
    spring->arm = abut_mul(body->axes, spring->local);
    spring->stretch = solver_spring_stretch(bodies, spring);
    spring->softness = 1.0 / (0.5 * h * (spring->damping + h * spring->stiffness));
    abut_vec3 x = abut_make_vec3(1.0, 0.0, 0.0), y = abut_make_vec3(0.0, 1.0, 0.0), z = abut_make_vec3(0.0, 0.0, 1.0);
    double xx = solver_mobility(body, spring->arm, x, x), xy = solver_mobility(body, spring->arm, x, y);
    double xz = solver_mobility(body, spring->arm, x, z), yy = solver_mobility(body, spring->arm, y, y);
    double yz = solver_mobility(body, spring->arm, y, z), zz = solver_mobility(body, spring->arm, z, z);
    spring->inverse = invert(abut_make_mat3(abut_make_vec3(xx + spring->softness, xy, xz), abut_make_vec3(xy, yy + spring->softness, yz),
                                            abut_make_vec3(xz, yz, zz + spring->softness)));
}

void solver_spring_warm_start(solver_body *bodies, const solver_spring *spring) {
    solver_push(&bodies[spring->body], spring->arm, spring->impulse);
}

double solver_spring_solve(solver_body *bodies, solver_spring *spring, double h) {
    solver_body *body = &bodies[spring->body];
    abut_vec3 velocity = solver_velocity_at(body, spring->arm);
    abut_vec3 residual = abut_add_scaled(velocity, spring->stiffness / (spring->damping + h * spring->stiffness), spring->stretch);
    residual = abut_add_scaled(residual, spring->softness, spring->impulse);
    abut_vec3 impulse = abut_sub(spring->impulse, abut_mul(spring->inverse, residual));
    double length = abut_length(impulse), most = spring->max_force * 0.5 * h;
    if (length > most) {
        impulse = abut_scale(most / length, impulse);
    }
    abut_vec3 change = abut_sub(impulse, spring->impulse);
    spring->impulse = impulse;
    solver_push(body, spring->arm, change);
    return abut_distance_between(solver_velocity_at(body, spring->arm), velocity);
}
