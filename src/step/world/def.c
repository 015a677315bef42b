/* The definition of a world: its defaults, and the check of its settings. */
#include "step/world/def.h"

#include <math.h>

#include "narrow/pair.h"

abut_world_def abut_world_def_default(void) {
    abut_world_def def = {.gravity = {0.0, 0.0, -9.81}, .method = ABUT_METHOD_PATCH, .collide = abut_collide_settings_default()};
    def.fixed = (abut_fixed_settings){.substeps = 4,
                                      .iterations = 8,
                                      .contact_frequency = 30.0,
                                      .contact_damping = 10.0,
                                      .max_push_speed = 3.0,
                                      .restitution_speed = 0.5,
                                      .margin = 0.02,
                                      .sleeping = true,
                                      .sleep_speed = 0.01,
                                      .sleep_time = 0.5};
    def.event = (abut_event_settings){.tolerance = 1e-9,
                                      .touching = 1e-6,
                                      .resting_speed = 1e-5,
                                      .restitution_speed = 1e-3,
                                      .drift_rate = 20.0,
                                      .longest_step = INFINITY,
                                      .event_limit = 10000};
    def.dem = (abut_dem_settings){.step_share = 0.1, .skin = 0.3, .mode = ABUT_PRESSURE_AREA};
    return def;
}

static abut_status check_fixed(const abut_fixed_settings *s) {
    const double positive[] = {s->contact_frequency, s->contact_damping, s->max_push_speed};
    const double not_negative[] = {s->restitution_speed, s->margin, s->sleep_speed, s->sleep_time};
    bool fine = s->substeps >= 1 && s->iterations >= 1 && s->contacts_per_patch >= 0;
    for (size_t i = 0; i < sizeof positive / sizeof *positive; i++) {
        if (!isfinite(positive[i])) {
            return ABUT_ERROR_NOT_FINITE;
        }
        fine = fine && positive[i] > 0.0;
    }
    for (size_t i = 0; i < sizeof not_negative / sizeof *not_negative; i++) {
        if (!isfinite(not_negative[i])) {
            return ABUT_ERROR_NOT_FINITE;
        }
        fine = fine && not_negative[i] >= 0.0;
    }
    return fine ? ABUT_OK : ABUT_ERROR_INVALID_ARGUMENT;
}

static abut_status check_event(const abut_event_settings *s) {
    if (isnan(s->longest_step) || !isfinite(s->tolerance + s->touching + s->resting_speed + s->restitution_speed + s->drift_rate)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    bool positive = s->tolerance > 0.0 && s->touching > 0.0 && s->resting_speed > 0.0 && s->longest_step > 0.0;
    bool fine = s->restitution_speed >= 0.0 && s->drift_rate >= 0.0 && s->event_limit >= 1 && s->impulses >= ABUT_IMPULSES_SIMULTANEOUS &&
                s->impulses <= ABUT_IMPULSES_SEQUENTIAL;
    return positive && fine ? ABUT_OK : ABUT_ERROR_INVALID_ARGUMENT;
}

static abut_status check_dem(const abut_dem_settings *s) {
    if (!isfinite(s->step) || !isfinite(s->skin) || !abut_vec3_is_finite(s->lower) || !abut_vec3_is_finite(s->upper)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    bool fine = s->step >= 0.0 && s->step_share > 0.0 && s->step_share <= 1.0 && s->skin > 0.0 &&
                (s->mode == ABUT_PRESSURE_AREA || s->mode == ABUT_PRESSURE_POINT);
    fine = fine && (!s->periodic[0] || s->lower.x < s->upper.x) && (!s->periodic[1] || s->lower.y < s->upper.y) &&
           (!s->periodic[2] || s->lower.z < s->upper.z);
    return fine ? ABUT_OK : ABUT_ERROR_INVALID_ARGUMENT;
}

/* The same check as in abut_collide(), so that a step cannot fail because of these settings. */
static abut_status check_collide(const abut_collide_settings *s) {
    abut_collide_settings used = *s;
    used.margin = 0.0;
    return collide_check_settings(&used);
}

abut_status world_def_check(const abut_world_def *def) {
    if (!abut_vec3_is_finite(def->gravity)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (def->method != ABUT_METHOD_PATCH && def->method != ABUT_METHOD_TRACKING) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (def->stepper != ABUT_STEPPER_FIXED && def->stepper != ABUT_STEPPER_EVENT && def->stepper != ABUT_STEPPER_DEM) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_status status = check_collide(&def->collide);
    status = status == ABUT_OK ? check_fixed(&def->fixed) : status;
    status = status == ABUT_OK ? check_event(&def->event) : status;
    return status == ABUT_OK ? check_dem(&def->dem) : status;
}
