#pragma once

#include <stdio.h>

#include "goals.h"

/* The results as JSON for programs and as tables for people. */

typedef struct conditions {
    uint64_t seed;
    int core; /* -1 when the process was not bound to one */
    const char *processor, *compiler;
    int32_t rounds;
    bool quick;
} conditions;

void report_json(FILE *file, const conditions *how, const measured_set *sets, int32_t set_count);
void report_table(FILE *file, const measured_set *set);
void report_goals(FILE *file, const conditions *how, const measured_set *sets, int32_t set_count);
