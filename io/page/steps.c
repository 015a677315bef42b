/*
 * The steps' table with the time series, and the times of the frames: reals of eight bytes. The lower bytes are zero, except for steps, times, and values whose
 * changes matter but not their zero.
 */
#include "io/page/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/record/layout.h"

enum { MOST_CELLS = 1 << 22 }; /* of the time series, in memory at once */

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

/* Series come behind the fields of the report. */
static bool add_series_names(const page_run *run, json_t *names) {
    bool made = true;
    for (int32_t i = 0; i < run->info.series_count && made; i++) {
        char name[512];
        (void)snprintf(name, sizeof name, "series/%s", abut_recording_series_name(run->recording, i));
        made = json_array_append_new(names, page_text(name)) == 0;
    }
    return made;
}

json_t *page_step_columns(const page_run *run) {
    json_t *names = json_array();
    for (int i = 0; i < LAYOUT_STEP_FIELDS && names; i++) {
        if (is_kept(run, i) && json_array_append_new(names, json_string(layout_step[i].name)) != 0) {
            json_decref(names);
            names = NULL;
        }
    }
    if (names && !add_series_names(run, names)) {
        json_decref(names);
        names = NULL;
    }
    return names;
}

/* The recording has rows and the page columns. Some columns at a time are gathered, so that memory stays bounded. */
static abut_status pack_series(page_packer *packer, const page_run *run, abut_error *error) {
    int64_t rows = run->info.step_count, most = rows < MOST_CELLS ? MOST_CELLS / (rows > 0 ? rows : 1) : 1;
    int32_t columns = most < run->info.series_count ? (int32_t)most : run->info.series_count;
    double *cells = malloc(((size_t)columns * (size_t)rows + 1) * sizeof *cells);
    abut_status status = cells ? ABUT_OK : abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory for its time series", run->info.path);
    for (int32_t first = 0; first < run->info.series_count && !status; first += columns) {
        int32_t count = run->info.series_count - first < columns ? run->info.series_count - first : columns;
        for (int64_t row = 0; row < rows && !status; row++) {
            const double *values = NULL;
            status = abut_recording_series(run->recording, row, &values, error);
            for (int32_t i = 0; i < count && !status; i++) {
                cells[(size_t)i * (size_t)rows + (size_t)row] = (double)(float)values[first + i];
            }
        }
        for (int32_t i = 0; i < count && !status; i++) {
            page_block_put_wide_planes(packer, cells + (size_t)i * (size_t)rows, (size_t)rows);
        }
    }
    free(cells);
    return status;
}

abut_status page_pack_steps(page_packer *packer, const page_run *run, page_block *block, abut_error *error) {
    size_t rows = (size_t)run->info.step_count;
    double *cells = malloc((rows + 1) * sizeof *cells);
    if (!cells) {
        return abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory for its steps", run->info.path);
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
    abut_status status = pack_series(packer, run, error), ended = page_block_end(packer, block);
    if (status && !ended) {
        free(block->bytes);
    }
    return status ? status : ended ? abut_fail(error, ended, "%s: no memory for its steps", run->info.path) : ABUT_OK;
}

abut_status page_pack_frames(page_packer *packer, const page_run *run, page_block *block) {
    page_block_begin(packer, (page_block){.kind = PAGE_FRAMES, .count = run->frame_count});
    page_block_put_wide_planes(packer, run->steps, (size_t)run->frame_count);
    page_block_put_wide_planes(packer, run->times, (size_t)run->frame_count);
    return page_block_end(packer, block);
}
