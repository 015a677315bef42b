#pragma once

#include <jansson.h>

#include <abut/cell.h>

#include "io/scene/deform_field.h"
#include "io/scene/grain/scatter.h"
#include "io/scene/process/process.h"
#include "io/scene/scene.h"

/*
 * The members of a scene.
 */

typedef struct scene_body {
    char *name;
    abut_body_def def;      /* with a reference to its shape */
    int32_t element;        /* index of the element of "bodies" that gave it */
    int32_t deform;         /* index of its deformation in scene->deforms; -1 for none */
    int32_t cell;           /* index of the elastic cell in scene->cells; -1 for none */
    int32_t inlet;          /* index of the inlet through which it comes; -1 for a body that is there from the beginning */
    int32_t motion;         /* index of its prescribed motion in scene->motions; -1 for none */
    abut_vec3 *vertices;    /* of an elastic cell that goes on from a recording, in the frame of its shape; NULL for others */
    abut_surface *surfaces; /* [def.surface_count], of the definition; NULL for one */
} scene_body;

/*
 * An inlet: bodies that come over time, in a region. Sizes, masses and times are drawn when the scene is loaded, so all bodies of a scene are known from the
 * beginning. Only their places are found later, when they come.
 */

typedef struct scene_inlet {
    char *name;           /* of the element of "bodies" */
    int32_t first, count; /* its bodies in the scene, in the order in which they come */
    scatter_region region;
    int32_t seed;
    bool has_end;   /* whether the scene says when it ends, or after how much */
    double largest; /* largest radius of a bounding ball */
    double *due;    /* [count] when each body comes, ascending */
    double *mass;   /* [count] mass of the bodies up to each one, itself included */
} scene_inlet;

/* What a body does at the beginning of a scene that goes on from a recording. */
typedef enum start_presence {
    START_OWN,  /* it begins as the scene says */
    START_HERE, /* it is where the recording had it */
    START_GONE  /* it had been taken away */
} start_presence;

typedef struct scene_start {
    char *recording; /* path; NULL for a scene that begins by itself */
    char *given;     /* the path as the scene has it, for messages */
    double time;     /* infinite for the last frame */
    json_t *bodies;  /* object with the names of "bodies" as keys; NULL for all */
    int32_t line, column, time_line, time_column;
    unsigned char *presence; /* [bodies of the scene] start_presence; NULL before the recording was read */
} scene_start;

struct abut_scene {
    char *path;
    char *title;
    char *description;
    char *text;

    double dt, duration;
    int64_t step_count;
    abut_world_def world;
    bool has_until;
    abut_scene_until until;

    scene_start start;

    scene_body *bodies;
    int32_t body_count;
    size_t body_capacity;
    json_t *body_indices; /* object: name to index */

    deform_program *deforms; /* [deform_count] */
    int32_t deform_count;
    abut_cell_def *cells; /* [cell_count] */
    int32_t cell_count;

    scene_inlet *inlets; /* [inlet_count] */
    int32_t inlet_count;

    scene_motion *motions; /* [motion_count] */
    int32_t motion_count;

    scene_outlet *outlets; /* [outlet_count] */
    int32_t outlet_count;
    scene_servo *servos; /* [servo_count] */
    int32_t servo_count;
    scene_measure *measures; /* [measure_count] */
    int32_t measure_count;
    char **series; /* [series_count] names of the columns of the time series */
    int32_t series_count;

    abut_substance_pair *pairs; /* [world.pair_count] of materials */

    abut_scene_pair *apart; /* [apart_count] */
    int32_t apart_count;

    abut_scene_joint *joints;
    int32_t joint_count;

    abut_scene_action *actions; /* sorted */
    int32_t action_count;
    int32_t timed_count; /* of actions without triggers, which come first */

    char **warnings;
    int32_t warning_count;
};
