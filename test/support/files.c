#define _XOPEN_SOURCE 700

#include "support/files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

char *files_read(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        return NULL;
    }
    size_t used = 0, capacity = 1 << 16;
    char *bytes = malloc(capacity);
    for (;;) {
        assert_non_null(bytes);
        size_t count = fread(bytes + used, 1, capacity - used - 1, file);
        used += count;
        if (count == 0) {
            break;
        }
        if (used + 1 == capacity) {
            capacity *= 2;
            bytes = realloc(bytes, capacity);
        }
    }
    assert_false(ferror(file));
    fclose(file);
    bytes[used] = '\0';
    *size = used;
    return bytes;
}

void files_write(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* Calls `act` for every entry except "." and "..". Returns the number of entries, or -1 if there is no such folder. */
static int for_each(const char *path, void (*act)(const char *)) {
    DIR *folder = opendir(path);
    if (!folder) {
        return -1;
    }
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        char name[1024];
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        count++;
        if (act) {
            act(name);
        }
    }
    closedir(folder);
    return count;
}

static void remove_file(const char *path) { assert_int_equal(unlink(path), 0); }

void files_empty_folder(const char *path) {
    if (for_each(path, remove_file) < 0) {
        assert_int_equal(mkdir(path, 0777), 0);
    }
}

int files_count(const char *folder) {
    int count = for_each(folder, NULL);
    assert_true(count >= 0);
    return count;
}

void files_limit(size_t bytes) {
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes > 0 ? (rlim_t)bytes : limit.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}
