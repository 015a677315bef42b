/* Open meshes on open meshes and in solids: closed forms. Random ones beside exact rationals: test/accuracy/test_open_meshes.c. */
#include <abut/mesh.h>
#include <abut/query.h>

#include <float.h>
#include <math.h>

#include "support/allocator.h"
#include "support/check.h"
#include "support/meshes.h"
#include "support/shapes.h"

static abut_shape *mesh_of(const abut_vec3 *vertices, int32_t vertex_count, bool two_sided) {
    static const int32_t corners[] = {0, 1, 2, 3, 4, 5};
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = vertices;
    def.vertex_count = vertex_count;
    def.triangles = corners;
    def.triangle_count = vertex_count / 3;
    def.two_sided = two_sided;
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_trimesh(&def, NULL, &shape));
    return shape;
}

typedef struct answers {
    abut_contact contact[MESHES_ROOM];
    int32_t count;
    abut_separation separation;
    bool overlap;
} answers;

static void ask(const abut_shape *a, const abut_shape *b, abut_pose pose_b, double margin, answers *got) {
    const abut_pair pair = {a, abut_pose_identity(), b, pose_b};
    abut_collide_settings settings = abut_collide_settings_default();
    settings.margin = margin;
    assert_ok(abut_collide(&pair, &settings, NULL, got->contact, MESHES_ROOM, &got->count));
    assert_ok(abut_distance(&pair, NULL, NULL, &got->separation));
    assert_ok(abut_overlap(&pair, NULL, &got->overlap));
    assert_int_equal(got->overlap, got->separation.gap <= 0.0);
    meshes_check_sound(got->contact, got->count);
}

static const abut_vec3 flat[3] = {{-4, -4, 0}, {4, -4, 0}, {0, 4, 0}};
static const abut_vec3 upright[3] = {{-1, 0, 0}, {1, 0, 0}, {0, 0, 3}};

/* A triangle that stands over another, on it, and through it. */
static void standing(void **state) {
    (void)state;
    abut_shape *floor = mesh_of(flat, 3, true), *wall = mesh_of(upright, 3, true);
    const double heights[] = {0.5, 1e-12, 0.0, -1e-12, -0.25, -2.75};
    for (int i = 0; i < 6; i++) {
        double expected = heights[i] > -2.0 ? heights[i] : -0.25; /* the shorter way is then downward */
        answers got;
        ask(floor, wall, at(0, 0, heights[i]), 1.0, &got);
        assert_near(got.contact[0].gap, expected, 1e-15);
        assert_near(got.separation.gap, expected, 1e-15);
        assert_near(fabs(got.contact[0].normal.z), 1.0, 1e-15);
        assert_true((expected > 0.0) == (got.separation.gap > 0.0));
        ask(floor, wall, at(0, 0, heights[i]), 0.0, &got);
        assert_int_equal(got.count > 0, heights[i] <= 0.0);
    }
    abut_shape_release(floor);
    abut_shape_release(wall);
}

/* Beside the other one and higher than its plane: the plane alone says nothing. */
static void beside(void **state) {
    (void)state;
    abut_shape *floor = mesh_of(flat, 3, true), *wall = mesh_of(upright, 3, true);
    answers got;
    ask(floor, wall, at(0, 4.2, -1), 0.0, &got);
    assert_int_equal(got.count, 0);
    assert_near(got.separation.gap, 0.2, 1e-15);
    ask(wall, floor, at(0, -4.2, 1), 0.3, &got);
    assert_int_equal(got.count, 1);
    assert_near(got.contact[0].gap, 0.2, 1e-15);
    assert_vec3_near(got.contact[0].normal, abut_vec3_make(0, 1, 0), 1e-15);
    abut_shape_release(floor);
    abut_shape_release(wall);
}

/* A one-sided triangle that is crossed from behind makes no contact; its distance is the least number above 0. */
static void from_behind(void **state) {
    (void)state;
    abut_shape *floor = mesh_of(flat, 3, false), *wall = mesh_of(upright, 3, true);
    answers got;
    ask(floor, wall, at(0, 0, -0.25), 0.0, &got);
    assert_near(got.separation.gap, -0.25, 1e-15);
    assert_vec3_near(got.separation.normal, abut_vec3_make(0, 0, -1), 1e-15);
    ask(floor, wall, at(0, 0, -2.75), 0.0, &got);
    assert_int_equal(got.count, 0);
    assert_near(got.separation.gap, DBL_MIN, 0.0);
    abut_shape_release(floor);
    abut_shape_release(wall);
}

