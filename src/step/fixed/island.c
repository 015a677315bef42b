/* Islands by union-find over the slots; the smallest slot of an island stands for it, so that nothing depends on the order of the pairs. */
#include "step/fixed/island.h"

#include "base/real.h"

static bool moves(const body *body) {
    abut_vec3 v = body->velocity, w = body->angular_velocity;
    return v.x != 0.0 || v.y != 0.0 || v.z != 0.0 || w.x != 0.0 || w.y != 0.0 || w.z != 0.0;
}

void island_begin(abut_world *world) {
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        const body *body = &world->bodies[slot];
        bool active = body->used && (body->disturbed || (body->kind == ABUT_BODY_DYNAMIC && !body->asleep) ||
                                     (body->kind == ABUT_BODY_KINEMATIC && moves(body)));
        world->work.bodies[slot] = (step_body){.island = slot, .active = active, .asleep = body->asleep, .rest_time = body->rest_time};
    }
}

static int32_t find_root(step_body *bodies, int32_t slot) {
    while (bodies[slot].island != slot) {
        bodies[slot].island = bodies[bodies[slot].island].island;
        slot = bodies[slot].island;
    }
    return slot;
}

static void join(step_body *bodies, int32_t p, int32_t q) {
    int32_t a = find_root(bodies, p), b = find_root(bodies, q);
    bodies[a < b ? b : a].island = a < b ? a : b;
}

void island_wake(abut_world *world) {
    step_body *bodies = world->work.bodies;
    for (int32_t p = 0; p < world->broad.found_count; p++) {
        const broad_pair *pair = &world->broad.found[p];
        bool a_dynamic = world->bodies[pair->a].kind == ABUT_BODY_DYNAMIC, b_dynamic = world->bodies[pair->b].kind == ABUT_BODY_DYNAMIC;
        if (pair->contact_count == 0) {
            continue;
        }
        if (a_dynamic && b_dynamic) {
            join(bodies, pair->a, pair->b);
        } else if (a_dynamic) {
            bodies[pair->a].active = bodies[pair->a].active || bodies[pair->b].active;
        } else if (b_dynamic) {
            bodies[pair->b].active = bodies[pair->b].active || bodies[pair->a].active;
        }
    }
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        int32_t root = find_root(bodies, slot);
        bodies[root].active = bodies[root].active || bodies[slot].active;
    }
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        step_body *body = &bodies[slot];
        body->active = bodies[find_root(bodies, slot)].active;
        if (body->active && body->asleep) {
            body->asleep = false;
            body->rest_time = 0.0;
        }
    }
}

int32_t island_root(abut_world *world, int32_t slot) { return find_root(world->work.bodies, slot); }

static bool is_slow(const abut_world *world, int32_t slot) {
    const step_work *work = &world->work;
    const solver_body *state = &work->states[work->islands[work->island_of[slot]].body + work->place_of[slot]];
    double speed = abut_length(state->velocity) + abut_length(state->angular_velocity) * world->bodies[slot].radius;
    return speed < world->def.fixed.sleep_speed;
}

void island_sleep(abut_world *world, double dt) {
    step_body *bodies = world->work.bodies;
    if (!world->def.fixed.sleeping) {
        return;
    }
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        bool awake = world->bodies[slot].kind == ABUT_BODY_DYNAMIC && bodies[slot].active;
        if (awake) {
            bodies[slot].rest_time = is_slow(world, slot) ? bodies[slot].rest_time + dt : 0.0;
        }
    }
    /* What touches a moving kinematic body does not rest, however slow the body is. */
    for (int32_t p = 0; p < world->broad.found_count; p++) {
        const broad_pair *pair = &world->broad.found[p];
        const body *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
        if (pair->contact_count > 0 && ((a->kind == ABUT_BODY_KINEMATIC && moves(a)) || (b->kind == ABUT_BODY_KINEMATIC && moves(b)))) {
            bodies[a->kind == ABUT_BODY_DYNAMIC ? pair->a : pair->b].rest_time = 0.0;
        }
    }
    /* An island has rested as long as its liveliest body. */
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        int32_t root = find_root(bodies, slot);
        bodies[root].rest_time = real_least(bodies[root].rest_time, bodies[slot].rest_time);
    }
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        const body *body = &world->bodies[slot];
        if (body->used && body->kind == ABUT_BODY_DYNAMIC && bodies[find_root(bodies, slot)].rest_time >= world->def.fixed.sleep_time) {
            bodies[slot].asleep = true;
        }
    }
}
