/* Closest points of two cores, one of them a frustum: see apart.h. */
#include "narrow/normal/frustum/apart.h"

#include "base/real.h"
#include "narrow/normal/extremal/extremal.h"
#include "narrow/normal/gjk_points.h"

/* ---- features near a direction ---- */

enum { MOST_FEATURES = 32 };

/* Whether the pair's direction is that of the distance, or at a local minimum of the height: its points face each other. */
static bool is_facing(const frustum_pair *pair, double scale) { return pair->aside <= 1e-14 * scale; }

/* Takes the pair of two features, next to the start, if no direction so far is better. */
static void offer(const convex *a, const convex *b, const stratum *sa, const stratum *sb, abut_vec3 start, frustum_pair *pair) {
    const double scale = frustum_scale(a, b);
    frustum_pair found = *pair;
    found.direction = start;
    if (!stratum_settle(sa, sb, &found.direction)) {
        return;
    }
    found.height = frustum_pair_height(a, b, found.direction);
    double rounding = 1e-15 * scale;
    if (!(found.height <= pair->height + rounding)) {
        return;
    }
    facing_find(sa, sb, &found);
    if (found.height < pair->height - rounding || found.aside < pair->aside) {
        *pair = found;
    }
}

void frustum_sharpen(const convex *a, const convex *b, double sine, frustum_pair *pair) {
    stratum list_a[MOST_FEATURES], list_b[MOST_FEATURES];
    const double scale = frustum_scale(a, b);
    const abut_vec3 start = pair->direction;
    int count_a = stratum_list(a, 1.0, start, sine, list_a, MOST_FEATURES),
        count_b = stratum_list(b, -1.0, start, sine, list_b, MOST_FEATURES);
    for (int i = 0; i < count_a && !is_facing(pair, scale); ++i) {
        for (int k = 0; k < count_b && !is_facing(pair, scale); ++k) {
            offer(a, b, &list_a[i], &list_b[k], start, pair);
        }
    }
}

/* With growing angles: most pairs need only the features that are next to the direction. aside: of the points so far. */
static void sharpen(const convex *a, const convex *b, double aside, frustum_pair *pair) {
    static const double sine[] = {1e-7, 1e-4, 3e-2};
    pair->aside = aside;
    pair->feature_a = pair->feature_b = (abut_feature){.kind = ABUT_FEATURE_NONE};
    for (size_t i = 0; i < sizeof sine / sizeof *sine && !is_facing(pair, frustum_scale(a, b)); ++i) {
        frustum_sharpen(a, b, sine[i], pair);
    }
}

/* ---- the descent ---- */

/* Descends towards the closest point of A - B, up to a relative error of its length. Returns false when the cores meet. */
static bool descend(gjk_points *at, abut_vec3 start, double error, double enough, frustum_pair *pair, bool *far) {
    enum { MOST_SUPPORTS = 200 };
    const double rounding = 4e-16 * frustum_scale(at->a, at->b);
    abut_vec3 v;
    double least = INFINITY;
    at->s.count = 0;
    *far = false;
    pair->height = abut_dot(start, gjk_points_add(at, start));
    pair->direction = start;
    if (pair->height < -enough) {
        *far = true;
        return true;
    }
    gjk_simplex_reduce(&at->s, &v);
    gjk_points_read(at, &pair->on_a, &pair->on_b);
    for (int i = 0; i < MOST_SUPPORTS; ++i) {
        double length = abut_length(v);
        if (at->s.count == 4 || !(length > rounding)) {
            return false;
        }
        abut_vec3 towards = abut_scale(-1.0 / length, v), closer;
        gjk_points next = *at;
        double height = abut_dot(towards, gjk_points_add(&next, towards)), left = length + height;
        if (left < least) {
            least = left;
            pair->direction = towards;
            pair->height = height;
            gjk_points_read(at, &pair->on_a, &pair->on_b);
        }
        if (height < -enough) {
            *far = true;
            return true;
        }
        if (left <= rounding + error * length) {
            return true;
        }
        gjk_simplex_reduce(&next.s, &closer);
        if (next.s.count < 4 && !(abut_length(closer) < length)) {
            return true;
        }
        *at = next;
        v = closer;
    }
    return true;
}

/* For smooth bodies that are so flat that features and directions say little: descends to the last digits. */
static void sharpen_slowly(const convex *a, const convex *b, abut_vec3 start, frustum_pair *pair) {
    gjk_points at = {.a = a, .b = b};
    frustum_pair slow;
    bool far;
    if (!descend(&at, start, 0.0, INFINITY, &slow, &far)) {
        return;
    }
    slow.aside = abut_distance_between(slow.on_a, abut_add_scaled(slow.on_b, slow.height, slow.direction));
    slow.feature_a = pair->feature_a;
    slow.feature_b = pair->feature_b;
    for (int i = 0; i < 2; ++i) {
        frustum_sharpen(a, b, i == 0 ? 1e-7 : 1e-3, &slow);
    }
    if (slow.height <= pair->height + 1e-15 * frustum_scale(a, b) && !(slow.aside >= pair->aside)) {
        *pair = slow;
    }
}

