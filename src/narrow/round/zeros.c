/* The signs of zeros. Rare, and apart from the short paths, so that these stay short. */
#include "narrow/round/spot.h"

/* The place of B in the pair's frame. */
typedef struct stand {
    abut_mat3 turn;
    abut_vec3 middle;
    bool aligned;
} stand;

static void set_stand(const round_body *a, const round_body *b, stand *s) {
    round_place place;
    (void)round_set_place(a, b, &place);
    s->turn = round_turn(&place, b);
    s->middle = place.position_b;
    s->aligned = convex_is_identity(&s->turn);
}

/* convex_to_pair() of a point of the axis. */
static abut_vec3 at(const stand *s, double z) {
    const abut_vec3 local = {0.0, 0.0, z};
    return abut_add(s->aligned ? local : abut_mat3_apply(s->turn, local), s->middle);
}

round_centre round_centre_with_zeros(const round_body *a, const round_body *b) {
    stand s;
    set_stand(a, b, &s);
    return (round_centre){abut_add_scaled(s.middle, 0.0, abut_scale(0.0, s.turn.z)), at(&s, -0.0)};
}

void round_ends_with_zeros(const round_body *a, const round_body *b, abut_vec3 ends[2]) {
    stand s;
    set_stand(a, b, &s);
    ends[0] = at(&s, -b->shape->half_length);
    ends[1] = at(&s, b->shape->half_length);
}
