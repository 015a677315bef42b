/* abut_collide(): bad input gives a status, short buffers are reported, outputs stay defined, and the cache's content changes no bit of the
 * answer. */
#include "support/allocator.h"
#include "support/check.h"
#include "support/shapes.h"

#include <string.h>

static const abut_vec3 up = {0, 0, 1};

typedef struct shapes {
    abut_shape *cube, *slab, *ball, *bar, *plane, *pair, *hull;
} shapes;

static int make_shapes(void **state) {
    static shapes s;
    solid cloud;
    random_state random = random_make(71);
    assert_ok(abut_shape_create_box(abut_vec3_make(0.5, 0.5, 0.5), &s.cube));
    assert_ok(abut_shape_create_box(abut_vec3_make(2, 2, 0.5), &s.slab));
    assert_ok(abut_shape_create_sphere(0.5, &s.ball));
    assert_ok(abut_shape_create_capsule(0.2, 0.5, &s.bar));
    assert_ok(abut_shape_create_plane(up, 0.0, &s.plane));
    abut_part parts[2] = {{s.cube, at(0, 0, 0)}, {s.ball, at(0.6, 0, 0)}};
    assert_ok(abut_shape_create_compound(parts, 2, &s.pair));
    cloud = solid_cloud(&random, 20, abut_vec3_make(0.6, 0.5, 0.4));
    s.hull = solid_shape(&cloud);
    solid_free(&cloud);
    *state = &s;
    return 0;
}

static int free_shapes(void **state) {
    shapes *s = *state;
    abut_shape_release(s->cube);
    abut_shape_release(s->slab);
    abut_shape_release(s->ball);
    abut_shape_release(s->bar);
    abut_shape_release(s->plane);
    abut_shape_release(s->pair);
    abut_shape_release(s->hull);
    return 0;
}

/* The call must fail with the status, set the count to 0 and leave the contacts untouched. */
static void fails(const abut_shape *a, abut_pose pose_a, const abut_shape *b, abut_pose pose_b, const abut_collide_settings *settings,
                  abut_status expected) {
    abut_contact contacts[4], untouched[4];
    int32_t count = 77;
    memset(contacts, 0x5a, sizeof contacts);
    memset(untouched, 0x5a, sizeof untouched);
    abut_status status = abut_collide(&(abut_pair){a, pose_a, b, pose_b}, settings, NULL, contacts, 4, &count);
    assert_status(status, expected);
    assert_int_equal(count, 0);
    assert_memory_equal(contacts, untouched, sizeof contacts);
}

static void null_arguments(void **state) {
    shapes *s = *state;
    abut_contact contact;
    int32_t count = 5;
    fails(NULL, at(0, 0, 0), s->cube, at(0, 0, 0), NULL, ABUT_ERROR_INVALID_ARGUMENT);
    fails(s->cube, at(0, 0, 0), NULL, at(0, 0, 0), NULL, ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_collide(&(abut_pair){s->cube, at(0, 0, 0), s->cube, at(0, 0, 0.9)}, NULL, NULL, &contact, 1, NULL),
                  ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_collide(&(abut_pair){s->cube, at(0, 0, 0), s->cube, at(0, 0, 0.9)}, NULL, NULL, NULL, 1, &count),
                  ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(count, 0);
    assert_status(abut_collide(&(abut_pair){s->cube, at(0, 0, 0), s->cube, at(0, 0, 0.9)}, NULL, NULL, &contact, -1, &count),
                  ABUT_ERROR_INVALID_ARGUMENT);
}

static void bad_poses(void **state) {
    shapes *s = *state;
    const abut_shape *all[7] = {s->cube, s->slab, s->ball, s->bar, s->plane, s->pair, s->hull};
    const double bad[3] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 7; i++) {
        for (int k = 0; k < 3; k++) {
            abut_pose pose = at(bad[k], 0, 0);
            fails(all[i], pose, s->cube, at(0, 0, 0), NULL, ABUT_ERROR_NOT_FINITE);
            fails(s->cube, at(0, 0, 0), all[i], pose, NULL, ABUT_ERROR_NOT_FINITE);
            pose = at(0, 0, 0);
            pose.rotation.y = bad[k];
            fails(all[i], pose, s->cube, at(0, 0, 0), NULL, ABUT_ERROR_NOT_FINITE);
            fails(s->cube, at(0, 0, 0), all[i], pose, NULL, ABUT_ERROR_NOT_FINITE);
        }
        abut_pose pose = at(0, 0, 0);
        pose.rotation = abut_quat_make(0, 0, 0, 0);
        fails(all[i], pose, s->cube, at(0, 0, 0), NULL, ABUT_ERROR_INVALID_ARGUMENT);
        pose.rotation = abut_quat_make(0, 0, 0.5, 1);
        fails(s->cube, at(0, 0, 0), all[i], pose, NULL, ABUT_ERROR_INVALID_ARGUMENT);
    }
}

