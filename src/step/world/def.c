/* The definition of a world: its defaults, and the check of its settings. */
#include "step/world/def.h"

#include <abut/world_events.h>

#include <math.h>

#include "base/argument.h"
#include "narrow/pair.h"
#include "step/world/meet/substances.h"

abut_world_def abut_world_def_default(void) {
    abut_world_def def = {.gravity = {0.0, 0.0, -9.81}, .method = ABUT_METHOD_PATCH, .collide = abut_collide_settings_default()};
    def.fixed = (abut_fixed_settings){.exact = false,
                                      .effort = 8,
                                      .substeps = 4,
                                      .iterations = 8,
                                      .contact_frequency = 30.0,
                                      .contact_damping = 10.0,
                                      .max_push_speed = 3.0,
                                      .restitution_speed = 0.5,
                                      .margin = 0.02,
                                      .contacts_per_patch = 32,
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
    def.hit_speed = 1.0;
    def.dem = (abut_dem_settings){.step_share = 0.1, .skin = 0.3, .mode = ABUT_PRESSURE_AREA};
    return def;
}

static const char *const maker = "abut_world_def_default";

typedef struct named {
    const char *name;
    double value;
} named;

static bool are_not_finite(const char *call, const named *numbers, int count) {
    for (int i = 0; i < count; i++) {
        if (argument_is_not_finite(call, numbers[i].name, numbers[i].value)) {
            return true;
        }
    }
    return false;
}

/* The first `positive` numbers must be above 0, the others at least 0. */
static bool are_out_of_range(const char *call, const named *numbers, int positive, int count) {
    for (int i = 0; i < count; i++) {
        if (i < positive ? argument_is_not_positive(call, numbers[i].name, numbers[i].value)
                         : argument_is_negative(call, numbers[i].name, numbers[i].value)) {
            return true;
        }
    }
    return false;
}

static bool is_no_choice(const char *call, const char *argument, int value, int most) {
    return (value < 0 || value > most) && refused_outside(call, argument, value, 0.0, most);
}

static abut_status check_fixed(const char *call, const abut_fixed_settings *s) {
    enum { POSITIVE = 3, ALL = 7 };
    const named numbers[ALL] = {{"def->fixed.contact_frequency", s->contact_frequency},
                                {"def->fixed.contact_damping", s->contact_damping},
                                {"def->fixed.max_push_speed", s->max_push_speed},
                                {"def->fixed.restitution_speed", s->restitution_speed},
                                {"def->fixed.margin", s->margin},
                                {"def->fixed.sleep_speed", s->sleep_speed},
                                {"def->fixed.sleep_time", s->sleep_time}};
    if (argument_is_zero(s, sizeof *s)) {
        return refuse_zero(call, "def->fixed", maker);
    }
    if (are_not_finite(call, numbers, ALL)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    bool bad = argument_is_below(call, "def->fixed.effort", s->effort, 1) ||
               argument_is_below(call, "def->fixed.substeps", s->substeps, 1) ||
               argument_is_below(call, "def->fixed.iterations", s->iterations, 1) ||
               argument_is_below(call, "def->fixed.contacts_per_patch", s->contacts_per_patch, 0) ||
               are_out_of_range(call, numbers, POSITIVE, ALL);
    return bad ? ABUT_ERROR_INVALID_ARGUMENT : ABUT_OK;
}

static abut_status check_event(const char *call, const abut_event_settings *s) {
    enum { POSITIVE = 3, ALL = 5 };
    const named numbers[ALL] = {{"def->event.tolerance", s->tolerance},
                                {"def->event.touching", s->touching},
                                {"def->event.resting_speed", s->resting_speed},
                                {"def->event.restitution_speed", s->restitution_speed},
                                {"def->event.drift_rate", s->drift_rate}};
    if (argument_is_zero(s, sizeof *s)) {
        return refuse_zero(call, "def->event", maker);
    }
    if (isnan(s->longest_step)) {
        return refuse(ABUT_ERROR_NOT_FINITE, call, "def->event.longest_step is NaN");
    }
    if (are_not_finite(call, numbers, ALL)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (!isfinite(s->tolerance + s->touching + s->resting_speed + s->restitution_speed + s->drift_rate)) {
        return refuse(ABUT_ERROR_NOT_FINITE, call, "def->event: the numbers are too large");
    }
    bool bad = are_out_of_range(call, numbers, POSITIVE, ALL) ||
               argument_is_not_positive(call, "def->event.longest_step", s->longest_step) ||
               argument_is_below(call, "def->event.event_limit", s->event_limit, 1) ||
               is_no_choice(call, "def->event.impulses", (int)s->impulses, ABUT_IMPULSES_SEQUENTIAL);
    return bad ? ABUT_ERROR_INVALID_ARGUMENT : ABUT_OK;
}

static bool is_empty_space(const char *call, const abut_dem_settings *s) {
    const double lower[3] = {s->lower.x, s->lower.y, s->lower.z}, upper[3] = {s->upper.x, s->upper.y, s->upper.z};
    for (int i = 0; i < 3; i++) {
        if (s->periodic[i] && !(lower[i] < upper[i])) {
            return refused(call, "def->dem.lower.%c is %.9g, not below def->dem.upper.%c, along which space is periodic", "xyz"[i],
                           lower[i], "xyz"[i]);
        }
    }
    return false;
}

static abut_status check_dem(const char *call, const abut_dem_settings *s) {
    if (argument_is_zero(s, sizeof *s)) {
        return refuse_zero(call, "def->dem", maker);
    }
    if (argument_is_not_finite(call, "def->dem.step", s->step) || argument_is_not_finite(call, "def->dem.skin", s->skin) ||
        argument_is_no_vector(call, "def->dem.lower", s->lower) || argument_is_no_vector(call, "def->dem.upper", s->upper)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    bool bad = argument_is_negative(call, "def->dem.step", s->step) ||
               argument_is_not_positive(call, "def->dem.step_share", s->step_share) ||
               argument_is_outside(call, "def->dem.step_share", s->step_share, 0.0, 1.0) ||
               argument_is_not_positive(call, "def->dem.skin", s->skin) ||
               is_no_choice(call, "def->dem.mode", (int)s->mode, ABUT_PRESSURE_POINT) || is_empty_space(call, s);
    return bad ? ABUT_ERROR_INVALID_ARGUMENT : ABUT_OK;
}

/* As abut_collide() judges them, so that a step cannot fail over them. */
static abut_status check_collide(const char *call, const abut_collide_settings *s) {
    abut_collide_settings collide = *s;
    collide.margin = 0.0; /* ignored: fixed.margin rules */
    abut_status status = collide_check_settings(&collide);
    if (status != ABUT_OK) {
        collide_refuse_settings(call, "def->collide.", &collide);
    }
    return status;
}

static abut_status check_events(const char *call, const abut_world_def *def) {
    if (def->events > ABUT_EVENT_ALL) {
        return refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "def->events has bits of no kind of event");
    }
    if (argument_is_not_finite(call, "def->hit_speed", def->hit_speed)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    return argument_is_negative(call, "def->hit_speed", def->hit_speed) ? ABUT_ERROR_INVALID_ARGUMENT : ABUT_OK;
}

abut_status world_def_check(const char *call, const abut_world_def *def) {
    if (argument_is_zero(def, sizeof *def)) {
        return refuse_zero(call, "def", maker);
    }
    if (argument_is_no_vector(call, "def->gravity", def->gravity)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (is_no_choice(call, "def->method", (int)def->method, ABUT_METHOD_TRACKING) ||
        is_no_choice(call, "def->stepper", (int)def->stepper, ABUT_STEPPER_DEM)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (def->surfaces.meet != NULL && def->stepper != ABUT_STEPPER_FIXED) {
        return refuse(ABUT_ERROR_UNSUPPORTED, call, "def->surfaces: only the fixed stepper has a rule for surfaces");
    }
    abut_status status = substances_check(call, def);
    status = status == ABUT_OK ? check_events(call, def) : status;
    status = status == ABUT_OK ? check_collide(call, &def->collide) : status;
    status = status == ABUT_OK ? check_fixed(call, &def->fixed) : status;
    status = status == ABUT_OK ? check_event(call, &def->event) : status;
    return status == ABUT_OK ? check_dem(call, &def->dem) : status;
}
