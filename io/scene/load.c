/*
 * Loads a scene in one pass over its JSON: settings, materials, shapes, bodies, joints, actions. Each part is checked against those before it.
 * At the end the whole is compared with what its stepper takes and heeds.
 */
#include "io/scene/scene.h"

#include <stdlib.h>
#include <string.h>

#include "io/file/file.h"
#include "io/file/json_memory.h"
#include "io/scene/action.h"
#include "io/scene/body.h"
#include "io/scene/body/material_pairs.h"
#include "io/scene/body/never_touch.h"
#include "io/scene/check/behind.h"
#include "io/scene/check/millimetres.h"
#include "io/scene/check/fit.h"
#include "io/scene/check/unused.h"
#include "io/scene/data.h"
#include "io/scene/dem.h"
#include "io/scene/grain/inlet.h"
#include "io/scene/joint/reading.h"
#include "io/scene/process/motion.h"
#include "io/scene/process/reading.h"
#include "io/scene/read.h"
#include "io/scene/shape.h"
#include "io/scene/start.h"
#include "io/scene/world.h"

/*
 * jansson reports the position where it stopped, which is after the token that it could not use. When the message quotes the token, its length gives the
 * beginning of the token. At an invalid UTF-8 byte jansson stops at the byte itself.
 */
static size_t mistake_offset(const json_error_t *mistake) {
    size_t end = mistake->position > 0 ? (size_t)mistake->position : 0;
    if (json_error_code(mistake) == json_error_invalid_utf8) {
        return end;
    }
    const char *near = strstr(mistake->text, " near '");
    size_t text = strlen(mistake->text);
    if (!near || mistake->text[text - 1] != '\'') {
        return end;
    }
    size_t token = text - 1 - (size_t)(near + strlen(" near '") - mistake->text);
    return token <= end ? end - token : end;
}

static abut_status parse_json(const char *text, size_t length, const char *path, json_t **root, abut_error *error) {
    const char *zero = memchr(text, '\0', length);
    if (zero) {
        int32_t line, column;
        position_line_column(text, length, (size_t)(zero - text), &line, &column);
        return abut_fail(error, ABUT_ERROR_FORMAT, "%s:%d:%d: the text contains a zero byte, so it is not JSON", path, line, column);
    }
    json_error_t mistake;
    *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &mistake);
    if (*root) {
        return ABUT_OK;
    }
    if (json_lacked_memory(&mistake, text, length)) {
        return abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory for the scene", path);
    }
    int32_t line, column;
    position_line_column(text, length, mistake_offset(&mistake), &line, &column);
    bool null = json_error_code(&mistake) == json_error_null_character || json_error_code(&mistake) == json_error_null_byte_in_key;
    return abut_fail(error, ABUT_ERROR_FORMAT, "%s:%d:%d: %s", path, line, column,
                     null ? "a string must not contain \\u0000" : mistake.text);
}

static abut_status read_scene(scene_reader *reader) {
    abut_status status = scene_read_world(reader);
    read_member(&reader->root, "materials", &reader->materials);
    read_member(&reader->root, "shapes", &reader->shapes);
    if (status == ABUT_OK) {
        status = scene_check_materials(reader);
    }
    if (status == ABUT_OK) {
        status = scene_read_material_pairs(reader);
    }
    if (status == ABUT_OK) {
        status = scene_build_shapes(reader);
    }
    if (status == ABUT_OK) {
        status = scene_read_bodies(reader);
    }
    if (status == ABUT_OK) {
        status = scene_read_start(reader);
    }
    if (status == ABUT_OK) {
        status = scene_dem_check_space(reader);
    }
    if (status == ABUT_OK) {
        status = scene_read_never_touch(reader);
    }
    if (status == ABUT_OK) {
        status = scene_read_joints(reader);
    }
    if (status == ABUT_OK) {
        status = scene_read_process(reader);
    }
    if (status == ABUT_OK) {
        status = scene_read_actions(reader);
    }
    if (status == ABUT_OK) {
        status = scene_check_unused(reader);
    }
    if (status == ABUT_OK) {
        status = scene_check_fit(reader);
    }
    if (status == ABUT_OK) {
        status = scene_check_behind(reader);
    }
    if (status == ABUT_OK) {
        status = scene_check_millimetres(reader);
    }
    free(reader->filled);
    json_decref(reader->material_numbers);
    scene_release_shapes(reader);
    return status;
}

static abut_status fill_scene(abut_scene *scene, json_t *root, const char *text, size_t length, abut_error *error) {
    scene_reader reader = {.path = scene->path, .text = text, .length = length, .scene = scene, .root = {.value = root}, .error = error};
    abut_status status = read_scene(&reader);
    if (status != ABUT_OK) {
        return status;
    }
    scene->text = json_dumps(root, JSON_REAL_PRECISION(17));
    return scene->text ? ABUT_OK : read_no_memory(&reader);
}

