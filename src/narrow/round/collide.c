#include "narrow/round/spot.h"

static bool is_point(const abut_shape *shape) { return !(shape->half_length > 0.0); }

/* The radius of a ball about the body. Boxes have no radius. */
static double reach_of(const abut_shape *shape) {
    return shape->kind == ABUT_SHAPE_BOX ? abut_length(shape->half) : shape->half_length + shape->radius;
}

/* Whether the balls about both bodies are apart by more than the margin, which no rounding error can change. */
static bool are_far(const round_body *a, const round_body *b, double margin) {
    const double slack = 1.0 + 1e-6, most = 1e100;
    double reach = reach_of(a->shape) + reach_of(b->shape) + margin;
    double square = abut_length_squared(abut_sub(b->pose->position, a->pose->position));
    return square < most && square > slack * reach * reach && reach * reach > 0.0;
}

bool round_collide(const round_body *a, const round_body *b, const abut_collide_settings *settings, round_answer *answer) {
    if (a->shape->kind == ABUT_SHAPE_PLANE || b->shape->kind == ABUT_SHAPE_PLANE) {
        return round_on_plane(a, b, settings, answer);
    }
    if (answer->cache == NULL && are_far(a, b, settings->margin)) {
        answer->count = 0;
        return true;
    }
    if (a->shape->kind == ABUT_SHAPE_BOX || b->shape->kind == ABUT_SHAPE_BOX) {
        return round_on_box(a, b, settings, answer);
    }
    return is_point(a->shape) && is_point(b->shape) ? round_balls(a, b, settings, answer) : round_capsules(a, b, settings, answer);
}
