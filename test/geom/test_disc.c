/* Integrals over polygon and disc: whole discs, whole polygons, a printed case, sums over tilings, and quadrature by a fine grid of the plane. */
#include "geom/disc.h"

#include "support/check.h"
#include "support/random.h"


/* disc_integrate(), after disc_area() has given the same area. */
static disc_integrals integrate(const disc_point *corner, int32_t count, double radius) {
    disc_integrals d = disc_integrate(corner, count, radius);
    assert_near(disc_area(corner, count, radius), d.area.whole, 1e-14 * (1.0 + radius * radius));
    return d;
}

static double cross_of(disc_point p, disc_point q, disc_point r) { return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x); }

static disc_integrals triangle(disc_point p, disc_point q, disc_point r, double radius) {
    disc_point corner[3] = {p, q, r};
    if (cross_of(p, q, r) < 0.0) {
        corner[1] = r;
        corner[2] = q;
    }
    return integrate(corner, 3, radius);
}

static void test_whole_disc(void **state) {
    (void)state;
    const disc_point corner[] = {{-5, -4}, {6, -5}, {4, 7}, {-3, 3}};
    double a = 1.7;
    disc_integrals d = integrate(corner, 4, a);
    assert_near(d.area.whole, PI * a * a, 1e-14);
    assert_near(d.dome.whole, 2.0 / 3.0 * PI * a * a, 1e-14);
    assert_near(d.brim.whole, 2.0 * PI * a * a, 1e-14);
    assert_near(d.area.moment.x, 0.0, 1e-15);
    assert_near(d.dome.moment.y, 0.0, 1e-15);
}

static void test_whole_polygon(void **state) {
    (void)state;
    const disc_point corner[] = {{0.2, -1}, {1.2, -1}, {0.2, 1}};
    disc_integrals d = integrate(corner, 3, 1e3);
    assert_near(d.area.whole, 1.0, 1e-9);
    assert_near(d.area.moment.x, 1.6 / 3.0, 1e-9);
    assert_near(d.area.moment.y, -1.0 / 3.0, 1e-9);
    assert_near(d.dome.whole, 1.0, 1e-6);
    assert_near(d.brim.whole, 1.0, 1e-6);
    /* Case R2 of rounded triangles: balls of 1 and 2 at a distance of 2.8. */
    assert_near(integrate(corner, 3, sqrt(0.25301020408163265)).area.whole, 0.201661953676, 1e-12);
    assert_near(integrate(corner, 2, 1.0).area.whole, 0.0, 0.0);
}

/* A polygon cut in two by a line has the sum of its parts; the first is about anywhere. */
static void test_parts_add_up(void **state) {
    (void)state;
    random_state random = random_make(random_seed("disc", 61));
    for (int32_t i = 0, count = random_samples("disc", 20000); i < count; ++i) {
        disc_point p[3], cut;
        for (int k = 0; k < 3; ++k) {
            p[k] = (disc_point){random_range(&random, -2, 2), random_range(&random, -2, 2)};
        }
        double t = random_range(&random, 0, 1), a = random_log_range(&random, 0.05, 5);
        cut = (disc_point){p[0].x + t * (p[1].x - p[0].x), p[0].y + t * (p[1].y - p[0].y)};
        disc_integrals whole = triangle(p[0], p[1], p[2], a), first = triangle(p[0], cut, p[2], a), second = triangle(cut, p[1], p[2], a);
        const double *w = (const double *)&whole, *f = (const double *)&first, *s = (const double *)&second;
        for (size_t k = 0; k < sizeof whole / sizeof *w; ++k) {
            assert_near(f[k] + s[k], w[k], 1e-13 * a * a * (1.0 + a));
        }
    }
}

