/* ODE: dCollide() with a trimesh and a sphere, a capsule or a box. */
#include "engine.h"

#include <stdlib.h>

#include <ode/ode.h>

enum { ROOM = 64 };

typedef struct state {
    const mesh_set *set;
    float *vertices;
    dTriIndex *triangles;
    dTriMeshDataID data;
    dGeomID mesh, body;
} state;

static void release(void *pointer) {
    state *s = pointer;
    dGeomDestroy(s->mesh);
    dGeomDestroy(s->body);
    dGeomTriMeshDataDestroy(s->data);
    free(s->vertices);
    free(s->triangles);
    free(s);
    dCloseODE();
}

static dGeomID make_body(const mesh_set *set) {
    switch (set->body) {
    case MESH_CAPSULE:
        return dCreateCapsule(NULL, set->radius, 2.0 * set->half_length);
    case MESH_BOX:
        return dCreateBox(NULL, 2.0 * set->half.x, 2.0 * set->half.y, 2.0 * set->half.z);
    default:
        return dCreateSphere(NULL, set->radius);
    }
}

/* No hulls: ODE has no collider for convex geoms and trimeshes. */
static void *prepare(const mesh_set *set) {
    state *s = set->body == MESH_HULL ? NULL : calloc(1, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    size_t vertices = (size_t)set->vertex_count, corners = 3 * (size_t)set->triangle_count;
    *s = (state){.set = set, .vertices = calloc(vertices, 3 * sizeof(float)), .triangles = calloc(corners, sizeof(dTriIndex))};
    for (size_t v = 0; v < vertices; v++) {
        s->vertices[3 * v] = (float)set->vertices[v].x;
        s->vertices[3 * v + 1] = (float)set->vertices[v].y;
        s->vertices[3 * v + 2] = (float)set->vertices[v].z;
    }
    for (size_t c = 0; c < corners; c++) {
        s->triangles[c] = (dTriIndex)set->triangles[c];
    }
    dInitODE();
    s->data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildSingle(s->data, s->vertices, 3 * sizeof(float), (int)vertices, s->triangles, (int)corners, 3 * sizeof(dTriIndex));
    s->mesh = dCreateTriMesh(NULL, s->data, NULL, NULL, NULL);
    s->body = make_body(set);
    return s;
}

static mesh_answer ask(void *pointer, int32_t index) {
    const state *s = pointer;
    dContactGeom contacts[ROOM];
    const abut_pose *pose = &s->set->poses[index];
    dGeomSetPosition(s->body, pose->position.x, pose->position.y, pose->position.z);
    if (s->set->body != MESH_SPHERE) {
        dGeomSetQuaternion(s->body, (dQuaternion){pose->rotation.w, pose->rotation.x, pose->rotation.y, pose->rotation.z});
    }
    mesh_answer answer = {dCollide(s->body, s->mesh, ROOM, contacts, sizeof contacts[0]), INFINITY, {0, 0, 0}};
    for (int32_t i = 0; i < answer.contacts; i++) {
        if (-contacts[i].depth < answer.gap) {
            answer.gap = -contacts[i].depth;
            answer.normal = abut_vec3_make(contacts[i].normal[0], contacts[i].normal[1], contacts[i].normal[2]);
        }
    }
    return answer;
}

const mesh_engine mesh_ode = {"ODE", prepare, ask, release};