/* Bodies so far apart that the square of their distance overflows: the growth distance cannot be computed. */
static void beyond_arithmetic(void **state) {
    shapes *s = *state;
    const double far[4] = {1e308, 1e280, 1e100, 1e52};
    abut_growth growth;
    for (int i = 0; i < 4; i++) {
        fails(s->cube, at(far[i], 0, 0), s->cube, at(-far[i], 0, 0), NULL, ABUT_ERROR_NOT_FINITE);
        fails(s->ball, at(0, far[i], 0), s->bar, at(0, 0, 0), NULL, ABUT_ERROR_NOT_FINITE);
        fails(s->pair, at(0, 0, 0), s->hull, at(0, 0, -far[i]), NULL, ABUT_ERROR_NOT_FINITE);
        assert_status(abut_growth_distance(&(abut_pair){s->cube, at(0, 0, 0), s->hull, at(0, 0, far[i])}, NULL, &growth),
                      ABUT_ERROR_NOT_FINITE);
        abut_shape *plane;
        assert_ok(abut_shape_create_plane(up, -far[i], &plane));
        fails(plane, at(0, 0, 0), s->cube, at(0, 0, 0), NULL, ABUT_ERROR_NOT_FINITE);
        abut_shape_release(plane);
    }
    /* Both far from the origin but near each other: this works. */
    int32_t count;
    assert_ok(abut_collide(&(abut_pair){s->cube, at(1e300, 0, 0), s->cube, at(1e300, 0, 1.5)}, NULL, NULL, NULL, 0, &count));
    assert_int_equal(count, 0);
    assert_ok(abut_collide(&(abut_pair){s->cube, at(1e40, 0, 0), s->cube, at(0, 0, 0)}, NULL, NULL, NULL, 0, &count));
    assert_int_equal(count, 0);
}

/* A quaternion whose norm is off by rounding error is accepted, and used as the rotation that it represents. */
static void nearly_unit_quaternion(void **state) {
    shapes *s = *state;
    abut_contact contacts[8], again[8];
    int32_t count, count_again;
    abut_pose pose = at(0.3, -0.2, 0.99), long_pose;
    pose.rotation = abut_quat_about(up, 0.3);
    long_pose = pose;
    double stretch = 1.0 + 5e-7;
    long_pose.rotation =
        abut_quat_make(stretch * pose.rotation.x, stretch * pose.rotation.y, stretch * pose.rotation.z, stretch * pose.rotation.w);
    assert_ok(abut_collide(&(abut_pair){s->cube, pose, s->slab, at(0, 0, 0)}, NULL, NULL, contacts, 8, &count));
    assert_ok(abut_collide(&(abut_pair){s->cube, long_pose, s->slab, at(0, 0, 0)}, NULL, NULL, again, 8, &count_again));
    assert_int_equal(count, 4);
    assert_int_equal(count_again, 4);
    for (int i = 0; i < 4; i++) {
        assert_vec3_near(again[i].on_a, contacts[i].on_a, 1e-12);
        assert_near(abut_length(again[i].normal), 1.0, 1e-12);
    }
}

