/* The contacts of a step between the passes: where they are, what they aim at, and what they carried. World frame, the normal from B
 * into A. */
#include "solve/contact.h"

#include "solve/patch.h"

/* How much a feature fixes where a contact is: it stays at a vertex, goes with a ball, runs along an edge, and anywhere on a face. */
static int freedom_of(abut_feature feature) {
    switch (feature.kind) {
    case ABUT_FEATURE_VERTEX:
        return 0;
    case ABUT_FEATURE_SMOOTH:
        return 1;
    case ABUT_FEATURE_EDGE:
        return 2;
    default:
        return 3;
    }
}

/* The impulse acts where the contact stays while its bodies slide over each other. */
static double share_of(const abut_contact *contact) {
    int a = freedom_of(contact->feature_a), b = freedom_of(contact->feature_b);
    return a == b ? 0.5 : a < b ? 1.0 : 0.0;
}

/* Both impulses act at one point, or angular momentum would not be kept. on_a and on_b are seen from the centres of mass. */
static void set_arms(solver_point *point, abut_vec3 on_a, abut_vec3 on_b, abut_vec3 apart) {
    point->arm_a = abut_add_scaled(on_a, point->share - 1.0, apart);
    point->arm_b = abut_add_scaled(on_b, point->share, apart);
}

/* Anchors in the principal frames, so that the contact moves with its bodies. The surface of a round shape slides along its anchor: the
 * centre line turns with the body, the radius always points along the normal. */
solver_point solver_begin_point(const solver_contacts *set, const solver_pair *pair, const abut_vec3 centre[2], const double radius[2],
                                const abut_contact *contact) {
    abut_vec3 n = contact->normal, on_a = abut_sub(contact->on_a, centre[0]), on_b = abut_sub(contact->on_b, centre[1]);
    abut_vec3 core_a = abut_add_scaled(on_a, radius[0], n), core_b = abut_add_scaled(on_b, -radius[1], n);
    solver_point point = {
        .share = share_of(contact), .radius_a = radius[0], .radius_b = radius[1], .touch = pair->touch, .gap = contact->gap};
    point.local_a = abut_mul_transposed(set->bodies[pair->a].axes, core_a);
    point.local_b = abut_mul_transposed(set->bodies[pair->b].axes, core_b);
    point.base = contact->gap - abut_dot(n, abut_sub(core_a, core_b));
    set_arms(&point, on_a, on_b, abut_sub(contact->on_a, contact->on_b));
    return point;
}

