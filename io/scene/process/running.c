/*
 * Outlets and measures in a simulation. Their counters are their columns of the row of the time series. Sums run over the bodies in the order of the scene, and
 * over the contacts in the order of the world, so they do not depend on threads.
 */
#include "io/scene/process/running.h"

#include <stdlib.h>

#include "io/scene/process/servo.h"
#include "io/scene/simulation_data.h"

/* ---- outlets ---- */

static double *outlet_series(abut_simulation *simulation, int32_t outlet) {
    return simulation->series + INLET_SERIES * simulation->scene->inlet_count + OUTLET_SERIES * outlet;
}

/* The outlet that a point is in; -1 for none. */
static int32_t outlet_at(const abut_scene *scene, abut_vec3 point) {
    for (int32_t i = 0; i < scene->outlet_count; i++) {
        if (process_contains(&scene->outlets[i].region, point)) {
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

/* Whether a dynamic body is there, and where its centre of mass is. */
static bool find_centre(const abut_simulation *simulation, int32_t body, abut_vec3 *centre) {
    abut_body_state state;
    bool there = simulation->scene->bodies[body].def.kind == ABUT_BODY_DYNAMIC &&
                 abut_world_body_state(simulation->world, simulation->bodies[body], &state) == ABUT_OK;
    *centre = there ? state.centre : abut_vec3_make(0.0, 0.0, 0.0);
    return there;
}

/* The side of a plane: 1 beyond it, 0 before it, -1 for a body that is not there. */
static int8_t side_of(const abut_simulation *simulation, const scene_measure *measure, int32_t body) {
    abut_vec3 centre;
    return (int8_t)(find_centre(simulation, body, &centre) ? abut_dot(measure->normal, centre) > measure->offset : -1);
}

void simulation_note_sides(abut_simulation *simulation) {
    const abut_scene *scene = simulation->scene;
    for (int32_t m = 0; m < scene->measure_count; m++) {
        int8_t *sides = simulation->sides + (size_t)m * (size_t)scene->body_count;
        for (int32_t i = 0; i < scene->body_count && scene->measures[m].kind == MEASURE_FLOW; i++) {
            sides[i] = side_of(simulation, &scene->measures[m], i);
        }
    }
}

static void measure_flow(const abut_simulation *simulation, int32_t m, double dt, double *series) {
    const abut_scene *scene = simulation->scene;
    const int8_t *before = simulation->sides + (size_t)m * (size_t)scene->body_count;
    double count = 0.0, mass = 0.0;
    for (int32_t i = 0; i < scene->body_count && dt > 0.0; i++) {
        int8_t now = side_of(simulation, &scene->measures[m], i);
        if (before[i] >= 0 && now >= 0 && now != before[i]) {
            abut_body_info info;
            (void)abut_world_body_info(simulation->world, simulation->bodies[i], &info);
            count += now - before[i];
            mass += (now - before[i]) * info.mass;
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
            !process_contains(&measure->region, state.centre)) {
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

static bool has_averages(const abut_scene *scene) {
    bool found = false;
    for (int32_t i = 0; i < scene->measure_count; i++) {
        found = found || scene->measures[i].kind == MEASURE_AVERAGE;
    }
    return found;
}

bool simulation_prepare_measures(abut_simulation *simulation) {
    const abut_scene *scene = simulation->scene;
    simulation->series = calloc((size_t)scene->series_count + 1, sizeof *simulation->series);
    simulation->sides = calloc((size_t)scene->measure_count * (size_t)scene->body_count + 1, sizeof *simulation->sides);
    bool averages = has_averages(scene);
    simulation->volumes = averages ? calloc((size_t)scene->body_count + 1, sizeof *simulation->volumes) : NULL;
    for (int32_t i = 0; i < scene->body_count && simulation->volumes; i++) {
        abut_mass solid = {0};
        (void)abut_shape_mass(scene->bodies[i].def.shape, 1.0, &solid);
        simulation->volumes[i] = solid.volume;
    }
    return simulation->series && simulation->sides && (simulation->volumes || !averages);
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
            measure_flow(simulation, i, dt, series);
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
