/* The report on the present state of a world: counts, the deepest contact, energies. */
#include "step/world/report.h"

#include "base/parts.h"
#include "base/real.h"
#include "step/world/cell/cells.h"
#include "step/world/watch.h"

/* What some pairs of bodies add to the report. */
typedef struct pair_sums {
    int32_t touching;
    double deepest;
} pair_sums;

typedef struct counting {
    const abut_world *world;
    pair_sums parts[PARTS_MOST];
    bool sunk[PARTS_MOST];
} counting;

static double deepest_of(const abut_world *world, const broad_pair *pair) {
    if (pair->measured) {
        return pair->depth;
    }
    double deepest = 0.0;
    for (int32_t i = pair->contact_first; i < pair->contact_first + pair->contact_count; i++) {
        deepest = real_max_number(deepest, -world->contacts.contacts[i].contact.gap);
    }
    return deepest;
}

static void count_parts(void *argument, int32_t begin, int32_t end) {
    counting *of = argument;
    const abut_world *world = of->world;
    int32_t pairs = world->broad.pair_count, length = parts_length(pairs);
    for (int32_t part = begin; part < end; part++) {
        pair_sums sum = {.touching = 0};
        bool sunk = false;
        for (int32_t p = part * length; p < parts_end(pairs, part * length); p++) {
            const broad_pair *pair = &world->broad.pairs[p];
            double deepest = deepest_of(world, pair);
            sum.touching += pair->contact_count > 0;
            sum.deepest = real_max_number(sum.deepest, deepest);
            sunk = sunk || (pair->met == 0.0 && watch_is_sunk(world, pair, deepest));
        }
        of->parts[part] = sum;
        of->sunk[part] = sunk;
    }
}

static void count_pairs(const abut_world *world, abut_step_report *report) {
    int32_t parts = parts_count(world->broad.pair_count);
    counting of;
    of.world = world;
    abut_parallel_for(&world->def.parallel, parts, 1, count_parts, &of);
    for (int32_t part = 0; part < parts; part++) {
        report->touching += of.parts[part].touching;
        report->max_penetration = real_max_number(report->max_penetration, of.parts[part].deepest);
    }
    report->contacts = world->contacts.count;
    watch_count(world, of.sunk, report);
}

typedef struct body_sums {
    int32_t awake;
    double kinetic, potential; /* energy */
} body_sums;

typedef struct adding {
    const abut_world *world;
    body_sums parts[PARTS_MOST];
} adding;

static void add_body(const abut_world *world, int32_t slot, body_sums *to) {
    const body *body = &world->bodies[slot];
    if (body->used && body->kind == ABUT_BODY_DYNAMIC) {
        to->awake += !body->asleep;
        to->kinetic += body_kinetic_energy(body, body->frame, (abut_motion){body->velocity, body->angular_velocity});
        to->kinetic += body->cell != NULL ? cell_kinetic_energy(body) : 0.0;
        to->potential -= body->mass * abut_dot(body_gravity(world, body), body->centre);
    }
}

static void add_bodies(void *argument, int32_t begin, int32_t end) {
    adding *add = argument;
    int32_t bodies = add->world->body_used, length = parts_length(bodies);
    for (int32_t part = begin; part < end; part++) {
        add->parts[part] = (body_sums){.awake = 0};
        for (int32_t slot = part * length; slot < parts_end(bodies, part * length); slot++) {
            add_body(add->world, slot, &add->parts[part]);
        }
    }
}

static void add_all_bodies(const abut_world *world, abut_step_report *report) {
    adding add;
    add.world = world;
    abut_parallel_for(&world->def.parallel, parts_count(world->body_used), 1, add_bodies, &add);
    for (int32_t part = 0; part < parts_count(world->body_used); part++) {
        report->awake += add.parts[part].awake;
        report->kinetic_energy += add.parts[part].kinetic;
        report->potential_energy += add.parts[part].potential;
    }
}

static double spring_energy(const abut_world *world, const spring *spring) {
    const body *body = &world->bodies[spring->body];
    abut_vec3 anchor = abut_pose_apply(body->pose, spring->anchor);
    return 0.5 * spring_stiffness(spring->frequency, body->mass) * abut_length_squared(abut_sub(anchor, spring->target));
}

void report_fill(const abut_world *world, abut_step_report *report) {
    *report = (abut_step_report){.step = world->step, .time = world->time, .bodies = world->body_count};
    count_pairs(world, report);
    add_all_bodies(world, report);
    for (int32_t i = 0; i < world->spring_used; i++) {
        if (world->springs[i].used) {
            report->spring_energy += spring_energy(world, &world->springs[i]);
        }
    }
}
