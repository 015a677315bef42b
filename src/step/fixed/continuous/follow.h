#pragma once

#include "step/fixed/continuous/ways.h"

/*
 * One body follows its path of the step once more, and slides along what it may not pass.
 */

/* A body to follow, and where it gets. */
typedef struct follow_task {
    int32_t slot;
    bool fast;  /* it slides on where it meets something; a slow body stops, and the push of the solver goes on with it */
    bool alone; /* it does not come near dynamic bodies that it must not pass, and does not ask them */
    bool continuous;
    double size;

    bool turns_aside;        /* the path of the solution is left; otherwise nothing below is set */
    abut_vec3 moved;         /* at the end; of the centre of mass since the start of the step */
    abut_quat rotation;      /* at the end, of the principal frame */
    abut_vec3 planned_moved; /* by the solution, at the end */
    abut_quat planned_rotation;
    abut_vec3 carried; /* the part of this motion that bodies which move have made */
    /* By place in the body's island: equal for bodies that joints connect. Bodies with the number of this one do not stop it. NULL: they do. */
    const int32_t *mechanism;
    abut_status status; /* ABUT_OK; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_OUT_OF_MEMORY */
} follow_task;

/* Follow the path of a body. Its points in the paths become those of its way. */
void follow_path(const step_ways *ways, follow_task *task);

/* Follow a body from where it is at the end of the step along a way and a turn of its own; it slides on along what it meets, which stands still. mechanism: as
 * in the task. *end: where it gets. ABUT_OK; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status follow_aside(const step_ways *ways, int32_t slot, abut_motion way, const int32_t *mechanism, path_point *end, bool *stopped);

/* The last point of the path of a state becomes that of the state. */
void follow_note_end(const step_ways *ways, int32_t state);
