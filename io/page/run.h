#pragma once

#include <jansson.h>

#include "io/page/page.h"
#include "io/page/block.h"

/*
 * One recording of a page, with its head in JSON and its blocks.
 */

/* Quaternions and normals are in units of 2^-PAGE_TURN_DIGITS. */
enum { PAGE_TURN_DIGITS = 20 };

/* The largest number of events of a page. */
enum { PAGE_MOST_EVENTS = 100000 };

typedef struct page_run {
    abut_recording *recording;
    abut_recording_info info;
    const char *beside; /* path of the page's other recording; NULL for none */
    int32_t every;
    bool contacts, velocities;
    int64_t frame_count; /* frames of the page: those of the step `every`, and the last one */
    int digits;          /* lengths are in units of 2^-digits */
    double size;         /* median radius of the bodies that are not planes */
    int32_t *deforming;  /* [deforming_count] bodies */
    int32_t deforming_count;
    int64_t most_events;
    uint32_t told;                    /* kinds of events that the page has, bits of abut_world_event_kind */
    int64_t told_count, untold_count; /* events of these kinds, and of others */
    double *steps, *times;            /* [frame_count] set as frames are read */
    json_t *head;                     /* without the blocks until they are complete */
    page_block *blocks;               /* [block_count] */
    size_t block_count, block_capacity;
} page_run;

/* Begins a run with its head and the block of the steps' table. To be released in every case. beside: the other recording, which must stay open as long; or
 * NULL. */
abut_status page_run_begin(page_run *run, abut_recording *recording, const abut_recording *beside,
                           const abut_export_page_settings *settings, abut_error *error);
void page_run_release(page_run *run);

/* The index in the recording of frame `frame` of the page. */
int64_t page_run_source(const page_run *run, int64_t frame);

/* Adds a block and takes ownership of its bytes. ABUT_ERROR_OUT_OF_MEMORY, and then the bytes are freed. */
abut_status page_run_add(page_run *run, page_block block, abut_error *error);

/* To be called after all frames: makes the block of their times. */
abut_status page_run_end(page_run *run, abut_error *error);

/* The name of a run: the name of its file. If the other file (NULL: none) has the same name, the last folder that differs comes before it. Cut at `size`
 * bytes, including the zero at the end. */
void page_name(const char *path, const char *other, char *name, size_t size);

/* The head without its blocks; NULL when there is no memory. */
json_t *page_head(const page_run *run);
/* The rows of the blocks in the head. */
json_t *page_head_blocks(const page_run *run);

/* A string for JSON: names in a damaged recording may be no UTF-8. NULL when there is no memory. */
json_t *page_text(const char *string);

/* Packs the steps' table without the columns that are zero in all rows, and with all time series behind them. page_head() lists the names. */
abut_status page_pack_steps(page_packer *packer, const page_run *run, page_block *block, abut_error *error);
json_t *page_step_columns(const page_run *run);
/* Chooses the kinds of events: all of them, or those that matter most, if there are too many. ABUT_ERROR_FORMAT for a damaged recording. */
abut_status page_choose_events(page_run *run, abut_error *error);
abut_status page_pack_events(page_packer *packer, page_run *run, page_block *block, abut_error *error);
/* Packs steps and times of frames. */
abut_status page_pack_frames(page_packer *packer, const page_run *run, page_block *block);
