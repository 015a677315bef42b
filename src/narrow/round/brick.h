#pragma once

#include "narrow/normal/box_features.h"

/* A box in the pair's frame, as convex.h places it. */
typedef struct brick {
    const abut_shape *shape;
    abut_mat3 turn; /* to the pair's frame */
    abut_vec3 position;
    bool aligned; /* the turn is the identity */
} brick;

static inline abut_vec3 brick_turned(const brick *box, abut_vec3 local) { return box->aligned ? local : abut_mat3_apply(box->turn, local); }

static inline abut_vec3 brick_local(const brick *box, abut_vec3 direction) {
    return box->aligned ? direction : abut_mat3_apply_transposed(box->turn, direction);
}

static inline int32_t brick_support(const brick *box, abut_vec3 direction) {
    abut_vec3 local = brick_local(box, direction);
    return box_vertex_along((const double[3]){local.x, local.y, local.z});
}

static inline abut_vec3 brick_vertex(const brick *box, int32_t index) {
    abut_vec3 half = box->shape->half;
    abut_vec3 v = abut_vec3_make(index & 1 ? half.x : -half.x, index & 2 ? half.y : -half.y, index & 4 ? half.z : -half.z);
    return abut_add(brick_turned(box, v), box->position);
}

static inline double brick_half(const brick *box, int axis) {
    return axis == 0 ? box->shape->half.x : axis == 1 ? box->shape->half.y : box->shape->half.z;
}

/* The outward normal of a face. */
static inline abut_vec3 brick_normal(const brick *box, int32_t face) {
    double sense = face & 1 ? 1.0 : -1.0;
    return brick_turned(box, abut_vec3_make(face >> 1 == 0 ? sense : 0.0, face >> 1 == 1 ? sense : 0.0, face >> 1 == 2 ? sense : 0.0));
}
