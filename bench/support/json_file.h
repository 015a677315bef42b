#pragma once

#include <stdbool.h>
#include <stdio.h>

/*
 * The file for a benchmark's JSON.
 */

/* The file, open for writing; a temporary one when path is NULL. NULL, with a message on stderr, when it cannot be opened. */
FILE *json_file_create(const char *path);
/* False, with a message on stderr, when not everything could be written. */
bool json_file_close(FILE *json, const char *program);

/* For benchmarks whose only option is that file: [--json FILE] [--help]. Ends the program for --help (status 0), for another command line
 * (2), and when the file cannot be opened (1). */
FILE *json_file_open(int count, char **arguments, const char *usage);
