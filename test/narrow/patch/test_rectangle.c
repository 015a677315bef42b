/* Rectangles in the contact plane: intersection and places are those of figures with any number of corners, to the last bit. */
#include "narrow/patch/rectangle.h"

#include <string.h>

#include "support/check.h"

static void set_corner(rectangle *r, int32_t i, double x, double y) {
    r->x[i] = x;
    r->y[i] = y;
    r->vertex[i] = i;
    r->edge[i] = i;
}

/* About (x, y), counter-clockwise. lean: shift of the upper side, as of a face that leans. */
static rectangle make(double x, double y, double half_u, double half_v, double angle, double lean) {
    const double u[4] = {-half_u, half_u, half_u + lean, -half_u + lean}, v[4] = {-half_v, -half_v, half_v, half_v};
    rectangle r;
    memset(&r, 0, sizeof r);
    for (int32_t i = 0; i < 4; i++) {
        set_corner(&r, i, x + cos(angle) * u[i] - sin(angle) * v[i], y + sin(angle) * u[i] + cos(angle) * v[i]);
    }
    return r;
}

/* The same as a figure. Its names are places. */
static planar_figure figure_of(const rectangle *r, planar_corner corner[4]) {
    for (int32_t i = 0; i < 4; i++) {
        corner[i] = (planar_corner){r->x[i], r->y[i], i, i};
    }
    return (planar_figure){corner, 4};
}

static int32_t place_of(int32_t vertex, int32_t edge) {
    return vertex >= 0 ? vertex : edge >= 0 ? RECTANGLE_SIDE + edge : RECTANGLE_INSIDE;
}

static bool is_same(const rectangle_point *p, const planar_point *q) {
    return memcmp(&p->x, &q->x, sizeof p->x) == 0 && memcmp(&p->y, &q->y, sizeof p->y) == 0 &&
           p->on_a == place_of(q->vertex_a, q->edge_a) && p->on_b == place_of(q->vertex_b, q->edge_b) &&
           p->side == q->side + (q->side_of_b ? RECTANGLE_SIDE : 0);
}

static int32_t named_place(planar_figure figure, const planar_point *p, bool of_b, double tolerance) {
    int32_t vertex = of_b ? p->vertex_b : p->vertex_a, edge = of_b ? p->edge_b : p->edge_a;
    planar_name(figure, p->x, p->y, tolerance, &vertex, &edge);
    return place_of(vertex, edge);
}

/* Compares both ways. Returns the number of corners. */
static int32_t compare(tally *t, const rectangle *a, const rectangle *b, double tolerance, double weld) {
    planar_corner corner_a[4], corner_b[4];
    planar_figure figure_a = figure_of(a, corner_a), figure_b = figure_of(b, corner_b);
    planar_point expected[10], scratch[10];
    rectangle_point found[RECTANGLES_MOST + 2];
    int32_t count = planar_intersect(figure_a, figure_b, tolerance, 0.03, expected, scratch);
    int32_t corners = rectangles_intersect(a, b, tolerance, found);
    if (corners != count) {
        tally_fail(t, "count", "%d corners, not %d", (int)corners, (int)count);
        return count;
    }
    for (int32_t i = 0; i < count; i++) {
        const rectangle_point *p = &found[i];
        if (!is_same(p, &expected[i])) {
            tally_fail(t, "corner", "%d at %.17g %.17g on %d and %d, not %.17g %.17g", (int)i, p->x, p->y, (int)p->on_a, (int)p->on_b,
                       expected[i].x, expected[i].y);
        }
        int32_t place_a = rectangle_place(a, p, p->on_a, weld), place_b = rectangle_place(b, p, p->on_b, weld);
        int32_t named_a = named_place(figure_a, &expected[i], false, weld), named_b = named_place(figure_b, &expected[i], true, weld);
        if (place_a != named_a || place_b != named_b) {
            tally_fail(t, "place", "%d and %d, not %d and %d", (int)place_a, (int)place_b, (int)named_a, (int)named_b);
        }
    }
    return count;
}

