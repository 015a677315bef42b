/* The layout gives every record a place of its own, so threads can fill in bodies and pairs independently. */
#include "step/fixed/assembly.h"

#include "solve/contact/roll.h"
#include "step/fixed/contact_places.h"
#include "step/fixed/continuous/impact.h"
#include "step/fixed/meeting.h"
#include "step/fixed/quick_records.h"
#include "step/world/joints.h"
#include "step/world/motion.h"

static solver_placement placement_of(const body *body, abut_pose pose) {
    abut_vec3 centre = abut_pose_apply(pose, body->local_centre);
    abut_quat rotation = abut_quat_unit(abut_quat_mul(pose.rotation, body->principal));
    return (solver_placement){centre, abut_sub(centre, body->centre), abut_mat3_from_quat(rotation)};
}

/* Where the bodies of a pair are when its contacts are made. */
static void find_placements(const abut_world *world, const broad_pair *found, double dt, abut_pose poses[2], solver_placement place[2]) {
    const body *a = &world->bodies[found->a], *b = &world->bodies[found->b];
    impact_poses(world, a, b, dt, found->met, poses);
    if (found->met > 0.0) {
        place[0] = placement_of(a, poses[0]);
        place[1] = placement_of(b, poses[1]);
    } else {
        place[0] = (solver_placement){.centre = a->centre, .axes = abut_mat3_from_quat(a->frame)};
        place[1] = (solver_placement){.centre = b->centre, .axes = abut_mat3_from_quat(b->frame)};
    }
}

int32_t assembly_substeps(const island_layout *layout, const abut_world *world, int32_t island) {
    return layout->quick[island] ? world->def.fixed.effort : world->def.fixed.substeps;
}

typedef struct filling {
    island_layout *layout;
    const abut_world *world;
    const bool *left_out; /* by island; NULL for none */
    double dt;
} filling;

/* A pair that is filled. */
typedef struct pair_filling {
    const abut_world *world;
    const solver_contacts *set;
    const solver_pair *pair;
    meeting bodies;
    solver_placement place[2];
    double substep; /* its length */
} pair_filling;

/* Fill a patch whose first point is `at` from the contacts first to end - 1 of the world's `next`. */
static void fill_patch(const pair_filling *of, int32_t index, int32_t at, int32_t first, int32_t end) {
    const abut_world *world = of->world;
    const solver_contacts *set = of->set;
    solver_patch *patch = &set->patches[index];
    const abut_surface surface = meeting_surface(world, &of->bodies, &world->next.contacts[first]);
    *patch = (solver_patch){.first = at,
                            .count = end - first,
                            .friction = surface.friction,
                            .restitution = surface.restitution,
                            .parted = !of->bodies.plain,
                            .rolls = surface.rolling_friction > 0.0 || surface.spinning_friction > 0.0};
    if (patch->rolls) {
        set->rolls[index] = (solver_roll){.rolling = surface.rolling_friction, .spinning = surface.spinning_friction};
    }
    for (int32_t i = first; i < end; i++) {
        const abut_contact *contact = &world->next.contacts[i].contact;
        double radius[2];
        meeting_rounding(&of->bodies, contact, radius);
        set->anchors[at + i - first] = solver_begin_point_at(of->pair, of->place, radius, contact);
    }
    solver_begin_patch(set, patch, world->next.contacts[first].contact.normal);
    for (int32_t i = 0; i < patch->count; i++) {
        const contact_memory *memory = &world->next.memory[first + i];
        double h = of->substep, x = abut_dot(memory->friction, patch->tangent[0]), y = abut_dot(memory->friction, patch->tangent[1]);
        bool holds = of->bodies.plain || surface.friction > 0.0; /* the passes leave patches without friction alone */
        set->anchors[at + i].warm = (solver_impulse){h * memory->force, holds ? h * x : 0.0, holds ? h * y : 0.0};
        set->anchors[at + i].mean = h * memory->mean;
    }
}

