/*
 * Separation of meshes that must keep a share of each element's volume. The oracle computes all volumes again in long double, from the positions alone, and
 * tests every pair of elements. Balls, blocks, rings and soups, shallow and deep, with fixed vertices, one mesh through itself.
 */
#include <stdlib.h>
#include <string.h>

#include "support/allocator.h"
#include "support/check.h"
#include "support/random.h"
#include "support/tetra_grid.h"
#include "support/threads.h"
#include "tetra/mesh/view.h"

typedef struct scene {
    tetra_grid a, b; /* b is empty for one mesh with itself */
    double *mass_a, *mass_b;
    abut_vec3 *moved_a, *moved_b;
    abut_resolve_report report;
} scene;

static tetra_grid placed(tetra_grid grid, double angle, double x, double y, double z) {
    tetra_grid_place(&grid, abut_quat_about(abut_unit(abut_vec3_make(1, 2, 3)), angle), abut_vec3_make(x, y, z));
    return grid;
}

static scene make_scene(tetra_grid a, tetra_grid b) {
    scene s = {.a = a, .b = b};
    s.moved_a = check_memory((size_t)a.vertex_count, sizeof *s.moved_a);
    s.moved_b = check_memory((size_t)b.vertex_count + 1, sizeof *s.moved_b);
    return s;
}

static void free_scene(scene *s) {
    tetra_grid_release(&s->a);
    tetra_grid_release(&s->b);
    free(s->mass_a);
    free(s->mass_b);
    free(s->moved_a);
    free(s->moved_b);
}

static abut_status resolve(scene *s, abut_resolve_mode mode, double ratio, const abut_parallel *parallel) {
    const abut_parallel alone = {.threads = 1};
    abut_tetra_mesh a = tetra_grid_mesh(&s->a), b = tetra_grid_mesh(&s->b);
    abut_resolve_settings settings = abut_resolve_settings_default();
    settings.mode = mode;
    settings.volume_ratio = ratio;
    return abut_tetra_mesh_resolve(&a, s->b.vertices != NULL ? &b : NULL, s->mass_a, s->mass_b, &settings,
                                   parallel != NULL ? parallel : &alone, s->moved_a, s->moved_b, NULL, 0, &s->report);
}

/* ---- the oracle ---- */

/* Six times the volume, in long double. */
static long double volume_of(const int32_t *corner, const abut_vec3 *at) {
    long double e[3][3];
    for (int i = 0; i < 3; i++) {
        abut_vec3 p = at[corner[0]], q = at[corner[i + 1]];
        e[i][0] = (long double)q.x - p.x;
        e[i][1] = (long double)q.y - p.y;
        e[i][2] = (long double)q.z - p.z;
    }
    return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) - e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
           e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
}

static long double least_ratio(const tetra_grid *g, const abut_vec3 *moved) {
    long double least = INFINITY;
    for (int32_t e = 0; e < g->element_count; e++) {
        const int32_t *corner = &g->elements[4 * (int64_t)e];
        long double before = volume_of(corner, g->vertices);
        least = before != 0.0L ? fminl(least, volume_of(corner, moved) / before) : least;
    }
    return least;
}

static int64_t count_intersections(const scene *s) {
    tetra_grid p = s->a, q = s->b;
    p.vertices = s->moved_a;
    q.vertices = s->moved_b;
    abut_tetra_mesh a = tetra_grid_mesh(&p), b = tetra_grid_mesh(&q);
    bool self = s->b.vertices == NULL;
    const abut_tetra_mesh *second = self ? &a : &b;
    int64_t count = 0;
    for (int32_t i = 0; i < a.element_count; i++) {
        abut_aabb box = mesh_box(&a, i);
        abut_simplex x = mesh_element(&a, i);
        for (int32_t k = self ? i + 1 : 0; k < second->element_count; k++) {
            abut_aabb other = mesh_box(second, k);
            if (mesh_boxes_meet(&box, &other) && !(self && mesh_share_vertex(&a, i, k))) {
                abut_simplex y = mesh_element(second, k);
                abut_depth depth;
                assert_ok(abut_simplex_depth(&x, &y, NULL, &depth));
                count += depth.relation == ABUT_DEPTH_INTERSECTING;
            }
        }
    }
    return count;
}

