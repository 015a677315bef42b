/*
 * The abut command: finds the subcommand and passes it the rest of the command line.
 */
#include <string.h>

#include <abut/base.h>

#include "tool/cli.h"
#include "tool/help.h"
#include "tool/inputs.h"
#include "tool/interrupt.h"
#include "tool/system.h"
#include "io/file/nearest_name.h"
#ifdef ABUT_WITH_RECORDINGS
#include "io/record/recording.h"
#endif

const cli_command *const cli_commands[] = {
#ifdef ABUT_WITH_RECORDINGS
    &command_run,
#endif
    &command_collide,
    &command_depth,
    &command_check,
#ifdef ABUT_WITH_RECORDINGS
    &command_export,
    &command_view,
#endif
    NULL};

static const cli_command *find_command(const char *name) {
    for (const cli_command *const *command = cli_commands; *command; command++) {
        if (strcmp((*command)->name, name) == 0) {
            return *command;
        }
    }
    return NULL;
}

static int unknown_command(const char *name) {
    char hint[200];
    nearest_name nearest = {.mistyped = name};
    for (const cli_command *const *command = cli_commands; *command; command++) {
        nearest_offer(&nearest, (*command)->name);
    }
    nearest_offer(&nearest, "help");
    nearest_hint(&nearest, hint, sizeof hint);
    const char *kind = name[0] == '-' ? "option" : "command";
    return cli_fail(NULL, CLI_USAGE, "unknown %s '%s'%s", kind, name, *hint ? hint : "; 'abut --help' lists them");
}

static int too_many(const char *argument, const char *usage) {
    return cli_fail(NULL, CLI_USAGE, "unexpected argument '%s'; usage: %s", argument, usage);
}

static bool is_help(const char *argument) {
    return strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0 || strcmp(argument, "help") == 0;
}

/* "abut help [COMMAND]"; "abut help --man" prints the man page, for the build. */
static int run_help(int argc, char **argv) {
    const cli_command *command = argc > 0 ? find_command(argv[0]) : NULL;
    if (argc > 1) {
        return too_many(argv[1], "abut help [COMMAND]");
    }
    if (command) {
        help_command(stdout, command);
    } else if (argc > 0 && strcmp(argv[0], "--man") == 0) {
        help_manual(stdout);
    } else if (argc == 0 || is_help(argv[0])) {
        help_overview(stdout);
    } else {
        return unknown_command(argv[0]);
    }
    return cli_finish_output(NULL);
}

static int run_command(const cli_command *command, int argc, char **argv) {
    cli_line line;
    int status = cli_parse(command, argc, argv, &line);
    if (status) {
        return status;
    }
    if (line.help) {
        help_command(stdout, command);
        return cli_finish_output(command);
    }
    interrupt_watch(command);
    inputs_listen();
    return command->run(&line);
}

int main(int argc, char **argv) {
    system_begin();
#ifdef ABUT_WITH_RECORDINGS
    abut_recording_no_exit_handler();
#endif
    if (argc < 2) {
        return cli_fail(NULL, CLI_USAGE, "no command was given; 'abut --help' lists them");
    }
    if (strcmp(argv[1], "--version") == 0) {
        if (argc > 2) {
            return too_many(argv[2], "abut --version");
        }
        printf("abut %s\n", abut_version());
        return cli_finish_output(NULL);
    }
    if (is_help(argv[1])) {
        return run_help(argc - 2, argv + 2);
    }
    const cli_command *command = find_command(argv[1]);
    return command ? run_command(command, argc - 2, argv + 2) : unknown_command(argv[1]);
}
