/*
 * Reads the settings of the dem stepper, the condition of rest and the materials of bodies. Refuses a periodic space that is too short.
 */
#include "io/scene/dem.h"

#include <math.h>

#include "io/scene/data.h"

static const double pi = 3.14159265358979323846;

/* Limit of integration steps in one step of the scene. A larger number is probably a mistake of units. */
static const double most_steps = 1e9;

static const char *const axis_names[] = {"x", "y", "z"};

/* ---- stepper ---- */

static abut_status read_span(const scene_reader *reader, const scene_place *place, const char *axis, double *lower, double *upper) {
    double span[2];
    abut_status status = read_numbers_at(reader, place, axis, 2, span);
    if (status != ABUT_OK) {
        return status;
    }
    if (!(span[0] < span[1])) {
        return read_fail(reader, place, "'%s' must be [from, to], the second above the first, not [%g, %g]", axis, span[0], span[1]);
    }
    *lower = span[0];
    *upper = span[1];
    return ABUT_OK;
}

static abut_status read_periodic(const scene_reader *reader, const scene_place *stepper, abut_dem_settings *dem) {
    scene_place place, span;
    if (!read_member(stepper, "periodic", &place)) {
        return ABUT_OK;
    }
    double *lower[] = {&dem->lower.x, &dem->lower.y, &dem->lower.z}, *upper[] = {&dem->upper.x, &dem->upper.y, &dem->upper.z};
    abut_status status = read_object(reader, &place, SCENE_PERIODIC, "'periodic'");
    for (int axis = 0; axis < 3 && status == ABUT_OK; axis++) {
        dem->periodic[axis] = read_member(&place, axis_names[axis], &span);
        status = dem->periodic[axis] ? read_span(reader, &span, axis_names[axis], lower[axis], upper[axis]) : status;
    }
    return status;
}

static abut_status read_step(const scene_reader *reader, const scene_place *stepper, abut_dem_settings *dem) {
    scene_place place;
    if (!read_member(stepper, "step", &place)) {
        return ABUT_OK;
    }
    abut_status status = read_number_at(reader, &place, "step", NUMBER_POSITIVE, &dem->step);
    if (status == ABUT_OK && !(reader->scene->dt / dem->step <= most_steps)) {
        status = read_fail(reader, &place, "a 'dt' of %g in steps of %g is more than %g steps", reader->scene->dt, dem->step, most_steps);
    }
    return status;
}

static abut_status read_share(const scene_reader *reader, const scene_place *stepper, abut_dem_settings *dem) {
    scene_place place;
    if (!read_member(stepper, "step_share", &place)) {
        return ABUT_OK;
    }
    if (json_object_get(stepper->value, "step")) {
        return read_fail_as(reader, ABUT_ERROR_FORMAT, &place, true, "'stepper' has both 'step' and 'step_share'");
    }
    abut_status status = read_number_at(reader, &place, "step_share", NUMBER_POSITIVE, &dem->step_share);
    if (status == ABUT_OK && dem->step_share > 1.0) {
        status = read_fail(reader, &place, "'step_share' must be above 0 and up to 1, not %g", dem->step_share);
    }
    return status;
}

abut_status scene_dem_read_stepper(const scene_reader *reader, const scene_place *place, abut_dem_settings *dem) {
    static const char *const modes[] = {"area", "point", NULL};
    int mode = dem->mode == ABUT_PRESSURE_POINT;
    abut_status status = read_object(reader, place, SCENE_DEM_STEPPER, "'stepper' of kind 'dem'");
    if (status == ABUT_OK) {
        status = read_step(reader, place, dem);
    }
    if (status == ABUT_OK) {
        status = read_share(reader, place, dem);
    }
    if (status == ABUT_OK) {
        status = read_number(reader, place, "skin", NUMBER_POSITIVE, &dem->skin);
    }
    if (status == ABUT_OK) {
        status = read_choice(reader, place, "mode", modes, &mode);
    }
    dem->mode = mode == 0 ? ABUT_PRESSURE_AREA : ABUT_PRESSURE_POINT;
    return status == ABUT_OK ? read_periodic(reader, place, dem) : status;
}

/* ---- until ---- */

abut_status scene_dem_read_rest(const scene_reader *reader, const scene_place *place, const char *what, abut_scene_until *rest) {
    *rest = (abut_scene_until){.residual = 1e-3, .kinetic = 1e-4};
    abut_status status = read_object(reader, place, SCENE_UNTIL, what);
    status = status == ABUT_OK ? read_number(reader, place, "residual", NUMBER_POSITIVE, &rest->residual) : status;
    return status == ABUT_OK ? read_number(reader, place, "kinetic", NUMBER_POSITIVE, &rest->kinetic) : status;
}

