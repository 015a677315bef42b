/*
 * Reads the deformation of a body: a list of fields, each with its amounts over time.
 */
#include "io/scene/deform.h"

#include <math.h>
#include <stdlib.h>

#include "io/mesh/facetmesh_make.h"
#include "io/scene/data.h"

/* ---- amounts ---- */

static abut_status read_key(const scene_reader *reader, const scene_place *place, const deform_key *before, deform_key *key) {
    double pair[2];
    abut_status status = read_numbers_at(reader, place, "amount", 2, pair);
    if (status != ABUT_OK) {
        return status;
    }
    if (pair[0] < 0.0 || (before && !(pair[0] > before->time))) {
        return read_fail(reader, place, "'amount' must be a list of [time, amount] with ascending times from 0 on; time %g follows %g",
                         pair[0], before ? before->time : 0.0);
    }
    *key = (deform_key){pair[0], pair[1]};
    return ABUT_OK;
}

static abut_status read_amount(const scene_reader *reader, const scene_place *object, deform_field *field) {
    scene_place place;
    read_member(object, "amount", &place);
    abut_status status = read_array(reader, &place, 1, "amount");
    if (status != ABUT_OK) {
        return status;
    }
    size_t count = json_array_size(place.value);
    field->keys = calloc(count, sizeof *field->keys);
    if (!field->keys) {
        return read_no_memory(reader);
    }
    for (size_t i = 0; status == ABUT_OK && i < count; i++) {
        scene_place element = read_element(&place, i);
        status = read_key(reader, &element, i > 0 ? &field->keys[i - 1] : NULL, &field->keys[i]);
    }
    field->key_count = (int32_t)count;
    return status;
}

static double greatest_amount(const deform_field *field) {
    double most = 0.0;
    for (int32_t i = 0; i < field->key_count; i++) {
        most = fmax(most, fabs(field->keys[i].amount));
    }
    return most;
}

/* ---- fields ---- */

static abut_status read_stretch(const scene_reader *reader, const scene_place *place, deform_field *field) {
    abut_vec3 s;
    abut_status status = read_vec3_at(reader, place, "stretch", &s);
    if (status == ABUT_OK && !(s.x > 0.0 && s.y > 0.0 && s.z > 0.0)) {
        status = read_fail(reader, place, "'stretch' must be three factors above 0");
    }
    if (status == ABUT_OK) {
        field->matrix = abut_mat3_make(abut_vec3_make(s.x, 0.0, 0.0), abut_vec3_make(0.0, s.y, 0.0), abut_vec3_make(0.0, 0.0, s.z));
    }
    return status;
}

