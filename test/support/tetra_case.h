#pragma once

#include <abut/tetra.h>

#include "support/random.h"

/*
 * Pairs of simplices for the tests of depths, both common and extreme ones.
 */

typedef enum tetra_kind {
    TETRA_UNIFORM,    /* vertices anywhere in a cube of side 10 */
    TETRA_INTEGER,    /* the same on a coarse grid: coincident, parallel, flat */
    TETRA_SLIVERS,    /* nearly flat, aspect up to 1e6 */
    TETRA_NESTED,     /* B is small and inside A or near it */
    TETRA_NEIGHBOURS, /* share one to four vertices */
    TETRA_MIXED,      /* one to four vertices each */
    TETRA_KINDS
} tetra_kind;

typedef struct tetra_case {
    abut_simplex a, b;
} tetra_case;

tetra_case tetra_case_make(random_state *random, tetra_kind kind);

/* A pair of tetrahedra that intersect. */
tetra_case tetra_case_intersecting(random_state *random, tetra_kind kind);

/* Every vertex moved. */
abut_simplex tetra_case_moved(abut_simplex simplex, abut_pose pose);
abut_simplex tetra_case_scaled(abut_simplex simplex, double scale);
abut_simplex tetra_case_displaced(abut_simplex simplex, const abut_vec3 *displacement);

/* max over A's and B's vertices of the distance to the first of A */
double tetra_case_size(const tetra_case *c);

/* Least height of A over B along a normal: the gap between them, negative if they overlap. */
double tetra_case_gap(const abut_simplex *a, const abut_simplex *b, abut_vec3 normal);

/* Twelve numbers for a message. */
const char *tetra_case_text(const tetra_case *c);
