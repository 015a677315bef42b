/*
 * Saves and restores the state of a simulation.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/byte_order.h"
#include "io/scene/simulation_data.h"

/*
 * A saved state: "abutsimu"; version (4 bytes); step (8); index of the first action that has not begun (4); whether it is at rest (1); number of lasting
 * actions (4); number of deforming bodies (4); number of ids of bodies (4), which is 0 for a scene without inlets; number of columns of the time series (4);
 * number of actions with triggers (4). Then for each lasting action its index (4) and the index and generation of its spring (4 each). Then for each
 * deforming body the number of steps after which it got its shape (8). Then the index and generation of each id (4 each). Then the row of the time series (8
 * for each column), and the state of each action with a trigger (8). Then a checksum of all these bytes (8), and the world's own bytes. Numbers are
 * little-endian.
 *
 * A world accepts a state only when it has been built with the same bodies in the same slots. Bodies of an inlet take the slots of bodies that have gone, so
 * the state of a scene with inlets is restored into a new world.
 */
static const unsigned char magic[8] = {'a', 'b', 'u', 't', 's', 'i', 'm', 'u'};

enum {
    SAVE_VERSION = 3,
    HEAD_BYTES = 8 + 4 + 8 + 4 + 1 + 4 + 4 + 4 + 4 + 4,
    LASTING_BYTES = 12,
    SHAPED_BYTES = 8,
    ID_BYTES = 8,
    COLUMN_BYTES = 8,
    FIRED_BYTES = 8,
    SUM_BYTES = 8
};

/* Sums with the last step of a saved state stay below INT64_MAX. */
static const uint64_t most_steps = INT64_MAX / 4;

/* Number of ids in a saved state. */
static size_t saved_ids(const abut_scene *scene) { return scene->inlet_count > 0 ? (size_t)scene->body_count : 0; }

/* Lengths of the lists of a saved state. */
typedef struct saved_counts {
    uint64_t lasting, deforming, ids, columns, triggers;
} saved_counts;

static saved_counts counts_of(const abut_scene *scene, int32_t lasting) {
    return (saved_counts){(uint64_t)lasting, (uint64_t)simulation_deforming_count(scene), saved_ids(scene), (uint64_t)scene->series_count,
                          (uint64_t)(scene->action_count - scene->timed_count)};
}

/* Number of the bytes before the checksum. Counts of four bytes cannot overflow it. */
static uint64_t summed_bytes(const saved_counts *c) {
    return HEAD_BYTES + LASTING_BYTES * c->lasting + SHAPED_BYTES * c->deforming + ID_BYTES * c->ids + COLUMN_BYTES * c->columns +
           FIRED_BYTES * c->triggers;
}

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
    at = put(at, (uint32_t)simulation_deforming_count(simulation->scene), 4);
    at = put(at, saved_ids(simulation->scene), 4);
    at = put(at, (uint32_t)simulation->scene->series_count, 4);
    at = put(at, (uint32_t)(simulation->scene->action_count - simulation->scene->timed_count), 4);
    for (int32_t i = 0; i < simulation->lasting_count; i++) {
        at = put(at, (uint32_t)(simulation->lasting[i].action - simulation->scene->actions), 4);
        at = put(at, simulation->lasting[i].spring.index, 4);
        at = put(at, simulation->lasting[i].spring.generation, 4);
    }
    for (int32_t i = 0; i < simulation->scene->body_count; i++) {
        at = simulation->scene->bodies[i].deform < 0 ? at : put(at, (uint64_t)simulation->shaped[i], SHAPED_BYTES);
    }
    for (size_t i = 0; i < saved_ids(simulation->scene); i++) {
        at = put(put(at, simulation->bodies[i].index, 4), simulation->bodies[i].generation, 4);
    }
    for (int32_t i = 0; i < simulation->scene->series_count; i++) {
        uint64_t bits;
        memcpy(&bits, &simulation->series[i], sizeof bits);
        at = put(at, bits, COLUMN_BYTES);
    }
    for (int32_t i = simulation->scene->timed_count; i < simulation->scene->action_count; i++) {
        at = put(at, (uint64_t)simulation->fired[i], FIRED_BYTES);
    }
    put(at, sum_of(saved, (size_t)(at - saved)), SUM_BYTES);
}

