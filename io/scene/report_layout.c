/*
 * The fields of a step report.
 */
#include "io/scene/report_layout.h"

#include <abut/world.h>

const layout_field layout_step[LAYOUT_STEP_FIELDS] = {
    {"step", offsetof(abut_step_report, step), LAYOUT_INT64, 1},
    {"time", offsetof(abut_step_report, time), LAYOUT_DOUBLE, 1},
    {"bodies", offsetof(abut_step_report, bodies), LAYOUT_INT32, 1},
    {"awake", offsetof(abut_step_report, awake), LAYOUT_INT32, 1},
    {"candidates", offsetof(abut_step_report, candidates), LAYOUT_INT32, 1},
    {"touching", offsetof(abut_step_report, touching), LAYOUT_INT32, 1},
    {"contacts", offsetof(abut_step_report, contacts), LAYOUT_INT32, 1},
    {"max_penetration", offsetof(abut_step_report, max_penetration), LAYOUT_DOUBLE, 1},
    {"kinetic_energy", offsetof(abut_step_report, kinetic_energy), LAYOUT_DOUBLE, 1},
    {"potential_energy", offsetof(abut_step_report, potential_energy), LAYOUT_DOUBLE, 1},
    {"spring_energy", offsetof(abut_step_report, spring_energy), LAYOUT_DOUBLE, 1},
    {"seconds_broad", offsetof(abut_step_report, seconds_broad), LAYOUT_DOUBLE, 1},
    {"seconds_narrow", offsetof(abut_step_report, seconds_narrow), LAYOUT_DOUBLE, 1},
    {"seconds_solve", offsetof(abut_step_report, seconds_solve), LAYOUT_DOUBLE, 1},
    {"seconds_total", offsetof(abut_step_report, seconds_total), LAYOUT_DOUBLE, 1},
    {"event_steps", offsetof(abut_step_report, event.steps), LAYOUT_INT64, 1},
    {"event_rejected", offsetof(abut_step_report, event.rejected), LAYOUT_INT64, 1},
    {"event_evaluations", offsetof(abut_step_report, event.evaluations), LAYOUT_INT64, 1},
    {"event_tests", offsetof(abut_step_report, event.tests), LAYOUT_INT64, 1},
    {"event_hits", offsetof(abut_step_report, event.hits), LAYOUT_INT64, 1},
    {"event_misses", offsetof(abut_step_report, event.misses), LAYOUT_INT64, 1},
    {"event_discontinuities", offsetof(abut_step_report, event.discontinuities), LAYOUT_INT64, 1},
    {"event_impulses", offsetof(abut_step_report, event.impulses), LAYOUT_INT64, 1},
    {"dem_steps", offsetof(abut_step_report, dem.steps), LAYOUT_INT64, 1},
    {"dem_lists", offsetof(abut_step_report, dem.lists), LAYOUT_INT64, 1},
    {"dem_critical_step", offsetof(abut_step_report, dem.critical_step), LAYOUT_DOUBLE, 1},
    {"dem_near", offsetof(abut_step_report, dem.near), LAYOUT_INT32, 1},
    {"dem_sliding", offsetof(abut_step_report, dem.sliding), LAYOUT_INT32, 1},
    {"dem_elastic_energy", offsetof(abut_step_report, dem.elastic_energy), LAYOUT_DOUBLE, 1},
    {"dem_spring_energy", offsetof(abut_step_report, dem.spring_energy), LAYOUT_DOUBLE, 1},
    {"dem_damping_work", offsetof(abut_step_report, dem.damping_work), LAYOUT_DOUBLE, 1},
    {"dem_friction_work", offsetof(abut_step_report, dem.friction_work), LAYOUT_DOUBLE, 1},
    {"dem_residual", offsetof(abut_step_report, dem.residual), LAYOUT_DOUBLE, 1},
    {"event_repeats", offsetof(abut_step_report, event.repeats), LAYOUT_INT64, 1},
    {"sunk", offsetof(abut_step_report, sunk), LAYOUT_INT32, 1},
    {"engulfed", offsetof(abut_step_report, engulfed), LAYOUT_INT32, 1},
    {"left", offsetof(abut_step_report, left), LAYOUT_INT32, 1},
    {"sunk_body", offsetof(abut_step_report, sunk_body.index), LAYOUT_UINT32, 1},
    {"engulfed_body", offsetof(abut_step_report, engulfed_body.index), LAYOUT_UINT32, 1},
    {"left_body", offsetof(abut_step_report, left_body.index), LAYOUT_UINT32, 1},
    {"dem_bonds", offsetof(abut_step_report, dem.bonds), LAYOUT_INT32, 1},
    {"dem_broken", offsetof(abut_step_report, dem.broken), LAYOUT_INT32, 1},
};

size_t layout_cell_size(layout_cell cell) {
    switch (cell) {
    case LAYOUT_INT8:
        return 1;
    case LAYOUT_INT32:
    case LAYOUT_UINT32:
    case LAYOUT_FLOAT:
        return 4;
    default:
        return 8;
    }
}
