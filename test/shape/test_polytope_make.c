/* Polytopes from their faces: merging, every error with its report, tolerances, scales, and surfaces far from the origin. */
#include <stdlib.h>
#include <string.h>

#include "support/allocator.h"
#include "support/solid.h"
#include "support/surface.h"

#define PI 3.14159265358979323846

/* A definition that owns its lists. */
typedef struct draft {
    int32_t vertex_count, face_count, corner_count;
    abut_vec3 *vertices;
    int32_t *sizes, *corners;
} draft;

static draft draft_of(const solid *s) {
    draft d = {.vertex_count = s->vertex_count, .face_count = s->face_count};
    for (int32_t f = 0; f < s->face_count; f++) {
        d.corner_count += s->face_sizes[f];
    }
    d.vertices = check_memory((size_t)d.vertex_count, sizeof *d.vertices);
    d.sizes = check_memory((size_t)d.face_count, sizeof *d.sizes);
    d.corners = check_memory((size_t)d.corner_count, sizeof *d.corners);
    memcpy(d.vertices, s->vertices, (size_t)d.vertex_count * sizeof *d.vertices);
    memcpy(d.sizes, s->face_sizes, (size_t)d.face_count * sizeof *d.sizes);
    memcpy(d.corners, s->face_vertices, (size_t)d.corner_count * sizeof *d.corners);
    return d;
}

static void draft_free(draft *d) {
    free(d->vertices);
    free(d->sizes);
    free(d->corners);
}

static draft draft_box(void) {
    solid s = solid_box(abut_vec3_make(1, 1, 1));
    draft d = draft_of(&s);
    solid_free(&s);
    return d;
}

/* Fans from a random corner of every face, with the triangles in random order. */
static draft draft_triangulated(const solid *s, random_state *random) {
    draft whole = draft_of(s), d = whole;
    d.face_count = whole.corner_count - 2 * whole.face_count;
    d.corner_count = 3 * d.face_count;
    d.sizes = check_memory((size_t)d.face_count, sizeof *d.sizes);
    d.corners = check_memory((size_t)d.corner_count, sizeof *d.corners);
    int32_t triangle = 0, first = 0;
    for (int32_t f = 0; f < whole.face_count; first += whole.sizes[f++]) {
        int32_t n = whole.sizes[f], start = random_below(random, n);
        for (int32_t i = 1; i + 1 < n; i++, triangle++) {
            const int32_t corner[3] = {start, start + i, start + i + 1};
            for (int k = 0; k < 3; k++) {
                d.corners[3 * triangle + k] = whole.corners[first + corner[k] % n];
            }
            d.sizes[triangle] = 3;
        }
    }
    for (int32_t t = d.face_count - 1; t > 0; t--) {
        int32_t other = random_below(random, t + 1), swap[3];
        memcpy(swap, d.corners + 3 * t, sizeof swap);
        memcpy(d.corners + 3 * t, d.corners + 3 * other, sizeof swap);
        memcpy(d.corners + 3 * other, swap, sizeof swap);
    }
    free(whole.sizes);
    free(whole.corners);
    return d;
}

static abut_status create(const draft *d, double tolerance, abut_polytope_report *report, abut_shape **shape) {
    abut_polytope_def def = {d->vertices, d->vertex_count, d->sizes, d->face_count, d->corners, tolerance};
    return abut_shape_create_polytope(&def, report, shape);
}

static abut_shape *create_ok(const draft *d, double tolerance) {
    abut_shape *shape = NULL;
    abut_polytope_report report;
    assert_ok(create(d, tolerance, &report, &shape));
    assert_int_equal(report.face, -1);
    assert_int_equal(report.vertex, -1);
    assert_true(report.dent >= 0.0 && report.dent <= fmax(tolerance, 1e-9) * shape->size);
    return shape;
}

