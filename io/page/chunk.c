/*
 * Poses and velocities of the bodies in a few hundred frames. Positions and quaternions are in fixed point. Each value is predicted by extrapolating the last
 * two frames, and the difference from the prediction is kept.
 */
#include "io/page/chunk.h"

#include <math.h>
#include <stdlib.h>

enum { CHUNK_STATES = 32768, LEAST_FRAMES = 16, MOST_FRAMES = 1024 };

int32_t page_chunk_frames(int32_t bodies) {
    int32_t frames = bodies > 0 ? (CHUNK_STATES + bodies / 2) / bodies : MOST_FRAMES;
    return frames < LEAST_FRAMES ? LEAST_FRAMES : frames > MOST_FRAMES ? MOST_FRAMES : frames;
}

static abut_status allocate(page_chunk *chunk) {
    size_t states = (size_t)chunk->bodies * (size_t)chunk->count;
    chunk->presence = malloc(states + 1);
    chunk->largest = calloc((size_t)chunk->bodies + 1, sizeof *chunk->largest);
    chunk->position = malloc((3 * states + 1) * sizeof *chunk->position);
    chunk->turn = malloc((4 * states + 1) * sizeof *chunk->turn);
    chunk->velocity = chunk->run->velocities ? malloc((6 * states + 1) * sizeof *chunk->velocity) : NULL;
    chunk->contact_counts = calloc((size_t)chunk->count + 1, sizeof *chunk->contact_counts);
    chunk->entry_last = calloc((size_t)chunk->run->deforming_count + 1, sizeof *chunk->entry_last);
    size_t held = (size_t)chunk->run->info.joint_count * (size_t)chunk->count;
    chunk->hold = malloc(held + 1);
    chunk->joint = held > 0 ? malloc(PAGE_JOINT_CELLS * held * sizeof *chunk->joint) : NULL;
    bool memory = chunk->hold && (chunk->joint || held == 0) && chunk->presence && chunk->largest && chunk->position && chunk->turn &&
                  (chunk->velocity || !chunk->run->velocities) && chunk->contact_counts && chunk->entry_last;
    return memory ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
}

/* Chooses the sign of a quaternion that is nearer to the frame before. Both signs are the same rotation. */
static double choose_sign(const int32_t *turn, size_t stride, size_t frame, const double *q) {
    double dot = 0.0;
    for (size_t c = 0; c < 4 && frame > 0; c++) {
        dot += q[c] * turn[c * stride + frame - 1];
    }
    return dot < 0.0 ? -1.0 : 1.0;
}

/* A removed body keeps its last position and velocity. */
static void keep_state(page_chunk *chunk, size_t body, size_t frame) {
    size_t stride = (size_t)chunk->bodies * (size_t)chunk->count, at = body * (size_t)chunk->count + frame;
    chunk->presence[at] = ABUT_RECORDED_REMOVED;
    for (size_t c = 0; c < 3; c++) {
        chunk->position[c * stride + at] = frame > 0 ? chunk->position[c * stride + at - 1] : 0.0;
    }
    for (size_t c = 0; c < 4; c++) {
        chunk->turn[c * stride + at] = frame > 0 ? chunk->turn[c * stride + at - 1] : 0;
    }
    for (size_t c = 0; c < 6 && chunk->velocity; c++) {
        chunk->velocity[c * stride + at] = frame > 0 ? chunk->velocity[c * stride + at - 1] : 0;
    }
}

static void load_state(page_chunk *chunk, const abut_recorded_state *state, size_t body, size_t frame) {
    size_t stride = (size_t)chunk->bodies * (size_t)chunk->count, first = body * (size_t)chunk->count, at = first + frame;
    const double x[] = {state->pose.position.x, state->pose.position.y, state->pose.position.z};
    const double q[] = {state->pose.rotation.x, state->pose.rotation.y, state->pose.rotation.z, state->pose.rotation.w};
    const abut_vec3 v = state->velocity, w = state->angular_velocity;
    const double moving[] = {v.x, v.y, v.z, w.x, w.y, w.z};
    const double scale = ldexp(choose_sign(chunk->turn + first, stride, frame, q), PAGE_TURN_DIGITS);
    chunk->presence[at] = (unsigned char)state->presence;
    for (size_t c = 0; c < 3; c++) {
        chunk->position[c * stride + at] = x[c];
        chunk->largest[body] = fmax(chunk->largest[body], fabs(x[c]));
    }
    for (size_t c = 0; c < 4; c++) {
        chunk->turn[c * stride + at] = page_fixed(q[c], scale);
    }
    for (size_t c = 0; c < 6 && chunk->velocity; c++) {
        chunk->velocity[c * stride + at] = page_float_order_short(moving[c]);
    }
}