/* The ratio holds, whatever the status; and the report is true. */
static void check_kept(tally *t, const scene *s, abut_status status, double ratio) {
    long double least = least_ratio(&s->a, s->moved_a);
    least = s->b.vertices != NULL ? fminl(least, least_ratio(&s->b, s->moved_b)) : least;
    int64_t remaining = count_intersections(s);
    if (!(least >= (long double)ratio)) {
        tally_fail(t, "ratio", "%.17Lg below %g", least, ratio);
    }
    if (!(fabsl(least - s->report.volume_ratio_least) <= 1e-9L)) {
        tally_fail(t, "least ratio", "%.17Lg, told %.17g", least, s->report.volume_ratio_least);
    }
    if (remaining != s->report.pairs_remaining || (remaining == 0) != (status == ABUT_OK) || s->report.inverted != 0) {
        tally_fail(t, "report", "%s, %d remaining, told %d; %d inverted", abut_status_name(status), (int)remaining,
                   (int)s->report.pairs_remaining, (int)s->report.inverted);
    }
}

/* ---- scenes ---- */

static scene make_named(int which) {
    const abut_vec3 one = {1, 1, 1}, small = {0.4, 0.4, 0.4}, bar = {0.62, 0.62, 1};
    switch (which) {
    case 0:
        return make_scene(placed(tetra_grid_ball(6, 1.0), 0.3, 0, 0, 0), placed(tetra_grid_ball(6, 1.0), 1.1, 1.9, 0.1, 0.2));
    case 1:
        return make_scene(placed(tetra_grid_ball(6, 1.0), 0.3, 0, 0, 0), placed(tetra_grid_ball(6, 1.0), 1.1, 0.9, 0.1, 0.2));
    case 2:
        return make_scene(tetra_grid_block(4, 4, 4, one), placed(tetra_grid_block(3, 3, 3, small), 0.2, 0.8, 0.1, 0.2));
    case 3: /* one entirely inside the other, about the same centre */
        return make_scene(tetra_grid_block(4, 4, 4, one), tetra_grid_block(3, 3, 3, small));
    case 4: /* the same mesh twice */
        return make_scene(tetra_grid_block(3, 3, 3, one), tetra_grid_block(3, 3, 3, one));
    default: /* two zones */
        return make_scene(tetra_grid_ring(24, 3, 1.0, 0.25), placed(tetra_grid_block(8, 2, 2, bar), 0.0, 0.0, 0.0, 0.0));
    }
}

enum { NAMED = 6 };

static void two_meshes_end_apart(void **state) {
    (void)state;
    static const struct {
        int which;
        double ratio;
    } cases[] = {{0, 0.0}, {0, 0.9}, {2, 0.5}, {4, 0.1}, {5, 0.5}};
    static tally t;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        for (int mode = 0; mode < 3; mode++) {
            scene s = make_named(cases[k].which);
            abut_status status = resolve(&s, (abut_resolve_mode)mode, cases[k].ratio, NULL);
            tally_sample(&t, "scene %d, mode %d, ratio %g", cases[k].which, mode, cases[k].ratio);
            check_kept(&t, &s, status, cases[k].ratio);
            if (mode != ABUT_RESOLVE_SWEEPS && status != ABUT_OK) {
                tally_fail(&t, "status", "%s", abut_status_name(status));
            }
            if (mode != ABUT_RESOLVE_SWEEPS && !(s.report.volume_ratio_least < cases[k].ratio + 0.03 && s.report.at_volume_ratio > 0)) {
                tally_fail(&t, "held back", "%.17g, %d", s.report.volume_ratio_least, (int)s.report.at_volume_ratio);
            }
            free_scene(&s);
        }
    }
    tally_end(&t);
}

/* Loose tetrahedra in a cube. */
static tetra_grid make_soup(random_state *random, int32_t count) {
    tetra_grid soup = {check_memory((size_t)(4 * count), sizeof *soup.vertices), check_memory((size_t)(4 * count), sizeof *soup.elements),
                       4 * count, count};
    for (int32_t e = 0; e < count; e++) {
        abut_vec3 middle = random_vec3(random, -0.4, 0.4);
        for (int32_t i = 0; i < 4; i++) {
            soup.vertices[4 * e + i] = abut_add(middle, random_vec3(random, -0.5, 0.5));
            soup.elements[4 * e + i] = 4 * e + i;
        }
    }
    return soup;
}

