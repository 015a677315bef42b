/* The report on the present state of a world: counts, the deepest contact, energies. */
#include "step/world/report.h"

#include "base/parts.h"
#include "base/real.h"
#include "step/world/watch.h"

typedef struct counting {
    const abut_world *world;
    double deepest[PARTS_MOST]; /* of some contacts */
} counting;

static void find_deepest(void *argument, int32_t begin, int32_t end) {
    counting *of = argument;
    const abut_world *world = of->world;
    int32_t contacts = world->contacts.count, length = parts_length(contacts);
    for (int32_t part = begin; part < end; part++) {
        of->deepest[part] = 0.0;
        for (int32_t i = part * length; i < parts_end(contacts, part * length); i++) {
            of->deepest[part] = real_max_number(of->deepest[part], -world->contacts.contacts[i].contact.gap);
        }
    }
}

static void count_contacts(const abut_world *world, abut_step_report *report) {
    for (int32_t p = 0; p < world->broad.pair_count; p++) {
        report->touching += world->broad.pairs[p].contact_count > 0;
    }
    report->contacts = world->contacts.count;
    counting of;
    of.world = world;
    abut_parallel_for(&world->def.parallel, parts_count(report->contacts), 1, find_deepest, &of);
    for (int32_t part = 0; part < parts_count(report->contacts); part++) {
        report->max_penetration = real_max_number(report->max_penetration, of.deepest[part]);
    }
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
    count_contacts(world, report);
    watch_count(world, report);
    add_all_bodies(world, report);
    for (int32_t i = 0; i < world->spring_used; i++) {
        if (world->springs[i].used) {
            report->spring_energy += spring_energy(world, &world->springs[i]);
        }
    }
}
