#include "io/scene/body/cell.h"

#include <stdlib.h>

#include "io/scene/data.h"

/* What is true of bodies that are no cells. */
static const char *refusal(const scene_reader *reader, const scene_place *body, const abut_body_def *def) {
    return reader->scene->world.stepper != ABUT_STEPPER_DEM                     ? "does not move by the dem stepper"
           : def->kind != ABUT_BODY_DYNAMIC                                     ? "is not dynamic"
           : !def->shape || abut_shape_kind(def->shape) != ABUT_SHAPE_FACETMESH ? "is not a facetmesh"
           : json_object_get(body->value, "deform")                             ? "has a 'deform'"
           : json_object_get(body->value, "inlet")                              ? "comes through an 'inlet'"
                                                                                : NULL;
}

static abut_status read_numbers(const scene_reader *reader, const scene_place *place, abut_cell_def *def) {
    abut_status status = read_object(reader, place, SCENE_CELL, "'cell'");
    status = status == ABUT_OK ? read_number(reader, place, "stiffness", NUMBER_POSITIVE, &def->stiffness) : status;
    status = status == ABUT_OK ? read_number(reader, place, "damping", NUMBER_NOT_NEGATIVE, &def->damping) : status;
    status = status == ABUT_OK ? read_number(reader, place, "rest_ratio", NUMBER_NOT_NEGATIVE, &def->rest_ratio) : status;
    status = status == ABUT_OK ? read_number(reader, place, "pressure", NUMBER_ANY, &def->pressure) : status;
    return status == ABUT_OK ? read_number(reader, place, "bulk_modulus", NUMBER_NOT_NEGATIVE, &def->bulk_modulus) : status;
}

abut_status scene_read_cell(scene_reader *reader, const scene_place *body, const char *what, const abut_body_def *def) {
    scene_place place;
    reader->cell = -1;
    if (!read_member(body, "cell", &place)) {
        return ABUT_OK;
    }
    const char *why = refusal(reader, body, def);
    if (why) {
        return read_fail_as(reader, ABUT_ERROR_FORMAT, &place, true, "%s %s and has no 'cell'", what, why);
    }
    abut_cell_def cell = abut_cell_def_default();
    abut_status status = read_numbers(reader, &place, &cell);
    if (status != ABUT_OK) {
        return status;
    }
    abut_scene *scene = reader->scene;
    abut_cell_def *grown = realloc(scene->cells, ((size_t)scene->cell_count + 1) * sizeof *grown);
    if (!grown) {
        return read_no_memory(reader);
    }
    scene->cells = grown;
    scene->cells[scene->cell_count] = cell;
    reader->cell = scene->cell_count++;
    return ABUT_OK;
}
