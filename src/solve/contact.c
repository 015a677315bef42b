/* The contacts of a step between the passes: where they are, what they aim at, and what they carried. World frame, the normal from B into A. */
#include "solve/contact.h"

#include "solve/patch.h"

/* Anchors in the principal frames, so that the contact moves with its bodies. The surface of a round shape slides along its anchor: the centre line turns
 * with the body, the radius always points along the normal. */
solver_point solver_begin_point(const solver_contacts *set, const solver_pair *pair, const abut_vec3 centre[2], const double radius[2],
                                const abut_contact *contact) {
    abut_vec3 n = contact->normal, on_a = abut_sub(contact->on_a, centre[0]), on_b = abut_sub(contact->on_b, centre[1]);
    abut_vec3 core_a = abut_add_scaled(on_a, radius[0], n), core_b = abut_add_scaled(on_b, -radius[1], n);
    solver_point point = {.radius_a = radius[0], .radius_b = radius[1], .gap = contact->gap};
    point.local_a = abut_mul_transposed(set->bodies[pair->a].axes, core_a);
    point.local_b = abut_mul_transposed(set->bodies[pair->b].axes, core_b);
    point.base = contact->gap - abut_dot(n, abut_sub(core_a, core_b));
    abut_vec3 apart = abut_sub(contact->on_a, contact->on_b);
    point.arm_a = abut_add_scaled(on_a, -0.5, apart);
    point.arm_b = abut_add_scaled(on_b, 0.5, apart);
    return point;
}

static void refresh_point(const solver_body *a, const solver_body *b, const solver_pair *pair, const solver_patch *patch, solver_point *point) {
    abut_vec3 n = patch->normal, first = patch->tangent[0], second = patch->tangent[1];
    abut_vec3 moved = abut_sub(a->moved, b->moved);
    abut_vec3 core_a = abut_mul(a->axes, point->local_a), core_b = abut_mul(b->axes, point->local_b);
    point->gap = point->base + abut_dot(n, abut_add(moved, abut_sub(core_a, core_b)));
    /* Both impulses act at one point, or angular momentum would not be kept. */
    abut_vec3 on_a = abut_add_scaled(core_a, -point->radius_a, n), on_b = abut_add_scaled(core_b, point->radius_b, n);
    abut_vec3 apart = abut_add(abut_add(pair->offset, moved), abut_sub(on_a, on_b));
    point->arm_a = abut_add_scaled(on_a, -0.5, apart);
    point->arm_b = abut_add_scaled(on_b, 0.5, apart);
    point->lever_a = abut_cross(point->arm_a, n);
    point->lever_b = abut_cross(point->arm_b, n);
    point->turn_a = abut_mul(a->inverse_inertia, point->lever_a);
    point->turn_b = abut_mul(b->inverse_inertia, point->lever_b);
    point->mobility = a->inverse_mass + b->inverse_mass + abut_dot(point->lever_a, point->turn_a) + abut_dot(point->lever_b, point->turn_b);
    point->sliding.xx = solver_mobility(a, point->arm_a, first, first) + solver_mobility(b, point->arm_b, first, first);
    point->sliding.xy = solver_mobility(a, point->arm_a, first, second) + solver_mobility(b, point->arm_b, first, second);
    point->sliding.yy = solver_mobility(a, point->arm_a, second, second) + solver_mobility(b, point->arm_b, second, second);
}

void solver_refresh(const solver_contacts *set) {
    for (int32_t p = 0; p < set->pair_count; p++) {
        const solver_pair *pair = &set->pairs[p];
        const solver_body *a = &set->bodies[pair->a], *b = &set->bodies[pair->b];
        for (int32_t k = pair->first; k < pair->first + pair->count; k++) {
            solver_patch *patch = &set->patches[k];
            for (int32_t i = patch->first; i < patch->first + patch->count; i++) {
                refresh_point(a, b, pair, patch, &set->points[i]);
            }
            solver_patch_refresh(a, b, patch, &set->points[patch->first]);
        }
    }
}

