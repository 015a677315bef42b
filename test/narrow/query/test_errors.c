/* Distance, overlap, ray cast and shape cast: bad input and lack of memory give a status and leave the output unchanged; the cache's
 * content changes no bit of an answer; huge and tiny numbers give a status. */
#include <string.h>

#include <abut/query.h>

#include "support/allocator.h"
#include "support/meshes.h"
#include "support/shapes.h"
#include "support/specimen.h"

static const abut_vec3 up = {0, 0, 1};
static const abut_motion still = {{0, 0, 0}, {0, 0, 0}}, falling = {{0, 0, -1}, {0, 1, 0}};

enum { KINDS = 8, PLANE = 5, MESH = 7 };

static int make_shapes(void **state) {
    static abut_shape *s[KINDS];
    random_state random = random_make(571);
    solid cloud = solid_cloud(&random, 20, abut_vec3_make(0.6, 0.5, 0.4));
    assert_ok(abut_shape_create_box(abut_vec3_make(0.5, 0.5, 0.5), &s[0]));
    assert_ok(abut_shape_create_box(abut_vec3_make(2, 2, 0.5), &s[1]));
    assert_ok(abut_shape_create_sphere(0.5, &s[2]));
    assert_ok(abut_shape_create_capsule(0.2, 0.5, &s[3]));
    s[4] = solid_shape(&cloud);
    assert_ok(abut_shape_create_plane(up, 0.0, &s[PLANE]));
    abut_part parts[2] = {{s[0], at(0, 0, 0)}, {s[2], at(0.6, 0, 0)}};
    assert_ok(abut_shape_create_compound(parts, 2, &s[6]));
    s[MESH] = meshes_surface_of(s[0], 2);
    solid_free(&cloud);
    *state = s;
    return 0;
}

static int free_shapes(void **state) {
    abut_shape **s = *state;
    for (int i = 0; i < KINDS; i++) {
        abut_shape_release(s[i]);
    }
    return 0;
}

/* ---- bad input ---- */

/* All calls with two posed shapes must fail with this status and write nothing. */
static void pair_fails(const abut_shape *a, abut_pose pose_a, const abut_shape *b, abut_pose pose_b, abut_status expected) {
    abut_separation separation, untouched_separation;
    abut_hit hit, untouched_hit;
    bool overlap = true;
    memset(&separation, 0x5a, sizeof separation);
    memset(&untouched_separation, 0x5a, sizeof separation);
    memset(&hit, 0x5a, sizeof hit);
    memset(&untouched_hit, 0x5a, sizeof hit);
    assert_status(abut_distance(&(abut_pair){a, pose_a, b, pose_b}, NULL, NULL, &separation), expected);
    assert_status(abut_overlap(&(abut_pair){a, pose_a, b, pose_b}, NULL, &overlap), expected);
    assert_true(overlap);
    assert_status(abut_shape_cast(&(abut_pair){a, pose_a, b, pose_b}, falling, still, 0.0, &hit), expected);
    assert_memory_equal(&separation, &untouched_separation, sizeof separation);
    assert_memory_equal(&hit, &untouched_hit, sizeof hit);
}

static void ray_fails(const abut_shape *shape, abut_pose pose, abut_vec3 origin, abut_vec3 translation, abut_status expected) {
    abut_hit hit, untouched;
    memset(&hit, 0x5a, sizeof hit);
    memset(&untouched, 0x5a, sizeof hit);
    assert_status(abut_ray_cast(shape, pose, origin, translation, &hit), expected);
    assert_memory_equal(&hit, &untouched, sizeof hit);
}

