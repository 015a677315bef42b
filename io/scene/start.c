/*
 * Reads the key "start", and sets the bodies of a scene to the states of a frame.
 */
#include "io/scene/start.h"

#include <abut/mesh.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/file.h"
#include "io/scene/data.h"

/* ---- reading ---- */

static abut_status read_recording(const scene_reader *reader, const scene_place *place, scene_start *start) {
    const char *given = "";
    scene_place key;
    abut_status status = read_string(reader, place, "recording", &given);
    if (status != ABUT_OK) {
        return status;
    }
    read_member(place, "recording", &key);
    if (*given == '\0') {
        return read_fail(reader, &key, "'recording' must not be empty");
    }
    if (strcmp(given, "-") == 0) {
        return read_fail(reader, &key, "a scene cannot start from the standard input: a recording is a file");
    }
    read_position(reader, &key, &start->line, &start->column);
    start->given = strdup(given);
    start->recording = file_path_beside(reader->path, given);
    return start->given && start->recording ? ABUT_OK : read_no_memory(reader);
}

static abut_status read_time(const scene_reader *reader, const scene_place *place, scene_start *start) {
    scene_place key;
    start->time = INFINITY;
    start->time_line = start->line;
    start->time_column = start->column;
    if (read_member(place, "time", &key)) {
        read_position(reader, &key, &start->time_line, &start->time_column);
    }
    return read_number(reader, place, "time", NUMBER_NOT_NEGATIVE, &start->time);
}

/* Whether the list has the name, or what is left of one of its points: the list ["grain"] has "grain.7". */
static bool has_name(json_t *list, const char *name) {
    if (json_object_get(list, name)) {
        return true;
    }
    for (const char *point = strchr(name, '.'); point; point = strchr(point + 1, '.')) {
        if (json_object_getn(list, name, (size_t)(point - name))) {
            return true;
        }
    }
    return false;
}

/* Every name must be that of an element of "bodies", or of one of its bodies. */
static abut_status check_names(const scene_reader *reader, const scene_place *list, json_t *elements) {
    abut_status status = ABUT_OK;
    for (size_t i = 0; i < json_array_size(list->value) && status == ABUT_OK; i++) {
        scene_place place = read_element(list, i);
        const char *name = json_string_value(place.value);
        if (!name) {
            status = read_fail(reader, &place, "an element of 'bodies' must be a name, not %s", read_type_name(place.value));
        } else if (!json_object_get(elements, name) && abut_scene_find_body(reader->scene, name) < 0) {
            status = read_fail(reader, &place, "no element of 'bodies' of the scene has the name '%s'", name);
        } else if (json_object_set_new(reader->scene->start.bodies, name, json_true()) != 0) {
            status = read_no_memory(reader);
        }
    }
    return status;
}

static abut_status read_names(const scene_reader *reader, const scene_place *place) {
    scene_place list;
    if (!read_member(place, "bodies", &list)) {
        return ABUT_OK;
    }
    abut_status status = read_array(reader, &list, 1, "bodies");
    if (status != ABUT_OK) {
        return status;
    }
    json_t *elements = json_object(), *all = json_object_get(reader->root.value, "bodies");
    reader->scene->start.bodies = json_object();
    bool memory = elements && reader->scene->start.bodies;
    for (size_t i = 0; i < json_array_size(all) && memory; i++) {
        const char *name = json_string_value(json_object_get(json_array_get(all, i), "name"));
        memory = !name || json_object_set_new(elements, name, json_true()) == 0;
    }
    status = memory ? check_names(reader, &list, elements) : read_no_memory(reader);
    json_decref(elements);
    return status;
}

abut_status scene_read_start(scene_reader *reader) {
    scene_place place;
    if (!read_member(&reader->root, "start", &place)) {
        return ABUT_OK;
    }
    abut_status status = read_object(reader, &place, SCENE_START, "'start'");
    status = status == ABUT_OK ? read_recording(reader, &place, &reader->scene->start) : status;
    status = status == ABUT_OK ? read_time(reader, &place, &reader->scene->start) : status;
    return status == ABUT_OK ? read_names(reader, &place) : status;
}

