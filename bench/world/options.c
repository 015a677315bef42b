#include "world/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char options_help[] =
    "bench_world: how long a step of a world takes, from 100 to 10,000 bodies, and what it reaches.\n"
    "\n"
    "  --quick           a short run: 100 and 300 bodies, 60 steps\n"
    "  --sizes N,N,...   numbers of bodies, ascending (100,300,1000,3000,10000)\n"
    "  --threads N,N,... numbers of threads (1,2)\n"
    "  --scenes S,S,...  of boxes, hulls, wall, columns, pyramid, tower, ratio, slope (all)\n"
    "  --steps N         steps of 1/60 s (300)\n"
    "  --alone           abut only, without the engines to compare with\n"
    "  --solver S        quick or exact (both)\n"
    "  --rows            only the times of a step\n"
    "  --gains           only the gain of a second thread, and its cost beside other programs\n"
    "  --rounds N        rounds for each gain of a world (60); a batch has ten times as many\n"
    "  --substeps N      of abut in a step (8; 4 with the exact solver)\n"
    "  --iterations N    of the exact solver in a substep (8)\n"
    "  --set S           of vector instructions: scalar, sse2, avx2 or avx512 (the widest that the machine has)\n"
    "  --json FILE       write the results to FILE, - for standard output\n"
    "  --help            this\n"
    "\n"
    "Exit status: 0; 1 when two numbers of threads led to different states, or a run failed; 2 for a wrong command line.\n";

static options defaults(void) {
    options d = {.sizes = {100, 300, 1000, 3000, 10000},
                 .size_count = 5,
                 .threads = {1, 2},
                 .thread_count = 2,
                 .steps = 300,
                 .others = true,
                 .quick_solver = true,
                 .exact_solver = true,
                 .rows = true,
                 .gains = true,
                 .rounds = 60,
                 .set = instruction_set_best()};
    for (int i = 0; i < SCENE_KINDS; i++) {
        d.scenes[i] = true;
    }
    return d;
}

/* Positive numbers, ascending, separated by commas. */
static bool read_numbers(const char *text, int32_t *numbers, int32_t most, int32_t *count) {
    *count = 0;
    for (const char *at = text; *count < most;) {
        char *end;
        long number = strtol(at, &end, 10);
        if (end == at || number < 1 || number > 1000000 || (*count > 0 && number <= numbers[*count - 1])) {
            return false;
        }
        numbers[(*count)++] = (int32_t)number;
        if (*end == '\0') {
            return true;
        }
        if (*end != ',') {
            return false;
        }
        at = end + 1;
    }
    return false;
}

static bool read_scenes(const char *text, bool scenes[SCENE_KINDS]) {
    memset(scenes, 0, SCENE_KINDS * sizeof *scenes);
    for (const char *at = text;;) {
        size_t length = strcspn(at, ",");
        int kind = 0;
        while (kind < SCENE_KINDS &&
               (strlen(scene_name((scene_kind)kind)) != length || strncmp(at, scene_name((scene_kind)kind), length) != 0)) {
            kind++;
        }
        if (kind == SCENE_KINDS) {
            return false;
        }
        scenes[kind] = true;
        if (at[length] == '\0') {
            return true;
        }
        at += length + 1;
    }
}

static bool read_set(const char *text, instruction_set *set) {
    static const char *const names[INSTRUCTION_SETS] = {"scalar", "sse2", "avx2", "avx512"};
    for (int i = 0; i < INSTRUCTION_SETS; i++) {
        if (strcmp(text, names[i]) == 0) {
            *set = (instruction_set)i;
            return instruction_set_is_here(*set);
        }
    }
    return false;
}

static void be_quick(options *read) {
    read->sizes[0] = 100;
    read->sizes[1] = 300;
    read->size_count = 2;
    read->steps = 60;
    read->gains = false;
}

/* An option without a value. */
static bool read_flag(const char *name, options *read) {
    if (strcmp(name, "--quick") == 0) {
        be_quick(read);
    } else if (strcmp(name, "--alone") == 0) {
        read->others = false;
    } else if (strcmp(name, "--rows") == 0) {
        read->gains = false;
    } else if (strcmp(name, "--gains") == 0) {
        read->rows = false;
    } else if (strcmp(name, "--help") == 0) {
        read->help = true;
    } else {
        return false;
    }
    return true;
}

static bool read_value(const char *name, const char *value, options *read) {
    int32_t count;
    if (strcmp(name, "--sizes") == 0) {
        return read_numbers(value, read->sizes, OPTIONS_SIZES, &read->size_count);
    }
    if (strcmp(name, "--threads") == 0) {
        return read_numbers(value, read->threads, OPTIONS_THREADS, &read->thread_count);
    }
    if (strcmp(name, "--steps") == 0) {
        return read_numbers(value, &read->steps, 1, &count);
    }
    if (strcmp(name, "--rounds") == 0) {
        return read_numbers(value, &read->rounds, 1, &count);
    }
    if (strcmp(name, "--substeps") == 0) {
        return read_numbers(value, &read->effort.substeps, 1, &count);
    }
    if (strcmp(name, "--iterations") == 0) {
        return read_numbers(value, &read->effort.iterations, 1, &count);
    }
    if (strcmp(name, "--solver") == 0) {
        read->quick_solver = strcmp(value, "quick") == 0;
        read->exact_solver = strcmp(value, "exact") == 0;
        return read->quick_solver || read->exact_solver;
    }
    if (strcmp(name, "--scenes") == 0) {
        return read_scenes(value, read->scenes);
    }
    if (strcmp(name, "--set") == 0) {
        return read_set(value, &read->set);
    }
    read->json = value;
    return strcmp(name, "--json") == 0;
}

bool options_read(int count, char **words, options *read) {
    *read = defaults();
    for (int i = 1; i < count; i++) {
        if (read_flag(words[i], read)) {
            continue;
        }
        if (i + 1 == count || !read_value(words[i], words[i + 1], read)) {
            fprintf(stderr, "world: cannot understand %s%s%s; --help explains the options\n", words[i], i + 1 < count ? " " : "",
                    i + 1 < count ? words[i + 1] : "");
            return false;
        }
        i++;
    }
    return true;
}
