/*
 * The least volume ratio in all modes that have one. The oracle computes volumes and gaps again in long double, from the displacements alone. No normal next
 * to that of the local search may be better, and none at all better than that of the global one.
 */
#include <abut/tetra.h>

#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/tetra_case.h"

static const abut_depth_mode modes[] = {ABUT_DEPTH_EXACT44, ABUT_DEPTH_ACCELERATED, ABUT_DEPTH_BEST_K, ABUT_DEPTH_FREE_LOCAL,
                                        ABUT_DEPTH_FREE};
enum { MODES = sizeof modes / sizeof *modes };

typedef struct exact_vec3 {
    long double x, y, z;
} exact_vec3;

static exact_vec3 edge_of(const abut_simplex *s, const abut_vec3 *by, int32_t to) {
    abut_vec3 p = s->vertex[0], q = s->vertex[to];
    return (exact_vec3){(long double)q.x - p.x + by[to].x - by[0].x, (long double)q.y - p.y + by[to].y - by[0].y,
                        (long double)q.z - p.z + by[to].z - by[0].z};
}

/* Six times the volume of the displaced tetrahedron. */
static long double volume_of(const abut_simplex *s, const abut_vec3 *by) {
    exact_vec3 u = edge_of(s, by, 1), v = edge_of(s, by, 2), w = edge_of(s, by, 3);
    return u.x * (v.y * w.z - v.z * w.y) - u.y * (v.x * w.z - v.z * w.x) + u.z * (v.x * w.y - v.y * w.x);
}

static const abut_vec3 still[4] = {{0.0, 0.0, 0.0}};

/* The library exempts tetrahedra whose volume is 1e-14 of the product of three edges. Those next to this are left out. */
static bool has_volume(const abut_simplex *s) {
    double product = 1.0;
    for (int32_t i = 1; i < 4; ++i) {
        product *= abut_distance_between(s->vertex[i], s->vertex[0]);
    }
    return s->count == 4 && fabsl(volume_of(s, still)) > 1e-13L * product;
}

static void check_ratio(tally *t, const char *name, const abut_simplex *s, const abut_vec3 *by, double least, int32_t *active) {
    if (has_volume(s)) {
        long double ratio = volume_of(s, by) / volume_of(s, still);
        *active += ratio < (long double)least + 1e-6L;
        if (!(ratio >= least)) {
            tally_fail(t, "ratio", "of %s %.20Lg, below by %Lg", name, ratio, (long double)least - ratio);
        }
    }
}

static void check_apart(tally *t, const tetra_case *c, const abut_depth *d) {
    long double low = INFINITY, high = -INFINITY;
    for (int32_t i = 0; i < 8; ++i) {
        bool first = i < 4;
        abut_vec3 x = first ? c->a.vertex[i] : c->b.vertex[i - 4], by = first ? d->displacement_a[i] : d->displacement_b[i - 4],
                  n = d->normal;
        long double height = n.x * ((long double)x.x + by.x) + n.y * ((long double)x.y + by.y) + n.z * ((long double)x.z + by.z);
        if (i % 4 < (first ? c->a.count : c->b.count)) {
            low = first ? fminl(low, height) : low;
            high = first ? high : fmaxl(high, height);
        }
    }
    if (!(low - high >= -1e-13L * (tetra_case_size(c) + 20.0))) {
        tally_fail(t, "apart", "gap %Lg", low - high);
    }
}

static void check_cost(tally *t, const tetra_case *c, const abut_depth_settings *s, const abut_depth *d) {
    double a = s->weight_a < INFINITY ? s->weight_a * abut_object_norm_squared(c->a.count, d->displacement_a) : 0.0;
    double b = s->weight_b < INFINITY ? s->weight_b * abut_object_norm_squared(c->b.count, d->displacement_b) : 0.0;
    if (!(fabs(sqrt(a + b) - d->depth) <= 1e-10 * d->depth + 1e-14)) {
        tally_fail(t, "cost", "%.17g of the displacements, %.17g told", sqrt(a + b), d->depth);
    }
}

static double weight(random_state *random) { return random_below(random, 2) == 0 ? 1.0 : random_log_range(random, 0.01, 100.0); }

static abut_depth_settings random_settings(random_state *random) {
    static const double ratios[] = {0.0, 1e-6, 0.1, 0.5, 0.9, 0.999};
    abut_depth_settings s = abut_depth_settings_default();
    s.volume_ratio = ratios[random_below(random, 6)];
    s.weight_a = weight(random);
    s.weight_b = weight(random);
    s.weight_a = random_below(random, 4) == 0 ? INFINITY : s.weight_a;
    s.weight_b = s.weight_a < INFINITY && random_below(random, 4) == 0 ? INFINITY : s.weight_b;
    return s;
}