static void settings_out_of_range(void **state) {
    shapes *s = *state;
    abut_collide_settings good = abut_collide_settings_default(), bad;
    assert_near(good.margin, 0.0, 0.0);
    assert_near(good.feature_angle, 2.0 * PI / 180.0, 1e-15);
    assert_int_equal(good.contraction, ABUT_CONTRACTION_CORE);
    assert_true(good.refine_normal);
    assert_near(good.weld, 1e-6, 0.0);
    assert_near(abut_length(good.previous_normal), 0.0, 0.0);
    abut_pose a = at(0, 0, 0.99), b = at(0, 0, 0);
    bad = good;
    bad.margin = -1e-3;
    fails(s->cube, a, s->cube, b, &bad, ABUT_ERROR_INVALID_ARGUMENT);
    bad = good;
    bad.feature_angle = -1e-3;
    fails(s->cube, a, s->cube, b, &bad, ABUT_ERROR_INVALID_ARGUMENT);
    bad = good;
    bad.feature_angle = 0.8;
    fails(s->cube, a, s->cube, b, &bad, ABUT_ERROR_INVALID_ARGUMENT);
    bad = good;
    bad.contraction = (abut_contraction)7;
    fails(s->cube, a, s->cube, b, &bad, ABUT_ERROR_INVALID_ARGUMENT);
    bad = good;
    bad.weld = -1.0;
    fails(s->cube, a, s->cube, b, &bad, ABUT_ERROR_INVALID_ARGUMENT);
    bad = good;
    bad.margin = NAN;
    fails(s->cube, a, s->cube, b, &bad, ABUT_ERROR_NOT_FINITE);
    bad = good;
    bad.feature_angle = NAN;
    fails(s->cube, a, s->cube, b, &bad, ABUT_ERROR_NOT_FINITE);
    bad = good;
    bad.weld = INFINITY;
    fails(s->cube, a, s->cube, b, &bad, ABUT_ERROR_NOT_FINITE);
    bad = good;
    bad.previous_normal.z = NAN;
    fails(s->cube, a, s->cube, b, &bad, ABUT_ERROR_NOT_FINITE);
}

/* Extreme values within the ranges, and a previous normal that is not unit or belongs to another pair, are no errors. */
static void settings_at_their_limits(void **state) {
    shapes *s = *state;
    abut_contact contacts[16], expected[16];
    int32_t count, expected_count;
    abut_pose a = at(0.1, 0.2, 0.99), b = at(0, 0, 0);
    assert_ok(abut_collide(&(abut_pair){s->cube, a, s->cube, b}, NULL, NULL, expected, 16, &expected_count));
    assert_int_equal(expected_count, 4);
    const abut_vec3 previous[5] = {{0, 0, 1e300}, {1e-300, 0, 0}, {-1, -1, -1}, {5, 0, 0}, {0, 0, -1}};
    for (int i = 0; i < 5; i++) {
        abut_collide_settings settings = abut_collide_settings_default();
        settings.previous_normal = previous[i];
        assert_ok(abut_collide(&(abut_pair){s->cube, a, s->cube, b}, &settings, NULL, contacts, 16, &count));
        assert_int_equal(count, 4);
        assert_vec3_near(contacts[0].normal, up, 1e-12);
    }
    abut_collide_settings settings = abut_collide_settings_default();
    settings.feature_angle = 0.0;
    settings.weld = 0.0;
    assert_ok(abut_collide(&(abut_pair){s->cube, a, s->cube, b}, &settings, NULL, contacts, 16, &count));
    assert_int_equal(count, 4);
    settings.feature_angle = PI / 4;
    settings.margin = 1e300;
    assert_ok(abut_collide(&(abut_pair){s->cube, a, s->cube, b}, &settings, NULL, contacts, 16, &count));
    assert_int_equal(count, 4);
    settings.refine_normal = false;
    settings.contraction = ABUT_CONTRACTION_CENTROID;
    assert_ok(abut_collide(&(abut_pair){s->cube, a, s->cube, b}, &settings, NULL, contacts, 16, &count));
    assert_int_equal(count, 4);
}

