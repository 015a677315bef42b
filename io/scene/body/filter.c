#include "io/scene/body/filter.h"

#include <string.h>

#include "io/file/nearest_name.h"

/* Where the category stands in the list; -1 for none. */
static int32_t find(const scene_reader *reader, const char *name) {
    for (int32_t i = 0; i < reader->category_count; i++) {
        if (strcmp(reader->categories[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

/* Element `index` of a value that is a string or an array of strings; false beyond the last one. */
static bool element_of(const scene_place *value, size_t index, scene_place *element) {
    if (!json_is_array(value->value)) {
        *element = *value;
        return index == 0;
    }
    if (index >= json_array_size(value->value)) {
        return false;
    }
    *element = read_element(value, index);
    return true;
}

static abut_status add(scene_reader *reader, const scene_place *place) {
    const char *name = json_string_value(place->value);
    if (name == NULL || name[0] == '\0' || find(reader, name) >= 0) {
        return ABUT_OK; /* scene_read_filter() refuses what is no name */
    }
    if (reader->category_count == SCENE_CATEGORIES) {
        return read_fail(reader, place, "category '%s' is one too many: a scene has at most %d categories, with 'default'", name,
                         SCENE_CATEGORIES);
    }
    reader->categories[reader->category_count++] = name;
    return ABUT_OK;
}

abut_status scene_find_categories(scene_reader *reader) {
    scene_place bodies, value, element;
    abut_status status = ABUT_OK;
    reader->categories[0] = "default";
    reader->category_count = 1;
    read_member(&reader->root, "bodies", &bodies);
    for (size_t i = 0; i < json_array_size(bodies.value); i++) {
        scene_place body = read_element(&bodies, i);
        bool named = json_is_object(body.value) && read_member(&body, "category", &value);
        for (size_t k = 0; named && status == ABUT_OK && element_of(&value, k, &element); k++) {
            status = add(reader, &element);
        }
    }
    return status;
}

static abut_status unknown(const scene_reader *reader, const scene_place *place, const char *what, const char *name) {
    nearest_name nearest = {.mistyped = name};
    for (int32_t i = 0; i < reader->category_count; i++) {
        nearest_offer(&nearest, reader->categories[i]);
    }
    char hint[128];
    return read_fail(reader, place, "%s: no body has the category '%s'%s", what, name, nearest_hint(&nearest, hint, sizeof hint));
}

/* The bits of the names of a key; unchanged when the key is absent. */
static abut_status read_bits(const scene_reader *reader, const scene_place *body, const char *what, const char *key, uint64_t *bits) {
    scene_place value, element;
    if (!read_member(body, key, &value)) {
        return ABUT_OK;
    }
    *bits = 0;
    for (size_t i = 0; element_of(&value, i, &element); i++) {
        const char *name = json_string_value(element.value);
        if (name == NULL || name[0] == '\0') {
            return read_fail(reader, &element, "%s: '%s' must be the name of a category or an array of names, not %s", what, key,
                             name == NULL ? read_type_name(element.value) : "an empty name");
        }
        int32_t at = find(reader, name);
        if (at < 0) {
            return unknown(reader, &element, what, name);
        }
        *bits |= UINT64_C(1) << at;
    }
    return ABUT_OK;
}

abut_status scene_read_filter(const scene_reader *reader, const scene_place *body, const char *what, abut_filter *filter) {
    abut_status status = read_bits(reader, body, what, "category", &filter->category);
    status = status == ABUT_OK ? read_bits(reader, body, what, "touches", &filter->mask) : status;
    return status == ABUT_OK ? read_integer(reader, body, "group", INT32_MIN, INT32_MAX, &filter->group) : status;
}
