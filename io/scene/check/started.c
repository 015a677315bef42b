/*
 * What scene_check_fit() asks of other scenes, for one that goes on from a recording: do bodies begin inside each other?
 */
#include "io/scene/check/started.h"

#include <stdio.h>
#include <stdlib.h>

#include "io/scene/data.h"
#include "io/scene/read.h"
#include "io/scene/simulation.h"

enum { MOST_TOLD = 20 };

static int32_t index_of(const abut_simulation *simulation, abut_body_id id) {
    abut_body_info info = {.user = 0};
    (void)abut_world_body_info(abut_simulation_world(simulation), id, &info);
    return (int32_t)info.user;
}

static bool warn(abut_scene *scene, const abut_simulation *simulation, const abut_world_overlap *found, int32_t *told) {
    char message[1024];
    int32_t a = index_of(simulation, found->a), b = index_of(simulation, found->b);
    bool both = scene->start.presence[a] == START_HERE && scene->start.presence[b] == START_HERE;
    if (both || *told == MOST_TOLD) {
        return true;
    }
    ++*told;
    snprintf(message, sizeof message, "%s:%d:%d: bodies '%s' and '%s' begin inside each other: they overlap by %.3g%s", scene->path,
             (int)scene->start.line, (int)scene->start.column, scene->bodies[a].name, scene->bodies[b].name, found->depth,
             *told < MOST_TOLD ? "" : "; further pairs are not told");
    return scene_add_warning(scene, message);
}

/* A ball has 12 neighbours at most when all are equal, and each pair counts once. */
static abut_status warn_all(abut_scene *scene, const abut_simulation *simulation) {
    int64_t most = INT64_C(6) * scene->body_count + MOST_TOLD;
    int32_t count = 0, capacity = most < INT32_MAX ? (int32_t)most : INT32_MAX, told = 0;
    abut_world_overlap *found = calloc((size_t)capacity, sizeof *found);
    abut_status status = found ? abut_world_overlaps(abut_simulation_world(simulation), found, capacity, &count) : ABUT_ERROR_OUT_OF_MEMORY;
    for (int32_t i = 0; i < count && status == ABUT_OK; i++) {
        status = warn(scene, simulation, &found[i], &told) ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
    }
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
