#pragma once

#include "io/page/run.h"

/*
 * Frames that follow each other, as they are packed together. Arrays of bodies are indexed (component * bodies + body) * count + frame: what is one body's
 * stands side by side, and changes little from one to the next.
 */
typedef struct page_chunk {
    const page_run *run;
    int64_t first; /* frame of the page */
    int32_t count, bodies;
    unsigned char *presence; /* [bodies * count] abut_recorded_presence */
    double *position;        /* [3 * bodies * count] */
    int32_t *turn;           /* [4 * bodies * count] quaternions in fixed point */
    int32_t *velocity;       /* [6 * bodies * count] in float order; NULL when they are left out */
    double *largest;         /* [bodies] magnitude of the positions' coordinates */

    int32_t *contact_counts;         /* [count]; -1: as in the frame before */
    abut_recorded_contact *contacts; /* [contact_count] of the frames whose number is not -1 */
    size_t contact_count, contact_capacity;

    unsigned char *entries; /* [entry_bytes] shapes of bodies that deform, as they are in the block */
    size_t entry_bytes, entry_capacity;
    int32_t entry_count;
    size_t *entry_last; /* [deforming_count] where the body's last entry begins in this chunk */
} page_chunk;

/* How many frames make a chunk. */
int32_t page_chunk_frames(int32_t bodies);

/* Reads the chunk that begins with frame `first`; to be released in every case. */
abut_status page_chunk_load(page_chunk *chunk, page_run *run, int64_t first, abut_error *error);
void page_chunk_release(page_chunk *chunk);

/* What the chunk takes in memory. */
size_t page_chunk_bytes(const page_chunk *chunk);

/* Pack what was read; `block` receives the whole block. ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status page_pack_poses(page_packer *packer, const page_chunk *chunk, page_block *block);
abut_status page_pack_velocities(page_packer *packer, const page_chunk *chunk, page_block *block);
abut_status page_pack_contacts(page_packer *packer, const page_chunk *chunk, page_block *block);
abut_status page_pack_vertices(page_packer *packer, const page_chunk *chunk, page_block *block);

/* Reading, for page_chunk_load(): the contacts and the deformed shapes of frame `frame` of the chunk, which is frame `source` of the recording. */
abut_status page_load_contacts(page_chunk *chunk, int32_t frame, int64_t source, abut_error *error);
abut_status page_load_vertices(page_chunk *chunk, int32_t frame, int64_t source, abut_error *error);
