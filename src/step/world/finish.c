#include "step/world/finish.h"

#include "base/clock.h"
#include "step/world/report.h"

static void commit_contacts(abut_world *world) {
    contact_store before = world->contacts;
    world->contacts = world->next;
    world->next = before;
    broad_commit(&world->broad);
}

void step_finish(abut_world *world, double dt, const step_account *account, abut_step_report *report) {
    commit_contacts(world);
    world->step++;
    world->placements++;
    world->time += dt;
    report_fill(world, report);
    report->candidates = account->candidates;
    report->seconds_broad = account->broad;
    report->seconds_narrow = account->narrow;
    report->seconds_total = clock_now() - account->begin;
    report->seconds_solve = report->seconds_total - account->broad - account->narrow;
}
