#pragma once

#include "engine.h"

typedef struct mesh_kind {
    const char *name;
    mesh_body body;
    bool bumpy, lying; /* turned about the vertical only */
} mesh_kind;

/* A mesh of 0.25 m squares, `cells` a side, flat or with heights up to 0.12 m; bodies are up to 3 cm deep. False when there is no memory. */
bool inputs_make(mesh_set *set, const mesh_kind *kind, int32_t cells, int32_t count);

/* How a surface is cut: into squares, into strips from border to border, or into a fan about its middle. Strips and fans are flat. */
typedef enum mesh_cut { MESH_SQUARES, MESH_STRIPS, MESH_FAN } mesh_cut;

/* A surface of twice the square of `cells` triangles, and one body that reaches every triangle and is as wide as the surface. A body that does
 * not lie is turned. */
bool inputs_make_wide(mesh_set *set, const mesh_kind *kind, mesh_cut cut, int32_t cells);

void inputs_free(mesh_set *set);
