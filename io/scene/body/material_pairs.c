/* Reads what pairs of materials do to each other: see material_pairs.h. */
#include "io/scene/body/material_pairs.h"

#include <stdlib.h>

#include "io/file/nearest_name.h"
#include "io/scene/data.h"

/* ---- materials ---- */

abut_status scene_unknown_material(const scene_reader *reader, const scene_place *place, const char *what) {
    const char *name = json_string_value(place->value), *known;
    nearest_name nearest = {.mistyped = name};
    json_t *value;
    json_object_foreach(reader->materials.value, known, value) { nearest_offer(&nearest, known); }
    char hint[128];
    return read_fail(reader, place, "%s: unknown material '%s'%s", what, name, nearest_hint(&nearest, hint, sizeof hint));
}

int32_t scene_material_number(const scene_reader *reader, const char *name) {
    return (int32_t)json_integer_value(json_object_get(reader->material_numbers, name));
}

static abut_status number_materials(scene_reader *reader) {
    const char *name;
    json_t *value;
    int32_t number = 0;
    reader->material_numbers = json_object();
    bool done = reader->material_numbers != NULL;
    json_object_foreach(reader->materials.value, name, value) {
        done = done && json_object_set_new(reader->material_numbers, name, json_integer(++number)) == 0;
    }
    return done ? ABUT_OK : read_no_memory(reader);
}

/* ---- pairs ---- */

static const char *const what = "an element of 'material_pairs'";

static abut_status read_names(const scene_reader *reader, const scene_place *place, abut_substance_pair *pair) {
    scene_place names;
    read_member(place, "materials", &names);
    if (!json_is_array(names.value) || json_array_size(names.value) != 2) {
        return read_fail(reader, &names, "'materials' of %s must be an array of two names of materials", what);
    }
    int32_t *const numbers[2] = {&pair->a, &pair->b};
    for (size_t i = 0; i < 2; i++) {
        scene_place name = read_element(&names, i);
        if (!json_is_string(name.value)) {
            return read_fail(reader, &name, "a material is named by a string, not by %s", read_type_name(name.value));
        }
        *numbers[i] = scene_material_number(reader, json_string_value(name.value));
        if (*numbers[i] == 0) {
            return scene_unknown_material(reader, &name, what);
        }
    }
    return ABUT_OK;
}

/* What the stepper does not have, in favour of what it has. */
static abut_status refuse_values(const scene_reader *reader, const scene_place *place) {
    static const char *const keys[][2] = {{"rolling_friction", "rolling_resistance"}, {"spinning_friction", "twisting_resistance"}};
    for (size_t i = 0; i < 2; i++) {
        scene_place key;
        if (reader->scene->world.stepper == ABUT_STEPPER_DEM && read_member(place, keys[i][0], &key)) {
            return read_fail_as(reader, ABUT_ERROR_UNSUPPORTED, &key, true, "%s: the dem stepper has no '%s', but '%s', a coefficient",
                                what, keys[i][0], keys[i][1]);
        }
    }
    return ABUT_OK;
}

static abut_status read_pair(const scene_reader *reader, const scene_place *place, abut_substance_pair *pair) {
    *pair = abut_substance_pair_default();
    const number_key values[] = {{"friction", NUMBER_NOT_NEGATIVE, &pair->friction},
                                 {"restitution", NUMBER_UNIT, &pair->restitution},
                                 {"rolling_friction", NUMBER_NOT_NEGATIVE, &pair->rolling_friction},
                                 {"spinning_friction", NUMBER_NOT_NEGATIVE, &pair->spinning_friction},
                                 {"rolling_resistance", NUMBER_NOT_NEGATIVE, &pair->rolling_resistance},
                                 {"twisting_resistance", NUMBER_NOT_NEGATIVE, &pair->twisting_resistance}};
    abut_status status = read_object(reader, place, SCENE_MATERIAL_PAIR, what);
    status = status == ABUT_OK ? read_names(reader, place, pair) : status;
    status = status == ABUT_OK ? refuse_values(reader, place) : status;
    status = status == ABUT_OK ? read_number_keys(reader, place, values, sizeof values / sizeof *values) : status;
    if (status == ABUT_OK && json_object_size(place->value) == 1) {
        return read_fail(reader, place, "%s gives no value", what);
    }
    return status;
}

/* ---- pairs that are given twice ---- */

typedef struct given {
    int32_t low, high, index;
} given;

static int compare(const void *p, const void *q) {
    const given *a = p, *b = q;
    const int32_t left[] = {a->low, a->high, a->index}, right[] = {b->low, b->high, b->index};
    for (int i = 0; i < 3; i++) {
        if (left[i] != right[i]) {
            return left[i] < right[i] ? -1 : 1;
        }
    }
    return 0;
}

/* The first element that gives the pair of an earlier one; -1 for none. */
static int32_t find_again(given *all, int32_t count) {
    int32_t first = -1;
    qsort(all, (size_t)count, sizeof *all, compare);
    for (int32_t i = 1; i < count; i++) {
        bool again = all[i].low == all[i - 1].low && all[i].high == all[i - 1].high;
        first = again && (first < 0 || all[i].index < first) ? all[i].index : first;
    }
    return first;
}

static abut_status check_again(const scene_reader *reader, const scene_place *list, const abut_substance_pair *pairs, int32_t count) {
    given *all = calloc((size_t)count, sizeof *all);
    if (!all) {
        return read_no_memory(reader);
    }
    for (int32_t i = 0; i < count; i++) {
        int32_t a = pairs[i].a, b = pairs[i].b;
        all[i] = (given){a < b ? a : b, a < b ? b : a, i};
    }
    int32_t again = find_again(all, count);
    free(all);
    if (again < 0) {
        return ABUT_OK;
    }
    scene_place element = read_element(list, (size_t)again), names;
    read_member(&element, "materials", &names);
    return read_fail(reader, &names, "the pair of '%s' and '%s' is given twice", json_string_value(json_array_get(names.value, 0)),
                     json_string_value(json_array_get(names.value, 1)));
}

abut_status scene_read_material_pairs(scene_reader *reader) {
    abut_scene *scene = reader->scene;
    scene_place list;
    if (!read_member(&reader->root, "material_pairs", &list)) {
        return ABUT_OK;
    }
    abut_status status = read_array(reader, &list, 0, "material_pairs");
    int32_t count = (int32_t)json_array_size(list.value);
    if (status != ABUT_OK || count == 0) {
        return status;
    }
    scene->pairs = calloc((size_t)count, sizeof *scene->pairs);
    if (!scene->pairs) {
        return read_no_memory(reader);
    }
    status = number_materials(reader);
    for (int32_t i = 0; status == ABUT_OK && i < count; i++) {
        scene_place element = read_element(&list, (size_t)i);
        status = read_pair(reader, &element, &scene->pairs[i]);
    }
    status = status == ABUT_OK ? check_again(reader, &list, scene->pairs, count) : status;
    scene->world.pairs = scene->pairs;
    scene->world.pair_count = status == ABUT_OK ? count : 0;
    return status;
}
