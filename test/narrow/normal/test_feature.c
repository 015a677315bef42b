/*
 * Features by the Gauss map: which face, edge or vertex touches along a direction, and which normals a set of vertices spans.
 */

#include "support/check.h"
#include "support/solid.h"

#include "narrow/normal/feature.h"

static convex at_origin(const abut_shape *shape) { return convex_place(shape, abut_mat3_identity(), abut_vec3_make(0, 0, 0), 0); }

static const double degree = 0.017453292519943295;

static abut_vec3 leaning(double polar, double azimuth) {
    return abut_vec3_make(sin(polar) * cos(azimuth), sin(polar) * sin(azimuth), cos(polar));
}

static void features_of_a_cube(void **state) {
    (void)state;
    abut_shape *cube = NULL;
    assert_ok(abut_shape_create_box(abut_vec3_make(0.5, 0.5, 0.5), &cube));
    convex body = at_origin(cube);
    double theta = 2 * degree;
    abut_feature f = feature_pick(&body, leaning(1.99 * degree, 0.3), theta);
    assert_true(f.kind == ABUT_FEATURE_FACE && f.index == 5);
    f = feature_pick(&body, leaning(2.01 * degree, 0), theta); /* leans about y: over the edge between +z and +x */
    assert_int_equal(f.kind, ABUT_FEATURE_EDGE);
    abut_vec3 end[2];
    feature_edge(&body, f.index, end);
    assert_true(end[0].x == 0.5 && end[1].x == 0.5 && end[0].z == 0.5 && end[1].z == 0.5);
    f = feature_pick(&body, leaning(45 * degree, 1.99 * degree), theta);
    assert_int_equal(f.kind, ABUT_FEATURE_EDGE);
    f = feature_pick(&body, leaning(45 * degree, 10 * degree), theta);
    assert_true(f.kind == ABUT_FEATURE_VERTEX && f.index == 7);
    abut_shape_release(cube);
}

/* Next to a face the tolerance is reduced, so that the facets of a fine cylinder neither flicker nor merge. A direction half way between
 * two facets gets their edge, for any number of sides. */
static void facets_of_a_cylinder(void **state) {
    (void)state;
    static const int32_t sides[] = {8, 64, 360, 4096};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        abut_shape *cylinder = NULL;
        assert_ok(abut_shape_create_prism(1, 1, sides[i], &cylinder));
        convex body = at_origin(cylinder);
        double step = 360 * degree / sides[i];
        for (int32_t k = 0; k < sides[i]; k += 1 + sides[i] / 16) {
            abut_feature middle = feature_pick(&body, leaning(90 * degree, (k + 0.5) * step), 2 * degree);
            abut_feature corner = feature_pick(&body, leaning(90 * degree, k * step), 2 * degree);
            assert_int_equal(middle.kind, ABUT_FEATURE_FACE);
            assert_vec3_near(feature_face_normal(&body, middle.index), leaning(90 * degree, (k + 0.5) * step), 1e-9);
            assert_int_equal(corner.kind, ABUT_FEATURE_EDGE);
        }
        assert_int_equal(feature_pick(&body, leaning(1 * degree, 0.1), 2 * degree).kind, ABUT_FEATURE_FACE);
        abut_shape_release(cylinder);
    }
}

/* Points are named by where they lie, whatever vertex of theirs is extreme. Vertex 7 of a cube is its corner (+, +, +). */
static void features_that_hold_points(void **state) {
    (void)state;
    abut_shape *cube = NULL, *capsule = NULL;
    assert_ok(abut_shape_create_box(abut_vec3_make(0.5, 0.5, 0.5), &cube));
    assert_ok(abut_shape_create_capsule(0.1, 2.0, &capsule));
    const abut_vec3 away = {3.0, 4.0, 5.0};
    convex body = convex_place(cube, abut_mat3_identity(), away, 0), axis = convex_place(capsule, abut_mat3_identity(), away, 0);
    static const abut_vec3 places[] = {{0.5, 0.5, 0.5},  {-0.5, 0.5, 0.5}, {0.1, 0.5, 0.5},
                                       {-0.5, 0.2, 0.5}, {0.1, 0.2, 0.5},  {0.1, 0.2, 0.3}};
    static const abut_feature_kind kinds[] = {ABUT_FEATURE_VERTEX, ABUT_FEATURE_VERTEX, ABUT_FEATURE_EDGE,
                                              ABUT_FEATURE_EDGE,   ABUT_FEATURE_FACE,   ABUT_FEATURE_VERTEX};
    for (int i = 0; i < 6; i++) {
        abut_feature f = feature_holding(&body, 7, abut_add(away, places[i]));
        assert_int_equal(f.kind, kinds[i]);
        assert_true(f.kind != ABUT_FEATURE_VERTEX || f.index == (i == 1 ? 6 : 7));
        assert_true(f.kind != ABUT_FEATURE_FACE || f.index == 5);
        abut_vec3 end[2];
        feature_edge(&body, f.kind == ABUT_FEATURE_EDGE ? f.index : 0, end);
        abut_vec3 middle = abut_sub(abut_lerp(end[0], end[1], 0.5), away);
        assert_true(f.kind != ABUT_FEATURE_EDGE || (i == 2 ? middle.y == 0.5 && middle.z == 0.5 : middle.x == -0.5 && middle.z == 0.5));
    }
    for (int i = 0; i < 3; i++) {
        abut_feature f = feature_holding(&axis, 0, abut_add(away, abut_vec3_make(0.0, 0.0, 2.0 * (i - 1))));
        assert_int_equal(f.kind, i == 1 ? ABUT_FEATURE_EDGE : ABUT_FEATURE_VERTEX);
        assert_int_equal(f.index, i / 2);
    }
    abut_shape_release(cube);
    abut_shape_release(capsule);
}

