#pragma once

#include <abut/collide.h>

#include "tool/cli.h"

/*
 * Question and answer of `abut collide`, and how they are printed. Shape 0 is A, shape 1 is B, and the others are meshes that form one surface
 * with B.
 */

/* A contact patch, before and after a reduction. */
typedef struct collide_patch {
    int32_t first, count;           /* in the printed contacts */
    int32_t found;                  /* contacts before a reduction */
    double area;                    /* sum over its contacts, before a reduction */
    double area_before, area_after; /* support area before and after a reduction */
} collide_patch;

typedef struct collide_answer {
    char **names;      /* [shape_count], as on the command line */
    abut_part *shapes; /* [shape_count], with poses in the world frame */
    int32_t shape_count;
    abut_collide_settings settings;
    int64_t reduce; /* contacts left in each patch; 0: all */
    abut_contact *contacts;
    int32_t count;
    collide_patch *patches;
    int32_t patch_count;
    abut_growth growth;
    abut_status growth_status; /* ABUT_OK, ABUT_ERROR_ITERATION_LIMIT, or the reason why there is no growth distance */
} collide_answer;

/* Prints a table. */
void collide_print_table(const collide_answer *answer);

/* Prints one JSON object. CLI_OK, or CLI_FAILED with a line on stderr. */
int collide_print_json(const cli_command *command, const collide_answer *answer);
