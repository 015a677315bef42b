/*
 * Moves a scene through time: at the start of each step the actions that begin with it are performed, in their order, then those that last
 * are applied or ended, and bodies that deform get the shape that they have at the step's end.
 */
#include "io/scene/simulation.h"

#include <stdlib.h>
#include <string.h>

#include "io/file/byte_order.h"

#include "io/scene/data.h"

/* A spring or force that acts now. */
typedef struct lasting_action {
    const abut_scene_action *action;
    abut_spring_id spring; /* zero for a force */
} lasting_action;

struct abut_simulation {
    const abut_scene *scene;
    abut_world *world;
    abut_body_id *bodies;
    int64_t step;
    bool at_rest;

    int32_t next_action;     /* the first that has not begun */
    lasting_action *lasting; /* in the order in which they began */
    int32_t lasting_count;

    int64_t *shaped; /* [bodies] after how many steps a body that deforms has the shape that it has; below 0 for the undeformed one */
};

static abut_status add_bodies(abut_simulation *simulation, abut_error *error) {
    const abut_scene *scene = simulation->scene;
    for (int32_t i = 0; i < abut_scene_body_count(scene); i++) {
        abut_status status = abut_world_add_body(simulation->world, abut_scene_body_def(scene, i), &simulation->bodies[i]);
        if (status != ABUT_OK) {
            return abut_fail(error, status, "%s: body '%s': %s", abut_scene_path(scene), abut_scene_body_name(scene, i),
                             abut_status_message(status));
        }
    }
    return ABUT_OK;
}

/* ---- deformation ---- */

static double time_after(const abut_simulation *simulation, int64_t steps) { return (double)steps * abut_scene_dt(simulation->scene); }

/* Give a body the shape that it has after so many steps. */
static abut_status deform_body(abut_simulation *simulation, int32_t index, int64_t steps, abut_error *error) {
    const abut_scene *scene = simulation->scene;
    const scene_body *body = &scene->bodies[index];
    double time = time_after(simulation, steps);
    abut_body_info info;
    if (abut_world_body_info(simulation->world, simulation->bodies[index], &info) == ABUT_ERROR_STALE_ID) { /* removed */
        return ABUT_OK;
    }
    abut_facetmesh_report report;
    abut_shape *moved = NULL;
    abut_status status = deform_make(&scene->deforms[body->deform], time, body->def.shape, &report, &moved);
    if (status == ABUT_OK) {
        status = abut_world_set_body_shape(simulation->world, simulation->bodies[index], moved);
        abut_shape_release(moved);
    }
    if (status != ABUT_OK) {
        return abut_fail(error, status, "%s: body '%s', deformed as it is at %g s: %s", abut_scene_path(scene), body->name, time,
                         abut_status_message(status));
    }
    simulation->shaped[index] = steps;
    return ABUT_OK;
}

static bool has_shape_after(const abut_simulation *simulation, int32_t index, int64_t steps) {
    const deform_program *program = &simulation->scene->deforms[simulation->scene->bodies[index].deform];
    int64_t shaped = simulation->shaped[index];
    return shaped >= 0 && deform_is_same(program, time_after(simulation, shaped), time_after(simulation, steps));
}

/* Give all bodies that deform the shape that they have after so many steps. */
static abut_status deform_bodies(abut_simulation *simulation, int64_t steps, abut_error *error) {
    const abut_scene *scene = simulation->scene;
    abut_status status = ABUT_OK;
    for (int32_t i = 0; status == ABUT_OK && scene->deform_count > 0 && i < scene->body_count; i++) {
        bool has_it = scene->bodies[i].deform < 0 || has_shape_after(simulation, i, steps);
        status = has_it ? ABUT_OK : deform_body(simulation, i, steps, error);
    }
    return status;
}

/* How many bodies deform. */
static int32_t deforming_count(const abut_scene *scene) {
    int32_t count = 0;
    for (int32_t i = 0; scene->deform_count > 0 && i < scene->body_count; i++) {
        count += scene->bodies[i].deform >= 0 ? 1 : 0;
    }
    return count;
}