static void expect_refusal(const draft *d, abut_status expected, int32_t face, int32_t vertex) {
    abut_shape *shape = NULL;
    abut_polytope_report report;
    assert_status(create(d, 0.0, &report, &shape), expected);
    assert_null(shape);
    assert_int_equal(report.face, face);
    assert_int_equal(report.vertex, vertex);
}

static void faces_and_vertices_keep_their_order(void **state) {
    (void)state;
    draft d = draft_box();
    abut_shape *shape = create_ok(&d, 0.0);
    abut_polytope_view view;
    assert_ok(abut_shape_polytope(shape, &view));
    assert_int_equal(abut_shape_kind(shape), ABUT_SHAPE_POLYTOPE);
    assert_int_equal(view.vertex_count, 8);
    assert_memory_equal(view.vertices, d.vertices, 8 * sizeof *d.vertices);
    assert_int_equal(view.face_count, 6);
    assert_memory_equal(view.face_vertices, d.corners, 24 * sizeof *d.corners);
    surface_check(shape, 1e-15);
    abut_shape_release(shape);
    draft_free(&d);
}

/* For any triangulation, the result has the prism's own faces. */
static void triangulated_prisms(void **state) {
    (void)state;
    random_state random = random_make(random_seed("triangulated_prisms", 3));
    const int32_t sides[] = {3, 4, 5, 17, 64, 4096};
    for (int i = 0; i < 6; i++) {
        solid s = solid_prism(0.7, 1.3, sides[i]);
        draft d = draft_triangulated(&s, &random);
        abut_shape *shape = create_ok(&d, 0.0);
        const polytope *p = &shape->surface;
        assert_int_equal(p->face_count, sides[i] + 2);
        assert_int_equal(p->vertex_count, 2 * sides[i]);
        int32_t first = 0;
        for (int32_t f = 0; f < s.face_count && sides[i] < 100; first += s.face_sizes[f++]) {
            assert_true(surface_find_face(p, s.face_vertices + first, s.face_sizes[f]) >= 0);
        }
        if (sides[i] < 100) {
            surface_check(shape, 1e-14);
        } else {
            surface_check_topology(p);
        }
        abut_shape_release(shape);
        draft_free(&d);
        solid_free(&s);
    }
}

/* A triangulated hull keeps every facet, also very small ones, at every scale, turned and far from the origin. */
static void fine_facets_stay(void **state) {
    (void)state;
    random_state random = random_make(random_seed("fine_facets_stay", 4));
    for (int sample = 0; sample < 24; sample++) {
        solid s = solid_cloud(&random, 4 + random_below(&random, 200), abut_vec3_make(1.0, 0.8, 0.6));
        draft d = draft_of(&s);
        abut_pose pose = random_pose(&random, sample % 3 ? 0.0 : 1e6);
        double scale = random_log_range(&random, 1e-9, 1e9);
        for (int32_t v = 0; v < d.vertex_count; v++) {
            d.vertices[v] = abut_scale(scale, abut_pose_apply(pose, d.vertices[v]));
        }
        abut_shape *shape = create_ok(&d, 0.0);
        assert_int_equal(shape->surface.face_count, s.face_count);
        assert_int_equal(shape->surface.vertex_count, s.vertex_count);
        surface_check(shape, sample % 3 ? 1e-14 : 1e-9);
        abut_shape_release(shape);
        draft_free(&d);
        solid_free(&s);
    }
}

