/* The bodies are added to a world without gravity, at rest. The report of its first step gives the deepest contact at their poses. */
#include "world/quality.h"

#include <math.h>
#include <stdlib.h>

static abut_status add(abut_world *world, const abut_shape *shape, abut_pose pose, bool moves) {
    abut_body_def def = abut_body_def_default();
    def.kind = moves ? ABUT_BODY_DYNAMIC : ABUT_BODY_STATIC;
    def.shape = shape;
    def.pose = pose;
    return abut_world_add_body(world, &def, NULL);
}

static double kinetic_energy(const abut_mass *mass, const engine_body *body) {
    abut_vec3 w = abut_quat_rotate_inverse(body->pose.rotation, body->angular_velocity);
    return 0.5 * mass->mass * abut_length_squared(body->velocity) + 0.5 * abut_dot(w, abut_mat3_apply(mass->inertia, w));
}

/* Adds the static bodies of the scene, then the dynamic ones at their present poses. Sums up their kinetic energy. */
static abut_status fill(abut_world *world, const scene *of, const engine_body *bodies, double *kinetic, double *heavy) {
    abut_status status = ABUT_OK;
    for (int32_t i = 0; i < of->wall_count && status == ABUT_OK; i++) {
        abut_shape *shape = scene_abut_shape(&of->wall_shapes[of->walls[i].shape]);
        status = add(world, shape, of->walls[i].pose, false);
        abut_shape_release(shape);
    }
    for (int32_t k = 0; k < of->shape_count; k++) {
        abut_shape *shape = scene_abut_shape(&of->shapes[k]);
        abut_mass mass;
        status = status == ABUT_OK ? abut_shape_mass(shape, scene_density(of, k), &mass) : status;
        for (int32_t i = 0; i < of->body_count && status == ABUT_OK; i++) {
            if (of->bodies[i].shape == k) {
                status = add(world, shape, bodies[i].pose, true);
                *kinetic += kinetic_energy(&mass, &bodies[i]);
                *heavy += mass.mass;
            }
        }
        abut_shape_release(shape);
    }
    return status;
}

static int by_size(const void *p, const void *q) {
    double a = *(const double *)p, b = *(const double *)q;
    return (a > b) - (a < b);
}

/* The value with this share of the others below it; 0 for none. Sorts them. */
static double quantile(double *values, int32_t count, double share) {
    qsort(values, (size_t)count, sizeof *values, by_size);
    return count > 0 ? values[(int32_t)(share * (count - 1) + 0.5)] : 0.0;
}

/* Depths of the pairs of bodies that touch. */
static bool find_depths(const abut_world *world, quality *found) {
    const abut_world_contact *contacts;
    int32_t count = 0, pairs = 0;
    if (abut_world_contacts(world, &contacts, &count) != ABUT_OK) {
        return false;
    }
    double *depths = calloc((size_t)count + 1, sizeof *depths);
    for (int32_t i = 0; i < count && depths != NULL; i++) {
        bool same = i > 0 && contacts[i].a.index == contacts[i - 1].a.index && contacts[i].b.index == contacts[i - 1].b.index;
        double depth = contacts[i].contact.gap < 0.0 ? -contacts[i].contact.gap : 0.0;
        pairs += !same;
        depths[pairs - 1] = depth > depths[pairs - 1] ? depth : depths[pairs - 1];
    }
    bool fine = depths != NULL;
    if (fine) {
        found->deep = quantile(depths, pairs, 0.99);
        found->deepest = quantile(depths, pairs, 1.0);
    }
    free(depths);
    return fine;
}

/* How far the bodies have moved in the plane z = 0. */
static bool find_drift(const scene *of, const engine_body *bodies, quality *found) {
    double *ways = calloc((size_t)of->body_count, sizeof *ways);
    for (int32_t i = 0; i < of->body_count && ways != NULL; i++) {
        abut_vec3 way = abut_sub(bodies[i].pose.position, of->bodies[i].pose.position);
        ways[i] = sqrt(way.x * way.x + way.y * way.y);
    }
    bool fine = ways != NULL;
    if (fine) {
        found->drift = quantile(ways, of->body_count, 0.5);
        found->farthest = quantile(ways, of->body_count, 1.0);
    }
    free(ways);
    return fine;
}

bool quality_of(const scene *of, const engine_body *bodies, quality *found) {
    abut_world_def def = abut_world_def_default();
    def.gravity = abut_vec3_make(0.0, 0.0, 0.0);
    def.fixed.substeps = 1;
    def.fixed.iterations = 1;
    abut_world *world = NULL;
    if (abut_world_create(&def, &world) != ABUT_OK) {
        return false;
    }
    double kinetic = 0.0, heavy = 0.0;
    *found = (quality){.kinetic = 0.0};
    abut_step_report report;
    bool fine = fill(world, of, bodies, &kinetic, &heavy) == ABUT_OK && abut_world_step(world, 1e-6, &report) == ABUT_OK &&
                find_depths(world, found) && find_drift(of, bodies, found);
    abut_world_destroy(world);
    found->kinetic = kinetic / of->body_count;
    found->kinetic_per_mass = kinetic / heavy;
    return fine;
}
