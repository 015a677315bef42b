/* One pass of sequential impulses (projected Gauss-Seidel over pairs; within a pair, over its patches: friction first, then the normals,
 * which matter more and so have the last word). */
#include "solve/contact.h"
#include "solve/patch.h"

/* Sweeps over the points of a patch whose load is not linear: where some of its points do not bear. */
static const int sweeps = 4;

/* The friction impulse at which the contact does not slide, or, where that is beyond the bound, the one on the disc. `velocity` is that with the
 * present impulse. */
static friction_vector friction_wanted(const solver_point *point, friction_vector velocity, double bound) {
    const friction_matrix *h = &point->holding, *m = &point->sliding;
    double x = point->impulse.x, y = point->impulse.y;
    friction_vector stuck = {x - h->xx * velocity.x - h->xy * velocity.y, y - h->xy * velocity.x - h->yy * velocity.y};
    if (stuck.x * stuck.x + stuck.y * stuck.y <= bound * bound) {
        return stuck;
    }
    friction_vector free = {velocity.x - m->xx * x - m->xy * y, velocity.y - m->xy * x - m->yy * y};
    return friction_solve(*m, free, bound);
}

static double solve_friction(solver_body *a, solver_body *b, const solver_patch *patch, solver_point *point, double coefficient) {
    double bound = coefficient * point->impulse.normal;
    if (!(bound > 0.0) && point->impulse.x == 0.0 && point->impulse.y == 0.0) {
        return 0.0;
    }
    abut_vec3 apart = abut_sub(solver_velocity_at(a, point->arm_a), solver_velocity_at(b, point->arm_b));
    friction_vector velocity = {abut_dot(apart, patch->tangent[0]), abut_dot(apart, patch->tangent[1])};
    friction_vector friction = friction_wanted(point, velocity, bound);
    double x = friction.x - point->impulse.x, y = friction.y - point->impulse.y;
    point->impulse.x = friction.x;
    point->impulse.y = friction.y;
    abut_vec3 impulse = abut_add(abut_scale(x, patch->tangent[0]), abut_scale(y, patch->tangent[1]));
    solver_push(a, point->arm_a, impulse);
    solver_push(b, point->arm_b, abut_neg(impulse));
    const friction_matrix *m = &point->sliding;
    return solver_larger(fabs(m->xx * x + m->xy * y), fabs(m->xy * x + m->yy * y));
}

static double solve_normal(solver_body *a, solver_body *b, const solver_patch *patch, solver_point *point) {
    double velocity = solver_point_velocity(a, b, patch, point);
    double impulse = solver_larger(point->impulse.normal + (point->target - velocity) / point->mobility, 0.0);
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
        largest = solver_larger(largest, solve_friction(a, b, patch, &points[i], coefficient));
    }
    double whole = patch->count > 1 ? solver_patch_solve(a, b, patch, points) : -1.0;
    largest = solver_larger(largest, whole);
    for (int sweep = 0; sweep < (whole < 0.0 && patch->count > 1 ? sweeps : 1); sweep++) {
        for (int32_t i = 0; i < patch->count; i++) {
            largest = solver_larger(largest, solve_normal(a, b, patch, &points[i]));
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
            largest = solver_larger(largest, solve_patch(a, b, patch, &set->points[patch->first], friction ? pair->friction : 0.0));
        }
    }
    return largest;
}
