/* Bodies hand on their motion by the maximum, whose result is the same in whatever order threads come. */
#include "step/fixed/reach.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/parts.h"
#include "base/real.h"
#include "step/fixed/margin.h"
#include "step/fixed/quick.h"
#include "step/world/meet/surfaces.h"

enum {
    RINGS = 4,   /* of bodies that hand on their motion */
    BODIES = 256 /* worth a piece of a loop */
};

void reach_release(contact_reaches *reaches) {
    memory_release(reaches->idle);
    memory_release(reaches->links);
    memory_release(reaches->travels[0]);
    memory_release(reaches->travels[1]);
}

static bool reserve(contact_reaches *reaches, const abut_world *world) {
    int32_t pairs = world->broad.found_count, bodies = world->body_used;
    bool fine = array_reserve(&reaches->idle, &reaches->idle_capacity, pairs, sizeof *reaches->idle) &&
                array_reserve(&reaches->links, &reaches->link_capacity, pairs, sizeof *reaches->links);
    for (int k = 0; k < 2; k++) {
        fine = fine && array_reserve(&reaches->travels[k], &reaches->travel_capacity[k], bodies, sizeof *reaches->travels[k]);
    }
    return fine;
}

/* ---- travels ---- */

static void set_travel(reach_travel *travel, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    atomic_store_explicit(travel, bits, memory_order_relaxed);
}

