#pragma once

#include "io/record/recording.h"

/*
 * One frame of a recording, prepared for drawing: poses of bodies and forces on them. In periodic space every body is moved by whole periods so that its centre
 * of mass is inside the space; its contacts move with it.
 */

typedef struct vtk_body {
    abut_recorded_body body; /* the same in all frames */
    abut_kind kind;          /* of its shape */
    bool deforms;            /* in some frame */
    double
        radius; /* of a ball; otherwise the largest distance from the shape's origin, for a deforming body in this frame; 0 for a plane */
    abut_vec3 local_centre; /* of mass, shape frame, in this frame */
    bool there;             /* exists in this frame with a valid pose; otherwise the members below are undefined */
    bool awake;
    abut_pose pose;   /* as drawn */
    abut_vec3 shift;  /* from the recorded position to the drawn one */
    abut_vec3 centre; /* of mass, as drawn */
    abut_vec3 velocity, angular_velocity;
    abut_vec3 force;      /* of all contacts */
    int32_t coordination; /* number of touching bodies */
} vtk_body;

/* The contacts of two bodies: contacts[first] to contacts[first + count - 1] of the frame. */
typedef struct vtk_pair {
    int32_t a, b, first, count;
    bool touching; /* a contact has a force, or a gap of 0 or less */
} vtk_pair;

typedef struct vtk_scene {
    abut_recording *recording;
    abut_recording_info info;
    double lower[3], period[3]; /* of the space; period 0 for axes that are not periodic */
    vtk_body *bodies;           /* [info.body_count] */
    int64_t frame;              /* last loaded frame, and its time */
    double time;
    const abut_recorded_contact *contacts; /* [contact_count]; belong to the recording */
    int32_t contact_count;
    vtk_pair *pairs; /* [pair_count] */
    int32_t pair_count;
    size_t pair_capacity;
} vtk_scene;

/* ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY. To be released in every case. */
abut_status vtk_scene_begin(vtk_scene *scene, abut_recording *recording, abut_error *error);
/* Loads the bodies of a frame without their forces. Returns as abut_recording_frame(). */
abut_status vtk_scene_load_bodies(vtk_scene *scene, int64_t frame, abut_error *error);
/* Loads the whole frame. Returns as abut_recording_frame() and abut_recording_contacts(). */
abut_status vtk_scene_load(vtk_scene *scene, int64_t frame, abut_error *error);
void vtk_scene_release(vtk_scene *scene);

/* The shift that moves body b, as drawn, to its periodic image nearest to body a. */
abut_vec3 vtk_scene_image(const vtk_scene *scene, int32_t a, int32_t b);
/* The force of a contact on A. */
abut_vec3 vtk_contact_force(const abut_recorded_contact *contact);
/* The point half-way between both surfaces, drawn next to body A. */
abut_vec3 vtk_contact_point(const vtk_scene *scene, const abut_recorded_contact *contact);
