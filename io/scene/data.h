#pragma once

#include <jansson.h>

#include "io/scene/deform_field.h"
#include "io/scene/scene.h"

/*
 * The members of a scene.
 */

typedef struct scene_body {
    char *name;
    abut_body_def def;      /* with a reference to its shape */
    int32_t element;        /* index of the element of "bodies" that gave it */
    int32_t deform;         /* index of its deformation in scene->deforms; -1 for a rigid body */
    abut_surface *surfaces; /* [def.surface_count], of the definition; NULL for one */
} scene_body;

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

    scene_body *bodies;
    int32_t body_count;
    size_t body_capacity;
    json_t *body_indices; /* object: name to index */

    deform_program *deforms; /* [deform_count] */
    int32_t deform_count;

    abut_scene_pair *apart; /* [apart_count] */
    int32_t apart_count;

    abut_scene_joint *joints;
    int32_t joint_count;

    abut_scene_action *actions; /* sorted */
    int32_t action_count;

    char **warnings;
    int32_t warning_count;
};
