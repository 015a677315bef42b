/* Everything is counted island by island, the parts are put one after the other, and then the places are known. */
#include "step/fixed/layout.h"

#include "base/array.h"
#include "step/fixed/colours.h"
#include "step/fixed/island.h"

/* Islands are solved in batches of at least so many bodies and points, so that a task is worth its start. */
enum { BATCH = 256 };

static bool room(int32_t **array, int32_t *capacity, int32_t needed) {
    int32_t *grown = array_room(*array, capacity, needed, sizeof **array);
    *array = grown != NULL ? grown : *array;
    return grown != NULL;
}

/* Before the islands are counted. */
static bool reserve_lists(abut_world *world) {
    step_work *work = &world->work;
    step_island *islands = array_room(work->islands, &work->island_capacity, world->body_used, sizeof *islands);
    work->islands = islands != NULL ? islands : work->islands;
    solver_contacts *sets = array_room(work->sets, &work->set_capacity, world->body_used, sizeof *sets);
    work->sets = sets != NULL ? sets : work->sets;
    step_pair *pairs = array_room(work->pairs, &work->list_capacity, world->broad.found_count, sizeof *pairs);
    work->pairs = pairs != NULL ? pairs : work->pairs;
    return islands != NULL && sets != NULL && pairs != NULL && room(&work->island_of, &work->island_of_capacity, world->body_used) &&
           room(&work->place_of, &work->place_capacity, world->body_used) &&
           room(&work->batches, &work->batch_capacity, world->body_used + 1);
}

/* After they were counted. */
static bool reserve_parts(abut_world *world, const step_island *all) {
    step_work *work = &world->work;
    solver_contacts *set = &work->contacts;
    solver_body *states = array_room(work->states, &work->state_capacity, all->body, sizeof *states);
    work->states = states != NULL ? states : work->states;
    solver_pair *pairs = array_room(set->pairs, &work->pair_capacity, all->pair, sizeof *pairs);
    set->pairs = pairs != NULL ? pairs : set->pairs;
    solver_patch *patches = array_room(set->patches, &work->patch_capacity, all->patch, sizeof *patches);
    set->patches = patches != NULL ? patches : set->patches;
    solver_point *points = array_room(set->points, &work->point_capacity, all->point, sizeof *points);
    set->points = points != NULL ? points : set->points;
    solver_anchor *anchors = array_room(set->anchors, &work->anchor_capacity, all->point, sizeof *anchors);
    set->anchors = anchors != NULL ? anchors : set->anchors;
    solver_spring *springs = array_room(work->springs, &work->spring_capacity, world->spring_used, sizeof *springs);
    work->springs = springs != NULL ? springs : work->springs;
    return states != NULL && pairs != NULL && patches != NULL && points != NULL && anchors != NULL && springs != NULL &&
           room(&work->slots, &work->slot_capacity, all->body) && room(&work->sources, &work->source_capacity, all->point) &&
           room(&work->spring_sources, &work->spring_source_capacity, world->spring_used);
}

static bool is_moving(const abut_world *world, int32_t slot) {
    const body *body = &world->bodies[slot];
    return body->used && (body->kind == ABUT_BODY_KINEMATIC || (body->kind == ABUT_BODY_DYNAMIC && world->work.bodies[slot].active));
}

/* An island for every root, in the order of the slots, and one for every kinematic body. */
static void count_bodies(abut_world *world) {
    step_work *work = &world->work;
    work->island_count = 0;
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        work->island_of[slot] = -1;
        if (!is_moving(world, slot)) {
            continue;
        }
        int32_t root = world->bodies[slot].kind == ABUT_BODY_DYNAMIC ? island_root(world, slot) : slot;
        if (root == slot) {
            work->islands[work->island_count] = (step_island){.last_guest = -1};
            work->island_of[slot] = work->island_count++;
        }
        work->island_of[slot] = work->island_of[root];
        work->place_of[slot] = work->islands[work->island_of[slot]].moving++;
    }
    for (int32_t i = 0; i < work->island_count; i++) {
        work->islands[i].body_count = work->islands[i].moving;
    }
}

/* Contacts of one patch are consecutive. */
static int32_t count_patches(const abut_world *world, const broad_pair *pair) {
    const abut_world_contact *contacts = world->work.next.contacts + pair->contact_first;
    int32_t count = 1;
    for (int32_t i = 1; i < pair->contact_count; i++) {
        count += contacts[i].contact.patch != contacts[i - 1].contact.patch;
    }
    return count;
}

static bool is_solved(const abut_world *world, const broad_pair *pair) {
    const step_body *bodies = world->work.bodies;
    bool a = world->bodies[pair->a].kind == ABUT_BODY_DYNAMIC && bodies[pair->a].active;
    bool b = world->bodies[pair->b].kind == ABUT_BODY_DYNAMIC && bodies[pair->b].active;
    return pair->contact_count > 0 && (a || b);
}

/* Is the body a dynamic one of the island, rather than a guest? */
static bool is_member(const abut_world *world, int32_t slot) {
    return world->bodies[slot].kind == ABUT_BODY_DYNAMIC && world->work.island_of[slot] >= 0;
}

