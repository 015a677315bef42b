#pragma once

#include "io/file/base64.h"
#include "io/tet/vtu_array.h"

/*
 * The bytes of an array, as they are in the file or encoded in base64.
 */
typedef struct vtu_bytes {
    bool encoded;
    base64_text text;       /* encoded */
    const char *next, *end; /* not encoded */
} vtu_bytes;

/* The bytes from `begin` to `end`. */
vtu_bytes vtu_bytes_make(const char *begin, const char *end, bool encoded);
/* At most how many bytes are left. */
size_t vtu_bytes_left(const vtu_bytes *bytes);
/* Copies the next bytes; false when there are fewer. */
bool vtu_take(vtu_bytes *bytes, unsigned char *to, size_t size);
/* Reads a count of the storage's header size; false when the bytes end. */
bool vtu_take_count(const vtu_storage *storage, vtu_bytes *bytes, uint64_t *count);

/*
 * Decompresses an array that begins with its numbers of blocks and their sizes. *made is to be freed. Fails through the cursor of the storage, and in a build
 * without zlib always.
 */
bool vtu_inflate(const vtu_storage *storage, vtu_bytes *bytes, unsigned char **made, size_t *size);
