/*
 * Outlets and measures in a simulation. Their counters are their columns of the row of the time series. Sums run over the bodies in the order of the scene, and
 * over the contacts in the order of the world, so they do not depend on threads.
 */
#include "io/scene/process/running.h"

#include <math.h>
#include <stdlib.h>

#include "io/scene/process/servo.h"
#include "io/scene/simulation_data.h"

/* ---- periodic space ---- */

/* What brings a point to its image at or above `from`, less than a period away along each periodic axis. Bodies keep their coordinates when they fly round. */
static abut_vec3 shift_to_image(const abut_scene *scene, abut_vec3 point, abut_vec3 from) {
    const abut_dem_settings *dem = &scene->world.dem;
    const double *p = &point.x, *f = &from.x, *lower = &dem->lower.x, *upper = &dem->upper.x;
    double shift[3] = {0.0, 0.0, 0.0};
    for (int axis = 0; axis < 3 && scene->world.stepper == ABUT_STEPPER_DEM; axis++) {
        double period = upper[axis] - lower[axis];
        shift[axis] = dem->periodic[axis] ? -period * floor((p[axis] - f[axis]) / period) : 0.0;
    }
    return abut_vec3_make(shift[0], shift[1], shift[2]);
}

/* Whether a point or an image of it lies in a box, or its image in the periodic space in a half space. */
static bool region_has(const abut_scene *scene, const process_region *region, abut_vec3 point) {
    abut_vec3 from = region->is_box ? region->lower : scene->world.dem.lower;
    return process_contains(region, abut_add(point, shift_to_image(scene, point, from)));
}

/* ---- outlets ---- */

static double *outlet_series(abut_simulation *simulation, int32_t outlet) {
    return simulation->series + INLET_SERIES * simulation->scene->inlet_count + OUTLET_SERIES * outlet;
}

/* The outlet that a point is in; -1 for none. */
static int32_t outlet_at(const abut_scene *scene, abut_vec3 point) {
    for (int32_t i = 0; i < scene->outlet_count; i++) {
        if (region_has(scene, &scene->outlets[i].region, point)) {
            return i;
        }
    }
    return -1;
}

abut_status simulation_drain(abut_simulation *simulation, abut_error *error) {
    const abut_scene *scene = simulation->scene;
    for (int32_t i = 0; i < scene->body_count && scene->outlet_count > 0; i++) {
        abut_body_state state;
        abut_body_info info;
        if (scene->bodies[i].def.kind != ABUT_BODY_DYNAMIC ||
            abut_world_body_state(simulation->world, simulation->bodies[i], &state) != ABUT_OK) {
            continue;
        }
        int32_t outlet = outlet_at(scene, state.centre);
        if (outlet < 0) {
            continue;
        }
        (void)abut_world_body_info(simulation->world, simulation->bodies[i], &info);
        abut_status status = abut_world_remove_body(simulation->world, simulation->bodies[i]);
        if (status != ABUT_OK) {
            return abut_fail(error, status, "%s: outlet '%s' at %g s: %s", abut_scene_path(scene), scene->outlets[outlet].name,
                             abut_simulation_time(simulation), abut_status_message(status));
        }
        outlet_series(simulation, outlet)[OUTLET_COUNT] += 1.0;
        outlet_series(simulation, outlet)[OUTLET_MASS] += info.mass;
    }
    return ABUT_OK;
}

/* ---- forces ---- */

static bool is_of(const scene_measure *measure, const abut_simulation *simulation, abut_body_id id) {
    for (int32_t i = 0; i < measure->body_count; i++) {
        abut_body_id body = simulation->bodies[measure->bodies[i]];
        if (body.index == id.index && body.generation == id.generation) {
            return true;
        }
    }
    return false;
}

