#include "io/scene/body/never_touch.h"

#include <stdlib.h>

#include "io/scene/body.h"
#include "io/scene/data.h"

static abut_status read_pair(const scene_reader *reader, const scene_place *place, abut_scene_pair *pair) {
    if (!json_is_array(place->value) || json_array_size(place->value) != 2) {
        return read_fail(reader, place, "an element of 'never_touch' must be an array of two names of bodies");
    }
    scene_place a = read_element(place, 0), b = read_element(place, 1);
    abut_status status = scene_body_at(reader, &a, &pair->a);
    status = status == ABUT_OK ? scene_body_at(reader, &b, &pair->b) : status;
    if (status == ABUT_OK && pair->a == pair->b) {
        status = read_fail(reader, place, "'never_touch' needs two bodies: both are '%s'", reader->scene->bodies[pair->a].name);
    }
    return status;
}

abut_status scene_read_never_touch(scene_reader *reader) {
    abut_scene *scene = reader->scene;
    scene_place place;
    if (!read_member(&reader->root, "never_touch", &place)) {
        return ABUT_OK;
    }
    abut_status status = read_array(reader, &place, 0, "never_touch");
    if (status != ABUT_OK || json_array_size(place.value) == 0) {
        return status;
    }
    scene->apart = calloc(json_array_size(place.value), sizeof *scene->apart);
    if (!scene->apart) {
        return read_no_memory(reader);
    }
    for (size_t i = 0; status == ABUT_OK && i < json_array_size(place.value); i++) {
        scene_place element = read_element(&place, i);
        status = read_pair(reader, &element, &scene->apart[scene->apart_count++]);
    }
    return status;
}

int32_t abut_scene_excluded_count(const abut_scene *scene) { return scene->apart_count; }

const abut_scene_pair *abut_scene_get_excluded(const abut_scene *scene, int32_t index) {
    return index >= 0 && index < scene->apart_count ? &scene->apart[index] : NULL;
}
