/* The signs of zeros. Rare, and apart from the short paths, so that these stay short. */
#include "narrow/round/spot.h"

round_centre round_centre_with_zeros(const round_body *a, const round_body *b) {
    round_place place;
    (void)round_set_place(a, b, &place);
    const abut_mat3 turn = round_turn(&place, b);
    const abut_vec3 local = {0.0, 0.0, -0.0}, middle = place.position_b;
    return (round_centre){abut_add_scaled(middle, 0.0, abut_scale(0.0, turn.z)),
                          abut_add(convex_is_identity(&turn) ? local : abut_mat3_apply(turn, local), middle)};
}

void round_ends_with_zeros(const round_body *a, const round_body *b, abut_vec3 ends[2]) {
    round_place place;
    (void)round_set_place(a, b, &place);
    const abut_mat3 turn = round_turn(&place, b);
    for (int end = 0; end < 2; ++end) {
        const abut_vec3 local = {0.0, 0.0, end == 0 ? -b->shape->half_length : b->shape->half_length};
        ends[end] = abut_add(convex_is_identity(&turn) ? local : abut_mat3_apply(turn, local), place.position_b);
    }
}
