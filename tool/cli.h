#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "io/file/error.h"

/*
 * The command line. One table per subcommand lists its options and operands. The parser, `--help` and the man page all use this table, so
 * they cannot disagree.
 */

/* Exit statuses. */
enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

enum { CLI_MAX_OPTIONS = 16 };

typedef struct cli_option {
    const char *name;     /* without dashes */
    char letter;          /* the short form, or 0 */
    const char *argument; /* placeholder of its argument in the help; NULL for an option without one */
    const char *help;     /* sentences, without line breaks */
} cli_option;

typedef struct cli_line cli_line;

typedef struct cli_command {
    const char *name;
    const char *operands; /* as shown in the usage line */
    int least_operands, most_operands;
    const char *summary;         /* one line that begins with a verb and has no full stop */
    const char *const *text;     /* paragraphs of the help, ended by NULL; a paragraph that begins with two spaces keeps its line breaks */
    const char *const *examples; /* command lines, ended by NULL */
    const cli_option *options;   /* [option_count] */
    int option_count;
    int (*run)(const cli_line *line); /* returns the exit status */
} cli_command;

/* A parsed command line. */
struct cli_line {
    const cli_command *command;
    const char
        *values[CLI_MAX_OPTIONS]; /* the argument of each option of the table, "" for an option without one; NULL when it was not given */
    char **operands;
    int operand_count;
    bool help; /* --help was given, and nothing else was checked */
};

/* Parses the arguments behind the command's name. Operands move to the front of argv. CLI_OK, or CLI_USAGE with a line on stderr. */
int cli_parse(const cli_command *command, int argc, char **argv, cli_line *line);

/* Prints "abut COMMAND: MESSAGE" on stderr, always one line. Returns `status`. command may be NULL. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
int cli_fail(const cli_command *command, int status, const char *format, ...);

/* The exit status for an error of the library: CLI_FAILED without memory, CLI_USAGE for a wrong input or an output that cannot be written. */
int cli_error_status(abut_status status);

/* cli_fail() with the message of an error of the library. */
int cli_fail_error(const cli_command *command, int status, const abut_error *error);

/* Reads the option's argument as a whole number within the bounds. An option that was not given leaves `value` unchanged. Returns false, with
 * a line on stderr, for any other text. */
bool cli_integer(const cli_line *line, int option, int64_t least, int64_t most, int64_t *value);

/* The same for a finite real number. */
bool cli_real(const cli_line *line, int option, double least, double most, double *value);

/* The same for one of the words, ended by NULL; `value` is its index. */
bool cli_word(const cli_line *line, int option, const char *const *words, int *value);

/* Reads finite numbers separated by commas. Returns their count, or -1 for any other text and for more than `most` numbers. */
int cli_numbers(const char *text, double *numbers, int most);

/* Flushes stdout. CLI_OK, or CLI_USAGE with a line on stderr when stdout is closed or full. */
int cli_finish_output(const cli_command *command);

/* The tables of all subcommands, in the order of the help, ended by NULL. */
extern const cli_command *const cli_commands[];

extern const cli_command command_run, command_collide, command_depth, command_check, command_export, command_view;
