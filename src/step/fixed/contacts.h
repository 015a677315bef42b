#pragma once

#include "step/fixed/island.h"
#include "step/fixed/seams.h"

/*
 * The contacts of a step. The narrow phase of all pairs that may have changed runs over threads; the results are placed in the order of the pairs.
 */

/* The narrow phase of one pair. */
typedef struct narrow_job {
    int32_t pair;            /* index in broad.found */
    int32_t first, capacity; /* its room in results */
    int32_t count;
    int32_t place;        /* of its first contact in the world's `next` */
    double margin, angle; /* settings of this pair */
    double met;           /* the fraction of the step at which the contacts are made */
    int32_t over;         /* the pair's moving body when it is beside several still ones; else -1 */
    abut_status status;
} narrow_job;

/* Zero-initialise. */
typedef struct narrow_phase {
    narrow_job *jobs;
    int32_t job_count, job_capacity;
    abut_contact *results;
    int32_t result_capacity;
    seam_list seams;
    double *first_met; /* by slot: the least `met` above 0 of the body's pairs; 1 for none */
    int32_t met_capacity;
    int32_t candidates; /* pairs whose reaches meet */
} narrow_phase;

/* From broad.found to the world's `next`: the contacts of every pair, and the memory of those that existed in the last step. Pairs without an active body
 * keep their contacts. broad.found gets the pairs' contact ranges and normals. Statuses of abut_world_step(). */
abut_status contacts_find(narrow_phase *narrow, abut_world *world, const island_forest *islands, double dt);

/* Remove contacts from `next` that carry no force and whose gap exceeds the margin of the settings. They were made ahead of time. */
void contacts_drop_idle(abut_world *world);

void contacts_release(narrow_phase *narrow);
