#pragma once

#include <abut/mesh.h>

/*
 * Meshes of about a given number of triangles, about the origin, 2 m wide.
 */

typedef struct surface {
    abut_vec3 *vertices; /* [vertex_count] */
    int32_t *corners;    /* [3 triangle_count] */
    int32_t vertex_count, triangle_count;
} surface;

typedef struct surface_kind {
    const char *name;
    bool is_volume; /* the body's centre is in the middle of the mesh, and not above it */
    surface (*make)(int32_t triangles);
} surface_kind;

/* Memory that is missing ends the program. */
extern const surface_kind surface_kinds[];
extern const int surface_kind_count;

void surface_free(surface *s);
