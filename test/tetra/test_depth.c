/*
 * Deformable depth of pairs: closed forms, proved bounds, symmetries, relations between the modes, and nearly degenerate inputs. test_along.c shows that single
 * directions are solved correctly; test_directions.c shows that all directions are tried.
 */
#include <abut/tetra.h>

#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/tetra_case.h"

static const char *const mode_names[] = {"exact44", "paper", "accelerated", "best k", "free local", "free"};
enum { MODES = ABUT_DEPTH_FREE + 1 };

static abut_depth_settings settings_of(abut_depth_mode mode, double weight_a, double weight_b) {
    abut_depth_settings settings = abut_depth_settings_default();
    settings.mode = mode;
    settings.weight_a = weight_a;
    settings.weight_b = weight_b;
    return settings;
}

static abut_depth ask(const tetra_case *c, const abut_depth_settings *settings) {
    abut_depth depth;
    assert_ok(abut_simplex_depth(&c->a, &c->b, settings, &depth));
    return depth;
}

/* ---- closed forms ---- */

/* A vertex of B at the middle of a face of A, at a depth of 1. The plane of that face costs 3 / 56 of the square. The directions that leave A's face static
 * cost 3 / 8 and 1 / 16. */
static tetra_case corner_in_face(void) {
    tetra_case c = {
        abut_simplex_make_tetra(abut_vec3_make(-9, -9, 0), abut_vec3_make(9, -9, 0), abut_vec3_make(0, 18, 0), abut_vec3_make(0, 0, 30)),
        abut_simplex_make_tetra(abut_vec3_make(0, 0, 1), abut_vec3_make(-1, -1, -20), abut_vec3_make(1, -1, -20),
                                abut_vec3_make(0, 2, -20))};
    return c;
}

static void test_corner_in_face(void **state) {
    (void)state;
    tetra_case c = corner_in_face();
    abut_depth d = ask(&c, NULL);
    assert_int_equal(d.relation, ABUT_DEPTH_INTERSECTING);
    assert_near(d.depth, sqrt(3.0 / 56.0), 1e-15);
    assert_vec3_near(d.normal, abut_vec3_make(0, 0, 1), 1e-15);
    assert_int_equal(d.direction, ABUT_DEPTH_BY_FACE_A);
    assert_int_equal(d.feature_a, 3);
    assert_int_equal(d.feature_b, -1);
    assert_near(-d.rigid.gap, 1.0, 1e-15);
    /* By symmetry the free normal is the face normal, because it passes through the centroid. */
    abut_depth_settings free = settings_of(ABUT_DEPTH_FREE, 1.0, 1.0);
    assert_near(ask(&c, &free).depth, sqrt(3.0 / 56.0), 1e-15);
    abut_depth_settings static_a = settings_of(ABUT_DEPTH_EXACT44, INFINITY, 1.0),
                        static_b = settings_of(ABUT_DEPTH_EXACT44, 1.0, INFINITY);
    d = ask(&c, &static_a);
    assert_near(d.depth, sqrt(1.0 / 16.0), 1e-15);
    assert_near(d.sigma_a, 0.0, 0.0);
    assert_near(d.offset, 0.0, 1e-15);
    assert_near(ask(&c, &static_b).depth, sqrt(3.0 / 8.0), 1e-15);
}

/* Two points, or other pairs that span no volume, never overlap. A point inside a larger simplex does. */
static void test_other_simplices(void **state) {
    (void)state;
    abut_simplex tetra = corner_in_face().a, point = {1, {abut_vec3_make(0, 0, 2)}};
    tetra_case c = {tetra, point};
    abut_depth d = ask(&c, NULL);
    assert_int_equal(d.relation, ABUT_DEPTH_INTERSECTING);
    /* Three of the four vertices of the tetrahedron are opposite the point: 1 / (4 (5 - 3) / 3 + 1 (2 - 1) / 1) of the square. */
    assert_near(-d.rigid.gap, 2.0, 1e-14);
    assert_near(d.depth, 2.0 * sqrt(3.0 / 11.0), 1e-14);
    abut_simplex segment = {2, {abut_vec3_make(0, 0, -1), abut_vec3_make(0, 0, 3)}};
    abut_simplex triangle = {3, {abut_vec3_make(-5, -5, 0), abut_vec3_make(5, -5, 0), abut_vec3_make(0, 5, 0)}};
    c = (tetra_case){triangle, segment};
    d = ask(&c, NULL);
    assert_int_equal(d.relation, ABUT_DEPTH_INTERSECTING);
    assert_near(-d.rigid.gap, 1.0, 1e-15);
    /* All three vertices of the triangle are opposite one end of the segment: 1 / (1 * 3 (4 - 3) / 3 + 2 * 2 / 1). */
    assert_near(d.depth, sqrt(1.0 / (1.0 + 4.0)), 1e-15);
    abut_simplex across = {2, {abut_vec3_make(-1, 0, 0), abut_vec3_make(1, 0, 0)}};
    c = (tetra_case){segment, across};
    assert_int_equal(ask(&c, NULL).relation, ABUT_DEPTH_TOUCHING);
    c = (tetra_case){point, point};
    d = ask(&c, NULL);
    assert_int_equal(d.relation, ABUT_DEPTH_TOUCHING);
    assert_int_equal(d.direction, ABUT_DEPTH_BY_NOTHING);
    assert_near(abut_length(d.normal), 1.0, 1e-15);
}

