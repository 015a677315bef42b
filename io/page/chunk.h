#pragma once

#include "io/page/run.h"

/*
 * Consecutive frames, which are packed together. Arrays of bodies are indexed (component * bodies + body) * count + frame: the numbers of one body are
 * adjacent, and change little from one frame to the next.
 */
typedef struct page_chunk {
    const page_run *run;
    int64_t first; /* frame of the page */
    int32_t count, bodies;
    unsigned char *presence; /* [bodies * count] abut_recorded_presence */
    double *position;        /* [3 * bodies * count] */
    int32_t *turn;           /* [4 * bodies * count] quaternions in fixed point */
    int32_t *velocity;       /* [6 * bodies * count] in float order; NULL without velocities */
    double *largest;         /* [bodies] largest magnitude of the position's coordinates */

    int32_t *contact_counts;         /* [count]; -1: equal to the frame before */
    abut_recorded_contact *contacts; /* [contact_count] contacts of the frames whose count is not -1 */
    size_t contact_count, contact_capacity;

    unsigned char *hold; /* [joints * count] abut_recorded_hold */
    int32_t *joint;      /* [PAGE_JOINT_CELLS * joints * count] in float order, indexed as those of bodies; NULL without joints */

    unsigned char *entries; /* [entry_bytes] shapes of deforming bodies, in the format of the block */
    size_t entry_bytes, entry_capacity;
    int32_t entry_count;
    size_t *entry_last; /* [deforming_count] offset of the body's last entry in this chunk */
} page_chunk;

/* Numbers of a joint in a frame: coordinate, spin, force, torque. */
enum { PAGE_JOINT_CELLS = 8 };

/* Number of frames in a chunk. */
int32_t page_chunk_frames(int32_t bodies);

/* Reads the chunk that begins with frame `first`; to be released in every case. */
abut_status page_chunk_load(page_chunk *chunk, page_run *run, int64_t first, abut_error *error);
void page_chunk_release(page_chunk *chunk);

/* The size of the chunk in memory. */
size_t page_chunk_bytes(const page_chunk *chunk);

/* Packs the chunk; `block` receives the whole block. ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status page_pack_poses(page_packer *packer, const page_chunk *chunk, page_block *block);
abut_status page_pack_velocities(page_packer *packer, const page_chunk *chunk, page_block *block);
abut_status page_pack_contacts(page_packer *packer, const page_chunk *chunk, page_block *block);
abut_status page_pack_vertices(page_packer *packer, const page_chunk *chunk, page_block *block);
abut_status page_pack_joints(page_packer *packer, const page_chunk *chunk, page_block *block);

/* For page_chunk_load(): reads the contacts, the deformed shapes and the joints of frame `frame` of the chunk, which is frame `source` of the recording. */
abut_status page_load_contacts(page_chunk *chunk, int32_t frame, int64_t source, abut_error *error);
abut_status page_load_vertices(page_chunk *chunk, int32_t frame, int64_t source, abut_error *error);
abut_status page_load_joints(page_chunk *chunk, int32_t frame, int64_t source, abut_error *error);

/* In place: replaces each number of a line by its difference from the one before it. Integers wrap. */
void page_subtract_last(int32_t *numbers, size_t count);
