/* Between the world's records and the solver's. */
#include "step/assembly.h"

#include "shape/shape.h"
#include "step/margin.h"
#include "step/motion.h"
#include "base/array.h"

static bool reserve(abut_world *world) {
    step_work *work = &world->work;
    int32_t contacts = work->next.count;
    int32_t *moving = array_room(work->moving, &work->moving_capacity, world->body_used, sizeof *moving);
    work->moving = moving != NULL ? moving : work->moving;
    solver_body *states = array_room(work->states, &work->state_capacity, world->body_used, sizeof *states);
    work->states = states != NULL ? states : work->states;
    solver_pair *pairs = array_room(work->contacts.pairs, &work->pair_capacity, world->broad.found_count, sizeof *pairs);
    work->contacts.pairs = pairs != NULL ? pairs : work->contacts.pairs;
    solver_patch *patches = array_room(work->contacts.patches, &work->patch_capacity, contacts, sizeof *patches);
    work->contacts.patches = patches != NULL ? patches : work->contacts.patches;
    solver_point *points = array_room(work->contacts.points, &work->point_capacity, contacts, sizeof *points);
    work->contacts.points = points != NULL ? points : work->contacts.points;
    int32_t *sources = array_room(work->sources, &work->source_capacity, contacts, sizeof *sources);
    work->sources = sources != NULL ? sources : work->sources;
    solver_spring *springs = array_room(work->springs, &work->spring_capacity, world->spring_used, sizeof *springs);
    work->springs = springs != NULL ? springs : work->springs;
    return moving != NULL && states != NULL && pairs != NULL && patches != NULL && points != NULL && sources != NULL && springs != NULL;
}

static void take_bodies(abut_world *world) {
    step_work *work = &world->work;
    work->moving_count = 0;
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        const body *body = &world->bodies[slot];
        if (!body->used) {
            continue;
        }
        motion_begin(body, &work->states[slot]);
        bool moves = body->kind == ABUT_BODY_KINEMATIC || (body->kind == ABUT_BODY_DYNAMIC && work->bodies[slot].active);
        if (moves) {
            work->moving[work->moving_count++] = slot;
        }
    }
}

/* The radius by which a round shape, or round part of a compound, stands out from the anchor of a contact; 0 for the others. */
static double rounding(const abut_shape *shape, abut_feature feature) {
    if (shape->kind == ABUT_SHAPE_COMPOUND) {
        return feature.part >= 0 && feature.part < shape->part_count ? shape->parts[feature.part].shape->radius : 0.0;
    }
    return shape->radius;
}

/* One patch: the contacts from `first` to before `end` of work.next. */
static void take_patch(abut_world *world, const solver_pair *pair, int32_t first, int32_t end, double h) {
    step_work *work = &world->work;
    solver_contacts *set = &work->contacts;
    const body *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    const abut_vec3 centre[2] = {a->centre, b->centre};
    solver_patch *patch = &set->patches[set->patch_count++];
    *patch = (solver_patch){.first = set->point_count, .count = end - first};
    for (int32_t i = first; i < end; i++) {
        const abut_contact *contact = &work->next.contacts[i].contact;
        const double radius[2] = {rounding(a->shape, contact->feature_a), rounding(b->shape, contact->feature_b)};
        set->points[set->point_count] = solver_begin_point(set, pair, centre, radius, contact);
        work->sources[set->point_count++] = i;
    }
    solver_begin_patch(set, patch, work->next.contacts[first].contact.normal);
    for (int32_t i = 0; i < patch->count; i++) {
        const contact_memory *memory = &work->next.memory[first + i];
        double x = abut_dot(memory->friction, patch->tangent[0]), y = abut_dot(memory->friction, patch->tangent[1]);
        set->points[patch->first + i].warm = (solver_impulse){h * memory->force, h * x, h * y};
    }
}