abut_status abut_simulation_create(const abut_scene *scene, abut_simulation **simulation, abut_error *error) {
    if (!scene || !simulation) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "abut_simulation_create: scene or simulation is NULL");
    }
    abut_simulation *made = calloc(1, sizeof *made);
    if (!made) {
        return abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory for the simulation", abut_scene_path(scene));
    }
    made->scene = scene;
    made->bodies = calloc((size_t)abut_scene_body_count(scene) + 1, sizeof *made->bodies);
    made->lasting = calloc((size_t)abut_scene_action_count(scene) + 1, sizeof *made->lasting);
    made->shaped = calloc((size_t)abut_scene_body_count(scene) + 1, sizeof *made->shaped);
    bool memory = made->bodies && made->lasting && made->shaped;
    for (int32_t i = 0; memory && i < abut_scene_body_count(scene); i++) {
        made->shaped[i] = -1;
    }
    abut_status status = memory ? abut_world_create(abut_scene_world_def(scene), &made->world) : ABUT_ERROR_OUT_OF_MEMORY;
    if (status != ABUT_OK) {
        abut_fail(error, status, "%s: the world: %s", abut_scene_path(scene), abut_status_message(status));
    } else {
        status = add_bodies(made, error);
    }
    if (status == ABUT_OK) {
        status = deform_bodies(made, 0, error);
    }
    if (status != ABUT_OK) {
        abut_simulation_destroy(made);
        return status;
    }
    *simulation = made;
    return ABUT_OK;
}

void abut_simulation_destroy(abut_simulation *simulation) {
    if (simulation) {
        abut_world_destroy(simulation->world);
        free(simulation->bodies);
        free(simulation->lasting);
        free(simulation->shaped);
        free(simulation);
    }
}

/* Where a spring pulls to in step `step`: at its end in the last of its steps. */
static abut_vec3 target_in_step(const abut_scene_action *action, int64_t step) {
    double part = (double)(step - action->first_step + 1) / (double)(action->end_step - action->first_step);
    return part < 1.0 ? abut_lerp(action->target, action->target_end, part) : action->target_end;
}

static abut_status begin_spring(abut_simulation *simulation, const abut_scene_action *action) {
    abut_spring_def def = abut_spring_def_default();
    def.body = simulation->bodies[action->body];
    def.anchor = action->anchor;
    def.target = target_in_step(action, action->first_step);
    def.frequency = action->frequency;
    def.damping_ratio = action->damping_ratio;
    def.max_force = action->max_force;
    lasting_action lasting = {action, {0, 0}};
    abut_status status = abut_world_add_spring(simulation->world, &def, &lasting.spring);
    if (status == ABUT_OK) {
        simulation->lasting[simulation->lasting_count++] = lasting;
    }
    return status;
}

static abut_status set_velocity(abut_simulation *simulation, const abut_scene_action *action) {
    abut_body_id body = simulation->bodies[action->body];
    abut_body_state state;
    abut_status status = abut_world_body_state(simulation->world, body, &state);
    if (status != ABUT_OK) {
        return status;
    }
    return abut_world_set_body_motion(simulation->world, body,
                                      (abut_motion){action->sets_velocity ? action->velocity : state.motion.linear,
                                                    action->sets_angular_velocity ? action->angular_velocity : state.motion.angular});
}

static abut_status begin(abut_simulation *simulation, const abut_scene_action *action) {
    switch (action->kind) {
    case ABUT_ACTION_REMOVE:
        return abut_world_remove_body(simulation->world, simulation->bodies[action->body]);
    case ABUT_ACTION_SPRING:
        return begin_spring(simulation, action);
    case ABUT_ACTION_FORCE:
        simulation->lasting[simulation->lasting_count++] = (lasting_action){action, {0, 0}};
        return ABUT_OK;
    case ABUT_ACTION_VELOCITY:
        return set_velocity(simulation, action);
    }
    return ABUT_ERROR_INTERNAL;
}

static abut_status push(abut_simulation *simulation, const abut_scene_action *action) {
    abut_body_id body = simulation->bodies[action->body];
    abut_body_state state;
    abut_status status = abut_world_body_state(simulation->world, body, &state);
    if (status != ABUT_OK) {
        return status;
    }
    return abut_world_apply_force(simulation->world, body, action->force, abut_pose_apply(state.pose, action->anchor));
}

