/*
 * Help and man page, both from the commands' tables.
 */
#include "help.h"

#include <ctype.h>
#include <string.h>

#include <abut/base.h>

enum { WIDTH = 79, OPTION_COLUMN = 4, TEXT_COLUMN = 8 };

static const char *const introduction =
    "abut finds where bodies touch and simulates what follows: whole contact patches between convex shapes, and a rigid-body world that "
    "stands on them. It also measures how deep tetrahedral meshes are in each other, and separates them. "
#ifdef ABUT_WITH_RECORDINGS
    "Scenes are JSON files; results are HDF5 recordings, which 'abut export' turns into tables and animations.";
#else
    "Scenes are JSON files. This build has no recordings, and so no 'abut run'.";
#endif

static const char *const statuses[][2] = {
    {"0", "everything went well; shapes that are apart are a result, not a failure"},
    {"1", "the simulation failed, or meshes could not be separated"},
    {"2", "the command line or an input is wrong, or an output cannot be written"},
#ifdef ABUT_WITH_RECORDINGS
    {"130", "a run was interrupted (Ctrl-C); its recording holds what was simulated so far"},
#endif
};

enum { STATUS_COUNT = sizeof statuses / sizeof *statuses };

/* ---- plain text ---- */

/* Words with line breaks where they do not fit; every line is indented. The first line begins at `column`. */
static void put_wrapped(FILE *out, const char *text, int indent, int column) {
    bool first = true;
    for (const char *word = text; *word;) {
        int length = (int)strcspn(word, " ");
        if (!first && column + 1 + length > WIDTH) {
            fputc('\n', out);
            column = 0;
            first = true;
        }
        if (first) {
            fprintf(out, "%*s", column < indent ? indent - column : 0, "");
            column = column < indent ? indent : column;
        } else {
            fputc(' ', out);
            column++;
        }
        fprintf(out, "%.*s", length, word);
        column += length;
        first = false;
        word += length;
        word += strspn(word, " ");
    }
    fputc('\n', out);
}

/* "-o, --output FILE" */
static void format_option(const cli_option *option, char *text, size_t size) {
    char letter[8] = "";
    if (option->letter) {
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    }
    snprintf(text, size, "%s--%s%s%s", letter, option->name, option->argument ? " " : "", option->argument ? option->argument : "");
}

static const cli_option help_option = {"help", 'h', NULL, "Print this help."};

static void put_option(FILE *out, const cli_option *option) {
    char text[120];
    format_option(option, text, sizeof text);
    fprintf(out, "%*s%s\n", OPTION_COLUMN, "", text);
    put_wrapped(out, option->help, TEXT_COLUMN, 0);
}

void help_command(FILE *out, const cli_command *command) {
    fprintf(out, "Usage: abut %s [OPTION]... %s\n\n", command->name, command->operands);
    char first[2] = {(char)toupper((unsigned char)command->summary[0]), '\0'};
    fprintf(out, "%s%s.\n", first, command->summary + 1);
    for (const char *const *paragraph = command->text; *paragraph; paragraph++) {
        fputc('\n', out);
        if (strncmp(*paragraph, "  ", 2) == 0) {
            fprintf(out, "%s\n", *paragraph);
        } else {
            put_wrapped(out, *paragraph, 0, 0);
        }
    }
    fputs("\nOptions:\n", out);
    for (int i = 0; i < command->option_count; i++) {
        put_option(out, &command->options[i]);
    }
    put_option(out, &help_option);
    fputs("\nExamples:\n", out);
    for (const char *const *example = command->examples; *example; example++) {
        fprintf(out, "%*s%s\n", OPTION_COLUMN, "", *example);
    }
}

void help_overview(FILE *out) {
    fputs("Usage: abut COMMAND [OPTION]... [ARGUMENT]...\n\n", out);
    put_wrapped(out, introduction, 0, 0);
    fputs("\nCommands:\n", out);
    for (const cli_command *const *command = cli_commands; *command; command++) {
        fprintf(out, "%*s%-10s%s\n", OPTION_COLUMN, "", (*command)->name, (*command)->summary);
    }
    fputs("\nOptions:\n    -h, --help     print this help; 'abut COMMAND --help' that of a command\n"
          "    --version      print the version\n\nExit status:\n",
          out);
    for (int i = 0; i < STATUS_COUNT; i++) {
        fprintf(out, "%*s%-5s", OPTION_COLUMN, "", statuses[i][0]);
        put_wrapped(out, statuses[i][1], OPTION_COLUMN + 5, OPTION_COLUMN + 5);
    }
}

/* ---- man page ---- */

/* Text with what roff would take for markup escaped. */
static void put_roff(FILE *out, const char *text) {
    for (const char *c = text; *c; c++) {
        if ((*c == '.' || *c == '\'') && (c == text || c[-1] == '\n')) {
            fputs("\\&", out); /* at the beginning of a line it would be a request */
        }
        if (*c == '\\') {
            fputs("\\e", out);
        } else if (*c == '-') {
            fputs("\\-", out);
        } else {
            fputc(*c, out);
        }
    }
}

static void put_roff_line(FILE *out, const char *macro, const char *text) {
    fputs(macro, out);
    put_roff(out, text);
    fputc('\n', out);
}

static void put_roff_option(FILE *out, const cli_option *option) {
    char text[120];
    format_option(option, text, sizeof text);
    fputs(".TP\n", out);
    put_roff_line(out, ".B ", text);
    put_roff_line(out, "", option->help);
}

static void put_roff_command(FILE *out, const cli_command *command) {
    char heading[200];
    snprintf(heading, sizeof heading, "abut %s [OPTION]... %s", command->name, command->operands);
    put_roff_line(out, ".SS ", heading);
    char first[2] = {(char)toupper((unsigned char)command->summary[0]), '\0'};
    put_roff(out, first);
    put_roff(out, command->summary + 1);
    fputs(".\n", out);
    for (const char *const *paragraph = command->text; *paragraph; paragraph++) {
        bool kept = strncmp(*paragraph, "  ", 2) == 0;
        fputs(kept ? ".PP\n.nf\n" : ".PP\n", out);
        put_roff_line(out, "", *paragraph);
        fputs(kept ? ".fi\n" : "", out);
    }
    for (int i = 0; i < command->option_count; i++) {
        put_roff_option(out, &command->options[i]);
    }
    fputs(".PP\nExamples:\n.PP\n.nf\n.RS\n", out);
    for (const char *const *example = command->examples; *example; example++) {
        put_roff_line(out, "", *example);
    }
    fputs(".RE\n.fi\n", out);
}

void help_manual(FILE *out) {
    fprintf(out, ".TH ABUT 1 \"\" \"abut %s\" \"User commands\"\n", abut_version());
    fputs(".SH NAME\nabut \\- contact between bodies\n.SH SYNOPSIS\n.B abut\nCOMMAND [OPTION]... [ARGUMENT]...\n.br\n.B abut\n"
          "[COMMAND] \\-\\-help | \\-\\-version\n.SH DESCRIPTION\n",
          out);
    put_roff_line(out, "", introduction);
    fputs(".SH COMMANDS\nEvery command takes\n.B \\-h, \\-\\-help\nand prints its part of this page.\n", out);
    for (const cli_command *const *command = cli_commands; *command; command++) {
        put_roff_command(out, *command);
    }
    fputs(".SH EXIT STATUS\n", out);
    for (int i = 0; i < STATUS_COUNT; i++) {
        fprintf(out, ".TP\n.B %s\n", statuses[i][0]);
        put_roff_line(out, "", statuses[i][1]);
    }
}
