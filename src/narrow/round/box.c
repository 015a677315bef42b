/*
 * A box and a sphere or a capsule. The closest features of both are found in the box's frame, from signs and one root of a derivative. Where they are the
 * closest ones by more than any rounding error, the general path comes to the same features, and the normal is computed from them as in robust_feature.c. The
 * centre of a sphere inside the box leaves through the closest face, as in depth.c. All other pairs, such as a capsule along a face, are left to the general
 * path.
 */
#include "narrow/round/rod.h"

#include "narrow/normal/robust_feature.h"
#include "narrow/separating.h"

/* ---- the closest point of the axis, box frame ---- */

typedef struct nearest {
    double place;     /* along the axis, from -1 to 1 */
    double excess[3]; /* how far the point lies beyond the faces across each axis; negative inside */
    double distance;
    int32_t outside, vertex; /* bits by axes: beyond a face; on the positive side */
} nearest;

/* The axis of the rod, seen from the box. */
typedef struct line {
    double middle[3], reach[3], half[3];
} line;

static double clamped(double x, double half) { return x > half ? x - half : x < -half ? x + half : 0.0; }

/* Half of the derivative of the squared distance from the box. It never falls. */
static double rate_at(const line *l, double place) {
    double rate = 0.0;
    for (int i = 0; i < 3; ++i) {
        rate += clamped(l->middle[i] + place * l->reach[i], l->half[i]) * l->reach[i];
    }
    return rate;
}

/* Narrows the range by the places where the axis crosses planes of faces. Between them the derivative is linear. */
static double root_between(const line *l, double rate_low, double rate_high) {
    double low = -1.0, high = 1.0;
    for (int i = 0; i < 6; ++i) {
        double at = ((i & 1 ? l->half[i >> 1] : -l->half[i >> 1]) - l->middle[i >> 1]) / l->reach[i >> 1];
        if (at > low && at < high) {
            double rate = rate_at(l, at);
            low = rate <= 0.0 ? at : low;
            rate_low = rate <= 0.0 ? rate : rate_low;
            high = rate <= 0.0 ? high : at;
            rate_high = rate <= 0.0 ? rate_high : rate;
        }
    }
    return rate_high > rate_low ? low + (high - low) * (-rate_low / (rate_high - rate_low)) : 0.5 * (low + high);
}

static double place_of(const line *l) {
    double first = rate_at(l, -1.0);
    if (first >= 0.0) {
        return -1.0;
    }
    double last = rate_at(l, 1.0);
    return last <= 0.0 ? 1.0 : root_between(l, first, last);
}

static nearest nearest_at(const line *l, double place) {
    nearest found = {.place = place};
    double square = 0.0;
    for (int i = 0; i < 3; ++i) {
        double x = l->middle[i] + place * l->reach[i], excess = fabs(x) - l->half[i];
        found.excess[i] = excess;
        found.outside |= (excess > 0.0) << i;
        found.vertex |= (x > 0.0) << i;
        square += excess > 0.0 ? excess * excess : 0.0;
    }
    found.distance = sqrt(square);
    return found;
}

static line line_of(const brick *box, const rod *round) {
    abut_vec3 middle = brick_local(box, abut_sub(round->position, box->position)), half = box->shape->half, reach = {0.0, 0.0, 0.0};
    if (!round->is_point) {
        reach = abut_scale(round->half, brick_local(box, round->along));
    }
    return (line){{middle.x, middle.y, middle.z}, {reach.x, reach.y, reach.z}, {half.x, half.y, half.z}};
}

/* ---- features ---- */

/* Whether no length is so small or so large beside the others that rounding errors would show. */
static bool is_plain(const round_pair *pair, const rod *round, double far) {
    abut_vec3 half = pair->box.shape->half;
    double size = pair->box.shape->size, all = pair->scale + far;
    return real_min(half.x, real_min(half.y, half.z)) > 1e-4 * size && far < 200.0 * pair->scale && far < 1e6 * size &&
           (round->is_point || round->half > 1e-5 * all);
}

