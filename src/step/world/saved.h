#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <abut/collide.h>

/*
 * The stream of bytes of a saved world; numbers are little-endian. One function for each record works in both directions: it writes the record,
 * counts its bytes, or reads it. So writing and reading cannot disagree.
 */

typedef struct saved_stream {
    unsigned char *to;         /* [size] destination; NULL while reading, and while bytes are only counted */
    const unsigned char *from; /* [size] source; NULL while writing */
    size_t size, at;
    bool broken; /* while reading: the bytes ended too early, or a number was out of range */
} saved_stream;

static inline bool saved_is_reading(const saved_stream *s) { return s->from != NULL; }

/* Write or read the lowest `bytes` bytes of the bits. */
void saved_bits(saved_stream *s, uint64_t *bits, size_t bytes);

void saved_bool(saved_stream *s, bool *value);
void saved_int32(saved_stream *s, int32_t *value);
void saved_uint32(saved_stream *s, uint32_t *value);
void saved_int64(saved_stream *s, int64_t *value);
void saved_uint64(saved_stream *s, uint64_t *value);
void saved_real(saved_stream *s, double *value);
void saved_vec3(saved_stream *s, abut_vec3 *value);
void saved_quat(saved_stream *s, abut_quat *value);
void saved_aabb(saved_stream *s, abut_aabb *value);
void saved_feature(saved_stream *s, abut_feature *value);
void saved_cache(saved_stream *s, abut_cache *value);
void saved_contact(saved_stream *s, abut_contact *value);

/* Write or read the number of records that follow. False while reading when the remaining bytes cannot hold so many records of least_bytes each. */
bool saved_count(saved_stream *s, int32_t *count, size_t least_bytes);

/* Zeroed memory for the `count` records that are read, at least for one. NULL when there is no memory. */
void *saved_room(int32_t count, size_t size);