/* Corners and sides at the origin, or a rounding off it: triangles that share the disc equally. */
static void test_borders_through_the_middle(void **state) {
    (void)state;
    random_state random = random_make(random_seed("middle", 63));
    for (int32_t i = 0; i < 5000; ++i) {
        int n = 3 + random_below(&random, 6);
        double turn = random_range(&random, 0, 7), a = 0.7, off = i % 3 == 0 ? 0.0 : random_log_range(&random, 1e-300, 1e-15);
        double ox = off * random_range(&random, -1, 1), oy = off * random_range(&random, -1, 1);
        for (int k = 0; k < n; ++k) {
            double from = i % 2 == 0 ? turn + 2.0 * PI * k / n : 0.5 * PI * k, to = i % 2 == 0 ? from + 2.0 * PI / n : from + 0.5 * PI, share = i % 2 == 0 ? n : 4;
            disc_point fan[3] = {{ox, oy}, {9.0 * cos(from), 9.0 * sin(from)}, {9.0 * cos(to), 9.0 * sin(to)}};
            disc_integrals d = integrate(fan, 3, a);
            assert_near(d.area.whole * share, PI * a * a, 1e-13);
            assert_near(d.dome.whole * share, 2.0 / 3.0 * PI * a * a, 1e-13);
            assert_near(d.brim.whole * share, 2.0 * PI * a * a, 1e-13);
        }
        double c = cos(turn), z = sin(turn), before = random_range(&random, 1, 3), after = random_range(&random, 1, 3);
        disc_point half[4] = {{ox - before * c, oy - before * z}, {ox + after * c, oy + after * z}, {after * c - 5 * z, after * z + 5 * c},
                              {-before * c - 5 * z, -before * z + 5 * c}};
        disc_integrals d = integrate(half, 4, a);
        assert_near(d.area.whole, 0.5 * PI * a * a, 1e-13);
        assert_near(d.dome.whole, PI / 3.0 * a * a, 1e-13);
        assert_near(d.brim.whole, PI * a * a, 1e-13);
    }
}

/* By the midpoints of a fine grid, of weights that are smooth where they are not cut. */
static void test_quadrature(void **state) {
    (void)state;
    enum { CELLS = 1200 };
    random_state random = random_make(random_seed("quadrature", 62));
    for (int sample = 0; sample < 8; ++sample) {
        disc_point p[3];
        for (int k = 0; k < 3; ++k) {
            p[k] = (disc_point){random_range(&random, -1.5, 1.5), random_range(&random, -1.5, 1.5)};
        }
        double side = cross_of(p[0], p[1], p[2]) < 0.0 ? -1.0 : 1.0, cell = 2.0 / CELLS, sum[9] = {0.0};
        for (int i = 0; i < CELLS; ++i) {
            for (int k = 0; k < CELLS; ++k) {
                disc_point x = {-1.0 + cell * (i + 0.5), -1.0 + cell * (k + 0.5)};
                double r2 = x.x * x.x + x.y * x.y;
                if (r2 < 1.0 && side * cross_of(p[0], p[1], x) > 0.0 && side * cross_of(p[1], p[2], x) > 0.0 && side * cross_of(p[2], p[0], x) > 0.0) {
                    double weight[3] = {1.0, sqrt(1.0 - r2), 1.0 / sqrt(1.0 - r2)};
                    for (int w = 0; w < 3; ++w) {
                        sum[3 * w] += weight[w] * cell * cell;
                        sum[3 * w + 1] += weight[w] * x.x * cell * cell;
                        sum[3 * w + 2] += weight[w] * x.y * cell * cell;
                    }
                }
            }
        }
        disc_integrals d = triangle(p[0], p[1], p[2], 1.0);
        const double *exact = (const double *)&d;
        for (int k = 0; k < 9; ++k) {
            assert_near(exact[k], sum[k], k < 6 ? 3e-3 : 2e-2);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_whole_disc), cmocka_unit_test(test_whole_polygon), cmocka_unit_test(test_parts_add_up),
                                       cmocka_unit_test(test_borders_through_the_middle), cmocka_unit_test(test_quadrature)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