/* Forces between two bodies of the measure cancel. */
static void measure_force(const abut_simulation *simulation, const scene_measure *measure, double *series) {
    const abut_world_contact *contacts = NULL;
    int32_t count = 0;
    abut_vec3 force = {0, 0, 0}, torque = {0, 0, 0};
    (void)abut_world_contacts(simulation->world, &contacts, &count);
    for (int32_t i = 0; i < count; i++) {
        const abut_world_contact *c = &contacts[i];
        bool a = is_of(measure, simulation, c->a), b = is_of(measure, simulation, c->b);
        if (a != b) {
            abut_vec3 on_a = abut_add_scaled(c->friction_force, c->normal_force, c->contact.normal);
            abut_vec3 one = abut_scale(a ? 1.0 : -1.0, on_a), point = abut_lerp(c->contact.on_a, c->contact.on_b, 0.5);
            force = abut_add(force, one);
            torque = abut_add(torque, abut_cross(abut_sub(point, measure->about), one));
        }
    }
    const double row[FORCE_SERIES] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
    for (int k = 0; k < FORCE_SERIES; k++) {
        series[k] = row[k];
    }
}

/* ---- flow ---- */

/* The centre of mass of a dynamic body; NaN when it is not there. */
static abut_vec3 centre_of(const abut_simulation *simulation, int32_t body) {
    abut_body_state state;
    bool there = simulation->scene->bodies[body].def.kind == ABUT_BODY_DYNAMIC &&
                 abut_world_body_state(simulation->world, simulation->bodies[body], &state) == ABUT_OK;
    return there ? state.centre : abut_vec3_make(NAN, NAN, NAN);
}

void simulation_note_centres(abut_simulation *simulation) {
    for (int32_t i = 0; i < simulation->scene->body_count && simulation->centres; i++) {
        simulation->centres[i] = centre_of(simulation, i);
    }
}

/* Where images begin along an axis: half a period before a plane across the axis, so that a plane on the border counts, too. */
static double images_from(double normal, double offset, double lower, double upper) {
    return fabs(normal) == 1.0 ? normal * offset - 0.5 * (upper - lower) : lower;
}

/* 1 when a way passes the plane along its normal, -1 when it passes it back, else 0. The way is moved to where the image of its start is. */
static int passage(const abut_scene *scene, const scene_measure *m, abut_vec3 start, abut_vec3 end) {
    abut_vec3 lower = scene->world.dem.lower, upper = scene->world.dem.upper;
    abut_vec3 from =
        abut_vec3_make(images_from(m->normal.x, m->offset, lower.x, upper.x), images_from(m->normal.y, m->offset, lower.y, upper.y),
                       images_from(m->normal.z, m->offset, lower.z, upper.z));
    abut_vec3 shift = shift_to_image(scene, start, from);
    bool before = abut_dot(m->normal, abut_add(start, shift)) > m->offset, after = abut_dot(m->normal, abut_add(end, shift)) > m->offset;
    return after - before;
}

static void measure_flow(const abut_simulation *simulation, const scene_measure *measure, double dt, double *series) {
    const abut_scene *scene = simulation->scene;
    double count = 0.0, mass = 0.0;
    for (int32_t i = 0; i < scene->body_count && dt > 0.0; i++) {
        abut_vec3 start = simulation->centres[i], end = centre_of(simulation, i);
        int passed = abut_vec3_is_finite(start) && abut_vec3_is_finite(end) ? passage(scene, measure, start, end) : 0;
        if (passed != 0) {
            abut_body_info info;
            (void)abut_world_body_info(simulation->world, simulation->bodies[i], &info);
            count += passed;
            mass += passed * info.mass;
        }
    }
    series[FLOW_COUNT] += count;
    series[FLOW_MASS] += mass;
    series[FLOW_RATE] = dt > 0.0 ? mass / dt : 0.0;
}

/* ---- averages ---- */

/* Translation, and rotation about the centre of mass. */
static double kinetic_energy(const abut_body_info *info, const abut_body_state *state) {
    abut_vec3 spin = abut_quat_rotate(abut_quat_conjugate(state->pose.rotation), state->motion.angular);
    double turning =
        abut_dot(spin, abut_vec3_make(abut_dot(info->inertia.x, spin), abut_dot(info->inertia.y, spin), abut_dot(info->inertia.z, spin)));
    return 0.5 * (info->mass * abut_length_squared(state->motion.linear) + turning);
}

