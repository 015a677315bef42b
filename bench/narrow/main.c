/*
 * bench_narrow: time and correctness of contacts and distances of two bodies, for abut and other libraries, with the same questions in the
 * same run. Questions: inputs.h; engines: engines.h; timing: measure.h. docs/methods/benchmarks.md explains.
 */
#include <stdlib.h>
#include <string.h>

#include "core.h"
#include "remote.h"
#include "report.h"
#include "support/check.h"

static const char usage[] = "usage: bench_narrow [--quick] [--only PATTERN] [--core N] [--python PYTHON] [--json FILE] [--help]\n"
                            "\n"
                            "  --quick         a tenth of the pairs and 5 rounds: does it run? The figures say little\n"
                            "  --only PATTERN  only sets whose name contains this, as \"hulls of 32\" or \"coherent\"\n"
                            "  --core N        stay on this processor core instead of the last one\n"
                            "  --python PYTHON ask MuJoCo and Coal, too, which this Python interpreter has as packages\n"
                            "  --json FILE     write JSON to FILE and tables to standard output\n"
                            "\n"
                            "Without --json, JSON goes to standard output and tables to standard error.\n";

#if defined(__clang__)
static const char compiler[] = __VERSION__;
#elif defined(__GNUC__)
static const char compiler[] = "gcc " __VERSION__;
#else
static const char compiler[] = "unknown";
#endif

typedef struct options {
    bool quick;
    const char *only;   /* NULL for all */
    const char *json;   /* NULL for standard output */
    const char *python; /* NULL for none */
    int core;           /* -1 for the last one */
} options;

static const char *value_of(int argc, char **argv, int *at) {
    if (*at + 1 >= argc) {
        fprintf(stderr, "bench_narrow: %s wants a value\n%s", argv[*at], usage);
        exit(2);
    }
    return argv[++*at];
}

static options read_options(int argc, char **argv) {
    options o = {false, NULL, NULL, NULL, -1};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0) {
            o.quick = true;
        } else if (strcmp(argv[i], "--only") == 0) {
            o.only = value_of(argc, argv, &i);
        } else if (strcmp(argv[i], "--json") == 0) {
            o.json = value_of(argc, argv, &i);
        } else if (strcmp(argv[i], "--python") == 0) {
            o.python = value_of(argc, argv, &i);
        } else if (strcmp(argv[i], "--core") == 0) {
            o.core = (int)strtol(value_of(argc, argv, &i), NULL, 10);
        } else if (strcmp(argv[i], "--help") == 0) {
            fputs(usage, stdout);
            exit(0);
        } else {
            fprintf(stderr, "bench_narrow: what is %s?\n%s", argv[i], usage);
            exit(2);
        }
    }
    return o;
}

static FILE *open_json(const options *o) {
    FILE *file = o->json ? fopen(o->json, "w") : stdout;
    if (file == NULL) {
        fprintf(stderr, "bench_narrow: %s cannot be written\n", o->json);
        exit(1);
    }
    return file;
}

static int32_t measure_all(const options *o, const conditions *how, FILE *tables, measured_set *sets) {
    int32_t count = 0;
    for (int32_t i = 0; i < inputs_count(); i++) {
        if (o->only == NULL || strstr(inputs_name(i), o->only) != NULL) {
            input_set set = inputs_make(i, how->seed, o->quick ? 0.1 : 1.0);
            sets[count] = measure_set(&set, inputs_name(i), how->rounds);
            report_table(tables, &sets[count++]);
            inputs_free(&set);
        }
    }
    return count;
}

int main(int argc, char **argv) {
    options o = read_options(argc, argv);
    FILE *json = open_json(&o), *tables = o.json ? stdout : stderr;
    conditions how = {1, core_bind(o.core), core_processor(), compiler, o.quick ? 5 : 31, o.quick};
    if (how.core < 0) {
        fprintf(stderr, "bench_narrow: not bound to a processor core, times will scatter more\n");
    }
    fprintf(tables, "%s, bound to core %d (-1: to none); seed %d, %d rounds; nanoseconds per question\n", how.processor, how.core,
            (int)how.seed, (int)how.rounds);
    if (o.python != NULL && !remote_start(o.python)) {
        return 1;
    }
    measured_set *sets = check_memory((size_t)inputs_count(), sizeof *sets);
    int32_t count = measure_all(&o, &how, tables, sets);
    if (count == 0) {
        fprintf(stderr, "bench_narrow: no set's name contains \"%s\"\n", o.only);
        return 2;
    }
    report_goals(tables, &how, sets, count);
    report_json(json, &how, sets, count);
    bool written = !ferror(json) && (json == stdout || fclose(json) == 0);
    remote_stop();
    for (int32_t i = 0; i < count; i++) {
        measure_free(&sets[i]);
    }
    free(sets);
    return written ? 0 : 1;
}