static abut_status load_frame(page_chunk *chunk, page_run *run, int32_t index, abut_error *error) {
    int64_t source = page_run_source(run, chunk->first + index);
    abut_recorded_frame frame;
    abut_status status = abut_recording_frame(run->recording, source, &frame, error);
    for (int32_t b = 0; b < chunk->bodies && !status; b++) {
        const abut_recorded_state *state = &frame.bodies[b];
        /* An invalid pose counts as no pose. */
        if (state->presence == ABUT_RECORDED_REMOVED || !abut_pose_is_valid(state->pose)) {
            keep_state(chunk, (size_t)b, (size_t)index);
        } else {
            load_state(chunk, state, (size_t)b, (size_t)index);
        }
    }
    if (!status) {
        run->steps[chunk->first + index] = (double)frame.step;
        run->times[chunk->first + index] = frame.time;
    }
    status = status || !run->contacts ? status : page_load_contacts(chunk, index, source, error);
    status = status || run->info.joint_count == 0 ? status : page_load_joints(chunk, index, source, error);
    return status || run->deforming_count == 0 ? status : page_load_vertices(chunk, index, source, error);
}

abut_status page_chunk_load(page_chunk *chunk, page_run *run, int64_t first, abut_error *error) {
    int64_t left = run->frame_count - first;
    int32_t most = page_chunk_frames(run->info.body_count);
    *chunk = (page_chunk){.run = run, .first = first, .count = left < most ? (int32_t)left : most, .bodies = run->info.body_count};
    abut_status status = allocate(chunk);
    if (status) {
        return abut_fail(error, status, "%s: no memory to read it", run->info.path);
    }
    for (int32_t i = 0; i < chunk->count && !status; i++) {
        status = load_frame(chunk, run, i, error);
    }
    return status;
}

void page_chunk_release(page_chunk *chunk) {
    free(chunk->presence);
    free(chunk->largest);
    free(chunk->position);
    free(chunk->turn);
    free(chunk->velocity);
    free(chunk->contact_counts);
    free(chunk->contacts);
    free(chunk->entries);
    free(chunk->entry_last);
    free(chunk->hold);
    free(chunk->joint);
    *chunk = (page_chunk){0};
}

size_t page_chunk_bytes(const page_chunk *chunk) {
    size_t states = (size_t)chunk->bodies * (size_t)chunk->count;
    return states * (3 * sizeof(double) + 10 * sizeof(int32_t) + 1) + (size_t)chunk->bodies * sizeof(double) +
           chunk->contact_count * sizeof *chunk->contacts + chunk->entry_bytes +
           (size_t)chunk->run->info.joint_count * (size_t)chunk->count * (PAGE_JOINT_CELLS * sizeof(int32_t) + 1);
}

/* ---- packing ---- */

/* In place: replaces each number by its difference from the straight line through the two before it. Integers wrap. */
static void subtract_lines(int32_t *numbers, size_t count) {
    for (size_t i = count; i-- > 2;) {
        numbers[i] = (int32_t)((uint32_t)numbers[i] - 2 * (uint32_t)numbers[i - 1] + (uint32_t)numbers[i - 2]);
    }
    if (count > 1) {
        numbers[1] = (int32_t)((uint32_t)numbers[1] - (uint32_t)numbers[0]);
    }
}

void page_subtract_last(int32_t *numbers, size_t count) {
    for (size_t i = count; i-- > 1;) {
        numbers[i] = (int32_t)((uint32_t)numbers[i] - (uint32_t)numbers[i - 1]);
    }
}

abut_status page_pack_poses(page_packer *packer, const page_chunk *chunk, page_block *block) {
    size_t count = (size_t)chunk->count, bodies = (size_t)chunk->bodies, states = bodies * count;
    int32_t *shifts = malloc((bodies + 7 * states + 1) * sizeof *shifts);
    if (!shifts) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    int32_t *residuals = shifts + bodies;
    /* Each body has its own unit, so that a body that flies off does not make the others coarse. */
    for (size_t b = 0; b < bodies; b++) {
        shifts[b] = page_shift(chunk->largest[b], chunk->run->digits);
        const double scale = ldexp(1.0, chunk->run->digits - shifts[b]);
        for (size_t c = 0; c < 3; c++) {
            for (size_t i = (c * bodies + b) * count; i < (c * bodies + b + 1) * count; i++) {
                residuals[i] = page_fixed(chunk->position[i], scale);
            }
        }
    }
    for (size_t i = 0; i < 4 * states; i++) {
        residuals[3 * states + i] = chunk->turn[i];
    }
    for (size_t line = 0; line < 7 * bodies; line++) {
        subtract_lines(residuals + line * count, count);
    }
    page_block_begin(packer, (page_block){.kind = PAGE_POSES, .first = chunk->first, .count = chunk->count});
    page_block_put(packer, chunk->presence, states);
    page_block_put_planes(packer, shifts, bodies);
    page_block_put_planes(packer, residuals, 7 * states);
    free(shifts);
    return page_block_end(packer, block);
}

abut_status page_pack_velocities(page_packer *packer, const page_chunk *chunk, page_block *block) {
    size_t count = (size_t)chunk->count, states = (size_t)chunk->bodies * count;
    for (size_t line = 0; line < 6 * (size_t)chunk->bodies; line++) {
        page_subtract_last(chunk->velocity + line * count, count);
    }
    page_block made = {.kind = PAGE_VELOCITIES, .first = chunk->first, .count = chunk->count};
    page_block_begin(packer, made);
    page_block_put_planes(packer, chunk->velocity, 6 * states);
    return page_block_end(packer, block);
}
