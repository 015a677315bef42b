/*
 * Names and locks of temporary files, and the removal of those that are abandoned.
 *
 * A file is removed under its lock, and only if its name still leads to the file that is locked. So a file that a living process writes is
 * never removed, and neither is a new file that has got the name of an old one. A writer's lock is shared: HDF5 takes a shared lock too, and
 * must be able to read a file that has just got its last name.
 */
#define _DEFAULT_SOURCE   /* flock */
#define _DARWIN_C_SOURCE  /* flock */
#define _XOPEN_SOURCE 700 /* O_NOFOLLOW */

#include "io/file/abandoned.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_LENGTH = 200 }; /* a temporary name is longer than the final one and must fit into a folder entry */

/* Bytes of the folder in front of the name, with its slash. */
static size_t folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

char *temporary_name(const char *path, int attempt) {
    size_t size = strlen(path) + 64;
    int folder = (int)folder_length(path);
    char *name = malloc(size);
    if (name) {
        snprintf(name, size, "%.*s.%.*s.%ld-%d", folder, path, NAME_LENGTH, path + folder, (long)getpid(), attempt);
    }
    return name;
}

#ifdef __EMSCRIPTEN__
/* The files of a page belong to one process and end with it. */
bool temporary_lock(int descriptor) {
    (void)descriptor;
    return true;
}

void abandoned_remove(const char *path) { (void)path; }
#else

bool temporary_lock(int descriptor) {
    struct stat made;
    if (flock(descriptor, LOCK_SH | LOCK_NB) != 0) {
        return errno != EWOULDBLOCK;
    }
    return fstat(descriptor, &made) != 0 || made.st_nlink > 0;
}

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

static void remove_if_abandoned(int folder, const char *entry) {
    struct stat opened, named;
    int descriptor = openat(folder, entry, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) {
        return;
    }
    if (fstat(descriptor, &opened) == 0 && S_ISREG(opened.st_mode) && flock(descriptor, LOCK_EX | LOCK_NB) == 0 &&
        fstatat(folder, entry, &named, AT_SYMLINK_NOFOLLOW) == 0 && named.st_ino == opened.st_ino && named.st_dev == opened.st_dev) {
        (void)unlinkat(folder, entry, 0);
    }
    close(descriptor);
}

void abandoned_remove(const char *path) {
    size_t length = folder_length(path);
    char *folder = length > 0 ? strndup(path, length) : strdup(".");
    DIR *entries = folder ? opendir(folder) : NULL;
    free(folder);
    if (!entries) {
        return;
    }
    for (const struct dirent *entry = readdir(entries); entry; entry = readdir(entries)) {
        if (is_temporary_of(entry->d_name, path + length)) {
            remove_if_abandoned(dirfd(entries), entry->d_name);
        }
    }
    closedir(entries);
}
#endif
