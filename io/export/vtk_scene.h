#pragma once

#include "io/record/recording.h"

/*
 * One frame of a recording, put together for drawing: where bodies are and what presses on them. Where space is periodic every body is moved by whole
 * periods so that its centre of mass is in the space, and its contacts with it.
 */

typedef struct vtk_body {
    abut_recorded_body body; /* for ever */
    abut_kind kind;    /* of its shape */
    bool deforms;            /* in some frame */
    double radius; /* of a ball; else the largest distance from the shape's origin, of a body that deforms in this frame; 0 of a plane */
    abut_vec3 local_centre; /* of mass, shape frame; in this frame */
    bool there;             /* in this frame, at a pose that is one; all below has no meaning else */
    bool awake;
    abut_pose pose;   /* as drawn */
    abut_vec3 shift;  /* from where the recording has it to where it is drawn */
    abut_vec3 centre; /* of mass, as drawn */
    abut_vec3 velocity, angular_velocity;
    abut_vec3 force;      /* of all contacts */
    int32_t coordination; /* bodies that it touches */
} vtk_body;

/* The contacts of two bodies: contacts[first] to contacts[first + count - 1] of the frame. */
typedef struct vtk_pair {
    int32_t a, b, first, count;
    bool touching; /* one of them bears a force or has a gap of 0 or less */
} vtk_pair;

typedef struct vtk_scene {
    abut_recording *recording;
    abut_recording_info info;
    double lower[3], period[3]; /* of the space; period 0: not periodic along that axis */
    vtk_body *bodies;           /* [info.body_count] */
    int64_t frame;              /* that was loaded last, and its time */
    double time;
    const abut_recorded_contact *contacts; /* [contact_count]; belong to the recording */
    int32_t contact_count;
    vtk_pair *pairs; /* [pair_count] */
    int32_t pair_count;
    size_t pair_capacity;
} vtk_scene;

/* ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY. To be released in every case. */
abut_status vtk_scene_begin(vtk_scene *scene, abut_recording *recording, abut_error *error);
/* Bodies of a frame without what presses on them. Returns as abut_recording_frame(). */
abut_status vtk_scene_load_bodies(vtk_scene *scene, int64_t frame, abut_error *error);
/* The whole frame. Returns as abut_recording_frame() and abut_recording_contacts(). */
abut_status vtk_scene_load(vtk_scene *scene, int64_t frame, abut_error *error);
void vtk_scene_release(vtk_scene *scene);

/* From body a to that image of body b which is nearest to it: what to add to where b is drawn. */
abut_vec3 vtk_scene_image(const vtk_scene *scene, int32_t a, int32_t b);
/* Force of a contact on A. */
abut_vec3 vtk_contact_force(const abut_recorded_contact *contact);
/* Half-way between both surfaces, as drawn: beside body A. */
abut_vec3 vtk_contact_point(const vtk_scene *scene, const abut_recorded_contact *contact);
