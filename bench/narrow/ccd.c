/* libccd: Minkowski portal refinement (ccdMPRPenetration), and GJK with the expanding polytope algorithm (ccdGJKPenetration). Bodies follow
 * its documentation: a support callback turns the direction into the body's frame, finds the farthest vertex by a linear search (for a box,
 * the corner by signs), and turns the vertex back. Rotation matrices are prepared beforehand. */
#include <stdlib.h>

#include <ccd/ccd.h>

#include "engines.h"
#include "support/check.h"

/* A posed body. */
typedef struct object {
    const abut_vec3 *vertices; /* of a hull */
    int32_t vertex_count;
    abut_vec3 half; /* of a box */
    abut_mat3 rotation;
    abut_vec3 position;
} object;

typedef struct state {
    const input_set *set;
    object *objects; /* [2 questions] */
    ccd_t ccd;
    ccd_real_t depth;
} state;

static abut_vec3 local_direction(const object *o, const ccd_vec3_t *direction) {
    return abut_mat3_apply_transposed(o->rotation, abut_vec3_make(direction->v[0], direction->v[1], direction->v[2]));
}

static void put_world(const object *o, abut_vec3 local, ccd_vec3_t *point) {
    abut_vec3 world = abut_add(abut_mat3_apply(o->rotation, local), o->position);
    ccdVec3Set(point, world.x, world.y, world.z);
}

static void support_hull(const void *opaque, const ccd_vec3_t *direction, ccd_vec3_t *point) {
    const object *o = opaque;
    abut_vec3 d = local_direction(o, direction);
    int32_t best = 0;
    double farthest = abut_dot(d, o->vertices[0]);
    for (int32_t i = 1; i < o->vertex_count; i++) {
        double along = abut_dot(d, o->vertices[i]);
        if (along > farthest) {
            farthest = along;
            best = i;
        }
    }
    put_world(o, o->vertices[best], point);
}

static void support_box(const void *opaque, const ccd_vec3_t *direction, ccd_vec3_t *point) {
    const object *o = opaque;
    abut_vec3 d = local_direction(o, direction);
    put_world(o, abut_vec3_make(copysign(o->half.x, d.x), copysign(o->half.y, d.y), copysign(o->half.z, d.z)), point);
}

static void centre(const void *opaque, ccd_vec3_t *point) {
    const object *o = opaque;
    ccdVec3Set(point, o->position.x, o->position.y, o->position.z);
}

static object place(const body *b, abut_pose pose) {
    object o = {b->surface.vertices, b->surface.vertex_count, b->half, abut_mat3_from_quat(pose.rotation), pose.position};
    return o;
}

static void *prepare(const input_set *set) {
    state *s = check_memory(1, sizeof *s);
    s->set = set;
    s->objects = check_memory(2 * (size_t)inputs_questions(set), sizeof *s->objects);
    for (int32_t i = 0; i < inputs_questions(set); i++) {
        s->objects[2 * i] = place(inputs_a(set, i % set->pairs), set->questions[i].pose_a);
        s->objects[2 * i + 1] = place(inputs_b(set, i % set->pairs), set->questions[i].pose_b);
    }
    CCD_INIT(&s->ccd);
    s->ccd.support1 = inputs_a(set, 0)->kind == BODY_BOX ? support_box : support_hull;
    s->ccd.support2 = inputs_b(set, 0)->kind == BODY_BOX ? support_box : support_hull;
    s->ccd.center1 = s->ccd.center2 = centre;
    s->ccd.max_iterations = 500;
    s->ccd.mpr_tolerance = s->ccd.epa_tolerance = 1e-6;
    return s;
}

static void release(void *opaque) {
    state *s = opaque;
    free(s->objects);
    free(s);
}

/* From libccd's return codes: 0 overlap, -1 no overlap, -2 no memory. */
static int32_t points_of(int code) { return code == 0 ? 1 : code == -1 ? 0 : -1; }

static int32_t ask_mpr(void *opaque, int32_t index, int32_t pair) {
    (void)pair;
    state *s = opaque;
    ccd_vec3_t direction, point;
    return points_of(ccdMPRPenetration(&s->objects[2 * index], &s->objects[2 * index + 1], &s->ccd, &s->depth, &direction, &point));
}

static int32_t ask_gjk(void *opaque, int32_t index, int32_t pair) {
    (void)pair;
    state *s = opaque;
    ccd_vec3_t direction, point;
    return points_of(ccdGJKPenetration(&s->objects[2 * index], &s->objects[2 * index + 1], &s->ccd, &s->depth, &direction, &point));
}

static double minus_depth(const void *opaque, int32_t points) {
    (void)points;
    return -((const state *)opaque)->depth;
}

static bool polytope(const body *b) { return b->kind == BODY_BOX || b->kind == BODY_HULL; }

static bool takes(const input_set *set) { return !inputs_ask_distance(set) && polytope(inputs_a(set, 0)) && polytope(inputs_b(set, 0)); }

const engine ccd_mpr = {"libccd MPR", takes, prepare, NULL, NULL, ask_mpr, minus_depth, release};
const engine ccd_gjk_epa = {"libccd GJK+EPA", takes, prepare, NULL, NULL, ask_gjk, minus_depth, release};
