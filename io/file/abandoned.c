/*
 * Names of temporary files, and the removal of those that are abandoned: no living process has them locked.
 */
#include "io/file/abandoned.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/file/path.h"

enum { NAME_LENGTH = 200 }; /* a temporary name is longer than the final one and must fit into a folder entry */

char *temporary_name(const char *path, int attempt) {
    size_t size = strlen(path) + 64;
    int folder = (int)path_folder_length(path);
    char *name = malloc(size);
    if (name) {
        snprintf(name, size, "%.*s.%.*s.%ld-%d", folder, path, NAME_LENGTH, path + folder, (long)getpid(), attempt);
    }
    return name;
}

#ifdef __EMSCRIPTEN__
/* The files of a page end with it. */
void abandoned_remove(const char *path) { (void)path; }
#else

/* Skips digits. NULL when there are none. */
static const char *after_number(const char *text) {
    size_t digits = strspn(text, "0123456789");
    return digits > 0 ? text + digits : NULL;
}

/* Whether an entry of a folder is called as temporary files of `name` are. */
static bool is_temporary_of(const char *entry, const char *name) {
    size_t length = strlen(name);
    length = length < NAME_LENGTH ? length : NAME_LENGTH;
    if (entry[0] != '.' || strncmp(entry + 1, name, length) != 0 || entry[1 + length] != '.') {
        return false;
    }
    const char *rest = after_number(entry + length + 2);
    rest = rest && *rest == '-' ? after_number(rest + 1) : NULL;
    return rest && *rest == '\0';
}

/* Removes one file of the folder of `path`, unless it is locked. */
static void remove_if_abandoned(const char *path, size_t folder, const char *entry) {
    size_t length = strlen(entry);
    char *name = malloc(folder + length + 1);
    if (name) {
        memcpy(name, path, folder);
        memcpy(name + folder, entry, length + 1);
        temporary_remove_unlocked(name);
    }
    free(name);
}

void abandoned_remove(const char *path) {
    size_t length = path_folder_length(path);
    char *folder = length > 0 ? strndup(path, length) : strdup(".");
    DIR *entries = folder ? opendir(folder) : NULL;
    free(folder);
    if (!entries) {
        return;
    }
    for (const struct dirent *entry = readdir(entries); entry; entry = readdir(entries)) {
        if (is_temporary_of(entry->d_name, path + length)) {
            remove_if_abandoned(path, length, entry->d_name);
        }
    }
    closedir(entries);
}
#endif
