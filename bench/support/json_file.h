#pragma once

#include <stdio.h>

/*
 * The command line of benchmarks whose one option is where to write JSON: [--json FILE] [--help].
 */

/* The file, open for writing; a temporary one without the option. Ends the program for --help (status 0), for anything else (2), and when the file cannot be
 * opened (1). */
FILE *json_file_open(int count, char **arguments, const char *usage);
