/* The contacts of a step between passes: positions, targets and impulses. World frame, normal from B into A. */
#include "solve/contact/contact.h"

#include "base/real.h"
#include "solve/contact/loop.h"
#include "solve/contact/patch.h"
#include "solve/contact/roll.h"
#include "solve/contact/share.h"

/* The point where the impulse acts, relative to the centre of mass of A, like on_a. apart is on_a - on_b. */
static abut_vec3 arm_of(const solver_anchor *anchor, abut_vec3 on_a, abut_vec3 apart) {
    return abut_add_scaled(on_a, anchor->share - 1.0, apart);
}

/* Anchors are kept in the principal frames, so contacts move with their bodies. The surface of a round shape slides along its anchor: the
 * centre line turns with the body, the radius always points along the normal. */
solver_anchor solver_begin_point_at(const solver_pair *pair, const solver_placement place[2], const double radius[2],
                                    const abut_contact *contact) {
    abut_vec3 n = contact->normal, on_a = abut_sub(contact->on_a, place[0].centre), on_b = abut_sub(contact->on_b, place[1].centre);
    abut_vec3 core_a = abut_add_scaled(on_a, radius[0], n), core_b = abut_add_scaled(on_b, -radius[1], n);
    solver_anchor anchor = {
        .share = solver_share_of(contact), .radius_a = radius[0], .radius_b = radius[1], .touch = pair->touch, .gap = contact->gap};
    anchor.local_a = abut_mat3_apply_transposed(place[0].axes, core_a);
    anchor.local_b = abut_mat3_apply_transposed(place[1].axes, core_b);
    anchor.base = contact->gap - abut_dot(n, abut_sub(core_a, core_b)) - abut_dot(n, abut_sub(place[0].moved, place[1].moved));
    anchor.arm = arm_of(&anchor, on_a, abut_sub(contact->on_a, contact->on_b));
    return anchor;
}

solver_anchor solver_begin_point(const solver_contacts *set, const solver_pair *pair, const abut_vec3 centre[2], const double radius[2],
                                 const abut_contact *contact) {
    const solver_placement place[2] = {{.centre = centre[0], .axes = set->bodies[pair->a].axes},
                                       {.centre = centre[1], .axes = set->bodies[pair->b].axes}};
    return solver_begin_point_at(pair, place, radius, contact);
}

/* apart: the centre of a minus that of b. */
static void refresh_anchor(const solver_body *a, const solver_body *b, abut_vec3 apart, abut_vec3 n, solver_anchor *anchor) {
    abut_vec3 core_a = abut_mat3_apply(a->axes, anchor->local_a), core_b = abut_mat3_apply(b->axes, anchor->local_b);
    anchor->gap = anchor->base + abut_dot(n, abut_add(abut_sub(a->moved, b->moved), abut_sub(core_a, core_b)));
    abut_vec3 on_a = abut_add_scaled(core_a, -anchor->radius_a, n), on_b = abut_add_scaled(core_b, anchor->radius_b, n);
    anchor->arm = arm_of(anchor, on_a, abut_add(apart, abut_sub(on_a, on_b)));
}

/* A set and additional data of a loop. */
typedef struct work {
    const solver_contacts *set;
    const solver_rule *rule;
    solver_progress *progress; /* by chunk */
    bool bounces;
} work;

static void refresh_pairs(void *argument, solver_range range) {
    const solver_contacts *set = ((const work *)argument)->set;
    for (int32_t p = range.begin; p < range.end; p++) {
        const solver_pair *pair = &set->pairs[p];
        const solver_body *a = &set->bodies[pair->a], *b = &set->bodies[pair->b];
        abut_vec3 apart = abut_add(pair->offset, abut_sub(a->moved, b->moved));
        for (int32_t k = pair->first; k < pair->first + pair->count; k++) {
            solver_patch *patch = &set->patches[k];
            for (int32_t i = patch->first; i < patch->first + patch->count; i++) {
                refresh_anchor(a, b, apart, patch->normal, &set->anchors[i]);
            }
            solver_patch_refresh(a, b, apart, patch, &set->points[patch->first], &set->anchors[patch->first]);
            if (patch->rolls) {
                roll_refresh(a, b, patch, &set->rolls[k]);
            }
        }
    }
}

void solver_refresh(const solver_contacts *set) {
    work of = {.set = set};
    solver_each_pair(set, refresh_pairs, &of);
}

solver_impulse solver_velocity(const solver_contacts *set, const solver_pair *pair, const solver_patch *patch, const solver_point *point) {
    const solver_body *a = &set->bodies[pair->a], *b = &set->bodies[pair->b];
    return solver_point_velocity(point, solver_patch_velocity(a, b, patch), solver_patch_spin(a, b, patch));
}

