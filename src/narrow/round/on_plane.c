/* A sphere and a plane. */
#include "narrow/round/spot.h"

#include "narrow/normal/feature_overlap.h"

/* The plane and the ball in the pair's frame. */
typedef struct plane_place {
    abut_vec3 outward, centre;
    double offset;
} plane_place;

static plane_place place_both(const round_body *a, const round_body *b, const round_place *place, bool plane_is_a) {
    const abut_vec3 origin = {0.0, 0.0, 0.0};
    if (plane_is_a) {
        plane_place found = {a->shape->normal, place->position_b, a->shape->offset};
        if (round_has_zero(place->position_b)) {
            found.centre = round_centre_with_zeros(a, b).vertex;
        }
        return found;
    }
    plane_place found;
    const abut_mat3 turn = round_turn(place, b);
    found.outward = abut_mat3_apply(turn, b->shape->normal);
    found.offset = b->shape->offset + abut_dot(found.outward, place->position_b);
    found.centre = origin;
    return found;
}

/* The point of the plane over a place of the contact plane. */
static abut_vec3 lift(const contact_plane *frame, const plane_place *plane, double x, double y) {
    double slope = abut_dot(plane->outward, plane->outward), height = plane->offset / slope;
    double along_x = -abut_dot(plane->outward, frame->first) / slope, along_y = -abut_dot(plane->outward, frame->second) / slope;
    double t = height + along_x * x + along_y * y;
    return abut_add_scaled(abut_add(abut_scale(x, frame->first), abut_scale(y, frame->second)), t, plane->outward);
}

bool round_on_plane(const round_body *a, const round_body *b, const abut_collide_settings *settings, round_answer *answer) {
    bool plane_is_a = a->shape->kind == ABUT_SHAPE_PLANE;
    const abut_shape *ball = plane_is_a ? b->shape : a->shape;
    round_place place;
    if (!round_set_place(a, b, &place)) {
        return false;
    }
    const plane_place plane = place_both(a, b, &place, plane_is_a);
    const contact_plane frame = contact_plane_of(plane_is_a ? abut_neg(plane.outward) : plane.outward);
    double x = abut_dot(frame.first, plane.centre), y = abut_dot(frame.second, plane.centre);
    abut_vec3 on_plane = lift(&frame, &plane, x, y), on_ball = abut_add_scaled(plane.centre, ball->radius, abut_neg(plane.outward));
    const round_name face = {ABUT_FEATURE_FACE, 0}, smooth = {ABUT_FEATURE_SMOOTH, 0};
    round_spot spot;
    spot.on_a = plane_is_a ? on_plane : on_ball;
    spot.on_b = plane_is_a ? on_ball : on_plane;
    spot.normal = frame.normal;
    spot.gap = abut_dot(frame.normal, abut_sub(spot.on_a, spot.on_b));
    answer->count = 0;
    if (!(spot.gap <= settings->margin + CONTACT_ROUNDING * ball->size)) {
        return true;
    }
    spot.name_a = plane_is_a ? face : smooth;
    spot.name_b = plane_is_a ? smooth : face;
    spot.id = round_id(spot.name_a, spot.name_b, !plane_is_a); /* by the order of kinds: a sphere comes before a plane */
    round_write(&spot, &place, a, answer);
    return true;
}
