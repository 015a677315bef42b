#pragma once

#include "io/tet/draft.h"

/*
 * The parts of an Abaqus input file. Each numbers its nodes and elements anew, and may name nodes before they come. So elements are kept until their part ends.
 * The numbers of the second and later parts are added to the largest number of the parts before, which makes them unique in the file.
 */

/* A tetrahedron as its part numbers it. */
typedef struct abaqus_element {
    int32_t tag, nodes[4];
    int32_t line;   /* of its number */
    const char *at; /* where its number is, for messages */
} abaqus_element;

typedef struct abaqus_parts {
    tet_draft *draft;
    int32_t first_vertex; /* the first of this part */
    abaqus_element *elements;
    size_t count, capacity;
    int64_t node_shift, element_shift; /* are added to the numbers of this part */
    int32_t parts;                     /* that have ended and have tetrahedra */
} abaqus_parts;

/* All fail through the cursor. */
void abaqus_add_node(abaqus_parts *parts, tet_cursor *cursor, int64_t tag, abut_vec3 position);
void abaqus_add_element(abaqus_parts *parts, tet_cursor *cursor, const abaqus_element *element);
/* Ends a part: finds the nodes of its elements. A part without nodes and elements is none. */
void abaqus_end_part(abaqus_parts *parts, tet_cursor *cursor);
/* Ends the file. With one part, the elements are in no part. */
void abaqus_end_parts(abaqus_parts *parts, tet_cursor *cursor);
void abaqus_release_parts(abaqus_parts *parts);