/* Corners that meet in the middle of a side, and a common side, touch without depth. */
static void junctions(void **state) {
    (void)state;
    const abut_vec3 small[6] = {{0, -4, 0}, {-1, -6, 0}, {1, -6, 0}, {0, -4, 0}, {1, -6, 0}, {2, -6, 1}};
    const abut_vec3 folded[3] = {{4, -4, 0}, {-4, -4, 0}, {0, -4, 5}};
    abut_shape *floor = mesh_of(flat, 3, true), *corner = mesh_of(small, 6, true), *fold = mesh_of(folded, 3, true);
    answers got;
    ask(floor, corner, abut_pose_identity(), 0.0, &got);
    assert_near(got.separation.gap, 0.0, 0.0);
    ask(floor, fold, abut_pose_identity(), 0.0, &got);
    assert_near(got.separation.gap, 0.0, 0.0);
    ask(floor, corner, at(0, -0x1p-50, 0), 0.0, &got);
    assert_int_equal(got.count, 0);
    assert_near(got.separation.gap, 0x1p-50, 0.0);
    abut_shape_release(floor);
    abut_shape_release(corner);
    abut_shape_release(fold);
}

/* The triangles of a height field are made on demand. */
static void on_a_grid(void **state) {
    (void)state;
    abut_shape *grid = meshes_grid(9, 1.0), *wall = mesh_of(upright, 3, true);
    for (int i = 0; i < 8; i++) {
        answers got;
        ask(grid, wall, at(1.0 + 0.9 * i, 4.3, -0.125), 0.0, &got);
        assert_near(got.separation.gap, -0.125, 1e-15);
        ask(grid, wall, at(1.0 + 0.9 * i, 4.3, 0.125), 0.2, &got);
        assert_near(got.contact[0].gap, 0.125, 1e-15);
    }
    abut_shape_release(grid);
    abut_shape_release(wall);
}

static void refused_memory(void **state) {
    (void)state;
    abut_shape *grid = meshes_grid(9, 0.25), *wall = mesh_of(upright, 3, true);
    abut_contact c[MESHES_ROOM];
    for (int apart = 0; apart < 2; apart++) {
        abut_collide_settings settings = abut_collide_settings_default();
        settings.margin = 0.2;
        counting_allocator memory = {.refuse_at = -1};
        int64_t refused = 0;
        do {
            memory = (counting_allocator){.refuse_at = refused++};
            counting_allocator_install(&memory);
            int32_t count = -1;
            const abut_pair pair = {grid, abut_pose_identity(), wall, at(1.1, 1.1, apart ? 0.125 : -0.125)};
            abut_status status = abut_collide(&pair, &settings, NULL, c, MESHES_ROOM, &count);
            counting_allocator_remove();
            assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
            assert_true(memory.refused || count > 0);
            assert_int_equal(memory.live, 0);
        } while (memory.refused);
        assert_true(refused > 3);
    }
    abut_shape_release(grid);
    abut_shape_release(wall);
}

/* A triangle that is a segment, inside a solid: it crosses nothing and has no face, and yet overlaps. Its deepest corner tells the way out. */
static void held_segment(void **state) {
    (void)state;
    static const abut_vec3 segment[3] = {{0.5, 0, 0}, {0.75, 0.125, 0}, {1, 0.25, 0}},
                           ends[4] = {{-4, -4, -4}, {4, -4, 4}, {-4, 4, 4}, {4, 4, -4}};
    static const int32_t corners[12] = {0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2};
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = ends;
    def.vertex_count = 4;
    def.triangles = corners;
    def.triangle_count = 4;
    abut_shape *solid = NULL, *thin = mesh_of(segment, 3, true);
    assert_ok(abut_shape_create_trimesh(&def, NULL, &solid));
    for (int order = 0; order < 2; order++) {
        for (int m = 0; m < 2; m++) {
            answers got;
            ask(order == 0 ? solid : thin, order == 0 ? thin : solid, at(0, 0, 0), 0.1 * m, &got);
            assert_true(got.overlap);
            assert_int_equal(got.count, 1);
            assert_near(got.contact[0].gap, -3.5 / sqrt(3.0), 1e-14);
        }
    }
    abut_shape_release(solid);
    abut_shape_release(thin);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(standing),    cmocka_unit_test(beside),    cmocka_unit_test(from_behind),
                                       cmocka_unit_test(junctions),   cmocka_unit_test(on_a_grid), cmocka_unit_test(refused_memory),
                                       cmocka_unit_test(held_segment)};
    return cmocka_run_group_tests_name("narrow/mesh/open", tests, NULL, NULL);
}
