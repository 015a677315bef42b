/* ODE: dBoxBox() alone, with prepared positions and rotation matrices, and dCollide() with a prepared geom for each body of each question.
 * Convex geoms have planes, points and polygons; Debian's ODE passes pairs of them to libccd. */
#include <stdlib.h>
#include <string.h>

#include <ode/ode.h>

#include "engines.h"
#include "support/check.h"

enum { most_contacts = 64 };

/* A posed body. */
typedef struct placed_box {
    dVector3 position, sides;
    dMatrix3 rotation;
} placed_box;

/* The three arrays of a convex geom, which ODE does not copy. */
typedef struct convex_data {
    dReal *planes, *points;
    unsigned int *polygons;
} convex_data;

typedef struct state {
    const input_set *set;
    placed_box *boxes;   /* [2 questions], for dBoxBox */
    dGeomID *geoms;      /* [2 questions], for dCollide */
    convex_data *convex; /* [2 pairs], for dCollide */
    dContactGeom contacts[most_contacts];
} state;

static void copy_rotation(abut_quat q, dMatrix3 rotation) {
    abut_mat3 m = abut_mat3_from_quat(q);
    const dReal rows[12] = {m.x.x, m.y.x, m.z.x, 0, m.x.y, m.y.y, m.z.y, 0, m.x.z, m.y.z, m.z.z, 0};
    memcpy(rotation, rows, sizeof rows);
}

static placed_box place_box(const body *b, abut_pose pose) {
    placed_box placed = {{pose.position.x, pose.position.y, pose.position.z, 0}, {2 * b->half.x, 2 * b->half.y, 2 * b->half.z, 0}, {0}};
    copy_rotation(pose.rotation, placed.rotation);
    return placed;
}

static void *prepare_boxes(const input_set *set) {
    state *s = check_memory(1, sizeof *s);
    s->set = set;
    s->boxes = check_memory(2 * (size_t)inputs_questions(set), sizeof *s->boxes);
    for (int32_t i = 0; i < inputs_questions(set); i++) {
        s->boxes[2 * i] = place_box(inputs_a(set, i % set->pairs), set->questions[i].pose_a);
        s->boxes[2 * i + 1] = place_box(inputs_b(set, i % set->pairs), set->questions[i].pose_b);
    }
    return s;
}

static convex_data make_convex(const solid *surface) {
    int32_t corners = 0;
    for (int32_t f = 0; f < surface->face_count; f++) {
        corners += surface->face_sizes[f];
    }
    convex_data data;
    data.planes = check_memory(4 * (size_t)surface->face_count, sizeof *data.planes);
    data.points = check_memory(3 * (size_t)surface->vertex_count, sizeof *data.points);
    data.polygons = check_memory((size_t)(surface->face_count + corners), sizeof *data.polygons);
    memcpy(data.points, surface->vertices, 3 * (size_t)surface->vertex_count * sizeof *data.points);
    const int32_t *loop = surface->face_vertices;
    unsigned int *polygon = data.polygons;
    for (int32_t f = 0; f < surface->face_count; f++) {
        abut_vec3 p = surface->vertices[loop[0]], q = surface->vertices[loop[1]], r = surface->vertices[loop[2]];
        abut_vec3 normal = abut_unit(abut_cross(abut_sub(q, p), abut_sub(r, p)));
        const dReal plane[4] = {normal.x, normal.y, normal.z, abut_dot(normal, p)};
        memcpy(data.planes + 4 * f, plane, sizeof plane);
        *polygon++ = (unsigned int)surface->face_sizes[f];
        for (int32_t i = 0; i < surface->face_sizes[f]; i++) {
            *polygon++ = (unsigned int)*loop++;
        }
    }
    return data;
}

