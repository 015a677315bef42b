#pragma once

#include <abut/joint.h>

/* A joint between two bodies. */
typedef struct world_joint {
    bool used;
    uint32_t generation;        /* number of earlier uses of the slot */
    int32_t next_free;          /* of an unused slot: the next unused slot; -1 for none */
    int32_t a, b;               /* slots */
    abut_joint_def def;         /* frames with rotations of length 1 */
    abut_quat begun_a, begun_b; /* rotations of the frames in the world when the joint was added */
    double turned[2];           /* last known angles, which count turns */
    double warm[6];             /* mean forces and torques of the rows in the last substep */
    double loads[3];            /* forces in the last substeps */
    bool broken;
    abut_vec3 force, torque; /* mean ones of the last step on b at the origin of its frame */
} world_joint;

/* Whether a joint holds anything. */
static inline bool joint_acts(const world_joint *joint) { return joint->used && !joint->broken; }
