/*
 * Files that appear whole or not at all. The temporary file lies in the folder of the final one, so a rename is atomic. Its name is the
 * final name with a dot in front and the process number behind. It is created exclusively, with the process's permissions for new files.
 * A process that is killed leaves its temporary files behind. The next writer of the same name removes them (file/abandoned.h).
 *
 * Open temporary files are listed, so that the handler of a signal can remove them. Every function blocks signals in its own thread while a
 * temporary file exists and is not listed, or is listed and its name is being freed.
 */
#include "io/file/output.h"

#include "io/file/abandoned.h"
#include "io/file/descriptor.h"
#include "io/file/same.h"
#include "io/file/signals.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_SIZE = 1 << 16, TEMPORARY_ATTEMPTS = 1000, LISTED = 64 };

struct output_file {
    int descriptor;
    char *name;      /* as it was given, for messages */
    char *path;      /* the final name, links resolved */
    char *temporary; /* NULL when the target is written directly */
    int failure;     /* errno of the first write that failed, or 0 */
    size_t used;
    char buffer[BUFFER_SIZE];
};

/* ---- the list of open temporary files ---- */

/* Files beyond LISTED are written like the others, but a signal leaves their temporary files behind. */
static _Atomic(const output_file *) listed[LISTED];

static void list_file(const output_file *file) {
    for (int i = 0; i < LISTED; i++) {
        const output_file *none = NULL;
        if (atomic_compare_exchange_strong(&listed[i], &none, file)) {
            return;
        }
    }
}

static void unlist_file(const output_file *file) {
    for (int i = 0; i < LISTED; i++) {
        const output_file *own = file;
        if (atomic_compare_exchange_strong(&listed[i], &own, NULL)) {
            return;
        }
    }
}

const char *output_remove_temporaries(void) {
    const char *name = NULL;
    for (int i = 0; i < LISTED; i++) {
        const output_file *file = atomic_load(&listed[i]);
        if (file && unlink(file->temporary) == 0) {
            name = name ? name : file->name;
        }
    }
    return name;
}

/* ---- messages ---- */

static const char *advice_for(int number) {
    switch (number) {
    case ENOSPC:
#ifdef EDQUOT /* which Windows does not have */
    case EDQUOT:
#endif
        return "; free some space or write elsewhere";
    case EFBIG:
        return "; the file reached the size limit of the process (ulimit -f)";
    case ENOENT:
    case ENOTDIR:
        return "; create the folder first or write elsewhere";
    case EACCES:
    case EPERM:
    case EROFS:
        return "; change the permissions or write elsewhere";
    default:
        return "";
    }
}

abut_status output_fail(const char *path, int number, abut_error *error) {
    if (number == ENOMEM) {
        return abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "cannot write '%s': no memory", path);
    }
    return abut_fail(error, ABUT_ERROR_FILE, "cannot write '%s': %s%s", path, strerror(number), advice_for(number));
}

/* ---- opening ---- */

/* Opens and locks a new temporary file beside the final one. *temporary receives its name. Returns -1 and sets errno on failure. */
static int open_temporary(const char *path, char **temporary) {
    int number = EEXIST;
    for (int attempt = 0; attempt < TEMPORARY_ATTEMPTS && number == EEXIST; attempt++) {
        char *candidate = temporary_name(path, attempt);
        int descriptor = candidate ? descriptor_create(candidate) : -1;
        number = descriptor >= 0 ? 0 : candidate ? errno : ENOMEM;
        if (descriptor >= 0 && temporary_lock(descriptor)) {
            *temporary = candidate;
            return descriptor;
        }
        if (descriptor >= 0) { /* taken for abandoned before it was locked */
            close(descriptor);
            number = EEXIST;
        }
        free(candidate);
    }
    errno = number;
    return -1;
}

static void open_listed(output_file *file) {
    abandoned_remove(file->path);
    signals_hold();
    file->descriptor = open_temporary(file->path, &file->temporary);
    if (file->temporary) {
        list_file(file);
    }
    signals_release();
}

/* Opens an existing special file directly, and a temporary file otherwise. Returns 0 or an errno value. */
static int open_target(output_file *file, output_target target) {
    struct stat existing;
    if (strcmp(file->path, "-") == 0) {
        file->descriptor = target == OUTPUT_STREAM ? dup(STDOUT_FILENO) : -1;
        return file->descriptor >= 0 ? 0 : target == OUTPUT_STREAM ? errno : ESPIPE;
    }
    bool exists = stat(file->path, &existing) == 0;
    if (!exists && errno != ENOENT) {
        return errno;
    }
    if (exists && S_ISDIR(existing.st_mode)) {
        return EISDIR;
    }
    if (exists && access(file->path, W_OK) != 0) {
        return errno;
    }
    if (exists && !S_ISREG(existing.st_mode)) {
        if (target == OUTPUT_REGULAR) {
            return ESPIPE;
        }
        file->descriptor = descriptor_open_stream(file->path);
    } else {
        open_listed(file);
    }
    if (file->descriptor < 0) {
        return errno;
    }
    if (exists && S_ISREG(existing.st_mode)) {
        descriptor_set_permissions(file->descriptor, existing.st_mode);
    }
    return 0;
}

