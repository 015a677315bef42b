#pragma once

#include <stddef.h>

/*
 * The files that a fuzz target's input can reach: none but those named here. files.c stands in the place of io/file/file.c, so that no path in
 * an input, however it is written, leads to a file of the machine.
 */

typedef struct fuzz_file {
    const char *path; /* as the library asks for it */
    const void *data;
    size_t size;
} fuzz_file;

/* From now on these are all there are; they must last. */
void files_set(const fuzz_file *files, int count);
