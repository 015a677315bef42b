#pragma once

#include <stdatomic.h>

#include "narrow/pair.h"
#include "step/fixed/parted.h"
#include "step/fixed/seams.h"

/*
 * The narrow phase of pairs. A body over several meshes has one surface below it, whose contacts are made once for all its pairs with these meshes.
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

/* What all pairs of a body share. */
typedef struct narrow_body {
    abut_placed placed; /* at the start of the step */
    double travel;      /* margin_travel() in the step */
} narrow_body;

/* What later parts of the step must know of a pair's contacts, so that they need not go through the memory of all contacts. */
typedef struct pair_extent {
    double least, most; /* gaps */
    double size;        /* margin_smaller_size() */
    int32_t patches;
} pair_extent;

/* Zero-initialise. */
typedef struct narrow_phase {
    narrow_job *jobs;
    int32_t job_count, job_capacity;
    int32_t *listed; /* scratch: pairs that get jobs */
    int32_t listed_capacity;
    abut_contact *results;
    int32_t result_capacity;
    narrow_body *bodies; /* by slot */
    int32_t body_capacity;
    pair_extent *extents; /* by index in broad.found, of pairs with contacts */
    int32_t extent_capacity;
    seam_list seams;
    parted_list parted;
    int32_t *mesh_jobs; /* [seams_mesh_count()] the job of each pair in the list of meshes; -1 for none */
    int32_t mesh_capacity;
    double *first_met; /* scratch, by slot: the least `met` above 0 of the body's pairs, 1 for none; also gaps (facing.c) */
    int32_t met_capacity;
    int32_t candidates;                    /* pairs whose reaches meet */
    atomic_bool has_impacts, has_failures; /* some jobs have a `met` above 0, or an impact that could not be found */
} narrow_phase;

/* Notes which jobs are those of meshes beside each other. To be called when all jobs are known. False when there is no memory. */
bool narrow_jobs_join(narrow_phase *narrow, const abut_world *world);

/* Makes room for the bodies. False when there is no memory. */
bool narrow_jobs_reserve(narrow_phase *narrow, const abut_world *world);

/* Fills the bodies in some slots, for a step of length dt. */
void narrow_jobs_place(narrow_phase *narrow, const abut_world *world, double dt, int32_t begin, int32_t end);

/* Runs the jobs from `begin` on, before `end`. Pairs of boxes are run together, which changes no bit. Of the jobs that are joined, the first one runs all, and
 * the others nothing. */
void narrow_jobs_run(narrow_phase *narrow, abut_world *world, double dt, int32_t begin, int32_t end);

/* Runs a job again whose room was too small, and those joined with it whose room was. */
void narrow_job_repeat(narrow_phase *narrow, abut_world *world, double dt, int32_t job);
