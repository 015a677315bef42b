/*
 * Help and man page, both made from the tables of the commands.
 */
#include "tool/help.h"

#include <ctype.h>
#include <string.h>

#include <abut/base.h>

enum { WIDTH = 79, OPTION_COLUMN = 4, TEXT_COLUMN = 8 };

static const char *const introduction = "abut finds the contacts between bodies: where they touch, along which normal, and how deep they "
                                        "overlap. It simulates rigid bodies with "
                                        "these contacts. It also measures how deep tetrahedral meshes overlap, and separates them. "
#ifdef ABUT_WITH_RECORDINGS
                                        "Scenes are JSON files. 'abut run' records them in HDF5 files, which 'abut export' turns into "
                                        "tables and animations, and 'abut view' into "
                                        "web pages.";
#else
                                        "Scenes are JSON files. This build has no HDF5, and therefore no 'abut run', 'abut export' and "
                                        "'abut view'.";
#endif

static const char *const statuses[][2] = {
    {"0", "success; shapes that are apart are a normal result"},
    {"1", "the simulation failed, meshes could not be separated, or memory ran out"},
    {"2", "the command line or an input is wrong, or an output cannot be written"},
    {"130",
     "interrupted by Ctrl-C (128 + the number of the signal; 143 for SIGTERM, 129 for SIGHUP). Unfinished output files are removed and "
     "earlier ones stay; 'abut run' keeps the steps made so far."},
};

static const char *const variables[][2] = {
    {"TERM", "no progress bar is shown when it is dumb, or when the standard error is no terminal"},
    {"NO_COLOR", "is respected: the output never has colours or escape codes"},
};

enum { STATUS_COUNT = sizeof statuses / sizeof *statuses, VARIABLE_COUNT = sizeof variables / sizeof *variables };

/* Folders are relative to the prefix, because an installed tree can be moved. */
static const char *const files[][2] = {
    {ABUT_DOCUMENT_FOLDER "/docs", "the documents that the help names, and formats/scene.schema.json, the JSON schema of scenes"},
    {ABUT_DOCUMENT_FOLDER "/scenes", "the scenes and meshes of the examples; copy this folder to try them"},
    {ABUT_DOCUMENT_FOLDER "/examples", "programs that use the library"},
#ifdef ABUT_WITH_RECORDINGS
    {"PREFIX/share/abut/replay.html", "the page that 'abut view' puts recordings into"},
#endif
};

enum { FILE_COUNT = sizeof files / sizeof *files };
static const char *const prefix_note = "PREFIX is the folder of the installation: /usr/local when the command is /usr/local/bin/abut.";

/* ---- plain text ---- */

/* Wraps the words to lines of WIDTH columns, indented by `indent`. The first line begins at `column`. */
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

/* Terms and their meanings. The meaning begins on a line of its own when `width` is 0. */
static void put_pairs(FILE *out, const char *const (*pairs)[2], int count, int width) {
    for (int i = 0; i < count; i++) {
        int column = width > 0 ? OPTION_COLUMN + width : TEXT_COLUMN;
        fprintf(out, "%*s%-*s%s", OPTION_COLUMN, "", width, pairs[i][0], width > 0 ? "" : "\n");
        put_wrapped(out, pairs[i][1], column, width > 0 ? column : 0);
    }
}

void help_overview(FILE *out) {
    fputs("Usage: abut COMMAND [OPTION]... [ARGUMENT]...\n\n", out);
    put_wrapped(out, introduction, 0, 0);
    fputs("\nCommands:\n", out);
    for (const cli_command *const *command = cli_commands; *command; command++) {
        fprintf(out, "%*s%-10s%s\n", OPTION_COLUMN, "", (*command)->name, (*command)->summary);
    }
    fputs("\n'abut help COMMAND' and 'abut COMMAND --help' print the help of a command.\n\n"
          "Options:\n    -h, --help     print this help\n    --version      print the version\n\nExit status:\n",
          out);
    put_pairs(out, statuses, STATUS_COUNT, 5);
    fputs("\nEnvironment:\n", out);
    put_pairs(out, variables, VARIABLE_COUNT, 17);
    fputs("\nFiles:\n", out);
    put_pairs(out, files, FILE_COUNT, 0);
    fputc('\n', out);
    put_wrapped(out, prefix_note, 0, 0);
}

/* ---- man page ---- */

/* Escapes the characters that have a meaning in roff. */
static void put_roff(FILE *out, const char *text) {
    for (const char *c = text; *c; c++) {
        if ((*c == '.' || *c == '\'') && (c == text || c[-1] == '\n')) {
            fputs("\\&", out); /* a line that begins so would be a request */
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

static void put_roff_pairs(FILE *out, const char *heading, const char *const (*pairs)[2], int count) {
    fprintf(out, ".SH %s\n", heading);
    for (int i = 0; i < count; i++) {
        fputs(".TP\n", out);
        put_roff_line(out, ".B ", pairs[i][0]);
        put_roff_line(out, "", pairs[i][1]);
    }
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
    fputs(".SH COMMANDS\nWith\n.B \\-h\nor\n.B \\-\\-help\na command prints its part of this page.\n", out);
    for (const cli_command *const *command = cli_commands; *command; command++) {
        put_roff_command(out, *command);
    }
    put_roff_pairs(out, "EXIT STATUS", statuses, STATUS_COUNT);
    put_roff_pairs(out, "ENVIRONMENT", variables, VARIABLE_COUNT);
    put_roff_pairs(out, "FILES", files, FILE_COUNT);
    fputs(".PP\n", out);
    put_roff_line(out, "", prefix_note);
}
