/* Two spheres. A capsule without a length counts as one. */
#include "narrow/round/spot.h"

bool round_balls(const round_body *a, const round_body *b, const abut_collide_settings *settings, round_answer *answer) {
    const double least = 1e-200, most = 1e200; /* of squares that a root takes as they are: see abut_unit() */
    round_place place;
    if (!round_set_place(a, b, &place)) {
        return false;
    }
    round_centre centre = {place.position_b, place.position_b};
    if (round_has_zero(place.position_b)) {
        centre = round_centre_with_zeros(a, b);
    }
    double radius_a = a->shape->radius, radius_b = b->shape->radius, scale = a->shape->size + b->shape->size;
    double square = abut_length_squared(centre.closest), distance = sqrt(square), gap = distance - radius_a - radius_b;
    if (!(square > least && square < most && distance > 1e-14 * scale)) {
        return false;
    }
    abut_vec3 direction = abut_vec3_make(centre.closest.x / distance, centre.closest.y / distance, centre.closest.z / distance);
    if (!(gap <= settings->margin + CONTACT_ROUNDING * scale)) {
        return round_is_apart(answer, direction);
    }
    const round_name smooth = {ABUT_FEATURE_SMOOTH, 0};
    round_spot spot;
    spot.normal = abut_neg(direction);
    spot.on_a = abut_add_scaled(abut_vec3_make(0.0, 0.0, 0.0), radius_a, direction);
    spot.on_b = abut_add_scaled(centre.vertex, radius_b, spot.normal);
    spot.gap = abut_dot(spot.normal, abut_sub(spot.on_a, spot.on_b));
    if (!round_shows(spot.gap, gap, settings->margin, scale)) {
        return false;
    }
    spot.name_a = spot.name_b = smooth;
    spot.id = round_id(smooth, smooth, true); /* alike in either order */
    round_remember(answer->cache, abut_vec3_make(0.0, 0.0, 0.0));
    round_write(&spot, &place, a, answer);
    return true;
}
