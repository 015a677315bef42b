/*
 * Intersection of planar figures: closed forms, symmetry, and membership of sampled points.
 */

#include "support/check.h"

#include <stdlib.h>

#include "support/random.h"

#include "geom/planar.h"

enum { MOST = 64 };

typedef struct figure {
    planar_corner corner[MOST];
    int32_t count;
} figure;

static planar_figure view(const figure *f) { return (planar_figure){f->corner, f->count}; }

static figure regular(int32_t count, double radius, double x, double y, double turn) {
    figure f = {.count = count};
    for (int32_t i = 0; i < count; i++) {
        double angle = turn + 6.283185307179586 * i / count;
        f.corner[i] = (planar_corner){x + radius * cos(angle), y + radius * sin(angle), i, i};
    }
    return f;
}

static int32_t meet(const figure *a, const figure *b, planar_point *out) {
    planar_point scratch[2 * MOST + 2];
    return planar_intersect(view(a), view(b), 1e-9, 1e-6, out, scratch);
}

static bool is_in(const figure *f, double x, double y, double slack) {
    for (int32_t i = 0; i < f->count; i++) {
        const planar_corner *p = &f->corner[i], *q = &f->corner[(i + 1) % f->count];
        double length = hypot(q->x - p->x, q->y - p->y);
        if (((q->x - p->x) * (y - p->y) - (q->y - p->y) * (x - p->x)) / length < -slack) {
            return false;
        }
    }
    return true;
}

/* The names of a corner must be correct: on the vertex, on the edge, or inside. */
static void names_are_true(const figure *a, const figure *b, const planar_point *p) {
    const figure *both[2] = {a, b};
    int32_t vertex[2] = {p->vertex_a, p->vertex_b}, edge[2] = {p->edge_a, p->edge_b};
    for (int k = 0; k < 2; k++) {
        const figure *f = both[k];
        if (vertex[k] >= 0) {
            assert_near(hypot(p->x - f->corner[vertex[k]].x, p->y - f->corner[vertex[k]].y), 0.0, 1e-12);
        } else if (edge[k] >= 0) {
            const planar_corner *q = &f->corner[edge[k]], *r = &f->corner[(edge[k] + 1) % f->count];
            double across = (r->x - q->x) * (p->y - q->y) - (r->y - q->y) * (p->x - q->x);
            assert_near(across / hypot(r->x - q->x, r->y - q->y), 0.0, 1e-12);
        } else {
            assert_true(is_in(f, p->x, p->y, 1e-9));
        }
    }
}

static void polygons(void **state) {
    (void)state;
    random_state random = random_make(random_seed("polygons", 121));
    int32_t met = 0;
    for (int i = 0; i < 4000; i++) {
        figure a = regular(3 + random_below(&random, 20), random_range(&random, 0.5, 1.5), 0, 0, random_range(&random, 0, 7));
        figure b = regular(3 + random_below(&random, 20), random_range(&random, 0.2, 1.5), random_range(&random, -2, 2),
                           random_range(&random, -2, 2), random_range(&random, 0, 7));
        planar_point out[2 * MOST + 2], back[2 * MOST + 2];
        int32_t count = meet(&a, &b, out), count_back = meet(&b, &a, back);
        assert_near(planar_area(out, count), planar_area(back, count_back), 1e-12);
        figure both = {.count = count};
        for (int32_t k = 0; k < count; k++) {
            names_are_true(&a, &b, &out[k]);
            assert_true(is_in(&a, out[k].x, out[k].y, 1e-9) && is_in(&b, out[k].x, out[k].y, 1e-9));
            both.corner[k] = (planar_corner){out[k].x, out[k].y, k, k};
        }
        for (int k = 0; k < 20; k++) {
            double x = random_range(&random, -1.5, 1.5), y = random_range(&random, -1.5, 1.5);
            if (is_in(&a, x, y, -1e-6) && is_in(&b, x, y, -1e-6)) {
                assert_true(count >= 3 && is_in(&both, x, y, 1e-9));
                met++;
            }
        }
    }
    assert_true(met > 1000);
}

static void named_corners(void **state) {
    (void)state;
    figure square = {.corner = {{0, 0, 10, 20}, {1, 0, 11, 21}, {1, 1, 12, 22}, {0, 1, 13, 23}}, .count = 4};
    figure shifted = {.corner = {{0.5, 0.5, 30, 40}, {2, 0.5, 31, 41}, {2, 2, 32, 42}, {0.5, 2, 33, 43}}, .count = 4};
    planar_point out[16];
    assert_int_equal(meet(&square, &shifted, out), 4);
    int32_t seen = 0;
    for (int i = 0; i < 4; i++) {
        const planar_point *p = &out[i];
        if (p->vertex_a == 12) {
            assert_near(hypot(p->x - 1, p->y - 1), 0, 1e-15);
            seen |= 1;
        } else if (p->vertex_b == 30) {
            assert_near(hypot(p->x - 0.5, p->y - 0.5), 0, 1e-15);
            seen |= 2;
        } else if (p->edge_a == 21 && p->edge_b == 40) {
            seen |= 4;
        } else if (p->edge_a == 22 && p->edge_b == 43) {
            seen |= 8;
        }
    }
    assert_int_equal(seen, 15);
    assert_near(planar_area(out, 4), 0.25, 1e-15);
}

