/* bench_depth: deformable depth of tetrahedra. Results for random pairs next to the paper's table I, and times next to a general solver of
 * quadratic programs in the same run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <abut/base.h>

#include "depth/ratios.h"
#include "depth/speed.h"
#include "support/json_file.h"

static const char usage[] = "usage: bench_depth [--pairs N] [--json FILE] [--help]\n\n"
                            "  --pairs N    random pairs for the table of ratios (400000); 0 leaves it out\n"
                            "  --json FILE  write JSON to FILE; tables go to standard output in any case\n\n"
                            "Exit status: 0; 1 when an answer is wrong or a file cannot be written; 2 for a wrong command line.\n";

typedef struct options {
    int32_t pairs;
    const char *json;
} options;

static bool read_pairs(const char *text, int32_t *pairs) {
    char *end;
    long number = strtol(text, &end, 10);
    *pairs = (int32_t)number;
    return end != text && *end == '\0' && number >= 0 && number <= 100000000;
}

/* Ends the program for --help and for unknown options. */
static options read_options(int count, char **arguments) {
    options o = {400000, NULL};
    for (int i = 1; i < count; i++) {
        bool known = false, more = i + 1 < count;
        if (strcmp(arguments[i], "--help") == 0) {
            fputs(usage, stdout);
            exit(0);
        }
        if (strcmp(arguments[i], "--pairs") == 0 && more) {
            known = read_pairs(arguments[++i], &o.pairs);
        } else if (strcmp(arguments[i], "--json") == 0 && more) {
            o.json = arguments[++i];
            known = true;
        }
        if (!known) {
            fputs(usage, stderr);
            exit(2);
        }
    }
    return o;
}

int main(int count, char **arguments) {
    options o = read_options(count, arguments);
    FILE *json = json_file_create(o.json);
    if (json == NULL) {
        return 1;
    }
    fprintf(json, "{\"benchmark\": \"depth\", \"version\": \"%s\",\n", abut_version());
    bool right = true;
    if (o.pairs > 0) {
        right = ratios_run(json, o.pairs);
        fprintf(json, ",\n");
        fflush(stdout);
    }
    right = speed_run(json) && right;
    fprintf(json, "}\n");
    return json_file_close(json, "bench_depth") && right ? 0 : 1;
}