void solver_apply(const solver_contacts *set, const solver_pair *pair, const solver_patch *patch, solver_point *point,
                  solver_impulse change) {
    point->impulse = solver_sum(point->impulse, 1.0, change);
    solver_patch_push(&set->bodies[pair->a], &set->bodies[pair->b], patch, abut_vec3_make(change.x, change.y, change.normal),
                      solver_point_moment(point, change));
}

/* The speed of separation after the impact within this substep, or 0. The velocity at impact is interpolated from those at the begin and
 * the middle of the substep, assuming constant acceleration. The height of a bounce therefore does not depend on the position of the impact
 * within the substep. */
static double bounce_speed(double approach, double middle, double gap, double restitution, const solver_rule *rule) {
    double h = rule->substep;
    if (middle >= 0.0 || gap + h * middle > 0.0) {
        return 0.0;
    }
    double acceleration = (middle - approach) / (0.5 * h);
    double moment = real_min_number(real_max_number(-gap / middle, 0.0), h);
    double impact = middle + acceleration * (moment - 0.5 * h);
    return impact < -rule->restitution_speed ? -restitution * impact : 0.0;
}

static void note_approach(void *argument, solver_range range) {
    const solver_contacts *set = ((const work *)argument)->set;
    for (int32_t p = range.begin; p < range.end; p++) {
        const solver_pair *pair = &set->pairs[p];
        for (int32_t k = pair->first; k < pair->first + pair->count; k++) {
            const solver_patch *patch = &set->patches[k];
            for (int32_t i = patch->first; i < patch->first + patch->count && patch->restitution > 0.0; i++) {
                set->anchors[i].approach = solver_velocity(set, pair, patch, &set->points[i]).normal;
            }
        }
    }
}

void solver_note_approach(const solver_contacts *set) {
    work of = {.set = set};
    solver_each_pair(set, note_approach, &of);
}

static void note_impact(void *argument, solver_range range) {
    const work *of = argument;
    const solver_contacts *set = of->set;
    for (int32_t p = range.begin; p < range.end; p++) {
        const solver_pair *pair = &set->pairs[p];
        for (int32_t k = pair->first; k < pair->first + pair->count; k++) {
            const solver_patch *patch = &set->patches[k];
            for (int32_t i = patch->first; i < patch->first + patch->count && patch->restitution > 0.0; i++) {
                solver_anchor *anchor = &set->anchors[i];
                double middle = solver_velocity(set, pair, patch, &set->points[i]).normal;
                anchor->bounce = bounce_speed(anchor->approach, middle, anchor->gap - anchor->touch, patch->restitution, of->rule);
            }
        }
    }
}

void solver_note_impact(const solver_contacts *set, const solver_rule *rule) {
    work of = {.set = set, .rule = rule};
    solver_each_pair(set, note_impact, &of);
}

bool solver_bounces(const solver_contacts *set) {
    for (int32_t k = 0; k < set->patch_count; k++) {
        const solver_patch *patch = &set->patches[k];
        for (int32_t i = patch->first; i < patch->first + patch->count && patch->restitution > 0.0; i++) {
            if (set->anchors[i].bounce > 0.0) {
                return true;
            }
        }
    }
    return false;
}

/* The fastest approach that does not close the gap within the substep; 0 for contacts that touch. */
static double allowed_approach(const solver_anchor *anchor, const solver_rule *rule) {
    return anchor->gap > anchor->touch ? -(anchor->gap - anchor->touch) / rule->substep : 0.0;
}

static void begin_first_stage(void *argument, solver_range range) {
    const work *of = argument;
    for (int32_t i = solver_first_point(of->set, range.begin); i < solver_first_point(of->set, range.end); i++) {
        of->set->points[i].impulse = (solver_impulse){0.0, 0.0, 0.0};
        of->set->points[i].target = allowed_approach(&of->set->anchors[i], of->rule);
    }
    for (int32_t p = range.begin; p < range.end; p++) {
        const solver_pair *pair = &of->set->pairs[p];
        for (int32_t k = pair->first; k < pair->first + pair->count; k++) {
            solver_patch_lead(&of->set->bodies[pair->a], &of->set->bodies[pair->b], &of->set->patches[k], of->rule->substep);
            if (of->set->patches[k].rolls) {
                of->set->rolls[k].impulse = abut_vec3_make(0.0, 0.0, 0.0);
            }
        }
    }
}

void solver_first_stage(const solver_contacts *set, const solver_rule *rule) {
    work of = {.set = set, .rule = rule};
    solver_each_pair(set, begin_first_stage, &of);
}