/* Random soups with random ratios and masses, some with fixed vertices. Pairs may remain only where vertices are fixed, or by sweeps alone. */
static void soups_keep_their_volumes(void **state) {
    (void)state;
    random_state random = random_make(random_seed("soups", 51));
    static tally t;
    int32_t held = 0, samples = random_samples("soups", 200);
    for (int32_t i = 0; i < samples; i++) {
        int32_t count = 1 + random_below(&random, 12), fixed = random_below(&random, 3);
        scene s = make_scene(make_soup(&random, count), make_soup(&random, 1 + random_below(&random, 12)));
        double ratio = random_below(&random, 4) == 0 ? 0.0 : random_range(&random, 0.0, 0.99);
        int mode = random_below(&random, 3);
        s.mass_a = check_memory((size_t)s.a.vertex_count, sizeof *s.mass_a);
        for (int32_t v = 0; v < s.a.vertex_count; v++) {
            s.mass_a[v] = fixed > 0 && random_below(&random, 8) == 0 ? INFINITY : random_log_range(&random, 0.1, 10.0);
        }
        abut_status status = resolve(&s, (abut_resolve_mode)mode, ratio, NULL);
        tally_sample(&t, "sample %d, mode %d, ratio %g, fixed %d", (int)i, mode, ratio, (int)fixed);
        check_kept(&t, &s, status, ratio);
        for (int32_t v = 0; v < s.a.vertex_count; v++) {
            if (!(s.mass_a[v] < INFINITY) && memcmp(&s.moved_a[v], &s.a.vertices[v], sizeof *s.moved_a) != 0) {
                tally_fail(&t, "fixed", "vertex %d moved", (int)v);
            }
        }
        if (status != ABUT_OK && fixed == 0 && mode != ABUT_RESOLVE_SWEEPS) {
            tally_fail(&t, "status", "%s", abut_status_name(status));
        }
        held += s.report.at_volume_ratio > 0;
        free_scene(&s);
    }
    print_message("soups: %d of %d held back\n", (int)held, (int)samples);
    assert_true(4 * held > samples);
    tally_end(&t);
}

/* The ratio costs displacement: it never saves any, but for the 2 % that elements aim above it. */
static void never_less_than_without(void **state) {
    (void)state;
    for (int which = 0; which < NAMED; which += 5) {
        scene s = make_named(which), free = make_named(which);
        assert_ok(resolve(&s, ABUT_RESOLVE_ZONES, 0.5, NULL));
        assert_ok(resolve(&free, ABUT_RESOLVE_ZONES, -INFINITY, NULL));
        assert_true(s.report.displacement_rms >= 0.99 * free.report.displacement_rms);
        assert_true(s.report.displacement_rms <= 3.0 * free.report.displacement_rms);
        assert_true(free.report.volume_ratio_least == 0.0 && free.report.at_volume_ratio == 0);
        free_scene(&s);
        free_scene(&free);
    }
}

/* A static body stays, and the other one keeps its volumes. */
static void static_body(void **state) {
    (void)state;
    static tally t;
    scene s = make_named(2);
    s.mass_a = check_memory((size_t)s.a.vertex_count, sizeof *s.mass_a);
    for (int32_t v = 0; v < s.a.vertex_count; v++) {
        s.mass_a[v] = INFINITY;
    }
    abut_status status = resolve(&s, ABUT_RESOLVE_AUTO, 0.3, NULL);
    tally_sample(&t, "a static block");
    check_kept(&t, &s, status, 0.3);
    assert_ok(status);
    assert_memory_equal(s.moved_a, s.a.vertices, (size_t)s.a.vertex_count * sizeof *s.moved_a);
    tally_end(&t);
    free_scene(&s);
}

/* All vertices fixed: nothing moves, and the pairs are told. */
static void no_room(void **state) {
    (void)state;
    scene s = make_named(0);
    s.mass_a = check_memory((size_t)s.a.vertex_count, sizeof *s.mass_a);
    s.mass_b = check_memory((size_t)s.b.vertex_count, sizeof *s.mass_b);
    for (int32_t v = 0; v < s.a.vertex_count; v++) {
        s.mass_a[v] = s.mass_b[v] = INFINITY;
    }
    assert_status(resolve(&s, ABUT_RESOLVE_AUTO, 0.5, NULL), ABUT_ERROR_INFEASIBLE);
    assert_true(s.report.pairs_remaining == s.report.pairs_begin && s.report.zones_stuck == 1 && s.report.volume_ratio_least == 1.0);
    free_scene(&s);
}