static dGeomID make_geom(const body *b, const convex_data *data, abut_pose pose) {
    dGeomID geom = NULL;
    switch (b->kind) {
    case BODY_BOX:
        geom = dCreateBox(NULL, 2 * b->half.x, 2 * b->half.y, 2 * b->half.z);
        break;
    case BODY_HULL:
        geom = dCreateConvex(NULL, data->planes, (unsigned int)b->surface.face_count, data->points, (unsigned int)b->surface.vertex_count,
                             data->polygons);
        break;
    case BODY_SPHERE:
        geom = dCreateSphere(NULL, b->radius);
        break;
    case BODY_CAPSULE:
        geom = dCreateCapsule(NULL, b->radius, 2 * b->half_length);
        break;
    }
    dMatrix3 rotation;
    copy_rotation(pose.rotation, rotation);
    dGeomSetPosition(geom, pose.position.x, pose.position.y, pose.position.z);
    dGeomSetRotation(geom, rotation);
    return geom;
}

static void *prepare_geoms(const input_set *set) {
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateFlagCollisionData);
    state *s = check_memory(1, sizeof *s);
    s->set = set;
    s->convex = check_memory(2 * (size_t)set->pairs, sizeof *s->convex);
    for (int32_t i = 0; i < 2 * set->pairs; i++) {
        if (set->bodies[i].kind == BODY_HULL) {
            s->convex[i] = make_convex(&set->bodies[i].surface);
        }
    }
    s->geoms = check_memory(2 * (size_t)inputs_questions(set), sizeof(dGeomID));
    for (int32_t i = 0; i < inputs_questions(set); i++) {
        int32_t pair = i % set->pairs;
        s->geoms[2 * i] = make_geom(inputs_a(set, pair), &s->convex[2 * pair], set->questions[i].pose_a);
        s->geoms[2 * i + 1] = make_geom(inputs_b(set, pair), &s->convex[2 * pair + 1], set->questions[i].pose_b);
    }
    return s;
}

static void release_boxes(void *opaque) {
    state *s = opaque;
    free(s->boxes);
    free(s);
}

static void release_geoms(void *opaque) {
    state *s = opaque;
    for (int32_t i = 0; i < 2 * inputs_questions(s->set); i++) {
        dGeomDestroy(s->geoms[i]);
    }
    for (int32_t i = 0; i < 2 * s->set->pairs; i++) {
        free(s->convex[i].planes);
        free(s->convex[i].points);
        free(s->convex[i].polygons);
    }
    free(s->convex);
    free(s->geoms);
    free(s);
    dCloseODE();
}

static int32_t ask_boxes(void *opaque, int32_t index, int32_t pair) {
    (void)pair;
    state *s = opaque;
    const placed_box *a = &s->boxes[2 * index], *b = &s->boxes[2 * index + 1];
    dVector3 normal;
    dReal depth;
    int code;
    return dBoxBox(a->position, a->rotation, a->sides, b->position, b->rotation, b->sides, normal, &depth, &code, most_contacts,
                   s->contacts, (int)sizeof(dContactGeom));
}

static int32_t ask_geoms(void *opaque, int32_t index, int32_t pair) {
    (void)pair;
    state *s = opaque;
    return dCollide(s->geoms[2 * index], s->geoms[2 * index + 1], most_contacts, s->contacts, (int)sizeof(dContactGeom));
}

static double deepest(const void *opaque, int32_t points) {
    const state *s = opaque;
    double depth = s->contacts[0].depth;
    for (int32_t i = 1; i < points; i++) {
        depth = fmax(depth, s->contacts[i].depth);
    }
    return -depth;
}

static bool takes_contacts(const input_set *set) { return !inputs_ask_distance(set); }

static bool takes_boxes(const input_set *set) {
    return takes_contacts(set) && inputs_a(set, 0)->kind == BODY_BOX && inputs_b(set, 0)->kind == BODY_BOX;
}

const engine ode_box_box = {"ODE dBoxBox", takes_boxes, prepare_boxes, NULL, NULL, ask_boxes, deepest, release_boxes};
const engine ode_collide = {"ODE dCollide", takes_contacts, prepare_geoms, NULL, NULL, ask_geoms, deepest, release_geoms};