abut_status abut_simulation_save(const abut_simulation *simulation, void *saved, size_t capacity, size_t *size) {
    if (!simulation || !size || (!saved && capacity > 0)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    saved_counts counts = counts_of(simulation->scene, simulation->lasting_count);
    size_t rest = 0, head = (size_t)summed_bytes(&counts) + SUM_BYTES;
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

/* Reads the steps of the shapes of deforming bodies, by the index in the scene. Other elements stay unchanged. */
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

/* Reads the ids of bodies. All other bodies than those of an inlet, which come in their order, have one. */
static bool read_ids(const abut_scene *scene, const unsigned char *at, abut_body_id *ids) {
    for (size_t i = 0; i < saved_ids(scene); i++) {
        ids[i] = (abut_body_id){.index = (uint32_t)take(&at, 4)};
        ids[i].generation = (uint32_t)take(&at, 4);
        bool follows = i > 0 && scene->bodies[i].inlet >= 0 && scene->bodies[i].inlet == scene->bodies[i - 1].inlet;
        bool right = ids[i].index == 0 ? scene->bodies[i].inlet >= 0 : ids[i].index <= (uint32_t)scene->body_count;
        if (!right || (follows && ids[i].index != 0 && ids[i - 1].index == 0)) {
            return false;
        }
    }
    return true;
}

static bool read_series(const abut_scene *scene, const unsigned char *at, double *series) {
    bool finite = true;
    for (int32_t i = 0; i < scene->series_count; i++) {
        uint64_t bits = take(&at, COLUMN_BYTES);
        memcpy(&series[i], &bits, sizeof bits);
        finite = finite && isfinite(series[i]);
    }
    return finite;
}

/* The restored members of a simulation. */
typedef struct saved_head {
    int64_t step;
    int32_t next_action, lasting_count;
    bool at_rest;
    lasting_action *lasting;
    int64_t *shaped;   /* [bodies] */
    abut_body_id *ids; /* [bodies] of a scene with inlets */
    double *series;    /* [series of the scene] */
    int64_t *fired;    /* [actions] */
    bool stopped;
    size_t bytes; /* offset of the world's bytes */
} saved_head;

static void release_head(saved_head *head) {
    free(head->lasting);
    free(head->shaped);
    free(head->ids);
    free(head->series);
    free(head->fired);
}

/* Reads in which steps actions with triggers begin. */
static bool read_fired(const abut_scene *scene, int64_t step, const unsigned char *at, int64_t *fired, bool *stopped) {
    bool right = true;
    for (int32_t i = scene->timed_count; i < scene->action_count; i++) {
        fired[i] = (int64_t)take(&at, FIRED_BYTES);
        right = right && fired[i] <= step && fired[i] >= FIRED_BEGUN - step;
        bool met = fired[i] >= 0 || fired[i] <= FIRED_BEGUN;
        *stopped = *stopped || (met && scene->actions[i].kind == ABUT_ACTION_STOP);
    }
    return right;
}

/* Whether an action of a saved state, which is a spring or a force, has begun. */
static bool has_begun(const abut_scene *scene, const saved_head *head, uint64_t index) {
    if (index >= (uint64_t)scene->action_count) {
        return false;
    }
    abut_action_kind kind = scene->actions[index].kind;
    bool begun = index < (uint64_t)scene->timed_count ? index < (uint64_t)head->next_action : head->fired[index] <= FIRED_BEGUN;
    return begun && (kind == ABUT_ACTION_SPRING || kind == ABUT_ACTION_FORCE);
}

/* Reads lasting actions, in the order of their beginnings; each is there once. */
static bool read_lasting(const abut_scene *scene, saved_head *head, const unsigned char *at) {
    for (int32_t i = 0; i < head->lasting_count; i++) {
        uint64_t index = take(&at, 4);
        abut_spring_id spring = {(uint32_t)take(&at, 4), (uint32_t)take(&at, 4)};
        bool right = has_begun(scene, head, index);
        for (int32_t k = 0; k < i && right; k++) {
            right = head->lasting[k].action != &scene->actions[index];
        }
        if (!right) {
            return false;
        }
        head->lasting[i] = simulation_lasting(&scene->actions[index], FIRED_BEGUN - head->fired[index]);
        head->lasting[i].spring = spring;
    }
    return true;
}

static abut_status read_head_lists(const abut_simulation *simulation, const unsigned char *at, saved_head *head) {
    const abut_scene *scene = simulation->scene;
    size_t bodies = (size_t)scene->body_count + 1;
    head->lasting = calloc((size_t)abut_scene_action_count(scene) + 1, sizeof *head->lasting);
    head->shaped = malloc(bodies * sizeof *head->shaped);
    head->ids = malloc(bodies * sizeof *head->ids);
    head->series = calloc((size_t)scene->series_count + 1, sizeof *head->series);
    head->fired = calloc((size_t)abut_scene_action_count(scene) + 1, sizeof *head->fired);
    if (!head->lasting || !head->shaped || !head->ids || !head->series || !head->fired) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    memcpy(head->shaped, simulation->shaped, bodies * sizeof *head->shaped);
    int64_t most = head->step + 1; /* a failed step leaves bodies in the shape of its end */
    const unsigned char *shaped = at + LASTING_BYTES * (size_t)head->lasting_count;
    const unsigned char *ids = shaped + SHAPED_BYTES * (size_t)simulation_deforming_count(scene);
    memcpy(head->ids, simulation->bodies, bodies * sizeof *head->ids);
    const unsigned char *series = ids + ID_BYTES * saved_ids(scene);
    bool right = read_fired(scene, head->step, series + COLUMN_BYTES * (size_t)scene->series_count, head->fired, &head->stopped) &&
                 read_lasting(scene, head, at) && read_shaped(scene, most, shaped, head->shaped) && read_ids(scene, ids, head->ids) &&
                 read_series(scene, series, head->series);
    return right ? ABUT_OK : ABUT_ERROR_FORMAT;
}

/* Reads all that comes before the world's bytes. *head is to be released in every case. */
static abut_status read_head(const abut_simulation *simulation, const unsigned char *bytes, size_t size, saved_head *head) {
    const abut_scene *scene = simulation->scene;
    const unsigned char *at = bytes + sizeof magic;
    if (size < HEAD_BYTES + SUM_BYTES || memcmp(bytes, magic, sizeof magic) != 0) {
        return ABUT_ERROR_FORMAT;
    }
    uint64_t version = take(&at, 4), step = take(&at, 8), next_action = take(&at, 4), at_rest = take(&at, 1);
    saved_counts counts = {.lasting = take(&at, 4)};
    counts.deforming = take(&at, 4);
    counts.ids = take(&at, 4);
    counts.columns = take(&at, 4);
    counts.triggers = take(&at, 4);
    if (version != SAVE_VERSION) {
        return ABUT_ERROR_UNSUPPORTED;
    }
    if (summed_bytes(&counts) > size - SUM_BYTES) {
        return ABUT_ERROR_FORMAT;
    }
    size_t summed = (size_t)summed_bytes(&counts);
    const unsigned char *sum = bytes + summed;
    if (take(&sum, SUM_BYTES) != sum_of(bytes, summed) || step > most_steps || at_rest > 1) {
        return ABUT_ERROR_FORMAT;
    }
    uint64_t actions = (uint64_t)abut_scene_action_count(scene);
    saved_counts wanted = counts_of(scene, 0);
    if (next_action > (uint64_t)scene->timed_count || counts.lasting > actions || counts.deforming != wanted.deforming ||
        counts.ids != wanted.ids || counts.columns != wanted.columns || counts.triggers != wanted.triggers) {
        return ABUT_ERROR_FOREIGN;
    }
    *head = (saved_head){.step = (int64_t)step,
                         .next_action = (int32_t)next_action,
                         .lasting_count = (int32_t)counts.lasting,
                         .at_rest = at_rest != 0,
                         .bytes = summed + SUM_BYTES};
    return read_head_lists(simulation, at, head);
}

/* A backup of a world: its bytes, and the shapes of bodies that deform. */
typedef struct kept_world {
    void *bytes;
    size_t size;
    const abut_shape **shapes; /* [bodies] references are held; NULL for bodies that do not deform or were removed */
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

/* A shape that could be made when the state was saved, and cannot be made now, belongs to another scene. */
static abut_status reshape(abut_simulation *simulation, const int64_t *shaped) {
    abut_status status = ABUT_OK;
    for (int32_t i = 0; i < simulation->scene->body_count && !status; i++) {
        if (simulation->scene->bodies[i].deform >= 0 && shaped[i] != simulation->shaped[i]) {
            status = simulation_deform_body(simulation, i, shaped[i], NULL);
        }
    }
    return status == ABUT_OK || status == ABUT_ERROR_OUT_OF_MEMORY ? status : ABUT_ERROR_FOREIGN;
}

/* The world accepts a state only when bodies have the shapes of that state. */
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

/* ---- a new world ---- */

/* The body that was the last in each slot of the saved world. slots: [bodies]. Returns the number of slots. */
static int32_t find_last(const abut_scene *scene, const abut_body_id *ids, int32_t *slots) {
    int32_t used = 0;
    for (int32_t i = 0; i < scene->body_count; i++) {
        slots[i] = -1;
    }
    for (int32_t i = 0; i < scene->body_count; i++) {
        int32_t slot = (int32_t)ids[i].index - 1;
        used = slot + 1 > used ? slot + 1 : used;
        if (slot >= 0 && (slots[slot] < 0 || ids[slots[slot]].generation < ids[i].generation)) {
            slots[slot] = i;
        }
    }
    return used;
}

/* Fills the slots of a new world as those of the saved one. */
static abut_status fill_slots(abut_simulation *made, const abut_body_id *ids) {
    const abut_scene *scene = made->scene;
    int32_t *slots = malloc(((size_t)scene->body_count + 1) * sizeof *slots);
    if (!slots) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    abut_status status = ABUT_OK;
    int32_t used = find_last(scene, ids, slots);
    for (int32_t slot = 0; slot < used && status == ABUT_OK; slot++) {
        int32_t body = slots[slot];
        status = body < 0 ? ABUT_ERROR_FORMAT : simulation_add_body(made, body);
    }
    free(slots);
    return status;
}

static abut_status restore_new(abut_simulation *simulation, saved_head *head, const void *saved, size_t size) {
    size_t bodies = (size_t)simulation->scene->body_count + 1;
    abut_simulation made = {.scene = simulation->scene};
    made.bodies = calloc(bodies, sizeof *made.bodies);
    made.shaped = malloc(bodies * sizeof *made.shaped);
    bool memory = made.bodies && made.shaped;
    for (size_t i = 0; i < bodies && memory; i++) {
        made.shaped[i] = -1;
    }
    abut_status status = memory ? abut_world_create(abut_scene_world_def(made.scene), &made.world) : ABUT_ERROR_OUT_OF_MEMORY;
    status = status ? status : fill_slots(&made, head->ids);
    status = status ? status : reshape(&made, head->shaped);
    status = status ? status : abut_world_restore(made.world, saved, size);
    if (status == ABUT_OK) {
        abut_world *before = simulation->world;
        abut_body_id *ids = simulation->bodies;
        simulation->world = made.world;
        simulation->bodies = head->ids;
        made.world = before;
        head->ids = ids;
    }
    abut_world_destroy(made.world);
    free(made.bodies);
    free(made.shaped);
    return status;
}

/* Of scenes without inlets the world stays the same one. */
static abut_status restore_world(abut_simulation *simulation, saved_head *head, const void *saved, size_t size) {
    if (simulation->scene->inlet_count > 0) {
        return restore_new(simulation, head, saved, size);
    }
    return simulation_deforming_count(simulation->scene) > 0 ? restore_deformed(simulation, head->shaped, saved, size)
                                                             : abut_world_restore(simulation->world, saved, size);
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
    status = restore_world(simulation, &head, (const unsigned char *)saved + head.bytes, size - head.bytes);
    if (status) {
        release_head(&head);
        return status;
    }
    free(simulation->lasting);
    free(simulation->shaped);
    free(head.ids);
    free(simulation->series);
    free(simulation->fired);
    simulation->series = head.series;
    simulation->fired = head.fired;
    simulation->stopped = head.stopped;
    simulation->lasting = head.lasting;
    simulation->shaped = head.shaped;
    simulation->lasting_count = head.lasting_count;
    simulation->next_action = head.next_action;
    simulation->at_rest = head.at_rest;
    simulation->step = head.step;
    return ABUT_OK;
}
