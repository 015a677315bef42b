/* Islands by union-find over the slots. The smallest slot of an island is its root, so the order of the pairs does not matter. */
#include "step/fixed/island.h"

#include "base/array.h"
#include "base/memory.h"

bool island_body_moves(const body *body) {
    abut_vec3 v = body->velocity, w = body->angular_velocity;
    return body->driven || v.x != 0.0 || v.y != 0.0 || v.z != 0.0 || w.x != 0.0 || w.y != 0.0 || w.z != 0.0;
}

typedef struct beginning {
    island_forest *islands;
    const abut_world *world;
} beginning;

static void begin_bodies(void *argument, int32_t begin, int32_t end) {
    const beginning *of = argument;
    for (int32_t slot = begin; slot < end; slot++) {
        const body *body = &of->world->bodies[slot];
        bool dynamic = body->used && body->kind == ABUT_BODY_DYNAMIC, looks = body->used && body->disturbed && body->asleep;
        bool active = body->used && ((body->disturbed && !body->asleep) || (body->kind == ABUT_BODY_DYNAMIC && !body->asleep) ||
                                     (body->kind != ABUT_BODY_DYNAMIC && island_body_moves(body)));
        of->islands->bodies[slot] = (island_body){
            .parent = slot, .dynamic = dynamic, .active = active, .looks = looks, .asleep = body->asleep, .rest_time = body->rest_time};
    }
}

bool islands_begin(island_forest *islands, const abut_world *world) {
    enum { BODIES = 256 }; /* worth a piece of a loop */
    if (!array_reserve(&islands->bodies, &islands->capacity, world->body_used, sizeof *islands->bodies)) {
        return false;
    }
    beginning of = {islands, world};
    abut_parallel_for(&world->def.parallel, world->body_used, BODIES, begin_bodies, &of);
    return true;
}

static int32_t find_root(island_body *bodies, int32_t slot) {
    while (bodies[slot].parent != slot) {
        bodies[slot].parent = bodies[bodies[slot].parent].parent;
        slot = bodies[slot].parent;
    }
    return slot;
}

static void join(island_body *bodies, int32_t p, int32_t q) {
    int32_t a = find_root(bodies, p), b = find_root(bodies, q);
    bodies[a < b ? b : a].parent = a < b ? a : b;
}

/* Whether a body that forces do not move activates a dynamic body that touches it. A static body that was added or placed does not wake a body that was put to
 * sleep in its place at the same time: so a scene can be built asleep. */
static bool is_stirred(const island_body *bodies, const abut_world *world, int32_t dynamic, int32_t by) {
    return bodies[by].active && (!bodies[dynamic].looks || island_body_moves(&world->bodies[by]));
}

/* Joins two bodies that influence each other, or wakes the dynamic one of them where the other one stirs it. */
static void connect(island_body *bodies, const abut_world *world, int32_t a, int32_t b) {
    if (bodies[a].dynamic && bodies[b].dynamic) {
        join(bodies, a, b);
    } else if (bodies[a].dynamic) {
        bodies[a].active = bodies[a].active || is_stirred(bodies, world, a, b);
    } else if (bodies[b].dynamic) {
        bodies[b].active = bodies[b].active || is_stirred(bodies, world, b, a);
    }
}

void islands_wake(island_forest *islands, const abut_world *world) {
    island_body *bodies = islands->bodies;
    for (int32_t p = 0; p < world->broad.found_count; p++) {
        const broad_pair *pair = &world->broad.found[p];
        if (pair->contact_count > 0) {
            connect(bodies, world, pair->a, pair->b);
        }
    }
    for (int32_t j = 0; j < world->joint_used; j++) {
        if (joint_acts(&world->joints[j])) {
            connect(bodies, world, world->joints[j].a, world->joints[j].b);
        }
    }
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        int32_t root = find_root(bodies, slot);
        bodies[root].active = bodies[root].active || bodies[slot].active;
    }
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        island_body *body = &bodies[slot];
        body->active = bodies[find_root(bodies, slot)].active;
        if (body->active && body->asleep) {
            body->asleep = false;
            body->rest_time = 0.0;
        }
    }
}

int32_t islands_root(island_forest *islands, int32_t slot) { return find_root(islands->bodies, slot); }

void islands_release(island_forest *islands) { memory_release(islands->bodies); }
