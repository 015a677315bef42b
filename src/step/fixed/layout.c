/* First all records are counted island by island. Then the parts of the islands are placed one after the other. */
#include "step/fixed/layout.h"

#include <assert.h>
#include <stddef.h>

#include "base/array.h"
#include "base/memory.h"
#include "solve/contact/roll.h"
#include "solve/wide/record.h"

/* A batch of islands has at least this many bodies and points, so that a task is worth its start. */
enum { BATCH = 256 };

/* Before the islands are counted. */
static bool reserve_lists(island_layout *l, const abut_world *world) {
    int32_t slots = world->body_used;
    return array_reserve(&l->islands, &l->island_capacity, slots, sizeof *l->islands) &&
           array_reserve(&l->sets, &l->set_capacity, slots, sizeof *l->sets) &&
           array_reserve(&l->quick, &l->quick_capacity, slots, sizeof *l->quick) &&
           array_reserve(&l->pairs, &l->list_capacity, world->broad.found_count, sizeof *l->pairs) &&
           array_reserve(&l->joints, &l->joint_list_capacity, world->joint_used, sizeof *l->joints) &&
           array_reserve(&l->idle, &l->idle_capacity, world->broad.found_count, sizeof *l->idle) &&
           array_reserve(&l->island_of, &l->island_of_capacity, slots, sizeof *l->island_of) &&
           array_reserve(&l->place_of, &l->place_capacity, slots, sizeof *l->place_of) &&
           array_reserve(&l->batches, &l->batch_capacity, slots + 1, sizeof *l->batches);
}

/* After the islands are counted; `all` holds the sums over all islands. */
static bool reserve_parts(island_layout *l, const abut_world *world, const layout_island *all, int32_t springs) {
    solver_contacts *set = &l->contacts;
    int32_t rolls = world->rolling ? all->patch : 0;
    return array_reserve(&l->states, &l->state_capacity, all->body, sizeof *l->states) &&
           array_reserve(&l->slots, &l->slot_capacity, all->body, sizeof *l->slots) &&
           array_reserve(&set->pairs, &l->pair_capacity, all->pair, sizeof *set->pairs) &&
           array_reserve(&set->patches, &l->patch_capacity, all->patch, sizeof *set->patches) &&
           (rolls == 0 || array_reserve(&set->rolls, &l->roll_capacity, rolls, sizeof *set->rolls)) &&
           array_reserve(&set->points, &l->point_capacity, all->point, sizeof *set->points) &&
           array_reserve(&set->anchors, &l->anchor_capacity, all->point, sizeof *set->anchors) &&
           array_reserve(&set->joints, &l->joint_capacity, all->joint, sizeof *set->joints) &&
           array_reserve(&set->wide_patches, &l->wide_patch_capacity, all->patch, sizeof *set->wide_patches) &&
           array_reserve(&l->springs, &l->spring_capacity, springs, sizeof *l->springs) &&
           array_reserve(&l->spring_sources, &l->spring_source_capacity, springs, sizeof *l->spring_sources);
}

static bool is_moving(const island_forest *islands, const abut_world *world, int32_t slot) {
    const island_body *body = &islands->bodies[slot];
    return body->dynamic ? body->active : world->bodies[slot].used && world->bodies[slot].kind == ABUT_BODY_KINEMATIC;
}

/* Make an island for every root and for every kinematic body, in the order of the slots. */
static void count_bodies(island_layout *layout, island_forest *islands, const abut_world *world) {
    layout->island_count = 0;
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        layout->island_of[slot] = -1;
        if (!is_moving(islands, world, slot)) {
            continue;
        }
        int32_t root = islands->bodies[slot].dynamic ? islands_root(islands, slot) : slot;
        if (root == slot) {
            layout->islands[layout->island_count] = (layout_island){.last_guest = -1};
            layout->island_of[slot] = layout->island_count++;
        }
        layout->island_of[slot] = layout->island_of[root];
        layout->place_of[slot] = layout->islands[layout->island_of[slot]].moving++;
    }
    for (int32_t i = 0; i < layout->island_count; i++) {
        layout->islands[i].body_count = layout->islands[i].moving;
    }
}

static bool is_solved(const island_forest *islands, const broad_pair *pair) {
    const island_body *a = &islands->bodies[pair->a], *b = &islands->bodies[pair->b];
    return pair->contact_count > 0 && ((a->dynamic && a->active) || (b->dynamic && b->active));
}

