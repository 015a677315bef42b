#pragma once

#include <abut/facetmesh.h>

/*
 * Prescribed deformations of bodies of rounded triangles: fields move the vertices in the shape frame, one after another. The amount of each field changes over
 * time.
 *
 * A field F by the amount s moves a point x to x + s (F(x) - x). The amount 0 leaves the point; 1 moves it to F(x).
 */

typedef enum deform_kind {
    DEFORM_AFFINE, /* F(x) = about + M (x - about) */
    DEFORM_PRESS   /* F(x) = x + w way, w = (1 - |x - about|^2 / radius^2)^3 within the radius, 0 outside: a smooth dent */
} deform_kind;

/* The steepest slope of w, times the radius. It occurs at the distance radius / sqrt(5). */
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

/* The amount at a time: linear between the keys, constant before the first and after the last. */
double deform_amount(const deform_field *field, double time);

/* True when all amounts are equal at both times. */
bool deform_is_same(const deform_program *program, double time_a, double time_b);

/* Moves a vertex of the undeformed shape by these amounts, one for each field. */
abut_vec3 deform_point(const deform_program *program, const double *amounts, abut_vec3 point);

/* Makes the deformed shape, as abut_shape_create_facetmesh_moved(), and writes its report. `shape` is the undeformed shape. */
abut_status deform_make(const deform_program *program, double time, const abut_shape *shape, abut_facetmesh_report *report,
                        abut_shape **moved);
