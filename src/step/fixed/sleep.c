/* An island falls asleep when all of its bodies have been slow for the time that the settings ask for. */
#include "step/fixed/sleep.h"

#include "base/real.h"

static bool is_slow(const island_layout *layout, const abut_world *world, int32_t slot) {
    const solver_body *state = &layout->states[layout->islands[layout->island_of[slot]].body + layout->place_of[slot]];
    double speed = abut_length(state->velocity) + abut_length(state->angular_velocity) * world->bodies[slot].radius;
    return speed < world->def.fixed.sleep_speed;
}

/* A body that touches a kinematic body that moves, or a belt that runs, or has a joint with it, does not rest, however slowly the two move. */
static void keep_awake(island_body *bodies, const abut_world *world, int32_t slot_a, int32_t slot_b) {
    const body *a = &world->bodies[slot_a], *b = &world->bodies[slot_b];
    if ((a->kind != ABUT_BODY_DYNAMIC && island_body_moves(a)) || (b->kind != ABUT_BODY_DYNAMIC && island_body_moves(b))) {
        bodies[a->kind == ABUT_BODY_DYNAMIC ? slot_a : slot_b].rest_time = 0.0;
    }
}

void islands_sleep(island_forest *islands, const island_layout *layout, const abut_world *world, double dt) {
    island_body *bodies = islands->bodies;
    if (!world->def.fixed.sleeping) {
        return;
    }
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        bool awake = world->bodies[slot].kind == ABUT_BODY_DYNAMIC && bodies[slot].active;
        if (awake) {
            bodies[slot].rest_time = is_slow(layout, world, slot) ? bodies[slot].rest_time + dt : 0.0;
        }
    }
    for (int32_t p = 0; p < world->broad.found_count; p++) {
        if (world->broad.found[p].contact_count > 0) {
            keep_awake(bodies, world, world->broad.found[p].a, world->broad.found[p].b);
        }
    }
    for (int32_t j = 0; j < world->joint_used; j++) {
        if (joint_acts(&world->joints[j])) {
            keep_awake(bodies, world, world->joints[j].a, world->joints[j].b);
        }
    }
    /* The rest time of an island is the shortest one of its bodies. */
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        int32_t root = islands_root(islands, slot);
        bodies[root].rest_time = real_min_number(bodies[root].rest_time, bodies[slot].rest_time);
    }
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        const body *body = &world->bodies[slot];
        if (body->used && body->kind == ABUT_BODY_DYNAMIC && bodies[islands_root(islands, slot)].rest_time >= world->def.fixed.sleep_time) {
            bodies[slot].asleep = true;
        }
    }
}
