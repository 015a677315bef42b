/* The two sides of a pair: see sides.h. */
#include "narrow/seam/sides.h"

#include "base/real.h"

seam_pair seam_of_pair(const collide_pair *pair, bool still_is_a, const still_bodies *others) {
    abut_mat3 identity = abut_mat3_identity();
    abut_vec3 origin = {0.0, 0.0, 0.0};
    seam_pair seam = {.pair = pair, .still_is_a = still_is_a, .others = others};
    seam.body = still_is_a ? pair->b : pair->a;
    seam.still = still_is_a ? pair->a : pair->b;
    seam.body_rotation = still_is_a ? pair->rotation_b : identity;
    seam.still_rotation = still_is_a ? identity : pair->rotation_b;
    seam.body_position = still_is_a ? pair->position_b : origin;
    seam.still_position = still_is_a ? origin : pair->position_b;
    return seam;
}

/* The smaller size of the two; a plane has none. */
static double smaller_size(const abut_shape *p, const abut_shape *q) {
    return p->size == 0.0 || q->size == 0.0 ? p->size + q->size : real_min(p->size, q->size);
}

still_scale seam_scale(const seam_pair *seam) {
    const abut_shape *still = seam->still;
    double size = smaller_size(seam->body, still);
    for (int32_t i = 0; i < seam_part_count(still); ++i) {
        size = real_min(size, still->parts[i].shape->size);
    }
    double far = abut_length(seam->still_position) + abut_length(seam->body_position) + size;
    return (still_scale){.level = 1e-5 * size + 1e-14 * far, .crack = 2e-4 * size + 1e-13 * far, .reach = seam->body->size};
}

still_part seam_own_part(const seam_pair *seam, int32_t index) {
    return seam_part_count(seam->still) > 0 ? still_part_in(seam->still, seam->still_rotation, seam->still_position, index)
                                            : still_part_of(seam->still, seam->still_rotation, seam->still_position);
}

convex seam_body_part(const seam_pair *seam, int32_t index) {
    bool parted = seam_part_count(seam->body) > 0;
    still_part part = parted ? still_part_in(seam->body, seam->body_rotation, seam->body_position, index)
                             : still_part_of(seam->body, seam->body_rotation, seam->body_position);
    part.body.part = parted ? index : 0;
    return part.body;
}

bool seam_body_is_convex(const seam_pair *seam) { return seam->body->kind == ABUT_SHAPE_COMPOUND || shape_is_convex(seam->body); }

abut_vec3 seam_viewer(const seam_pair *seam, int32_t index) {
    if (seam_body_is_convex(seam)) {
        convex part = seam_body_part(seam, index);
        return convex_inner_centre(&part);
    }
    abut_vec3 middle = abut_lerp(seam->body->bounds.lower, seam->body->bounds.upper, 0.5);
    return abut_add(abut_mat3_apply(seam->body_rotation, middle), seam->body_position);
}