static void fill_pair(const island_layout *layout, const abut_world *world, const layout_pair *from, double dt) {
    const broad_pair *found = &world->broad.found[from->found];
    const solver_contacts *set = &layout->sets[from->island];
    solver_pair *pair = &set->pairs[from->pair];
    *pair = meeting_begin_pair(world, from);
    pair_filling of = {.world = world,
                       .set = set,
                       .pair = pair,
                       .bodies = meeting_of(world, &world->bodies[found->a], &world->bodies[found->b]),
                       .substep = dt / assembly_substeps(layout, world, from->island)};
    abut_pose poses[2];
    find_placements(world, found, dt, poses, of.place);
    of.bodies.pose[0] = &poses[0];
    of.bodies.pose[1] = &poses[1];
    int32_t last = found->contact_first + found->contact_count;
    for (int32_t first = found->contact_first, end; first < last; first = end) {
        end = meeting_patch_end(world, first, last);
        fill_patch(&of, from->patch + pair->count++, from->point + first - found->contact_first, first, end);
    }
}

static void fill_bodies(void *argument, int32_t begin, int32_t end) {
    const filling *fill = argument;
    for (int32_t i = begin; i < end; i++) {
        motion_begin(&fill->world->bodies[fill->layout->slots[i]], &fill->layout->states[i]);
    }
}

static void fill_pairs(void *argument, int32_t begin, int32_t end) {
    const filling *fill = argument;
    for (int32_t p = begin; p < end; p++) {
        const layout_pair *pair = &fill->layout->pairs[p];
        if (fill->left_out == NULL && fill->layout->quick[pair->island]) {
            quick_records_fill(fill->layout, fill->world, pair);
        } else if (fill->left_out == NULL || !fill->left_out[pair->island]) {
            fill_pair(fill->layout, fill->world, pair, fill->dt);
        }
    }
}

static void fill_spring(const island_layout *layout, const abut_world *world, const spring *spring, solver_spring *filled) {
    const body *body = &world->bodies[spring->body];
    int32_t place = layout->place_of[spring->body];
    const solver_body *state = &layout->states[layout->islands[layout->island_of[spring->body]].body + place];
    double stiffness = spring_stiffness(spring->frequency, body->mass);
    abut_vec3 arm = abut_quat_rotate(body->pose.rotation, abut_sub(spring->anchor, body->local_centre));
    *filled = (solver_spring){.body = place, .stiffness = stiffness, .max_force = spring->max_force};
    filled->damping = 2.0 * spring->damping_ratio * sqrt(stiffness * body->mass);
    filled->local = abut_mat3_apply_transposed(state->axes, arm);
    filled->from = abut_mat3_apply(state->axes, filled->local);
    filled->start = abut_add(abut_sub(body->centre, spring->target), arm);
}

/* Rows are those of joint_begin(); their warm impulses come from the last substep. */
static void fill_joint(const island_layout *layout, const abut_world *world, const layout_joint *from, double dt) {
    const solver_contacts *set = &layout->sets[from->island];
    const world_joint *joint = &world->joints[from->source];
    double h = dt / world->def.fixed.substeps;
    solver_joint *filled = &set->joints[from->place];
    *filled = joint_begin(world, joint, &set->bodies[from->a], &set->bodies[from->b]);
    filled->a = from->a;
    filled->b = from->b;
    for (int i = 0; i < JOINT_ROWS; i++) {
        filled->rows[i].warm = h * joint->warm[i];
    }
}

void assembly_fill(island_layout *layout, const abut_world *world, double dt) {
    filling fill = {layout, world, NULL, dt};
    abut_parallel_for(&world->def.parallel, layout->contacts.body_count, 256, fill_bodies, &fill);
    abut_parallel_for(&world->def.parallel, layout->pair_count, 256, fill_pairs, &fill);
    for (int32_t i = 0; i < layout->spring_count; i++) {
        fill_spring(layout, world, &world->springs[layout->spring_sources[i]], &layout->springs[i]);
    }
    for (int32_t i = 0; i < layout->contacts.joint_count; i++) {
        fill_joint(layout, world, &layout->joints[i], dt);
    }
}

void assembly_fill_anchors(island_layout *layout, const abut_world *world, const bool *left_out, double dt) {
    filling fill = {layout, world, left_out, dt};
    abut_parallel_for(&world->def.parallel, layout->pair_count, 256, fill_pairs, &fill);
}

/* The quick solver has left its forces in the memory of the contacts. */
static void recall_pairs(void *argument, int32_t begin, int32_t end) {
    const filling *fill = argument;
    for (int32_t p = begin; p < end; p++) {
        if (!fill->left_out[fill->layout->pairs[p].island]) {
            contact_places_recall(fill->world, fill->layout->pairs[p].found);
        }
    }
}

