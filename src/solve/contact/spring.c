/* A spring as a constraint. The force over half a substep is taken at the stretch x + theta h v: k (x + theta h v) + c v. The impulse l
 * therefore obeys
 *
 *   l = -(h / 2) (k x + (c + theta h k) v),   v the velocity after l.
 *
 * Solved for l, with the mobility W of the anchor and y = (h / 2) (c + theta h k): (1 + y W) l = -((h / 2) k x + y v), v the velocity
 * without l. theta = 0 is the leapfrog method, which keeps the energy but is unstable for stiff springs. theta = 1 is implicit, always
 * stable, and damps. theta = q / (1 + q) with q = k h^2 W, the square of h times the angular frequency of the spring, blends between them. */
#include "solve/contact/spring.h"

#include "base/real.h"

/* Inverse of a symmetric positive definite matrix by cofactors. */
static abut_mat3 invert(abut_mat3 m) {
    abut_vec3 yz = abut_cross(m.y, m.z), zx = abut_cross(m.z, m.x), xy = abut_cross(m.x, m.y);
    double scale = 1.0 / abut_dot(m.x, yz);
    return abut_mat3_transpose(abut_mat3_make(abut_scale(scale, yz), abut_scale(scale, zx), abut_scale(scale, xy)));
}

abut_vec3 solver_spring_stretch(const solver_body *bodies, const solver_spring *spring) {
    const solver_body *body = &bodies[spring->body];
    abut_vec3 turned = abut_sub(abut_mat3_apply(body->axes, spring->local), spring->from);
    return abut_add(spring->start, abut_add(body->moved, turned));
}

void solver_spring_refresh(const solver_body *bodies, solver_spring *spring, double h) {
    const solver_body *body = &bodies[spring->body];
    spring->arm = abut_mat3_apply(body->axes, spring->local);
    spring->stretch = solver_spring_stretch(bodies, spring);
    const abut_vec3 x = {1.0, 0.0, 0.0}, y = {0.0, 1.0, 0.0}, z = {0.0, 0.0, 1.0};
    double xx = solver_mobility(body, spring->arm, x, x), xy = solver_mobility(body, spring->arm, x, y);
    double xz = solver_mobility(body, spring->arm, x, z), yy = solver_mobility(body, spring->arm, y, y);
    double yz = solver_mobility(body, spring->arm, y, z), zz = solver_mobility(body, spring->arm, z, z);
    double squared_ratio = spring->stiffness * h * h * real_max_number(xx, real_max_number(yy, zz));
    double theta = 1.0 - 1.0 / (1.0 + squared_ratio);
    double w = 0.5 * h * (spring->damping + theta * h * spring->stiffness);
    spring->yield = w;
    spring->inverse = invert(abut_mat3_make(abut_vec3_make(1.0 + w * xx, w * xy, w * xz), abut_vec3_make(w * xy, 1.0 + w * yy, w * yz),
                                            abut_vec3_make(w * xz, w * yz, 1.0 + w * zz)));
}

void solver_spring_warm_start(solver_body *bodies, const solver_spring *spring) {
    solver_push(&bodies[spring->body], spring->arm, spring->impulse);
}

double solver_spring_solve(solver_body *bodies, solver_spring *spring, double h) {
    solver_body *body = &bodies[spring->body];
    abut_vec3 velocity = solver_velocity_at(body, spring->arm);
    abut_vec3 missing = abut_add(abut_scale(0.5 * h * spring->stiffness, spring->stretch), abut_scale(spring->yield, velocity));
    abut_vec3 impulse = abut_sub(spring->impulse, abut_mat3_apply(spring->inverse, abut_add(missing, spring->impulse)));
    double length = abut_length(impulse), most = spring->max_force * 0.5 * h;
    if (length > most) {
        impulse = abut_scale(most / length, impulse);
    }
    abut_vec3 change = abut_sub(impulse, spring->impulse);
    spring->impulse = impulse;
    solver_push(body, spring->arm, change);
    return abut_distance_between(solver_velocity_at(body, spring->arm), velocity);
}