/* The place in the island. Guests are taken in as they come; one that came just now is not taken again. */
static int32_t place_in(const abut_world *world, step_island *island, int32_t slot) {
    if (is_member(world, slot)) {
        return world->work.place_of[slot];
    }
    if (island->last_guest != slot) {
        island->last_guest = slot;
        island->body_count++;
    }
    return island->body_count - 1;
}

/* The pairs that are solved, in the order of the found ones, with their places in their islands. */
static void list_pairs(abut_world *world) {
    step_work *work = &world->work;
    work->pair_count = 0;
    for (int32_t p = 0; p < world->broad.found_count; p++) {
        const broad_pair *found = &world->broad.found[p];
        if (!is_solved(world, found)) {
            continue;
        }
        int32_t index = work->island_of[is_member(world, found->a) ? found->a : found->b];
        step_island *island = &work->islands[index];
        step_pair *pair = &work->pairs[work->pair_count++];
        *pair = (step_pair){.found = p,
                            .island = index,
                            .pair = island->pair_count,
                            .patch = island->patch_count,
                            .point = island->point_count,
                            .patch_count = count_patches(world, found)};
        pair->a = place_in(world, island, found->a);
        pair->b = place_in(world, island, found->b);
        island->pair_count++;
        island->patch_count += pair->patch_count;
        island->point_count += found->contact_count;
    }
}

static bool pulls(const abut_world *world, const spring *spring) { return spring->used && world->work.bodies[spring->body].active; }

static void count_springs(abut_world *world) {
    for (int32_t i = 0; i < world->spring_used; i++) {
        if (pulls(world, &world->springs[i])) {
            world->work.islands[world->work.island_of[world->springs[i].body]].spring_count++;
        }
    }
}

/* The parts one after the other. Returns where they end, as the begin of one more. */
static step_island place_parts(abut_world *world) {
    step_island end = {.body = 0};
    for (int32_t i = 0; i < world->work.island_count; i++) {
        step_island *island = &world->work.islands[i];
        island->body = end.body;
        island->pair = end.pair;
        island->patch = end.patch;
        island->point = end.point;
        island->spring = end.spring;
        end.body += island->body_count;
        end.pair += island->pair_count;
        end.patch += island->patch_count;
        end.point += island->point_count;
        end.spring += island->spring_count;
    }
    return end;
}

/* The solver's view of the parts. */
static void view_parts(step_work *work, const step_island *end) {
    solver_contacts *all = &work->contacts;
    all->bodies = work->states;
    all->body_count = end->body;
    all->pair_count = end->pair;
    all->patch_count = end->patch;
    all->point_count = end->point;
    work->spring_count = end->spring;
    for (int32_t i = 0; i < work->island_count; i++) {
        const step_island *island = &work->islands[i];
        work->sets[i] = (solver_contacts){.bodies = all->bodies + island->body,
                                          .pairs = all->pairs + island->pair,
                                          .patches = all->patches + island->patch,
                                          .points = all->points + island->point,
                                          .anchors = all->anchors + island->point,
                                          .body_count = island->body_count,
                                          .pair_count = island->pair_count,
                                          .patch_count = island->patch_count,
                                          .point_count = island->point_count};
    }
}

/* Which body every state is of. */
static void name_states(abut_world *world) {
    step_work *work = &world->work;
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        if (work->island_of[slot] >= 0) {
            work->slots[work->islands[work->island_of[slot]].body + work->place_of[slot]] = slot;
        }
    }
    for (int32_t p = 0; p < work->pair_count; p++) {
        const step_pair *pair = &work->pairs[p];
        const broad_pair *found = &world->broad.found[pair->found];
        work->slots[work->islands[pair->island].body + pair->a] = found->a;
        work->slots[work->islands[pair->island].body + pair->b] = found->b;
    }
}

static void name_springs(abut_world *world) {
    step_work *work = &world->work;
    for (int32_t i = 0; i < work->island_count; i++) {
        work->islands[i].spring_count = 0;
    }
    for (int32_t i = 0; i < world->spring_used; i++) {
        if (pulls(world, &world->springs[i])) {
            step_island *island = &work->islands[work->island_of[world->springs[i].body]];
            work->spring_sources[island->spring + island->spring_count++] = i;
        }
    }
}

static void make_batches(step_work *work) {
    work->batch_count = 0;
    int32_t weight = BATCH;
    for (int32_t i = 0; i < work->island_count; i++) {
        if (weight >= BATCH) {
            work->batches[work->batch_count++] = i;
            weight = 0;
        }
        weight += work->sets[i].schedule == NULL ? work->islands[i].body_count + work->islands[i].point_count : 0;
    }
    work->batches[work->batch_count] = work->island_count;
}

bool layout_make(abut_world *world) {
    if (!reserve_lists(world)) {
        return false;
    }
    count_bodies(world);
    list_pairs(world);
    count_springs(world);
    step_island end = place_parts(world);
    if (!reserve_parts(world, &end)) {
        return false;
    }
    view_parts(&world->work, &end);
    name_states(world);
    name_springs(world);
    if (!colours_make(world)) {
        return false;
    }
    make_batches(&world->work);
    return true;
}
