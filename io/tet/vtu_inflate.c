/*
 * Decompresses arrays of VTK XML files. Before the bytes are the number of blocks, the size of a block and of the last one (0: as the others), and the
 * compressed size of each block. Deflate makes at most 1032 bytes of one, so sizes beyond that are refused before memory is asked for.
 */
#include "io/tet/vtu_bytes.h"

#include <stdlib.h>

#include "io/tet/read.h"

#ifdef ABUT_WITH_RECORDINGS

#include <zlib.h>

typedef struct inflation {
    const vtu_storage *storage;
    vtu_bytes sizes; /* the compressed sizes that are still to be read */
    uint64_t blocks, size, last;
    uint64_t total; /* size of all blocks */
} inflation;

/* Reads and checks the counts. */
static bool read_counts(inflation *job, vtu_bytes *bytes) {
    enum { LARGEST_RATIO = 1032 };
    tet_cursor *cursor = job->storage->cursor;
    if (!vtu_take_count(job->storage, bytes, &job->blocks) || !vtu_take_count(job->storage, bytes, &job->size) ||
        !vtu_take_count(job->storage, bytes, &job->last)) {
        cursor_fail(cursor, "the array ends in its header");
        return false;
    }
    size_t left = vtu_bytes_left(bytes);
    uint64_t most = left < ABUT_TETFILE_MAX_BYTES / LARGEST_RATIO ? left * LARGEST_RATIO : ABUT_TETFILE_MAX_BYTES;
    bool room = job->blocks <= left / job->storage->header_size && job->size <= most && job->last <= job->size;
    if (!room || (job->size > 0 && job->blocks > most / job->size)) {
        cursor_fail(cursor, "%llu blocks of %llu bytes are more than the array can hold, or than %d MiB", (unsigned long long)job->blocks,
                    (unsigned long long)job->size, ABUT_TETFILE_MAX_BYTES >> 20);
        return false;
    }
    job->total = job->blocks * job->size - (job->blocks > 0 && job->last > 0 ? job->size - job->last : 0);
    return true;
}

/* The compressed sizes are read a second time, block by block, while `bytes` moves behind them. */
static bool skip_sizes(inflation *job, vtu_bytes *bytes) {
    job->sizes = *bytes;
    uint64_t size;
    for (uint64_t i = 0; i < job->blocks; i++) {
        if (!vtu_take_count(job->storage, bytes, &size)) {
            cursor_fail(job->storage->cursor, "the array ends in its header");
            return false;
        }
    }
    return true;
}

/* Decompresses the next block to `to`. */
static bool inflate_block(const inflation *job, vtu_bytes *bytes, uint64_t compressed, unsigned char *to, uint64_t size) {
    tet_cursor *cursor = job->storage->cursor;
    if (compressed > vtu_bytes_left(bytes)) {
        cursor_fail(cursor, "a compressed block is longer than the rest of the array");
        return false;
    }
    unsigned char *from = malloc((size_t)compressed + 1);
    if (!from) {
        cursor_no_memory(cursor);
        return false;
    }
    bool taken = vtu_take(bytes, from, (size_t)compressed);
    uLongf made = (uLongf)size;
    int result = taken ? uncompress(to, &made, from, (uLong)compressed) : Z_DATA_ERROR;
    free(from);
    if (result == Z_MEM_ERROR) {
        cursor_no_memory(cursor);
    } else if (result != Z_OK || made != size) {
        cursor_fail(cursor, "a compressed block is damaged");
    }
    return cursor->status == ABUT_OK;
}

bool vtu_inflate(const vtu_storage *storage, vtu_bytes *bytes, unsigned char **made, size_t *size) {
    inflation job = {.storage = storage};
    if (!read_counts(&job, bytes) || !skip_sizes(&job, bytes)) {
        return false;
    }
    unsigned char *all = malloc((size_t)job.total + 1);
    if (!all) {
        cursor_no_memory(storage->cursor);
        return false;
    }
    bool right = true;
    for (uint64_t i = 0; i < job.blocks && right; i++) {
        uint64_t compressed = 0, block = i + 1 == job.blocks && job.last > 0 ? job.last : job.size;
        right = vtu_take_count(storage, &job.sizes, &compressed) && inflate_block(&job, bytes, compressed, all + i * job.size, block);
    }
    if (!right) {
        free(all);
        return false;
    }
    *made = all;
    *size = (size_t)job.total;
    return true;
}

#else

bool vtu_inflate(const vtu_storage *storage, vtu_bytes *bytes, unsigned char **made, size_t *size) {
    (void)bytes, (void)made, (void)size;
    cursor_fail(storage->cursor, "the array is compressed, and this build has no zlib; write the file without compression");
    return false;
}

#endif
