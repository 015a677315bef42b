#define _XOPEN_SOURCE 700

#include "tool/paths.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "io/file/path.h"

bool path_ends_in(const char *path, const char *ending) {
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

char *path_with_end(const char *path, size_t cut, const char *ending) {
    size_t length = strlen(path) - cut;
    char *made = malloc(length + strlen(ending) + 1);
    if (made) {
        memcpy(made, path, length);
        strcpy(made + length, ending);
    }
    return made;
}

char *path_default_output(const char *input, const char *ending) {
    const char *name = input + path_folder_length(input);
    const char *dot = strrchr(name, '.');
    return path_with_end(name, dot && dot > name ? strlen(dot) : 0, ending);
}

/* ".csv, .glb or .vtkhdf" */
static void list_endings(const char *const *endings, char *text, size_t size) {
    text[0] = '\0';
    for (int i = 0; endings[i]; i++) {
        size_t used = strlen(text);
        const char *before = used == 0 ? "" : endings[i + 1] ? ", " : " or ";
        if (strcmp(endings[i], "-") != 0) {
            snprintf(text + used, size - used, "%s%s", before, endings[i]);
        }
    }
}

/* A device, pipe or socket. */
static bool is_special(const char *path) {
    struct stat file;
    return stat(path, &file) == 0 && !S_ISREG(file.st_mode) && !S_ISDIR(file.st_mode);
}

int path_check_output(const cli_command *command, const char *path, const char *const *endings) {
    char list[100];
    list_endings(endings, list, sizeof list);
    if (!*path) {
        return cli_fail(command, CLI_USAGE, "no name was given for the output file; it must end in %s", list);
    }
    for (int i = 0; endings[i]; i++) {
        bool standard = strcmp(endings[i], "-") == 0;
        if (standard ? strcmp(path, "-") == 0 || is_special(path) : path_ends_in(path, endings[i])) {
            return CLI_OK;
        }
    }
    if (strcmp(path, "-") == 0) {
        return cli_fail(command, CLI_USAGE, "'-': this output cannot go to the standard output; name a file that ends in %s", list);
    }
    return cli_fail(command, CLI_USAGE, "'%s': the name of the output must end in %s", path, list);
}

static bool is_standard_input(const char *text) { return text && (strcmp(text, "-") == 0 || path_ends_in(text, ":-")); }

int path_check_inputs(const cli_line *line, const char *option) {
    int count = is_standard_input(option);
    for (int i = 0; i < line->operand_count; i++) {
        count += is_standard_input(line->operands[i]);
    }
    return count > 1 ? cli_fail(line->command, CLI_USAGE, "'-' is given %d times; the standard input can be read only once", count)
                     : CLI_OK;
}