static abut_status read_matrix(const scene_reader *reader, const scene_place *place, deform_field *field) {
    abut_vec3 row[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    abut_status status = read_array(reader, place, 3, "matrix");
    if (status == ABUT_OK && json_array_size(place->value) != 3) {
        status = read_fail(reader, place, "'matrix' must have 3 rows, not %zu", json_array_size(place->value));
    }
    for (size_t i = 0; status == ABUT_OK && i < 3; i++) {
        scene_place element = read_element(place, i);
        status = read_vec3_at(reader, &element, "matrix", &row[i]);
    }
    if (status == ABUT_OK) {
        field->matrix = abut_mat3_transpose(abut_mat3_make(row[0], row[1], row[2]));
    }
    return status;
}

static abut_status read_press(const scene_reader *reader, const scene_place *place, deform_field *field) {
    abut_vec3 direction = {0, 0, 0};
    double depth = 0.0;
    field->kind = DEFORM_PRESS;
    abut_status status = read_object(reader, place, SCENE_PRESS, "'press'");
    if (status == ABUT_OK) {
        status = read_vec3(reader, place, "at", &field->about);
    }
    if (status == ABUT_OK) {
        status = read_vec3(reader, place, "direction", &direction);
    }
    if (status == ABUT_OK) {
        status = read_number(reader, place, "radius", NUMBER_POSITIVE, &field->radius);
    }
    if (status == ABUT_OK) {
        status = read_number(reader, place, "depth", NUMBER_NOT_NEGATIVE, &depth);
    }
    if (status != ABUT_OK) {
        return status;
    }
    scene_place member;
    double length = abut_length(direction);
    if (!(length > 0.0) || !isfinite(length)) {
        read_member(place, "direction", &member);
        return read_fail(reader, &member, "'direction' must be a vector other than 0");
    }
    if (!(depth * greatest_amount(field) * DEFORM_STEEPEST < field->radius)) {
        read_member(place, "depth", &member);
        return read_fail(reader, &member,
                         "a 'depth' of %g times the largest amount, %g, folds the surface within a 'radius' of %g; the product must be at "
                         "most %.3g times the radius",
                         depth, greatest_amount(field), field->radius, 1.0 / DEFORM_STEEPEST);
    }
    field->way = abut_scale(depth / length, direction);
    return ABUT_OK;
}

static abut_status read_about(const scene_reader *reader, const scene_place *object, deform_field *field) {
    scene_place place;
    if (field->kind == DEFORM_PRESS && read_member(object, "about", &place)) {
        return read_fail_as(reader, ABUT_ERROR_FORMAT, &place, true, "'about' is for 'stretch' and 'matrix'; 'press' uses 'at'");
    }
    return read_vec3(reader, object, "about", &field->about);
}

static abut_status read_field(const scene_reader *reader, const scene_place *place, deform_field *field) {
    static const struct {
        const char *key;
        abut_status (*read)(const scene_reader *reader, const scene_place *place, deform_field *field);
    } kinds[] = {{"stretch", read_stretch}, {"matrix", read_matrix}, {"press", read_press}};
    scene_place member, chosen = {.value = NULL};
    size_t found = 0, which = 0;
    abut_status status = read_object(reader, place, SCENE_DEFORM, "'deform'");
    for (size_t i = 0; status == ABUT_OK && i < sizeof kinds / sizeof kinds[0]; i++) {
        if (read_member(place, kinds[i].key, &member)) {
            chosen = member;
            which = i;
            found++;
        }
    }
    if (status == ABUT_OK && found != 1) {
        status = read_fail(reader, place, "a deformation has exactly one of 'stretch', 'matrix' and 'press', not %zu", found);
    }
    if (status == ABUT_OK) {
        status = read_amount(reader, place, field);
    }
    if (status == ABUT_OK) {
        status = kinds[which].read(reader, &chosen, field);
    }
    return status == ABUT_OK ? read_about(reader, place, field) : status;
}

/* ---- the list ---- */

static abut_status read_fields(const scene_reader *reader, const scene_place *place, deform_program *program) {
    abut_status status = read_array(reader, place, 1, "deform");
    if (status != ABUT_OK) {
        return status;
    }
    size_t count = json_array_size(place->value);
    program->fields = calloc(count, sizeof *program->fields);
    if (!program->fields) {
        return read_no_memory(reader);
    }
    program->field_count = (int32_t)count;
    for (size_t i = 0; status == ABUT_OK && i < count; i++) {
        scene_place element = read_element(place, i);
        program->fields[i].matrix = abut_mat3_identity();
        status = read_field(reader, &element, &program->fields[i]);
    }
    return status;
}

static abut_status check_at(const scene_reader *reader, const scene_place *place, const char *what, const deform_program *program,
                            double time, const abut_shape *shape) {
    abut_facetmesh_report report;
    abut_shape *moved = NULL;
    abut_status status = deform_make(program, time, shape, &report, &moved);
    abut_shape_release(moved);
    if (status == ABUT_OK) {
        return ABUT_OK;
    }
    if (status == ABUT_ERROR_OUT_OF_MEMORY) {
        return read_no_memory(reader);
    }
    char reason[FACETMESH_REASON_SIZE];
    status = facetmesh_reason(status, &report, reason);
    return read_fail_as(reader, status, place, false, "%s cannot be deformed like this: at %g s %s", what, time, reason);
}

static abut_status check_surface(const scene_reader *reader, const scene_place *place, const char *what, const deform_program *program,
                                 const abut_shape *shape) {
    abut_status status = ABUT_OK;
    for (size_t i = 0; i < (size_t)program->field_count; i++) {
        scene_place element = read_element(place, i), amount;
        read_member(&element, "amount", &amount);
        for (size_t k = 0; status == ABUT_OK && k < (size_t)program->fields[i].key_count; k++) {
            scene_place key = read_element(&amount, k);
            status = check_at(reader, &key, what, program, program->fields[i].keys[k].time, shape);
        }
    }
    return status;
}

static abut_status keep(scene_reader *reader, deform_program *program) {
    abut_scene *scene = reader->scene;
    deform_program *grown = realloc(scene->deforms, ((size_t)scene->deform_count + 1) * sizeof *grown);
    if (!grown) {
        return read_no_memory(reader);
    }
    scene->deforms = grown;
    scene->deforms[scene->deform_count] = *program;
    reader->deform = scene->deform_count++;
    return ABUT_OK;
}

abut_status scene_read_deform(scene_reader *reader, const scene_place *body, const char *what, const abut_body_def *def) {
    scene_place place;
    reader->deform = -1;
    if (!read_member(body, "deform", &place)) {
        return ABUT_OK;
    }
    if (def->kind == ABUT_BODY_STATIC) {
        return read_fail_as(reader, ABUT_ERROR_FORMAT, &place, true, "%s is static and has no 'deform'", what);
    }
    if (!def->shape || abut_shape_kind(def->shape) != ABUT_SHAPE_FACETMESH) {
        return read_fail_as(reader, ABUT_ERROR_FORMAT, &place, true, "%s: only a shape of kind facetmesh can have a 'deform'", what);
    }
    deform_program program = {0};
    abut_status status = read_fields(reader, &place, &program);
    if (status == ABUT_OK) {
        status = check_surface(reader, &place, what, &program, def->shape);
    }
    if (status == ABUT_OK) {
        status = keep(reader, &program);
    }
    if (status != ABUT_OK) {
        deform_release(&program);
    }
    return status;
}
