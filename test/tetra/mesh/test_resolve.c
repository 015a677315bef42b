/*
 * Separation of whole meshes: balls, blocks, rings and a peg in a hole, shallow and deep, in all modes. Also masses and fixed vertices, one mesh through
 * itself, the report, threads, invalid arguments, and no memory. Every pair of elements is checked for separation.
 */
#include <stdlib.h>
#include <string.h>

#include "support/allocator.h"
#include "support/check.h"
#include "support/tetra_grid.h"
#include "support/threads.h"
#include "tetra/mesh/view.h"

typedef struct scene {
    tetra_grid a, b;
    double *mass_a, *mass_b; /* given, or NULL */
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

/* On one thread, unless settings are given. */
static abut_status resolve(scene *s, abut_resolve_mode mode, const abut_parallel *parallel) {
    const abut_parallel alone = {.threads = 1};
    abut_tetra_mesh a = tetra_grid_mesh(&s->a), b = tetra_grid_mesh(&s->b);
    abut_resolve_settings settings = abut_resolve_settings_default();
    settings.mode = mode;
    return abut_tetra_mesh_resolve(&a, s->b.vertices != NULL ? &b : NULL, s->mass_a, s->mass_b, &settings,
                                   parallel != NULL ? parallel : &alone, s->moved_a, s->moved_b, NULL, 0, &s->report);
}

/* Tests every element against every other whose box it meets. */
static int64_t count_intersections(const abut_tetra_mesh *a, const abut_tetra_mesh *b) {
    int64_t count = 0;
    const abut_tetra_mesh *second = b != NULL ? b : a;
    for (int32_t i = 0; i < a->element_count; i++) {
        abut_aabb box = mesh_box(a, i);
        abut_simplex p = mesh_element(a, i);
        for (int32_t k = b != NULL ? 0 : i + 1; k < second->element_count; k++) {
            abut_aabb other = mesh_box(second, k);
            if (mesh_boxes_meet(&box, &other) && !(b == NULL && mesh_share_vertex(a, i, k))) {
                abut_simplex q = mesh_element(second, k);
                abut_depth depth;
                assert_ok(abut_simplex_depth(&p, &q, NULL, &depth));
                count += depth.relation == ABUT_DEPTH_INTERSECTING;
            }
        }
    }
    return count;
}

/* The sum of the volumes at each vertex over 24, as the header states. */
static double *masses_of(const tetra_grid *g) {
    abut_tetra_mesh mesh = tetra_grid_mesh(g);
    double *mass = check_memory((size_t)g->vertex_count + 1, sizeof *mass);
    for (int32_t e = 0; e < g->element_count; e++) {
        for (int i = 0; i < 4; i++) {
            mass[g->elements[4 * e + i]] += fabs(mesh_volume(&mesh, e, 1.0)) / 24.0;
        }
    }
    return mass;
}

typedef struct motion {
    double mass, squares, largest;
    abut_vec3 momentum;
} motion;

static void add_motion(const tetra_grid *g, const double *given, const abut_vec3 *moved, motion *m) {
    double *own = masses_of(g);
    for (int32_t v = 0; v < g->vertex_count; v++) {
        double mass = given != NULL ? given[v] : own[v];
        abut_vec3 d = abut_sub(moved[v], g->vertices[v]);
        m->largest = fmax(m->largest, abut_length(d));
        if (mass < INFINITY) {
            m->mass += mass;
            m->squares += mass * abut_length_squared(d);
            m->momentum = abut_add_scaled(m->momentum, mass, d);
        } else {
            assert_true(abut_length(d) == 0.0);
        }
    }
    free(own);
}

/* Checks that all elements are apart and that the report is true. */
static motion check_apart(scene *s) {
    tetra_grid p = s->a, q = s->b;
    p.vertices = s->moved_a;
    q.vertices = s->moved_b;
    abut_tetra_mesh a = tetra_grid_mesh(&p), b = tetra_grid_mesh(&q), a0 = tetra_grid_mesh(&s->a), b0 = tetra_grid_mesh(&s->b);
    bool self = s->b.vertices == NULL;
    assert_true(count_intersections(&a, self ? NULL : &b) == 0);
    assert_true(s->report.pairs_begin == count_intersections(&a0, self ? NULL : &b0));
    assert_true(s->report.pairs_remaining == 0);
    motion m = {.mass = 0.0};
    add_motion(&s->a, s->mass_a, s->moved_a, &m);
    if (!self) {
        add_motion(&s->b, s->mass_b, s->moved_b, &m);
    }
    assert_near(s->report.displacement_rms, sqrt(m.squares / m.mass), 1e-6 * s->report.displacement_rms);
    assert_near(s->report.displacement_max, m.largest, 1e-9 * m.largest);
    return m;
}

static scene make_named(int which) {
    const abut_vec3 one = {1, 1, 1}, small = {0.4, 0.4, 0.4}, bar = {0.62, 0.62, 1}, x = {1, 0, 0};
    tetra_grid ring = tetra_grid_ring(24, 3, 1.0, 0.25), peg;
    switch (which) {
    case 0:
        tetra_grid_release(&ring);
        return make_scene(placed(tetra_grid_ball(6, 1.0), 0.3, 0, 0, 0), placed(tetra_grid_ball(6, 1.0), 1.1, 1.9, 0.1, 0.2));
    case 1:
        tetra_grid_release(&ring);
        return make_scene(placed(tetra_grid_ball(6, 1.0), 0.3, 0, 0, 0), placed(tetra_grid_ball(6, 1.0), 1.1, 0.9, 0.1, 0.2));
    case 2:
        tetra_grid_release(&ring);
        return make_scene(tetra_grid_block(4, 4, 4, one), placed(tetra_grid_block(3, 3, 3, small), 0.2, 0.8, 0.1, 0.2));
    case 3: /* one entirely inside the other, about the same centre */
        tetra_grid_release(&ring);
        return make_scene(tetra_grid_block(4, 4, 4, one), tetra_grid_block(3, 3, 3, small));
    case 4: /* the same mesh twice */
        tetra_grid_release(&ring);
        return make_scene(tetra_grid_block(3, 3, 3, one), tetra_grid_block(3, 3, 3, one));
    case 5:
        tetra_grid_release(&ring);
        return make_scene(tetra_grid_block(4, 4, 4, one), placed(tetra_grid_block(4, 4, 4, one), 0.0, 1.9, 0.0, 0.0));
    case 6:
        return make_scene(ring, placed(tetra_grid_block(4, 4, 8, bar), 0.0, 0.0, 0.0, 0.0));
    case 7:
        peg = tetra_grid_ring(24, 3, 1.0, 0.25);
        tetra_grid_place(&peg, abut_quat_about(x, 1.5), abut_vec3_make(0.52, 0.0, 0.0));
        return make_scene(ring, peg);
    default: /* a peg in a hole that is too tight all around */
        peg = tetra_grid_ball(6, 1.0);
        for (int32_t v = 0; v < peg.vertex_count; v++) {
            peg.vertices[v] = abut_vec3_make(0.78 * peg.vertices[v].x, 0.78 * peg.vertices[v].y, 2.0 * peg.vertices[v].z);
        }
        return make_scene(ring, peg);
    }
}

enum { NAMED = 9, PEG = 8 };

static void two_meshes_end_apart(void **state) {
    (void)state;
    for (int which = 0; which < NAMED; which++) {
        double rms[3] = {INFINITY, INFINITY, INFINITY};
        for (int mode = 0; mode < 3; mode++) {
            scene s = make_named(which);
            abut_status status = resolve(&s, (abut_resolve_mode)mode, NULL);
            if (mode == ABUT_RESOLVE_SWEEPS && status == ABUT_ERROR_ITERATION_LIMIT) {
                assert_true(s.report.pairs_remaining > 0 && s.report.sweeps == 50);
            } else {
                assert_ok(status);
                motion m = check_apart(&s);
                rms[mode] = s.report.displacement_rms;
                assert_near(abut_length(m.momentum), 0.0, 1e-12 * m.mass);
                assert_true(s.report.pairs_begin > 0 && s.report.pairs_tested >= s.report.pairs_begin);
            }
            free_scene(&s);
        }
        assert_true(rms[ABUT_RESOLVE_AUTO] <= rms[ABUT_RESOLVE_ZONES]);
        assert_true(rms[ABUT_RESOLVE_AUTO] <= rms[ABUT_RESOLVE_SWEEPS] / 0.75);
        assert_true((rms[ABUT_RESOLVE_AUTO] < 0.1 * rms[ABUT_RESOLVE_ZONES]) == (which == PEG));
    }
}

/* Scaled, moved, and far away. */
static void any_size_and_place(void **state) {
    (void)state;
    const double scales[] = {1e-200, 1e-60, 1e-3, 1e3, 1e100, 1e150};
    scene plain = make_named(2);
    assert_ok(resolve(&plain, ABUT_RESOLVE_AUTO, NULL));
    for (size_t k = 0; k < sizeof scales / sizeof *scales + 1; k++) {
        bool far = k == sizeof scales / sizeof *scales;
        double scale = far ? 1.0 : scales[k];
        abut_vec3 by = abut_scale(far ? 1e8 : 0.0, abut_vec3_make(1, 2, -3));
        scene s = make_named(2);
        for (int32_t v = 0; v < s.a.vertex_count; v++) {
            s.a.vertices[v] = abut_add_scaled(by, scale, s.a.vertices[v]);
        }
        for (int32_t v = 0; v < s.b.vertex_count; v++) {
            s.b.vertices[v] = abut_add_scaled(by, scale, s.b.vertices[v]);
        }
        assert_ok(resolve(&s, ABUT_RESOLVE_AUTO, NULL));
        assert_near(s.report.displacement_rms / scale, plain.report.displacement_rms, far ? 1e-3 : 1e-6);
        tetra_grid p = s.a, q = s.b;
        p.vertices = s.moved_a;
        q.vertices = s.moved_b;
        abut_tetra_mesh a = tetra_grid_mesh(&p), b = tetra_grid_mesh(&q);
        assert_true(count_intersections(&a, &b) == 0);
        free_scene(&s);
    }
    free_scene(&plain);
}

/* Elements with random vertices, all overlapping, some flat: no mesh generator would make them. */
static void soups_end_apart(void **state) {
    (void)state;
    random_state random = random_make(random_seed("soups_end_apart", 21));
    int32_t samples = random_samples("soups_end_apart", 300);
    for (int32_t k = 0; k < samples; k++) {
        scene s = make_scene(tetra_grid_block(2, 2, 2, abut_vec3_make(1, 1, 1)), tetra_grid_block(2, 2, 1, abut_vec3_make(1, 1, 1)));
        tetra_grid *const both[2] = {&s.a, &s.b};
        for (int b = 0; b < 2; b++) {
            tetra_grid *g = both[b];
            for (int32_t v = 0; v < g->vertex_count; v++) {
                g->vertices[v] = k % 3 == 0 ? abut_vec3_make(random_below(&random, 4), random_below(&random, 4), random_below(&random, 3))
                                            : random_vec3(&random, -1, 1);
            }
            for (int32_t i = 0; i < 4 * g->element_count && k % 2 == 0; i++) {
                g->elements[i] = random_below(&random, g->vertex_count);
            }
        }
        if (k % 5 == 0) { /* some of one mesh are fixed */
            s.mass_a = check_memory((size_t)s.a.vertex_count, sizeof *s.mass_a);
            for (int32_t v = 0; v < s.a.vertex_count; v++) {
                s.mass_a[v] = random_below(&random, 3) == 0 ? INFINITY : random_log_range(&random, 1e-3, 1e3);
            }
        }
        for (int mode = 0; mode < 2; mode++) {
            assert_ok(resolve(&s, (abut_resolve_mode)mode, NULL));
            tetra_grid p = s.a, q = s.b;
            p.vertices = s.moved_a;
            q.vertices = s.moved_b;
            abut_tetra_mesh a = tetra_grid_mesh(&p), b = tetra_grid_mesh(&q);
            assert_true(count_intersections(&a, &b) == 0);
        }
        scene own = {.a = s.a, .mass_a = s.mass_a, .moved_a = s.moved_a};
        abut_status status = resolve(&own, ABUT_RESOLVE_AUTO, NULL);
        tetra_grid p = s.a;
        p.vertices = s.moved_a;
        abut_tetra_mesh a = tetra_grid_mesh(&p);
        assert_true(own.report.pairs_remaining == count_intersections(&a, NULL));
        assert_true((status == ABUT_OK) == (own.report.pairs_remaining == 0));
        free_scene(&s);
    }
}

static void heavier_moves_less(void **state) {
    (void)state;
    double before = INFINITY;
    for (double ratio = 1.0; ratio < 1e4; ratio *= 10.0) {
        scene s = make_named(0);
        s.mass_a = masses_of(&s.a);
        s.mass_b = masses_of(&s.b);
        for (int32_t v = 0; v < s.a.vertex_count; v++) {
            s.mass_a[v] *= ratio;
        }
        assert_ok(resolve(&s, ABUT_RESOLVE_AUTO, NULL));
        motion both = check_apart(&s), of_a = {.mass = 0.0};
        add_motion(&s.a, s.mass_a, s.moved_a, &of_a);
        assert_near(abut_length(both.momentum), 0.0, 1e-12 * both.mass);
        assert_true(of_a.largest < before);
        before = of_a.largest;
        free_scene(&s);
    }
}

/* Fixed vertices: all of one mesh, half of both, and so many that there is no solution. */
static void fixed_vertices(void **state) {
    (void)state;
    for (int mode = 0; mode < 2; mode++) {
        scene s = make_named(1);
        s.mass_a = masses_of(&s.a);
        for (int32_t v = 0; v < s.a.vertex_count; v++) {
            s.mass_a[v] = INFINITY;
        }
        assert_ok(resolve(&s, (abut_resolve_mode)mode, NULL));
        check_apart(&s);
        s.mass_b = masses_of(&s.b);
        for (int32_t v = 0; v < s.a.vertex_count; v++) {
            s.mass_a[v] = s.a.vertices[v].x < 0.4 ? INFINITY : 1.0;
        }
        for (int32_t v = 0; v < s.b.vertex_count; v++) {
            s.mass_b[v] = s.b.vertices[v].x > 0.5 ? INFINITY : 1.0;
        }
        assert_ok(resolve(&s, (abut_resolve_mode)mode, NULL));
        check_apart(&s);
        free_scene(&s);
    }
}

static void contradiction(void **state) {
    (void)state;
    scene s = make_named(1);
    s.mass_a = check_memory((size_t)s.a.vertex_count, sizeof *s.mass_a);
    s.mass_b = check_memory((size_t)s.b.vertex_count, sizeof *s.mass_b);
    for (int32_t v = 0; v < s.a.vertex_count; v++) {
        s.mass_a[v] = s.mass_b[v] = INFINITY;
    }
    abut_tetra_mesh a = tetra_grid_mesh(&s.a), b = tetra_grid_mesh(&s.b);
    int64_t count;
    assert_status(abut_tetra_mesh_intersections(&a, &b, NULL, NULL, 0, &count), ABUT_ERROR_CAPACITY);
    abut_element_pair *pairs = check_memory((size_t)count, sizeof *pairs), *remaining = check_memory((size_t)count, sizeof *remaining);
    assert_ok(abut_tetra_mesh_intersections(&a, &b, NULL, pairs, count, &count));
    for (int mode = 0; mode < 3; mode++) {
        abut_resolve_settings settings = abut_resolve_settings_default();
        settings.mode = (abut_resolve_mode)mode;
        memset(remaining, 0xa5, (size_t)count * sizeof *remaining);
        abut_status status =
            abut_tetra_mesh_resolve(&a, &b, s.mass_a, s.mass_b, &settings, NULL, s.moved_a, s.moved_b, remaining, count - 1, &s.report);
        assert_status(status, mode == ABUT_RESOLVE_SWEEPS ? ABUT_ERROR_ITERATION_LIMIT : ABUT_ERROR_INFEASIBLE);
        assert_true(s.report.pairs_remaining == count);
        assert_true(s.report.displacement_max == 0.0);
        assert_int_equal(s.report.zones_stuck, mode == ABUT_RESOLVE_SWEEPS ? 0 : 1);
        assert_memory_equal(remaining, pairs, (size_t)(count - 1) * sizeof *pairs);
        assert_int_equal(remaining[count - 1].a, (int32_t)0xa5a5a5a5);
    }
    free(pairs);
    free(remaining);
    free_scene(&s);
}

static void limits(void **state) {
    (void)state;
    scene s = make_named(1);
    abut_tetra_mesh a = tetra_grid_mesh(&s.a), b = tetra_grid_mesh(&s.b);
    abut_resolve_settings settings = abut_resolve_settings_default();
    settings.round_limit = settings.sweep_limit = 0;
    assert_status(abut_tetra_mesh_resolve(&a, &b, NULL, NULL, &settings, NULL, s.moved_a, s.moved_b, NULL, 0, &s.report),
                  ABUT_ERROR_ITERATION_LIMIT);
    assert_true(s.report.pairs_remaining == s.report.pairs_begin && s.report.pairs_begin > 0);
    assert_memory_equal(s.moved_a, s.a.vertices, (size_t)s.a.vertex_count * sizeof *s.moved_a);
    free_scene(&s);
}

/* There is nothing to do. Elements that only touch stay unchanged, to the last bit. */
static void untouched(void **state) {
    (void)state;
    scene s = make_scene(tetra_grid_block(3, 3, 3, abut_vec3_make(1, 1, 1)),
                         placed(tetra_grid_block(3, 3, 3, abut_vec3_make(1, 1, 1)), 0.0, 2, 0, 0));
    for (int mode = 0; mode < 3; mode++) {
        assert_ok(resolve(&s, (abut_resolve_mode)mode, NULL));
        assert_memory_equal(s.moved_a, s.a.vertices, (size_t)s.a.vertex_count * sizeof *s.moved_a);
        assert_memory_equal(s.moved_b, s.b.vertices, (size_t)s.b.vertex_count * sizeof *s.moved_b);
        assert_true(s.report.displacement_rms == 0.0 && s.report.rounds == 0 && s.report.sweeps == 0 && s.report.pairs_begin == 0);
    }
    free_scene(&s);
    const abut_tetra_mesh none = {NULL, 0, NULL, 0};
    abut_resolve_report report;
    assert_ok(abut_tetra_mesh_resolve(&none, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, &report));
    assert_ok(abut_tetra_mesh_resolve(&none, &none, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, &report));
}

/* A rolled strip with overlapping ends. */
static void through_itself(void **state) {
    (void)state;
    for (int mode = 0; mode < 3; mode++) {
        tetra_grid strip = tetra_grid_block(40, 2, 2, abut_vec3_make(1, 1, 1)), none = {.vertices = NULL};
        for (int32_t v = 0; v < strip.vertex_count; v++) {
            abut_vec3 p = strip.vertices[v];
            double angle = 3.3 * p.x, r = 1.0 + 0.02 * p.x + 0.1 * p.y;
            strip.vertices[v] = abut_vec3_make(r * cos(angle), r * sin(angle), 0.1 * p.z);
        }
        scene s = make_scene(strip, none);
        assert_ok(resolve(&s, (abut_resolve_mode)mode, NULL));
        assert_true(s.report.pairs_begin > 20);
        motion m = check_apart(&s);
        assert_near(abut_length(m.momentum), 0.0, 1e-12 * m.mass);
        free_scene(&s);
    }
}

/* Two meshes as one. */
static scene joined(const scene *two) {
    int32_t first = two->a.vertex_count, count = first + two->b.vertex_count, elements = two->a.element_count;
    tetra_grid one = {check_memory((size_t)count, sizeof *one.vertices), NULL, count, elements + two->b.element_count};
    one.elements = check_memory((size_t)(4 * one.element_count), sizeof *one.elements);
    memcpy(one.vertices, two->a.vertices, (size_t)first * sizeof *one.vertices);
    memcpy(one.vertices + first, two->b.vertices, (size_t)two->b.vertex_count * sizeof *one.vertices);
    for (int32_t i = 0; i < 4 * one.element_count; i++) {
        one.elements[i] = i < 4 * elements ? two->a.elements[i] : two->b.elements[i - 4 * elements] + first;
    }
    return make_scene(one, (tetra_grid){.vertices = NULL});
}

/* Parts of one mesh are separated like two meshes. If they overlap deeply, flattened elements also intersect their own neighbours. The report names the
 * elements that no sweep separates. */
static void parts_of_one_mesh(void **state) {
    (void)state;
    scene two = make_named(0), one = joined(&two);
    assert_ok(resolve(&two, ABUT_RESOLVE_ZONES, NULL));
    assert_ok(resolve(&one, ABUT_RESOLVE_ZONES, NULL));
    check_apart(&one);
    assert_near(one.report.displacement_rms, two.report.displacement_rms, 1e-9);
    free_scene(&two);
    free_scene(&one);

    two = make_named(1);
    one = joined(&two);
    abut_status status = resolve(&one, ABUT_RESOLVE_ZONES, NULL);
    tetra_grid after = one.a;
    after.vertices = one.moved_a;
    abut_tetra_mesh mesh = tetra_grid_mesh(&after);
    assert_true(one.report.pairs_remaining == count_intersections(&mesh, NULL));
    assert_status(status, one.report.pairs_remaining > 0 ? ABUT_ERROR_INFEASIBLE : ABUT_OK);
    assert_true(one.report.pairs_remaining < one.report.pairs_begin / 10);
    free_scene(&two);
    free_scene(&one);
}

static void threads_give_the_same_bits(void **state) {
    (void)state;
    three_threads own = {0};
    const abut_parallel parallel[] = {{.threads = 0}, {.threads = 2}, three_threads_parallel(&own)};
    for (int which = 1; which < NAMED; which += 6) {
        scene first = make_named(which);
        assert_ok(resolve(&first, ABUT_RESOLVE_AUTO, NULL));
        for (size_t k = 0; k < sizeof parallel / sizeof *parallel; k++) {
            scene s = make_named(which);
            assert_ok(resolve(&s, ABUT_RESOLVE_AUTO, &parallel[k]));
            assert_memory_equal(s.moved_a, first.moved_a, (size_t)s.a.vertex_count * sizeof *s.moved_a);
            assert_memory_equal(s.moved_b, first.moved_b, (size_t)s.b.vertex_count * sizeof *s.moved_b);
            assert_true(s.report.pairs_tested == first.report.pairs_tested);
            free_scene(&s);
        }
        free_scene(&first);
    }
}

static void exchanged_and_in_place(void **state) {
    (void)state;
    scene s = make_named(0), t = make_named(0);
    tetra_grid other = t.a;
    abut_vec3 *moved = t.moved_a;
    t.a = t.b;
    t.b = other;
    t.moved_a = t.moved_b;
    t.moved_b = moved;
    assert_ok(resolve(&s, ABUT_RESOLVE_AUTO, NULL));
    assert_ok(resolve(&t, ABUT_RESOLVE_AUTO, NULL));
    check_apart(&t);
    assert_near(s.report.displacement_rms, t.report.displacement_rms, 1e-6);
    abut_tetra_mesh a = tetra_grid_mesh(&s.a), b = tetra_grid_mesh(&s.b);
    assert_ok(abut_tetra_mesh_resolve(&a, &b, NULL, NULL, NULL, NULL, s.a.vertices, s.b.vertices, NULL, 0, &s.report));
    assert_memory_equal(s.moved_a, s.a.vertices, (size_t)s.a.vertex_count * sizeof *s.moved_a);
    assert_memory_equal(s.moved_b, s.b.vertices, (size_t)s.b.vertex_count * sizeof *s.moved_b);
    free_scene(&s);
    free_scene(&t);
}

static void errors(void **state) {
    (void)state;
    scene s = make_named(0);
    abut_tetra_mesh a = tetra_grid_mesh(&s.a), b = tetra_grid_mesh(&s.b), bad = a;
    double *mass = masses_of(&s.a);
    abut_element_pair pair;
    abut_resolve_settings settings = abut_resolve_settings_default();
    memset(&s.report, 0xa5, sizeof s.report);
    memset(s.moved_a, 0xa5, (size_t)a.vertex_count * sizeof *s.moved_a);
#define CALL(A, B, MASS, MOVED_A, MOVED_B, PAIRS, CAPACITY, REPORT) \
    abut_tetra_mesh_resolve(A, B, MASS, NULL, &settings, NULL, MOVED_A, MOVED_B, PAIRS, CAPACITY, REPORT)
    assert_status(CALL(NULL, &b, NULL, s.moved_a, s.moved_b, NULL, 0, &s.report), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(CALL(&a, &b, NULL, NULL, s.moved_b, NULL, 0, &s.report), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(CALL(&a, &b, NULL, s.moved_a, NULL, NULL, 0, &s.report), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(CALL(&a, &b, NULL, s.moved_a, s.moved_b, NULL, 0, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(CALL(&a, &b, NULL, s.moved_a, s.moved_b, NULL, 1, &s.report), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(CALL(&a, &b, NULL, s.moved_a, s.moved_b, &pair, -1, &s.report), ABUT_ERROR_INVALID_ARGUMENT);
    bad.vertex_count = 3;
    assert_status(CALL(&bad, &b, NULL, s.moved_a, s.moved_b, NULL, 0, &s.report), ABUT_ERROR_INVALID_ARGUMENT);
    mass[3] = 0.0;
    assert_status(CALL(&a, &b, mass, s.moved_a, s.moved_b, NULL, 0, &s.report), ABUT_ERROR_INVALID_ARGUMENT);
    mass[3] = NAN;
    assert_status(CALL(&a, &b, mass, s.moved_a, s.moved_b, NULL, 0, &s.report), ABUT_ERROR_NOT_FINITE);
    for (int k = 0; k < 4; k++) {
        settings = abut_resolve_settings_default();
        settings.mode = k == 0 ? (abut_resolve_mode)-1 : k == 1 ? (abut_resolve_mode)3 : ABUT_RESOLVE_AUTO;
        settings.sweep_limit = k == 2 ? -1 : 5;
        settings.round_limit = k == 3 ? -1 : 5;
        assert_status(CALL(&a, &b, NULL, s.moved_a, s.moved_b, NULL, 0, &s.report), ABUT_ERROR_INVALID_ARGUMENT);
    }
    settings = abut_resolve_settings_default();
    s.b.vertices[5].z = INFINITY;
    assert_status(CALL(&a, &b, NULL, s.moved_a, s.moved_b, NULL, 0, &s.report), ABUT_ERROR_NOT_FINITE);
#undef CALL
    for (size_t i = 0; i < sizeof s.report; i++) {
        assert_int_equal(((unsigned char *)&s.report)[i], 0xa5);
    }
    for (size_t i = 0; i < (size_t)a.vertex_count * sizeof *s.moved_a; i++) {
        assert_int_equal(((unsigned char *)s.moved_a)[i], 0xa5);
    }
    free(mass);
    free_scene(&s);
}

static void without_memory(void **state) {
    (void)state;
    const abut_parallel alone = {.threads = 1};
    for (int which = 0; which < NAMED; which += PEG) {
        counting_allocator memory = {.refuse_at = -1};
        int64_t refused = 0;
        do {
            scene s = make_named(which);
            abut_vec3 before = s.moved_a[0];
            memory = (counting_allocator){.refuse_at = refused};
            refused += 1 + refused / 8; /* not every request, to save time */
            counting_allocator_install(&memory);
            abut_status status = resolve(&s, ABUT_RESOLVE_AUTO, &alone);
            counting_allocator_remove();
            assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
            assert_true((memcmp(&s.moved_a[0], &before, sizeof before) == 0) == memory.refused);
            assert_int_equal(memory.live, 0);
            free_scene(&s);
        } while (memory.refused);
        assert_true(refused > 20);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_meshes_end_apart),
        cmocka_unit_test(any_size_and_place),
        cmocka_unit_test(soups_end_apart),
        cmocka_unit_test(heavier_moves_less),
        cmocka_unit_test(fixed_vertices),
        cmocka_unit_test(contradiction),
        cmocka_unit_test(limits),
        cmocka_unit_test(untouched),
        cmocka_unit_test(through_itself),
        cmocka_unit_test(parts_of_one_mesh),
        cmocka_unit_test(threads_give_the_same_bits),
        cmocka_unit_test(exchanged_and_in_place),
        cmocka_unit_test(errors),
        cmocka_unit_test(without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
