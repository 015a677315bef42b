#pragma once

#include "solve/contact/contact.h"

/*
 * What the wide solver reads of patches and contacts, and what it leaves there. A step goes through the memory of all contacts, so these records are small.
 */

typedef struct wide_patch {
    int32_t first, count;      /* contacts */
    abut_vec3 normal;          /* unit, from B into A */
    double friction;           /* coefficient */
    double radius_a, radius_b; /* of round shapes: distances of the surfaces from the anchors along the normal */
} wide_patch;

/* World frame. Forces act on A; their opposites act on B. */
typedef struct wide_contact {
    double gap;    /* at the begin of the step */
    abut_vec3 arm; /* from the centre of mass of A to the point where the force acts, at the begin of the step */

    /* Of the last substep: before a solution that of the step before, afterwards that of this step. */
    double force;       /* along the normal */
    double mean;        /* slow mean of these forces; negative: none yet */
    abut_vec3 friction; /* in the contact plane */

    /* Means over the step, after a solution. */
    double step_force;
    abut_vec3 step_friction;
} wide_contact;
