#include "step/fixed/reach.h"

#include <math.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"
#include "step/fixed/margin.h"
#include "step/fixed/quick.h"

enum { RINGS = 4 }; /* of bodies that hand on their motion */

void reach_release(contact_reaches *reaches) {
    memory_release(reaches->travels[0]);
    memory_release(reaches->travels[1]);
}

/* Forces, and bounces off other bodies, move a body farther than its velocity tells. */
static bool is_driven(const body *body) {
    return body->restitution > 0.0 || abut_length_squared(body->force) > 0.0 || abut_length_squared(body->torque) > 0.0;
}

static double travel_of(const abut_world *world, const body *body, double dt) {
    return body->kind == ABUT_BODY_DYNAMIC && is_driven(body) ? INFINITY : margin_travel(world, body, dt);
}

/* The push may lift bodies by as much as they are deep. */
static void add_push(contact_reaches *reaches, const abut_world *world, const pair_extent *extents) {
    for (int32_t p = 0; p < world->broad.found_count; p++) {
        const broad_pair *pair = &world->broad.found[p];
        if (pair->contact_count > 0) {
            double deep = pair->met > 0.0 ? INFINITY : -extents[p].least;
            reaches->travels[0][pair->a] = real_max_number(reaches->travels[0][pair->a], deep);
            reaches->travels[0][pair->b] = real_max_number(reaches->travels[0][pair->b], deep);
        }
    }
}

/* Bodies hand on their motion to those that they touch. */
static void hand_on(contact_reaches *reaches, const abut_world *world, int32_t ring) {
    const double *from = reaches->travels[ring % 2];
    double *to = reaches->travels[1 - ring % 2];
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        to[slot] = from[slot];
    }
    for (int32_t p = 0; p < world->broad.found_count; p++) {
        const broad_pair *pair = &world->broad.found[p];
        if (pair->contact_count > 0) {
            double most = real_max_number(from[pair->a], from[pair->b]);
            to[pair->a] = real_max_number(to[pair->a], most);
            to[pair->b] = real_max_number(to[pair->b], most);
        }
    }
}

bool reach_find(contact_reaches *reaches, const abut_world *world, const pair_extent *extents, double dt) {
    if (!quick_is_used(world)) {
        return true;
    }
    bool fine = true;
    for (int k = 0; k < 2; k++) {
        fine = fine && array_reserve(&reaches->travels[k], &reaches->travel_capacity[k], world->body_used, sizeof *reaches->travels[k]);
    }
    if (!fine) {
        return false;
    }
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        reaches->travels[0][slot] = travel_of(world, &world->bodies[slot], dt);
    }
    for (int32_t i = 0; i < world->spring_used; i++) {
        if (world->springs[i].used) {
            reaches->travels[0][world->springs[i].body] = INFINITY;
        }
    }
    add_push(reaches, world, extents);
    for (int32_t ring = 0; ring < RINGS; ring++) {
        hand_on(reaches, world, ring);
    }
    return true;
}

bool reach_is_idle(const contact_reaches *reaches, const abut_world *world, const pair_extent *extents, int32_t pair) {
    if (!quick_is_used(world) || world->broad.found[pair].met > 0.0) {
        return false;
    }
    const broad_pair *found = &world->broad.found[pair];
    const double *travel = reaches->travels[RINGS % 2];
    double touch = margin_touch * margin_smaller_size(&world->bodies[found->a], &world->bodies[found->b]);
    return extents[pair].least > travel[found->a] + travel[found->b] + touch;
}