static void hexagram(void **state) {
    (void)state;
    figure up = regular(3, 0.3, 0, 0, 1.5707963267948966), down = regular(3, 0.3, 0, 0, -1.5707963267948966);
    planar_point out[16];
    int32_t count = meet(&up, &down, out);
    assert_int_equal(count, 6);
    assert_near(planar_area(out, count), 0.077942286341, 1e-12);
    count = meet(&up, &up, out);
    assert_int_equal(count, 3);
    assert_near(planar_area(out, count), 0.116913429511, 1e-12);
}

/* A fine polygon inside another: the result has its own corners, to the last bit, not crossings of almost parallel lines. */
static void fine_polygon_inside(void **state) {
    (void)state;
    figure outer = regular(4, 10, 0, 0, 0.1), fine = regular(60, 1, 0.2, 0.1, 0.3);
    planar_point out[2 * MOST + 2];
    assert_int_equal(meet(&outer, &fine, out), 60);
    for (int i = 0; i < 60; i++) {
        const planar_corner *c = &fine.corner[out[i].vertex_b];
        assert_true(out[i].x == c->x && out[i].y == c->y);
    }
}

/* A triangle that is said to be inside a polygon is the intersection, as with the whole plane: the same corners in the same order, to the last bit. */
static void triangle_inside(void **state) {
    (void)state;
    random_state random = random_make(random_seed("triangle_inside", 81));
    const figure plane = {.count = 0};
    int32_t inside = 0;
    for (int i = 0; i < 20000; i++) {
        figure a = regular(3 + random_below(&random, 40), 1.0, random_range(&random, -0.5, 0.5), 0.0, random_range(&random, 0.0, 6.0));
        figure b = {.count = 3};
        double size = random_log_range(&random, 1e-8, 2.0), x = random_range(&random, -1.0, 1.0), y = random_range(&random, -1.0, 1.0);
        for (int k = 0; k < 3; k++) {
            b.corner[k] = (planar_corner){x + size * random_range(&random, -1.0, 1.0), y + size * random_range(&random, -1.0, 1.0), k, k};
        }
        if (!planar_is_triangle_inside(view(&a), view(&b), 1e-9)) {
            continue;
        }
        planar_point found[MOST], expected[MOST];
        inside++;
        assert_int_equal(meet(&a, &b, found), 3);
        assert_int_equal(meet(&plane, &b, expected), 3);
        for (int k = 0; k < 3; k++) {
            assert_true(found[k].x == expected[k].x && found[k].y == expected[k].y);
            assert_int_equal(found[k].vertex_b, expected[k].vertex_b);
            assert_int_equal(found[k].edge_b, expected[k].edge_b);
            assert_int_equal(found[k].vertex_a, -1);
            assert_int_equal(found[k].edge_a, -1);
        }
    }
    assert_true(inside > 1000);
}

static void segments_and_points(void **state) {
    (void)state;
    figure square = {.corner = {{0, 0, 0, 0}, {1, 0, 1, 1}, {1, 1, 2, 2}, {0, 1, 3, 3}}, .count = 4};
    figure across = {.corner = {{-1, 0.5, 7, 9}, {0.25, 0.5, 8, 9}}, .count = 2},
           beside = {.corner = {{-1, 2, 7, 9}, {2, 2, 8, 9}}, .count = 2};
    figure point = {.corner = {{0.5, 0.5, 4, -1}}, .count = 1}, out_point = {.corner = {{1.5, 0.5, 4, -1}}, .count = 1},
           plane = {.count = 0};
    planar_point out[16];
    assert_int_equal(meet(&square, &across, out), 2);
    assert_near(out[0].x, 0.0, 1e-16);
    assert_int_equal(out[0].edge_a, 3);
    assert_int_equal(out[0].edge_b, 9);
    assert_int_equal(out[1].vertex_b, 8);
    assert_int_equal(meet(&across, &square, out), 2);
    assert_int_equal(out[0].edge_b, 3);
    assert_int_equal(meet(&square, &beside, out), 0);
    assert_int_equal(meet(&square, &point, out), 1);
    assert_int_equal(out[0].vertex_b, 4);
    assert_int_equal(meet(&square, &out_point, out), 0);
    assert_int_equal(meet(&plane, &square, out), 4);
    assert_int_equal(meet(&square, &plane, out), 4);
    assert_int_equal(out[2].vertex_a, 2);
    assert_int_equal(meet(&across, &point, out), 0);
    assert_int_equal(meet(&point, &point, out), 1);
    assert_int_equal(meet(&point, &out_point, out), 0);
}

