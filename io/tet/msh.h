#pragma once

#include "io/tet/draft.h"

/*
 * What the readers of both versions of Gmsh's format share. Each function reads one section, from after the line with its name.
 */
typedef struct msh_reader {
    tet_cursor cursor;
    tet_draft *draft;
    bool binary;      /* sections of the file hold binary numbers */
    size_t size;      /* size of unsigned numbers in binary files of version 4 [bytes] */
    int64_t *volumes; /* [volume_count] tags of geometric entities */
    int32_t *groups;  /* [volume_count] the physical group of each, 0 for none */
    int32_t volume_count;
    size_t volume_capacity;
    tag_map volume_map;
} msh_reader;

/* Looks up a type of element: its number of nodes, and whether its first four nodes are the corners of a tetrahedron. False for an unknown type. */
bool msh_find_type(int64_t type, int32_t *nodes, bool *tetra);
/* The kind of a known type of element that is not a tetrahedron. */
cell_kind msh_kind(int64_t type);

void msh2_read_nodes(msh_reader *reader);
void msh2_read_elements(msh_reader *reader);

void msh4_read_entities(msh_reader *reader, bool partitioned);
void msh4_read_nodes(msh_reader *reader);
void msh4_read_elements(msh_reader *reader);
