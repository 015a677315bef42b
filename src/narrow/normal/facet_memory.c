#include "narrow/normal/facet_memory.h"

static bool is_facet(abut_feature a, abut_feature b) {
    return (a.kind == ABUT_FEATURE_FACE && b.kind == ABUT_FEATURE_VERTEX) ||
           (a.kind == ABUT_FEATURE_VERTEX && b.kind == ABUT_FEATURE_FACE) || (a.kind == ABUT_FEATURE_EDGE && b.kind == ABUT_FEATURE_EDGE);
}

void facet_memory_write(abut_cache *cache, const contact_normal *normal, bool touching) {
    if (cache == NULL) {
        return;
    }
    const abut_feature none = {.kind = ABUT_FEATURE_NONE};
    bool facet = touching && normal->extreme;                 /* a chosen normal may have no features of its own */
    bool keep = !touching || normal->pair != NORMAL_FEATURES; /* Newton's method begins at this direction */
    cache->axis = keep ? normal->direction : abut_vec3_make(0, 0, 0);
    cache->feature_a = facet ? normal->feature_a : none;
    cache->feature_b = facet ? normal->feature_b : none;
}

void facet_memory_write_features(abut_cache *cache, abut_feature feature_a, abut_feature feature_b) {
    if (cache != NULL) {
        cache->feature_a = feature_a;
        cache->feature_b = feature_b;
    }
}

/* The number of features of that kind that the core has. */
static int32_t count_of(const convex *body, abut_feature_kind kind) {
    const polytope *surface = body->surface;
    bool faced = body->core == CORE_POLYTOPE, segment = body->core == CORE_SEGMENT;
    switch (kind) {
    case ABUT_FEATURE_FACE:
        return faced ? surface->face_count : 0;
    case ABUT_FEATURE_EDGE:
        return faced ? surface->edge_count : segment;
    case ABUT_FEATURE_VERTEX:
        return faced ? surface->vertex_count : 1 + segment;
    default:
        return 0;
    }
}

static bool has(const convex *body, abut_feature feature) { return feature.index >= 0 && feature.index < count_of(body, feature.kind); }

bool facet_memory_read_features(const convex *a, const convex *b, const abut_cache *cache, abut_feature *feature_a,
                                abut_feature *feature_b) {
    if (cache == NULL || !has(a, cache->feature_a) || !has(b, cache->feature_b)) {
        return false;
    }
    *feature_a = cache->feature_a;
    *feature_b = cache->feature_b;
    return true;
}

bool facet_memory_read(const convex *a, const convex *b, const abut_cache *cache, abut_feature *feature_a, abut_feature *feature_b) {
    return facet_memory_read_features(a, b, cache, feature_a, feature_b) && is_facet(*feature_a, *feature_b);
}