static double get_travel(const reach_travel *travel) {
    uint64_t bits = atomic_load_explicit(travel, memory_order_relaxed);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void raise_travel(reach_travel *travel, double value) {
    uint64_t bits, old = atomic_load_explicit(travel, memory_order_relaxed);
    memcpy(&bits, &value, sizeof bits);
    while (old < bits && !atomic_compare_exchange_weak_explicit(travel, &old, bits, memory_order_relaxed, memory_order_relaxed)) {
    }
}

/* ---- the search ---- */

typedef struct reaching {
    contact_reaches *reaches;
    const abut_world *world;
    const pair_extent *extents;
    double dt;
    int32_t ring;
    int32_t counts[PARTS_MOST]; /* of the links of a part of the pairs */
} reaching;

/* Forces, and bounces off other bodies, move a body farther than its velocity tells. So does a belt below it. */
static bool is_driven(const abut_world *world, const body *body) {
    return surfaces_can_bounce(world, body) || abut_length_squared(body->force) > 0.0 || abut_length_squared(body->torque) > 0.0;
}

static void begin_travels(void *argument, int32_t begin, int32_t end) {
    const reaching *of = argument;
    for (int32_t slot = begin; slot < end; slot++) {
        const body *body = &of->world->bodies[slot];
        bool unknown = body->driven || (body->kind == ABUT_BODY_DYNAMIC && is_driven(of->world, body));
        set_travel(&of->reaches->travels[0][slot], unknown ? INFINITY : margin_travel(of->world, body, of->dt));
    }
}

static double touch_of(const pair_extent *extent) { return margin_touch * extent->size; }

/* Whether one of some pairs would be idle if no body moved. */
static bool has_gap(const void *argument, int32_t begin, int32_t end) {
    const reaching *of = argument;
    bool any = false;
    for (int32_t p = begin; p < end; p++) {
        const broad_pair *pair = &of->world->broad.found[p];
        bool idle = pair->contact_count > 0 && !(pair->met > 0.0) && of->extents[p].least > touch_of(&of->extents[p]);
        of->reaches->idle[p] = idle;
        any = any || idle;
    }
    return any;
}

/* The push may lift bodies by as much as they are deep. */
static void link_parts(void *argument, int32_t begin, int32_t end) {
    reaching *of = argument;
    int32_t pairs = of->world->broad.found_count, length = parts_length(pairs);
    for (int32_t part = begin; part < end; part++) {
        reach_link *links = of->reaches->links + part * length;
        int32_t count = 0;
        for (int32_t p = part * length; p < parts_end(pairs, part * length); p++) {
            const broad_pair *pair = &of->world->broad.found[p];
            if (pair->contact_count > 0) {
                double deep = pair->met > 0.0 ? INFINITY : of->extents[p].least < 0.0 ? -of->extents[p].least : 0.0;
                raise_travel(&of->reaches->travels[0][pair->a], deep);
                raise_travel(&of->reaches->travels[0][pair->b], deep);
                links[count++] = (reach_link){pair->a, pair->b};
            }
        }
        of->counts[part] = count;
    }
}

static void copy_travels(void *argument, int32_t begin, int32_t end) {
    const reaching *of = argument;
    for (int32_t slot = begin; slot < end; slot++) {
        set_travel(&of->reaches->travels[1 - of->ring % 2][slot], get_travel(&of->reaches->travels[of->ring % 2][slot]));
    }
}

static void hand_on(void *argument, int32_t begin, int32_t end) {
    const reaching *of = argument;
    const reach_travel *from = of->reaches->travels[of->ring % 2];
    reach_travel *to = of->reaches->travels[1 - of->ring % 2];
    int32_t length = parts_length(of->world->broad.found_count);
    for (int32_t part = begin; part < end; part++) {
        const reach_link *links = of->reaches->links + part * length;
        for (int32_t i = 0; i < of->counts[part]; i++) {
            double a = get_travel(&from[links[i].a]), b = get_travel(&from[links[i].b]);
            raise_travel(&to[links[i].a], b);
            raise_travel(&to[links[i].b], a);
        }
    }
}

static void find_idle(void *argument, int32_t begin, int32_t end) {
    const reaching *of = argument;
    const reach_travel *travel = of->reaches->travels[RINGS % 2];
    for (int32_t p = begin; p < end; p++) {
        const broad_pair *pair = &of->world->broad.found[p];
        if (of->reaches->idle[p]) {
            double most = get_travel(&travel[pair->a]) + get_travel(&travel[pair->b]) + touch_of(&of->extents[p]);
            of->reaches->idle[p] = of->extents[p].least > most;
        }
    }
}

static void search(reaching *of) {
    const abut_world *world = of->world;
    const abut_parallel *parallel = &world->def.parallel;
    int32_t pairs = world->broad.found_count, bodies = world->body_used;
    abut_parallel_for(parallel, bodies, BODIES, begin_travels, of);
    for (int32_t i = 0; i < world->spring_used; i++) {
        if (world->springs[i].used) {
            set_travel(&of->reaches->travels[0][world->springs[i].body], INFINITY);
        }
    }
    for (int32_t i = 0; i < world->joint_used; i++) {
        if (joint_acts(&world->joints[i])) {
            set_travel(&of->reaches->travels[0][world->joints[i].a], INFINITY);
            set_travel(&of->reaches->travels[0][world->joints[i].b], INFINITY);
        }
    }
    abut_parallel_for(parallel, parts_count(pairs), 1, link_parts, of);
    for (of->ring = 0; of->ring < RINGS; of->ring++) {
        abut_parallel_for(parallel, bodies, BODIES, copy_travels, of);
        abut_parallel_for(parallel, parts_count(pairs), 1, hand_on, of);
    }
    abut_parallel_for(parallel, pairs, BODIES, find_idle, of);
}

bool reach_find(contact_reaches *reaches, const abut_world *world, const pair_extent *extents, double dt) {
    if (!reserve(reaches, world)) {
        return false;
    }
    reaching of;
    of.reaches = reaches;
    of.world = world;
    of.extents = extents;
    of.dt = dt;
    int32_t pairs = world->broad.found_count;
    bool unused[PARTS_MOST];
    if (!quick_is_used(world)) {
        for (int32_t p = 0; p < pairs; p++) {
            reaches->idle[p] = false;
        }
    } else if (parts_find(&world->def.parallel, pairs, has_gap, &of, unused)) {
        search(&of);
    }
    return true;
}
