#pragma once

#include "support/specimen.h"

/*
 * Triangle meshes as samples of random tests: the library's shape, and its triangles for the oracle.
 */

typedef enum mesh_sort {
    MESH_TERRAIN,  /* a one-sided sheet of cells, with the outside above */
    MESH_BALL,     /* closed, with bumps and dents */
    MESH_SOUP,     /* any triangles, two-sided */
    MESH_FIELD,    /* a height field */
    MESH_MIRRORED, /* a terrain after a negative scale that differs by axis, and a pose */
    MESH_SORTS
} mesh_sort;

typedef struct mesh_sample {
    abut_shape *shape;
    abut_vec3 (*corner)[3]; /* [count] triangles, shape frame, counter-clockwise seen from outside */
    int32_t count;
    bool two_sided;
    mesh_sort sort;
    double size; /* about its half extents */
} mesh_sample;

mesh_sample mesh_sample_random(random_state *random, mesh_sort sort, double size);

/* The same mesh scaled by a factor and moved in its own frame. */
mesh_sample mesh_sample_moved(const mesh_sample *s, double factor, abut_vec3 shift);

/* Makes a mesh that owns copies of the given triangles. */
mesh_sample mesh_sample_of(const abut_vec3 (*corner)[3], int32_t count, bool two_sided);

void mesh_sample_free(mesh_sample *s);

const char *mesh_sample_name(const mesh_sample *s);

/* A triangle as a body of two faces; release with oracle_free(). */
oracle_body mesh_sample_triangle(const mesh_sample *s, int32_t index, abut_pose pose);

/* Signed distance from a body: the distance if it is apart, else minus the least separating translation. */
double mesh_sample_distance(const oracle_body *body, const oracle_body *triangle);

/* Whether a point of the world lies on the feature of the mesh, within a distance. */
bool mesh_sample_has(const mesh_sample *s, abut_pose pose, abut_feature feature, abut_vec3 point, double near);