/* Whether the body is a dynamic body of an island; otherwise it can only be a guest. */
static bool is_member(const island_layout *layout, const island_forest *islands, int32_t slot) {
    return islands->bodies[slot].dynamic && layout->island_of[slot] >= 0;
}

/* The place of a body in the island. A guest gets a new place, unless it is the guest that was taken in last. */
static int32_t place_in(const island_layout *layout, const island_forest *islands, layout_island *island, int32_t slot) {
    if (is_member(layout, islands, slot)) {
        return layout->place_of[slot];
    }
    if (island->last_guest != slot) {
        island->last_guest = slot;
        island->body_count++;
    }
    return island->body_count - 1;
}

/* List the pairs that are solved, in the order of broad.found, with their places in their islands. */
static void list_pairs(island_layout *layout, const island_forest *islands, const pair_extent *extents, const abut_world *world) {
    layout->pair_count = layout->idle_count = 0;
    for (int32_t p = 0; p < world->broad.found_count; p++) {
        const broad_pair *found = &world->broad.found[p];
        if (!is_solved(islands, found)) {
            continue;
        }
        if (layout->reaches.idle[p]) {
            layout->idle[layout->idle_count++] = p;
            continue;
        }
        int32_t index = layout->island_of[is_member(layout, islands, found->a) ? found->a : found->b];
        layout_island *island = &layout->islands[index];
        layout_pair *pair = &layout->pairs[layout->pair_count++];
        *pair = (layout_pair){.found = p,
                              .island = index,
                              .pair = island->pair_count,
                              .patch = island->patch_count,
                              .point = island->point_count,
                              .patch_count = extents[p].patches};
        pair->a = place_in(layout, islands, island, found->a);
        pair->b = place_in(layout, islands, island, found->b);
        island->pair_count++;
        island->patch_count += pair->patch_count;
        island->point_count += found->contact_count;
    }
}

/* List the joints of islands, in the order of their slots. */
static void list_joints(island_layout *layout, const island_forest *islands, const abut_world *world) {
    layout->contacts.joint_count = 0;
    for (int32_t i = 0; i < world->joint_used; i++) {
        const world_joint *joint = &world->joints[i];
        bool a_moves = joint_acts(joint) && is_member(layout, islands, joint->a);
        if (!a_moves && !(joint_acts(joint) && is_member(layout, islands, joint->b))) {
            continue;
        }
        int32_t index = layout->island_of[a_moves ? joint->a : joint->b];
        layout_island *island = &layout->islands[index];
        layout_joint *listed = &layout->joints[layout->contacts.joint_count++];
        *listed = (layout_joint){.source = i, .island = index, .place = island->joint_count++};
        listed->a = place_in(layout, islands, island, joint->a);
        listed->b = place_in(layout, islands, island, joint->b);
    }
}

static bool pulls(const island_forest *islands, const spring *spring) { return spring->used && islands->bodies[spring->body].active; }

static void count_springs(island_layout *layout, const island_forest *islands, const abut_world *world) {
    for (int32_t i = 0; i < world->spring_used; i++) {
        if (pulls(islands, &world->springs[i])) {
            layout->islands[layout->island_of[world->springs[i].body]].spring_count++;
        }
    }
}

/* Place the parts of the islands one after the other. Returns the ends of the last parts, which are also the sums over all islands. */
static layout_island place_parts(island_layout *layout) {
    layout_island end = {.body = 0};
    for (int32_t i = 0; i < layout->island_count; i++) {
        layout_island *island = &layout->islands[i];
        island->body = end.body;
        island->pair = end.pair;
        island->patch = end.patch;
        island->point = end.point;
        island->spring = end.spring;
        island->joint = end.joint;
        end.body += island->body_count;
        end.pair += island->pair_count;
        end.patch += island->patch_count;
        end.point += island->point_count;
        end.spring += island->spring_count;
        end.joint += island->joint_count;
    }
    return end;
}