static void measure_average(const abut_simulation *simulation, const scene_measure *measure, double *series) {
    const abut_scene *scene = simulation->scene;
    double count = 0.0, mass = 0.0, volume = 0.0, energy = 0.0;
    abut_vec3 momentum = {0, 0, 0}, room = abut_sub(measure->region.upper, measure->region.lower);
    for (int32_t i = 0; i < scene->body_count; i++) {
        abut_body_state state;
        abut_body_info info;
        if (scene->bodies[i].def.kind != ABUT_BODY_DYNAMIC ||
            abut_world_body_state(simulation->world, simulation->bodies[i], &state) != ABUT_OK ||
            !region_has(scene, &measure->region, state.centre)) {
            continue;
        }
        (void)abut_world_body_info(simulation->world, simulation->bodies[i], &info);
        count += 1.0;
        mass += info.mass;
        volume += simulation->volumes[i];
        energy += kinetic_energy(&info, &state);
        momentum = abut_add_scaled(momentum, info.mass, state.motion.linear);
    }
    abut_vec3 mean = mass > 0.0 ? abut_scale(1.0 / mass, momentum) : momentum;
    series[AVERAGE_COUNT] = count;
    series[AVERAGE_MASS] = mass;
    series[AVERAGE_FRACTION] = volume / (room.x * room.y * room.z);
    series[AVERAGE_VELOCITY] = mean.x;
    series[AVERAGE_VELOCITY + 1] = mean.y;
    series[AVERAGE_VELOCITY + 2] = mean.z;
    series[AVERAGE_ENERGY] = energy;
}

/* ---- all ---- */

static bool has_measure(const abut_scene *scene, measure_kind kind) {
    bool found = false;
    for (int32_t i = 0; i < scene->measure_count; i++) {
        found = found || scene->measures[i].kind == kind;
    }
    return found;
}

bool simulation_prepare_measures(abut_simulation *simulation) {
    const abut_scene *scene = simulation->scene;
    size_t bodies = (size_t)scene->body_count + 1;
    simulation->series = calloc((size_t)scene->series_count + 1, sizeof *simulation->series);
    bool averages = has_measure(scene, MEASURE_AVERAGE), flows = has_measure(scene, MEASURE_FLOW);
    simulation->centres = flows ? calloc(bodies, sizeof *simulation->centres) : NULL;
    simulation->volumes = averages ? calloc(bodies, sizeof *simulation->volumes) : NULL;
    for (int32_t i = 0; i < scene->body_count && simulation->volumes; i++) {
        abut_mass solid = {0};
        (void)abut_shape_mass(scene->bodies[i].def.shape, 1.0, &solid);
        simulation->volumes[i] = solid.volume;
    }
    return simulation->series && (simulation->centres || !flows) && (simulation->volumes || !averages);
}

void simulation_measure(abut_simulation *simulation, double dt) {
    const abut_scene *scene = simulation->scene;
    double *series = simulation->series;
    for (int32_t i = 0; i < scene->inlet_count; i++, series += INLET_SERIES) {
        abut_inlet_state state = {0};
        (void)abut_simulation_inlet(simulation, i, &state);
        series[INLET_COUNT] = state.placed;
        series[INLET_MASS] = state.mass;
        series[INLET_WAITING] = state.due - state.placed;
    }
    simulation_measure_servos(simulation);
    series += OUTLET_SERIES * scene->outlet_count + SERVO_SERIES * scene->servo_count;
    for (int32_t i = 0; i < scene->measure_count; i++) {
        const scene_measure *measure = &scene->measures[i];
        if (measure->kind == MEASURE_FORCE) {
            measure_force(simulation, measure, series);
            series += FORCE_SERIES;
        } else if (measure->kind == MEASURE_FLOW) {
            measure_flow(simulation, measure, dt, series);
            series += FLOW_SERIES;
        } else {
            measure_average(simulation, measure, series);
            series += AVERAGE_SERIES;
        }
    }
}

abut_status abut_simulation_outlet(const abut_simulation *simulation, int32_t index, abut_outlet_state *state) {
    if (!simulation || !state || index < 0 || index >= simulation->scene->outlet_count) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    const double *series = simulation->series + INLET_SERIES * simulation->scene->inlet_count + OUTLET_SERIES * index;
    *state = (abut_outlet_state){(int64_t)series[OUTLET_COUNT], series[OUTLET_MASS]};
    return ABUT_OK;
}

const double *abut_simulation_series(const abut_simulation *simulation) { return simulation->series; }
