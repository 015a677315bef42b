/*
 * The contact normal of two bodies, at least one of them a cylinder or a cone, and none of them smooth. Separated cores get the direction of their closest points,
 * overlapping ones the direction of the least depth.
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

/* Two support points along the direction: a witness of the depth. */
static void find_witness(const convex *a, const convex *b, frustum_pair *pair) {
    int32_t va = convex_support(a, pair->direction, &pair->on_a), vb = convex_support(b, abut_neg(pair->direction), &pair->on_b);
    pair->feature_a = (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = va};
    pair->feature_b = (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = vb};
}

/* Points of cores that nearly touch: those of features that face each other along the direction, or the closest ones of the search, whichever face each other
 * better. The direction stays, so that rounding error does not decide between ties. */
static void find_facing(const convex *a, const convex *b, const frustum_pair *closest, frustum_pair *pair) {
    frustum_pair facing = *pair;
    facing.aside = INFINITY;
    frustum_sharpen(a, b, 1e-7, &facing);
    double aside = abut_distance_between(closest->on_a, abut_add_scaled(closest->on_b, pair->height, pair->direction));
    bool closer = aside < facing.aside;
    pair->on_a = closer ? closest->on_a : facing.on_a;
    pair->on_b = closer ? closest->on_b : facing.on_b;
}

bool normal_of_frustum(const convex *a, const convex *b, const normal_settings *settings, contact_normal *normal) {
    const double near =
        1e-9; /* cores that nearly touch need points that face each other, because patches of several points may have none */
    const double enough = settings->margin + CONTACT_ROUNDING * (a->size + b->size) + a->radius + b->radius;
    frustum_pair pair = {.direction = {0.0, 0.0, 0.0}};
    bool chosen = false;
    frustum_relation relation = frustum_apart(a, b, start_of(a, b, settings->aside), enough, &pair);
    const frustum_pair closest = pair;
    if (relation == FRUSTUM_CLOSE) {
        abut_vec3 wish = abut_length_squared(settings->previous) > 0.5 ? settings->previous : abut_unit(settings->aside);
        frustum_least(a, b, wish, &pair, &chosen);
    }
    if (relation != FRUSTUM_APART) {
        find_witness(a, b, &pair);
    }
    if (relation == FRUSTUM_CLOSE && fabs(pair.height) <= near * (a->size + b->size)) {
        find_facing(a, b, &closest, &pair);
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