static void features_of_vertices(void **state) {
    (void)state;
    abut_shape *cube = NULL, *capsule = NULL;
    assert_ok(abut_shape_create_box(abut_vec3_make(0.5, 0.5, 0.5), &cube));
    assert_ok(abut_shape_create_capsule(0.1, 1, &capsule));
    convex body = at_origin(cube), round = at_origin(capsule);
    static const struct {
        int32_t vertices[3], count;
        abut_feature_kind kind;
    } cases[] = {
        {{3, 3, 3}, 3, ABUT_FEATURE_VERTEX},   {{0, 1, 0}, 3, ABUT_FEATURE_EDGE},    {{0, 3, 0}, 2, ABUT_FEATURE_FACE},
        {{0, 1, 2}, 3, ABUT_FEATURE_FACE},     {{0, 7, 0}, 2, ABUT_FEATURE_NONE},    {{0, 3, 5}, 3, ABUT_FEATURE_NONE},
        {{-1, 4, -1}, 3, ABUT_FEATURE_VERTEX}, {{-1, -1, -1}, 3, ABUT_FEATURE_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(feature_of_vertices(&body, cases[i].vertices, cases[i].count).kind, cases[i].kind);
    }
    static const int32_t both[2] = {0, 1};
    assert_int_equal(feature_of_vertices(&round, both, 2).kind, ABUT_FEATURE_EDGE);
    assert_true(feature_pick(&round, leaning(91 * degree, 0), 2 * degree).kind == ABUT_FEATURE_EDGE);
    abut_feature end = feature_of_shape(&round, feature_pick(&round, leaning(93 * degree, 0), 2 * degree));
    assert_true(end.kind == ABUT_FEATURE_SMOOTH && end.index == 0);
    abut_shape_release(cube);
    abut_shape_release(capsule);
}

/* The cell of every vertex contains the directions in which the vertex is the support point, and clipping a cell by its opposite leaves
 * nothing. */
static void cells_of_a_hull(void **state) {
    (void)state;
    random_state random = random_make(random_seed("cells_of_a_hull", 151));
    solid cloud = solid_cloud(&random, 40, abut_vec3_make(1, 0.7, 0.5));
    abut_shape *hull = solid_shape(&cloud);
    convex body = at_origin(hull);
    abut_vec3 corners[64];
    for (int32_t v = 0; v < body.surface->vertex_count; v++) {
        abut_feature vertex = {.kind = ABUT_FEATURE_VERTEX, .index = v};
        gauss_cell cell = {.corners = corners, .capacity = 64};
        assert_true(feature_cell_size(&body, vertex) < 60);
        feature_cell(&body, vertex, &cell);
        abut_vec3 middle = gauss_cell_mean(&cell), point;
        assert_int_equal(convex_support(&body, middle, &point), v);
        int32_t count = cell.count;
        feature_clip_cell(&body, vertex, false, 1e-9, &cell);
        assert_int_equal(cell.count, count);
        feature_clip_cell(&body, vertex, true, 1e-9, &cell);
        assert_int_equal(cell.count, 0);
    }
    abut_shape_release(hull);
    solid_free(&cloud);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(features_of_a_cube), cmocka_unit_test(facets_of_a_cylinder),
                                       cmocka_unit_test(features_that_hold_points), cmocka_unit_test(features_of_vertices),
                                       cmocka_unit_test(cells_of_a_hull)};
    return cmocka_run_group_tests_name("narrow/normal/feature", tests, NULL, NULL);
}