void solver_note_approach(const solver_contacts *set) {
    for (int32_t p = 0; p < set->pair_count; p++) {
        const solver_pair *pair = &set->pairs[p];
        for (int32_t k = pair->first; k < pair->first + pair->count && pair->restitution > 0.0; k++) {
            const solver_patch *patch = &set->patches[k];
            for (int32_t i = patch->first; i < patch->first + patch->count; i++) {
                solver_point *point = &set->points[i];
                point->approach = solver_point_velocity(&set->bodies[pair->a], &set->bodies[pair->b], patch, point);
            }
        }
    }
}

/* The speed of separation after the impact that happens within this substep, or 0. The velocity at the moment of impact follows from those at the substep's
 * begin and middle under constant acceleration, so that the height of a bounce does not depend on where in a substep it falls. */
static double bounce_speed(double approach, double middle, double gap, double restitution, const solver_rule *rule) {
    double h = rule->substep;
    if (middle >= 0.0 || gap + h * middle > 0.0) {
        return 0.0;
    }
    double acceleration = (middle - approach) / (0.5 * h);
    double moment = fmin(fmax(-gap / middle, 0.0), h);
    double impact = middle + acceleration * (moment - 0.5 * h);
    return impact < -rule->restitution_speed ? -restitution * impact : 0.0;
}

void solver_note_impact(const solver_contacts *set, const solver_rule *rule) {
    for (int32_t p = 0; p < set->pair_count; p++) {
        const solver_pair *pair = &set->pairs[p];
        for (int32_t k = pair->first; k < pair->first + pair->count && pair->restitution > 0.0; k++) {
            const solver_patch *patch = &set->patches[k];
            for (int32_t i = patch->first; i < patch->first + patch->count; i++) {
                solver_point *point = &set->points[i];
                double middle = solver_point_velocity(&set->bodies[pair->a], &set->bodies[pair->b], patch, point);
                point->bounce = bounce_speed(point->approach, middle, point->gap, pair->restitution, rule);
            }
        }
    }
}

void solver_first_stage(const solver_contacts *set, const solver_rule *rule) {
    for (int32_t i = 0; i < set->point_count; i++) {
        solver_point *point = &set->points[i];
        point->impulse = 0.0;
        point->friction = (friction_vector){0.0, 0.0};
        point->target = point->gap > 0.0 ? -point->gap / rule->substep : fmin(-point->gap * rule->push_rate, rule->max_push);
    }
}

void solver_second_stage(const solver_contacts *set, const solver_rule *rule) {
    for (int32_t i = 0; i < set->point_count; i++) {
        solver_point *point = &set->points[i];
        point->target = point->gap > 0.0 ? -point->gap / rule->substep : 0.0;
        if (point->bounce > 0.0 && point->impulse > 0.0) {
            point->target = point->bounce;
        }
    }
}

void solver_warm_start(const solver_contacts *set) {
    for (int32_t p = 0; p < set->pair_count; p++) {
        const solver_pair *pair = &set->pairs[p];
        solver_body *a = &set->bodies[pair->a], *b = &set->bodies[pair->b];
        for (int32_t k = pair->first; k < pair->first + pair->count; k++) {
            const solver_patch *patch = &set->patches[k];
            for (int32_t i = patch->first; i < patch->first + patch->count; i++) {
                solver_point *point = &set->points[i];
                double normal = 0.5 * point->warm_impulse;
                friction_vector friction = {0.5 * point->warm_friction.x, 0.5 * point->warm_friction.y};
                abut_vec3 impulse = abut_add(abut_scale(normal, patch->normal), abut_add(abut_scale(friction.x, patch->tangent[0]),
                                                                                         abut_scale(friction.y, patch->tangent[1])));
                point->impulse += normal;
                point->friction.x += friction.x;
                point->friction.y += friction.y;
                solver_push(a, point->arm_a, impulse);
                solver_push(b, point->arm_b, abut_neg(impulse));
            }
        }
    }
}

void solver_end_substep(const solver_contacts *set) {
    for (int32_t i = 0; i < set->point_count; i++) {
        solver_point *point = &set->points[i];
        point->impulse_sum += point->impulse;
        point->friction_sum.x += point->friction.x;
        point->friction_sum.y += point->friction.y;
        point->warm_impulse = point->impulse;
        point->warm_friction = point->friction;
        point->bounce = 0.0;
    }
}
