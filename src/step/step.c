/* The calls that know all steppers: creating, destroying and stepping a world, and its report. */
#include "base/argument.h"
#include "base/memory.h"
#include "step/dem/kept.h"
#include "step/dem/stepper.h"
#include "step/event/stepper.h"
#include "step/fixed/stepper.h"
#include "step/query/index.h"
#include "step/touch/events.h"
#include "step/world/cell/cells.h"
#include "step/world/def.h"
#include "step/world/meet/substances.h"
#include "step/world/report.h"
#include "step/world/takes.h"
#include "step/world/watch.h"
#include "step/world/world.h"

abut_status abut_world_create(const abut_world_def *def, abut_world **world) {
    abut_world_def used = def != NULL ? *def : abut_world_def_default();
    abut_status status = argument_is_null(CALL_NAME, "world", world) ? ABUT_ERROR_INVALID_ARGUMENT : world_def_check(CALL_NAME, &used);
    if (status != ABUT_OK) {
        return status;
    }
    abut_world *made = memory_allocate(1, sizeof *made);
    if (made == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    *made = (abut_world){.def = used,
                         .built_gravity = used.gravity,
                         .body_free = -1,
                         .spring_free = -1,
                         .joint_free = -1,
                         .bonds = {.free = -1},
                         .several = used.surfaces.meet != NULL,
                         .rolling = used.surfaces.meet != NULL || substances_roll(&used),
                         .bouncing = substances_bounce(&used),
                         .broad = broad_empty(),
                         .query = query_create(),
                         .events = events_create()};
    made->def.pairs = NULL;
    if (!substances_make(&used, &made->pairs) || made->query == NULL || made->events == NULL) {
        abut_world_destroy(made);
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    made->def.pairs = made->pairs;
    *world = made;
    return ABUT_OK;
}

void abut_world_destroy(abut_world *world) {
    if (world == NULL) {
        return;
    }
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        abut_shape_release(world->bodies[slot].shape);
        memory_release(world->bodies[slot].surfaces);
        cell_free(world->bodies[slot].cell);
    }
    memory_release(world->bodies);
    memory_release(world->springs);
    memory_release(world->joints);
    memory_release(world->bonds.bonds);
    memory_release(world->excluded.keys);
    memory_release(world->pairs);
    watch_release(&world->watch);
    broad_release(&world->broad);
    contact_store_release(&world->contacts);
    contact_store_release(&world->next);
    fixed_release(world->fixed);
    event_release(world->event);
    dem_release(world->dem);
    query_release(world->query);
    events_release(world->events);
    memory_release(world);
}

abut_status abut_world_step(abut_world *world, double dt, abut_step_report *report) {
    if (argument_is_null(CALL_NAME, "world", world) || argument_is_not_positive(CALL_NAME, "dt", dt) ||
        argument_is_not_finite(CALL_NAME, "dt", dt)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_step_report made;
    if (!events_begin(world)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    watch_begin(world);
    abut_status status = world->def.stepper == ABUT_STEPPER_EVENT ? event_step(world, dt, &made)
                         : world->def.stepper == ABUT_STEPPER_DEM ? dem_step(world, dt, &made)
                                                                  : fixed_step(world, dt, &made);
    if (status == ABUT_OK) {
        events_end(world, dt);
    }
    if (status == ABUT_OK && report != NULL) {
        watch_count_left(world, &made);
        *report = made;
    }
    return status;
}

abut_status abut_world_check(const abut_world *world) {
    if (argument_is_null(CALL_NAME, "world", world)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    return world->def.stepper == ABUT_STEPPER_DEM ? dem_check(world) : world_takes_bodies(world);
}

abut_status abut_world_report(const abut_world *world, abut_step_report *report) {
    if (argument_is_null(CALL_NAME, "world", world) || argument_is_null(CALL_NAME, "report", report)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_step_report made;
    report_fill(world, &made);
    abut_status status = dem_energies(world, &made.dem);
    if (status == ABUT_OK) {
        *report = made;
    }
    return status;
}
