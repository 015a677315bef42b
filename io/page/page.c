/*
 * Writes the document: the template, with the heads and blocks of all runs in place of its marker. Frames are read one after another and packed some chunks at
 * a time, on all processors; then everything is written.
 */
#include "io/page/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/base64.h"
#include "io/file/file.h"
#include "io/file/output.h"
#include "io/file/same.h"
#include "io/page/chunk.h"
#include "io/page/limit.h"

static const char marker[] = "<!--abut:runs-->";

enum { MOST_TEMPLATE = 1 << 28, BATCH_CHUNKS = 8, BATCH_BYTES = 1 << 26, CHUNK_KINDS = PAGE_KINDS - PAGE_POSES };

typedef struct page {
    char *template;
    size_t template_size, marker_at;
    page_run runs[ABUT_PAGE_MOST_RECORDINGS];
    int32_t count;
    page_limit limit;
    int64_t frames_before, frames; /* frames of the runs that are packed already; frames of all runs */
    const abut_export_page_settings *settings;
} page;

abut_export_page_settings abut_export_page_settings_default(void) {
    abut_export_page_settings settings = {.every = 1, .contacts = true, .velocities = true, .limit = INT64_C(256) << 20};
    return settings;
}

/* ---- packing ---- */

/* A block that is being packed. */
typedef struct packing {
    const page_chunk *chunk;
    page_kind kind;
    page_block block;
    abut_status status;
} packing;

static abut_status pack(packing *p) {
    static abut_status (*const packers[CHUNK_KINDS])(page_packer *, const page_chunk *, page_block *) = {
        page_pack_poses, page_pack_velocities, page_pack_contacts, page_pack_vertices, page_pack_joints};
    page_packer *packer = page_packer_create();
    abut_status status = packer ? packers[p->kind - PAGE_POSES](packer, p->chunk, &p->block) : ABUT_ERROR_OUT_OF_MEMORY;
    page_packer_release(packer);
    return status;
}

static void pack_some(void *argument, int32_t begin, int32_t end) {
    packing *packings = argument;
    for (int32_t i = begin; i < end; i++) {
        packings[i].status = pack(&packings[i]);
    }
}

static bool has_block(const page_run *run, page_kind kind) {
    return kind == PAGE_POSES || (kind == PAGE_VELOCITIES && run->velocities) || (kind == PAGE_CONTACTS && run->contacts) ||
           (kind == PAGE_VERTICES && run->deforming_count > 0) || (kind == PAGE_JOINTS && run->info.joint_count > 0);
}

/* Packs the chunks and adds their blocks to the run, in the order of the frames. */
static abut_status pack_batch(page *made, page_run *run, const page_chunk *chunks, int32_t count, abut_error *error) {
    packing packings[BATCH_CHUNKS * CHUNK_KINDS];
    int32_t used = 0;
    for (int32_t c = 0; c < count; c++) {
        for (int kind = PAGE_POSES; kind < PAGE_KINDS; kind++) {
            if (has_block(run, (page_kind)kind)) {
                packings[used++] = (packing){.chunk = &chunks[c], .kind = (page_kind)kind};
            }
        }
    }
    abut_parallel_for(NULL, used, 1, pack_some, packings);
    abut_status status = ABUT_OK;
    for (int32_t i = 0; i < used; i++) {
        if (packings[i].status && !status) {
            status = abut_fail(error, packings[i].status, "%s: no memory to pack it", run->info.path);
        } else if (!packings[i].status && status) {
            free(packings[i].block.bytes);
        } else if (!status) {
            made->limit.done = packings[i].chunk->first + packings[i].chunk->count;
            status = page_run_add(run, packings[i].block, error);
        }
    }
    return status ? status : page_limit_check(&made->limit, error);
}

static void report(const page *made) {
    if (made->settings->progress) {
        made->settings->progress(made->settings->user, made->frames_before + made->limit.done, made->frames);
    }
}

static abut_status pack_frames(page *made, page_run *run, abut_error *error) {
    abut_status status = ABUT_OK;
    for (int64_t next = 0; next < run->frame_count && !status;) {
        page_chunk chunks[BATCH_CHUNKS];
        int32_t count = 0;
        size_t bytes = 0;
        while (count < BATCH_CHUNKS && bytes < BATCH_BYTES && next < run->frame_count && !status) {
            status = page_chunk_load(&chunks[count], run, next, error);
            bytes += page_chunk_bytes(&chunks[count]);
            next += chunks[count++].count;
        }
        status = status ? status : pack_batch(made, run, chunks, count, error);
        for (int32_t i = 0; i < count; i++) {
            page_chunk_release(&chunks[i]);
        }
        if (!status) {
            report(made);
        }
    }
    status = status ? status : page_run_end(run, error);
    return status ? status : page_limit_check(&made->limit, error);
}

static size_t json_size(const json_t *json) { return json_dumpb(json, NULL, 0, JSON_COMPACT | JSON_REAL_PRECISION(17)); }

