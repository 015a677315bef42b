/* abut, with its quick solver and with its exact one. The quick solver makes one pass in a substep. One iteration of the exact solver in a substep is one pass
 * in each of its two stages, and half a pass for the push between them. */
#include "world/engine.h"

#include <stdlib.h>

#include "support/statistics.h"

typedef struct instance {
    abut_world *world;
    abut_body_id *ids; /* [count] */
    int32_t count;
} instance;

static bool add(abut_world *world, const scene *of, const scene_body *body, const abut_shape *shape, bool moves, abut_body_id *id) {
    abut_body_def def = abut_body_def_default();
    def.kind = moves ? ABUT_BODY_DYNAMIC : ABUT_BODY_STATIC;
    def.shape = shape;
    def.pose = body->pose;
    def.density = moves ? scene_density(of, body->shape) : of->density;
    def.friction = of->friction;
    return shape != NULL && abut_world_add_body(world, &def, id) == ABUT_OK;
}

static bool fill(instance *made, const scene *of) {
    bool fine = true;
    for (int32_t i = 0; i < of->wall_count; i++) {
        abut_shape *shape = scene_abut_shape(&of->wall_shapes[of->walls[i].shape]);
        fine = fine && add(made->world, of, &of->walls[i], shape, false, NULL);
        abut_shape_release(shape);
    }
    abut_shape *shapes[SCENE_SHAPES] = {NULL};
    for (int32_t i = 0; i < of->shape_count; i++) {
        shapes[i] = scene_abut_shape(&of->shapes[i]);
    }
    for (int32_t i = 0; i < of->body_count; i++) {
        fine = fine && add(made->world, of, &of->bodies[i], shapes[of->bodies[i].shape], true, &made->ids[i]);
    }
    for (int32_t i = 0; i < of->shape_count; i++) {
        abut_shape_release(shapes[i]);
    }
    return fine;
}

static void destroy(void *pointer) {
    instance *old = pointer;
    abut_world_destroy(old->world);
    free(old->ids);
    free(old);
}

static void *create(const scene *of, bool exact, engine_effort effort, int32_t threads) {
    abut_world_def def = abut_world_def_default();
    def.gravity = of->gravity;
    def.parallel.threads = threads;
    def.fixed.sleeping = false;
    def.fixed.exact = exact;
    if (exact) {
        def.fixed.substeps = effort.substeps;
        def.fixed.iterations = effort.iterations;
    } else {
        def.fixed.effort = effort.substeps;
    }
    instance *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return NULL;
    }
    made->count = of->body_count;
    made->ids = calloc((size_t)of->body_count, sizeof *made->ids);
    if (made->ids == NULL || abut_world_create(&def, &made->world) != ABUT_OK || !fill(made, of)) {
        destroy(made);
        return NULL;
    }
    return made;
}

static void *create_quick(const scene *of, engine_effort effort, int32_t threads) { return create(of, false, effort, threads); }

static void *create_exact(const scene *of, engine_effort effort, int32_t threads) { return create(of, true, effort, threads); }

static bool step(void *pointer, double dt, engine_step *done) {
    instance *of = pointer;
    abut_step_report report;
    double begin = clock_seconds();
    if (abut_world_step(of->world, dt, &report) != ABUT_OK) {
        return false;
    }
    *done = (engine_step){clock_seconds() - begin, report.seconds_broad, report.seconds_narrow, report.seconds_solve, report.contacts};
    return true;
}

static void bodies(const void *pointer, engine_body *out) {
    const instance *of = pointer;
    for (int32_t i = 0; i < of->count; i++) {
        abut_body_state state = {.awake = false};
        (void)abut_world_body_state(of->world, of->ids[i], &state);
        out[i] = (engine_body){state.pose, state.motion.linear, state.motion.angular};
    }
}

static uint64_t hash(const void *pointer) { return abut_world_hash(((const instance *)pointer)->world); }

const engine engine_quick = {"quick", {8, 1}, create_quick, step, bodies, hash, destroy};
const engine engine_abut = {"abut", {4, 8}, create_exact, step, bodies, hash, destroy};