static void begin_second_stage(void *argument, solver_range range) {
    const work *of = argument;
    for (int32_t i = solver_first_point(of->set, range.begin); i < solver_first_point(of->set, range.end); i++) {
        solver_point *point = &of->set->points[i];
        const solver_anchor *anchor = &of->set->anchors[i];
        bool met = point->impulse.normal > 0.0;
        if (!met && anchor->gap > anchor->touch) {
            /* The impact comes later: the first stage of the next substep handles it. */
            point->target = -INFINITY;
        } else {
            point->target = met && of->bounces && anchor->bounce > 0.0 ? anchor->bounce : allowed_approach(anchor, of->rule);
        }
    }
}

void solver_second_stage(const solver_contacts *set, const solver_rule *rule, bool bounces) {
    work of = {.set = set, .rule = rule, .bounces = bounces};
    solver_each_pair(set, begin_second_stage, &of);
}

/* Penetration is removed in proportion to its depth, and a small gap closes in proportion to its width. For a contact that bears a load,
 * the second stage would otherwise keep the gap open. */
static double push_target(const solver_anchor *anchor, const solver_rule *rule) {
    double closed = real_min_number(anchor->gap, anchor->touch);
    return real_min_number(-closed * rule->push_rate, rule->max_push) + allowed_approach(anchor, rule);
}

static void begin_push(void *argument, solver_range range) {
    const work *of = argument;
    double fastest = 0.0;
    for (int32_t i = solver_first_point(of->set, range.begin); i < solver_first_point(of->set, range.end); i++) {
        solver_point *point = &of->set->points[i];
        double target = push_target(&of->set->anchors[i], of->rule), change = target - point->target;
        if (change > 0.0 || point->impulse.normal > 0.0) {
            fastest = real_max(fastest, fabs(change));
        }
        point->target = target;
    }
    of->progress[range.chunk].largest = fastest;
}

double solver_begin_push(const solver_contacts *set, const solver_rule *rule) {
    solver_progress all;
    work of = {.set = set, .rule = rule, .progress = solver_progress_of(set, &all)};
    solver_each_pair(set, begin_push, &of);
    double fastest = solver_all_progress(set, &all).largest;
    return fastest > rule->least_push ? fastest : 0.0;
}

static void warm_start_patch(const solver_contacts *set, const solver_pair *pair, const solver_patch *patch) {
    const solver_impulse none = {0.0, 0.0, 0.0};
    abut_vec3 force = {0.0, 0.0, 0.0}, moment = {0.0, 0.0, 0.0};
    for (int32_t i = patch->first; i < patch->first + patch->count; i++) {
        solver_point *point = &set->points[i];
        solver_impulse half = solver_sum(none, 0.5, set->anchors[i].warm);
        point->impulse = solver_sum(point->impulse, 1.0, half);
        force = abut_add(force, abut_vec3_make(half.x, half.y, half.normal));
        moment = abut_add(moment, solver_point_moment(point, half));
    }
    solver_patch_push(&set->bodies[pair->a], &set->bodies[pair->b], patch, force, moment);
}

static void warm_start(void *argument, solver_range range) {
    const solver_contacts *set = ((const work *)argument)->set;
    for (int32_t p = range.begin; p < range.end; p++) {
        const solver_pair *pair = &set->pairs[p];
        for (int32_t k = pair->first; k < pair->first + pair->count; k++) {
            warm_start_patch(set, pair, &set->patches[k]);
            if (set->patches[k].rolls) {
                roll_warm_start(&set->bodies[pair->a], &set->bodies[pair->b], &set->patches[k], &set->rolls[k]);
            }
        }
    }
}

void solver_warm_start(const solver_contacts *set) {
    work of = {.set = set};
    solver_each_colour(set, false, warm_start, &of);
}

static void end_substep(void *argument, solver_range range) {
    const solver_contacts *set = ((const work *)argument)->set;
    for (int32_t i = solver_first_point(set, range.begin); i < solver_first_point(set, range.end); i++) {
        solver_anchor *anchor = &set->anchors[i];
        anchor->warm = set->points[i].impulse;
        anchor->sum = solver_sum(anchor->sum, 1.0, anchor->warm);
        anchor->mean = anchor->warm.normal;
        anchor->bounce = 0.0;
    }
    for (int32_t p = range.begin; p < range.end && set->rolls != NULL; p++) {
        for (int32_t k = set->pairs[p].first; k < set->pairs[p].first + set->pairs[p].count; k++) {
            if (set->patches[k].rolls) {
                set->rolls[k].warm = set->rolls[k].impulse;
            }
        }
    }
}

void solver_end_substep(const solver_contacts *set) {
    work of = {.set = set};
    solver_each_pair(set, end_substep, &of);
}
