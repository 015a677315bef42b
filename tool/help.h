#pragma once

#include "tool/cli.h"

/* What `abut --help` prints. */
void help_overview(FILE *out);
/* What `abut COMMAND --help` prints. */
void help_command(FILE *out, const cli_command *command);
/* The man page, roff with the man macros. */
void help_manual(FILE *out);
