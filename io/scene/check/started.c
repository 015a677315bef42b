/*
 * What scene_check_fit() asks of other scenes, for one that goes on from a recording: do bodies begin inside each other?
 */
#include "io/scene/check/started.h"

#include <stdio.h>
#include <stdlib.h>

#include "io/scene/data.h"
#include "io/scene/simulation.h"
#include "io/scene/start.h"

enum { MOST_TOLD = 20, MOST_LOOKED_AT = 1 << 20, USUAL = 3 /* times the deepest overlap of bodies that go on */ };

static int32_t index_of(const abut_simulation *simulation, abut_body_id id) {
    abut_body_info info = {.user = 0};
    (void)abut_world_body_info(abut_simulation_world(simulation), id, &info);
    return (int32_t)info.user;
}

/* Whether both bodies go on from the recording. */
static bool both_go_on(const abut_scene *scene, const abut_simulation *simulation, const abut_world_overlap *found) {
    int32_t a = index_of(simulation, found->a), b = index_of(simulation, found->b);
    return scene->start.presence[a] == START_HERE && scene->start.presence[b] == START_HERE;
}

static bool warn(abut_scene *scene, const abut_simulation *simulation, const abut_world_overlap *found, bool last) {
    char message[1024];
    snprintf(message, sizeof message, "bodies '%s' and '%s' begin inside each other: they overlap by %.3g%s",
             scene->bodies[index_of(simulation, found->a)].name, scene->bodies[index_of(simulation, found->b)].name, found->depth,
             last ? "; further pairs are not told" : "");
    return scene_start_warn(scene, message);
}

/* Soft grains press into each other. So a new body that lies in others about as they lie in each other, such as a floor in the place of the old one, is not
 * told. */
static bool warn_of(abut_scene *scene, const abut_simulation *simulation, const abut_world_overlap *found, int32_t count) {
    double usual = 0.0;
    for (int32_t i = 0; i < count; i++) {
        usual = found[i].depth > usual && both_go_on(scene, simulation, &found[i]) ? found[i].depth : usual;
    }
    bool memory = true;
    int32_t told = 0;
    for (int32_t i = 0; i < count && told < MOST_TOLD && memory; i++) {
        if (found[i].depth > USUAL * usual && !both_go_on(scene, simulation, &found[i])) {
            memory = warn(scene, simulation, &found[i], ++told == MOST_TOLD);
        }
    }
    return memory;
}

/* A ball has 12 neighbours at most when all are equal, and each pair counts once. Of a large bed some overlaps do. */
static abut_status warn_all(abut_scene *scene, const abut_simulation *simulation) {
    int64_t most = INT64_C(6) * scene->body_count + MOST_TOLD;
    int32_t count = 0, capacity = most < MOST_LOOKED_AT ? (int32_t)most : MOST_LOOKED_AT;
    abut_world_overlap *found = calloc((size_t)capacity, sizeof *found);
    abut_status status = found ? abut_world_overlaps(abut_simulation_world(simulation), found, capacity, &count) : ABUT_ERROR_OUT_OF_MEMORY;
    status = status == ABUT_OK && !warn_of(scene, simulation, found, count) ? ABUT_ERROR_OUT_OF_MEMORY : status;
    free(found);
    return status;
}

abut_status scene_check_started(abut_scene *scene, abut_error *error) {
    abut_simulation *simulation = NULL;
    abut_status status = abut_simulation_create(scene, &simulation, error);
    if (status != ABUT_OK) {
        return status;
    }
    status = warn_all(scene, simulation);
    abut_simulation_destroy(simulation);
    return status == ABUT_OK ? status : abut_fail(error, status, "%s: %s", scene->path, abut_status_message(status));
}