/* Whether the points prove the height: no direction separates the cores by more than two of their points are apart. */
static bool is_proven(const frustum_pair *pair, double scale) { return pair->aside <= 1e-13 * scale; }

/* Between needles the descent can end far from the best direction. Cuts find it however slender the bodies are. A smooth body is searched by them later. */
static void sharpen_by_cuts(const convex *a, const convex *b, frustum_pair *pair) {
    extremal best;
    if (a->core == CORE_SMOOTH || b->core == CORE_SMOOTH || !extremal_by_cuts(a, b, pair->direction, &best) ||
        !(best.height <= pair->height + 1e-15 * frustum_scale(a, b))) {
        return;
    }
    frustum_pair sharp = {.direction = best.direction, .height = best.height, .on_a = best.on_a, .on_b = best.on_b};
    sharpen(a, b, abut_distance_between(sharp.on_a, abut_add_scaled(sharp.on_b, sharp.height, sharp.direction)), &sharp);
    if (sharp.aside < pair->aside) {
        *pair = sharp;
    }
}

frustum_relation frustum_apart(const convex *a, const convex *b, abut_vec3 start, double enough, frustum_pair *pair) {
    const double scale = frustum_scale(a, b);
    gjk_points at = {.a = a, .b = b};
    bool far;
    bool meet = !descend(&at, start, 1e-9, enough, pair, &far);
    if (far) {
        return FRUSTUM_FAR;
    }
    if (meet) {
        pair->height = frustum_pair_height(a, b, pair->direction);
        return FRUSTUM_CLOSE;
    }
    sharpen(a, b, INFINITY, pair);
    if (!is_facing(pair, scale)) {
        sharpen_slowly(a, b, start, pair);
    }
    if (!is_proven(pair, scale)) {
        sharpen_by_cuts(a, b, pair);
    }
    bool clear = pair->height < -real_max(1e-12 * scale, 1e-10 * real_min(a->size, b->size));
    return pair->height < -enough ? FRUSTUM_FAR : clear ? FRUSTUM_APART : FRUSTUM_CLOSE;
}

/* Points of the features along the direction itself, if they face each other up to `near`. Two vertices that touch have many common normals, and none is
 * stationary. */
static void take_as_is(const convex *a, const convex *b, double near, frustum_pair *pair) {
    const double exact = 1e-7;
    stratum list_a[MOST_FEATURES], list_b[MOST_FEATURES];
    int count_a = stratum_list(a, 1.0, pair->direction, exact, list_a, MOST_FEATURES);
    int count_b = stratum_list(b, -1.0, pair->direction, exact, list_b, MOST_FEATURES);
    for (int i = 0; i < count_a * count_b; ++i) {
        frustum_pair found = *pair;
        facing_find(&list_a[i / count_b], &list_b[i % count_b], &found);
        if (found.aside <= near && found.aside < pair->aside) {
            *pair = found;
        }
    }
}

void frustum_face(const convex *a, const convex *b, frustum_pair *pair) {
    enum { MOST_ROUNDS = 8 };
    const double same = 1e-4;
    int32_t end_a = convex_support(a, pair->direction, &pair->on_a), end_b = convex_support(b, abut_neg(pair->direction), &pair->on_b);
    pair->feature_a = (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = end_a};
    pair->feature_b = (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = end_b};
    pair->aside = INFINITY;
    /* Each round lowers the height: the next features lie about the direction of the last round. */
    const abut_vec3 start = pair->direction;
    double before = INFINITY;
    for (int i = 0; i < MOST_ROUNDS && !is_facing(pair, frustum_scale(a, b)) && pair->height < before; ++i) {
        frustum_pair sharp = *pair;
        before = pair->height;
        frustum_sharpen(a, b, 1e-7, &sharp);
        if (abut_distance_between(sharp.direction, start) <= same) {
            *pair = sharp;
        }
    }
    if (!is_facing(pair, frustum_scale(a, b))) {
        take_as_is(a, b, INFINITY, pair);
    }
}

void frustum_local(const convex *a, const convex *b, abut_vec3 start, frustum_pair *pair) {
    pair->direction = start;
    pair->height = frustum_pair_height(a, b, start);
    (void)convex_support(a, start, &pair->on_a);
    (void)convex_support(b, abut_neg(start), &pair->on_b);
    sharpen(a, b, INFINITY, pair);
    if (!is_facing(pair, frustum_scale(a, b))) {
        take_as_is(a, b, 1e-12 * frustum_scale(a, b), pair);
    }
}

void frustum_near(const convex *a, const convex *b, abut_vec3 start, frustum_pair *pair) {
    if (frustum_apart(a, b, start, INFINITY, pair) == FRUSTUM_CLOSE) {
        frustum_local(a, b, start, pair);
    }
}
