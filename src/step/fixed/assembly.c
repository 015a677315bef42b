/* The layout gives every record a place of its own, so threads can fill in bodies and pairs independently. */
#include "step/fixed/assembly.h"

#include "base/real.h"
#include "shape/smooth.h"
#include "solve/contact/roll.h"
#include "solve/wide/begin.h"
#include "step/fixed/continuous/impact.h"
#include "step/fixed/margin.h"
#include "step/world/joints.h"
#include "step/world/motion.h"
#include "step/world/meet/surfaces.h"

/*
 * A cylinder or a cone that rolls on its side or its rim turns about its axis. So the anchor is on the axis, where the contact's normal meets it: this point
 * stays where it is. 0 where the normal is so nearly parallel to the axis that it meets it far away; rolling then hardly lowers a point of the rim.
 */
static double rounding_of_frustum(abut_pose pose, abut_feature feature, abut_vec3 point, abut_vec3 outward) {
    const double least_sine = 0.2; /* of the angle between normal and axis */
    if (feature.kind != ABUT_FEATURE_SMOOTH && feature.kind != ABUT_FEATURE_EDGE) {
        return 0.0;
    }
    abut_vec3 axis = abut_quat_rotate(pose.rotation, abut_vec3_make(0.0, 0.0, 1.0)), from = abut_sub(point, pose.position);
    abut_vec3 across = abut_add_scaled(from, -abut_dot(from, axis), axis);
    double rho = abut_length(across), sine = abut_dot(outward, across);
    return sine > least_sine * rho ? rho * rho / sine : 0.0;
}

/*
 * On a smooth surface that rolls, the anchor is the centre of curvature along the way in which its normal turns: it stays at its height. spin: angular velocity
 * relative to the other body. Radii larger than the shape are of no use: the turns that they are good for are too small.
 */
static double rounding_of_smooth(const abut_shape *shape, abut_pose pose, abut_vec3 outward, abut_vec3 spin) {
    abut_vec3 way = abut_cross(outward, spin);
    if (!(abut_length_squared(way) > 0.0)) {
        return 0.0;
    }
    abut_vec3 n = abut_quat_rotate_inverse(pose.rotation, outward), u = abut_unit(abut_quat_rotate_inverse(pose.rotation, way));
    smooth_place place;
    smooth_place_find(shape, n, u, abut_cross(n, u), &place);
    return place.r11 >= 0.0 ? real_min(place.r11, shape->size) : 0.0;
}

/* Distance from the anchor of a contact to the surface: the radius of a round shape, or of a round part of a compound; 0 for other shapes. */
static double rounding(const abut_shape *shape, abut_pose pose, abut_feature feature, abut_vec3 point, abut_vec3 outward, abut_vec3 spin) {
    if (shape->kind == ABUT_SHAPE_COMPOUND) {
        if (feature.part < 0 || feature.part >= shape->part_count) {
            return 0.0;
        }
        const abut_part *part = &shape->parts[feature.part];
        shape = part->shape;
        pose = shape_is_frustum(shape) || smooth_is(shape) ? abut_pose_compose(pose, part->pose) : pose;
    }
    return shape_is_frustum(shape) ? rounding_of_frustum(pose, feature, point, outward)
           : smooth_is(shape)      ? rounding_of_smooth(shape, pose, outward, spin)
                                   : shape->radius;
}

/* Two bodies where their contacts are made. */
typedef struct meeting {
    const abut_shape *shape[2];
    bool plain; /* all contacts have the surface */
    abut_surface surface;
    bool simple[2]; /* the anchors of all contacts are as far from the surface */
    const abut_pose *pose[2];
    abut_vec3 spin;                /* angular velocity of the first relative to the second */
    const solver_placement *place; /* [2]; NULL for the quick solver, for which bodies are at their begin */
    abut_vec3 centre;              /* of the first at its begin */
} meeting;

static bool is_simple(const abut_shape *shape) {
    return shape->kind != ABUT_SHAPE_COMPOUND && !shape_is_frustum(shape) && !smooth_is(shape);
}

