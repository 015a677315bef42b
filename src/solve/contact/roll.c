/* Moments against rolling and spinning: see roll.h. Rolling is solved like friction of a point, by the disc of two moments; spinning by a bound. */
#include "solve/contact/roll.h"

#include "base/real.h"
#include "solve/contact/patch.h"

void roll_refresh(const solver_body *a, const solver_body *b, const solver_patch *patch, solver_roll *roll) {
    const abut_vec3 axes[3] = {patch->tangent[0], patch->tangent[1], patch->normal};
    for (int row = 0, at = 0; row < 3; row++) {
        for (int column = row; column < 3; column++, at++) {
            abut_vec3 turn = abut_add(abut_mat3_apply(a->inverse_inertia, axes[column]), abut_mat3_apply(b->inverse_inertia, axes[column]));
            roll->mobility[at] = abut_dot(axes[row], turn);
        }
    }
    double lever_a = a->inverse_mass > 0.0 ? abut_length(patch->arm_a) : 0.0,
           lever_b = b->inverse_mass > 0.0 ? abut_length(patch->arm_b) : 0.0;
    roll->lever = real_max(lever_a, lever_b);
}

void roll_apply(solver_body *a, solver_body *b, const solver_patch *patch, solver_roll *roll, abut_vec3 change) {
    const abut_vec3 none = {0.0, 0.0, 0.0};
    roll->impulse = abut_add(roll->impulse, change);
    solver_patch_push(a, b, patch, none, change);
}

void roll_warm_start(solver_body *a, solver_body *b, const solver_patch *patch, solver_roll *roll) {
    roll_apply(a, b, patch, roll, abut_scale(0.5, roll->warm));
}

double roll_load(const solver_patch *patch, const solver_point *points) {
    double load = 0.0;
    for (int32_t i = 0; i < patch->count; i++) {
        load += points[i].impulse.normal;
    }
    return load;
}

double roll_solve(solver_body *a, solver_body *b, const solver_patch *patch, solver_roll *roll, double load) {
    const double *m = roll->mobility;
    abut_vec3 spin = solver_patch_spin(a, b, patch), l = roll->impulse;
    const friction_matrix rolls = {m[0], m[1], m[3]};
    const friction_vector free = {spin.x - m[0] * l.x - m[1] * l.y, spin.y - m[1] * l.x - m[3] * l.y};
    friction_vector rolling = friction_solve(rolls, free, roll->rolling * load, &roll->slip);
    abut_vec3 change = {rolling.x - l.x, rolling.y - l.y, 0.0};
    double most = roll->spinning * load, spinning = spin.z + m[2] * change.x + m[4] * change.y;
    change.z = real_max(real_min(l.z - spinning / m[5], most), -most) - l.z;
    if (change.x != 0.0 || change.y != 0.0 || change.z != 0.0) {
        roll_apply(a, b, patch, roll, change);
    }
    return roll->lever * abut_length(solver_symmetric_mul(m, change));
}

void roll_go_on(solver_roll *roll, double factor) {
    abut_vec3 further = abut_scale(factor, roll->direction);
    roll->direction = abut_add(further, roll->change);
    roll->impulse = abut_add(roll->impulse, further);
    roll->change = roll->impulse;
}

double roll_note_change(solver_roll *roll) {
    abut_vec3 d = roll->change = abut_sub(roll->impulse, roll->change);
    return d.x * d.x * roll->mobility[0] + d.y * d.y * roll->mobility[3] + d.z * d.z * roll->mobility[5];
}
