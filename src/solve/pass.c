/* One pass of sequential impulses (projected Gauss-Seidel over pairs; within a pair, over its patches: friction first, then the normals,
 * which matter more and so have the last word). */
#include "solve/contact.h"
#include "solve/patch.h"

/* Sweeps over the points of a patch whose load is not linear: where some of its points do not bear. */
static const int sweeps = 4;

static double solve_friction(solver_body *a, solver_body *b, const solver_patch *patch, solver_point *point, double coefficient) {
    double bound = coefficient * point->impulse.normal;
    friction_vector old = {point->impulse.x, point->impulse.y};
    if (!(bound > 0.0) && old.x == 0.0 && old.y == 0.0) {
        return 0.0;
    }
    abut_vec3 velocity = abut_sub(solver_velocity_at(a, point->arm_a), solver_velocity_at(b, point->arm_b));
    friction_matrix m = point->sliding;
    /* The velocity without this contact's own friction. */
    friction_vector free = {abut_dot(velocity, patch->tangent[0]) - m.xx * old.x - m.xy * old.y,
                            abut_dot(velocity, patch->tangent[1]) - m.xy * old.x - m.yy * old.y};
    friction_vector friction = friction_solve(m, free, bound);
    double x = friction.x - old.x, y = friction.y - old.y;
    point->impulse.x = friction.x;
    point->impulse.y = friction.y;
    abut_vec3 impulse = abut_add(abut_scale(x, patch->tangent[0]), abut_scale(y, patch->tangent[1]));
    solver_push(a, point->arm_a, impulse);
    solver_push(b, point->arm_b, abut_neg(impulse));
    return fmax(fabs(m.xx * x + m.xy * y), fabs(m.xy * x + m.yy * y));
}

static double solve_normal(solver_body *a, solver_body *b, const solver_patch *patch, solver_point *point) {
    double velocity = solver_point_velocity(a, b, patch, point);
    double impulse = fmax(point->impulse.normal + (point->target - velocity) / point->mobility, 0.0);
    double change = impulse - point->impulse.normal;
    point->impulse.normal = impulse;
    a->velocity = abut_add_scaled(a->velocity, change * a->inverse_mass, patch->normal);
    b->velocity = abut_add_scaled(b->velocity, -change * b->inverse_mass, patch->normal);
    a->angular_velocity = abut_add_scaled(a->angular_velocity, change, point->turn_a);
    b->angular_velocity = abut_add_scaled(b->angular_velocity, -change, point->turn_b);
    return fabs(change) * point->mobility;
}

static double solve_patch(solver_body *a, solver_body *b, const solver_patch *patch, solver_point *points, double coefficient) {
    double largest = 0.0;
    for (int32_t i = 0; i < patch->count && coefficient > 0.0; i++) {
        largest = fmax(largest, solve_friction(a, b, patch, &points[i], coefficient));
    }
    double whole = patch->count > 1 ? solver_patch_solve(a, b, patch, points) : -1.0;
    largest = fmax(largest, whole);
    for (int sweep = 0; sweep < (whole < 0.0 && patch->count > 1 ? sweeps : 1); sweep++) {
        for (int32_t i = 0; i < patch->count; i++) {
            largest = fmax(largest, solve_normal(a, b, patch, &points[i]));
        }
    }
    return largest;
}

double solver_pass(const solver_contacts *set, bool backward, bool friction) {
    double largest = 0.0;
    for (int32_t p = 0; p < set->pair_count; p++) {
        const solver_pair *pair = &set->pairs[backward ? set->pair_count - 1 - p : p];
        solver_body *a = &set->bodies[pair->a], *b = &set->bodies[pair->b];
        for (int32_t k = pair->first; k < pair->first + pair->count; k++) {
            const solver_patch *patch = &set->patches[k];
            largest = fmax(largest, solve_patch(a, b, patch, &set->points[patch->first], friction ? pair->friction : 0.0));
        }
    }
    return largest;
}
