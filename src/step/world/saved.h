#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <abut/collide.h>

/*
 * Numbers of a saved world, in the order in which they are saved, little-endian. One function for each record serves both ways: it writes the record, counts its
 * bytes, or fills it in from what was written. So the two can not disagree.
 */

typedef struct saved_stream {
    unsigned char *to;         /* [size] written to; NULL while reading, and where only bytes are counted */
    const unsigned char *from; /* [size] read from; NULL while writing */
    size_t size, at;
    bool broken; /* reading: the end was met too early, or a number that can not be there */
} saved_stream;

static inline bool saved_is_reading(const saved_stream *s) { return s->from != NULL; }

/* The lowest `bytes` bytes of the bits. */
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

/* How many records of at least so many bytes follow. Reading, no more than there are bytes for; then false. */
bool saved_count(saved_stream *s, int32_t *count, size_t least_bytes);

/* Memory for `count` records that are read, zeroed; at least for one. */
void *saved_room(int32_t count, size_t size);
