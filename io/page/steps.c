/*
 * The steps' table and the times of the frames: reals of eight bytes. The lower bytes are zero, except for steps, times, and values whose changes matter but
 * not their zero.
 */
#include "io/page/run.h"

#include <stdlib.h>
#include <string.h>

#include "io/record/layout.h"

/* Steps, times, and the potential energy, whose zero is arbitrary. */
static bool is_exact(int column) { return column < 2 || strcmp(layout_step[column].name, "potential_energy") == 0; }

static double cell_value(const abut_step_report *report, const layout_field *field) {
    const char *at = (const char *)report + field->offset;
    int32_t narrow;
    uint32_t index;
    int64_t wide;
    double real;
    switch (field->cell) {
    case LAYOUT_INT32:
        memcpy(&narrow, at, sizeof narrow);
        return narrow;
    case LAYOUT_UINT32:
        memcpy(&index, at, sizeof index);
        return index;
    case LAYOUT_INT64:
        memcpy(&wide, at, sizeof wide);
        return (double)wide;
    default:
        memcpy(&real, at, sizeof real);
        return real;
    }
}

static double read_cell(const page_run *run, int64_t row, int column) {
    abut_step_report report = {0};
    (void)abut_recording_step(run->recording, row, &report);
    double value = cell_value(&report, &layout_step[column]);
    return is_exact(column) ? value : (double)(float)value;
}

static bool is_kept(const page_run *run, int column) {
    bool kept = column < 2;
    for (int64_t row = 0; row < run->info.step_count && !kept; row++) {
        kept = read_cell(run, row, column) != 0.0;
    }
    return kept;
}

json_t *page_step_columns(const page_run *run) {
    json_t *names = json_array();
    for (int i = 0; i < LAYOUT_STEP_FIELDS && names; i++) {
        if (is_kept(run, i) && json_array_append_new(names, json_string(layout_step[i].name)) != 0) {
            json_decref(names);
            names = NULL;
        }
    }
    return names;
}

abut_status page_pack_steps(page_packer *packer, const page_run *run, page_block *block) {
    size_t rows = (size_t)run->info.step_count;
    double *cells = malloc((rows + 1) * sizeof *cells);
    if (!cells) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    page_block_begin(packer, (page_block){.kind = PAGE_STEPS, .count = run->frame_count});
    for (int i = 0; i < LAYOUT_STEP_FIELDS; i++) {
        size_t kept = is_kept(run, i) ? rows : 0;
        for (size_t row = 0; row < kept; row++) {
            cells[row] = read_cell(run, (int64_t)row, i);
        }
        page_block_put_wide_planes(packer, cells, kept);
    }
    free(cells);
    return page_block_end(packer, block);
}

abut_status page_pack_frames(page_packer *packer, const page_run *run, page_block *block) {
    page_block_begin(packer, (page_block){.kind = PAGE_FRAMES, .count = run->frame_count});
    page_block_put_wide_planes(packer, run->steps, (size_t)run->frame_count);
    page_block_put_wide_planes(packer, run->times, (size_t)run->frame_count);
    return page_block_end(packer, block);
}
