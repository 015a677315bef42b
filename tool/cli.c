/*
 * Parses a command line by the table of its command.
 */
#define _XOPEN_SOURCE 700

#include "tool/cli.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/nearest_name.h"

int cli_error_status(abut_status status) { return status == ABUT_ERROR_OUT_OF_MEMORY ? CLI_FAILED : CLI_USAGE; }

int cli_fail_error(const cli_command *command, int status, const abut_error *error) {
    fprintf(stderr, "abut%s%s: %s\n", command ? " " : "", command ? command->name : "", error->message);
    return status;
}

int cli_fail(const cli_command *command, int status, const char *format, ...) {
    char text[sizeof((abut_error *)NULL)->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    /* abut_fail() replaces control characters: a name with a line break stays on one line. */
    abut_error error = {0};
    abut_fail(&error, ABUT_ERROR_INVALID_ARGUMENT, "%s", text);
    return cli_fail_error(command, status, &error);
}

/* ---- options ---- */

/* The index of the option with this name of `length` characters, or -1. */
static int find_option(const cli_command *command, const char *name, size_t length) {
    for (int i = 0; i < command->option_count; i++) {
        if (strlen(command->options[i].name) == length && strncmp(command->options[i].name, name, length) == 0) {
            return i;
        }
    }
    return -1;
}

static int find_letter(const cli_command *command, char letter) {
    for (int i = 0; i < command->option_count; i++) {
        if (command->options[i].letter == letter) {
            return i;
        }
    }
    return -1;
}

static int unknown_option(const cli_command *command, const char *given) {
    char name[80], hint[200] = "";
    snprintf(name, sizeof name, "%.*s", (int)strcspn(given, "="), given);
    nearest_name nearest = {.mistyped = name + strspn(name, "-")};
    for (int i = 0; i < command->option_count; i++) {
        nearest_offer(&nearest, command->options[i].name);
    }
    nearest_offer(&nearest, "help");
    if (nearest.found) {
        snprintf(hint, sizeof hint, "; did you mean '--%s'?", nearest.found);
    } else {
        snprintf(hint, sizeof hint, "; 'abut %s --help' lists them", command->name);
    }
    return cli_fail(command, CLI_USAGE, "unknown option '%s'%s", name, hint);
}

/* The state of the parser. `next` is the index of the next argument. */
typedef struct parser {
    const cli_command *command;
    cli_line *line;
    int argc, next;
    char **argv;
} parser;

/* Sets the value of an option: the text attached to it, or the next argument. */
static int take_option(parser *p, int index, const char *attached) {
    const cli_option *option = &p->command->options[index];
    if (!option->argument) {
        if (attached) {
            return cli_fail(p->command, CLI_USAGE, "option '--%s' takes no argument", option->name);
        }
        p->line->values[index] = "";
        return CLI_OK;
    }
    if (!attached && p->next >= p->argc) {
        return cli_fail(p->command, CLI_USAGE, "option '--%s' needs an argument: %s", option->name, option->argument);
    }
    p->line->values[index] = attached ? attached : p->argv[p->next++];
    return CLI_OK;
}

static int parse_long(parser *p, const char *argument) {
    const char *name = argument + 2, *equals = strchr(name, '=');
    int index = find_option(p->command, name, equals ? (size_t)(equals - name) : strlen(name));
    if (index < 0 && strcmp(name, "help") == 0) {
        p->line->help = true;
        return CLI_OK;
    }
    return index < 0 ? unknown_option(p->command, argument) : take_option(p, index, equals ? equals + 1 : NULL);
}

/* "-o FILE" or "-oFILE". Letters cannot be combined ("-qj"): tables have few letters without an argument. */
static int parse_short(parser *p, const char *argument) {
    int index = find_letter(p->command, argument[1]);
    if (index < 0 && strcmp(argument, "-h") == 0) {
        p->line->help = true;
        return CLI_OK;
    }
    return index < 0 ? unknown_option(p->command, argument) : take_option(p, index, argument[2] ? argument + 2 : NULL);
}

int cli_parse(const cli_command *command, int argc, char **argv, cli_line *line) {
    *line = (cli_line){.command = command, .operands = argv};
    parser p = {command, line, argc, 0, argv};
    bool options = true;
    while (p.next < argc) {
        char *argument = argv[p.next++];
        int status = CLI_OK;
        if (options && strcmp(argument, "--") == 0) {
            options = false;
        } else if (options && strncmp(argument, "--", 2) == 0) {
            status = parse_long(&p, argument);
        } else if (options && argument[0] == '-' && argument[1]) {
            status = parse_short(&p, argument);
        } else {
            argv[line->operand_count++] = argument;
        }
        if (status || line->help) {
            return status;
        }
    }
    if (line->operand_count < command->least_operands) {
        return cli_fail(command, CLI_USAGE, "an argument is missing; usage: abut %s %s", command->name, command->operands);
    }
    if (line->operand_count > command->most_operands) {
        return cli_fail(command, CLI_USAGE, "unexpected argument '%s'; usage: abut %s %s", line->operands[command->most_operands],
                        command->name, command->operands);
    }
    return CLI_OK;
}

/* ---- values ---- */

static bool bad_value(const cli_line *line, int option, const char *wanted) {
    cli_fail(line->command, CLI_USAGE, "option '--%s': '%s' is not %s", line->command->options[option].name, line->values[option], wanted);
    return false;
}

bool cli_integer(const cli_line *line, int option, int64_t least, int64_t most, int64_t *value) {
    const char *text = line->values[option];
    if (!text) {
        return true;
    }
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (end == text || *end || errno || number < least || number > most) {
        char wanted[100];
        snprintf(wanted, sizeof wanted, "a whole number from %lld to %lld", (long long)least, (long long)most);
        return bad_value(line, option, wanted);
    }
    *value = number;
    return true;
}

int cli_numbers(const char *text, double *numbers, int most) {
    int count = 0;
    for (;;) {
        char *end;
        double number = strtod(text, &end);
        if (end == text || !isfinite(number) || count == most) {
            return -1;
        }
        numbers[count++] = number;
        if (!*end) {
            return count;
        }
        if (*end != ',') {
            return -1;
        }
        text = end + 1;
    }
}

bool cli_real(const cli_line *line, int option, double least, double most, double *value) {
    double number;
    if (!line->values[option]) {
        return true;
    }
    if (cli_numbers(line->values[option], &number, 1) != 1 || number < least || number > most) {
        char wanted[100];
        snprintf(wanted, sizeof wanted, most < INFINITY ? "a number from %g to %g" : "a number from %g up", least, most);
        return bad_value(line, option, wanted);
    }
    *value = number;
    return true;
}

bool cli_word(const cli_line *line, int option, const char *const *words, int *value) {
    const char *text = line->values[option];
    if (!text) {
        return true;
    }
    char wanted[200] = "one of";
    for (int i = 0; words[i]; i++) {
        if (strcmp(words[i], text) == 0) {
            *value = i;
            return true;
        }
        size_t used = strlen(wanted);
        snprintf(wanted + used, sizeof wanted - used, "%s %s", i > 0 ? "," : ":", words[i]);
    }
    return bad_value(line, option, wanted);
}

int cli_finish_output(const cli_command *command) {
    errno = 0;
    bool failed = ferror(stdout) != 0;
    if (fflush(stdout) != 0 || failed) {
        return cli_fail(command, CLI_USAGE, "cannot write to the standard output: %s", errno ? strerror(errno) : "it failed");
    }
    return CLI_OK;
}
