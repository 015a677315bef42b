/*
 * The contact normal of two bodies, at least one of them a cylinder or a cone, and none of them smooth. Separated cores get the direction of their closest
 * points, overlapping ones the direction of the least depth.
 */

#include "narrow/normal/frustum/normal.h"

#include "base/real.h"
#include "narrow/normal/frustum/apart.h"
#include "narrow/normal/frustum/least.h"

static void write(const convex *a, const convex *b, const frustum_pair *pair, bool chosen, contact_normal *normal) {
    *normal = (contact_normal){.direction = pair->direction,
                               .gap = -pair->height - a->radius - b->radius,
                               .on_a = pair->on_a,
                               .on_b = pair->on_b,
                               .feature_a = pair->feature_a,
                               .feature_b = pair->feature_b,
                               .chosen = chosen,
                               .pair = NORMAL_FEATURES};
}

static abut_vec3 start_of(const convex *a, const convex *b, abut_vec3 otherwise) {
    abut_vec3 line = abut_unit(abut_sub(convex_centroid(b), convex_centroid(a)));
    return abut_length_squared(line) > 0.5 ? line : abut_unit(otherwise);
}

/* Cores that nearly touch may face each other best where the search for the distance found them closest. */
static void take_closest(const convex *a, const convex *b, const frustum_pair *closest, frustum_pair *pair) {
    const double near = 1e-9;
    double aside = abut_distance_between(closest->on_a, abut_add_scaled(closest->on_b, pair->height, pair->direction));
    if (fabs(pair->height) <= near * (a->size + b->size) && aside < pair->aside) {
        pair->on_a = closest->on_a;
        pair->on_b = closest->on_b;
        pair->aside = aside;
    }
}

static bool is_facing(const convex *a, const convex *b, const frustum_pair *pair) { return pair->aside <= 1e-12 * (a->size + b->size); }

/* A direction that won a tie, and whose points do not face each other, lies beside a local minimum that is as deep. The minimum is the answer, then. */
static void take_lowest(const convex *a, const convex *b, frustum_pair *lowest, frustum_pair *pair) {
    frustum_face(a, b, lowest);
    if (lowest->aside < pair->aside) {
        *pair = *lowest;
    }
}

bool normal_of_frustum(const convex *a, const convex *b, const normal_settings *settings, contact_normal *normal) {
    const double enough = settings->margin + CONTACT_ROUNDING * (a->size + b->size) + a->radius + b->radius;
    frustum_pair pair = {.direction = {0.0, 0.0, 0.0}};
    bool chosen = false;
    frustum_relation relation = frustum_apart(a, b, start_of(a, b, settings->aside), enough, &pair);
    const frustum_pair closest = pair;
    if (relation == FRUSTUM_CLOSE) {
        abut_vec3 wish = abut_length_squared(settings->previous) > 0.5 ? settings->previous : abut_unit(settings->aside);
        frustum_pair lowest = pair;
        frustum_least(a, b, wish, &pair, &lowest, &chosen);
        frustum_face(a, b, &pair);
        if (chosen && !is_facing(a, b, &pair)) {
            take_lowest(a, b, &lowest, &pair);
        }
        take_closest(a, b, &closest, &pair);
    }
    write(a, b, &pair, chosen, normal);
    return -pair.height <= enough;
}

bool normal_of_frustum_apart(const convex *a, const convex *b, contact_normal *normal) {
    frustum_pair pair = {.direction = {0.0, 0.0, 0.0}};
    if (frustum_apart(a, b, start_of(a, b, abut_vec3_make(0.31, 0.47, 0.83)), INFINITY, &pair) != FRUSTUM_APART) {
        return false;
    }
    write(a, b, &pair, false, normal);
    return normal->gap > 0.0;
}