/* A number that makes sides and corners coincide, or nearly. */
static double tidy(random_state *random) {
    static const double round[8] = {0.0, 0.5, 1.0, 0.25, -0.5, -1.0, 0.75, 1.5};
    double x = round[random_below(random, 8)];
    return random_below(random, 4) == 0 ? x + random_log_range(random, 1e-16, 1e-3) : x;
}

static double length(random_state *random) {
    return random_below(random, 2) == 0 ? fmax(0.25, fabs(tidy(random))) : random_log_range(random, 1e-3, 2.0);
}

static double turn(random_state *random) {
    switch (random_below(random, 4)) {
    case 0:
        return 0.0;
    case 1:
        return random_log_range(random, 1e-16, 1e-2);
    case 2:
        return 0.7853981633974483 * random_below(random, 8);
    default:
        return random_range(random, -4.0, 4.0);
    }
}

static rectangle draw(random_state *random) {
    bool any = random_below(random, 2) == 0;
    double x = any ? random_range(random, -1.5, 1.5) : tidy(random), y = any ? random_range(random, -1.5, 1.5) : tidy(random);
    double lean = random_below(random, 4) == 0 ? random_range(random, -0.2, 0.2) : 0.0;
    double half_u = length(random), half_v = length(random);
    return make(x, y, half_u, half_v, turn(random), lean);
}

static void same_as_any_polygons(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("same_as_any_polygons", 733));
    int32_t samples = random_samples("same_as_any_polygons", 400000), with[RECTANGLES_MOST + 3] = {0};
    for (int32_t i = 0; i < samples; i++) {
        static const double welds[4] = {0.0, 1e-9, 1e-6, 0.03}, tolerances[3] = {0.0, 1e-12, 1e-6};
        rectangle a = draw(&random), b = draw(&random);
        tally_sample(&t, "sample %d", (int)i);
        ++with[compare(&t, &a, &b, tolerances[random_below(&random, 3)], welds[random_below(&random, 4)])];
    }
    tally_end(&t);
    for (int32_t count = 3; count <= RECTANGLES_MOST; count++) {
        assert_true(with[count] > 0); /* every number of corners occurs */
    }
    assert_true(with[0] > 0);
}

/* A square on a square that is turned by an eighth: an octagon, whose corners all lie on a side of each. */
static void octagon(void **state) {
    (void)state;
    rectangle a = make(0, 0, 1, 1, 0.0, 0.0), b = make(0, 0, 1, 1, 0.7853981633974483, 0.0);
    rectangle_point point[RECTANGLES_MOST + 2];
    assert_int_equal(rectangles_intersect(&a, &b, 1e-12, point), 8);
    for (int32_t i = 0; i < 8; i++) {
        assert_true(point[i].on_a >= RECTANGLE_SIDE && point[i].on_a < RECTANGLE_INSIDE);
        assert_true(point[i].on_b >= RECTANGLE_SIDE && point[i].on_b < RECTANGLE_INSIDE);
        assert_near(hypot(point[i].x, point[i].y), hypot(1.0, sqrt(2.0) - 1.0), 1e-15);
    }
}

/* Two equal squares: each corner is a corner of both. */
static void equal_squares(void **state) {
    (void)state;
    rectangle a = make(0, 0, 1, 1, 0.0, 0.0);
    rectangle_point point[RECTANGLES_MOST + 2];
    assert_int_equal(rectangles_intersect(&a, &a, 1e-12, point), 4);
    for (int32_t i = 0; i < 4; i++) {
        assert_int_equal(rectangle_place(&a, &point[i], point[i].on_a, 1e-9), i);
        assert_int_equal(rectangle_place(&a, &point[i], point[i].on_b, 1e-9), i);
    }
}

static void apart(void **state) {
    (void)state;
    rectangle a = make(0, 0, 1, 1, 0.0, 0.0), b = make(2.5, 0, 1, 1, 0.0, 0.0);
    rectangle_point point[RECTANGLES_MOST + 2];
    assert_int_equal(rectangles_intersect(&a, &b, 1e-12, point), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_as_any_polygons),
        cmocka_unit_test(octagon),
        cmocka_unit_test(equal_squares),
        cmocka_unit_test(apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
