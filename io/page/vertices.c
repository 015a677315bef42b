/*
 * Shapes that deform: vertices in single precision, whenever they change. Every chunk begins with all shapes, so that chunks are independent.
 */
#include "io/page/chunk.h"

#include <stdlib.h>
#include <string.h>

#include "io/file/grow.h"

static void store(unsigned char *bytes, uint32_t bits) {
    for (int i = 0; i < 4; i++) {
        bytes[i] = (unsigned char)(bits >> 8 * i & 255);
    }
}

static void store_float(unsigned char *bytes, double number) {
    float single = (float)number;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    store(bytes, bits);
}

/* Size of frame, body and number of vertices, which precede the vertices; size of a vertex [bytes]. */
enum { ENTRY_HEAD = 12, VERTEX = 12 };

/* Adds an entry, and removes it again when its vertices equal those of the body's last entry. */
static abut_status add_entry(page_chunk *chunk, int32_t frame, int32_t slot, const abut_vec3 *vertices, int32_t count) {
    size_t bytes = ENTRY_HEAD + VERTEX * (size_t)count;
    if (!grow_array(&chunk->entries, &chunk->entry_capacity, chunk->entry_bytes + bytes, SIZE_MAX, 1)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    unsigned char *entry = chunk->entries + chunk->entry_bytes;
    store(entry, (uint32_t)(chunk->first + frame));
    store(entry + 4, (uint32_t)chunk->run->deforming[slot]);
    store(entry + 8, (uint32_t)count);
    for (int32_t v = 0; v < count; v++) {
        unsigned char *at = entry + ENTRY_HEAD + VERTEX * (size_t)v;
        store_float(at, vertices[v].x);
        store_float(at + 4, vertices[v].y);
        store_float(at + 8, vertices[v].z);
    }
    const unsigned char *last = chunk->entries + chunk->entry_last[slot];
    if (frame == 0 || memcmp(last + ENTRY_HEAD, entry + ENTRY_HEAD, bytes - ENTRY_HEAD) != 0) {
        chunk->entry_last[slot] = chunk->entry_bytes;
        chunk->entry_bytes += bytes;
        chunk->entry_count++;
    }
    return ABUT_OK;
}

abut_status page_load_vertices(page_chunk *chunk, int32_t frame, int64_t source, abut_error *error) {
    abut_status status = ABUT_OK;
    for (int32_t i = 0; i < chunk->run->deforming_count && !status; i++) {
        const abut_vec3 *vertices = NULL;
        int32_t count = 0;
        status = abut_recording_vertices(chunk->run->recording, source, chunk->run->deforming[i], &vertices, &count, error);
        if (!status && add_entry(chunk, frame, i, vertices, count) != ABUT_OK) {
            status = abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory to read it", chunk->run->info.path);
        }
    }
    return status;
}

abut_status page_pack_vertices(page_packer *packer, const page_chunk *chunk, page_block *block) {
    page_block made = {.kind = PAGE_VERTICES, .first = chunk->first, .count = chunk->count};
    page_block_begin(packer, made);
    page_block_put_int32(packer, chunk->entry_count);
    page_block_put(packer, chunk->entries, chunk->entry_bytes);
    return page_block_end(packer, block);
}