static abut_status pack_runs(page *made, abut_recording *const *recordings, abut_error *error) {
    abut_status status = ABUT_OK;
    made->limit = (page_limit){.runs = made->runs, .count = made->count, .limit = made->settings->limit};
    made->limit.around = (int64_t)made->template_size;
    for (int32_t r = 0; r < made->count && !status; r++) {
        const abut_recording *beside = made->count > 1 ? recordings[1 - r] : NULL;
        status = page_run_begin(&made->runs[r], recordings[r], beside, made->settings, error);
        if (!status && json_object_set_new(made->runs[r].head, "run_count", json_integer(made->count)) != 0) {
            status = abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "no memory");
        }
        made->limit.around += status ? 0 : (int64_t)json_size(made->runs[r].head);
        made->frames += made->runs[r].frame_count;
    }
    for (int32_t r = 0; r < made->count && !status; r++) {
        made->limit.begun = r + 1;
        made->limit.done = 0;
        status = pack_frames(made, &made->runs[r], error);
        made->frames_before += made->runs[r].frame_count;
    }
    return status;
}

/* ---- the template ---- */

static abut_status read_template(page *made, const char *path, abut_error *error) {
    abut_status status = file_read(path, MOST_TEMPLATE, &made->template, &made->template_size, error);
    if (status) {
        return status;
    }
    const char *at = strstr(made->template, marker);
    if (!at) {
        return abut_fail(error, ABUT_ERROR_FORMAT, "%s: is not a template for pages: the line '%s' is missing", path, marker);
    }
    if (strstr(at + 1, marker)) {
        return abut_fail(error, ABUT_ERROR_FORMAT, "%s: is not a template for pages: the line '%s' occurs more than once", path, marker);
    }
    made->marker_at = (size_t)(at - made->template);
    return ABUT_OK;
}

/* ---- writing ---- */

/* Writes JSON into the page. It must not contain text that looks like a tag. */
static abut_status write_json(output_file *file, const char *text, abut_error *error) {
    abut_status status = ABUT_OK;
    while (*text && !status) {
        size_t plain = strcspn(text, "<");
        status = output_write(file, text, plain, error);
        text += plain;
        if (*text == '<' && !status) {
            status = output_write(file, "\\u003c", 6, error);
            text++;
        }
    }
    return status;
}

static abut_status write_run(const page_run *run, int32_t index, output_file *file, abut_error *error) {
    static const char end[] = "</script>\n";
    char *text = json_dumps(run->head, JSON_COMPACT | JSON_REAL_PRECISION(17));
    if (!text) {
        return abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory to write it", run->info.path);
    }
    abut_status status = output_print(file, error, "<script type=\"application/json\" id=\"run-%d\">", (int)index);
    status = status ? status : write_json(file, text, error);
    status = status ? status : output_write(file, end, sizeof end - 1, error);
    for (size_t i = 0; i < run->block_count && !status; i++) {
        status = output_print(file, error, "<script type=\"text/plain\" id=\"run-%d-block-%zu\">", (int)index, i);
        status = status ? status : base64_write(file, run->blocks[i].bytes, run->blocks[i].size, error);
        status = status ? status : output_write(file, end, sizeof end - 1, error);
    }
    free(text);
    return status;
}

static abut_status write_page(const page *made, const char *path, abut_error *error) {
    output_file *file = NULL;
    abut_status status = output_open(path, OUTPUT_STREAM, &file, error);
    if (status) {
        return status;
    }
    size_t behind = made->marker_at + sizeof marker - 1;
    status = output_write(file, made->template, made->marker_at, error);
    for (int32_t r = 0; r < made->count && !status; r++) {
        status = write_run(&made->runs[r], r, file, error);
    }
    status = status ? status : output_write(file, made->template + behind, made->template_size - behind, error);
    if (status) {
        output_discard(file);
        return status;
    }
    return output_commit(file, error);
}

/* ---- */

static abut_status check_output(abut_recording *const *recordings, int32_t count, const char *template_path, const char *path,
                                abut_error *error) {
    for (int32_t r = 0; r < count; r++) {
        if (file_is_same(abut_recording_get_info(recordings[r]).path, path)) {
            return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "cannot write '%s': it is the recording itself; write elsewhere", path);
        }
    }
    if (file_is_same(template_path, path)) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "cannot write '%s': it is the template itself; write elsewhere", path);
    }
    return ABUT_OK;
}

abut_status abut_export_page(abut_recording *const *recordings, int32_t count, const char *template_path, const char *path,
                             const abut_export_page_settings *settings, abut_error *error) {
    abut_export_page_settings chosen = settings ? *settings : abut_export_page_settings_default();
    bool right =
        recordings && count >= 1 && count <= ABUT_PAGE_MOST_RECORDINGS && template_path && path && chosen.every >= 1 && chosen.limit > 0;
    for (int32_t r = 0; r < count && right; r++) {
        right = recordings[r] != NULL;
    }
    if (!right) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT,
                         "a page needs one or two recordings, a template, a path, every >= 1 and a limit > 0");
    }
    page made = {.count = count, .settings = &chosen};
    abut_status status = check_output(recordings, count, template_path, path, error);
    status = status ? status : read_template(&made, template_path, error);
    status = status ? status : pack_runs(&made, recordings, error);
    status = status ? status : write_page(&made, path, error);
    for (int32_t r = 0; r < count; r++) {
        page_run_release(&made.runs[r]);
    }
    free(made.template);
    return status;
}