abut_status scene_dem_read_until(const scene_reader *reader) {
    abut_scene *scene = reader->scene;
    scene_place place;
    if (!read_member(&reader->root, "until", &place)) {
        return ABUT_OK;
    }
    if (scene->world.stepper != ABUT_STEPPER_DEM) {
        return read_fail_as(reader, ABUT_ERROR_FORMAT, &place, true, "'until' is for the dem stepper: \"stepper\": {\"kind\": \"dem\"}");
    }
    scene->has_until = true;
    return scene_dem_read_rest(reader, &place, "'until'", &scene->until);
}

/* ---- materials and bodies ---- */

static abut_status read_liquid(const scene_reader *reader, const scene_place *place, abut_body_def *def) {
    scene_place angle;
    double degrees = def->contact_angle * 180.0 / pi;
    abut_status status = read_number(reader, place, "liquid_volume", NUMBER_NOT_NEGATIVE, &def->liquid_volume);
    if (status == ABUT_OK) {
        status = read_number(reader, place, "surface_tension", NUMBER_NOT_NEGATIVE, &def->surface_tension);
    }
    if (status != ABUT_OK || !read_member(place, "contact_angle_degrees", &angle)) {
        return status;
    }
    status = read_number_at(reader, &angle, "contact_angle_degrees", NUMBER_NOT_NEGATIVE, &degrees);
    if (status == ABUT_OK && degrees > 90.0) {
        return read_fail(reader, &angle, "'contact_angle_degrees' must be from 0 to 90, not %g", degrees);
    }
    def->contact_angle = degrees / 180.0 * pi;
    return status;
}

abut_status scene_dem_read_material(const scene_reader *reader, const scene_place *place, abut_body_def *def) {
    scene_place poisson;
    abut_status status = read_number(reader, place, "young", NUMBER_POSITIVE, &def->material.young);
    if (status == ABUT_OK) {
        status = read_number(reader, place, "poisson", NUMBER_ANY, &def->material.poisson);
    }
    if (status == ABUT_OK && !(def->material.poisson > -1.0 && def->material.poisson <= 0.5)) {
        read_member(place, "poisson", &poisson);
        status = read_fail(reader, &poisson, "'poisson' must be above -1 and up to 0.5, not %g", def->material.poisson);
    }
    if (status == ABUT_OK) {
        status = read_number(reader, place, "adhesion_work", NUMBER_NOT_NEGATIVE, &def->adhesion_work);
    }
    if (status == ABUT_OK) {
        status = read_number(reader, place, "adhesion_strength", NUMBER_NOT_NEGATIVE, &def->adhesion_strength);
    }
    if (status == ABUT_OK) {
        status = read_number(reader, place, "contact_stiffness", NUMBER_NOT_NEGATIVE, &def->contact_stiffness);
    }
    if (status == ABUT_OK && def->contact_stiffness > 0.0 && def->adhesion_work > 0.0) {
        scene_place stiffness;
        read_member(place, "contact_stiffness", &stiffness);
        status = read_fail_as(reader, ABUT_ERROR_FORMAT, &stiffness, true,
                              "there is no adhesion with a 'contact_stiffness'; leave out one of both");
    }
    return status == ABUT_OK ? read_liquid(reader, place, def) : status;
}

/* The stepper searches for near balls in cells, and a periodic space needs at least four cells along each axis. */
abut_status scene_dem_check_space(const scene_reader *reader) {
    const abut_scene *scene = reader->scene;
    const abut_dem_settings *dem = &scene->world.dem;
    double least = INFINITY, most = 0.0;
    for (int32_t i = 0; i < scene->body_count; i++) {
        const abut_shape *shape = scene->bodies[i].def.shape;
        if (abut_shape_kind(shape) == ABUT_SHAPE_SPHERE) {
            double radius = abut_shape_radius(shape);
            least = fmin(radius, least);
            most = fmax(radius, most);
        }
    }
    double needed = most > 0.0 ? 4.0 * most + 2.0 * dem->skin * least : 0.0;
    const double lengths[] = {dem->upper.x - dem->lower.x, dem->upper.y - dem->lower.y, dem->upper.z - dem->lower.z};
    for (int axis = 0; axis < 3; axis++) {
        if (scene->world.stepper == ABUT_STEPPER_DEM && dem->periodic[axis] && !(lengths[axis] > needed)) {
            scene_place stepper, periodic, span;
            read_member(&reader->root, "stepper", &stepper);
            read_member(&stepper, "periodic", &periodic);
            read_member(&periodic, axis_names[axis], &span);
            return read_fail(reader, &span,
                             "a periodic length of %g is too short for the largest ball of radius %g; it must be longer than %g",
                             lengths[axis], most, needed);
        }
    }
    return ABUT_OK;
}
