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

/*
 * World frame. Forces act on A; their opposites act on B. The memory of a contact from step to step is such a record, so that the solver reads and writes it
 * where it is.
 */
typedef struct wide_contact {
    /* Of the last substep: before a solution that of the step before, afterwards that of this step. */
    double force;       /* along the normal */
    double mean;        /* slow mean of these forces; negative: none yet */
    abut_vec3 friction; /* in the contact plane */

    double gap;    /* at the begin of the step */
    abut_vec3 arm; /* from the centre of mass of A to the point where the force acts, at the begin of the step */

    /* The solver has no use for these. */
    uint64_t id;     /* of the contact */
    int32_t patch;   /* among those of the pair */
    abut_vec3 place; /* midpoint between the two surfaces, shape frame of the body that is dynamic; of a if both are */
} wide_contact;

/* Four numbers in the owner's memory that receive the mean forces of a contact over the step: along the normal, and in the contact plane. */
static inline double *wide_step_force(const solver_contacts *set, int32_t contact) {
    return set->wide_forces + (size_t)contact * (size_t)set->wide_stride;
}

static inline abut_vec3 wide_step_friction(const double *force) { return abut_vec3_make(force[1], force[2], force[3]); }
