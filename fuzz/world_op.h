#pragma once

#include <abut/joint.h>

#include "bytes.h"

/*
 * One call that changes a world, as data: read once from bytes, then made on several worlds.
 */

typedef enum op_kind {
    OP_ADD_BODY,
    OP_REMOVE_BODY,
    OP_ADD_JOINT,
    OP_REMOVE_JOINT,
    OP_SET_MOTOR,
    OP_SET_FILTER,
    OP_SET_POSE,
    OP_SET_MOTION,
    OP_SET_SHAPE,
    OP_PUSH, /* one of the four calls with forces and impulses */
    OP_SET_VALUE /* mass, friction, restitution, damping or gravity scale */,
    OP_SET_GRAVITY,
    OP_SLEEP,
    OP_WAKE,
    OP_ADD_SPRING,
    OP_SET_SPRING,
    OP_REMOVE_SPRING,
    OP_KINDS
} op_kind;

typedef struct world_op {
    op_kind kind;
    int32_t choice; /* of OP_PUSH and OP_SET_VALUE */
    abut_body_id body;
    abut_joint_id joint;
    abut_spring_id spring;
    abut_body_def body_def; /* its shape belongs to the caller */
    abut_joint_def joint_def;
    abut_spring_def spring_def;
    abut_joint_motor motor;
    abut_filter filter;
    abut_pose pose;
    abut_motion motion;
    abut_vec3 vector, point;
    double numbers[2];
} world_op;

/* What the ids of a program name: some of them are stale. */
typedef struct op_names {
    const abut_body_id *bodies; /* [body_count] */
    const abut_joint_id *joints;
    const abut_spring_id *springs;
    int32_t body_count, joint_count, spring_count;
} op_names;

/* Reads the operands of a call of this kind. The world is asked for places and bounds. */
world_op op_read(bytes *in, op_kind kind, const op_names *names, const abut_world *world, abut_shape *shape);

/* Makes the call. Additions set the id in the op. */
abut_status op_make(abut_world *world, world_op *op);

/* Whether the headers name the status for calls of this kind. */
bool op_has_status(op_kind kind, abut_status status);

void op_describe(const world_op *op, abut_status status);

/* A shape for a body; NULL if the library refused it. */
abut_shape *op_read_shape(bytes *in);