void scene_release_start(abut_scene *scene) {
    scene_start *start = &scene->start;
    free(start->recording);
    free(start->given);
    json_decref(start->bodies);
    free(start->presence);
}

/* ---- the frame ---- */

abut_status scene_start_fail(const abut_scene *scene, abut_status status, bool at_time, abut_error *error, const char *format, ...) {
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    const scene_start *start = &scene->start;
    return abut_fail(error, status, "%s:%d:%d: %s", scene->path, (int)(at_time ? start->time_line : start->line),
                     (int)(at_time ? start->time_column : start->column), message);
}

bool scene_start_warn(abut_scene *scene, const char *message) {
    char placed[1024];
    snprintf(placed, sizeof placed, "%s:%d:%d: %s", scene->path, (int)scene->start.line, (int)scene->start.column, message);
    return scene_add_warning(scene, placed);
}

bool scene_start_takes(const abut_scene *scene, const char *name) { return !scene->start.bodies || has_name(scene->start.bodies, name); }

abut_status scene_start_shape(const abut_scene *scene, int32_t body, const abut_shape **shape) {
    const scene_body *of = &scene->bodies[body];
    if (of->deform < 0) {
        *shape = abut_shape_retain(of->def.shape);
        return ABUT_OK;
    }
    abut_facetmesh_report report;
    abut_shape *moved = NULL;
    abut_status status = deform_make(&scene->deforms[of->deform], 0.0, of->def.shape, &report, &moved);
    *shape = moved;
    return status;
}

bool abut_scene_get_start(const abut_scene *scene, abut_scene_start *start) {
    if (!scene || !start || !scene->start.recording) {
        return false;
    }
    *start = (abut_scene_start){scene->start.recording, scene->start.time};
    return true;
}

/* Bodies of an inlet come in their order: the first `come` of them have. */
static void set_inlet(abut_scene *scene, const scene_inlet *inlet, int32_t come, double time) {
    for (int32_t i = 0; i < inlet->count; i++) {
        inlet->due[i] -= time;
        if (i < come && scene->start.presence[inlet->first + i] == START_OWN) {
            scene->start.presence[inlet->first + i] = START_GONE;
        }
    }
}

static bool keep_vertices(scene_body *body, const abut_vec3 *vertices) {
    size_t count = (size_t)abut_shape_vertex_count(body->def.shape);
    free(body->vertices);
    body->vertices = malloc((count + 1) * sizeof *body->vertices);
    if (body->vertices) {
        memcpy(body->vertices, vertices, count * sizeof *vertices);
    }
    return body->vertices != NULL;
}

abut_status abut_scene_set_start(abut_scene *scene, const abut_scene_place *places, const int32_t *come, double time) {
    if (!scene || !places || !scene->start.recording || scene->start.presence) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    scene->start.presence = calloc((size_t)scene->body_count + 1, sizeof *scene->start.presence);
    if (!scene->start.presence) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    for (int32_t i = 0; i < scene->body_count; i++) {
        bool gone = places[i].gone && scene->bodies[i].inlet < 0;
        scene->start.presence[i] = places[i].taken ? START_HERE : gone ? START_GONE : START_OWN;
        if (places[i].taken) {
            scene->bodies[i].def.pose = places[i].pose;
            scene->bodies[i].def.motion = places[i].motion;
            if (places[i].vertices && !keep_vertices(&scene->bodies[i], places[i].vertices)) {
                free(scene->start.presence);
                scene->start.presence = NULL;
                return ABUT_ERROR_OUT_OF_MEMORY;
            }
        }
    }
    for (int32_t i = 0; i < scene->inlet_count && come; i++) {
        if (come[i] >= 0) {
            set_inlet(scene, &scene->inlets[i], come[i], time);
        }
    }
    return ABUT_OK;
}
