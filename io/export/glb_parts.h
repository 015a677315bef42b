#pragma once

#include <jansson.h>

#include "io/record/recording.h"

/*
 * The parts of an animated scene that is being written (io/export/glb.c): the arrays of the JSON document, the binary chunk, and the motion of the bodies.
 */

/* Numbers of glTF and OpenGL. */
enum { GLB_FLOAT = 5126, GLB_UINT32 = 5125, GLB_VERTICES = 34962, GLB_INDICES = 34963, GLB_LINES = 1 };

/* The motion of a body. */
typedef struct glb_motion {
    float *translation; /* [samples][3] */
    float *rotation;    /* [samples][4] */
    size_t first;       /* sample in which it is there for the first time */
    size_t present;     /* number of samples before its removal; 0 for a body that never is there */
    bool moves;
} glb_motion;

/* What the samples have of a joint. */
typedef struct glb_joint {
    size_t present;       /* number of samples before it breaks, or goes with a body */
    double force, torque; /* largest magnitudes */
} glb_joint;

/* Accessors of a shape's mesh; -1 before it is made. */
typedef struct mesh_accessors {
    json_int_t positions, normals, indices;
} mesh_accessors;

typedef struct glb_exporter {
    abut_recording *recording;
    abut_recording_info info;
    abut_error *error;
    abut_status status; /* the first failure */
    const char *path;
    char *bytes; /* the binary chunk */
    size_t size, capacity;
    json_t *accessors, *views, *nodes, *children, *meshes, *materials, *channels, *samplers;
    float *times; /* [sample_count] */
    size_t sample_count;
    json_int_t input;       /* accessor of the times; -1 before something moves */
    glb_motion *motions;    /* [body_count] */
    glb_joint *joints;      /* [joint_count] */
    mesh_accessors *shapes; /* [shape_count] */
    abut_vec3 centre;       /* middle of all bodies in all samples, world frame */
    double reach;           /* half size of the squares that represent planes */
} glb_exporter;

/* Keeps the first failure. */
void glb_fail(glb_exporter *e, abut_status status, const char *what);

/* Appends a new object to an array of the document; its index, or -1. */
json_int_t glb_add(glb_exporter *e, json_t *array, json_t *object);

/* The description of a block of numbers. */
typedef struct glb_block {
    const void *cells;
    size_t count; /* elements */
    int width;    /* numbers in an element */
    int type;     /* GLB_FLOAT, GLB_UINT32 */
    int target;   /* GLB_VERTICES, GLB_INDICES or 0 */
    bool bounds;
} glb_block;

/* Appends a block to the binary chunk, with its own view and accessor; the accessor's index, or -1. */
json_int_t glb_add_block(glb_exporter *e, glb_block b);

/* The accessor of the times of all samples; -1 after a failure. */
json_int_t glb_times(glb_exporter *e);

/* Animates "translation", "rotation" or "scale" of a node. */
void glb_add_channel(glb_exporter *e, json_int_t node, const char *path, json_int_t input, json_int_t output, const char *interpolation);

/* Stores a unit quaternion in single precision, with the sign that is nearer to the quaternion before, if any. */
void glb_store_rotation(float *cells, const float *before, abut_quat rotation);

/* Hides a node of this size before the sample `first`, and from the sample `present` on: the scale is zero. The format has no other way to hide a node.
 * present: 0 for a node that never is there; the number of samples for one that stays. */
void glb_add_absence(glb_exporter *e, size_t first, size_t present, double size, json_t *node, json_int_t node_index);
