#pragma once

#include <abut/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * An engine: contacts of one body with one mesh, in one library.
 */

enum { MESH_POINTS = 32 }; /* points of the hull */

typedef enum mesh_body { MESH_SPHERE, MESH_CAPSULE, MESH_BOX, MESH_HULL } mesh_body;

/* A mesh, a body, and its poses. */
typedef struct mesh_set {
    const char *name;
    mesh_body body;
    double radius, half_length;    /* of a sphere, or a capsule along z */
    abut_vec3 half;                /* of a box */
    abut_vec3 points[MESH_POINTS]; /* of a hull */
    abut_vec3 *vertices;
    int32_t *triangles;
    int32_t vertex_count, triangle_count;
    abut_pose *poses;
    abut_vec3 *normals; /* the true direction of the deepest contact, if known; else zero */
    int32_t count;
} mesh_set;

/* A library's answer: contacts, and the normal of the deepest one, from the mesh to the body. */
typedef struct mesh_answer {
    int32_t contacts;
    double gap;
    abut_vec3 normal;
} mesh_answer;

typedef struct mesh_engine {
    const char *name;
    void *(*prepare)(const mesh_set *set); /* NULL when it failed */
    mesh_answer (*ask)(void *state, int32_t index);
    void (*release)(void *state);
} mesh_engine;

extern const mesh_engine mesh_abut;
#ifdef BENCH_WITH_ODE
extern const mesh_engine mesh_ode;
#endif
#ifdef BENCH_WITH_FCL
extern const mesh_engine mesh_fcl;
#endif
#ifdef BENCH_WITH_BULLET
extern const mesh_engine mesh_bullet, mesh_bullet_edges;
#endif

#ifdef __cplusplus
}
#endif
