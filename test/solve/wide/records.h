#pragma once

/* A heap's patches and contacts as records of the wide solver, and back. */

#include "solve/contact/heap.h"
#include "solve/wide/record.h"
#include "solve/wide/solver.h"

typedef struct heap_records {
    wide_patch patches[HEAP_PAIRS];
    wide_contact contacts[HEAP_POINTS];
    double forces[4 * HEAP_POINTS];
} heap_records;

static inline abut_vec3 records_friction(const solver_patch *patch, double rate, solver_impulse impulse) {
    return abut_scale(rate, abut_add(abut_scale(impulse.x, patch->tangent[0]), abut_scale(impulse.y, patch->tangent[1])));
}

/* Sets the records, of forces that give the anchors' impulses in a substep. */
static inline void records_set(heap *h, heap_records *to, const wide_rule *rule) {
    double rate = rule->substeps / rule->step;
    h->set.wide_patches = to->patches;
    h->set.wide_contacts = to->contacts;
    h->set.wide_forces = to->forces;
    h->set.wide_stride = 4;
    for (int32_t k = 0; k < h->set.patch_count; k++) {
        const solver_patch *patch = &h->patches[k];
        to->patches[k] = (wide_patch){.first = patch->first, .count = patch->count, .normal = patch->normal, .friction = patch->friction};
        for (int32_t i = patch->first; i < patch->first + patch->count; i++) {
            const solver_anchor *anchor = &h->anchors[i];
            to->contacts[i] = (wide_contact){.gap = anchor->gap,
                                             .arm = anchor->arm,
                                             .force = rate * anchor->warm.normal,
                                             .mean = rate * anchor->mean,
                                             .friction = records_friction(patch, rate, anchor->warm)};
        }
    }
}

static inline solver_impulse records_impulse(const solver_patch *patch, double time, double force, abut_vec3 friction) {
    return (solver_impulse){time * force, time * abut_dot(friction, patch->tangent[0]), time * abut_dot(friction, patch->tangent[1])};
}

/* Sets the anchors' impulses after a solution. */
static inline void records_take(heap *h, const wide_rule *rule) {
    double substep = rule->step / rule->substeps;
    for (int32_t k = 0; k < h->set.patch_count; k++) {
        const solver_patch *patch = &h->patches[k];
        for (int32_t i = patch->first; i < patch->first + patch->count; i++) {
            const wide_contact *contact = &h->set.wide_contacts[i];
            const double *step = wide_step_force(&h->set, i);
            h->anchors[i].warm = records_impulse(patch, substep, contact->force, contact->friction);
            h->anchors[i].sum = records_impulse(patch, rule->step, step[0], wide_step_friction(step));
            h->anchors[i].mean = substep * contact->mean;
        }
    }
}