abut_status abut_scene_parse(const char *text, size_t length, const char *path, abut_scene **scene, abut_error *error) {
    if (!text || !path || !scene) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "abut_scene_parse: text, path or scene is NULL");
    }
    if (length > ABUT_SCENE_MAX_BYTES) {
        return abut_fail(error, ABUT_ERROR_FILE, "%s: is larger than the limit of %d MiB", path, ABUT_SCENE_MAX_BYTES >> 20);
    }
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        /* Some editors write a byte order mark. */
        text += 3;
        length -= 3;
    }
    if (length == 0) {
        return abut_fail(error, ABUT_ERROR_FORMAT, "%s: the file is empty", path);
    }
    json_t *root = NULL;
    abut_status status = parse_json(text, length, path, &root, error);
    if (status != ABUT_OK) {
        return status;
    }
    abut_scene *made = calloc(1, sizeof *made);
    char *name = strdup(path);
    json_t *indices = json_object();
    if (!made || !name || !indices) {
        free(made);
        free(name);
        json_decref(indices);
        json_decref(root);
        return abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory for the scene", path);
    }
    made->path = name;
    made->body_indices = indices;
    status = fill_scene(made, root, text, length, error);
    json_decref(root);
    if (status != ABUT_OK) {
        abut_scene_destroy(made);
        return status;
    }
    *scene = made;
    return ABUT_OK;
}

abut_status abut_scene_load(const char *path, abut_scene **scene, abut_error *error) {
    if (!path || !scene) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "abut_scene_load: path or scene is NULL");
    }
    char *text = NULL;
    size_t length = 0;
    abut_status status = file_read(path, ABUT_SCENE_MAX_BYTES, &text, &length, error);
    if (status == ABUT_OK) {
        status = abut_scene_parse(text, length, file_label(path), scene, error);
    }
    free(text);
    return status;
}

void abut_scene_destroy(abut_scene *scene) {
    if (!scene) {
        return;
    }
    for (int32_t i = 0; i < scene->body_count; i++) {
        free(scene->bodies[i].name);
        abut_shape_release(scene->bodies[i].def.shape);
        free(scene->bodies[i].surfaces);
        free(scene->bodies[i].vertices);
    }
    for (int32_t i = 0; i < scene->warning_count; i++) {
        free(scene->warnings[i]);
    }
    json_decref(scene->body_indices);
    for (int32_t i = 0; i < scene->deform_count; i++) {
        deform_release(&scene->deforms[i]);
    }
    free(scene->deforms);
    free(scene->cells);
    free(scene->bodies);
    inlets_release(scene->inlets, scene->inlet_count);
    scene_release_process(scene);
    scene_release_start(scene);
    motions_release(scene->motions, scene->motion_count);
    free(scene->apart);
    free(scene->pairs);
    free(scene->joints);
    free(scene->actions);
    free(scene->warnings);
    free(scene->path);
    free(scene->title);
    free(scene->description);
    free(scene->text);
    free(scene);
}

const char *abut_scene_path(const abut_scene *scene) { return scene->path; }

const char *abut_scene_title(const abut_scene *scene) { return scene->title; }

const char *abut_scene_description(const abut_scene *scene) { return scene->description; }

const char *abut_scene_text(const abut_scene *scene) { return scene->text; }

double abut_scene_dt(const abut_scene *scene) { return scene->dt; }

int64_t abut_scene_step_count(const abut_scene *scene) { return scene->step_count; }

const abut_world_def *abut_scene_world_def(const abut_scene *scene) { return &scene->world; }

const abut_scene_until *abut_scene_get_until(const abut_scene *scene) { return scene->has_until ? &scene->until : NULL; }

void abut_scene_set_parallel(abut_scene *scene, abut_parallel parallel) { scene->world.parallel = parallel; }

void abut_scene_set_events(abut_scene *scene, uint32_t events) { scene->world.events = events; }

int32_t abut_scene_body_count(const abut_scene *scene) { return scene->body_count; }

const char *abut_scene_body_name(const abut_scene *scene, int32_t index) {
    return index >= 0 && index < scene->body_count ? scene->bodies[index].name : NULL;
}

const abut_body_def *abut_scene_body_def(const abut_scene *scene, int32_t index) {
    return index >= 0 && index < scene->body_count ? &scene->bodies[index].def : NULL;
}

int32_t abut_scene_find_body(const abut_scene *scene, const char *name) {
    json_t *index = name ? json_object_get(scene->body_indices, name) : NULL;
    return index ? (int32_t)json_integer_value(index) : -1;
}

bool abut_scene_body_deforms(const abut_scene *scene, int32_t index) {
    return index >= 0 && index < scene->body_count && (scene->bodies[index].deform >= 0 || scene->bodies[index].cell >= 0);
}

const abut_cell_def *abut_scene_body_cell(const abut_scene *scene, int32_t index) {
    bool cell = index >= 0 && index < scene->body_count && scene->bodies[index].cell >= 0;
    return cell ? &scene->cells[scene->bodies[index].cell] : NULL;
}

int32_t abut_scene_inlet_count(const abut_scene *scene) { return scene->inlet_count; }

abut_status abut_scene_get_inlet(const abut_scene *scene, int32_t index, abut_scene_inlet *inlet) {
    if (!inlet || index < 0 || index >= scene->inlet_count) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    const scene_inlet *found = &scene->inlets[index];
    *inlet = (abut_scene_inlet){found->name, found->first, found->count, found->has_end};
    return ABUT_OK;
}

int32_t abut_scene_body_inlet(const abut_scene *scene, int32_t index) {
    return index >= 0 && index < scene->body_count ? scene->bodies[index].inlet : -1;
}

int32_t abut_scene_action_count(const abut_scene *scene) { return scene->action_count; }

const abut_scene_action *abut_scene_get_action(const abut_scene *scene, int32_t index) {
    return index >= 0 && index < scene->action_count ? &scene->actions[index] : NULL;
}

int32_t abut_scene_warning_count(const abut_scene *scene) { return scene->warning_count; }

const char *abut_scene_warning(const abut_scene *scene, int32_t index) {
    return index >= 0 && index < scene->warning_count ? scene->warnings[index] : NULL;
}