static void refresh_point(const solver_body *a, const solver_body *b, const solver_pair *pair, const solver_patch *patch,
                          solver_point *point) {
    abut_vec3 n = patch->normal, first = patch->tangent[0], second = patch->tangent[1];
    abut_vec3 moved = abut_sub(a->moved, b->moved);
    abut_vec3 core_a = abut_mul(a->axes, point->local_a), core_b = abut_mul(b->axes, point->local_b);
    point->gap = point->base + abut_dot(n, abut_add(moved, abut_sub(core_a, core_b)));
    abut_vec3 on_a = abut_add_scaled(core_a, -point->radius_a, n), on_b = abut_add_scaled(core_b, point->radius_b, n);
    set_arms(point, on_a, on_b, abut_add(abut_add(pair->offset, moved), abut_sub(on_a, on_b)));
    point->lever_a = abut_cross(point->arm_a, n);
    point->lever_b = abut_cross(point->arm_b, n);
    point->turn_a = abut_mul(a->inverse_inertia, point->lever_a);
    point->turn_b = abut_mul(b->inverse_inertia, point->lever_b);
    point->mobility = a->inverse_mass + b->inverse_mass + abut_dot(point->lever_a, point->turn_a) + abut_dot(point->lever_b, point->turn_b);
    point->sliding.xx = solver_mobility(a, point->arm_a, first, first) + solver_mobility(b, point->arm_b, first, first);
    point->sliding.xy = solver_mobility(a, point->arm_a, first, second) + solver_mobility(b, point->arm_b, first, second);
    point->sliding.yy = solver_mobility(a, point->arm_a, second, second) + solver_mobility(b, point->arm_b, second, second);
    double determinant = point->sliding.xx * point->sliding.yy - point->sliding.xy * point->sliding.xy;
    point->holding.xx = point->sliding.yy / determinant;
    point->holding.xy = -point->sliding.xy / determinant;
    point->holding.yy = point->sliding.xx / determinant;
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

solver_impulse solver_velocity(const solver_contacts *set, const solver_pair *pair, const solver_patch *patch, const solver_point *point) {
    abut_vec3 on_a = solver_velocity_at(&set->bodies[pair->a], point->arm_a),
              on_b = solver_velocity_at(&set->bodies[pair->b], point->arm_b);
    abut_vec3 v = abut_sub(on_a, on_b);
    solver_impulse velocity = {abut_dot(v, patch->normal), abut_dot(v, patch->tangent[0]), abut_dot(v, patch->tangent[1])};
    return velocity;
}

void solver_apply(const solver_contacts *set, const solver_pair *pair, const solver_patch *patch, solver_point *point,
                  solver_impulse change) {
    abut_vec3 tangential = abut_add(abut_scale(change.x, patch->tangent[0]), abut_scale(change.y, patch->tangent[1]));
    abut_vec3 impulse = abut_add_scaled(tangential, change.normal, patch->normal);
    point->impulse = solver_sum(point->impulse, 1.0, change);
    solver_push(&set->bodies[pair->a], point->arm_a, impulse);
    solver_push(&set->bodies[pair->b], point->arm_b, abut_neg(impulse));
}

/* The speed of separation after the impact that happens within this substep, or 0. The velocity at the moment of impact follows from
 * those at the substep's begin and middle under constant acceleration, so that the height of a bounce does not depend on where in a
 * substep it falls. */
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

void solver_note_approach(const solver_contacts *set) {
    for (int32_t p = 0; p < set->pair_count; p++) {
        const solver_pair *pair = &set->pairs[p];
        for (int32_t k = pair->first; k < pair->first + pair->count && pair->restitution > 0.0; k++) {
            const solver_patch *patch = &set->patches[k];
            for (int32_t i = patch->first; i < patch->first + patch->count; i++) {
                set->points[i].approach = solver_velocity(set, pair, patch, &set->points[i]).normal;
            }
        }
    }
}

void solver_note_impact(const solver_contacts *set, const solver_rule *rule) {
    for (int32_t p = 0; p < set->pair_count; p++) {
        const solver_pair *pair = &set->pairs[p];
        for (int32_t k = pair->first; k < pair->first + pair->count && pair->restitution > 0.0; k++) {
            const solver_patch *patch = &set->patches[k];
            for (int32_t i = patch->first; i < patch->first + patch->count; i++) {
                solver_point *point = &set->points[i];
                double middle = solver_velocity(set, pair, patch, point).normal;
                point->bounce = bounce_speed(point->approach, middle, point->gap - point->touch, pair->restitution, rule);
            }
        }
    }
}

/* The fastest approach that does not close the gap within the substep; none for contacts that touch. */
static double allowed_approach(const solver_point *point, const solver_rule *rule) {
    return point->gap > point->touch ? -(point->gap - point->touch) / rule->substep : 0.0;
}

void solver_first_stage(const solver_contacts *set, const solver_rule *rule) {
    for (int32_t i = 0; i < set->point_count; i++) {
        set->points[i].impulse = (solver_impulse){0.0, 0.0, 0.0};
        set->points[i].target = allowed_approach(&set->points[i], rule);
    }
}

void solver_second_stage(const solver_contacts *set, const solver_rule *rule) {
    for (int32_t i = 0; i < set->point_count; i++) {
        solver_point *point = &set->points[i];
        bool met = point->impulse.normal > 0.0;
        if (!met && point->gap > point->touch) {
            /* Not there yet: the next substep's first stage will see to it. */
            point->target = -INFINITY;
        } else {
            point->target = met && point->bounce > 0.0 ? point->bounce : allowed_approach(point, rule);
        }
    }
}

/* Penetration leaves in proportion to its depth, and in proportion to its width a small gap closes: for a contact that bears, the second
 * stage would hold it. */
static double push_target(const solver_point *point, const solver_rule *rule) {
    double closed = fmin(point->gap, point->touch);
    return fmin(-closed * rule->push_rate, rule->max_push) + allowed_approach(point, rule);
}

double solver_begin_push(const solver_contacts *set, const solver_rule *rule) {
    double fastest = 0.0;
    for (int32_t i = 0; i < set->point_count; i++) {
        solver_point *point = &set->points[i];
        point->held = point->impulse;
        double target = push_target(point, rule), change = target - point->target;
        if (change > 0.0 || point->impulse.normal > 0.0) {
            fastest = solver_larger(fastest, fabs(change));
        }
        point->target = target;
    }
    return fastest > rule->least_push ? fastest : 0.0;
}

void solver_end_push(const solver_contacts *set) {
    for (int32_t i = 0; i < set->point_count; i++) {
        set->points[i].impulse = set->points[i].held;
    }
}

void solver_warm_start(const solver_contacts *set) {
    for (int32_t p = 0; p < set->pair_count; p++) {
        const solver_pair *pair = &set->pairs[p];
        for (int32_t k = pair->first; k < pair->first + pair->count; k++) {
            const solver_patch *patch = &set->patches[k];
            for (int32_t i = patch->first; i < patch->first + patch->count; i++) {
                solver_impulse none = {0.0, 0.0, 0.0};
                solver_apply(set, pair, patch, &set->points[i], solver_sum(none, 0.5, set->points[i].warm));
            }
        }
    }
}

void solver_end_substep(const solver_contacts *set) {
    for (int32_t i = 0; i < set->point_count; i++) {
        solver_point *point = &set->points[i];
        point->sum = solver_sum(point->sum, 1.0, point->impulse);
        point->warm = point->impulse;
        point->bounce = 0.0;
    }
}