/* On one line, in rounded coordinates: the perpendicular part is only rounding error and must not be taken for a direction. */
static void test_segments_on_one_line(void **state) {
    (void)state;
    double far = 1.5119968452053418e+37;
    abut_vec3 end = {far, far, far}, zero = {0, 0, 0};
    tetra_case c = {abut_simplex_make_tetra(end, zero, zero, zero), abut_simplex_make_tetra(zero, zero, end, end)};
    assert_int_equal(ask(&c, NULL).relation, ABUT_DEPTH_TOUCHING);
    c.b = abut_simplex_make_tetra(abut_scale(2.0, end), abut_scale(3.0, end), abut_scale(2.5, end), abut_scale(2.0, end));
    abut_depth d = ask(&c, NULL);
    assert_int_equal(d.relation, ABUT_DEPTH_DISJOINT);
    assert_near(d.rigid.gap / far, sqrt(3.0), 1e-14);
}

/* A needle-like face must be level on its own plane; otherwise one of its vertices would stay behind. */
static void test_needle_is_level(void **state) {
    (void)state;
    tetra_case c = {abut_simplex_make_tetra(abut_vec3_make(-16, 0, -14.5), abut_vec3_make(-0.75, 0.625, 1.8205),
                                            abut_vec3_make(1.8205, 1.8205, 1.8205), abut_vec3_make(1.8205, 1.8205, 1.820499929)),
                    abut_simplex_make_tetra(abut_vec3_make(1.8205, 2.2738, 14.507), abut_vec3_make(1.8205, 1.8205, 1.8205),
                                            abut_vec3_make(-1.6117, 0.6044, -1.9733), abut_vec3_make(-1.0498, 18.436, 6.9513))};
    abut_depth_settings s = settings_of(ABUT_DEPTH_PAPER, INFINITY, 1.0);
    abut_depth d = ask(&c, &s);
    abut_simplex b = tetra_case_displaced(c.b, d.displacement_b);
    assert_int_equal(d.direction, ABUT_DEPTH_BY_FACE_A);
    assert_true(tetra_case_gap(&c.a, &b, d.normal) >= -1e-13);
}

/* A point beside the end of a segment. The segment is 1e10 times as long as the distance of the point. */
static void test_point_beside_a_long_segment(void **state) {
    (void)state;
    abut_simplex segment = {2, {{82141249536.0, 3.5, 0}, {0, 0, -7.875}}}, point = {1, {{0, 0, 0}}};
    tetra_case c = {segment, point}, swapped = {point, segment};
    assert_int_equal(ask(&c, NULL).relation, ABUT_DEPTH_DISJOINT);
    assert_int_equal(ask(&swapped, NULL).relation, ABUT_DEPTH_DISJOINT);
    assert_near(-ask(&c, NULL).rigid.gap, -7.875, 1e-3);
}

/* An edge so short that its cross products have no correct digits. The paper's mode took the resulting random directions, along which everything was level. */
static void test_edge_without_digits(void **state) {
    (void)state;
    abut_simplex a = {3, {{0, 14.5, -11.5}, {-4.9406564584124654e-324, 14.5, -11.5}, {-11.5, -12.75, 7.25}}};
    tetra_case c = {a, abut_simplex_make_tetra(abut_vec3_make(13.125, -10.625, 10.25), abut_vec3_make(-6.625, 8, -10.625),
                                               abut_vec3_make(-15.125, -12.625, -12.75), abut_vec3_make(-12.75, 0, 0))};
    for (int k = 0; k < 2; ++k) {
        abut_depth_settings exact = settings_of(ABUT_DEPTH_EXACT44, 1.0, k == 0 ? INFINITY : 1.0), paper = exact;
        paper.mode = ABUT_DEPTH_PAPER;
        assert_true(ask(&c, &exact).depth <= ask(&c, &paper).depth * (1.0 + 1e-12));
    }
}