/* Every mode keeps the ratio and separates; a larger choice of normals is never deeper. */
static void test_modes(void **state) {
    (void)state;
    random_state random = random_make(random_seed("modes", 41));
    static tally t;
    int32_t active = 0, samples = random_samples("modes", 4000);
    for (int32_t i = 0; i < samples; ++i) {
        tetra_kind kind = (tetra_kind)random_below(&random, TETRA_KINDS);
        tetra_case c = tetra_case_intersecting(&random, kind);
        abut_depth_settings s = random_settings(&random);
        double depth[MODES];
        for (int m = 0; m < MODES; ++m) {
            abut_depth d, without;
            s.mode = modes[m];
            assert_ok(abut_simplex_depth(&c.a, &c.b, &s, &d));
            tally_sample(&t, "sample %d, kind %d, mode %d, weights %g %g, ratio %g: %s", (int)i, (int)kind, (int)s.mode, s.weight_a,
                         s.weight_b, s.volume_ratio, tetra_case_text(&c));
            depth[m] = d.depth;
            if (s.weight_a < INFINITY) {
                check_ratio(&t, "A", &c.a, d.displacement_a, s.volume_ratio, &active);
            }
            if (s.weight_b < INFINITY) {
                check_ratio(&t, "B", &c.b, d.displacement_b, s.volume_ratio, &active);
            }
            check_apart(&t, &c, &d);
            check_cost(&t, &c, &s, &d);
            abut_depth_settings unbound = s;
            unbound.volume_ratio = -INFINITY;
            assert_ok(abut_simplex_depth(&c.a, &c.b, &unbound, &without));
            if (m != 1 && m != 3 && !(d.depth >= without.depth * (1.0 - 1e-12))) {
                tally_fail(&t, "less than without a ratio", "%.17g, %.17g", d.depth, without.depth);
            }
        }
        if (!(depth[4] <= depth[3] * (1.0 + 1e-12) && depth[3] <= depth[0] * (1.0 + 1e-12) && depth[0] <= depth[2] * (1.0 + 1e-12) &&
              depth[2] <= depth[1] * (1.0 + 1e-12))) {
            tally_fail(&t, "order", "%.17g %.17g %.17g %.17g %.17g", depth[0], depth[1], depth[2], depth[3], depth[4]);
        }
    }
    printf("modes: %d volumes at the bound\n", (int)active);
    assert_true(active > samples);
    tally_end(&t);
}

static double least_beside(const tetra_case *c, const abut_depth_settings *s, abut_vec3 normal, double step) {
    abut_vec3 u, v;
    abut_depth near;
    double least = INFINITY;
    abut_tangent_frame(normal, &u, &v);
    for (int32_t k = 0; k < 8; ++k) {
        double angle = k * 0.25 * acos(-1.0);
        abut_vec3 n = abut_add_scaled(abut_add_scaled(normal, step * cos(angle), u), step * sin(angle), v);
        assert_ok(abut_simplex_depth_along(&c->a, &c->b, n, s, &near));
        least = fmin(least, near.depth);
    }
    return least;
}

/* Local minima are minima. The global one is not beaten by random normals and what is near the best of them; it is certified only where no element is at the
 * bound. */
static void test_normals(void **state) {
    (void)state;
    enum { NORMALS = 60 };
    random_state random = random_make(random_seed("normals", 42));
    static tally t;
    int32_t beside = 0, beaten = 0, certified = 0, samples = random_samples("normals", 1500);
    for (int32_t i = 0; i < samples; ++i) {
        tetra_case c = tetra_case_intersecting(&random, TETRA_UNIFORM);
        abut_depth_settings s = random_settings(&random);
        abut_depth local, free, at;
        s.mode = ABUT_DEPTH_FREE_LOCAL;
        assert_ok(abut_simplex_depth(&c.a, &c.b, &s, &local));
        s.mode = ABUT_DEPTH_FREE;
        assert_ok(abut_simplex_depth(&c.a, &c.b, &s, &free));
        tally_sample(&t, "sample %d, weights %g %g, ratio %g: %s", (int)i, s.weight_a, s.weight_b, s.volume_ratio, tetra_case_text(&c));
        for (int k = 0; k < 2; ++k) {
            double near = least_beside(&c, &s, local.normal, k == 0 ? 1e-4 : 1e-6);
            beside += !(near >= local.depth * (1.0 - 1e-8));
            if (!(near >= local.depth * (1.0 - 1e-8))) {
                tally_fail(&t, "beside", "%.17g beside %.17g", near, local.depth);
            }
        }
        double least = INFINITY, spread = 1.0;
        abut_vec3 best = free.normal;
        for (int32_t k = 0; k < NORMALS; ++k) {
            abut_vec3 n = k < NORMALS / 2 ? random_direction(&random) : abut_add_scaled(best, spread *= 0.85, random_direction(&random));
            assert_ok(abut_simplex_depth_along(&c.a, &c.b, n, &s, &at));
            best = at.depth < least ? at.normal : best;
            least = fmin(least, at.depth);
        }
        certified += free.certified;
        beaten += least < free.depth * (1.0 - 1e-9);
        if (free.certified && least < free.depth * (1.0 - 1e-12)) {
            tally_fail(&t, "certified", "%.17g beaten by %.17g", free.depth, least);
        }
    }
    printf("normals: %d of %d certified, %d beaten, %d not a minimum\n", (int)certified, (int)samples, (int)beaten, (int)beside);
    assert_true(certified > samples / 10 && certified < samples);
    assert_true(beaten <= samples / 100);
    tally_end(&t);
}

