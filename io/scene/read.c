/*
 * Checked access to the values of a scene's JSON.
 */
#include "io/scene/read.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/nearest_name.h"
#include "io/scene/data.h"

static const double pi = 3.14159265358979323846;

/* "FILE:LINE:COLUMN: message" */
static void place_message(const scene_reader *reader, const scene_place *place, bool at_key, const char *format, va_list arguments,
                          char *message, size_t size) {
    int32_t line, column;
    size_t offset = position_of(reader->text, reader->length, &place->step, at_key);
    position_line_column(reader->text, reader->length, offset, &line, &column);
    int used = snprintf(message, size, "%s:%d:%d: ", reader->path, line, column);
    if (used >= 0 && (size_t)used < size) {
        vsnprintf(message + used, size - (size_t)used, format, arguments);
    }
}

/* Longer than the message of an abut_error, so that abut_fail() sees that it must cut. */
enum { MESSAGE_SIZE = 2048 };

abut_status read_fail(const scene_reader *reader, const scene_place *place, const char *format, ...) {
    char message[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    place_message(reader, place, false, format, arguments, message, sizeof message);
    va_end(arguments);
    return abut_fail(reader->error, ABUT_ERROR_FORMAT, "%s", message);
}

abut_status read_fail_as(const scene_reader *reader, abut_status status, const scene_place *place, bool at_key, const char *format, ...) {
    char message[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    place_message(reader, place, at_key, format, arguments, message, sizeof message);
    va_end(arguments);
    return abut_fail(reader->error, status, "%s", message);
}

void read_position(const scene_reader *reader, const scene_place *place, int32_t *line, int32_t *column) {
    size_t offset = position_of(reader->text, reader->length, &place->step, false);
    position_line_column(reader->text, reader->length, offset, line, column);
}

abut_status read_no_memory(const scene_reader *reader) {
    return abut_fail(reader->error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory for the scene", reader->path);
}

bool scene_add_warning(abut_scene *scene, const char *message) {
    abut_error line; /* abut_fail() replaces control characters */
    abut_fail(&line, ABUT_OK, "%s", message);
    char **grown = realloc(scene->warnings, ((size_t)scene->warning_count + 1) * sizeof *grown);
    if (!grown) {
        return false;
    }
    scene->warnings = grown;
    grown[scene->warning_count] = strdup(line.message);
    bool kept = grown[scene->warning_count] != NULL;
    scene->warning_count += kept;
    return kept;
}

abut_status read_warn(scene_reader *reader, const scene_place *place, const char *format, ...) {
    char message[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    place_message(reader, place, false, format, arguments, message, sizeof message);
    va_end(arguments);
    return scene_add_warning(reader->scene, message) ? ABUT_OK : read_no_memory(reader);
}

bool read_member(const scene_place *place, const char *key, scene_place *child) {
    json_t *value = json_object_get(place->value, key);
    if (!value) {
        return false;
    }
    *child = (scene_place){{&place->step, key, 0}, value};
    return true;
}

scene_place read_element(const scene_place *place, size_t index) {
    return (scene_place){{&place->step, NULL, index}, json_array_get(place->value, index)};
}

const char *read_type_name(const json_t *value) {
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
        return "true";
    case JSON_FALSE:
        return "false";
    default:
        return "null";
    }
}

static abut_status unknown_key(const scene_reader *reader, const scene_place *place, const scene_keys *table, const char *what) {
    nearest_name nearest = {.mistyped = place->step.key};
    for (const scene_key *key = table->keys; key->name; key++) {
        nearest_offer(&nearest, key->name);
    }
    char hint[128];
    return read_fail_as(reader, ABUT_ERROR_FORMAT, place, true, "unknown key '%s' in %s%s", place->step.key, what,
                        nearest_hint(&nearest, hint, sizeof hint));
}

static bool table_has(const scene_keys *table, const char *name) {
    for (const scene_key *key = table->keys; key->name; key++) {
        if (strcmp(key->name, name) == 0) {
            return true;
        }
    }
    return false;
}

abut_status read_object(const scene_reader *reader, const scene_place *place, scene_object object, const char *what) {
    const scene_keys *table = &scene_key_table[object];
    if (!json_is_object(place->value)) {
        return read_fail(reader, place, "%s must be an object, not %s", what, read_type_name(place->value));
    }
    const char *name;
    json_t *value;
    json_object_foreach(place->value, name, value) {
        if (!table_has(table, name)) {
            scene_place member = {{&place->step, name, 0}, value};
            return unknown_key(reader, &member, table, what);
        }
    }
    for (const scene_key *key = table->keys; key->name; key++) {
        if (key->required && !json_object_get(place->value, key->name)) {
            return read_fail(reader, place, "missing key '%s' in %s", key->name, what);
        }
    }
    return ABUT_OK;
}

abut_status read_array(const scene_reader *reader, const scene_place *place, size_t least, const char *what) {
    if (!json_is_array(place->value)) {
        return read_fail(reader, place, "'%s' must be an array, not %s", what, read_type_name(place->value));
    }
    size_t size = json_array_size(place->value);
    if (size < least) {
        return read_fail(reader, place, "'%s' has %zu elements, but needs at least %zu", what, size, least);
    }
    if (size > INT32_MAX) {
        return read_fail(reader, place, "'%s' has too many elements", what);
    }
    return ABUT_OK;
}

abut_status read_number_at(const scene_reader *reader, const scene_place *place, const char *what, number_range range, double *out) {
    static const char *const ranges[] = {"a number", "a number greater than 0", "a number not below 0", "a number from 0 to 1"};
    if (!json_is_number(place->value)) {
        return read_fail(reader, place, "'%s' must be %s, not %s", what, ranges[range], read_type_name(place->value));
    }
    double value = json_number_value(place->value);
    bool right = range == NUMBER_ANY || (range == NUMBER_POSITIVE && value > 0.0) || (range == NUMBER_NOT_NEGATIVE && value >= 0.0) ||
                 (range == NUMBER_UNIT && value >= 0.0 && value <= 1.0);
    if (!right) {
        return read_fail(reader, place, "'%s' must be %s, not %.10g", what, ranges[range], value);
    }
    *out = value;
    return ABUT_OK;
}

abut_status read_number(const scene_reader *reader, const scene_place *object, const char *key, number_range range, double *out) {
    scene_place place;
    return read_member(object, key, &place) ? read_number_at(reader, &place, key, range, out) : ABUT_OK;
}

abut_status read_number_keys(const scene_reader *reader, const scene_place *object, const number_key *numbers, size_t count) {
    abut_status status = ABUT_OK;
    for (size_t i = 0; status == ABUT_OK && i < count; i++) {
        status = read_number(reader, object, numbers[i].key, numbers[i].range, numbers[i].out);
    }
    return status;
}

abut_status read_integer_at(const scene_reader *reader, const scene_place *place, const char *what, int32_t least, int32_t most,
                            int32_t *out) {
    /* 4.0 is a whole number too. */
    double value = json_is_number(place->value) ? json_number_value(place->value) : NAN;
    if (!(value >= least && value <= most && value == floor(value))) {
        char found[64];
        snprintf(found, sizeof found, "%.10g", value);
        return read_fail(reader, place, "'%s' must be a whole number from %d to %d, not %s", what, least, most,
                         json_is_number(place->value) ? found : read_type_name(place->value));
    }
    *out = (int32_t)value;
    return ABUT_OK;
}

abut_status read_integer(const scene_reader *reader, const scene_place *object, const char *key, int32_t least, int32_t most,
                         int32_t *out) {
    scene_place place;
    return read_member(object, key, &place) ? read_integer_at(reader, &place, key, least, most, out) : ABUT_OK;
}

abut_status read_bool(const scene_reader *reader, const scene_place *object, const char *key, bool *out) {
    scene_place place;
    if (!read_member(object, key, &place)) {
        return ABUT_OK;
    }
    if (!json_is_boolean(place.value)) {
        return read_fail(reader, &place, "'%s' must be true or false, not %s", key, read_type_name(place.value));
    }
    *out = json_is_true(place.value);
    return ABUT_OK;
}

abut_status read_string(const scene_reader *reader, const scene_place *object, const char *key, const char **out) {
    scene_place place;
    if (!read_member(object, key, &place)) {
        return ABUT_OK;
    }
    if (!json_is_string(place.value)) {
        return read_fail(reader, &place, "'%s' must be a string, not %s", key, read_type_name(place.value));
    }
    *out = json_string_value(place.value);
    return ABUT_OK;
}

abut_status read_numbers_at(const scene_reader *reader, const scene_place *place, const char *what, size_t count, double *out) {
    if (!json_is_array(place->value)) {
        return read_fail(reader, place, "'%s' must be an array of %zu numbers, not %s", what, count, read_type_name(place->value));
    }
    if (json_array_size(place->value) != count) {
        return read_fail(reader, place, "'%s' must have %zu numbers, not %zu", what, count, json_array_size(place->value));
    }
    for (size_t i = 0; i < count; i++) {
        scene_place element = read_element(place, i);
        abut_status status = read_number_at(reader, &element, what, NUMBER_ANY, &out[i]);
        if (status != ABUT_OK) {
            return status;
        }
    }
    return ABUT_OK;
}

abut_status read_vec3_at(const scene_reader *reader, const scene_place *place, const char *what, abut_vec3 *out) {
    double numbers[3];
    abut_status status = read_numbers_at(reader, place, what, 3, numbers);
    if (status == ABUT_OK) {
        *out = abut_vec3_make(numbers[0], numbers[1], numbers[2]);
    }
    return status;
}

abut_status read_vec3(const scene_reader *reader, const scene_place *object, const char *key, abut_vec3 *out) {
    scene_place place;
    return read_member(object, key, &place) ? read_vec3_at(reader, &place, key, out) : ABUT_OK;
}

abut_status read_points(const scene_reader *reader, const scene_place *object, const char *key, size_t least, abut_vec3 **points,
                        int32_t *count) {
    scene_place place;
    read_member(object, key, &place);
    abut_status status = read_array(reader, &place, least, key);
    if (status != ABUT_OK) {
        return status;
    }
    size_t size = json_array_size(place.value);
    abut_vec3 *array = calloc(size, sizeof *array);
    if (!array) {
        return read_no_memory(reader);
    }
    for (size_t i = 0; status == ABUT_OK && i < size; i++) {
        scene_place element = read_element(&place, i);
        status = read_vec3_at(reader, &element, key, &array[i]);
    }
    if (status != ABUT_OK) {
        free(array);
        return status;
    }
    *points = array;
    *count = (int32_t)size;
    return ABUT_OK;
}

abut_status read_choice(const scene_reader *reader, const scene_place *object, const char *key, const char *const *names, int *out) {
    const char *value = NULL;
    abut_status status = read_string(reader, object, key, &value);
    if (status != ABUT_OK || !value) {
        return status;
    }
    char list[256] = "";
    size_t used = 0;
    nearest_name nearest = {.mistyped = value};
    for (int i = 0; names[i]; i++) {
        if (strcmp(value, names[i]) == 0) {
            *out = i;
            return ABUT_OK;
        }
        nearest_offer(&nearest, names[i]);
        used += (size_t)snprintf(list + used, sizeof list - used, "%s'%s'", i == 0 ? "" : names[i + 1] ? ", " : " or ", names[i]);
    }
    scene_place place;
    read_member(object, key, &place);
    char hint[128];
    return read_fail(reader, &place, "'%s' must be %s, not '%s'%s", key, list, value, nearest_hint(&nearest, hint, sizeof hint));
}

static abut_status read_axis_angle(const scene_reader *reader, const scene_place *place, abut_quat *out) {
    abut_vec3 axis = {0, 0, 0};
    double degrees = 0.0;
    abut_status status = read_vec3(reader, place, "axis", &axis);
    if (status == ABUT_OK) {
        status = read_number(reader, place, "degrees", NUMBER_ANY, &degrees);
    }
    if (status != ABUT_OK) {
        return status;
    }
    abut_vec3 unit = abut_unit(axis);
    if (unit.x == 0.0 && unit.y == 0.0 && unit.z == 0.0) {
        scene_place member;
        read_member(place, "axis", &member);
        return read_fail(reader, &member, "'axis' must not be zero");
    }
    /* Whole turns are removed before the conversion, which would lose digits of large angles. */
    *out = abut_quat_unit(abut_quat_about(unit, fmod(degrees, 720.0) * (pi / 180.0)));
    return ABUT_OK;
}

static abut_status read_quaternion(const scene_reader *reader, const scene_place *place, abut_quat *out) {
    double numbers[4];
    scene_place member;
    read_member(place, "quaternion", &member);
    abut_status status = read_numbers_at(reader, &member, "quaternion", 4, numbers);
    if (status != ABUT_OK) {
        return status;
    }
    abut_quat q = abut_quat_make(numbers[0], numbers[1], numbers[2], numbers[3]);
    if (!(fabs(abut_quat_norm(q) - 1.0) <= 1e-3)) {
        return read_fail(reader, &member, "'quaternion' must have length 1 (x, y, z, w), not %.6g", abut_quat_norm(q));
    }
    *out = abut_quat_unit(q);
    return ABUT_OK;
}

abut_status read_rotation(const scene_reader *reader, const scene_place *place, abut_quat *out) {
    abut_status status = read_object(reader, place, SCENE_ROTATION, "'rotation'");
    if (status != ABUT_OK) {
        return status;
    }
    bool axis = json_object_get(place->value, "axis"), degrees = json_object_get(place->value, "degrees");
    bool quaternion = json_object_get(place->value, "quaternion");
    if (quaternion == (axis || degrees) || axis != degrees) {
        return read_fail(reader, place, "'rotation' must have either 'axis' and 'degrees' or 'quaternion'");
    }
    return quaternion ? read_quaternion(reader, place, out) : read_axis_angle(reader, place, out);
}

abut_status read_pose(const scene_reader *reader, const scene_place *object, abut_pose *out) {
    abut_pose pose = abut_pose_identity();
    abut_status status = read_vec3(reader, object, "position", &pose.position);
    scene_place rotation;
    if (status == ABUT_OK && read_member(object, "rotation", &rotation)) {
        status = read_rotation(reader, &rotation, &pose.rotation);
    }
    if (status == ABUT_OK) {
        *out = pose;
    }
    return status;
}