/* Whether the features are the closest ones by so much that no method can find others. */
static bool is_clear(const nearest *near, double size, double all) {
    double distance = near->distance, rounding = 4e-16 * all + 1e-15 * distance, room = 2e-6 * (size + distance);
    return fabs(near->excess[0]) > room && fabs(near->excess[1]) > room && fabs(near->excess[2]) > room &&
           distance > 2e-6 * size + 1e-10 * all && 20.0 * distance * rounding <= room * room;
}

/* The centre of a sphere inside the box: it leaves through the closest face. False where several faces are nearly as close, or the centre is near to one. */
static bool leave(nearest *near, const line *l, double all) {
    const double doubt = 1e-8 * all, *excess = near->excess;
    int axis = box_one_of_three(excess[1] > excess[0], excess[2] > real_max(excess[0], excess[1])), u = axis == 0 ? 1 : 0,
        v = axis == 2 ? 1 : 2;
    near->outside = 1 << axis;
    return excess[axis] < -doubt && real_max(excess[u], excess[v]) < excess[axis] - doubt && excess[axis] + l->half[axis] > doubt;
}

/* Sets the features of both bodies that are closest. False where the closest point of the axis is not clearly an end or between the ends. */
static bool set_features(const nearest *near, const line *l, rod *box, rod *round) {
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
    return inner ? count > 1 : fabs(near->place) == 1.0 && fabs(rate_at(l, near->place)) > 1e-5 * near->distance * round->half;
}

/* The direction from A to B between their features, as robust_distance() has it. */
static bool direction_between(const rod *a, const rod *b, abut_vec3 *direction) {
    if (a->kind == ABUT_FEATURE_FACE || b->kind == ABUT_FEATURE_FACE) {
        *direction = a->kind == ABUT_FEATURE_FACE ? brick_normal(a->box, a->index) : abut_neg(brick_normal(b->box, b->index));
        return true;
    }
    gjk_result found;
    bool clear = robust_points(a->kind, &a->ends[a->end], b->kind, &b->ends[b->end], &found);
    *direction = found.direction;
    return clear;
}

/* ---- the pair ---- */

/* Whether the cached direction still separates the bodies, as collide_generally() asks first. */
static bool stay_apart(const round_pair *pair, const abut_cache *cache) {
    abut_vec3 unit = cache != NULL ? abut_unit(cache->axis) : abut_vec3_make(0.0, 0.0, 0.0);
    return abut_length_squared(unit) > 0.5 &&
           -rod_support(&pair->a, &pair->b, unit) >
               pair->settings->margin + separating_doubt_of_shapes(pair->bodies[0]->shape, pair->bodies[1]->shape, pair->place.position_b);
}

/* Finds the closest features and the direction from A to B between them. False where they are not clear. */
static bool find_direction(round_pair *pair, abut_vec3 *direction) {
    rod *of_box = pair->a.box != NULL ? &pair->a : &pair->b, *round = pair->a.box != NULL ? &pair->b : &pair->a;
    const abut_vec3 *p = &pair->place.position_b;
    const line axis = line_of(&pair->box, round);
    double far = fabs(p->x) + fabs(p->y) + fabs(p->z), all = pair->scale + far;
    if (!is_plain(pair, round, far)) {
        return false;
    }
    nearest near = nearest_at(&axis, round->is_point ? 0.0 : place_of(&axis));
    bool inside = round->is_point && near.outside == 0;
    return (inside ? leave(&near, &axis, all) : is_clear(&near, pair->box.shape->size, all)) && set_features(&near, &axis, of_box, round) &&
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
    double gap = -rod_support(&pair.a, &pair.b, direction);
    pair.a.outward = direction;
    pair.b.outward = abut_neg(direction);
    return gap <= settings->margin + CONTACT_ROUNDING * pair.scale ? rod_touch(&pair, gap, answer) : round_is_apart(answer, direction);
}
