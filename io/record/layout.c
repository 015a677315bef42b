/*
 * The tables of a recording.
 */
#include "io/record/layout.h"

#include "io/record/recording.h"

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
};

const layout_field layout_contact[LAYOUT_CONTACT_FIELDS] = {
    {"a", offsetof(abut_recorded_contact, a), LAYOUT_INT32, 1},
    {"b", offsetof(abut_recorded_contact, b), LAYOUT_INT32, 1},
    {"on_a", offsetof(abut_recorded_contact, contact.on_a), LAYOUT_DOUBLE, 3},
    {"on_b", offsetof(abut_recorded_contact, contact.on_b), LAYOUT_DOUBLE, 3},
    {"normal", offsetof(abut_recorded_contact, contact.normal), LAYOUT_DOUBLE, 3},
    {"gap", offsetof(abut_recorded_contact, contact.gap), LAYOUT_DOUBLE, 1},
    {"area", offsetof(abut_recorded_contact, contact.area), LAYOUT_DOUBLE, 1},
    {"feature_a", offsetof(abut_recorded_contact, contact.feature_a), LAYOUT_INT32, 3},
    {"feature_b", offsetof(abut_recorded_contact, contact.feature_b), LAYOUT_INT32, 3},
    {"id", offsetof(abut_recorded_contact, contact.id), LAYOUT_UINT64, 1},
    {"patch", offsetof(abut_recorded_contact, contact.patch), LAYOUT_INT32, 1},
    {"flags", offsetof(abut_recorded_contact, contact.flags), LAYOUT_UINT32, 1},
    {"normal_force", offsetof(abut_recorded_contact, normal_force), LAYOUT_DOUBLE, 1},
    {"friction_force", offsetof(abut_recorded_contact, friction_force), LAYOUT_DOUBLE, 3},
};

/* A feature is stored as three integers in a row. */
_Static_assert(sizeof(abut_feature) == 3 * sizeof(int32_t), "abut_feature is three packed integers");
_Static_assert(sizeof(abut_vec3) == 3 * sizeof(double), "abut_vec3 is three packed doubles");

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
