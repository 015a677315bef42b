#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <abut/math.h>

/*
 * Closed meshes of balls and ellipsoids: an icosahedron, subdivided `level` times, with vertices on the sphere, scaled along the axes.
 */

typedef struct ball_mesh {
    abut_vec3 *vertices;
    int32_t *triangles; /* [3 triangle_count] counter-clockwise seen from outside */
    int32_t vertex_count, triangle_count;
} ball_mesh;

/* 20 * 4^level triangles. scale: along the axes. False, with a message on stderr, when there is no memory. Free it with ball_mesh_free(). */
bool ball_mesh_make(int level, abut_vec3 scale, ball_mesh *made);
void ball_mesh_free(ball_mesh *mesh);