/* The distances of the anchors of a contact from both surfaces. */
static void rounding_of(const meeting *of, const abut_contact *contact, double radius[2]) {
    const abut_feature features[2] = {contact->feature_a, contact->feature_b};
    const abut_vec3 points[2] = {contact->on_a, contact->on_b}, outward[2] = {abut_neg(contact->normal), contact->normal},
                    spin[2] = {of->spin, abut_neg(of->spin)};
    for (int k = 0; k < 2; k++) {
        radius[k] =
            of->simple[k] ? of->shape[k]->radius : rounding(of->shape[k], *of->pose[k], features[k], points[k], outward[k], spin[k]);
    }
}

static solver_placement placement_of(const body *body, abut_pose pose) {
    abut_vec3 centre = abut_pose_apply(pose, body->local_centre);
    abut_quat rotation = abut_quat_unit(abut_quat_mul(pose.rotation, body->principal));
    return (solver_placement){centre, abut_sub(centre, body->centre), abut_mat3_from_quat(rotation)};
}

static meeting meeting_of(const abut_world *world, const body *a, const body *b) {
    return (meeting){.shape = {a->shape, b->shape},
                     .plain = surfaces_are_plain(world, a, b),
                     .surface = surfaces_of_bodies(world, a, b),
                     .simple = {is_simple(a->shape), is_simple(b->shape)},
                     .pose = {&a->pose, &b->pose},
                     .spin = abut_sub(a->angular_velocity, b->angular_velocity),
                     .centre = a->centre};
}