/* Three corners of B lie on one line, and seen from the first vertex of A they do not, by rounding error. That error was taken for the normal of a face. */
static void test_corners_on_a_line_seen_from_A(void **state) {
    (void)state;
    abut_simplex a = {3, {{0, -13, 1e-14}, {0, -1.4339352743700147, -12.75}, {-1.4339352743700147, 0, 0}}};
    abut_simplex b = abut_simplex_make_tetra(abut_vec3_make(0, 0, 0), abut_vec3_make(-3.125, -3.125, -3.125),
                                             abut_vec3_make(-3.125, 9.75, 9.75), abut_vec3_make(9.75, 9.75, 9.75));
    tetra_case c = {a, b}, swapped = {b, a};
    abut_depth d = ask(&c, NULL), e = ask(&swapped, NULL), along;
    assert_near(e.depth, d.depth, 1e-14);
    assert_int_equal(d.direction, ABUT_DEPTH_BY_EDGES);
    abut_vec3 normal = abut_cross(abut_sub(b.vertex[3], b.vertex[0]), abut_sub(a.vertex[1], a.vertex[0]));
    assert_ok(abut_simplex_depth_along(&a, &b, abut_neg(normal), NULL, &along));
    assert_near(d.depth, along.depth, 1e-14);
}

/* ---- bounds and promises ---- */

static void check_answer_whole(tally *t, const tetra_case *c, const abut_depth_settings *s, const abut_depth *d) {
    double size = tetra_case_size(c), unit = size + abut_length(c->a.vertex[0]);
    if (fabs(abut_length(d->normal) - 1.0) > 1e-14) {
        tally_fail(t, "normal", "length %.17g", abut_length(d->normal));
    }
    if (d->relation != ABUT_DEPTH_INTERSECTING) {
        bool still = d->depth == 0.0 && d->sigma_a == 0.0 && d->sigma_b == 0.0;
        if (!still || (d->relation == ABUT_DEPTH_DISJOINT && !(tetra_case_gap(&c->a, &c->b, d->normal) > 0.0))) {
            tally_fail(t, "apart", "depth %g, gap %g", d->depth, tetra_case_gap(&c->a, &c->b, d->normal));
        }
        return;
    }
    abut_simplex a = tetra_case_displaced(c->a, d->displacement_a), b = tetra_case_displaced(c->b, d->displacement_b);
    double gap = tetra_case_gap(&a, &b, d->normal);
    if (!(gap >= -1e-12 * size - 4e-16 * unit)) {
        tally_fail(t, "not separated", "%g of %g", gap, size);
    }
    for (int32_t i = 0; i < a.count; ++i) {
        if (!(abut_dot(d->normal, a.vertex[i]) - d->offset >= -1e-13 * unit)) {
            tally_fail(t, "A below the plane", "%g", abut_dot(d->normal, a.vertex[i]) - d->offset);
        }
    }
    for (int32_t i = 0; i < b.count; ++i) {
        if (!(abut_dot(d->normal, b.vertex[i]) - d->offset <= 1e-13 * unit)) {
            tally_fail(t, "B above the plane", "%g", abut_dot(d->normal, b.vertex[i]) - d->offset);
        }
    }
    double sigma_a = abut_object_norm_squared(c->a.count, d->displacement_a),
           sigma_b = abut_object_norm_squared(c->b.count, d->displacement_b);
    double sum = (s->weight_a < INFINITY ? s->weight_a * sigma_a : 0.0) + (s->weight_b < INFINITY ? s->weight_b * sigma_b : 0.0);
    double most =
        4e-16 *
        size; /* the error of the largest displacement: sigma of a body that barely moves on average is a difference of such displacements */
    for (int32_t i = 0; i < 4; ++i) {
        most = fmax(most, fmax(abut_length(d->displacement_a[i]), abut_length(d->displacement_b[i])));
    }
    double slack = 1e-14 * most * (most + size),
           weight = fmax(s->weight_a < INFINITY ? s->weight_a : 0.0, s->weight_b < INFINITY ? s->weight_b : 0.0);
    if (fabs(sigma_a - d->sigma_a) > slack || fabs(sigma_b - d->sigma_b) > slack || fabs(sum - d->depth * d->depth) > weight * slack) {
        tally_fail(t, "norms", "%.17g %.17g, told %.17g %.17g, depth^2 %.17g", sigma_a, sigma_b, d->sigma_a, d->sigma_b,
                   d->depth * d->depth);
    }
}

/* Section 4 of the derivation in docs/methods/depth.md: two tetrahedra, weights of 1. */
static void check_bounds(tally *t, const abut_depth *d, bool fixed, double size) {
    double ratio = d->depth / -d->rigid.gap, least = fixed ? 0.25 : sqrt(1.0 / 32.0), most = fixed ? 1.0 : sqrt(0.5);
    double slack = 1e-12 + 2e-15 * size / -d->rigid.gap;
    if (!(ratio >= least - slack && ratio <= most + slack)) {
        tally_fail(t, "bounds", "%.17g", ratio);
    }
}