static void take_pair(abut_world *world, const broad_pair *found, double h) {
    step_work *work = &world->work;
    solver_contacts *set = &work->contacts;
    const body *a = &world->bodies[found->a], *b = &world->bodies[found->b];
    solver_pair *pair = &set->pairs[set->pair_count++];
    *pair = (solver_pair){.a = found->a,
                          .b = found->b,
                          .first = set->patch_count,
                          .friction = sqrt(a->friction) * sqrt(b->friction),
                          .restitution = fmax(a->restitution, b->restitution),
                          .touch = margin_touch * margin_smaller_size(a, b),
                          .offset = abut_sub(a->centre, b->centre)};
    int32_t last = found->contact_first + found->contact_count;
    for (int32_t first = found->contact_first, end; first < last; first = end) {
        for (end = first + 1; end < last && work->next.contacts[end].contact.patch == work->next.contacts[first].contact.patch;) {
            end++;
        }
        take_patch(world, pair, first, end, h);
    }
    pair->count = set->patch_count - pair->first;
}

static bool is_solved(const abut_world *world, const broad_pair *pair) {
    const step_body *bodies = world->work.bodies;
    bool a = world->bodies[pair->a].kind == ABUT_BODY_DYNAMIC && bodies[pair->a].active;
    bool b = world->bodies[pair->b].kind == ABUT_BODY_DYNAMIC && bodies[pair->b].active;
    return pair->contact_count > 0 && (a || b);
}

static void take_springs(abut_world *world) {
    step_work *work = &world->work;
    work->spring_count = 0;
    for (int32_t i = 0; i < world->spring_used; i++) {
        const spring *spring = &world->springs[i];
        if (!spring->used || !work->bodies[spring->body].active) {
            continue;
        }
        const body *body = &world->bodies[spring->body];
        double stiffness = spring_stiffness(world, spring);
        abut_vec3 arm = abut_rotate(body->pose.rotation, abut_sub(spring->anchor, body->local_centre));
        solver_spring *taken = &work->springs[work->spring_count++];
        *taken = (solver_spring){.body = spring->body, .stiffness = stiffness, .max_force = spring->max_force};
        taken->damping = 2.0 * spring->damping_ratio * sqrt(stiffness * body->mass);
        taken->local = abut_mul_transposed(work->states[spring->body].axes, arm);
        taken->from = abut_mul(work->states[spring->body].axes, taken->local);
        taken->start = abut_add(abut_sub(body->centre, spring->target), arm);
    }
}

abut_status assembly_build(abut_world *world, double dt) {
    if (!reserve(world)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    solver_contacts *set = &world->work.contacts;
    set->bodies = world->work.states;
    set->pair_count = 0;
    set->patch_count = 0;
    set->point_count = 0;
    take_bodies(world);
    for (int32_t p = 0; p < world->broad.found_count; p++) {
        if (is_solved(world, &world->broad.found[p])) {
            take_pair(world, &world->broad.found[p], dt / world->def.fixed.substeps);
        }
    }
    take_springs(world);
    return plan_make(&world->work.plan, set, world->body_used) ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
}

static abut_vec3 friction_of(const solver_patch *patch, solver_impulse impulse) {
    return abut_add(abut_scale(impulse.x, patch->tangent[0]), abut_scale(impulse.y, patch->tangent[1]));
}

void assembly_write_forces(abut_world *world, double dt) {
    const solver_contacts *set = &world->work.contacts;
    contact_store *next = &world->work.next;
    double per_step = 1.0 / dt, per_substep = world->def.fixed.substeps / dt;
    for (int32_t k = 0; k < set->patch_count; k++) {
        const solver_patch *patch = &set->patches[k];
        for (int32_t i = patch->first; i < patch->first + patch->count; i++) {
            const solver_point *point = &set->points[i];
            int32_t source = world->work.sources[i];
            next->contacts[source].normal_force = per_step * point->sum.normal;
            next->contacts[source].friction_force = abut_scale(per_step, friction_of(patch, point->sum));
            next->memory[source].force = per_substep * point->warm.normal;
            next->memory[source].friction = abut_scale(per_substep, friction_of(patch, point->warm));
        }
    }
}
