#pragma once

#include <abut/facetmesh.h>

/*
 * Bodies of rounded triangles that deform as a scene prescribes: fields that move the vertices in the shape frame, one after the other, each by an amount that
 * changes in time.
 *
 * A field F by the amount s takes a point x to x + s (F(x) - x): none at 0, all of it at 1.
 */

typedef enum deform_kind {
    DEFORM_AFFINE, /* F(x) = about + M (x - about) */
    DEFORM_PRESS   /* F(x) = x + w way, w = (1 - |x - about|^2 / radius^2)^3 within the radius, 0 outside: a smooth dent */
} deform_kind;

/* Steepest slope of w over a distance of one radius, which it has at the distance radius / sqrt(5). */
#define DEFORM_STEEPEST 1.7173

/* An amount at a time. */
typedef struct deform_key {
    double time, amount;
} deform_key;

typedef struct deform_field {
    deform_kind kind;
    abut_vec3 about;
    abut_mat3 matrix;
    abut_vec3 way;
    double radius;
    deform_key *keys; /* [key_count >= 1], times ascending */
    int32_t key_count;
} deform_field;

/* All fields of a body, in their order. */
typedef struct deform_program {
    deform_field *fields;
    int32_t field_count;
} deform_program;

void deform_release(deform_program *program);

/* Linear between the keys, and that of the first or the last beyond them. */
double deform_amount(const deform_field *field, double time);

/* Are all amounts the same at both times? */
bool deform_is_same(const deform_program *program, double time_a, double time_b);

/* Where a vertex of the undeformed shape is by these amounts, one for each field. */
abut_vec3 deform_point(const deform_program *program, const double *amounts, abut_vec3 point);

/* The deformed shape; as abut_shape_create_facetmesh_moved(), whose report is written. `shape` is the undeformed one. */
abut_status deform_make(const deform_program *program, double time, const abut_shape *shape, abut_facetmesh_report *report,
                        abut_shape **moved);