/* Frees the memory. The file must not be listed. */
static void release(output_file *file) {
    free(file->name);
    free(file->path);
    free(file->temporary);
    free(file);
}

void output_tidy(const char *path) {
    char name[PATH_MAX];
    if (file_final_name(path, name)) {
        abandoned_remove(name);
    }
}

abut_status output_open(const char *path, output_target target, output_file **file, abut_error *error) {
    if (!path || !*path || !file) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "the name of the output file is empty");
    }
    output_file *made = calloc(1, sizeof *made);
    char name[PATH_MAX];
    bool is_resolved = strcmp(path, "-") != 0 && file_final_name(path, name);
    if (!made || !(made->name = strdup(path)) || !(made->path = strdup(is_resolved ? name : path))) {
        if (made) {
            release(made);
        }
        return abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "cannot write '%s': no memory", path);
    }
    int number = open_target(made, target);
    if (number) {
        release(made);
        if (number == ESPIPE) {
            return abut_fail(error, ABUT_ERROR_FILE, "cannot write '%s': it is not an ordinary file; write elsewhere", path);
        }
        return output_fail(path, number, error);
    }
    *file = made;
    return ABUT_OK;
}

int output_descriptor(const output_file *file) { return file->descriptor; }

/* ---- writing ---- */

/* Writes the buffer to the file. Returns 0 or the errno value of the file's first failure. */
static int flush_buffer(output_file *file) {
    size_t done = 0;
    while (done < file->used && !file->failure) {
        ptrdiff_t written = descriptor_write(file->descriptor, file->buffer + done, file->used - done);
        if (written > 0) {
            done += (size_t)written;
        } else {
            file->failure = written == 0 ? EIO : errno;
        }
    }
    file->used = 0;
    return file->failure;
}

abut_status output_write(output_file *file, const void *bytes, size_t size, abut_error *error) {
    const char *next = bytes;
    while (size > 0) {
        size_t room = BUFFER_SIZE - file->used;
        size_t part = size < room ? size : room;
        memcpy(file->buffer + file->used, next, part);
        file->used += part;
        next += part;
        size -= part;
        if (file->used == BUFFER_SIZE && flush_buffer(file)) {
            break;
        }
    }
    return file->failure ? output_fail(file->name, file->failure, error) : ABUT_OK;
}

/* Copies all bytes of the descriptor, from front to back. Returns 0 or an errno value. */
static int copy_bytes(output_file *file, int descriptor) {
    uint64_t at = 0;
    for (;;) {
        ptrdiff_t count = descriptor_read_at(descriptor, file->buffer, BUFFER_SIZE, at);
        if (count <= 0) {
            return count < 0 ? errno : 0;
        }
        at += (uint64_t)count;
        file->used = (size_t)count;
        if (flush_buffer(file)) {
            return file->failure;
        }
    }
}

abut_status output_copy(output_file *file, int descriptor, abut_error *error) {
    int number = flush_buffer(file);
    number = number ? number : copy_bytes(file, descriptor);
    file->failure = number;
    return number ? output_fail(file->name, number, error) : ABUT_OK;
}

abut_status output_print(output_file *file, abut_error *error, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof text) {
        return abut_fail(error, ABUT_ERROR_INTERNAL, "cannot write '%s': a formatted line is too long", file->name);
    }
    return output_write(file, text, (size_t)length, error);
}

/* ---- closing ---- */

abut_status output_commit(output_file *file, abut_error *error) {
    int number = flush_buffer(file);
    /* A device or pipe cannot be synchronised. */
    if (!number && file->temporary && descriptor_sync(file->descriptor) != 0) {
        number = errno;
    }
    int lock = file->temporary ? dup(file->descriptor) : -1; /* keeps the file locked while it has its temporary name */
    if (close(file->descriptor) != 0 && !number && errno != EINTR) {
        number = errno;
    }
    signals_hold();
    if (!number && file->temporary && file_replace(file->temporary, file->path) != 0) {
        number = errno;
    }
    if (number && file->temporary) {
        unlink(file->temporary);
    }
    unlist_file(file);
    signals_release();
    if (lock >= 0) {
        close(lock);
    }
    if (!number && file->temporary) {
        file_sync_name(file->path);
    }
    abut_status status = number ? output_fail(file->name, number, error) : ABUT_OK;
    release(file);
    return status;
}

void output_discard(output_file *file) {
    if (!file) {
        return;
    }
    signals_hold();
    if (file->temporary) {
        unlink(file->temporary);
    }
    unlist_file(file);
    signals_release();
    close(file->descriptor);
    release(file);
}
