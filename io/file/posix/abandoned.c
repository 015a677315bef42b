/*
 * Locks by flock(). A file is removed under its lock, and only if its name still leads to the file that is locked. So a file that a living process writes is
 * never removed, and neither is a new file that has got the name of an old one. A writer's lock is shared: HDF5 takes a shared lock too, and must be able to
 * read a file that has just got its last name.
 */
#define _DEFAULT_SOURCE   /* flock */
#define _DARWIN_C_SOURCE  /* flock */
#define _XOPEN_SOURCE 700 /* O_NOFOLLOW */

#include "io/file/abandoned.h"

#ifdef __EMSCRIPTEN__
/* The files of a page belong to one process and end with it. */
bool temporary_lock(int descriptor) {
    (void)descriptor;
    return true;
}

void temporary_remove_unlocked(const char *path) { (void)path; }
#else

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

bool temporary_lock(int descriptor) {
    struct stat made;
    if (flock(descriptor, LOCK_SH | LOCK_NB) != 0) {
        return errno != EWOULDBLOCK;
    }
    return fstat(descriptor, &made) != 0 || made.st_nlink > 0;
}

void temporary_remove_unlocked(const char *path) {
    struct stat opened, named;
    int descriptor = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) {
        return;
    }
    if (fstat(descriptor, &opened) == 0 && S_ISREG(opened.st_mode) && flock(descriptor, LOCK_EX | LOCK_NB) == 0 &&
        lstat(path, &named) == 0 && named.st_ino == opened.st_ino && named.st_dev == opened.st_dev) {
        (void)unlink(path);
    }
    close(descriptor);
}
#endif
