#include "solve/contact/roll_part.h"

#include "solve/contact/equation.h"
#include "solve/contact/patch.h"
#include "solve/contact/roll.h"

/* A walk over the records of an island. */
typedef struct walk {
    const solver_pair *pair;
    const solver_patch *patch;
    solver_roll *roll;
    int32_t index; /* of the pair */
    int32_t next;  /* patch */
} walk;

static bool step_on(walk *w, const solver_contacts *set) {
    for (; set->rolls != NULL && w->index < set->pair_count; w->index++) {
        w->pair = &set->pairs[w->index];
        w->next = w->next < w->pair->first ? w->pair->first : w->next;
        while (w->next < w->pair->first + w->pair->count) {
            w->patch = &set->patches[w->next];
            w->roll = &set->rolls[w->next++];
            if (w->patch->rolls) {
                return true;
            }
        }
    }
    return false;
}

static walk begin_walk(void) { return (walk){.index = 0}; }

static solver_body *body_a(const solver_contacts *set, const walk *w) { return &set->bodies[w->pair->a]; }
static solver_body *body_b(const solver_contacts *set, const walk *w) { return &set->bodies[w->pair->b]; }

static abut_vec3 spin_of(const solver_contacts *set, const walk *w) { return solver_patch_spin(body_a(set, w), body_b(set, w), w->patch); }

void roll_part_begin(const solver_contacts *set, bool friction) {
    const double below = 1.0 - 1e-9;
    for (walk w = begin_walk(); step_on(&w, set);) {
        double load = roll_load(w.patch, &set->points[w.patch->first]), rolls = w.roll->rolling * load, spins = w.roll->spinning * load;
        abut_vec3 l = w.roll->impulse;
        w.roll->holds_roll = friction && l.x * l.x + l.y * l.y < rolls * rolls * below;
        w.roll->holds_spin = friction && fabs(l.z) < spins * below;
        w.roll->before = l;
        w.roll->spin_before = spin_of(set, &w);
    }
}

/* The equations of a record. Returns their number. axes[i]: 0 and 1 for the tangents, 2 for the normal */
static int equations_of(const solver_contacts *set, const walk *w, double stiffness, equation out[3], int axes[3]) {
    const abut_vec3 directions[3] = {w->patch->tangent[0], w->patch->tangent[1], w->patch->normal};
    const double *m = w->roll->mobility, mobilities[3] = {m[0], m[3], m[5]};
    abut_vec3 spin = spin_of(set, w);
    const double spins[3] = {spin.x, spin.y, spin.z};
    int count = 0;
    for (int axis = 0; axis < 3; axis++) {
        if (axis < 2 ? w->roll->holds_roll : w->roll->holds_spin) {
            axes[count] = axis;
            out[count++] = (equation){equation_spin(1.0, directions[axis]), equation_spin(-1.0, directions[axis]),
                                      stiffness / mobilities[axis], -spins[axis]};
        }
    }
    return count;
}

void roll_part_assemble(solver_plan *plan, const plan_island *island, const solver_contacts *set, double stiffness) {
    for (walk w = begin_walk(); step_on(&w, set);) {
        equation equations[3];
        int axes[3], count = equations_of(set, &w, stiffness, equations, axes);
        for (int i = 0; i < count; i++) {
            equation_add(plan, &plan->pairs[island->pair + w.index], &equations[i]);
        }
    }
}

void roll_part_steps(const solver_plan *plan, const plan_island *island, const solver_contacts *set, double stiffness) {
    for (walk w = begin_walk(); step_on(&w, set);) {
        equation equations[3];
        double step[3] = {0.0, 0.0, 0.0};
        int axes[3], count = equations_of(set, &w, stiffness, equations, axes);
        for (int i = 0; i < count; i++) {
            step[axes[i]] = equation_step(plan, &plan->pairs[island->pair + w.index], &equations[i]);
        }
        w.roll->step = abut_vec3_make(step[0], step[1], step[2]);
    }
}

/* The load of a patch after the steps of its contacts. */
static double load_after(const solver_plan *plan, const plan_island *island, const solver_contacts *set, const solver_patch *patch) {
    double load = 0.0;
    for (int32_t i = patch->first; i < patch->first + patch->count; i++) {
        double normal = set->points[i].impulse.normal + plan->points[island->point + i].step.normal;
        load += normal > 0.0 ? normal : 0.0;
    }
    return load;
}

int32_t roll_part_let_go(const solver_plan *plan, const plan_island *island, const solver_contacts *set) {
    int32_t count = 0;
    for (walk w = begin_walk(); step_on(&w, set);) {
        double load = load_after(plan, island, set, w.patch), rolls = w.roll->rolling * load, spins = w.roll->spinning * load;
        abut_vec3 l = abut_add(w.roll->impulse, w.roll->step), wanted = w.roll->impulse;
        double rolling = sqrt(l.x * l.x + l.y * l.y);
        if (w.roll->holds_roll && rolling > rolls) {
            w.roll->holds_roll = false;
            wanted.x = l.x * (rolls / rolling);
            wanted.y = l.y * (rolls / rolling);
            count++;
        }
        if (w.roll->holds_spin && fabs(l.z) > spins) {
            w.roll->holds_spin = false;
            wanted.z = l.z > 0.0 ? spins : -spins;
            count++;
        }
        roll_apply(body_a(set, &w), body_b(set, &w), w.patch, w.roll, abut_sub(wanted, w.roll->impulse));
    }
    return count;
}

void roll_part_apply(const solver_contacts *set) {
    for (walk w = begin_walk(); step_on(&w, set);) {
        roll_apply(body_a(set, &w), body_b(set, &w), w.patch, w.roll, w.roll->step);
    }
}

void roll_part_take_back(const solver_contacts *set) {
    for (walk w = begin_walk(); step_on(&w, set);) {
        w.roll->impulse = w.roll->before;
    }
}

double roll_part_merit(const solver_contacts *set) {
    double gain = 0.0;
    for (walk w = begin_walk(); step_on(&w, set);) {
        abut_vec3 change = abut_sub(w.roll->impulse, w.roll->before), spins = abut_add(w.roll->spin_before, spin_of(set, &w));
        gain += 0.5 * abut_dot(change, spins);
    }
    return gain;
}
