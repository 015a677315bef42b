/*
 * The properties of a recording before its frames are read: sizes, units, deforming bodies; and the list of its blocks.
 */
#include "io/page/run.h"

#include <math.h>
#include <stdlib.h>

#include "io/file/grow.h"
#include "io/record/shape_radius.h"

/* Digits of lengths when all bodies are planes. Otherwise the unit of lengths is at most length_share of the smallest body's radius. */
enum { DIGITS_OF_PLANES = 20, MOST_DIGITS = 900 };
static const double length_share = 1e-6;

static int compare(const void *a, const void *b) {
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

static bool is_plane(const page_run *run, int32_t body, int32_t *shape_index) {
    abut_recorded_body recorded;
    abut_recorded_shape shape;
    (void)abut_recording_body(run->recording, body, &recorded);
    (void)abut_recording_shape(run->recording, recorded.shape, &shape);
    *shape_index = recorded.shape;
    return shape.kind == ABUT_SHAPE_PLANE;
}

/* The digits for which 2^-digits is the largest power of two up to this length. */
static int choose_digits(double length) {
    int exponent;
    (void)frexp(length, &exponent);
    return 1 - exponent;
}

/* Measures the radii of the bodies that are not planes. The smallest radius gives the unit of lengths, the median the size. */
static abut_status measure(page_run *run) {
    double *of_shapes = malloc(((size_t)run->info.shape_count + 1) * sizeof *of_shapes);
    double *radii = malloc(((size_t)run->info.body_count + 1) * sizeof *radii);
    size_t count = 0;
    if (!of_shapes || !radii) {
        free(of_shapes);
        free(radii);
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    for (int32_t i = 0; i < run->info.shape_count; i++) {
        of_shapes[i] = recording_shape_radius(run->recording, i);
    }
    for (int32_t i = 0; i < run->info.body_count; i++) {
        int32_t shape;
        if (!is_plane(run, i, &shape) && of_shapes[shape] > 0.0 && isfinite(of_shapes[shape])) {
            radii[count++] = of_shapes[shape];
        }
    }
    qsort(radii, count, sizeof *radii, compare);
    run->size = count > 0 ? radii[count / 2] : 1.0;
    run->digits = count > 0 ? choose_digits(length_share * radii[0]) : DIGITS_OF_PLANES;
    run->digits = run->digits > MOST_DIGITS ? MOST_DIGITS : run->digits < -MOST_DIGITS ? -MOST_DIGITS : run->digits;
    free(of_shapes);
    free(radii);
    return ABUT_OK;
}

static abut_status find_deforming(page_run *run) {
    run->deforming = malloc(((size_t)run->info.body_count + 1) * sizeof *run->deforming);
    for (int32_t i = 0; i < run->info.body_count && run->deforming; i++) {
        if (abut_recording_deforms(run->recording, i)) {
            run->deforming[run->deforming_count++] = i;
        }
    }
    return run->deforming ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
}

static abut_status fail_memory(const page_run *run, abut_error *error) {
    return abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory to read it", run->info.path);
}

static abut_status add_events(page_run *run, abut_error *error) {
    page_packer *packer = run->told_count > 0 ? page_packer_create() : NULL;
    page_block block;
    if (run->told_count == 0 || !packer) {
        return run->told_count == 0 ? ABUT_OK : fail_memory(run, error);
    }
    abut_status status = page_pack_events(packer, run, &block, error);
    page_packer_release(packer);
    return status ? status : page_run_add(run, block, error);
}

/* The second block is reserved for the frames, whose times are known at the end. */
static abut_status add_steps(page_run *run, abut_error *error) {
    page_packer *packer = page_packer_create();
    page_block block;
    abut_status status = packer ? page_pack_steps(packer, run, &block, error) : fail_memory(run, error);
    page_packer_release(packer);
    status = status ? status : page_run_add(run, block, error);
    status = status ? status : page_run_add(run, (page_block){.kind = PAGE_FRAMES}, error);
    return status ? status : add_events(run, error);
}

abut_status page_run_begin(page_run *run, abut_recording *recording, const abut_recording *beside,
                           const abut_export_page_settings *settings, abut_error *error) {
    *run = (page_run){
        .recording = recording, .info = abut_recording_get_info(recording), .every = settings->every, .most_events = PAGE_MOST_EVENTS};
    run->beside = beside ? abut_recording_get_info(beside).path : NULL;
    run->contacts = settings->contacts;
    run->velocities = settings->velocities;
    if (run->info.frame_count == 0) {
        return abut_fail(error, ABUT_ERROR_FORMAT, "%s: the recording has no frames", run->info.path);
    }
    run->frame_count = (run->info.frame_count - 2 + run->every) / run->every + 1;
    run->steps = malloc((size_t)run->frame_count * sizeof *run->steps);
    run->times = malloc((size_t)run->frame_count * sizeof *run->times);
    abut_status status = run->steps && run->times ? measure(run) : ABUT_ERROR_OUT_OF_MEMORY;
    status = status ? status : find_deforming(run);
    if (status) {
        return fail_memory(run, error);
    }
    status = page_choose_events(run, error);
    run->head = status ? NULL : page_head(run);
    return status ? status : run->head ? add_steps(run, error) : fail_memory(run, error);
}

int64_t page_run_source(const page_run *run, int64_t frame) {
    int64_t source = frame * run->every;
    return source < run->info.frame_count ? source : run->info.frame_count - 1;
}

abut_status page_run_add(page_run *run, page_block block, abut_error *error) {
    if (!grow_array(&run->blocks, &run->block_capacity, run->block_count + 1, SIZE_MAX, sizeof *run->blocks)) {
        free(block.bytes);
        return fail_memory(run, error);
    }
    run->blocks[run->block_count++] = block;
    return ABUT_OK;
}

abut_status page_run_end(page_run *run, abut_error *error) {
    page_packer *packer = page_packer_create();
    abut_status status = packer ? page_pack_frames(packer, run, &run->blocks[1]) : ABUT_ERROR_OUT_OF_MEMORY;
    page_packer_release(packer);
    json_t *blocks = status ? NULL : page_head_blocks(run);
    return blocks && json_object_set_new(run->head, "blocks", blocks) == 0 ? ABUT_OK : fail_memory(run, error);
}

void page_run_release(page_run *run) {
    for (size_t i = 0; i < run->block_count; i++) {
        free(run->blocks[i].bytes);
    }
    free(run->blocks);
    free(run->deforming);
    free(run->steps);
    free(run->times);
    json_decref(run->head);
    *run = (page_run){0};
}
