#pragma once

#include "io/tet/draft.h"

/*
 * What the readers of the two versions of Gmsh's format share. Each reads one section, from behind the line with its name.
 */
typedef struct msh_reader {
    tet_cursor cursor;
    tet_draft *draft;
    bool binary;      /* the file: sections have numbers as bytes */
    size_t size;      /* of its unsigned numbers, in binary files of version 4 [bytes] */
    int64_t *volumes; /* [volume_count] tags of geometric entities, each with */
    int32_t *groups;  /* [volume_count] the physical group that it is in, 0 for none */
    int32_t volume_count;
    size_t volume_capacity;
    tag_map volume_map;
} msh_reader;

/* A type of element: how many nodes one has, and whether its first four are the corners of a tetrahedron. false for an unknown type. */
bool msh_find_type(int64_t type, int32_t *nodes, bool *tetra);

void msh2_read_nodes(msh_reader *reader);
void msh2_read_elements(msh_reader *reader);

void msh4_read_entities(msh_reader *reader, bool partitioned);
void msh4_read_nodes(msh_reader *reader);
void msh4_read_elements(msh_reader *reader);