static void check_order(tally *t, const abut_depth d[MODES], double size) {
    static const abut_depth_mode least_first[][2] = {{ABUT_DEPTH_FREE, ABUT_DEPTH_FREE_LOCAL},
                                                     {ABUT_DEPTH_FREE_LOCAL, ABUT_DEPTH_EXACT44},
                                                     {ABUT_DEPTH_EXACT44, ABUT_DEPTH_BEST_K},
                                                     {ABUT_DEPTH_EXACT44, ABUT_DEPTH_PAPER},
                                                     {ABUT_DEPTH_BEST_K, ABUT_DEPTH_ACCELERATED}};
    for (size_t i = 0; i < sizeof least_first / sizeof *least_first; ++i) {
        abut_depth_mode less = least_first[i][0], more = least_first[i][1];
        if (!(d[less].depth <= d[more].depth * (1.0 + 1e-12) + 2e-15 * size)) {
            tally_fail(t, "order of modes", "%s %.17g, %s %.17g", mode_names[less], d[less].depth, mode_names[more], d[more].depth);
        }
    }
}

static void test_promises(void **state) {
    (void)state;
    random_state random = random_make(random_seed("promises", 5));
    static tally t;
    for (int32_t i = 0, count = random_samples("promises", 60000); i < count; ++i) {
        tetra_kind kind = (tetra_kind)random_below(&random, TETRA_KINDS);
        tetra_case c = tetra_case_make(&random, kind);
        static const double weights[][2] = {{1, 1}, {INFINITY, 1}, {1, INFINITY}, {0.1, 7}};
        int32_t w = random_below(&random, 4);
        abut_depth d[MODES];
        for (int mode = 0; mode < MODES; ++mode) {
            abut_depth_settings s = settings_of((abut_depth_mode)mode, weights[w][0], weights[w][1]);
            tally_sample(&t, "sample %d, kind %d, %s, weights %g %g", (int)i, (int)kind, mode_names[mode], s.weight_a, s.weight_b);
            abut_status status = abut_simplex_depth(&c.a, &c.b, &s, &d[mode]);
            if (status != ABUT_OK) {
                tally_fail(&t, "status", "%s: %s", abut_status_name(status), tetra_case_text(&c));
                tally_end(&t);
                return;
            }
            check_answer_whole(&t, &c, &s, &d[mode]);
            if (d[mode].relation != d[0].relation) {
                tally_fail(&t, "relation by mode", "%d, %d", (int)d[mode].relation, (int)d[0].relation);
            }
        }
        if (d[0].relation == ABUT_DEPTH_INTERSECTING) {
            double size = tetra_case_size(&c);
            check_order(&t, d, size);
            if (w < 3 && c.a.count == 4 && c.b.count == 4) {
                check_bounds(&t, &d[ABUT_DEPTH_EXACT44], w > 0, size);
                check_bounds(&t, &d[ABUT_DEPTH_FREE], w > 0, size);
            }
        }
    }
    tally_end(&t);
}

/* No other normal is better than the best one. */
static void test_free_is_least(void **state) {
    (void)state;
    enum { NORMALS = 200 };
    random_state random = random_make(random_seed("free", 6));
    static tally t;
    for (int32_t i = 0, count = random_samples("free", 20000); i < count; ++i) {
        tetra_kind kind = (tetra_kind)random_below(&random, TETRA_KINDS);
        tetra_case c = tetra_case_make(&random, kind);
        abut_depth_settings s =
            settings_of(ABUT_DEPTH_FREE, random_below(&random, 3) == 0 ? INFINITY : random_log_range(&random, 0.1, 10), 1.0);
        abut_depth d = ask(&c, &s), at;
        tally_sample(&t, "sample %d, kind %d, weight %g", (int)i, (int)kind, s.weight_a);
        double spread = 1.0;
        abut_vec3 best = d.normal;
        double least = INFINITY;
        for (int32_t k = 0; k < NORMALS && d.relation == ABUT_DEPTH_INTERSECTING; ++k) {
            /* First random normals, then normals closer and closer to the best one. */
            abut_vec3 n = k < NORMALS / 2 ? random_direction(&random) : abut_add_scaled(best, spread *= 0.93, random_direction(&random));
            assert_ok(abut_simplex_depth_along(&c.a, &c.b, n, &s, &at));
            if (at.relation != ABUT_DEPTH_INTERSECTING || !(at.depth >= d.depth * (1.0 - 1e-12))) {
                tally_fail(&t, "beaten", "%.17g by %.17g: %s", d.depth, at.depth, tetra_case_text(&c));
            }
            if (at.depth < least) {
                least = at.depth;
                best = at.normal;
            }
        }
    }
    tally_end(&t);
}

/* A translation by the rigid depth separates the bodies and costs exactly that much, so the rigid depth is an upper bound. A slightly smaller translation
 * does not separate. */