/* A rolled strip with overlapping ends. */
static void through_itself(void **state) {
    (void)state;
    static tally t;
    for (int mode = 0; mode < 3; mode++) {
        tetra_grid strip = tetra_grid_block(40, 2, 2, abut_vec3_make(1, 1, 1)), none = {.vertices = NULL};
        for (int32_t v = 0; v < strip.vertex_count; v++) {
            abut_vec3 p = strip.vertices[v];
            double angle = 3.3 * p.x, r = 1.0 + 0.02 * p.x + 0.1 * p.y;
            strip.vertices[v] = abut_vec3_make(r * cos(angle), r * sin(angle), 0.1 * p.z);
        }
        scene s = make_scene(strip, none);
        abut_status status = resolve(&s, (abut_resolve_mode)mode, 0.5, NULL);
        tally_sample(&t, "strip, mode %d", mode);
        check_kept(&t, &s, status, 0.5);
        if (mode != ABUT_RESOLVE_SWEEPS) {
            assert_ok(status);
        }
        free_scene(&s);
    }
    tally_end(&t);
}

static void threads_give_the_same_bits(void **state) {
    (void)state;
    three_threads own = {0};
    const abut_parallel parallel[] = {{.threads = 2}, three_threads_parallel(&own)};
    scene first = make_named(5);
    assert_ok(resolve(&first, ABUT_RESOLVE_AUTO, 0.5, NULL));
    for (size_t k = 0; k < sizeof parallel / sizeof *parallel; k++) {
        scene s = make_named(5);
        assert_ok(resolve(&s, ABUT_RESOLVE_AUTO, 0.5, &parallel[k]));
        assert_memory_equal(s.moved_a, first.moved_a, (size_t)s.a.vertex_count * sizeof *s.moved_a);
        assert_memory_equal(s.moved_b, first.moved_b, (size_t)s.b.vertex_count * sizeof *s.moved_b);
        free_scene(&s);
    }
    free_scene(&first);
}

/* FNV-1a */
static uint64_t digest(uint64_t hash, const abut_vec3 *at, int32_t count) {
    const unsigned char *bytes = (const unsigned char *)at;
    for (size_t i = 0; i < (size_t)count * sizeof *at; i++) {
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

/* Without a ratio, positions have the bits that they had before there was one. */
static void off(void **state) {
    (void)state;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int which = 0; which < NAMED; which += 2) {
        for (int mode = 0; mode < 3; mode++) {
            scene s = make_named(which);
            (void)resolve(&s, (abut_resolve_mode)mode, -INFINITY, NULL);
            hash = digest(digest(hash, s.moved_a, s.a.vertex_count), s.moved_b, s.b.vertex_count);
            free_scene(&s);
        }
    }
    print_message("off: digest %016llx\n", (unsigned long long)hash);
    assert_true(hash == UINT64_C(0x5b9def3619838c89));
}

static void invalid(void **state) {
    (void)state;
    static const double ratios[] = {NAN, -0.1, -1e-300, 1.0, 2.0, INFINITY};
    scene s = make_named(0);
    memset(&s.report, 0xa5, sizeof s.report);
    abut_vec3 before = s.moved_a[0];
    for (size_t k = 0; k < sizeof ratios / sizeof *ratios; k++) {
        assert_status(resolve(&s, ABUT_RESOLVE_AUTO, ratios[k], NULL), ABUT_ERROR_INVALID_ARGUMENT);
        assert_memory_equal(&s.moved_a[0], &before, sizeof before);
        assert_int_equal(((unsigned char *)&s.report)[0], 0xa5);
    }
    free_scene(&s);
}

static void without_memory(void **state) {
    (void)state;
    counting_allocator memory = {.refuse_at = -1};
    int64_t refused = 0;
    do {
        scene s = make_named(5);
        memory = (counting_allocator){.refuse_at = refused++};
        counting_allocator_install(&memory);
        abut_status status = resolve(&s, ABUT_RESOLVE_ZONES, 0.1, NULL);
        counting_allocator_remove();
        assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
        assert_int_equal(memory.live, 0);
        free_scene(&s);
    } while (memory.refused);
    assert_true(refused > 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_meshes_end_apart),
        cmocka_unit_test(soups_keep_their_volumes),
        cmocka_unit_test(never_less_than_without),
        cmocka_unit_test(static_body),
        cmocka_unit_test(no_room),
        cmocka_unit_test(through_itself),
        cmocka_unit_test(threads_give_the_same_bits),
        cmocka_unit_test(off),
        cmocka_unit_test(invalid),
        cmocka_unit_test(without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
