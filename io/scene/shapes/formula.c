/*
 * Reads smooth bodies given by formulas. A mistake in a formula is told at its text, with the column in the text; any other one at the shape.
 */
#include "io/scene/shapes/formula.h"

#include <stdlib.h>

#include <abut/formula.h>

/* *parameters is to be freed, also on an error. Their names belong to the JSON. */
static abut_status read_parameters(const scene_reader *reader, const scene_place *object, abut_formula_parameter **parameters,
                                   int32_t *count) {
    scene_place place;
    if (!read_member(object, "parameters", &place)) {
        return ABUT_OK;
    }
    if (!json_is_object(place.value)) {
        return read_fail(reader, &place, "'parameters' must be an object, not %s", read_type_name(place.value));
    }
    size_t size = json_object_size(place.value);
    if (size > ABUT_FORMULA_MOST_PARAMETERS) {
        return read_fail(reader, &place, "'parameters' has %zu entries, more than %d", size, ABUT_FORMULA_MOST_PARAMETERS);
    }
    *parameters = calloc(size + 1, sizeof **parameters);
    if (!*parameters) {
        return read_no_memory(reader);
    }
    abut_status status = ABUT_OK;
    for (void *i = json_object_iter(place.value); i && status == ABUT_OK; i = json_object_iter_next(place.value, i)) {
        abut_formula_parameter *p = &(*parameters)[(*count)++];
        scene_place member;
        p->name = json_object_iter_key(i);
        read_member(&place, p->name, &member);
        status = read_number_at(reader, &member, p->name, NUMBER_ANY, &p->value);
    }
    return status;
}

/* keys: of the formulas. */
static abut_status take(const scene_reader *reader, const scene_place *place, const char *what, const char *const *keys,
                        const abut_formula_error *error, abut_status status, const abut_shape *shape, scene_shape *out) {
    if (status == ABUT_OK || status == ABUT_ERROR_OUT_OF_MEMORY) {
        return scene_take_shape(reader, place, what, status, shape, out);
    }
    status = status == ABUT_ERROR_NOT_CONVEX || status == ABUT_ERROR_NOT_CLOSED ? status : ABUT_ERROR_FORMAT;
    scene_place text;
    if (error->column > 0 && read_member(place, keys[error->formula], &text)) {
        return read_fail_as(reader, status, &text, false, "%s: column %d of '%s': %s", what, (int)error->column, keys[error->formula],
                            error->message);
    }
    return read_fail_as(reader, status, place, false, "%s: %s%s", what, error->message,
                        status == ABUT_ERROR_NOT_CONVEX ? "; set \"convex\" to false" : "");
}

/* ---- implicit ---- */

/* The box reaches from -upper to upper unless "lower" is given. */
static abut_status read_implicit_def(const scene_reader *reader, const scene_place *place, abut_implicit_formula_def *def) {
    abut_status status = read_string(reader, place, "formula", &def->formula);
    if (status == ABUT_OK) {
        status = read_vec3(reader, place, "upper", &def->bounds.upper);
    }
    def->bounds.lower = abut_neg(def->bounds.upper);
    if (status == ABUT_OK) {
        status = read_vec3(reader, place, "lower", &def->bounds.lower);
    }
    if (status == ABUT_OK) {
        status = read_vec3(reader, place, "inside", &def->inside);
    }
    return status == ABUT_OK ? read_bool(reader, place, "convex", &def->convex) : status;
}

abut_status scene_read_implicit(scene_reader *reader, const scene_place *place, const char *what, scene_shape *out) {
    static const char *const keys[] = {"formula"};
    abut_implicit_formula_def def = {.convex = true};
    abut_formula_parameter *parameters = NULL;
    abut_status status = read_object(reader, place, SCENE_IMPLICIT, what);
    if (status == ABUT_OK) {
        status = read_implicit_def(reader, place, &def);
    }
    if (status == ABUT_OK) {
        status = read_parameters(reader, place, &parameters, &def.parameter_count);
    }
    if (status == ABUT_OK) {
        abut_shape *shape = NULL;
        abut_formula_error error;
        def.parameters = parameters;
        status = abut_shape_create_implicit_formula(&def, &error, &shape);
        status = take(reader, place, what, keys, &error, status, shape, out);
    }
    free(parameters);
    return status;
}

/* ---- parametric ---- */

static abut_status read_range(const scene_reader *reader, const scene_place *place, const char *key, double range[2]) {
    scene_place member;
    read_member(place, key, &member);
    abut_status status = read_numbers_at(reader, &member, key, 2, range);
    bool empty = status == ABUT_OK && !(range[0] < range[1]);
    return empty ? read_fail(reader, &member, "'%s' must rise, not go from %g to %g", key, range[0], range[1]) : status;
}

static abut_status read_parametric_def(const scene_reader *reader, const scene_place *place, const char *const *keys,
                                       abut_parametric_formula_def *def) {
    const char **const strings[] = {&def->x, &def->y, &def->z};
    abut_status status = ABUT_OK;
    for (int i = 0; status == ABUT_OK && i < 3; i++) {
        status = read_string(reader, place, keys[i], strings[i]);
    }
    if (status == ABUT_OK) {
        status = read_range(reader, place, "u", def->u_range);
    }
    if (status == ABUT_OK) {
        status = read_range(reader, place, "v", def->v_range);
    }
    if (status == ABUT_OK) {
        status = read_bool(reader, place, "u_periodic", &def->u_periodic);
    }
    if (status == ABUT_OK) {
        status = read_bool(reader, place, "v_periodic", &def->v_periodic);
    }
    return status == ABUT_OK ? read_bool(reader, place, "convex", &def->convex) : status;
}

abut_status scene_read_parametric(scene_reader *reader, const scene_place *place, const char *what, scene_shape *out) {
    static const char *const keys[] = {"x", "y", "z"};
    abut_parametric_formula_def def = {.convex = true};
    abut_formula_parameter *parameters = NULL;
    abut_status status = read_object(reader, place, SCENE_PARAMETRIC, what);
    if (status == ABUT_OK) {
        status = read_parametric_def(reader, place, keys, &def);
    }
    if (status == ABUT_OK) {
        status = read_parameters(reader, place, &parameters, &def.parameter_count);
    }
    if (status == ABUT_OK) {
        abut_shape *shape = NULL;
        abut_formula_error error;
        def.parameters = parameters;
        status = abut_shape_create_parametric_formula(&def, &error, &shape);
        status = take(reader, place, what, keys, &error, status, shape, out);
    }
    free(parameters);
    return status;
}
