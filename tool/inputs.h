#pragma once

#include "tool/cli.h"

/*
 * The files that a command reads: those on its command line, and those that they name (meshes, buffers of glTF files, recordings). No output may replace one.
 */

/* Begins to note every file that is read. */
void inputs_listen(void);

/* Notes a file that will be read later, if it exists. */
void inputs_note(const char *path);

/* An output of a command. */
typedef struct output_name {
    const char *path;  /* NULL: this output is not written. "-" is the standard output */
    const char *what;  /* what to do about it, such as "name another file with -o" */
    bool replaces_own; /* it may replace an input that a former run of the command wrote */
} output_name;

/* Refuses outputs that would replace a file noted so far, or each other, also by other spellings of its path and by links. To be called when all inputs were
 * read and before anything is written. CLI_OK, or a status with a line on stderr. */
int inputs_check_outputs(const cli_command *command, const output_name *outputs, int count);
