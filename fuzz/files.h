#pragma once

#include <stddef.h>

/*
 * The files that a fuzz target's input can open: only those that are set here. files.c replaces io/file/file.c, so that no path in an input leads to a file of
 * the machine.
 */

typedef struct fuzz_file {
    const char *path; /* the name by which the library opens it */
    const void *data;
    size_t size;
} fuzz_file;

/* Replaces the set of files. The files must stay valid. */
void files_set(const fuzz_file *files, int count);
