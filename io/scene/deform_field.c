/*
 * Fields that deform a body over time. They are polynomials, so that vertices have the same bits on every machine.
 */
#include "io/scene/deform_field.h"

#include <abut/mesh.h>

#include <stdlib.h>

void deform_release(deform_program *program) {
    for (int32_t i = 0; i < program->field_count; i++) {
        free(program->fields[i].keys);
    }
    free(program->fields);
    *program = (deform_program){0};
}

double deform_amount(const deform_field *field, double time) {
    const deform_key *keys = field->keys;
    int32_t first = 0, last = field->key_count - 1;
    if (!(time > keys[0].time)) {
        return keys[0].amount;
    }
    if (time >= keys[last].time) {
        return keys[last].amount;
    }
    while (last - first > 1) { /* keys[first].time <= time < keys[last].time */
        int32_t middle = first + (last - first) / 2;
        *(keys[middle].time <= time ? &first : &last) = middle;
    }
    double part = (time - keys[first].time) / (keys[last].time - keys[first].time);
    return keys[first].amount + part * (keys[last].amount - keys[first].amount);
}

bool deform_is_same(const deform_program *program, double time_a, double time_b) {
    bool same = true;
    for (int32_t i = 0; same && i < program->field_count; i++) {
        same = deform_amount(&program->fields[i], time_a) == deform_amount(&program->fields[i], time_b);
    }
    return same;
}

/* F(x) - x */
static abut_vec3 displacement(const deform_field *field, abut_vec3 x) {
    abut_vec3 from = abut_sub(x, field->about);
    if (field->kind == DEFORM_AFFINE) {
        return abut_sub(abut_mat3_apply(field->matrix, from), from);
    }
    double nearness = 1.0 - abut_length_squared(from) / (field->radius * field->radius);
    return nearness > 0.0 ? abut_scale(nearness * nearness * nearness, field->way) : abut_vec3_make(0.0, 0.0, 0.0);
}

abut_vec3 deform_point(const deform_program *program, const double *amounts, abut_vec3 point) {
    for (int32_t i = 0; i < program->field_count; i++) {
        point = abut_add_scaled(point, amounts[i], displacement(&program->fields[i], point));
    }
    return point;
}

static void move_vertices(const deform_program *program, const double *amounts, const abut_shape *shape, abut_vec3 *vertices) {
    for (int32_t t = 0; t < abut_shape_triangle_count(shape); t++) {
        abut_triangle triangle;
        abut_status status = abut_shape_triangle(shape, t, &triangle);
        for (int k = 0; status == ABUT_OK && k < 3; k++) {
            vertices[triangle.vertex[k]] = deform_point(program, amounts, triangle.corner[k]);
        }
    }
}

abut_status deform_make(const deform_program *program, double time, const abut_shape *shape, abut_facetmesh_report *report,
                        abut_shape **moved) {
    *report = (abut_facetmesh_report){.first_open = -1, .first_degenerate = -1, .culprit = -1};
    abut_vec3 *vertices = calloc((size_t)abut_shape_vertex_count(shape) + 1, sizeof *vertices);
    double *amounts = calloc((size_t)program->field_count + 1, sizeof *amounts);
    abut_status status = vertices && amounts ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
    for (int32_t i = 0; status == ABUT_OK && i < program->field_count; i++) {
        amounts[i] = deform_amount(&program->fields[i], time);
    }
    if (status == ABUT_OK) {
        move_vertices(program, amounts, shape, vertices);
        status = abut_shape_create_facetmesh_moved(shape, vertices, NULL, report, moved);
    }
    free(vertices);
    free(amounts);
    return status;
}
