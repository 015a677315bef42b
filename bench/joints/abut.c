/* abut with its default settings. Sleep is off. */
#include "joints/engine.h"

#include <stdlib.h>

typedef struct instance {
    abut_world *world;
    abut_body_id *ids; /* [count] */
    int32_t count;
} instance;

static bool add_part(instance *to, const scene_part *part, int32_t i) {
    abut_shape *shape = NULL;
    abut_body_def def = abut_body_def_default();
    bool fine = (part->capsule ? abut_shape_create_capsule(part->half.x, part->half.z, &shape)
                               : abut_shape_create_box(part->half, &shape)) == ABUT_OK;
    def.kind = part->mass > 0.0 ? ABUT_BODY_DYNAMIC : ABUT_BODY_STATIC;
    def.shape = shape;
    def.pose = part->pose;
    def.mass = part->mass;
    def.friction = scene_friction;
    fine = fine && abut_world_add_body(to->world, &def, &to->ids[i]) == ABUT_OK;
    abut_shape_release(shape);
    return fine;
}

static bool add_joint(instance *to, const scene *of, const scene_joint *joint) {
    abut_joint_def def = abut_joint_def_default(joint->hinge ? ABUT_JOINT_REVOLUTE : ABUT_JOINT_SPHERICAL);
    def.a = to->ids[joint->a];
    def.b = to->ids[joint->b];
    def.frame_a = scene_frame_on(&of->parts[joint->a], joint->frame);
    def.frame_b = scene_frame_on(&of->parts[joint->b], joint->frame);
    def.limited = joint->limited;
    if (joint->limited) {
        def.lower = joint->lower;
        def.upper = joint->upper;
    }
    return abut_world_add_joint(to->world, &def, NULL) == ABUT_OK;
}

static void destroy(void *pointer) {
    instance *old = pointer;
    abut_world_destroy(old->world);
    free(old->ids);
    free(old);
}

static void *create(const scene *of, int32_t threads) {
    abut_world_def def = abut_world_def_default();
    def.parallel.threads = threads;
    def.fixed.sleeping = false;
    instance *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return NULL;
    }
    made->count = of->part_count;
    made->ids = calloc((size_t)of->part_count, sizeof *made->ids);
    bool fine = made->ids != NULL && abut_world_create(&def, &made->world) == ABUT_OK;
    for (int32_t i = 0; i < of->part_count && fine; i++) {
        fine = add_part(made, &of->parts[i], i);
    }
    for (int32_t i = 0; i < of->joint_count && fine; i++) {
        fine = add_joint(made, of, &of->joints[i]);
    }
    if (!fine) {
        destroy(made);
        return NULL;
    }
    return made;
}

static bool step(void *pointer, double dt) { return abut_world_step(((instance *)pointer)->world, dt, NULL) == ABUT_OK; }

static void poses(const void *pointer, abut_pose *out) {
    const instance *of = pointer;
    for (int32_t i = 0; i < of->count; i++) {
        abut_body_state state = {.pose = abut_pose_identity()};
        (void)abut_world_body_state(of->world, of->ids[i], &state);
        out[i] = state.pose;
    }
}

static double energy(const void *pointer) {
    abut_step_report report = {.kinetic_energy = 0.0};
    (void)abut_world_report(((const instance *)pointer)->world, &report);
    return report.kinetic_energy;
}

static uint64_t hash(const void *pointer) { return abut_world_hash(((const instance *)pointer)->world); }

const engine engine_abut = {"abut", 1, create, step, poses, energy, hash, destroy};
const engine engine_abut_twice = {"abut, two threads", 2, create, step, poses, energy, hash, destroy};