/* Set the solver's views of the parts. */
static void view_parts(island_layout *layout, const abut_world *world, const layout_island *end) {
    static_assert(offsetof(abut_world_contact, friction_force) == offsetof(abut_world_contact, normal_force) + sizeof(double) &&
                      sizeof(abut_world_contact) % sizeof(double) == 0,
                  "the four numbers that the quick solver writes");
    double *forces = world->next.contacts != NULL ? &world->next.contacts->normal_force : NULL;
    solver_contacts *all = &layout->contacts;
    all->bodies = layout->states;
    all->body_count = end->body;
    all->pair_count = end->pair;
    all->patch_count = end->patch;
    all->point_count = end->point;
    layout->spring_count = end->spring;
    for (int32_t i = 0; i < layout->island_count; i++) {
        const layout_island *island = &layout->islands[i];
        layout->sets[i] = (solver_contacts){.bodies = all->bodies + island->body,
                                            .pairs = all->pairs + island->pair,
                                            .patches = all->patches + island->patch,
                                            .points = all->points + island->point,
                                            .anchors = all->anchors + island->point,
                                            .joints = all->joints + island->joint,
                                            .wide_patches = all->wide_patches + island->patch,
                                            .wide_contacts = world->next.memory,
                                            .wide_forces = forces,
                                            .wide_stride = sizeof *world->next.contacts / sizeof *forces,
                                            .rolls = all->rolls != NULL ? all->rolls + island->patch : NULL,
                                            .body_count = island->body_count,
                                            .pair_count = island->pair_count,
                                            .patch_count = island->patch_count,
                                            .point_count = island->point_count,
                                            .joint_count = island->joint_count};
    }
}

/* Set the slot of the body of every state. */
static void name_states(island_layout *layout, const abut_world *world) {
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        if (layout->island_of[slot] >= 0) {
            layout->slots[layout->islands[layout->island_of[slot]].body + layout->place_of[slot]] = slot;
        }
    }
    for (int32_t p = 0; p < layout->pair_count; p++) {
        const layout_pair *pair = &layout->pairs[p];
        const broad_pair *found = &world->broad.found[pair->found];
        layout->slots[layout->islands[pair->island].body + pair->a] = found->a;
        layout->slots[layout->islands[pair->island].body + pair->b] = found->b;
    }
    for (int32_t j = 0; j < layout->contacts.joint_count; j++) {
        const layout_joint *listed = &layout->joints[j];
        layout->slots[layout->islands[listed->island].body + listed->a] = world->joints[listed->source].a;
        layout->slots[layout->islands[listed->island].body + listed->b] = world->joints[listed->source].b;
    }
}

/* Set the slot of the world's spring of every spring. */
static void name_springs(island_layout *layout, const island_forest *islands, const abut_world *world) {
    for (int32_t i = 0; i < layout->island_count; i++) {
        layout->islands[i].spring_count = 0;
    }
    for (int32_t i = 0; i < world->spring_used; i++) {
        if (pulls(islands, &world->springs[i])) {
            layout_island *island = &layout->islands[layout->island_of[world->springs[i].body]];
            layout->spring_sources[island->spring + island->spring_count++] = i;
        }
    }
}

bool layout_make(island_layout *layout, const abut_world *world, island_forest *islands, const pair_extent *extents, double dt) {
    if (!reserve_lists(layout, world) || !reach_find(&layout->reaches, world, extents, dt)) {
        return false;
    }
    count_bodies(layout, islands, world);
    list_pairs(layout, islands, extents, world);
    list_joints(layout, islands, world);
    count_springs(layout, islands, world);
    layout_island end = place_parts(layout);
    if (!reserve_parts(layout, world, &end, world->spring_used)) {
        return false;
    }
    view_parts(layout, world, &end);
    name_states(layout, world);
    name_springs(layout, islands, world);
    return true;
}

void layout_make_batches(island_layout *layout) {
    layout->batch_count = 0;
    int32_t weight = BATCH;
    for (int32_t i = 0; i < layout->island_count; i++) {
        if (weight >= BATCH) {
            layout->batches[layout->batch_count++] = i;
            weight = 0;
        }
        weight += layout->sets[i].schedule == NULL ? layout->islands[i].body_count + layout->islands[i].point_count : 0;
    }
    layout->batches[layout->batch_count] = layout->island_count;
}

void layout_release(island_layout *l) {
    reach_release(&l->reaches);
    void *blocks[] = {l->islands,        l->island_of,        l->place_of,        l->states,           l->slots,   l->pairs,
                      l->contacts.pairs, l->contacts.patches, l->contacts.points, l->contacts.anchors, l->sets,    l->contacts.wide_patches,
                      l->springs,        l->spring_sources,   l->joints,          l->contacts.joints,  l->batches, l->quick,
                      l->idle,           l->contacts.rolls};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        memory_release(blocks[i]);
    }
}
