/*
 * Loaded before the C library (LD_PRELOAD), this refuses one request for memory: the one of the number ABUT_REFUSE_AT, counted from 0. Requests of the program
 * and of jansson count; HDF5 and qhull have all the memory they want. At the end of the program their number is written to the file ABUT_COUNT_FILE.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

enum { RANGES = 8 };

static struct { uintptr_t begin, end; } ranges[RANGES]; /* the code whose requests count */
static int range_count;
static atomic_llong requests;
static long long refuse_at = -1;

static int note_code(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    int *seen = context;
    bool counts = (*seen)++ == 0 || strstr(info->dlpi_name, "libjansson") != NULL;
    for (int i = 0; counts && i < info->dlpi_phnum && range_count < RANGES; i++) {
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X) != 0) {
            ranges[range_count].begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            ranges[range_count].end = ranges[range_count].begin + info->dlpi_phdr[i].p_memsz;
            range_count++;
        }
    }
    return 0;
}

__attribute__((constructor)) static void begin(void) {
    int seen = 0;
    const char *at = getenv("ABUT_REFUSE_AT");
    refuse_at = at != NULL ? atoll(at) : -1;
    dl_iterate_phdr(note_code, &seen);
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("ABUT_COUNT_FILE");
    FILE *file = path != NULL ? fopen(path, "w") : NULL;
    if (file != NULL) {
        fprintf(file, "%lld\n", (long long)atomic_load(&requests));
        fclose(file);
    }
}

static bool is_refused(const void *caller) {
    for (int i = 0; i < range_count; i++) {
        if ((uintptr_t)caller >= ranges[i].begin && (uintptr_t)caller < ranges[i].end) {
            bool refused = atomic_fetch_add(&requests, 1) == refuse_at;
            errno = refused ? ENOMEM : errno;
            return refused;
        }
    }
    return false;
}

void *malloc(size_t size) { return is_refused(__builtin_return_address(0)) ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return is_refused(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size); }
void *realloc(void *memory, size_t size) { return is_refused(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size); }

static char *copy_of(const char *text, size_t length) {
    char *copy = __libc_malloc(length + 1);
    if (copy != NULL) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

char *strdup(const char *text) { return is_refused(__builtin_return_address(0)) ? NULL : copy_of(text, strlen(text)); }
char *strndup(const char *text, size_t length) {
    return is_refused(__builtin_return_address(0)) ? NULL : copy_of(text, strnlen(text, length));
}
