#pragma once

#include <abut/joint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The scenes of bench_joints: parts and joints, the same for every engine. SI units.
 */

typedef enum scene_kind {
    SCENE_RAGDOLLS, /* people of 18 parts and 17 joints, who fall on a floor one beside the other */
    SCENE_HEAP,     /* the same people, who fall on one heap */
    SCENE_CHAIN,    /* a chain of 100 links with 1,000 times the mass of one at its end, which swings */
    SCENE_BRIDGES,  /* rope bridges of 50 planks on hinges, which sag and swing */
    SCENE_KINDS
} scene_kind;

/* A box of these half sizes; or a capsule along z, with its radius in half.x and the half length of its cylinder in half.z. */
typedef struct scene_part {
    bool capsule;
    abut_vec3 half;
    double mass; /* 0: it stands still */
    abut_pose pose;
} scene_part;

/* A spherical or a revolute joint. */
typedef struct scene_joint {
    bool hinge;
    int32_t a, b;
    abut_pose frame; /* at the start, world frame; the axis of a hinge and of a cone is z */
    bool limited;
    double lower, upper; /* of a hinge its angle, of a spherical joint the angle between both z axes [rad] */
} scene_joint;

typedef struct scene {
    scene_kind kind;
    scene_part *parts; /* [part_count] */
    scene_joint *joints;
    int32_t part_count, joint_count;
} scene;

extern const double scene_friction;

const char *scene_name(scene_kind kind);

/* False when there is no memory. Free it with scene_free(). */
bool scene_make(scene_kind kind, scene *made);
void scene_free(scene *made);

/* The frame as a part sees it at the start. */
abut_pose scene_frame_on(const scene_part *part, abut_pose frame);

#ifdef __cplusplus
}
#endif
