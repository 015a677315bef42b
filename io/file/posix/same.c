#define _XOPEN_SOURCE 700 /* realpath */

#include "io/file/same.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/file/path.h"

enum { MOST_LINKS = 40 }; /* that Linux follows in one path */

/* Replaces a path that is a link by what it names, relative to its folder. False when it is no link, or too long. */
static bool follow(char path[PATH_MAX]) {
    char target[PATH_MAX];
    ssize_t length = readlink(path, target, sizeof target - 1);
    size_t folder = length > 0 && !path_is_absolute(target) ? path_folder_length(path) : 0;
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
    size_t length = path_folder_length(path);
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

static file_identity identity_of(const struct stat *file) {
    bool is_kept = S_ISREG(file->st_mode) || S_ISBLK(file->st_mode) || S_ISDIR(file->st_mode);
    return (file_identity){(uint64_t)file->st_dev, (uint64_t)file->st_ino, is_kept};
}

bool file_identify(const char *path, file_identity *file) {
    struct stat found;
    if (stat(path, &found) != 0) {
        return false;
    }
    *file = identity_of(&found);
    return true;
}

bool file_identify_open(int descriptor, file_identity *file) {
    struct stat found;
    if (fstat(descriptor, &found) != 0) {
        return false;
    }
    *file = identity_of(&found);
    return true;
}