static void short_buffers(void **state) {
    shapes *s = *state;
    abut_contact all[16], some[16];
    int32_t count, needed;
    abut_pose a = at(0, 0, 0.99), b = at(0, 0, 0);
    a.rotation = abut_quat_about(up, PI / 4);
    assert_ok(abut_collide(&(abut_pair){s->cube, a, s->cube, b}, NULL, NULL, all, 16, &count));
    assert_int_equal(count, 8);
    for (int32_t capacity = 0; capacity < 8; capacity++) {
        memset(some, 0x5a, sizeof some);
        needed = -1;
        assert_status(abut_collide(&(abut_pair){s->cube, a, s->cube, b}, NULL, NULL, capacity ? some : NULL, capacity, &needed),
                      ABUT_ERROR_CAPACITY);
        assert_int_equal(needed, 8);
        assert_memory_equal(some, all, (size_t)capacity * sizeof *some);
        const unsigned char *beyond = (const unsigned char *)(some + capacity);
        for (size_t k = 0; k < sizeof *some; k++) {
            assert_int_equal(beyond[k], 0x5a);
        }
    }
    assert_ok(abut_collide(&(abut_pair){s->cube, a, s->cube, b}, NULL, NULL, some, 8, &needed));
    assert_memory_equal(some, all, 8 * sizeof *some);
    /* Apart: no capacity is needed. */
    assert_ok(abut_collide(&(abut_pair){s->cube, at(5, 0, 0), s->cube, b}, NULL, NULL, NULL, 0, &needed));
    assert_int_equal(needed, 0);
    /* A compound: the deepest patch comes first. */
    assert_ok(abut_collide(&(abut_pair){s->pair, at(0, 0, 0.95), s->slab, at(0, 0, 0)}, NULL, NULL, all, 16, &count));
    assert_true(count >= 5);
    assert_status(abut_collide(&(abut_pair){s->pair, at(0, 0, 0.95), s->slab, at(0, 0, 0)}, NULL, NULL, some, 2, &needed),
                  ABUT_ERROR_CAPACITY);
    assert_int_equal(needed, count);
    assert_memory_equal(some, all, 2 * sizeof *some);
    double deepest = INFINITY, first = INFINITY;
    for (int32_t i = 0; i < count; i++) {
        deepest = fmin(deepest, all[i].gap);
        first = all[i].patch == 0 ? fmin(first, all[i].gap) : first;
    }
    assert_near(first, deepest, 0.0);
}

static void unsupported_pairs(void **state) {
    shapes *s = *state;
    fails(s->plane, at(0, 0, 0), s->plane, at(0, 0, 0), NULL, ABUT_ERROR_UNSUPPORTED_PAIR);
    /* Every other pair has a generator, in both orders. */
    const abut_shape *all[7] = {s->cube, s->slab, s->ball, s->bar, s->plane, s->pair, s->hull};
    abut_contact contacts[64];
    for (int i = 0; i < 7; i++) {
        for (int j = 0; j < 7; j++) {
            int32_t count = 0;
            if (all[i] == s->plane && all[j] == s->plane) {
                continue;
            }
            assert_ok(abut_collide(&(abut_pair){all[i], at(0.05, 0.1, 0.15), all[j], at(0, 0, 0)}, NULL, NULL, contacts, 64, &count));
            assert_true(count > 0);
            for (int32_t k = 0; k < count; k++) {
                assert_near(abut_length(contacts[k].normal), 1.0, 1e-12);
                assert_true(isfinite(contacts[k].gap));
            }
        }
    }
}

static bool same_bits(const abut_contact *p, const abut_contact *q, int32_t count) { return memcmp(p, q, (size_t)count * sizeof *p) == 0; }

/* Caches that are empty, warm, stale, of another pair, or garbage. */
static void caches_change_nothing(void **state) {
    shapes *s = *state;
    const abut_shape *all[7] = {s->cube, s->slab, s->ball, s->bar, s->hull, s->pair, s->plane};
    random_state random = random_make(random_seed("caches_change_nothing", 72));
    abut_contact plain[64], cached[64];
    abut_cache foreign = {.axis = {0, 0, 1}}, running[7][7];
    memset(running, 0, sizeof running);
    int32_t touching = 0;
    for (int i = 0; i < 4000; i++) {
        int32_t p = random_below(&random, 6), q = random_below(&random, 7);
        abut_pose pose_a = random_pose(&random, 1.2), pose_b = random_pose(&random, 0.3);
        abut_collide_settings settings = abut_collide_settings_default();
        settings.margin = i % 3 ? 0.0 : random_log_range(&random, 1e-6, 0.3);
        int32_t count, count_cached;
        assert_ok(abut_collide(&(abut_pair){all[p], pose_a, all[q], pose_b}, &settings, NULL, plain, 64, &count));
        touching += count > 0;
        abut_cache caches[8] = {
            {.axis = {0, 0, 0}},
            {.axis = {NAN, NAN, NAN}},
            {.axis = {0, INFINITY, 0}},
            {.axis = {1e300, -1e300, 1e300}},
            {.axis = {1e-310, 0, 0}},
            {.axis = random_direction(&random)},
            foreign,
            running[p][q],
        };
        for (int k = 0; k < 8; k++) {
            assert_ok(abut_collide(&(abut_pair){all[p], pose_a, all[q], pose_b}, &settings, &caches[k], cached, 64, &count_cached));
            assert_int_equal(count_cached, count);
            assert_true(same_bits(plain, cached, count));
            /* And again, with what the call has left in it. */
            assert_ok(abut_collide(&(abut_pair){all[p], pose_a, all[q], pose_b}, &settings, &caches[k], cached, 64, &count_cached));
            assert_int_equal(count_cached, count);
            assert_true(same_bits(plain, cached, count));
        }
        running[p][q] = caches[7];
        foreign = caches[7];
    }
    assert_true(touching > 1000);
}

