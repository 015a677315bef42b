/* What is accepted from a cache: only features that the bodies have, of kinds that form a facet, whatever its content. */
#include "narrow/normal/facet_memory.h"

#include "support/check.h"

static abut_feature named(int kind, int32_t index) { return (abut_feature){.kind = (abut_feature_kind)kind, .index = index}; }

static abut_cache remember(abut_feature feature_a, abut_feature feature_b) {
    abut_cache cache = {.feature_a = feature_a, .feature_b = feature_b};
    return cache;
}

/* Recalled as features, and as a facet. */
static bool features_known(const convex *a, const convex *b, abut_feature feature_a, abut_feature feature_b) {
    abut_cache cache = remember(feature_a, feature_b);
    abut_feature p, q;
    bool known = facet_memory_read_features(a, b, &cache, &p, &q);
    return known && p.kind == feature_a.kind && p.index == feature_a.index && q.kind == feature_b.kind && q.index == feature_b.index;
}

static bool facet_known(const convex *a, const convex *b, abut_feature feature_a, abut_feature feature_b) {
    abut_cache cache = remember(feature_a, feature_b);
    abut_feature p, q;
    return facet_memory_read(a, b, &cache, &p, &q);
}

static void indices_out_of_range(void **state) {
    (void)state;
    abut_shape *box, *capsule, *sphere;
    assert_ok(abut_shape_create_box(abut_vec3_make(1, 1, 1), &box));
    assert_ok(abut_shape_create_capsule(0.5, 1.0, &capsule));
    assert_ok(abut_shape_create_sphere(1.0, &sphere));
    const struct {
        const abut_shape *shape;
        int32_t faces, edges, vertices;
    } bodies[] = {{box, 6, 12, 8}, {capsule, 0, 1, 2}, {sphere, 0, 0, 1}};
    const int32_t strange[] = {-1, INT32_MIN, INT32_MAX, 1000};
    convex other = convex_place(box, abut_mat3_identity(), abut_vec3_make(0, 0, 3), 0);
    const abut_feature fine = named(ABUT_FEATURE_VERTEX, 7);
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        convex body = convex_place(bodies[i].shape, abut_mat3_identity(), abut_vec3_make(0, 0, 0), 0);
        const int32_t counts[3] = {bodies[i].faces, bodies[i].edges, bodies[i].vertices};
        const int kinds[3] = {ABUT_FEATURE_FACE, ABUT_FEATURE_EDGE, ABUT_FEATURE_VERTEX};
        for (int k = 0; k < 3; k++) {
            for (int32_t index = 0; index <= counts[k] + 2; index++) {
                assert_int_equal(features_known(&body, &other, named(kinds[k], index), fine), index < counts[k]);
                assert_int_equal(features_known(&other, &body, fine, named(kinds[k], index)), index < counts[k]);
            }
            for (size_t s = 0; s < sizeof strange / sizeof *strange; s++) {
                assert_false(features_known(&body, &other, named(kinds[k], strange[s]), fine));
                assert_false(features_known(&other, &body, fine, named(kinds[k], strange[s])));
            }
        }
        assert_false(features_known(&body, &other, named(ABUT_FEATURE_NONE, 0), fine));
        assert_false(features_known(&body, &other, named(ABUT_FEATURE_SMOOTH, 0), fine));
        assert_false(features_known(&body, &other, named(77, 0), fine)); /* a foreign cache can hold anything */
    }
    abut_shape_release(box);
    abut_shape_release(capsule);
    abut_shape_release(sphere);
}

static void only_facets_are_facets(void **state) {
    (void)state;
    abut_shape *box;
    assert_ok(abut_shape_create_box(abut_vec3_make(1, 1, 1), &box));
    convex a = convex_place(box, abut_mat3_identity(), abut_vec3_make(0, 0, 0), 0);
    convex b = convex_place(box, abut_mat3_identity(), abut_vec3_make(0, 0, 1.9), 0);
    const abut_feature face = named(ABUT_FEATURE_FACE, 5), edge = named(ABUT_FEATURE_EDGE, 11), vertex = named(ABUT_FEATURE_VERTEX, 7);
    assert_true(facet_known(&a, &b, face, vertex));
    assert_true(facet_known(&a, &b, vertex, face));
    assert_true(facet_known(&a, &b, edge, edge));
    assert_false(facet_known(&a, &b, face, face));
    assert_false(facet_known(&a, &b, face, edge));
    assert_false(facet_known(&a, &b, edge, vertex));
    assert_false(facet_known(&a, &b, vertex, vertex));
    abut_feature p, q;
    assert_false(facet_memory_read(&a, &b, NULL, &p, &q));
    assert_false(facet_memory_read_features(&a, &b, NULL, &p, &q));
    abut_shape_release(box);
}

static void writing(void **state) {
    (void)state;
    const abut_feature face = named(ABUT_FEATURE_FACE, 5), vertex = named(ABUT_FEATURE_VERTEX, 7);
    contact_normal normal = {.direction = {0, 0, 1}, .feature_a = face, .feature_b = vertex, .extreme = true};
    abut_cache cache = {.axis = {1, 2, 3}};
    facet_memory_write(NULL, &normal, true);
    facet_memory_write_features(NULL, face, vertex);
    facet_memory_write(&cache, &normal, true); /* touching: what gave the normal */
    assert_vec3_near(cache.axis, abut_vec3_make(0, 0, 0), 0.0);
    assert_true(cache.feature_a.kind == ABUT_FEATURE_FACE && cache.feature_a.index == 5);
    assert_true(cache.feature_b.kind == ABUT_FEATURE_VERTEX && cache.feature_b.index == 7);
    facet_memory_write(&cache, &normal, false); /* apart: the direction */
    assert_vec3_near(cache.axis, abut_vec3_make(0, 0, 1), 0.0);
    assert_true(cache.feature_a.kind == ABUT_FEATURE_NONE && cache.feature_b.kind == ABUT_FEATURE_NONE);
    normal.extreme = false; /* a direction by rule has no features */
    facet_memory_write(&cache, &normal, true);
    assert_true(cache.feature_a.kind == ABUT_FEATURE_NONE && cache.feature_b.kind == ABUT_FEATURE_NONE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(indices_out_of_range),
        cmocka_unit_test(only_facets_are_facets),
        cmocka_unit_test(writing),
    };
    return cmocka_run_group_tests_name("narrow/normal/facet_memory", tests, NULL, NULL);
}