/* Apply what lasts, or end it. A stale id means that the body was removed meanwhile, and its springs with it: that ends the action too. */
static abut_status carry_on(abut_simulation *simulation) {
    int32_t kept = 0;
    for (int32_t i = 0; i < simulation->lasting_count; i++) {
        lasting_action lasting = simulation->lasting[i];
        bool spring = lasting.action->kind == ABUT_ACTION_SPRING, ended = simulation->step >= lasting.action->end_step;
        abut_status status = ABUT_OK;
        if (spring && ended) {
            status = abut_world_remove_spring(simulation->world, lasting.spring);
        } else if (spring && simulation->step > lasting.action->first_step) {
            status = abut_world_set_spring_target(simulation->world, lasting.spring, target_in_step(lasting.action, simulation->step));
        } else if (!spring && !ended) {
            status = push(simulation, lasting.action);
        }
        if (status != ABUT_OK && status != ABUT_ERROR_STALE_ID) {
            return status;
        }
        if (!ended && status == ABUT_OK) {
            simulation->lasting[kept++] = lasting;
        }
    }
    simulation->lasting_count = kept;
    return ABUT_OK;
}

static abut_status perform_actions(abut_simulation *simulation, abut_error *error) {
    const abut_scene *scene = simulation->scene;
    while (simulation->next_action < abut_scene_action_count(scene)) {
        const abut_scene_action *action = abut_scene_get_action(scene, simulation->next_action);
        if (action->first_step > simulation->step) {
            break;
        }
        simulation->next_action++;
        abut_status status = begin(simulation, action);
        if (status != ABUT_OK && status != ABUT_ERROR_STALE_ID) { /* a caller may have removed the body */
            return abut_fail(error, status, "%s: action at %g s on body '%s': %s", abut_scene_path(scene), action->at,
                             abut_scene_body_name(scene, action->body), abut_status_message(status));
        }
    }
    abut_status status = carry_on(simulation);
    if (status != ABUT_OK) {
        return abut_fail(error, status, "%s: springs and forces at %g s: %s", abut_scene_path(scene), abut_simulation_time(simulation),
                         abut_status_message(status));
    }
    return ABUT_OK;
}

/* Springs and forces that are still to come, or still act, may move what rests now. */
static bool is_at_rest(const abut_simulation *simulation, const abut_step_report *report) {
    const abut_scene_until *until = abut_scene_get_until(simulation->scene);
    bool done = simulation->next_action == abut_scene_action_count(simulation->scene);
    for (int32_t i = 0; i < simulation->lasting_count; i++) {
        done = done && simulation->step >= simulation->lasting[i].action->end_step;
    }
    double elastic = report->dem.elastic_energy + report->dem.spring_energy;
    return until && done && report->dem.residual <= until->residual && report->kinetic_energy <= until->kinetic * elastic;
}

abut_status abut_simulation_step(abut_simulation *simulation, abut_step_report *report, abut_error *error) {
    if (!simulation) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "abut_simulation_step: simulation is NULL");
    }
    abut_status status = perform_actions(simulation, error);
    if (status == ABUT_OK) {
        status = deform_bodies(simulation, simulation->step + 1, error);
    }
    if (status != ABUT_OK) {
        return status;
    }
    abut_step_report made;
    status = abut_world_step(simulation->world, abut_scene_dt(simulation->scene), &made);
    if (status != ABUT_OK) {
        return abut_fail(error, status, "%s: step %lld at %g s: %s", abut_scene_path(simulation->scene), (long long)simulation->step,
                         abut_simulation_time(simulation), abut_status_message(status));
    }
    simulation->step++;
    simulation->at_rest = is_at_rest(simulation, &made);
    if (report) {
        *report = made;
    }
    return ABUT_OK;
}

abut_status abut_simulation_first_report(const abut_simulation *simulation, abut_step_report *report) {
    if (!simulation || !report) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    return abut_world_report(simulation->world, report);
}

void abut_simulation_leave_out_actions(abut_simulation *simulation) {
    for (int32_t i = 0; i < simulation->lasting_count; i++) {
        if (simulation->lasting[i].action->kind == ABUT_ACTION_SPRING) {
            (void)abut_world_remove_spring(simulation->world, simulation->lasting[i].spring); /* gone already where its body is */
        }
    }
    simulation->lasting_count = 0;
    simulation->next_action = abut_scene_action_count(simulation->scene);
}

/* ---- from run to run ---- */

/*
 * A saved state: "abutsimu", version (4 bytes), step (8), the first action that has not begun (4), whether it is at rest (1), how many actions last (4) and bodies
 * deform (4); of each action the action, its spring's index and generation (4 each); of each body after how many steps it has the shape that it has (8); a sum of
 * all that (8), and the world's own bytes. Numbers are little-endian.
 */