/* A pair that approaches in small steps with one cache: contact is found exactly in the step in which it begins. */
static void warm_cache_sees_the_first_contact(void **state) {
    shapes *s = *state;
    random_state random = random_make(random_seed("warm_cache_sees_the_first_contact", 73));
    for (int i = 0; i < 50; i++) {
        abut_cache cache = {.axis = {0, 0, 0}};
        abut_pose a = random_pose(&random, 0.1), b = random_pose(&random, 0.1);
        abut_vec3 direction = random_direction(&random);
        for (double way = 2.0; way > 0.5; way -= 0.01) {
            abut_contact plain[64], cached[64];
            int32_t count, count_cached;
            a.position = abut_scale(way, direction);
            a.rotation = abut_quat_mul(abut_quat_about(up, 0.01), a.rotation);
            assert_ok(abut_collide(&(abut_pair){s->hull, a, s->cube, b}, NULL, NULL, plain, 64, &count));
            assert_ok(abut_collide(&(abut_pair){s->hull, a, s->cube, b}, NULL, &cache, cached, 64, &count_cached));
            assert_int_equal(count_cached, count);
            assert_true(same_bits(plain, cached, count));
        }
    }
}

/* Huge and tiny finite numbers give a status, never a hang or NaN. */
static void extreme_numbers(void **state) {
    shapes *s = *state;
    const double sizes[6] = {1e-300, 1e-150, 1e-30, 1e30, 1e150, 1e300};
    for (int i = 0; i < 6; i++) {
        abut_shape *shape = NULL;
        if (abut_shape_create_box(abut_vec3_make(sizes[i], sizes[i], sizes[i]), &shape) != ABUT_OK) {
            continue;
        }
        const abut_shape *others[4] = {shape, s->cube, s->ball, s->plane};
        for (int k = 0; k < 4; k++) {
            abut_contact contacts[64];
            int32_t count = -1;
            abut_status status = abut_collide(&(abut_pair){shape, at(0.1 * sizes[i], 0, 0.2 * sizes[i]), others[k], at(0, 0, 0)}, NULL,
                                              NULL, contacts, 64, &count);
            assert_true(count >= 0 && count <= 64);
            assert_true(status == ABUT_OK || count == 0);
            for (int32_t c = 0; c < count; c++) {
                assert_true(isfinite(contacts[c].gap) && abut_vec3_is_finite(contacts[c].on_a) && abut_vec3_is_finite(contacts[c].on_b));
                assert_near(abut_length(contacts[c].normal), 1.0, 1e-12);
            }
        }
        abut_shape_release(shape);
    }
}

/* Two long crossed bars as polytopes: for every accepted size, products of lengths neither overflow nor underflow in the computation of
 * alpha. */