/* Where the bodies of a pair are when its contacts are made. */
static void find_placements(const abut_world *world, const solver_contacts *set, const solver_pair *pair, const broad_pair *found,
                            double dt, abut_pose poses[2], solver_placement place[2]) {
    const body *a = &world->bodies[found->a], *b = &world->bodies[found->b];
    impact_poses(world, a, b, dt, found->met, poses);
    if (found->met > 0.0) {
        place[0] = placement_of(a, poses[0]);
        place[1] = placement_of(b, poses[1]);
    } else {
        place[0] = (solver_placement){.centre = a->centre, .axes = set->bodies[pair->a].axes};
        place[1] = (solver_placement){.centre = b->centre, .axes = set->bodies[pair->b].axes};
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

/* All contacts of a patch have this one. */
static abut_surface surface_at(const abut_world *world, const meeting *bodies, const abut_world_contact *contact) {
    const surface_pair pair = {world, {(int32_t)contact->a.index - 1, (int32_t)contact->b.index - 1}, {*bodies->pose[0], *bodies->pose[1]}};
    return surfaces_at(&pair, &contact->contact);
}

/* Fill the patch whose first point is `at` from the contacts first to end - 1 of the world's `next`. h is the length of a substep. */
static void fill_patch(const island_layout *layout, const abut_world *world, const layout_island *island, const solver_pair *pair,
                       const meeting *bodies, int32_t patch_index, int32_t at, int32_t first, int32_t end, double h) {
    const solver_contacts *set = &layout->sets[island - layout->islands];
    bool quick = layout->quick[island - layout->islands];
    solver_patch *patch = &set->patches[patch_index];
    abut_surface surface = bodies->plain ? bodies->surface : surface_at(world, bodies, &world->next.contacts[first]);
    if (!quick) { /* the quick solver reads only what it has set; clearing all of it would take longer than that */
        *patch = (solver_patch){.first = 0};
    }
    patch->first = at;
    patch->count = end - first;
    patch->friction = surface.friction;
    patch->restitution = surface.restitution;
    patch->parted = !bodies->plain;
    patch->rolls = !quick && (surface.rolling_friction > 0.0 || surface.spinning_friction > 0.0);
    if (patch->rolls) {
        set->rolls[patch_index] = (solver_roll){.rolling = surface.rolling_friction, .spinning = surface.spinning_friction};
    }
    for (int32_t i = first; i < end; i++) {
        const abut_contact *contact = &world->next.contacts[i].contact;
        solver_anchor *anchor = &set->anchors[at + i - first];
        double radius[2];
        rounding_of(bodies, contact, radius);
        if (quick) {
            wide_begin_point(pair, bodies->centre, radius, contact, anchor);
        } else {
            *anchor = solver_begin_point_at(pair, bodies->place, radius, contact);
        }
        layout->sources[island->point + at + i - first] = i;
    }
    if (quick) {
        wide_begin_patch(set, patch, world->next.contacts[first].contact.normal);
    } else {
        solver_begin_patch(set, patch, world->next.contacts[first].contact.normal);
    }
    for (int32_t i = 0; i < patch->count; i++) {
        const contact_memory *memory = &world->next.memory[first + i];
        double x = abut_dot(memory->friction, patch->tangent[0]), y = abut_dot(memory->friction, patch->tangent[1]);
        bool holds = bodies->plain || surface.friction > 0.0; /* the passes leave patches without friction alone */
        set->anchors[at + i].warm = (solver_impulse){h * memory->force, holds ? h * x : 0.0, holds ? h * y : 0.0};
        set->anchors[at + i].mean = h * memory->mean;
    }
}

static void fill_pair(const island_layout *layout, const abut_world *world, const layout_pair *from, double dt) {
    double h = dt / assembly_substeps(layout, world, from->island);
    const layout_island *island = &layout->islands[from->island];
    const broad_pair *found = &world->broad.found[from->found];
    const body *a = &world->bodies[found->a], *b = &world->bodies[found->b];
    solver_pair *pair = &layout->sets[from->island].pairs[from->pair];
    *pair = (solver_pair){.a = from->a,
                          .b = from->b,
                          .first = from->patch,
                          .touch = margin_touch * margin_smaller_size(a, b),
                          .offset = abut_sub(a->centre, b->centre)};
    meeting bodies = meeting_of(world, a, b);
    abut_pose poses[2];
    solver_placement place[2];
    if (!layout->quick[from->island]) {
        find_placements(world, &layout->sets[from->island], pair, found, dt, poses, place);
        bodies.pose[0] = &poses[0];
        bodies.pose[1] = &poses[1];
        bodies.place = place;
    }
    int32_t last = found->contact_first + found->contact_count;
    for (int32_t first = found->contact_first, end; first < last; first = end) {
        for (end = first + 1; end < last && world->next.contacts[end].contact.patch == world->next.contacts[first].contact.patch;) {
            end++;
        }
        fill_patch(layout, world, island, pair, &bodies, from->patch + pair->count++, from->point + first - found->contact_first, first,
                   end, h);
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
        if (fill->left_out == NULL || !fill->left_out[pair->island]) {
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

void assembly_fill_again(island_layout *layout, const abut_world *world, const bool *left_out, double dt) {
    filling fill = {layout, world, left_out, dt};
    for (int32_t i = 0; i < layout->island_count; i++) {
        if (!left_out[i]) {
            fill_bodies(&fill, layout->islands[i].body, layout->islands[i].body + layout->islands[i].body_count);
        }
    }
    abut_parallel_for(&world->def.parallel, layout->pair_count, 256, fill_pairs, &fill);
}

static abut_vec3 friction_of(const solver_patch *patch, solver_impulse impulse) {
    return abut_add(abut_scale(impulse.x, patch->tangent[0]), abut_scale(impulse.y, patch->tangent[1]));
}

static void write_pair(const island_layout *layout, abut_world *world, const layout_pair *from, double dt) {
    const layout_island *island = &layout->islands[from->island];
    const solver_contacts *set = &layout->sets[from->island];
    const solver_pair *pair = &set->pairs[from->pair];
    contact_store *next = &world->next;
    double per_step = 1.0 / dt, per_substep = assembly_substeps(layout, world, from->island) / dt;
    for (int32_t k = pair->first; k < pair->first + pair->count; k++) {
        const solver_patch *patch = &set->patches[k];
        for (int32_t i = patch->first; i < patch->first + patch->count; i++) {
            const solver_anchor *anchor = &set->anchors[i];
            int32_t source = layout->sources[island->point + i];
            next->contacts[source].normal_force = per_step * anchor->sum.normal;
            next->contacts[source].friction_force = abut_scale(per_step, friction_of(patch, anchor->sum));
            next->memory[source].force = per_substep * anchor->warm.normal;
            next->memory[source].mean = per_substep * anchor->mean;
            next->memory[source].friction = abut_scale(per_substep, friction_of(patch, anchor->warm));
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
        write_pair(write->layout, write->world, &write->layout->pairs[p], write->dt);
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
