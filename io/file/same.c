#define _XOPEN_SOURCE 700 /* realpath */

#include "io/file/same.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LINKS = 40 }; /* that Linux follows in one path */

/* The length of the folder of a path, with its slash; 0 for a name in the current folder. */
static size_t folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Replaces a path that is a link by what it names, relative to its folder. False when it is no link, or too long. */
static bool follow(char path[PATH_MAX]) {
    char target[PATH_MAX];
    ssize_t length = readlink(path, target, sizeof target - 1);
    size_t folder = length > 0 && target[0] != '/' ? folder_length(path) : 0;
    if (length <= 0 || folder + (size_t)length >= PATH_MAX) {
        return false;
    }
    target[length] = '\0';
    memcpy(path + folder, target, (size_t)length + 1);
    return true;
}

/* Resolves the links in the folder of a file that does not exist. */
static bool resolve_folder(const char *path, char name[PATH_MAX]) {
    char folder[PATH_MAX];
    size_t length = folder_length(path);
    memcpy(folder, length > 0 ? path : ".", length > 0 ? length : 1);
    folder[length > 0 ? length : 1] = '\0';
    if (!realpath(folder, name)) {
        return snprintf(name, PATH_MAX, "%s", path) < PATH_MAX; /* there is no such folder */
    }
    size_t used = strlen(name), rest = strlen(path + length);
    if (used + rest + 2 > PATH_MAX) {
        return false;
    }
    name[used] = '/';
    memcpy(name + used + 1, path + length, rest + 1);
    return true;
}

bool file_final_name(const char *path, char name[PATH_MAX]) {
    char current[PATH_MAX];
    if (realpath(path, name)) {
        return true;
    }
    if (snprintf(current, sizeof current, "%s", path) >= (int)sizeof current) {
        return false;
    }
    struct stat file;
    bool is_there = stat(path, &file) == 0; /* a pipe at /dev/stdout: its link has no path that can be resolved */
    for (int i = 0; i < MOST_LINKS && !is_there && follow(current); i++) {
    }
    return is_there ? snprintf(name, PATH_MAX, "%s", path) < PATH_MAX : resolve_folder(current, name);
}

bool file_is_same_stat(const struct stat *a, const struct stat *b) {
    bool is_kept = S_ISREG(a->st_mode) || S_ISBLK(a->st_mode) || S_ISDIR(a->st_mode);
    return is_kept && a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool file_is_same(const char *a, const char *b) {
    struct stat first, second;
    char names[2][PATH_MAX];
    bool is_first = stat(a, &first) == 0, is_second = stat(b, &second) == 0;
    if (is_first && is_second) {
        return file_is_same_stat(&first, &second);
    }
    return is_first == is_second && file_final_name(a, names[0]) && file_final_name(b, names[1]) && strcmp(names[0], names[1]) == 0;
}
