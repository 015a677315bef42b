/* bench_facet: contacts of rounded triangles per second, one by one and in batches; the pressure of one contact; contact, building and
 * memory of bodies of rounded triangles. */
#include <stdio.h>

#include <abut/base.h>

#include "facet/bodies.h"
#include "facet/pairs.h"
#include "support/json_file.h"

static const char usage[] =
    "usage: bench_facet [--json FILE] [--help]\n\n"
    "  --json FILE  write JSON to FILE; tables go to standard output in any case\n\n"
    "Exit status: 0; 1 when a batch answered otherwise than single calls, or a file cannot be written; 2 for a wrong command line.\n";

int main(int count, char **arguments) {
    FILE *json = json_file_open(count, arguments, usage);
    fprintf(json, "{\"benchmark\": \"facet\", \"version\": \"%s\",\n", abut_version());
    bool right = pairs_run(json);
    fprintf(json, ",\n");
    fflush(stdout);
    right = bodies_run(json) && right;
    fprintf(json, "}\n");
    if (fclose(json) != 0) {
        perror("bench_facet: the file cannot be written");
        return 1;
    }
    return right ? 0 : 1;
}
