#pragma once

#include <stdbool.h>

#include "base/instruction_set.h"
#include "world/engine.h"

enum { OPTIONS_SIZES = 16, OPTIONS_THREADS = 8 };

typedef struct options {
    int32_t sizes[OPTIONS_SIZES], size_count;
    int32_t threads[OPTIONS_THREADS], thread_count;
    bool scenes[SCENE_KINDS];
    bool others;                     /* engines other than abut */
    bool quick_solver, exact_solver; /* of abut */
    bool rows, gains;                /* times of worlds by size; the gain of a second thread */
    engine_effort effort;            /* of abut; zeros for defaults */
    int32_t steps, rounds;
    instruction_set set; /* of abut's kernels */
    const char *json;    /* file name; NULL for none */
    bool help;
} options;

extern const char options_help[];

/* False, with a message on stderr, for a wrong command line. */
bool options_read(int count, char **words, options *read);