/* Boxes of any proportions, each side a grid of triangles or quads that share their vertices. */
static draft draft_grid_box(abut_vec3 half, int32_t n) {
    /* All grid points of the cube's lattice are given; points inside are unused and stay. */
    draft d = {.vertex_count = (n + 1) * (n + 1) * (n + 1), .face_count = 12 * n * n, .corner_count = 36 * n * n};
    d.vertices = check_memory((size_t)d.vertex_count, sizeof *d.vertices);
    d.sizes = check_memory((size_t)d.face_count, sizeof *d.sizes);
    d.corners = check_memory((size_t)d.corner_count, sizeof *d.corners);
    for (int32_t v = 0; v < d.vertex_count; v++) {
        double x = v % (n + 1), y = v / (n + 1) % (n + 1), z = v / (n + 1) / (n + 1);
        d.vertices[v] = abut_vec3_make(half.x * (2 * x / n - 1), half.y * (2 * y / n - 1), half.z * (2 * z / n - 1));
    }
    const int32_t step[3] = {1, n + 1, (n + 1) * (n + 1)};
    int32_t face = 0;
    for (int32_t side = 0; side < 6; side++) {
        int32_t axis = side / 2, upper = side % 2, u = step[(axis + 1 + !upper) % 3], v = step[(axis + 2 - !upper) % 3];
        for (int32_t cell = 0; cell < n * n; cell++, face += 2) {
            int32_t a = upper * n * step[axis] + cell % n * u + cell / n * v;
            const int32_t split[6] = {a, a + u, a + u + v, a, a + u + v, a + v};
            memcpy(d.corners + 3 * face, split, sizeof split);
            d.sizes[face] = d.sizes[face + 1] = 3;
        }
    }
    return d;
}

static void grids_become_boxes(void **state) {
    (void)state;
    random_state random = random_make(random_seed("grids_become_boxes", 6));
    const abut_vec3 halves[] = {{1, 1, 1}, {1, 0.3, 0.1}, {1, 1, 1e-4}, {1, 1e-4, 1e-4}, {1, 1e-3, 1e-6}};
    for (int i = 0; i < 30; i++) {
        draft d = draft_grid_box(halves[i % 5], 1 + i % 7);
        abut_pose pose = random_pose(&random, i % 3 == 2 ? 1e4 : 0.0);
        double scale = random_log_range(&random, 1e-9, 1e9);
        for (int32_t v = 0; v < d.vertex_count && i % 3; v++) {
            d.vertices[v] = abut_scale(scale, abut_pose_apply(pose, d.vertices[v]));
        }
        abut_shape *shape = create_ok(&d, 0.0);
        assert_int_equal(shape->surface.face_count, 6);
        assert_int_equal(shape->surface.vertex_count, 8);
        surface_check(shape, i % 3 == 2 ? 1e-10 : 1e-14);
        abut_shape_release(shape);
        draft_free(&d);
    }
}

/* Triangles that repeat their vertices, as in STL files, form a closed surface when the coordinates are equal to the last bit. */
static void triangle_soup(void **state) {
    (void)state;
    random_state random = random_make(random_seed("triangle_soup", 7));
    solid s = solid_box(abut_vec3_make(0.3, 0.2, 0.1));
    draft d = draft_triangulated(&s, &random);
    abut_vec3 *places = check_memory((size_t)d.corner_count, sizeof *places);
    for (int32_t c = 0; c < d.corner_count; c++) {
        places[c] = d.vertices[d.corners[c]];
        d.corners[c] = c;
    }
    free(d.vertices);
    d.vertices = places;
    d.vertex_count = d.corner_count;
    abut_shape *shape = create_ok(&d, 0.0);
    assert_int_equal(shape->surface.vertex_count, 8);
    assert_int_equal(shape->surface.face_count, 6);
    abut_shape_release(shape);
    places[5].x += 1e-6;
    abut_polytope_report report;
    shape = NULL;
    assert_status(create(&d, 0.0, &report, &shape), ABUT_ERROR_NOT_CLOSED);
    draft_free(&d);
    solid_free(&s);
}

