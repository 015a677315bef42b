/*
 * The states of joints: coordinates and loads in single precision, of which the difference from the frame before is kept.
 */
#include "io/page/chunk.h"

abut_status page_load_joints(page_chunk *chunk, int32_t frame, int64_t source, abut_error *error) {
    const abut_recorded_joint_state *states = NULL;
    size_t joints = (size_t)chunk->run->info.joint_count, count = (size_t)chunk->count;
    abut_status status = abut_recording_joints(chunk->run->recording, source, &states, error);
    for (size_t j = 0; j < joints && !status; j++) {
        const abut_joint_state *s = &states[j].state;
        const double cells[PAGE_JOINT_CELLS] = {s->coordinate, s->spin,     s->force.x,  s->force.y,
                                                s->force.z,    s->torque.x, s->torque.y, s->torque.z};
        bool there = states[j].hold != ABUT_HOLD_GONE;
        chunk->hold[j * count + (size_t)frame] = (unsigned char)states[j].hold;
        for (size_t c = 0; c < PAGE_JOINT_CELLS; c++) {
            int32_t *at = chunk->joint + (c * joints + j) * count + frame;
            int32_t last = frame > 0 ? at[-1] : 0; /* kept by a joint that is gone */
            *at = !there ? last : c < 2 ? page_float_order(cells[c]) : page_float_order_short(cells[c]);
        }
    }
    return status;
}

abut_status page_pack_joints(page_packer *packer, const page_chunk *chunk, page_block *block) {
    size_t count = (size_t)chunk->count, joints = (size_t)chunk->run->info.joint_count;
    for (size_t line = 0; line < PAGE_JOINT_CELLS * joints; line++) {
        page_subtract_last(chunk->joint + line * count, count);
    }
    page_block_begin(packer, (page_block){.kind = PAGE_JOINTS, .first = chunk->first, .count = chunk->count});
    page_block_put(packer, chunk->hold, joints * count);
    page_block_put_planes(packer, chunk->joint, PAGE_JOINT_CELLS * joints * count);
    return page_block_end(packer, block);
}