static void test_translation_is_the_rigid_depth(void **state) {
    (void)state;
    random_state random = random_make(random_seed("translation", 13));
    for (int32_t i = 0, count = random_samples("translation", 10000); i < count; ++i) {
        tetra_case c = tetra_case_intersecting(&random, i % 2 == 0 ? TETRA_UNIFORM : TETRA_SLIVERS);
        abut_depth d = ask(&c, NULL);
        double size = tetra_case_size(&c);
        abut_vec3 by[4];
        for (int step = -1; step <= 1; ++step) {
            double distance = -d.rigid.gap + step * (1e-9 * size);
            tetra_case apart = c;
            for (int k = 0; k < 4; ++k) {
                by[k] = abut_scale(distance, d.rigid.normal);
            }
            apart.a = tetra_case_displaced(c.a, by);
            abut_depth_relation relation = ask(&apart, NULL).relation;
            assert_true(step == 0 || distance <= 0.0 || relation == (step < 0 ? ABUT_DEPTH_INTERSECTING : ABUT_DEPTH_DISJOINT));
            assert_near(sqrt(abut_object_norm_squared(4, by)), fabs(distance), 4e-16 * size);
        }
        assert_true(d.depth <= -d.rigid.gap);
    }
}

/* The local search finds the global minimum for 96 of 100 pairs. */
static void test_local_is_mostly_global(void **state) {
    (void)state;
    random_state random = random_make(random_seed("local", 7));
    int32_t count = random_samples("local", 20000), same = 0;
    double excess = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        tetra_case c = tetra_case_intersecting(&random, TETRA_UNIFORM);
        abut_depth_settings local = settings_of(ABUT_DEPTH_FREE_LOCAL, 1.0, 1.0), free = settings_of(ABUT_DEPTH_FREE, 1.0, 1.0);
        double l = ask(&c, &local).depth, f = ask(&c, &free).depth;
        same += l <= f * (1.0 + 1e-9);
        excess += l / f - 1.0;
    }
    printf("local: the same in %.2f %%, mean excess %.3f %%\n", 100.0 * same / count, 100.0 * excess / count);
    assert_true(same > 0.95 * count);
    assert_true(excess < 0.0025 * count);
}

/* ---- invariance ---- */

static void check_close(tally *t, const char *what, double actual, double expected, double tolerance) {
    if (!(fabs(actual - expected) <= tolerance)) {
        tally_fail(t, what, "%.17g instead of %.17g", actual, expected);
    }
}

static abut_simplex turned_round(abut_simplex s) {
    abut_vec3 first = s.vertex[0];
    for (int32_t i = 0; i + 1 < s.count; ++i) {
        s.vertex[i] = s.vertex[i + 1];
    }
    s.vertex[s.count - 1] = first;
    return s;
}

static abut_simplex mirrored(abut_simplex s) {
    for (int32_t i = 0; i < s.count; ++i) {
        s.vertex[i].x = -s.vertex[i].x;
    }
    return s;
}

static void check_invariance(tally *t, random_state *random, const tetra_case *c, const abut_depth_settings *s) {
    abut_depth d = ask(c, s);
    bool paper = s->mode == ABUT_DEPTH_PAPER;
    double size = tetra_case_size(c), slack = 1e-11 * size;
    abut_pose pose = random_pose(random, 3.0 * size);
    double scale = random_log_range(random, 1e-3, 1e3);
    tetra_case moved = {tetra_case_moved(c->a, pose), tetra_case_moved(c->b, pose)}, swapped = {c->b, c->a};
    tetra_case scaled = {tetra_case_scaled(c->a, scale), tetra_case_scaled(c->b, scale)};
    tetra_case doubled = {tetra_case_scaled(c->a, 0x1p200), tetra_case_scaled(c->b, 0x1p200)};
    tetra_case round = {turned_round(c->a), turned_round(turned_round(c->b))}, mirror = {mirrored(c->a), mirrored(c->b)};
    check_close(t, "moved", ask(&moved, s).depth, d.depth, slack);
    check_close(t, "scaled", ask(&scaled, s).depth / scale, d.depth, slack);
    check_close(t, "a power of two larger", ask(&doubled, s).depth * 0x1p-200, d.depth, 4e-16 * d.depth);
    check_close(t, "turned round", ask(&round, s).depth, d.depth, slack);
    check_close(t, "mirrored", ask(&mirror, s).depth, d.depth, slack);
    abut_depth_settings other = *s;
    other.weight_a = s->weight_b;
    other.weight_b = s->weight_a;
    if (!paper) {
        check_close(t, "swapped", ask(&swapped, &other).depth, d.depth, slack);
    }
    /* Weights are relative. */
    other = *s;
    other.weight_a *= 100.0;
    other.weight_b *= 100.0;
    check_close(t, "heavier", ask(c, &other).depth / 10.0, d.depth, slack);
}

static void test_invariance(void **state) {
    (void)state;
    random_state random = random_make(random_seed("invariance", 8));
    static tally t;
    for (int32_t i = 0, count = random_samples("invariance", 20000); i < count; ++i) {
        tetra_kind kind = random_below(&random, 2) == 0 ? TETRA_UNIFORM : TETRA_MIXED;
        tetra_case c = tetra_case_make(&random, kind);
        abut_depth_mode mode = (abut_depth_mode)random_below(&random, MODES);
        /* Rounding error may start a local search at another place, so it may end at another minimum. */
        mode = mode == ABUT_DEPTH_FREE_LOCAL ? ABUT_DEPTH_FREE : mode;
        double weight = random_below(&random, 3) == 0 ? INFINITY : random_below(&random, 2) == 0 ? 1.0 : 3.0;
        abut_depth_settings s = settings_of(mode, weight, 1.0);
        tally_sample(&t, "sample %d, kind %d, %s, weight %g", (int)i, (int)kind, mode_names[mode], weight);
        check_invariance(&t, &random, &c, &s);
    }
    tally_end(&t);
}