static void accepted_sizes_are_alike(void **state) {
    (void)state;
    double expected = 0.0;
    int accepted = 0;
    for (int power = 0; power > -120; power = power > 0 ? -power : -power + 1) {
        double size = pow(10.0, power);
        solid bar = solid_box(abut_vec3_make(1.25 * size, 73.75 * size, 1.25 * size));
        abut_polytope_def def = {bar.vertices, bar.vertex_count, bar.face_sizes, bar.face_count, bar.face_vertices, 0.0};
        abut_shape *shape = NULL;
        if (abut_shape_create_polytope(&def, NULL, &shape) == ABUT_OK) {
            abut_pose a = at(-1.25 * size, 0, -77.5 * size), b = at(-1.25 * size, -73.75 * size, -73.75 * size);
            b.rotation = abut_quat_unit(abut_quat_make(0.316, 0.582, 0.749, -0.008));
            abut_growth growth;
            assert_ok(abut_growth_distance(&(abut_pair){shape, a, shape, b}, NULL, &growth));
            expected = power == 0 ? growth.alpha : expected;
            assert_near(growth.alpha, expected, 1e-9);
            accepted++;
        }
        abut_shape_release(shape);
        solid_free(&bar);
    }
    assert_true(accepted > 60);
}

/* Lack of memory, at any request, gives a status; nothing is written or kept. Patches of many corners and compounds need memory. */
static void out_of_memory(void **state) {
    shapes *s = *state;
    abut_shape *coin = NULL, *many = NULL;
    assert_ok(abut_shape_create_prism(0.5, 0.2, 200, &coin));
    abut_part parts[2] = {{coin, at(0, 0, 0)}, {s->cube, at(0.4, 0, 0)}};
    assert_ok(abut_shape_create_compound(parts, 2, &many));
    const abut_shape *all[3] = {coin, many, s->cube};
    int32_t refusals = 0;
    for (int i = 0; i < 3; i++) {
        static abut_contact contacts[1024], untouched[1024];
        counting_allocator memory;
        int64_t refused = 0;
        do {
            memory = (counting_allocator){.refuse_at = refused++};
            memset(contacts, 0x5a, sizeof contacts);
            memset(untouched, 0x5a, sizeof untouched);
            int32_t count = -1;
            counting_allocator_install(&memory);
            abut_status status =
                abut_collide(&(abut_pair){all[i], at(0, 0, 0.65), s->slab, at(0, 0, 0)}, NULL, NULL, contacts, 1024, &count);
            counting_allocator_remove();
            assert_int_equal(memory.live, 0);
            assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
            if (memory.refused) {
                refusals++;
                assert_int_equal(count, 0);
                assert_memory_equal(contacts, untouched, sizeof contacts);
            } else {
                assert_true(count > 0);
            }
        } while (memory.refused);
    }
    assert_true(refusals > 0);
    abut_shape_release(coin);
    abut_shape_release(many);
}

static void swap_twice_is_nothing(void **state) {
    shapes *s = *state;
    abut_contact contacts[8];
    int32_t count;
    assert_ok(abut_collide(&(abut_pair){s->cube, at(0.1, 0.2, 0.99), s->slab, at(0, 0, 0)}, NULL, NULL, contacts, 8, &count));
    assert_int_equal(count, 4);
    abut_contact once = abut_contact_swap(contacts[0]), twice = abut_contact_swap(once);
    assert_memory_equal(&twice, &contacts[0], sizeof twice);
    assert_vec3_near(once.on_a, contacts[0].on_b, 0.0);
    assert_vec3_near(once.on_b, contacts[0].on_a, 0.0);
    assert_vec3_near(once.normal, abut_neg(contacts[0].normal), 0.0);
    assert_near(once.gap, contacts[0].gap, 0.0);
    assert_true(once.id == contacts[0].id);
    assert_int_equal(once.feature_a.kind, contacts[0].feature_b.kind);
    assert_int_equal(once.feature_b.index, contacts[0].feature_a.index);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_arguments),
        cmocka_unit_test(bad_poses),
        cmocka_unit_test(beyond_arithmetic),
        cmocka_unit_test(accepted_sizes_are_alike),
        cmocka_unit_test(nearly_unit_quaternion),
        cmocka_unit_test(settings_out_of_range),
        cmocka_unit_test(short_buffers),
        cmocka_unit_test(settings_at_their_limits),
        cmocka_unit_test(unsupported_pairs),
        cmocka_unit_test(extreme_numbers),
        cmocka_unit_test(warm_cache_sees_the_first_contact),
        cmocka_unit_test(caches_change_nothing),
        cmocka_unit_test(swap_twice_is_nothing),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests_name("narrow/errors", tests, make_shapes, free_shapes);
}
