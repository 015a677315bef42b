/* abut with its default settings. */
#include "engine.h"

#include <stdlib.h>

#include <abut/collide.h>

enum { ROOM = 64 };

typedef struct state {
    const mesh_set *set;
    abut_shape *mesh, *body;
} state;

static void release(void *pointer) {
    state *s = pointer;
    abut_shape_release(s->mesh);
    abut_shape_release(s->body);
    free(s);
}

static abut_status make_body(const mesh_set *set, abut_shape **body) {
    switch (set->body) {
    case MESH_SPHERE:
        return abut_shape_create_sphere(set->radius, body);
    case MESH_CAPSULE:
        return abut_shape_create_capsule(set->radius, set->half_length, body);
    case MESH_BOX:
        return abut_shape_create_box(set->half, body);
    case MESH_HULL:
        break;
    }
    return abut_shape_create_hull(set->points, MESH_POINTS, body);
}

static void *prepare(const mesh_set *set) {
    state *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    s->set = set;
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = set->vertices;
    def.vertex_count = set->vertex_count;
    def.triangles = set->triangles;
    def.triangle_count = set->triangle_count;
    if (make_body(set, &s->body) != ABUT_OK || abut_shape_create_trimesh(&def, NULL, &s->mesh) != ABUT_OK) {
        release(s);
        return NULL;
    }
    return s;
}

static mesh_answer ask(void *pointer, int32_t index) {
    const state *s = pointer;
    abut_contact contacts[ROOM];
    mesh_answer answer = {0, INFINITY, {0, 0, 0}};
    (void)abut_collide(&(abut_pair){s->body, s->set->poses[index], s->mesh, abut_pose_identity()}, NULL, NULL, contacts, ROOM,
                       &answer.contacts);
    for (int32_t i = 0; i < answer.contacts && i < ROOM; i++) {
        if (contacts[i].gap < answer.gap) {
            answer.gap = contacts[i].gap;
            answer.normal = contacts[i].normal;
        }
    }
    return answer;
}

const mesh_engine mesh_abut = {"abut", prepare, ask, release};