/* Far from the origin, the depth is computed from differences of the rounded coordinates, and these differences are exact. */
static void test_far_away(void **state) {
    (void)state;
    random_state random = random_make(random_seed("far", 9));
    for (int32_t i = 0, count = random_samples("far", 2000); i < count; ++i) {
        tetra_case near = tetra_case_intersecting(&random, TETRA_INTEGER), far = near;
        abut_vec3 offset = abut_vec3_make(0x1p40, -0x1p45, 0x1p38);
        for (int32_t k = 0; k < 4; ++k) {
            far.a.vertex[k] = abut_add(far.a.vertex[k], offset);
            far.b.vertex[k] = abut_add(far.b.vertex[k], offset);
        }
        abut_depth d = ask(&near, NULL), e = ask(&far, NULL);
        assert_near(e.depth, d.depth, 0.0);
        assert_vec3_near(e.displacement_b[0], d.displacement_b[0], 0.0);
    }
}

/* Two edges on nearly the same line. The perpendicular in their plane hangs by a few digits, and took one edge for the direction of both. */
static tetra_case nearly_on_one_line(random_state *random) {
    abut_vec3 start = random_vec3(random, -1.0, 1.0), along = random_vec3(random, -2.0, 2.0);
    tetra_case c = {{.count = 4}, {.count = 4}};
    double off = random_log_range(random, 1e-13, 1e-7);
    for (int32_t i = 0; i < 4; ++i) {
        c.a.vertex[i] = i < 2 ? abut_add_scaled(start, random_range(random, -2.0, 2.0), along) : random_vec3(random, -5.0, 5.0);
        c.b.vertex[i] = i < 2 ? abut_add_scaled(start, random_range(random, -9.0, 9.0), along) : random_vec3(random, -5.0, 5.0);
    }
    for (int32_t i = 0; i < 2; ++i) {
        c.b.vertex[i] = abut_add_scaled(c.b.vertex[i], off, random_direction(random));
    }
    return c;
}

static void test_lines_that_nearly_coincide(void **state) {
    (void)state;
    random_state random = random_make(random_seed("lines", 14));
    static tally t;
    int32_t intersecting = 0, count = random_samples("lines", 400000);
    for (int32_t i = 0; i < count; ++i) {
        tetra_case c = nearly_on_one_line(&random), swapped = {c.b, c.a};
        tetra_case round = {turned_round(c.a), turned_round(turned_round(c.b))};
        abut_depth d = ask(&c, NULL);
        double slack = 1e-9 * d.depth + 1e-13 * tetra_case_size(&c);
        tally_sample(&t, "sample %d: %s", (int)i, tetra_case_text(&c));
        intersecting += d.relation == ABUT_DEPTH_INTERSECTING;
        check_close(&t, "swapped", ask(&swapped, NULL).depth, d.depth, slack);
        check_close(&t, "turned round", ask(&round, NULL).depth, d.depth, slack);
    }
    assert_true(intersecting > count / 4);
    tally_end(&t);
}

/* |depth(X) - depth(Y)| <= sqrt(2) max |x - y| */
static void test_lipschitz(void **state) {
    (void)state;
    random_state random = random_make(random_seed("lipschitz", 10));
    abut_depth_settings free = settings_of(ABUT_DEPTH_FREE, 1.0, 1.0);
    double largest = 0.0;
    for (int32_t i = 0, count = random_samples("lipschitz", 20000); i < count; ++i) {
        tetra_case c = tetra_case_make(&random, TETRA_UNIFORM), e = c;
        double reach = random_log_range(&random, 1e-3, 1.0), most = 0.0;
        for (int32_t k = 0; k < 8; ++k) {
            abut_vec3 *v = k < 4 ? &e.a.vertex[k] : &e.b.vertex[k - 4], move = abut_scale(reach, random_direction(&random));
            *v = abut_add(*v, move);
            most = fmax(most, abut_length(move));
        }
        largest = fmax(largest, fabs(ask(&c, &free).depth - ask(&e, &free).depth) / most);
    }
    printf("lipschitz: %.3f\n", largest);
    assert_true(largest <= sqrt(2.0));
}

/* ---- nearly degenerate pairs ---- */

/* Exact for integers: whether some direction has no overlap, or even a gap. It tries the normals of faces and edges, and all directions within the plane of
 * flat pairs. */
typedef struct whole {
    int64_t x, y, z;
} whole;

