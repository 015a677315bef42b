/* Contacts of a pair follow each other in the world's `next`, and the solver reads and writes their memory there. */
#include "step/fixed/quick_records.h"

#include "solve/wide/record.h"
#include "step/fixed/meeting.h"

/* A patch of the contacts first to end - 1. */
static wide_patch patch_of(const abut_world *world, const meeting *bodies, int32_t first, int32_t end) {
    const abut_world_contact *contact = &world->next.contacts[first];
    double radius[2];
    meeting_rounding(bodies, &contact->contact, radius);
    return (wide_patch){.first = first,
                        .count = end - first,
                        .normal = contact->contact.normal,
                        .friction = meeting_friction(world, bodies, contact),
                        .radius_a = radius[0],
                        .radius_b = radius[1]};
}

void quick_records_fill(const island_layout *layout, const abut_world *world, const layout_pair *from) {
    const solver_contacts *set = &layout->sets[from->island];
    const broad_pair *found = &world->broad.found[from->found];
    const meeting bodies = meeting_of(world, &world->bodies[found->a], &world->bodies[found->b]);
    solver_pair *pair = &set->pairs[from->pair];
    *pair = meeting_begin_pair(world, from);
    int32_t last = found->contact_first + found->contact_count;
    for (int32_t first = found->contact_first, end; first < last; first = end) {
        end = from->patch_count == 1 ? last : meeting_patch_end(world, first, last);
        wide_patch *patch = &set->wide_patches[pair->first + pair->count++];
        *patch = patch_of(world, &bodies, first, end);
        for (int32_t i = first; i < end && !bodies.plain && !(patch->friction > 0.0); i++) { /* passes leave such patches alone */
            world->next.memory[i].friction = abut_vec3_make(0.0, 0.0, 0.0);
        }
    }
}

static solver_impulse impulse_of(const solver_patch *patch, double time, double force, abut_vec3 friction) {
    return (solver_impulse){time * force, time * abut_dot(friction, patch->tangent[0]), time * abut_dot(friction, patch->tangent[1])};
}

void quick_records_to_anchors(const solver_contacts *set, double dt, int32_t substeps) {
    double h = dt / substeps;
    for (int32_t k = 0; k < set->patch_count; k++) {
        const solver_patch *patch = &set->patches[k];
        for (int32_t i = 0; i < patch->count; i++) {
            int32_t contact = set->wide_patches[k].first + i;
            const wide_contact *record = &set->wide_contacts[contact];
            const double *step = wide_step_force(set, contact);
            solver_anchor *anchor = &set->anchors[patch->first + i];
            anchor->warm = impulse_of(patch, h, record->force, record->friction);
            anchor->sum = impulse_of(patch, dt, step[0], wide_step_friction(step));
            anchor->mean = h * record->mean;
        }
    }
}

static abut_vec3 friction_of(const solver_patch *patch, double rate, solver_impulse impulse) {
    return abut_add(abut_scale(rate * impulse.x, patch->tangent[0]), abut_scale(rate * impulse.y, patch->tangent[1]));
}

void quick_records_from_anchors(const solver_contacts *set, double dt, int32_t substeps) {
    double per_step = 1.0 / dt, per_substep = substeps / dt;
    for (int32_t k = 0; k < set->patch_count; k++) {
        const solver_patch *patch = &set->patches[k];
        for (int32_t i = 0; i < patch->count; i++) {
            const solver_anchor *anchor = &set->anchors[patch->first + i];
            int32_t contact = set->wide_patches[k].first + i;
            wide_contact *record = &set->wide_contacts[contact];
            double *step = wide_step_force(set, contact);
            abut_vec3 friction = friction_of(patch, per_step, anchor->sum);
            record->force = per_substep * anchor->warm.normal;
            record->mean = per_substep * anchor->mean;
            record->friction = friction_of(patch, per_substep, anchor->warm);
            step[0] = per_step * anchor->sum.normal;
            step[1] = friction.x;
            step[2] = friction.y;
            step[3] = friction.z;
        }
    }
}
