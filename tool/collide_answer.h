#pragma once

#include <abut/collide.h>

#include "cli.h"

/*
 * What `abut collide` was asked and what it found, and how that is printed. The shapes are numbered from 0: A, B, and the meshes that are one
 * surface with B.
 */

/* A contact patch: what was found, and what a reduction left. */
typedef struct collide_patch {
    int32_t first, count; /* in the printed contacts */
    int32_t found;
    double area;                    /* sum of the contacts' shares, before a reduction */
    double area_before, area_after; /* support area; only with a reduction */
} collide_patch;

typedef struct collide_answer {
    char **names;      /* [shape_count], as they were given */
    abut_part *shapes; /* [shape_count], where they are in the world */
    int32_t shape_count;
    abut_collide_settings settings;
    int64_t reduce; /* 0: no */
    abut_contact *contacts;
    int32_t count;
    collide_patch *patches;
    int32_t patch_count;
    abut_growth growth;
    abut_status growth_status; /* ABUT_OK, ABUT_ERROR_ITERATION_LIMIT, or why there is none */
} collide_answer;

/* For people. */
void collide_print_table(const collide_answer *answer);

/* For programs: one JSON object. CLI_OK, or CLI_FAILED with a line on stderr. */
int collide_print_json(const cli_command *command, const collide_answer *answer);
