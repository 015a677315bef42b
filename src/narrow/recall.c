#include "narrow/recall.h"

static bool is_facet(abut_feature a, abut_feature b) {
    return (a.kind == ABUT_FEATURE_FACE && b.kind == ABUT_FEATURE_VERTEX) || (a.kind == ABUT_FEATURE_VERTEX && b.kind == ABUT_FEATURE_FACE) ||
           (a.kind == ABUT_FEATURE_EDGE && b.kind == ABUT_FEATURE_EDGE);
}

void recall_write(abut_cache *cache, const contact_normal *normal, bool touching) {
    if (cache == NULL) {
        return;
    }
    const abut_feature none = {.kind = ABUT_FEATURE_NONE};
    bool facet = touching && normal->extreme; /* a chosen normal may have no features of its own */
    cache->axis = touching ? abut_make_vec3(0, 0, 0) : normal->direction;
    cache->feature_a = facet ? normal->feature_a : none;
    cache->feature_b = facet ? normal->feature_b : none;
}

static bool has(const convex *body, abut_feature feature) {
    const polytope *surface = body->surface;
    int32_t count = feature.kind == ABUT_FEATURE_FACE   ? surface->face_count
                    : feature.kind == ABUT_FEATURE_EDGE ? surface->edge_count
                                                        : surface->vertex_count;
    return feature.index >= 0 && feature.index < count;
}

bool recall_facet(const convex *a, const convex *b, const abut_cache *cache, abut_feature *feature_a, abut_feature *feature_b) {
    if (cache == NULL || !is_facet(cache->feature_a, cache->feature_b) || !has(a, cache->feature_a) || !has(b, cache->feature_b)) {
        return false;
    }
    *feature_a = cache->feature_a;
    *feature_b = cache->feature_b;
    return true;
}