static void null_arguments(void **state) {
    abut_shape **s = *state;
    pair_fails(NULL, at(0, 0, 0), s[0], at(0, 0, 0), ABUT_ERROR_INVALID_ARGUMENT);
    pair_fails(s[0], at(0, 0, 0), NULL, at(0, 0, 0), ABUT_ERROR_INVALID_ARGUMENT);
    ray_fails(NULL, at(0, 0, 0), up, up, ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_distance(&(abut_pair){s[0], at(0, 0, 0), s[0], at(0, 0, 0)}, NULL, NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_overlap(&(abut_pair){s[0], at(0, 0, 0), s[0], at(0, 0, 0)}, NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_ray_cast(s[0], at(0, 0, 0), up, up, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_cast(&(abut_pair){s[0], at(0, 0, 0), s[0], at(0, 0, 0)}, still, still, 0.0, NULL),
                  ABUT_ERROR_INVALID_ARGUMENT);
}

static void bad_poses(void **state) {
    abut_shape **s = *state;
    const double bad[3] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < KINDS; i++) {
        for (int k = 0; k < 3; k++) {
            abut_pose pose = at(0, bad[k], 0);
            pair_fails(s[i], pose, s[0], at(0, 0, 0), ABUT_ERROR_NOT_FINITE);
            pair_fails(s[0], at(0, 0, 0), s[i], pose, ABUT_ERROR_NOT_FINITE);
            ray_fails(s[i], pose, up, up, ABUT_ERROR_NOT_FINITE);
            pose = at(0, 0, 0);
            pose.rotation.w = bad[k];
            pair_fails(s[i], pose, s[0], at(0, 0, 0), ABUT_ERROR_NOT_FINITE);
            pair_fails(s[0], at(0, 0, 0), s[i], pose, ABUT_ERROR_NOT_FINITE);
            ray_fails(s[i], pose, up, up, ABUT_ERROR_NOT_FINITE);
        }
        abut_pose pose = at(0, 0, 0);
        pose.rotation = abut_quat_make(0, 0, 0.5, 1);
        pair_fails(s[i], pose, s[0], at(0, 0, 0), ABUT_ERROR_INVALID_ARGUMENT);
        pair_fails(s[0], at(0, 0, 0), s[i], pose, ABUT_ERROR_INVALID_ARGUMENT);
        ray_fails(s[i], pose, up, up, ABUT_ERROR_INVALID_ARGUMENT);
    }
}

static void bad_rays(void **state) {
    abut_shape **s = *state;
    const abut_vec3 zero = {0, 0, 0};
    for (int i = 0; i < KINDS; i++) {
        ray_fails(s[i], at(0, 0, 0), up, zero, ABUT_ERROR_INVALID_ARGUMENT);
        ray_fails(s[i], at(0, 0, 0), up, abut_vec3_make(-0.0, 0, 0), ABUT_ERROR_INVALID_ARGUMENT);
        ray_fails(s[i], at(0, 0, 0), up, abut_vec3_make(NAN, 0, 1), ABUT_ERROR_NOT_FINITE);
        ray_fails(s[i], at(0, 0, 0), up, abut_vec3_make(0, INFINITY, 1), ABUT_ERROR_NOT_FINITE);
        ray_fails(s[i], at(0, 0, 0), abut_vec3_make(NAN, 0, 1), up, ABUT_ERROR_NOT_FINITE);
        ray_fails(s[i], at(0, 0, 0), abut_vec3_make(0, 0, -INFINITY), up, ABUT_ERROR_NOT_FINITE);
        ray_fails(s[i], at(-1.5e308, 0, 0), abut_vec3_make(1.5e308, 0, 0), up, ABUT_ERROR_NOT_FINITE); /* apart by more than a double can
                                                                                                        * represent */
    }
}

static void bad_motions(void **state) {
    abut_shape **s = *state;
    const double bad[3] = {NAN, INFINITY, 1e200};
    abut_hit hit, untouched;
    memset(&hit, 0x5a, sizeof hit);
    memset(&untouched, 0x5a, sizeof hit);
    for (int i = 0; i < KINDS; i++) {
        for (int k = 0; k < 3; k++) {
            abut_motion shift = {{bad[k], 0, 0}, {0, 0, 0}}, turn = {{0, 0, 0}, {0, 0, bad[k]}};
            assert_status(abut_shape_cast(&(abut_pair){s[i], at(0, 0, 5), s[0], at(0, 0, 0)}, shift, still, 0.0, &hit),
                          ABUT_ERROR_NOT_FINITE);
            assert_status(abut_shape_cast(&(abut_pair){s[0], at(0, 0, 5), s[i], at(0, 0, 0)}, still, turn, 0.0, &hit),
                          ABUT_ERROR_NOT_FINITE);
        }
        assert_status(abut_shape_cast(&(abut_pair){s[i], at(0, 0, 5), s[0], at(0, 0, 0)}, falling, still, -1e-9, &hit),
                      ABUT_ERROR_INVALID_ARGUMENT);
        assert_status(abut_shape_cast(&(abut_pair){s[i], at(0, 0, 5), s[0], at(0, 0, 0)}, falling, still, NAN, &hit),
                      ABUT_ERROR_NOT_FINITE);
        assert_status(abut_shape_cast(&(abut_pair){s[i], at(0, 0, 5), s[0], at(0, 0, 0)}, falling, still, INFINITY, &hit),
                      ABUT_ERROR_NOT_FINITE);
    }
    assert_status(abut_shape_cast(&(abut_pair){s[PLANE], at(0, 0, 5), s[PLANE], at(0, 0, 0)}, falling, still, 0.0, &hit),
                  ABUT_ERROR_UNSUPPORTED_PAIR);
    assert_memory_equal(&hit, &untouched, sizeof hit);
}

static void bad_settings(void **state) {
    abut_shape **s = *state;
    abut_separation d, untouched;
    memset(&d, 0x5a, sizeof d);
    memset(&untouched, 0x5a, sizeof d);
    abut_collide_settings settings = abut_collide_settings_default();
    settings.feature_angle = 2.0;
    assert_status(abut_distance(&(abut_pair){s[0], at(0, 0, 0), s[0], at(0, 0, 0)}, &settings, NULL, &d), ABUT_ERROR_INVALID_ARGUMENT);
    settings.feature_angle = NAN;
    assert_status(abut_distance(&(abut_pair){s[0], at(0, 0, 0), s[0], at(0, 0, 0)}, &settings, NULL, &d), ABUT_ERROR_NOT_FINITE);
    assert_memory_equal(&d, &untouched, sizeof d);
}

/* Every other pair has an answer, in both orders. */
static void every_pair(void **state) {
    abut_shape **s = *state;
    for (int i = 0; i < KINDS; i++) {
        for (int j = 0; j < KINDS; j++) {
            if (i == PLANE && j == PLANE) {
                continue;
            }
            for (int k = 0; k < 3; k++) {
                abut_separation d;
                abut_hit hit;
                bool overlap;
                abut_pose pose = at(0.05, 0.1, 0.15 + 2.0 * k);
                assert_ok(abut_distance(&(abut_pair){s[i], pose, s[j], at(0, 0, 0)}, NULL, NULL, &d));
                assert_near(abut_length(d.normal), 1.0, 1e-14);
                assert_near(abut_dot(d.normal, abut_sub(d.on_a, d.on_b)), d.gap, 1e-14);
                assert_int_not_equal(d.feature_a.kind, ABUT_FEATURE_NONE);
                assert_int_not_equal(d.feature_b.kind, ABUT_FEATURE_NONE);
                assert_ok(abut_overlap(&(abut_pair){s[i], pose, s[j], at(0, 0, 0)}, NULL, &overlap));
                assert_true(overlap == (d.gap <= 0.0));
                assert_ok(
                    abut_shape_cast(&(abut_pair){s[i], pose, s[j], at(0, 0, 0)}, (abut_motion){{0, 0, -9}, {0, 0, 0}}, still, 0.0, &hit));
                bool behind = (i == MESH || j == MESH) && k == 0; /* a body whose middle is inside a mesh touches nothing */
                assert_true(hit.hit || behind);
                assert_true(hit.started_inside == overlap);
            }
        }
    }
}

/* ---- memory, caches, extremes ---- */

static void out_of_memory(void **state) {
    abut_shape **s = *state;
    abut_shape *coin = NULL, *many = NULL;
    assert_ok(abut_shape_create_prism(0.5, 0.2, 200, &coin));
    abut_part parts[2] = {{coin, at(0, 0, 0)}, {s[0], at(0.4, 0, 0)}};
    assert_ok(abut_shape_create_compound(parts, 2, &many));
    const double heights[2] = {0.9, 3.0}; /* overlapping, apart */
    int32_t refusals = 0;
    for (int h = 0; h < 4; h++) {
        const abut_shape *under = h < 2 ? s[1] : s[MESH];
        for (int call = 0; call < 3; call++) {
            counting_allocator memory;
            int64_t refused = 0;
            do {
                abut_separation d, untouched_d;
                abut_hit hit, untouched_hit;
                bool overlap = h % 2 == 1;
                memset(&d, 0x5a, sizeof d);
                memset(&untouched_d, 0x5a, sizeof d);
                memset(&hit, 0x5a, sizeof hit);
                memset(&untouched_hit, 0x5a, sizeof hit);
                memory = (counting_allocator){.refuse_at = refused++};
                counting_allocator_install(&memory);
                abut_pose pose = at(0, 0, heights[h % 2] - (h < 2 ? 0.0 : 0.3));
                abut_status status = call == 0   ? abut_distance(&(abut_pair){many, pose, under, at(0, 0, 0)}, NULL, NULL, &d)
                                     : call == 1 ? abut_overlap(&(abut_pair){many, pose, under, at(0, 0, 0)}, NULL, &overlap)
                                                 : abut_shape_cast(&(abut_pair){many, pose, under, at(0, 0, 0)}, falling, still, 0.0, &hit);
                counting_allocator_remove();
                assert_int_equal(memory.live, 0);
                assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
                refusals += memory.refused;
                if (memory.refused) {
                    assert_true(overlap == (h % 2 == 1));
                    assert_memory_equal(&d, &untouched_d, sizeof d);
                    assert_memory_equal(&hit, &untouched_hit, sizeof hit);
                }
            } while (memory.refused);
        }
    }
    assert_true(refusals > 6);
    abut_shape_release(coin);
    abut_shape_release(many);
}

static bool same_feature(abut_feature p, abut_feature q) { return p.kind == q.kind && p.index == q.index && p.part == q.part; }

static bool same_vector(abut_vec3 p, abut_vec3 q) { return memcmp(&p, &q, sizeof p) == 0; }

static bool same_separation(const abut_separation *p, const abut_separation *q) {
    return memcmp(&p->gap, &q->gap, sizeof p->gap) == 0 && same_vector(p->on_a, q->on_a) && same_vector(p->on_b, q->on_b) &&
           same_vector(p->normal, q->normal) && same_feature(p->feature_a, q->feature_a) && same_feature(p->feature_b, q->feature_b) &&
           p->flags == q->flags;
}

static abut_cache cache_of(double x, double y, double z) {
    abut_cache cache;
    memset(&cache, 0, sizeof cache);
    cache.axis = abut_vec3_make(x, y, z);
    return cache;
}

/* Any direction, and features that the shapes need not have. */
static abut_cache random_cache(random_state *random) {
    abut_vec3 axis = abut_scale(random_below(random, 2), random_direction(random));
    abut_cache cache = cache_of(axis.x, axis.y, axis.z);
    cache.feature_a = (abut_feature){(abut_feature_kind)random_below(random, 6), random_below(random, 30) - 5, random_below(random, 3) - 1};
    cache.feature_b = (abut_feature){(abut_feature_kind)random_below(random, 6), random_below(random, 30) - 5, random_below(random, 3) - 1};
    return cache;
}

/* Caches that are empty, warm, stale, of another pair, of another call, or garbage. */
static void caches_change_nothing(void **state) {
    abut_shape **s = *state;
    random_state random = random_make(random_seed("caches_change_nothing", 572));
    abut_cache foreign = cache_of(0, 0, 1), running[KINDS][KINDS];
    memset(running, 0, sizeof running);
    int32_t overlaps = 0;
    for (int i = 0; i < 5000; i++) {
        int32_t p = random_below(&random, KINDS), q = random_below(&random, KINDS);
        if (p == PLANE && q == PLANE) {
            continue;
        }
        abut_pose pose_a = random_pose(&random, 1.5), pose_b = random_pose(&random, 0.3);
        abut_separation plain, cached;
        bool overlap, overlap_cached;
        assert_ok(abut_distance(&(abut_pair){s[p], pose_a, s[q], pose_b}, NULL, NULL, &plain));
        assert_ok(abut_overlap(&(abut_pair){s[p], pose_a, s[q], pose_b}, NULL, &overlap));
        overlaps += overlap;
        abut_cache caches[12] = {cache_of(0, 0, 0),
                                 cache_of(NAN, NAN, NAN),
                                 cache_of(0, INFINITY, 0),
                                 cache_of(1e300, -1e300, 1e300),
                                 cache_of(1e-310, 0, 0),
                                 foreign,
                                 running[p][q],
                                 random_cache(&random),
                                 random_cache(&random),
                                 random_cache(&random),
                                 random_cache(&random),
                                 random_cache(&random)};
        for (int k = 0; k < 12; k++) {
            for (int again = 0; again < 3; again++) { /* with what the calls have left in it */
                if (again < 2) {
                    assert_ok(abut_overlap(&(abut_pair){s[p], pose_a, s[q], pose_b}, &caches[k], &overlap_cached));
                    assert_true(overlap_cached == overlap);
                }
                assert_ok(abut_distance(&(abut_pair){s[p], pose_a, s[q], pose_b}, NULL, &caches[k], &cached));
                assert_true(same_separation(&plain, &cached));
                abut_contact contacts[64];
                int32_t count;
                assert_ok(abut_collide(&(abut_pair){s[p], pose_a, s[q], pose_b}, NULL, &caches[k], contacts, 64, &count));
                assert_true((count > 0) == overlap);
            }
        }
        running[p][q] = caches[6];
        foreign = caches[6];
    }
    assert_true(overlaps > 1000);
}

/* A separating direction is stored and saves the search. */
static void what_a_cache_remembers(void **state) {
    abut_shape **s = *state;
    abut_cache cache = cache_of(0, 0, 0);
    bool overlap;
    abut_pose turned = at(1, 2, 3);
    turned.rotation = abut_quat_about(abut_vec3_make(0, 1, 0), 1.5707963267948966); /* the world's +z is A's -x */
    assert_ok(abut_overlap(&(abut_pair){s[0], turned, s[2], at(1, 2, 9)}, &cache, &overlap));
    assert_false(overlap);
    assert_near(abut_length(cache.axis), 1.0, 1e-14);
    assert_true(cache.axis.x < -0.5); /* from A to B, in A's frame */
    cache = cache_of(0, 0, 0);
    abut_separation d;
    assert_ok(abut_distance(&(abut_pair){s[0], turned, s[2], at(1, 2, 9)}, NULL, &cache, &d));
    assert_vec3_near(cache.axis, abut_vec3_make(-1, 0, 0), 1e-14);
    assert_ok(abut_distance(&(abut_pair){s[0], turned, s[2], at(1, 2, 3.1)}, NULL, &cache, &d));
    assert_vec3_near(cache.axis, abut_vec3_make(0, 0, 0), 0.0); /* overlapping: none separates */
}

static void extreme_numbers(void **state) {
    abut_shape **s = *state;
    const double sizes[6] = {1e-60, 1e-30, 1e-10, 1e10, 1e30, 1e60};
    for (int i = 0; i < 6; i++) {
        abut_shape *shape = NULL;
        if (abut_shape_create_box(abut_vec3_make(sizes[i], sizes[i], sizes[i]), &shape) != ABUT_OK) {
            continue;
        }
        const abut_shape *others[4] = {shape, s[0], s[2], s[PLANE]};
        for (int k = 0; k < 4; k++) {
            for (int far = 0; far < 2; far++) {
                abut_pose pose = at(0.1 * sizes[i], 0, far ? 9.0 * (sizes[i] + 1.0) : 0.2 * sizes[i]);
                abut_separation d;
                abut_hit hit;
                bool overlap;
                assert_ok(abut_distance(&(abut_pair){shape, pose, others[k], at(0, 0, 0)}, NULL, NULL, &d));
                assert_true(isfinite(d.gap) && abut_vec3_is_finite(d.on_a) && abut_vec3_is_finite(d.on_b));
                assert_near(abut_length(d.normal), 1.0, 1e-12);
                assert_ok(abut_overlap(&(abut_pair){shape, pose, others[k], at(0, 0, 0)}, NULL, &overlap));
                assert_true(overlap == (d.gap <= 0.0));
                assert_true(overlap == (far == 0));
                abut_motion down = {{0, 0, -20.0 * (sizes[i] + 1.0)}, {0, 0.1, 0}};
                assert_ok(abut_shape_cast(&(abut_pair){shape, pose, others[k], at(0, 0, 0)}, down, still, 0.0, &hit));
                assert_true(hit.hit && hit.fraction >= 0.0 && hit.fraction <= 1.0);
            }
        }
        abut_shape_release(shape);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_arguments),
        cmocka_unit_test(bad_poses),
        cmocka_unit_test(bad_rays),
        cmocka_unit_test(bad_motions),
        cmocka_unit_test(bad_settings),
        cmocka_unit_test(every_pair),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(caches_change_nothing),
        cmocka_unit_test(what_a_cache_remembers),
        cmocka_unit_test(extreme_numbers),
    };
    return cmocka_run_group_tests_name("narrow/query_errors", tests, make_shapes, free_shapes);
}
