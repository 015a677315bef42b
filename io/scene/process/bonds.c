/* Reads the action that makes bonds between near balls. */
#include "io/scene/process/bonds.h"

#include <string.h>

#include "io/file/nearest_name.h"
#include "io/scene/data.h"

/* The element of "bodies" with a name. */
static abut_status find_element(const scene_reader *reader, const scene_place *place, int32_t *element) {
    const char *name = NULL;
    abut_status status = read_string(reader, place, "bodies", &name);
    scene_place bodies, key;
    if (status != ABUT_OK || !read_member(&reader->root, "bodies", &bodies)) {
        return status;
    }
    nearest_name nearest = {.mistyped = name};
    for (size_t i = 0; i < json_array_size(bodies.value); i++) {
        const char *other = json_string_value(json_object_get(json_array_get(bodies.value, i), "name"));
        if (other != NULL && strcmp(other, name) == 0) {
            *element = (int32_t)i;
            return ABUT_OK;
        }
        nearest_offer(&nearest, other != NULL ? other : "");
    }
    char hint[128];
    read_member(place, "bodies", &key);
    return read_fail(reader, &key, "unknown bodies '%s'%s", name, nearest_hint(&nearest, hint, sizeof hint));
}

abut_status scene_read_bond(const scene_reader *reader, const scene_place *place, abut_scene_action *action) {
    if (reader->scene->world.stepper != ABUT_STEPPER_DEM) {
        return read_fail_as(reader, ABUT_ERROR_FORMAT, place, true, "'bond' is for the dem stepper: \"stepper\": {\"kind\": \"dem\"}");
    }
    abut_bond_def *bond = &action->bond;
    *bond = abut_bond_def_default();
    bond->radius = 1.0;
    action->body = action->element = -1;
    const struct {
        const char *key;
        number_range range;
        double *to;
    } numbers[] = {{"gap", NUMBER_NOT_NEGATIVE, &action->gap},
                   {"radius_share", NUMBER_POSITIVE, &bond->radius},
                   {"young", NUMBER_POSITIVE, &bond->young},
                   {"stiffness_ratio", NUMBER_POSITIVE, &bond->stiffness_ratio},
                   {"tensile_strength", NUMBER_POSITIVE, &bond->tensile_strength},
                   {"shear_strength", NUMBER_POSITIVE, &bond->shear_strength},
                   {"damping_ratio", NUMBER_NOT_NEGATIVE, &bond->damping_ratio}};
    abut_status status = read_object(reader, place, SCENE_BOND, "'bond'");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && status == ABUT_OK; i++) {
        status = read_number(reader, place, numbers[i].key, numbers[i].range, numbers[i].to);
    }
    return status == ABUT_OK && json_object_get(place->value, "bodies") ? find_element(reader, place, &action->element) : status;
}
