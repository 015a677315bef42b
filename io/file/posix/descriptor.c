#define _XOPEN_SOURCE 700 /* fchmod */

#include "io/file/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int descriptor_create(const char *path) { return open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666); }

int descriptor_open_stream(const char *path) { return open(path, O_WRONLY | O_CLOEXEC); }

void descriptor_set_permissions(int descriptor, unsigned mode) { (void)fchmod(descriptor, (mode_t)mode & 07777); }

ptrdiff_t descriptor_write(int descriptor, const void *bytes, size_t size) {
    for (;;) {
        ssize_t written = write(descriptor, bytes, size);
        if (written >= 0 || errno != EINTR) {
            return written;
        }
    }
}

ptrdiff_t descriptor_write_at(int descriptor, const void *bytes, size_t size, uint64_t position) {
    for (;;) {
        ssize_t written = pwrite(descriptor, bytes, size, (off_t)position);
        if (written >= 0 || errno != EINTR) {
            return written;
        }
    }
}

ptrdiff_t descriptor_read_at(int descriptor, void *bytes, size_t size, uint64_t position) {
    for (;;) {
        ssize_t count = pread(descriptor, bytes, size, (off_t)position);
        if (count >= 0 || errno != EINTR) {
            return count;
        }
    }
}

int descriptor_resize(int descriptor, uint64_t size) { return ftruncate(descriptor, (off_t)size); }

int descriptor_sync(int descriptor) {
    int failed = 0;
    do {
        failed = fsync(descriptor);
    } while (failed && errno == EINTR);
    return failed;
}

int file_replace(const char *from, const char *to) { return rename(from, to); }

void file_sync_name(const char *path) {
    char *copy = strdup(path);
    if (!copy) {
        return;
    }
    int folder = open(dirname(copy), O_RDONLY | O_CLOEXEC);
    if (folder >= 0) {
        (void)fsync(folder);
        close(folder);
    }
    free(copy);
}
