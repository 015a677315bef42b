/* The report on the present state of a world: counts, the deepest contact, energies. */
#include "step/world/report.h"

#include "base/real.h"
#include "step/world/watch.h"

static void count_contacts(const abut_world *world, abut_step_report *report) {
    for (int32_t p = 0; p < world->broad.pair_count; p++) {
        report->touching += world->broad.pairs[p].contact_count > 0;
    }
    report->contacts = world->contacts.count;
    for (int32_t i = 0; i < world->contacts.count; i++) {
        report->max_penetration = real_max_number(report->max_penetration, -world->contacts.contacts[i].contact.gap);
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
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        const body *body = &world->bodies[slot];
        if (body->used && body->kind == ABUT_BODY_DYNAMIC) {
            report->awake += !body->asleep;
            report->kinetic_energy += body_kinetic_energy(body, body->frame, (abut_motion){body->velocity, body->angular_velocity});
            report->potential_energy -= body->mass * abut_dot(body_gravity(world, body), body->centre);
        }
    }
    for (int32_t i = 0; i < world->spring_used; i++) {
        if (world->springs[i].used) {
            report->spring_energy += spring_energy(world, &world->springs[i]);
        }
    }
}
