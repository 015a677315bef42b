/* The bodies are added to a world without gravity, at rest. The report of its first step gives the deepest contact at their poses. */
#include "world/quality.h"

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
static abut_status fill(abut_world *world, const scene *of, const engine_body *bodies, double *kinetic) {
    abut_status status = ABUT_OK;
    for (int32_t i = 0; i < of->wall_count && status == ABUT_OK; i++) {
        abut_shape *shape = scene_abut_shape(&of->wall_shapes[of->walls[i].shape]);
        status = add(world, shape, of->walls[i].pose, false);
        abut_shape_release(shape);
    }
    for (int32_t k = 0; k < of->shape_count; k++) {
        abut_shape *shape = scene_abut_shape(&of->shapes[k]);
        abut_mass mass;
        status = status == ABUT_OK ? abut_shape_mass(shape, of->density, &mass) : status;
        for (int32_t i = 0; i < of->body_count && status == ABUT_OK; i++) {
            if (of->bodies[i].shape == k) {
                status = add(world, shape, bodies[i].pose, true);
                *kinetic += kinetic_energy(&mass, &bodies[i]);
            }
        }
        abut_shape_release(shape);
    }
    return status;
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
    double kinetic = 0.0;
    abut_step_report report;
    bool fine = fill(world, of, bodies, &kinetic) == ABUT_OK && abut_world_step(world, 1e-6, &report) == ABUT_OK;
    abut_world_destroy(world);
    if (fine) {
        *found = (quality){report.max_penetration, kinetic / of->body_count};
    }
    return fine;
}
