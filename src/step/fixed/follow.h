#pragma once

#include "step/fixed/layout.h"
#include "step/fixed/path.h"

/*
 * One body follows its path of the step once more, and slides along what it may not pass.
 */

/* The paths of a step, which followers read. */
typedef struct follow_paths {
    const abut_world *world;
    const island_layout *layout;
    const int32_t *path_of;    /* by state: the first of its `substeps + 1` points; -1: only the state at the end is known */
    const path_point *planned; /* points by the solution */
    path_point *points;        /* where the bodies really get */
    double dt;
} follow_paths;

/* A body to follow, and where it gets. */
typedef struct follow_task {
    int32_t slot;
    bool fast;  /* it slides on where it meets something; a slow body stops, and the push of the solver goes on with it */
    bool alone; /* it does not come near dynamic bodies that it must not pass, and does not ask them */
    bool continuous;
    double size;

    bool turns_aside;   /* the path of the solution is left; otherwise nothing below is set */
    abut_vec3 moved;    /* at the end; of the centre of mass since the start of the step */
    abut_quat rotation; /* at the end, of the principal frame */
    abut_vec3 carried;  /* part of the motion that bodies which move have made */
    abut_status status; /* ABUT_OK; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_OUT_OF_MEMORY */
} follow_task;

/* An upper bound of the way of a body's points in the step, as planned. */
double follow_length(const follow_paths *paths, int32_t slot);

/* Follow the path of a body. Its points in the paths become those of its way. */
void follow_path(const follow_paths *paths, follow_task *task);