static const unsigned char magic[8] = {'a', 'b', 'u', 't', 's', 'i', 'm', 'u'};

enum { SAVE_VERSION = 2, HEAD_BYTES = 8 + 4 + 8 + 4 + 1 + 4 + 4, LASTING_BYTES = 12, SHAPED_BYTES = 8, SUM_BYTES = 8 };

static unsigned char *put(unsigned char *at, uint64_t bits, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) {
        *at++ = (unsigned char)(bits >> 8 * i & 0xff);
    }
    return at;
}

static uint64_t take(const unsigned char **at, size_t bytes) {
    uint64_t bits = bytes_unsigned((const char *)*at, bytes, false);
    *at += bytes;
    return bits;
}

/* FNV-1a */
static uint64_t sum_of(const unsigned char *bytes, size_t size) {
    uint64_t sum = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < size; i++) {
        sum = (sum ^ bytes[i]) * UINT64_C(1099511628211);
    }
    return sum;
}

static void save_head(const abut_simulation *simulation, unsigned char *saved) {
    memcpy(saved, magic, sizeof magic);
    unsigned char *at = put(saved + sizeof magic, SAVE_VERSION, 4);
    at = put(at, (uint64_t)simulation->step, 8);
    at = put(at, (uint32_t)simulation->next_action, 4);
    at = put(at, simulation->at_rest, 1);
    at = put(at, (uint32_t)simulation->lasting_count, 4);
    at = put(at, (uint32_t)deforming_count(simulation->scene), 4);
    int32_t action = 0;
    for (int32_t i = 0; i < simulation->lasting_count; i++) {
        /* They began in their order. */
        while (abut_scene_get_action(simulation->scene, action) != simulation->lasting[i].action) {
            action++;
        }
        at = put(at, (uint32_t)action, 4);
        at = put(at, simulation->lasting[i].spring.index, 4);
        at = put(at, simulation->lasting[i].spring.generation, 4);
    }
    for (int32_t i = 0; i < simulation->scene->body_count; i++) {
        at = simulation->scene->bodies[i].deform < 0 ? at : put(at, (uint64_t)simulation->shaped[i], SHAPED_BYTES);
    }
    put(at, sum_of(saved, (size_t)(at - saved)), SUM_BYTES);
}

