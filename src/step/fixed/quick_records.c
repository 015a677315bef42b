/* Contacts of a pair follow each other in the world's `next` and among the records of its island. */
#include "step/fixed/quick_records.h"

#include "solve/contact/share.h"
#include "solve/wide/record.h"
#include "step/fixed/meeting.h"

static abut_vec3 arm_of(const abut_contact *contact, abut_vec3 centre) {
    return abut_add_scaled(abut_sub(contact->on_a, centre), solver_share_of(contact) - 1.0, abut_sub(contact->on_a, contact->on_b));
}

/* From the contacts first to end - 1 of the world's `next`. centre: of mass of A */
static void fill_patch(const abut_world *world, const meeting *bodies, abut_vec3 centre, int32_t first, int32_t end, wide_patch *patch,
                       wide_contact *records) {
    const abut_world_contact *contacts = &world->next.contacts[first];
    const contact_memory *memory = &world->next.memory[first];
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    double radius[2];
    meeting_rounding(bodies, &contacts->contact, radius);
    patch->count = end - first;
    patch->normal = contacts->contact.normal;
    patch->friction = meeting_friction(world, bodies, contacts);
    patch->radius_a = radius[0];
    patch->radius_b = radius[1];
    bool holds = bodies->plain || patch->friction > 0.0; /* passes leave patches without friction alone */
    for (int32_t i = 0; i < patch->count; i++) {
        const abut_contact *contact = &contacts[i].contact;
        records[i].gap = contact->gap;
        records[i].arm = arm_of(contact, centre);
        records[i].force = memory[i].force;
        records[i].mean = memory[i].mean;
        records[i].friction = holds ? memory[i].friction : zero;
    }
}

void quick_records_fill(const island_layout *layout, const abut_world *world, const layout_pair *from) {
    const solver_contacts *set = &layout->sets[from->island];
    const broad_pair *found = &world->broad.found[from->found];
    const body *a = &world->bodies[found->a], *b = &world->bodies[found->b];
    const meeting bodies = meeting_of(world, a, b);
    solver_pair *pair = &set->pairs[from->pair];
    *pair = meeting_begin_pair(world, from);
    int32_t last = found->contact_first + found->contact_count;
    for (int32_t first = found->contact_first, end; first < last; first = end) {
        end = meeting_patch_end(world, first, last);
        wide_patch *patch = &set->wide_patches[pair->first + pair->count++];
        patch->first = from->point + first - found->contact_first;
        fill_patch(world, &bodies, a->centre, first, end, patch, &set->wide_contacts[patch->first]);
    }
}

void quick_records_write(const island_layout *layout, abut_world *world, const layout_pair *from) {
    const broad_pair *found = &world->broad.found[from->found];
    const wide_contact *records = &layout->sets[from->island].wide_contacts[from->point];
    for (int32_t i = 0; i < found->contact_count; i++) {
        abut_world_contact *contact = &world->next.contacts[found->contact_first + i];
        contact_memory *memory = &world->next.memory[found->contact_first + i];
        contact->normal_force = records[i].step_force;
        contact->friction_force = records[i].step_friction;
        memory->force = records[i].force;
        memory->mean = records[i].mean;
        memory->friction = records[i].friction;
    }
}

static solver_impulse impulse_of(const solver_patch *patch, double time, double force, abut_vec3 friction) {
    return (solver_impulse){time * force, time * abut_dot(friction, patch->tangent[0]), time * abut_dot(friction, patch->tangent[1])};
}

void quick_records_to_anchors(const solver_contacts *set, double dt, int32_t substeps) {
    double h = dt / substeps;
    for (int32_t k = 0; k < set->patch_count; k++) {
        const solver_patch *patch = &set->patches[k];
        for (int32_t i = patch->first; i < patch->first + patch->count; i++) {
            const wide_contact *record = &set->wide_contacts[i];
            set->anchors[i].warm = impulse_of(patch, h, record->force, record->friction);
            set->anchors[i].sum = impulse_of(patch, dt, record->step_force, record->step_friction);
            set->anchors[i].mean = h * record->mean;
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
        for (int32_t i = patch->first; i < patch->first + patch->count; i++) {
            const solver_anchor *anchor = &set->anchors[i];
            wide_contact *record = &set->wide_contacts[i];
            record->force = per_substep * anchor->warm.normal;
            record->mean = per_substep * anchor->mean;
            record->friction = friction_of(patch, per_substep, anchor->warm);
            record->step_force = per_step * anchor->sum.normal;
            record->step_friction = friction_of(patch, per_step, anchor->sum);
        }
    }
}