/* A pyramid with two apex points one rounding error apart has one apex. With a clearly larger distance it has two. */
static void tiny_edges_close(void **state) {
    (void)state;
    const double gaps[] = {1e-13, 1e-5};
    for (int i = 0; i < 2; i++) {
        abut_vec3 v[6] = {{1, 1, 0}, {-1, 1, 0}, {-1, -1, 0}, {1, -1, 0}, {0.5 * gaps[i], 0, 1}, {-0.5 * gaps[i], 0, 1}};
        int32_t sizes[5] = {4, 4, 3, 4, 3}, corners[18] = {3, 2, 1, 0, 0, 1, 5, 4, 1, 2, 5, 2, 3, 4, 5, 3, 0, 4};
        draft d = {6, 5, 18, v, sizes, corners};
        abut_shape *shape = create_ok(&d, 0.0);
        assert_int_equal(shape->surface.vertex_count, i == 0 ? 5 : 6);
        assert_int_equal(shape->surface.face_count, 5);
        surface_check(shape, 1e-12);
        abut_shape_release(shape);
    }
}

static void arguments_out_of_range(void **state) {
    (void)state;
    draft d = draft_box();
    abut_shape *shape = NULL;
    abut_polytope_report report = {7, 7, 7.0};
    assert_status(abut_shape_create_polytope(NULL, &report, &shape), ABUT_ERROR_INVALID_ARGUMENT);
    assert_true(report.face == -1 && report.vertex == -1 && report.dent == 0.0);
    assert_status(create(&d, 0.0, NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(create(&d, -1.0, NULL, &shape), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(create(&d, NAN, NULL, &shape), ABUT_ERROR_INVALID_ARGUMENT);
    abut_polytope_def def = {d.vertices, 8, d.sizes, 6, d.corners, 0.0};
    for (int i = 0; i < 5; i++) {
        abut_polytope_def bad = def;
        bad.vertices = i == 0 ? NULL : bad.vertices;
        bad.face_sizes = i == 1 ? NULL : bad.face_sizes;
        bad.face_vertices = i == 2 ? NULL : bad.face_vertices;
        bad.vertex_count = i == 3 ? 3 : bad.vertex_count;
        bad.face_count = i == 4 ? -1 : bad.face_count;
        assert_status(abut_shape_create_polytope(&bad, &report, &shape), ABUT_ERROR_INVALID_ARGUMENT);
    }
    d.corners[9] = 8;
    expect_refusal(&d, ABUT_ERROR_INVALID_ARGUMENT, 2, 8);
    d.corners[9] = -2;
    expect_refusal(&d, ABUT_ERROR_INVALID_ARGUMENT, 2, -2);
    d.corners[9] = 1;
    d.sizes[3] = 2;
    expect_refusal(&d, ABUT_ERROR_INVALID_ARGUMENT, 3, -1);
    d.sizes[3] = INT32_MAX;
    expect_refusal(&d, ABUT_ERROR_INVALID_ARGUMENT, 3, -1);
    d.sizes[3] = 4;
    d.vertices[6].y = NAN;
    expect_refusal(&d, ABUT_ERROR_NOT_FINITE, -1, 6);
    d.vertices[6].y = 1e200;
    expect_refusal(&d, ABUT_ERROR_INVALID_ARGUMENT, -1, -1);
    assert_null(shape);
    draft_free(&d);
}

static void surfaces_that_are_not_closed(void **state) {
    (void)state;
    draft d = draft_box();
    for (int32_t f = 0; f < 6; f++) {
        int32_t t = d.corners[4 * f + 1];
        d.corners[4 * f + 1] = d.corners[4 * f + 3];
        d.corners[4 * f + 3] = t;
        abut_shape *shape = NULL;
        abut_polytope_report report;
        assert_status(create(&d, 0.0, &report, &shape), ABUT_ERROR_NOT_CLOSED);
        assert_int_equal(report.face, f);
        d.corners[4 * f + 3] = d.corners[4 * f + 1];
        d.corners[4 * f + 1] = t;
    }
    d.face_count = 5;
    abut_shape *shape = NULL;
    abut_polytope_report report;
    assert_status(create(&d, 0.0, &report, &shape), ABUT_ERROR_NOT_CLOSED);
    assert_in_range(report.face, 0, 3);
    assert_in_range(report.vertex, 4, 7);
    draft_free(&d);
}

static void faces_wound_inward(void **state) {
    (void)state;
    draft d = draft_box();
    for (int32_t f = 0; f < 6; f++) {
        int32_t t = d.corners[4 * f + 1];
        d.corners[4 * f + 1] = d.corners[4 * f + 3];
        d.corners[4 * f + 3] = t;
    }
    expect_refusal(&d, ABUT_ERROR_NOT_OUTWARD, 0, -1);
    draft_free(&d);
}

static void surfaces_without_volume(void **state) {
    (void)state;
    draft d = draft_box();
    for (int axis = 0; axis < 3; axis++) {
        draft flat = draft_box();
        for (int32_t v = 0; v < 8; v++) {
            *(axis == 0 ? &flat.vertices[v].x : axis == 1 ? &flat.vertices[v].y : &flat.vertices[v].z) = 0.1;
        }
        expect_refusal(&flat, ABUT_ERROR_DEGENERATE, -1, -1);
        draft_free(&flat);
    }
    /* In an oblique plane, where no coordinate is constant; on a line; and at a point. */
    const abut_vec3 spans[3][2] = {{{0.3, -0.7, 0.2}, {0.5, 0.1, -0.9}}, {{0.3, -0.7, 0.2}, {-0.6, 1.4, -0.4}}, {{0, 0, 0}, {0, 0, 0}}};
    for (int kind = 0; kind < 3; kind++) {
        for (int32_t v = 0; v < 8; v++) {
            d.vertices[v] = abut_add(abut_scale(1.7 * v, spans[kind][0]), abut_scale(v * v * 0.3, spans[kind][1]));
            d.vertices[v] = abut_add(d.vertices[v], abut_vec3_make(0.1, 0.2, 0.3));
        }
        abut_shape *shape = NULL;
        abut_polytope_report report;
        assert_status(create(&d, 0.0, &report, &shape), ABUT_ERROR_DEGENERATE);
    }
    draft_free(&d);
}

/* An L-shaped prism: the edge of the notch lies sqrt(1/8) below the hull. */
static void a_notch_and_its_dent(void **state) {
    (void)state;
    abut_vec3 v[12];
    const double outline[6][2] = {{0, 0}, {1, 0}, {1, 0.5}, {0.5, 0.5}, {0.5, 1}, {0, 1}};
    for (int i = 0; i < 12; i++) {
        v[i] = abut_vec3_make(outline[i % 6][0], outline[i % 6][1], i < 6 ? 0 : 1);
    }
    int32_t sizes[8] = {6, 6, 4, 4, 4, 4, 4, 4}, corners[36] = {5, 4, 3, 2, 1, 0, 6, 7, 8, 9, 10, 11};
    for (int i = 0; i < 6; i++) {
        int j = (i + 1) % 6;
        const int32_t wall[4] = {i, j, j + 6, i + 6};
        memcpy(corners + 12 + 4 * i, wall, sizeof wall);
    }
    draft d = {12, 8, 36, v, sizes, corners};
    abut_shape *shape = NULL;
    abut_polytope_report report;
    assert_status(create(&d, 0.0, &report, &shape), ABUT_ERROR_NOT_CONVEX);
    assert_true(report.face == 4 || report.face == 5);
    assert_in_range(report.vertex, 0, 11);
    assert_near(report.dent, ABUT_TEST_HAS_HULL ? sqrt(0.125) : 0.5, 1e-15);
}

/* The middle of a cube's top is moved by `push`; the top is four triangles. */
static draft draft_pushed_cube(double push) {
    draft d = draft_box();
    d.vertices = realloc(d.vertices, 9 * sizeof *d.vertices);
    d.vertices[8] = abut_vec3_make(0, 0, 1 + push);
    d.vertex_count = 9;
    d.sizes = realloc(d.sizes, 9 * sizeof *d.sizes);
    d.corners = realloc(d.corners, 32 * sizeof *d.corners);
    const int32_t top[12] = {4, 5, 8, 5, 7, 8, 7, 6, 8, 6, 4, 8};
    memcpy(d.corners + 20, top, sizeof top);
    for (int f = 5; f < 9; f++) {
        d.sizes[f] = 3;
    }
    d.face_count = 9;
    d.corner_count = 32;
    return d;
}

static void dents_and_tolerances(void **state) {
    (void)state;
    for (double push = 1e-6; push < 0.5; push *= 10.0) {
        draft d = draft_pushed_cube(-push);
        abut_shape *shape = NULL;
        abut_polytope_report report;
        /* The plane of a triangle rises by 2 push to the far corners of the top. */
        double rise = 2.0 * push / sqrt(1.0 + push * push);
        assert_status(create(&d, 0.0, &report, &shape), ABUT_ERROR_NOT_CONVEX);
        assert_near(report.dent, ABUT_TEST_HAS_HULL ? push : rise, 1e-14);
        assert_in_range(report.face, 5, 8);
        assert_status(create(&d, 0.24 * rise, &report, &shape), ABUT_ERROR_NOT_CONVEX);
        /* With a tolerance of at least its dent it is the cube. */
        shape = create_ok(&d, 0.51 * rise);
        assert_int_equal(shape->surface.face_count, 6);
        assert_int_equal(shape->surface.vertex_count, 8);
        surface_check(shape, 1e-15);
        abut_shape_release(shape);
        draft_free(&d);
        /* Pushed outward it is a house, for every tolerance. */
        d = draft_pushed_cube(push);
        for (int i = 0; i < 2; i++) {
            shape = create_ok(&d, i * 1e-2);
            assert_int_equal(shape->surface.face_count, 9);
            surface_check(shape, 1e-14);
            abut_shape_release(shape);
        }
        draft_free(&d);
    }
    draft d = draft_pushed_cube(1e-12);
    abut_shape *shape = create_ok(&d, 0.0);
    assert_int_equal(shape->surface.face_count, 6);
    abut_shape_release(shape);
    draft_free(&d);
}

/* A face with one corner out of its plane: the dent is the distance of that corner. */
static void a_face_that_is_not_planar(void **state) {
    (void)state;
    draft d = draft_box();
    d.vertices[7].x = 1.1;
    abut_shape *shape = NULL;
    abut_polytope_report report;
    assert_status(create(&d, 0.0, &report, &shape), ABUT_ERROR_NOT_CONVEX);
    assert_true(report.dent > 0.04 && report.dent < 0.1);
    assert_in_range(report.face, 0, 5);
    draft_free(&d);
}

/* These surfaces are closed, with all vertices on the hull, and still they are not polytopes: faces that go round twice, and surfaces in several pieces. */
static void surfaces_that_cover_more_than_once(void **state) {
    (void)state;
    /* A cube inside another cube. The difference in size is below any tolerance. */
    draft one = draft_box(), two = {.vertex_count = 16, .face_count = 12, .corner_count = 48};
    two.vertices = check_memory(16, sizeof *two.vertices);
    two.sizes = check_memory(12, sizeof *two.sizes);
    two.corners = check_memory(48, sizeof *two.corners);
    for (int i = 0; i < 48; i++) {
        two.corners[i] = one.corners[i % 24] + (i < 24 ? 0 : 8);
        two.sizes[i / 4] = 4;
        two.vertices[i / 3] = abut_scale(i < 24 ? 1.0 : 1.0 - 1e-13, one.vertices[i / 3 % 8]);
    }
    abut_shape *shape = NULL;
    abut_polytope_report report;
    assert_status(create(&two, 0.0, &report, &shape), ABUT_ERROR_NOT_CONVEX);
    assert_true(report.dent < 1e-12);
    /* The same cube twice at the same place: four faces at every edge. */
    for (int i = 8; i < 16; i++) {
        two.vertices[i] = one.vertices[i - 8];
    }
    assert_status(create(&two, 0.0, &report, &shape), ABUT_ERROR_NOT_CLOSED);
    /* Two cubes side by side. */
    for (int i = 8; i < 16; i++) {
        two.vertices[i].x += 5.0;
    }
    assert_status(create(&two, 0.0, &report, &shape), ABUT_ERROR_NOT_CONVEX);
    assert_near(report.dent, ABUT_TEST_HAS_HULL ? 1.0 : 5.0, 1e-12);
    draft_free(&one);
    draft_free(&two);
    /* Pyramids over a square whose loop goes round twice: the apexes and the base are the only faces, and all lie on the hull. */
    abut_vec3 v[10];
    int32_t sizes[16], corners[48];
    for (int i = 0; i < 8; i++) {
        v[i] = abut_vec3_make(cos(0.5 * PI * i), sin(0.5 * PI * i), 1e-14 * i);
        const int32_t pair[6] = {i, (i + 1) % 8, 8, (i + 1) % 8, i, 9};
        memcpy(corners + 6 * i, pair, sizeof pair);
        sizes[2 * i] = sizes[2 * i + 1] = 3;
    }
    v[8] = abut_vec3_make(0, 0, 1);
    v[9] = abut_vec3_make(0, 0, -1);
    draft spiral = {10, 16, 48, v, sizes, corners};
    assert_status(create(&spiral, 0.0, &report, &shape), ABUT_ERROR_NOT_CONVEX);
    assert_null(shape);
}

static void vertices_without_faces_are_left_out(void **state) {
    (void)state;
    draft d = draft_box();
    d.vertices = realloc(d.vertices, 10 * sizeof *d.vertices);
    memmove(d.vertices + 1, d.vertices, 8 * sizeof *d.vertices);
    d.vertices[0] = abut_vec3_make(1e9, 0, 0);
    d.vertices[9] = abut_vec3_make(0, -1e9, 0);
    d.vertex_count = 10;
    for (int32_t c = 0; c < d.corner_count; c++) {
        d.corners[c]++;
    }
    abut_shape *shape = create_ok(&d, 0.0);
    assert_int_equal(shape->surface.vertex_count, 8);
    assert_near(shape->size, 2.0, 0.0);
    assert_memory_equal(shape->surface.vertices, d.vertices + 1, 8 * sizeof *d.vertices);
    abut_shape_release(shape);
    draft_free(&d);
}

static void out_of_memory(void **state) {
    (void)state;
    for (int bad = 0; bad < 2; bad++) {
        draft d = draft_pushed_cube(bad ? -0.1 : 1e-12);
        counting_allocator memory;
        int64_t refused = 0;
        do {
            memory = (counting_allocator){.refuse_at = refused++};
            counting_allocator_install(&memory);
            abut_shape *shape = NULL;
            abut_status status = create(&d, 0.0, NULL, &shape);
            bool made = shape != NULL;
            abut_shape_release(shape);
            counting_allocator_remove();
            assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : bad ? ABUT_ERROR_NOT_CONVEX : ABUT_OK);
            assert_int_equal(made, status == ABUT_OK);
            assert_int_equal(memory.live, 0);
        } while (memory.refused);
        assert_true(refused > 10);
        draft_free(&d);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faces_and_vertices_keep_their_order),
        cmocka_unit_test(triangulated_prisms),
        cmocka_unit_test(fine_facets_stay),
        cmocka_unit_test(grids_become_boxes),
        cmocka_unit_test(triangle_soup),
        cmocka_unit_test(tiny_edges_close),
        cmocka_unit_test(arguments_out_of_range),
        cmocka_unit_test(surfaces_that_are_not_closed),
        cmocka_unit_test(faces_wound_inward),
        cmocka_unit_test(surfaces_without_volume),
        cmocka_unit_test(a_notch_and_its_dent),
        cmocka_unit_test(dents_and_tolerances),
        cmocka_unit_test(a_face_that_is_not_planar),
        cmocka_unit_test(surfaces_that_cover_more_than_once),
        cmocka_unit_test(vertices_without_faces_are_left_out),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