static void two_segments(void **state) {
    (void)state;
    figure a = {.corner = {{0, 0, 1, 5}, {2, 0, 2, 5}}, .count = 2}, b = {.corner = {{1, -1, 3, 6}, {1, 1, 4, 6}}, .count = 2};
    figure along = {.corner = {{3, 0, 3, 6}, {1, 0, 4, 6}}, .count = 2}, beyond = {.corner = {{3, -1, 3, 6}, {3, 1, 4, 6}}, .count = 2};
    planar_point out[16];
    assert_int_equal(meet(&a, &b, out), 1);
    assert_near(hypot(out[0].x - 1, out[0].y), 0, 1e-16);
    assert_true(out[0].edge_a == 5 && out[0].edge_b == 6);
    assert_int_equal(meet(&a, &along, out), 2);
    assert_true(out[0].x == 1 && out[0].vertex_b == 4 && out[0].edge_a == 5);
    assert_true(out[1].x == 2 && out[1].vertex_a == 2 && out[1].edge_b == 6);
    assert_int_equal(meet(&a, &beyond, out), 0);
    assert_int_equal(meet(&a, &a, out), 2);
}

/* A short segment and a long one at a small angle: whether they count as parallel does not depend on their order. */
static void exchanged_segments(void **state) {
    (void)state;
    random_state random = random_make(random_seed("exchanged_segments", 122));
    int32_t both = 0;
    for (int i = 0; i < 4000; i++) {
        double slope = random_range(&random, -2e-3, 2e-3), from = random_range(&random, -0.2, 0.9),
               length = random_log_range(&random, 0.01, 1.0);
        double aside = random_range(&random, -1e-3, 1e-3);
        figure p = {.corner = {{0, 0, 1, 5}, {1, 0, 2, 5}}, .count = 2};
        figure q = {.corner = {{from, aside, 3, 6}, {from + length, aside + slope * length, 4, 6}}, .count = 2};
        planar_point out[16], back[16], scratch[16];
        int32_t count = planar_intersect(view(&p), view(&q), 1e-12, 0.03, out, scratch);
        assert_int_equal(planar_intersect(view(&q), view(&p), 1e-12, 0.03, back, scratch), count);
        for (int32_t k = 0; k < count && count == 2; k++) {
            assert_true(out[k].x == back[k].x && out[k].y == back[k].y && out[k].vertex_a == back[k].vertex_b);
        }
        both += count == 2;
    }
    assert_true(both > 1000);
}

static void names_by_place(void **state) {
    (void)state;
    figure square = {.corner = {{0, 0, 10, 20}, {1, 0, 11, 21}, {1, 1, 12, 22}, {0, 1, 13, 23}}, .count = 4};
    static const struct {
        double x, y;
        int32_t vertex, edge;
    } cases[] = {{1e-7, -1e-7, 10, -1}, {0.5, 1e-7, -1, 20}, {1.0 - 1e-7, 0.5, -1, 21}, {0.5, 0.5, -1, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int32_t vertex = -1, edge = -1;
        planar_name(view(&square), cases[i].x, cases[i].y, 1e-6, &vertex, &edge);
        assert_int_equal(vertex, cases[i].vertex);
        assert_int_equal(edge, cases[i].edge);
        vertex = -1;
        edge = 20; /* the edge that starts at the side y = 0: its ends are still corners of the figure */
        if (fabs(cases[i].y) < 1e-6) {
            planar_name(view(&square), cases[i].x, cases[i].y, 1e-6, &vertex, &edge);
            assert_int_equal(vertex, cases[i].vertex);
            assert_int_equal(edge, cases[i].edge);
        }
    }
}

/* A face may be dented within its tolerance. A comb cut along the middle of its teeth would gain a corner at every crossing; the result never exceeds the
 * buffer. */
static void dented_polygon(void **state) {
    (void)state;
    enum { TEETH = 16, CORNERS = 2 * TEETH + 2 };
    figure comb = {.count = CORNERS}, half = regular(4, 10.0, 0.0, -7.0710678118654755, 0.78539816339744831);
    for (int32_t i = 0; i < CORNERS - 2; i++) {
        comb.corner[i] = (planar_corner){1.0 - 2.0 * i / (CORNERS - 3), i % 2 == 0 ? 1e-3 : -1e-3, i, i};
    }
    comb.corner[CORNERS - 2] = (planar_corner){-1.0, -1.0, CORNERS - 2, CORNERS - 2};
    comb.corner[CORNERS - 1] = (planar_corner){1.0, -1.0, CORNERS - 1, CORNERS - 1};
    int32_t room = planar_capacity(view(&comb), view(&half));
    planar_point *out = check_memory((size_t)room, sizeof *out), *scratch = check_memory((size_t)room, sizeof *scratch);
    int32_t count = planar_intersect(view(&comb), view(&half), 1e-9, 1e-6, out, scratch);
    assert_true(count >= 3 && count <= room);
    free(out);
    free(scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polygons),        cmocka_unit_test(named_corners),
        cmocka_unit_test(hexagram),        cmocka_unit_test(fine_polygon_inside),
        cmocka_unit_test(triangle_inside), cmocka_unit_test(segments_and_points),
        cmocka_unit_test(two_segments),    cmocka_unit_test(exchanged_segments),
        cmocka_unit_test(names_by_place),  cmocka_unit_test(dented_polygon),
    };
    return cmocka_run_group_tests_name("geom/planar", tests, NULL, NULL);
}
