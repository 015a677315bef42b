/* Between the world's records and the solver's. The layout says where everything goes, so bodies and pairs are filled in over threads. */
#include "step/fixed/assembly.h"

#include "base/real.h"
#include "shape/shape.h"
#include "step/fixed/layout.h"
#include "step/fixed/margin.h"
#include "step/world/motion.h"

/* The radius by which a round shape, or round part of a compound, stands out from the anchor of a contact; 0 for the others. */
static double rounding(const abut_shape *shape, abut_feature feature) {
    if (shape->kind == ABUT_SHAPE_COMPOUND) {
        return feature.part >= 0 && feature.part < shape->part_count ? shape->parts[feature.part].shape->radius : 0.0;
    }
    return shape->radius;
}

/* A pair that is taken up, or whose forces are written back. */
typedef struct taking {
    abut_world *world;
    double dt;
} taking;

/* One patch: the contacts from `first` to before `end` of work.next, to the point `at`. */
static void take_patch(abut_world *world, const step_island *island, const solver_pair *pair, int32_t patch_index, int32_t at, int32_t first,
                       int32_t end, double h) {
    step_work *work = &world->work;
    const solver_contacts *set = &work->sets[island - work->islands];
    const body *a = &world->bodies[work->slots[island->body + pair->a]], *b = &world->bodies[work->slots[island->body + pair->b]];
    const abut_vec3 centre[2] = {a->centre, b->centre};
    solver_patch *patch = &set->patches[patch_index];
    *patch = (solver_patch){.first = at, .count = end - first};
    for (int32_t i = first; i < end; i++) {
        const abut_contact *contact = &work->next.contacts[i].contact;
        const double radius[2] = {rounding(a->shape, contact->feature_a), rounding(b->shape, contact->feature_b)};
        set->anchors[at + i - first] = solver_begin_point(set, pair, centre, radius, contact);
        work->sources[island->point + at + i - first] = i;
    }
    solver_begin_patch(set, patch, work->next.contacts[first].contact.normal);
    for (int32_t i = 0; i < patch->count; i++) {
        const contact_memory *memory = &work->next.memory[first + i];
        double x = abut_dot(memory->friction, patch->tangent[0]), y = abut_dot(memory->friction, patch->tangent[1]);
        set->anchors[at + i].warm = (solver_impulse){h * memory->force, h * x, h * y};
    }
}

static void take_pair(abut_world *world, const step_pair *from, double h) {
    step_work *work = &world->work;
    const step_island *island = &work->islands[from->island];
    const broad_pair *found = &world->broad.found[from->found];
    const body *a = &world->bodies[found->a], *b = &world->bodies[found->b];
    solver_pair *pair = &work->sets[from->island].pairs[from->pair];
    *pair = (solver_pair){.a = from->a,
                          .b = from->b,
                          .first = from->patch,
                          .friction = sqrt(a->friction) * sqrt(b->friction),
                          .restitution = real_most(a->restitution, b->restitution),
                          .touch = margin_touch * margin_smaller_size(a, b),
                          .offset = abut_sub(a->centre, b->centre)};
    int32_t last = found->contact_first + found->contact_count;
    for (int32_t first = found->contact_first, end; first < last; first = end) {
        for (end = first + 1; end < last && work->next.contacts[end].contact.patch == work->next.contacts[first].contact.patch;) {
            end++;
        }
        take_patch(world, island, pair, from->patch + pair->count++, from->point + first - found->contact_first, first, end, h);
    }
}

static void take_bodies(void *argument, int32_t begin, int32_t end) {
    abut_world *world = ((const taking *)argument)->world;
    for (int32_t i = begin; i < end; i++) {
        motion_begin(&world->bodies[world->work.slots[i]], &world->work.states[i]);
    }
}

static void take_pairs(void *argument, int32_t begin, int32_t end) {
    const taking *take = argument;
    for (int32_t p = begin; p < end; p++) {
        take_pair(take->world, &take->world->work.pairs[p], take->dt / take->world->def.fixed.substeps);
    }
}

static void take_spring(abut_world *world, const spring *spring, solver_spring *taken) {
    const step_work *work = &world->work;
    const body *body = &world->bodies[spring->body];
    int32_t place = work->place_of[spring->body];
    const solver_body *state = &work->states[work->islands[work->island_of[spring->body]].body + place];
    double stiffness = spring_stiffness(world, spring);
    abut_vec3 arm = abut_quat_rotate(body->pose.rotation, abut_sub(spring->anchor, body->local_centre));
    *taken = (solver_spring){.body = place, .stiffness = stiffness, .max_force = spring->max_force};
    taken->damping = 2.0 * spring->damping_ratio * sqrt(stiffness * body->mass);
    taken->local = abut_mat3_apply_transposed(state->axes, arm);
    taken->from = abut_mat3_apply(state->axes, taken->local);
    taken->start = abut_add(abut_sub(body->centre, spring->target), arm);
}

abut_status assembly_build(abut_world *world, double dt) {
    step_work *work = &world->work;
    if (!layout_make(world)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    taking take = {world, dt};
    abut_parallel_for(&world->def.parallel, work->contacts.body_count, 256, take_bodies, &take);
    abut_parallel_for(&world->def.parallel, work->pair_count, 256, take_pairs, &take);
    for (int32_t i = 0; i < work->spring_count; i++) {
        take_spring(world, &world->springs[work->spring_sources[i]], &work->springs[i]);
    }
    return plan_make(&work->plan, work->sets, work->island_count) ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
}

static abut_vec3 friction_of(const solver_patch *patch, solver_impulse impulse) {
    return abut_add(abut_scale(impulse.x, patch->tangent[0]), abut_scale(impulse.y, patch->tangent[1]));
}

static void write_pair(abut_world *world, const step_pair *from, double dt) {
    const step_island *island = &world->work.islands[from->island];
    const solver_contacts *set = &world->work.sets[from->island];
    const solver_pair *pair = &set->pairs[from->pair];
    contact_store *next = &world->work.next;
    double per_step = 1.0 / dt, per_substep = world->def.fixed.substeps / dt;
    for (int32_t k = pair->first; k < pair->first + pair->count; k++) {
        const solver_patch *patch = &set->patches[k];
        for (int32_t i = patch->first; i < patch->first + patch->count; i++) {
            const solver_anchor *anchor = &set->anchors[i];
            int32_t source = world->work.sources[island->point + i];
            next->contacts[source].normal_force = per_step * anchor->sum.normal;
            next->contacts[source].friction_force = abut_scale(per_step, friction_of(patch, anchor->sum));
            next->memory[source].force = per_substep * anchor->warm.normal;
            next->memory[source].friction = abut_scale(per_substep, friction_of(patch, anchor->warm));
        }
    }
}

static void write_pairs(void *argument, int32_t begin, int32_t end) {
    const taking *take = argument;
    for (int32_t p = begin; p < end; p++) {
        write_pair(take->world, &take->world->work.pairs[p], take->dt);
    }
}

void assembly_write_forces(abut_world *world, double dt) {
    taking take = {world, dt};
    abut_parallel_for(&world->def.parallel, world->work.pair_count, 256, write_pairs, &take);
}
