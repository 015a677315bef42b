#pragma once

#include <stdbool.h>

#include "tool/cli.h"

/*
 * Names of files on the command line. "-" is the standard input or output.
 */

/* Whether the path ends in `ending` and has something before it. Case does not count. */
bool path_ends_in(const char *path, const char *ending);

/* PATH without its last `cut` characters and with `ending` behind. To be freed; NULL when there is no memory. */
char *path_with_end(const char *path, size_t cut, const char *ending);

/* NAME and `ending`, in the current folder, for an input FOLDER/NAME.OTHER. To be freed; NULL when there is no memory. */
char *path_default_output(const char *input, const char *ending);

/* Whether an output may have this name: it ends in one of `endings`, ended by NULL. "-" among them allows the standard output, devices and
 * pipes. CLI_OK, or CLI_USAGE with a line on stderr. */
int path_check_output(const cli_command *command, const char *path, const char *const *endings);

/* The standard input can be read once: refuses a second "-" or "KIND:-" among the operands and `option`, the argument of an option or NULL.
 * CLI_OK, or CLI_USAGE with a line on stderr. */
int path_check_inputs(const cli_line *line, const char *option);