static whole whole_of(abut_vec3 v) { return (whole){(int64_t)v.x, (int64_t)v.y, (int64_t)v.z}; }
static whole less(whole a, whole b) { return (whole){a.x - b.x, a.y - b.y, a.z - b.z}; }
static whole across(whole a, whole b) { return (whole){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
static int64_t inner(whole a, whole b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static void look_along(const tetra_case *c, whole n, bool *parted, bool *apart) {
    int64_t low[2] = {INT64_MAX, INT64_MAX}, high[2] = {INT64_MIN, INT64_MIN};
    for (int32_t i = 0; i < 8 && (n.x != 0 || n.y != 0 || n.z != 0); ++i) {
        int64_t h = inner(n, whole_of(i < 4 ? c->a.vertex[i] : c->b.vertex[i - 4]));
        low[i / 4] = h < low[i / 4] ? h : low[i / 4];
        high[i / 4] = h > high[i / 4] ? h : high[i / 4];
    }
    if (n.x != 0 || n.y != 0 || n.z != 0) {
        *parted = *parted || high[0] <= low[1] || high[1] <= low[0];
        *apart = *apart || high[0] < low[1] || high[1] < low[0];
    }
}

static abut_depth_relation exact_relation(const tetra_case *c) {
    enum { EDGES = 28 };
    whole edge[EDGES];
    int count = 0;
    for (int32_t i = 0; i < 8; ++i) {
        for (int32_t k = i + 1; k < 8; ++k) {
            edge[count++] =
                less(whole_of(k < 4 ? c->a.vertex[k] : c->b.vertex[k - 4]), whole_of(i < 4 ? c->a.vertex[i] : c->b.vertex[i - 4]));
        }
    }
    bool parted = false, apart = false;
    for (int i = 0; i < EDGES; ++i) {
        look_along(c, edge[i], &parted, &apart);
        for (int k = i + 1; k < EDGES; ++k) {
            whole n = across(edge[i], edge[k]);
            look_along(c, n, &parted, &apart);
            look_along(c, across(n, edge[i]), &parted, &apart);
            look_along(c, across(n, edge[k]), &parted, &apart);
        }
    }
    return apart ? ABUT_DEPTH_DISJOINT : parted ? ABUT_DEPTH_TOUCHING : ABUT_DEPTH_INTERSECTING;
}

static void test_relation_is_exact_on_a_grid(void **state) {
    (void)state;
    random_state random = random_make(random_seed("grid", 12));
    static tally t;
    int32_t seen[4] = {0, 0, 0, 0};
    for (int32_t i = 0, count = random_samples("grid", 20000); i < count; ++i) {
        tetra_case c = tetra_case_make(&random, TETRA_INTEGER);
        abut_depth_relation expected = exact_relation(&c);
        abut_depth d = ask(&c, NULL);
        tally_sample(&t, "sample %d", (int)i);
        ++seen[expected];
        if (d.relation != expected) {
            tally_fail(&t, "relation", "%d instead of %d, rigid %g: %s", (int)d.relation, (int)expected, -d.rigid.gap, tetra_case_text(&c));
        }
    }
    printf("grid: %d apart, %d touching, %d intersecting\n", (int)seen[ABUT_DEPTH_DISJOINT], (int)seen[ABUT_DEPTH_TOUCHING],
           (int)seen[ABUT_DEPTH_INTERSECTING]);
    tally_end(&t);
    assert_true(seen[1] > 0 && seen[2] > 0 && seen[3] > 0);
}

static void test_sizes(void **state) {
    (void)state;
    tetra_case c = corner_in_face();
    for (int exponent = -1000; exponent <= 1000; exponent += 100) {
        double scale = ldexp(1.0, exponent);
        tetra_case s = {tetra_case_scaled(c.a, scale), tetra_case_scaled(c.b, scale)};
        abut_depth d;
        abut_status status = abut_simplex_depth(&s.a, &s.b, NULL, &d);
        /* Squares of the largest lengths overflow. The depth is computed without them; the sigmas are squares, so beyond 2^500 the call is refused. */
        if (exponent > 500) {
            assert_status(status, ABUT_ERROR_NOT_FINITE);
        } else {
            assert_ok(status);
            assert_near(d.depth / scale, sqrt(3.0 / 56.0), 1e-15);
        }
    }
    /* A tiny tetrahedron deep inside: its depth is the distance to the nearest face. */
    tetra_case speck = {c.a, tetra_case_scaled(c.b, 1e-9)};
    for (int32_t i = 0; i < 4; ++i) {
        speck.b.vertex[i] = abut_add(speck.b.vertex[i], abut_vec3_make(0, 0, 0.5));
    }
    assert_near(-ask(&speck, NULL).rigid.gap, 0.5, 1e-7);
}

/* ---- wrong arguments ---- */

static void test_refusals(void **state) {
    (void)state;
    tetra_case c = corner_in_face(), bad = c;
    abut_depth d, before;
    memset(&before, 7, sizeof before);
    memcpy(&d, &before, sizeof d);
    assert_status(abut_simplex_depth(NULL, &c.b, NULL, &d), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_simplex_depth(&c.a, NULL, NULL, &d), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_simplex_depth(&c.a, &c.b, NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    for (int32_t count = -1; count <= 5; count += 6) {
        bad.b.count = count;
        assert_status(abut_simplex_depth(&c.a, &bad.b, NULL, &d), ABUT_ERROR_INVALID_ARGUMENT);
    }
    bad = c;
    bad.a.vertex[2].y = NAN;
    assert_status(abut_simplex_depth(&bad.a, &c.b, NULL, &d), ABUT_ERROR_NOT_FINITE);
    bad.a.vertex[2].y = INFINITY;
    assert_status(abut_simplex_depth(&bad.a, &c.b, NULL, &d), ABUT_ERROR_NOT_FINITE);
    bad.a.vertex[2].y = 1.7e308;
    bad.b.vertex[2].y = -1.7e308;
    assert_status(abut_simplex_depth(&bad.a, &bad.b, NULL, &d), ABUT_ERROR_NOT_FINITE);
    const abut_depth_settings wrong[] = {settings_of((abut_depth_mode)6, 1, 1),
                                         settings_of((abut_depth_mode)-1, 1, 1),
                                         settings_of(ABUT_DEPTH_EXACT44, 0, 1),
                                         settings_of(ABUT_DEPTH_EXACT44, 1, -1),
                                         settings_of(ABUT_DEPTH_EXACT44, NAN, 1),
                                         settings_of(ABUT_DEPTH_EXACT44, 1e-200, 1),
                                         settings_of(ABUT_DEPTH_EXACT44, INFINITY, INFINITY),
                                         {ABUT_DEPTH_BEST_K, 0, 1, 1, -INFINITY},
                                         {ABUT_DEPTH_BEST_K, 89, 1, 1, -INFINITY},
                                         {ABUT_DEPTH_EXACT44, 6, 1, 1, 1.0},
                                         {ABUT_DEPTH_EXACT44, 6, 1, 1, NAN},
                                         {ABUT_DEPTH_PAPER, 6, 1, 1, 0.0},
                                         {ABUT_DEPTH_FREE, 6, 1, 1, -0.5}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        assert_status(abut_simplex_depth(&c.a, &c.b, &wrong[i], &d), ABUT_ERROR_INVALID_ARGUMENT);
    }
    assert_status(abut_simplex_depth_along(&c.a, &c.b, abut_vec3_make(0, 0, 0), NULL, &d), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_simplex_depth_along(&c.a, &c.b, abut_vec3_make(0, NAN, 0), NULL, &d), ABUT_ERROR_NOT_FINITE);
    assert_memory_equal(&d, &before, sizeof d);
    abut_rigid_depth rigid;
    assert_status(abut_simplex_rigid_depth(&c.a, &c.b, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    bad = c;
    bad.b.vertex[0].x = NAN;
    assert_status(abut_simplex_rigid_depth(&c.a, &bad.b, &rigid), ABUT_ERROR_NOT_FINITE);
}

/* The edges of a static body are not all on one height where the normal of nearly parallel edges is not exact; no vertex of the other one may stay behind. */
static void test_nearly_parallel_edges_of_a_static_body(void **state) {
    (void)state;
    const abut_simplex a = {.count = 2, .vertex = {{82141249536.0, 0, 0}, {-6, 0.875, 0}}},
                       b = {.count = 2, .vertex = {{82409684992.0, 0, 0}, {0, 0, 0}}};
    abut_depth_settings settings = abut_depth_settings_default();
    settings.mode = ABUT_DEPTH_PAPER;
    settings.weight_a = INFINITY;
    abut_depth d;
    assert_ok(abut_simplex_depth(&a, &b, &settings, &d));
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) {
            abut_vec3 apart = abut_sub(abut_sub(a.vertex[i], b.vertex[k]), d.displacement_b[k]);
            assert_true(abut_dot(d.normal, apart) >= -1e-4); /* a few units in the last place of the coordinates */
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_corner_in_face),
        cmocka_unit_test(test_other_simplices),
        cmocka_unit_test(test_segments_on_one_line),
        cmocka_unit_test(test_needle_is_level),
        cmocka_unit_test(test_point_beside_a_long_segment),
        cmocka_unit_test(test_edge_without_digits),
        cmocka_unit_test(test_corners_on_a_line_seen_from_A),
        cmocka_unit_test(test_promises),
        cmocka_unit_test(test_free_is_least),
        cmocka_unit_test(test_translation_is_the_rigid_depth),
        cmocka_unit_test(test_local_is_mostly_global),
        cmocka_unit_test(test_invariance),
        cmocka_unit_test(test_far_away),
        cmocka_unit_test(test_lines_that_nearly_coincide),
        cmocka_unit_test(test_lipschitz),
        cmocka_unit_test(test_relation_is_exact_on_a_grid),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_nearly_parallel_edges_of_a_static_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