/* A pair that turns A inside out without a ratio. */
static void test_no_inversion(void **state) {
    (void)state;
    random_state random = random_make(random_seed("inversion", 43));
    int32_t inverted = 0, samples = random_samples("inversion", 4000);
    for (int32_t i = 0; i < samples; ++i) {
        tetra_case c = tetra_case_intersecting(&random, TETRA_UNIFORM);
        abut_depth_settings s = abut_depth_settings_default();
        abut_depth d;
        s.mode = i % 2 == 0 ? ABUT_DEPTH_FREE : ABUT_DEPTH_FREE_LOCAL;
        assert_ok(abut_simplex_depth(&c.a, &c.b, &s, &d));
        if (volume_of(&c.a, d.displacement_a) / volume_of(&c.a, still) < -1e-6L) {
            ++inverted;
            s.volume_ratio = 0.0;
            assert_ok(abut_simplex_depth(&c.a, &c.b, &s, &d));
            assert_true(volume_of(&c.a, d.displacement_a) / volume_of(&c.a, still) >= 0.0L);
            assert_true(!d.certified);
        }
    }
    printf("inversion: %d of %d turned inside out without a ratio\n", (int)inverted, (int)samples);
    assert_true(inverted > samples / 100);
}

/* FNV-1a */
static uint64_t digest(uint64_t hash, const void *data, size_t size) {
    for (size_t i = 0; i < size; ++i) {
        hash = (hash ^ ((const unsigned char *)data)[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

/* Without a ratio, answers have the bits that they had before free normals knew one; but for static bodies in the paper's mode, which differ in rounding. */
static void test_off(void **state) {
    (void)state;
    random_state random = random_make(44);
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int32_t i = 0; i < 3000; ++i) {
        tetra_case c = tetra_case_intersecting(&random, (tetra_kind)(i % TETRA_KINDS));
        abut_depth_settings s = abut_depth_settings_default();
        s.mode = (abut_depth_mode)(i / TETRA_KINDS % 6);
        s.weight_a = i % 5 == 0 && s.mode != ABUT_DEPTH_PAPER ? INFINITY : 1.0 + i % 3;
        abut_depth d;
        assert_ok(abut_simplex_depth(&c.a, &c.b, &s, &d));
        hash = digest(hash, &d.depth, sizeof d.depth);
        hash = digest(hash, &d.normal, sizeof d.normal);
        hash = digest(hash, d.displacement_a, sizeof d.displacement_a);
        hash = digest(hash, d.displacement_b, sizeof d.displacement_b);
    }
    printf("off: digest %016llx\n", (unsigned long long)hash);
    assert_true(hash == UINT64_C(0xb96b606e509ad8a0));
}

static void test_invalid(void **state) {
    (void)state;
    static const double invalid[] = {NAN, -0.1, -1e-300, 1.0, 2.0, INFINITY};
    random_state random = random_make(45);
    tetra_case c = tetra_case_intersecting(&random, TETRA_UNIFORM);
    abut_depth d, before;
    memset(&before, 7, sizeof before);
    for (size_t k = 0; k < sizeof invalid / sizeof *invalid; ++k) {
        for (int m = 0; m < MODES; ++m) {
            abut_depth_settings s = abut_depth_settings_default();
            s.mode = modes[m];
            s.volume_ratio = invalid[k];
            memcpy(&d, &before, sizeof d);
            assert_status(abut_simplex_depth(&c.a, &c.b, &s, &d), ABUT_ERROR_INVALID_ARGUMENT);
            assert_status(abut_simplex_depth_batch(&c.a, &c.b, 1, &s, NULL, &d), ABUT_ERROR_INVALID_ARGUMENT);
            assert_memory_equal(&d, &before, sizeof d);
        }
    }
    abut_depth_settings s = abut_depth_settings_default();
    s.mode = ABUT_DEPTH_PAPER;
    s.volume_ratio = 0.5;
    assert_status(abut_simplex_depth(&c.a, &c.b, &s, &d), ABUT_ERROR_INVALID_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_modes), cmocka_unit_test(test_normals), cmocka_unit_test(test_no_inversion),
                                       cmocka_unit_test(test_off), cmocka_unit_test(test_invalid)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