void assembly_fill_again(island_layout *layout, const abut_world *world, const bool *left_out, double dt) {
    filling fill = {layout, world, left_out, dt};
    for (int32_t i = 0; i < layout->island_count; i++) {
        if (!left_out[i]) {
            fill_bodies(&fill, layout->islands[i].body, layout->islands[i].body + layout->islands[i].body_count);
        }
    }
    abut_parallel_for(&world->def.parallel, layout->pair_count, 256, recall_pairs, &fill);
    assembly_fill_anchors(layout, world, left_out, dt);
}

static abut_vec3 friction_of(const solver_patch *patch, solver_impulse impulse) {
    return abut_add(abut_scale(impulse.x, patch->tangent[0]), abut_scale(impulse.y, patch->tangent[1]));
}

static void write_pair(const island_layout *layout, abut_world *world, const layout_pair *from, double dt) {
    const solver_contacts *set = &layout->sets[from->island];
    const solver_pair *pair = &set->pairs[from->pair];
    contact_store *next = &world->next;
    double per_step = 1.0 / dt, per_substep = world->def.fixed.substeps / dt;
    int32_t source = world->broad.found[from->found].contact_first - from->point; /* of the point 0 */
    for (int32_t k = pair->first; k < pair->first + pair->count; k++) {
        const solver_patch *patch = &set->patches[k];
        for (int32_t i = patch->first; i < patch->first + patch->count; i++) {
            const solver_anchor *anchor = &set->anchors[i];
            abut_world_contact *contact = &next->contacts[source + i];
            contact_memory *memory = &next->memory[source + i];
            contact->normal_force = per_step * anchor->sum.normal;
            contact->friction_force = abut_scale(per_step, friction_of(patch, anchor->sum));
            memory->force = per_substep * anchor->warm.normal;
            memory->mean = per_substep * anchor->mean;
            memory->friction = abut_scale(per_substep, friction_of(patch, anchor->warm));
        }
    }
}

/* A joint that carries more than it may breaks. */
static void write_joint(const island_layout *layout, abut_world *world, const layout_joint *from, double dt) {
    const solver_joint *solved = &layout->sets[from->island].joints[from->place];
    world_joint *joint = &world->joints[from->source];
    double per_step = 1.0 / dt, per_substep = world->def.fixed.substeps / dt;
    joint->force = abut_scale(per_step, solved->force);
    joint->torque = abut_scale(per_step, solved->torque);
    joint->turned[0] = solved->turned[0];
    joint->turned[1] = solved->turned[1];
    for (int i = 0; i < 3; i++) {
        joint->loads[i] = solved->loads[i];
    }
    for (int i = 0; i < JOINT_ROWS; i++) {
        joint->warm[i] = i < solved->row_count ? per_substep * solved->rows[i].warm : 0.0;
    }
    joint->broken = abut_length(joint->force) > joint->def.break_force || abut_length(joint->torque) > joint->def.break_torque;
}

typedef struct writing {
    const island_layout *layout;
    abut_world *world;
    double dt;
} writing;

static void write_pairs(void *argument, int32_t begin, int32_t end) {
    const writing *write = argument;
    for (int32_t p = begin; p < end; p++) {
        const layout_pair *pair = &write->layout->pairs[p];
        if (!write->layout->quick[pair->island]) { /* the quick solver has written where the forces belong */
            write_pair(write->layout, write->world, pair, write->dt);
        }
    }
}

static void clear_idle(void *argument, int32_t begin, int32_t end) {
    const writing *write = argument;
    contact_store *next = &write->world->next;
    for (int32_t i = begin; i < end; i++) {
        const broad_pair *pair = &write->world->broad.found[write->layout->idle[i]];
        for (int32_t k = pair->contact_first; k < pair->contact_first + pair->contact_count; k++) {
            next->memory[k].force = next->memory[k].mean = 0.0;
            next->memory[k].friction = abut_vec3_make(0.0, 0.0, 0.0);
        }
    }
}

void assembly_write_forces(const island_layout *layout, abut_world *world, double dt) {
    writing write = {layout, world, dt};
    abut_parallel_for(&world->def.parallel, layout->pair_count, 256, write_pairs, &write);
    abut_parallel_for(&world->def.parallel, layout->idle_count, 256, clear_idle, &write);
    for (int32_t i = 0; i < layout->contacts.joint_count; i++) {
        write_joint(layout, world, &layout->joints[i], dt);
    }
}
