/*
 * A box and a sphere or a capsule. The closest features of both are found in the box's frame, from signs and one root of a derivative. Where they are the
 * closest ones by more than any rounding error, the general path comes to the same features, and the normal is computed from them as in robust_feature.c. The
 * centre of a sphere inside the box leaves through the closest face, as in depth.c. All other pairs, such as a capsule along a face, are left to the general
 * path.
 */
#include "narrow/round/rod.h"

#include "narrow/normal/axis/box_line.h"
#include "narrow/normal/robust_feature.h"
#include "narrow/separating.h"

/* ---- features ---- */

static box_line line_of(const brick *box, const rod *round) {
    abut_vec3 middle = brick_local(box, abut_sub(round->position, box->position)), reach = {0.0, 0.0, 0.0};
    if (!round->is_point) {
        reach = abut_scale(round->half, brick_local(box, round->along));
    }
    return box_line_of(middle, reach, box->shape->half);
}

/* The centre of a sphere inside the box: it leaves through the closest face. False where several faces are nearly as close, or the centre is near to one. */
static bool leave(box_nearest *near, const box_line *l, double all) {
    const double doubt = 1e-8 * all, *excess = near->excess;
    int axis = box_one_of_three(excess[1] > excess[0], excess[2] > real_max(excess[0], excess[1])), u = axis == 0 ? 1 : 0,
        v = axis == 2 ? 1 : 2;
    near->outside = 1 << axis;
    return excess[axis] < -doubt && real_max(excess[u], excess[v]) < excess[axis] - doubt && excess[axis] + l->half[axis] > doubt;
}

/* Sets the features of both bodies that are closest. False where the closest point of the axis is not clearly an end or between the ends. */
static bool set_features(const box_nearest *near, const box_line *l, rod *box, rod *round) {
    int outside = near->outside, count = (outside & 1) + (outside >> 1 & 1) + (outside >> 2);
    int lone = count == 1 ? outside : 7 & ~outside, axis = lone >> 1; /* of the one that is unlike the others */
    rod_set_feature(box,
                    count == 1   ? ABUT_FEATURE_FACE
                    : count == 2 ? ABUT_FEATURE_EDGE
                                 : ABUT_FEATURE_VERTEX,
                    count == 3 ? 0 : axis, near->vertex);
    round->kind = ABUT_FEATURE_VERTEX;
    round->end = near->place >= 1.0;
    if (round->is_point) {
        return true;
    }
    bool inner = fabs(near->place) < 1.0 - 2e-4;
    round->kind = inner ? ABUT_FEATURE_EDGE : ABUT_FEATURE_VERTEX;
    return inner ? count > 1 : fabs(near->place) == 1.0 && (count == 1 || !box_line_is_level(l, near, round->half));
}

/* The direction from A to B between their features, as robust_distance() has it. */
static bool direction_between(const rod *a, const rod *b, abut_vec3 *direction) {
    if (a->kind == ABUT_FEATURE_FACE || b->kind == ABUT_FEATURE_FACE) {
        *direction = a->kind == ABUT_FEATURE_FACE ? brick_normal(a->box, a->index) : abut_neg(brick_normal(b->box, b->index));
        return true;
    }
    gjk_result found;
    bool clear = robust_points(a->kind, &a->ends[a->end], b->kind, &b->ends[b->end], &found);
    *direction = rod_copy(&found.direction);
    return clear;
}

/* ---- the pair ---- */

/* Whether the cached direction still separates the bodies, as collide_generally() asks first. */
static bool stay_apart(const round_pair *pair, const abut_cache *cache) {
    abut_vec3 unit = cache != NULL ? abut_unit(cache->axis) : abut_vec3_make(0.0, 0.0, 0.0);
    return abut_length_squared(unit) > 0.5 &&
           -rod_support(&pair->a, &pair->b, &unit) >
               pair->settings->margin + separating_doubt_of_shapes(pair->bodies[0]->shape, pair->bodies[1]->shape, pair->place.position_b);
}

/* Finds the closest features and the direction from A to B between them. False where they are not clear. */
static bool find_direction(round_pair *pair, abut_vec3 *direction) {
    rod *of_box = pair->a.box != NULL ? &pair->a : &pair->b, *round = pair->a.box != NULL ? &pair->b : &pair->a;
    const abut_vec3 *p = &pair->place.position_b;
    const box_line axis = line_of(&pair->box, round);
    double size = pair->box.shape->size, far = fabs(p->x) + fabs(p->y) + fabs(p->z), all = pair->scale + far;
    if (!box_line_is_plain(&axis, size, pair->scale, far, round->is_point ? 0.0 : round->half)) {
        return false;
    }
    box_nearest near;
    box_line_nearest(&axis, round->is_point, &near);
    bool inside = round->is_point && near.outside == 0;
    return (inside ? leave(&near, &axis, all) : box_line_is_clear(&near, size, all)) && set_features(&near, &axis, of_box, round) &&
           direction_between(&pair->a, &pair->b, direction);
}

bool round_on_box(const round_body *a, const round_body *b, const abut_collide_settings *settings, round_answer *answer) {
    round_pair pair;
    abut_vec3 direction;
    if (!rod_place(a, b, settings, &pair)) {
        return false;
    }
    if (stay_apart(&pair, answer->cache)) {
        answer->count = 0;
        return true;
    }
    if (!find_direction(&pair, &direction)) {
        return false;
    }
    double gap = -rod_support(&pair.a, &pair.b, &direction);
    pair.a.outward = rod_copy(&direction);
    pair.b.outward = abut_neg(direction);
    if (!(gap <= settings->margin + CONTACT_ROUNDING * pair.scale)) {
        return round_is_apart(answer, direction);
    }
    return rod_touch(&pair, gap, answer) || rod_patch(&pair, gap, answer);
}
