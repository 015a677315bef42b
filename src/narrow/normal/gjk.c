#include "narrow/normal/gjk.h"

#include "base/real.h"
#include "narrow/normal/facet_memory.h"
#include "narrow/normal/feature.h"
#include "narrow/normal/gjk_simplex.h"
#include "narrow/normal/guess/search.h"
#include "narrow/normal/robust_feature.h"

enum { MOST_SUPPORTS = 256 };

static void add_support(gjk_simplex *s, const convex *a, const convex *b, abut_vec3 direction) {
    abut_vec3 pa, pb;
    int32_t va = convex_support(a, direction, &pa), vb = convex_support(b, abut_neg(direction), &pb);
    gjk_simplex_add(s, abut_sub(pa, pb), va, vb);
}

/* The closest point of the simplex. For three points it is the foot of the perpendicular on their plane: a weighted sum of distant points would lose all
 * digits of a short vector. */
static void reduce(gjk_simplex *s, abut_vec3 *v) {
    gjk_simplex_reduce(s, v);
    if (s->count == 3) {
        abut_vec3 normal = abut_cross(abut_sub(s->w[1], s->w[0]), abut_sub(s->w[2], s->w[0]));
        *v = abut_scale(abut_dot(normal, s->w[0]) / abut_length_squared(normal), normal);
    }
}

/* The difference between the length of v and the gap along v. The length is an upper bound of the distance, and the gap a lower bound. */
static double missing_of(abut_vec3 v, double length, abut_vec3 support) { return length - abut_dot(v, support) / length; }

/* Whether v is the better direction, although it is not shorter. An error of 1e-8 in the direction does not show in the length of v, but on a long body it
 * costs 1e-8 of the gap. The improvement must be by half at least, so that the descent ends. */
static bool turns_better(const convex *a, const convex *b, abut_vec3 v, double length, double missing) {
    abut_vec3 pa, pb;
    convex_support(a, abut_neg(v), &pa);
    convex_support(b, v, &pb);
    return missing_of(v, length, abut_sub(pa, pb)) <= 0.5 * missing;
}

/* Descends to the closest point of A - B and writes it to *v. Returns the number of support evaluations. */
static int32_t descend(const convex *a, const convex *b, double rounding, gjk_simplex *s, abut_vec3 *v) {
    abut_vec3 start = abut_sub(convex_centroid(b), convex_centroid(a));
    s->count = 0;
    add_support(s, a, b, abut_length_squared(start) > 0.0 ? start : abut_vec3_make(1, 0, 0));
    reduce(s, v);
    int32_t supports = 1;
    double length = abut_length(*v);
    while (s->count < 4 && length > rounding && supports < MOST_SUPPORTS) {
        abut_vec3 pa, pb, closer;
        int32_t va = convex_support(a, abut_neg(*v), &pa), vb = convex_support(b, *v, &pb);
        abut_vec3 w = abut_sub(pa, pb);
        ++supports;
        double missing = missing_of(*v, length, w);
        if (missing <= rounding + 1e-15 * length || gjk_simplex_has(s, va, vb)) {
            break;
        }
        gjk_simplex next = *s;
        gjk_simplex_add(&next, w, va, vb);
        reduce(&next, &closer);
        double next_length = abut_length(closer);
        bool longer = next.count < 4 && next_length >= length;
        if (longer && (next_length > length + rounding || !turns_better(a, b, closer, next_length, missing))) {
            break; /* rounding error stopped the descent */
        }
        *s = next;
        *v = closer;
        length = next_length;
    }
    return supports;
}

static void read_points(const convex *a, const convex *b, const gjk_simplex *s, gjk_result *found) {
    found->on_a = found->on_b = abut_vec3_make(0, 0, 0);
    for (int32_t i = 0; i < s->count; ++i) {
        found->on_a = abut_add_scaled(found->on_a, s->weight[i], convex_to_pair(a, convex_vertex(a, s->vertex_a[i])));
        found->on_b = abut_add_scaled(found->on_b, s->weight[i], convex_to_pair(b, convex_vertex(b, s->vertex_b[i])));
    }
    int32_t count = s->count < 3 ? s->count : 3;
    found->feature_a = feature_of_vertices(a, s->vertex_a, count);
    found->feature_b = feature_of_vertices(b, s->vertex_b, count);
}

static void search(const convex *a, const convex *b, gjk_result *found) {
    abut_vec3 apart = abut_sub(b->position, a->position), v;
    double rounding = 4e-16 * (a->size + b->size + abut_length(apart));
    gjk_simplex s;
    found->supports = descend(a, b, rounding, &s, &v);
    read_points(a, b, &s, found);
    /* The distance of the points themselves is an upper bound. The foot on the plane of a sliver need not be one. */
    double length = real_max(abut_length(v), s.count < 4 ? abut_distance_between(found->on_a, found->on_b) : 0.0);
    bool meet = s.count == 4 || !(abut_length(v) > rounding); /* a direction is needed as well */
    found->distance = meet ? 0.0 : length;
    found->direction = meet ? abut_vec3_make(0, 0, 0) : abut_neg(abut_unit(v));
    found->robust = false;
}

/* Most closest points are clear, and then follow from the features alone, however these are found. */
static bool is_guessed(const convex *a, const convex *b, const abut_cache *cache, gjk_result *found) {
    bool known = cache != NULL && abut_length_squared(cache->axis) > 0.0;
    abut_vec3 direction = known ? cache->axis : abut_sub(b->position, a->position);
    guess_simplex s;
    if (!convex_are_polytopes(a, b) || a->eroded > 0.0 || b->eroded > 0.0 || !guess_nearest(a, b, direction, &s)) {
        return false;
    }
    return robust_distance(a, b, feature_of_vertices(a, s.vertex_a, s.count), feature_of_vertices(b, s.vertex_b, s.count), found);
}

void gjk_find_from(const convex *a, const convex *b, abut_feature guess_a, abut_feature guess_b, abut_cache *cache, gjk_result *found) {
    abut_feature feature_a, feature_b;
    found->supports = 0;
    if (cache != NULL && convex_are_coarse(a, b)) {
        cache = NULL;
    }
    if (facet_memory_read_features(a, b, cache, &feature_a, &feature_b) && robust_distance(a, b, feature_a, feature_b, found)) {
        return;
    }
    if (guess_a.kind != ABUT_FEATURE_NONE && robust_distance(a, b, guess_a, guess_b, found)) {
        facet_memory_write_features(cache, guess_a, guess_b);
        return;
    }
    if (guess_a.kind == ABUT_FEATURE_NONE && is_guessed(a, b, cache, found)) {
        facet_memory_write_features(cache, found->feature_a, found->feature_b);
        return;
    }
    search(a, b, found);
    gjk_result clear;
    if (found->distance > 0.0 && robust_distance(a, b, found->feature_a, found->feature_b, &clear)) {
        clear.supports = found->supports;
        *found = clear;
    }
    facet_memory_write_features(cache, found->feature_a, found->feature_b);
}

void gjk_find(const convex *a, const convex *b, abut_cache *cache, gjk_result *found) {
    const abut_feature none = {.kind = ABUT_FEATURE_NONE};
    gjk_find_from(a, b, none, none, cache, found);
}

gjk_result gjk_solve(const convex *a, const convex *b) {
    gjk_result found;
    gjk_find(a, b, NULL, &found);
    return found;
}