abut_status abut_simulation_save(const abut_simulation *simulation, void *saved, size_t capacity, size_t *size) {
    if (!simulation || !size || (!saved && capacity > 0)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    size_t rest = 0, head = HEAD_BYTES + LASTING_BYTES * (size_t)simulation->lasting_count +
                            SHAPED_BYTES * (size_t)deforming_count(simulation->scene) + SUM_BYTES;
    unsigned char *bytes = saved;
    bool room = capacity > head;
    abut_status status = abut_world_save(simulation->world, room ? bytes + head : NULL, room ? capacity - head : 0, &rest);
    if (!status) {
        save_head(simulation, bytes);
    }
    if (!status || status == ABUT_ERROR_CAPACITY) {
        *size = head + rest;
    }
    return status;
}

/* Lasting actions from their bytes: springs and forces that have begun, in their order. */
static bool read_lasting(const abut_scene *scene, int32_t next_action, int32_t count, const unsigned char *at, lasting_action *lasting) {
    int32_t before = -1;
    for (int32_t i = 0; i < count; i++) {
        uint64_t index = take(&at, 4);
        abut_spring_id spring = {(uint32_t)take(&at, 4), (uint32_t)take(&at, 4)};
        if (index >= (uint64_t)next_action || (int32_t)index <= before) {
            return false;
        }
        before = (int32_t)index;
        lasting[i] = (lasting_action){abut_scene_get_action(scene, before), spring};
    }
    return true;
}

/* Bodies that deform, by the index in the scene; what others have is as it was. */
static bool read_shaped(const abut_scene *scene, int64_t most, const unsigned char *at, int64_t *shaped) {
    for (int32_t i = 0; i < scene->body_count; i++) {
        if (scene->bodies[i].deform < 0) {
            continue;
        }
        uint64_t steps = take(&at, SHAPED_BYTES);
        if (steps > (uint64_t)most) {
            return false;
        }
        shaped[i] = (int64_t)steps;
    }
    return true;
}

/* What a simulation is to go on with. */
typedef struct saved_head {
    int64_t step;
    int32_t next_action, lasting_count;
    bool at_rest;
    lasting_action *lasting;
    int64_t *shaped; /* [bodies] */
    size_t bytes;    /* after which the world's begin */
} saved_head;

static void release_head(saved_head *head) {
    free(head->lasting);
    free(head->shaped);
}

static abut_status read_head_lists(const abut_simulation *simulation, const unsigned char *at, saved_head *head) {
    const abut_scene *scene = simulation->scene;
    size_t bodies = (size_t)scene->body_count + 1;
    head->lasting = calloc((size_t)abut_scene_action_count(scene) + 1, sizeof *head->lasting);
    head->shaped = malloc(bodies * sizeof *head->shaped);
    if (!head->lasting || !head->shaped) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    memcpy(head->shaped, simulation->shaped, bodies * sizeof *head->shaped);
    int64_t most = head->step < INT64_MAX ? head->step + 1 : head->step; /* a step that failed leaves bodies in the shape of its end */
    bool right = read_lasting(scene, head->next_action, head->lasting_count, at, head->lasting) &&
                 read_shaped(scene, most, at + LASTING_BYTES * (size_t)head->lasting_count, head->shaped);
    return right ? ABUT_OK : ABUT_ERROR_FORMAT;
}

/* What is before the world's bytes; to be released in any case. */
static abut_status read_head(const abut_simulation *simulation, const unsigned char *bytes, size_t size, saved_head *head) {
    const abut_scene *scene = simulation->scene;
    const unsigned char *at = bytes + sizeof magic;
    if (size < HEAD_BYTES + SUM_BYTES || memcmp(bytes, magic, sizeof magic) != 0) {
        return ABUT_ERROR_FORMAT;
    }
    uint64_t version = take(&at, 4), step = take(&at, 8), next_action = take(&at, 4), at_rest = take(&at, 1), lasting = take(&at, 4);
    uint64_t deforming = take(&at, 4);
    if (version != SAVE_VERSION) {
        return ABUT_ERROR_UNSUPPORTED;
    }
    if (LASTING_BYTES * lasting + SHAPED_BYTES * deforming > size - HEAD_BYTES - SUM_BYTES) {
        return ABUT_ERROR_FORMAT;
    }
    size_t summed = HEAD_BYTES + LASTING_BYTES * (size_t)lasting + SHAPED_BYTES * (size_t)deforming;
    const unsigned char *sum = bytes + summed;
    if (take(&sum, SUM_BYTES) != sum_of(bytes, summed) || step > INT64_MAX || at_rest > 1) {
        return ABUT_ERROR_FORMAT;
    }
    uint64_t actions = (uint64_t)abut_scene_action_count(scene);
    if (next_action > actions || lasting > actions || deforming != (uint64_t)deforming_count(scene)) {
        return ABUT_ERROR_FOREIGN;
    }
    *head = (saved_head){.step = (int64_t)step,
                         .next_action = (int32_t)next_action,
                         .lasting_count = (int32_t)lasting,
                         .at_rest = at_rest != 0,
                         .bytes = summed + SUM_BYTES};
    return read_head_lists(simulation, at, head);
}

/* A world as it was: its bytes, and the shapes of bodies that deform. */
typedef struct kept_world {
    void *bytes;
    size_t size;
    const abut_shape **shapes; /* [bodies] references are held; NULL for bodies that do not deform or are not there */
    int64_t *shaped;           /* [bodies] */
} kept_world;

static void release_kept(const abut_simulation *simulation, kept_world *kept) {
    for (int32_t i = 0; kept->shapes && i < simulation->scene->body_count; i++) {
        abut_shape_release(kept->shapes[i]);
    }
    free(kept->bytes);
    free(kept->shapes);
    free(kept->shaped);
}

/* To be released in any case. */
static abut_status keep_world(const abut_simulation *simulation, kept_world *kept) {
    const abut_scene *scene = simulation->scene;
    size_t bodies = (size_t)scene->body_count + 1;
    abut_status status = abut_world_save(simulation->world, NULL, 0, &kept->size);
    if (status != ABUT_ERROR_CAPACITY) {
        return status ? status : ABUT_ERROR_INTERNAL;
    }
    kept->bytes = malloc(kept->size);
    kept->shapes = calloc(bodies, sizeof *kept->shapes);
    kept->shaped = malloc(bodies * sizeof *kept->shaped);
    if (!kept->bytes || !kept->shapes || !kept->shaped) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    memcpy(kept->shaped, simulation->shaped, bodies * sizeof *kept->shaped);
    for (int32_t i = 0; i < scene->body_count; i++) {
        abut_body_info info;
        if (scene->bodies[i].deform >= 0 && abut_world_body_info(simulation->world, simulation->bodies[i], &info) == ABUT_OK) {
            kept->shapes[i] = abut_shape_retain(info.shape);
        }
    }
    return abut_world_save(simulation->world, kept->bytes, kept->size, &kept->size);
}

static abut_status put_back(abut_simulation *simulation, const kept_world *kept) {
    abut_status status = ABUT_OK;
    for (int32_t i = 0; i < simulation->scene->body_count && !status; i++) {
        if (kept->shapes[i] && simulation->shaped[i] != kept->shaped[i]) {
            status = abut_world_set_body_shape(simulation->world, simulation->bodies[i], kept->shapes[i]);
            simulation->shaped[i] = kept->shaped[i];
        }
    }
    return status ? status : abut_world_restore(simulation->world, kept->bytes, kept->size);
}

/* A shape that could be made when the state was saved, and cannot now, is one of another scene. */
static abut_status reshape(abut_simulation *simulation, const int64_t *shaped) {
    abut_status status = ABUT_OK;
    for (int32_t i = 0; i < simulation->scene->body_count && !status; i++) {
        if (simulation->scene->bodies[i].deform >= 0 && shaped[i] != simulation->shaped[i]) {
            status = deform_body(simulation, i, shaped[i], NULL);
        }
    }
    return status == ABUT_OK || status == ABUT_ERROR_OUT_OF_MEMORY ? status : ABUT_ERROR_FOREIGN;
}

/* The world takes its state only with the shapes that bodies had in it. */
static abut_status restore_deformed(abut_simulation *simulation, const int64_t *shaped, const void *saved, size_t size) {
    kept_world kept = {NULL, 0, NULL, NULL};
    abut_status status = keep_world(simulation, &kept);
    if (!status) {
        status = reshape(simulation, shaped);
        status = status ? status : abut_world_restore(simulation->world, saved, size);
        if (status && put_back(simulation, &kept)) {
            status = ABUT_ERROR_OUT_OF_MEMORY;
        }
    }
    release_kept(simulation, &kept);
    return status;
}

abut_status abut_simulation_restore(abut_simulation *simulation, const void *saved, size_t size) {
    if (!simulation || !saved) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    saved_head head = {.lasting = NULL};
    abut_status status = read_head(simulation, saved, size, &head);
    if (status) {
        release_head(&head);
        return status;
    }
    const unsigned char *world = (const unsigned char *)saved + head.bytes;
    status = deforming_count(simulation->scene) > 0 ? restore_deformed(simulation, head.shaped, world, size - head.bytes)
                                                    : abut_world_restore(simulation->world, world, size - head.bytes);
    if (status) {
        release_head(&head);
        return status;
    }
    free(simulation->lasting);
    free(simulation->shaped);
    simulation->lasting = head.lasting;
    simulation->shaped = head.shaped;
    simulation->lasting_count = head.lasting_count;
    simulation->next_action = head.next_action;
    simulation->at_rest = head.at_rest;
    simulation->step = head.step;
    return ABUT_OK;
}

/* ---- asking ---- */

const abut_scene *abut_simulation_scene(const abut_simulation *simulation) { return simulation->scene; }

abut_world *abut_simulation_world(const abut_simulation *simulation) { return simulation->world; }

abut_body_id abut_simulation_body_id(const abut_simulation *simulation, int32_t index) {
    abut_body_id none = {0, 0};
    return index >= 0 && index < abut_scene_body_count(simulation->scene) ? simulation->bodies[index] : none;
}

int64_t abut_simulation_step_index(const abut_simulation *simulation) { return simulation->step; }

int64_t abut_simulation_shape_step(const abut_simulation *simulation, int32_t index) {
    bool deforms = index >= 0 && index < abut_scene_body_count(simulation->scene) && simulation->scene->bodies[index].deform >= 0;
    return deforms ? simulation->shaped[index] : 0;
}

double abut_simulation_time(const abut_simulation *simulation) { return (double)simulation->step * abut_scene_dt(simulation->scene); }

bool abut_simulation_at_rest(const abut_simulation *simulation) { return simulation->at_rest; }

bool abut_simulation_finished(const abut_simulation *simulation) {
    return simulation->at_rest || simulation->step >= abut_scene_step_count(simulation->scene);
}
