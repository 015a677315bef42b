/* A capsule, and another one or a sphere: one contact, between ends, or between an end and a side, or between sides that cross. */
#include "narrow/round/rod.h"

#include "narrow/normal/axis_pair.h"

/* better_of_axes() of normal/round.c: the direction across both axes is exact, where the difference of their points may be rounding error. */
static abut_vec3 better_of_axes(const rod *a, const rod *b, abut_vec3 direction) {
    abut_vec3 across = abut_unit(abut_cross(a->along, b->along));
    across = abut_dot(across, direction) < 0.0 ? abut_neg(across) : across;
    return rod_support(a, b, &across) < rod_support(a, b, &direction) ? across : direction;
}

bool round_capsules(const round_body *a, const round_body *b, const abut_collide_settings *settings, round_answer *answer) {
    round_pair pair;
    if (!rod_place(a, b, settings, &pair)) {
        return false;
    }
    rod *rod_a = &pair.a, *rod_b = &pair.b;
    const axis axis_a = {rod_copy(&rod_a->position), rod_copy(&rod_a->along), rod_a->half},
               axis_b = {rod_copy(&rod_b->position), rod_copy(&rod_b->along), rod_b->half};
    axis_pair closest;
    axis_pair_find(&axis_a, &axis_b, &closest);
    double distance = abut_length(closest.apart), gap = distance - rod_a->radius - rod_b->radius;
    if (!(distance > 1e-14 * pair.scale)) {
        return false;
    }
    rod_a->outward = abut_unit(closest.apart);
    rod_a->outward = closest.skew ? better_of_axes(rod_a, rod_b, rod_a->outward) : rod_a->outward;
    rod_b->outward = abut_neg(rod_a->outward);
    if (!(gap <= settings->margin + CONTACT_ROUNDING * pair.scale)) {
        return round_is_apart(answer, rod_a->outward);
    }
    return rod_touch(&pair, gap, answer) || rod_patch(&pair, gap, answer);
}
