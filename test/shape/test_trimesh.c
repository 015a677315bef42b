/* Meshes: what is accepted and reported; mass against closed forms; searches against a test of every triangle; height fields against the same triangles as a
 * mesh. */
#include <abut/mesh.h>

#include <stdlib.h>

#include "support/allocator.h"
#include "support/check.h"

#include "shape/bounds.h"
#include "shape/shape.h"
#include "shape/trimesh.h"

static const int32_t cube_triangles[] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                         2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

static void cube_vertices(abut_vec3 half, abut_vec3 out[8]) {
    for (int i = 0; i < 8; i++) {
        out[i] = abut_vec3_make(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
    }
}

static abut_trimesh_def define(const abut_vec3 *vertices, int32_t vertex_count, const int32_t *triangles, int32_t triangle_count) {
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = vertices;
    def.vertex_count = vertex_count;
    def.triangles = triangles;
    def.triangle_count = triangle_count;
    return def;
}

static void cube_has_the_mass_of_a_box(void **state) {
    (void)state;
    abut_vec3 half = {0.5, 0.3, 0.2}, vertices[8];
    cube_vertices(half, vertices);
    static const abut_vec3 scales[] = {{1, 1, 1}, {-1, 1, 1}, {2, -0.5, -3}, {1e-3, 1e-3, 1e-3}, {-1e3, -1e3, -1e3}};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        abut_vec3 s = scales[i];
        abut_trimesh_def def = define(vertices, 8, cube_triangles, 12);
        def.scale = s;
        def.pose.position = abut_scale(fabs(s.x), abut_vec3_make(7, -2, 3));
        abut_trimesh_report report;
        abut_shape *mesh = NULL, *box = NULL;
        assert_ok(abut_shape_create_trimesh(&def, &report, &mesh));
        assert_ok(abut_shape_create_box(abut_vec3_make(fabs(s.x) * half.x, fabs(s.y) * half.y, fabs(s.z) * half.z), &box));
        assert_true(report.closed);
        assert_int_equal(report.open_edge_count, 0);
        assert_int_equal(report.degenerate_count, 0);
        assert_int_equal(report.first_open, -1);
        abut_mass of_mesh, of_box;
        assert_ok(abut_shape_mass(mesh, 2.5, &of_mesh));
        assert_ok(abut_shape_mass(box, 2.5, &of_box));
        assert_near(of_mesh.mass, of_box.mass, 1e-13 * of_box.mass);
        assert_vec3_near(of_mesh.centre, def.pose.position, 1e-13 * abut_length(def.pose.position));
        assert_near(of_mesh.inertia.x.x, of_box.inertia.x.x, 1e-12 * of_box.inertia.x.x);
        assert_near(of_mesh.inertia.z.z, of_box.inertia.z.z, 1e-12 * of_box.inertia.z.z);
        assert_near(of_mesh.inertia.x.y, 0.0, 1e-12 * of_box.inertia.x.x);
        abut_shape_release(mesh);
        abut_shape_release(box);
    }
}

static void what_is_refused(void **state) {
    (void)state;
    abut_vec3 vertices[8], broken[8];
    cube_vertices(abut_vec3_make(1, 1, 1), vertices);
    cube_vertices(abut_vec3_make(1, 1, 1), broken);
    broken[5].y = NAN;
    int32_t bad_index[36];
    for (int i = 0; i < 36; i++) {
        bad_index[i] = cube_triangles[i];
    }
    bad_index[7] = 8;
    const abut_trimesh_def fine = define(vertices, 8, cube_triangles, 12);
    abut_trimesh_def def;
    abut_trimesh_report report;
    abut_shape *const untouched = (abut_shape *)&report, *shape = untouched;
#define REFUSED(status)                                                      \
    assert_status(abut_shape_create_trimesh(&def, &report, &shape), status); \
    assert_ptr_equal(shape, untouched)
    def = fine, def.vertices = NULL;
    REFUSED(ABUT_ERROR_INVALID_ARGUMENT);
    def = fine, def.triangle_count = 0;
    REFUSED(ABUT_ERROR_INVALID_ARGUMENT);
    def = fine, def.triangles = bad_index;
    REFUSED(ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(report.culprit, 7);
    def = fine, def.vertices = broken;
    REFUSED(ABUT_ERROR_NOT_FINITE);
    assert_int_equal(report.culprit, 5);
    def = fine, def.scale.y = 0.0;
    REFUSED(ABUT_ERROR_INVALID_ARGUMENT);
    def = fine, def.scale.z = INFINITY;
    REFUSED(ABUT_ERROR_NOT_FINITE);
    def = fine, def.pose.rotation.w = 2.0;
    REFUSED(ABUT_ERROR_INVALID_ARGUMENT);
    def = fine, def.pose.position.x = NAN;
    REFUSED(ABUT_ERROR_NOT_FINITE);
    const abut_vec3 one_place[3] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
    def = define(one_place, 3, (const int32_t[]){0, 1, 2}, 1);
    REFUSED(ABUT_ERROR_DEGENERATE);
    def = fine, def.scale = abut_vec3_make(1e60, 1, 1);
    REFUSED(ABUT_ERROR_INVALID_ARGUMENT);
    def = fine, def.scale = abut_vec3_make(1e300, 1e300, 1e300), def.pose.position.x = 1e308;
    REFUSED(ABUT_ERROR_INVALID_ARGUMENT);
#undef REFUSED
    assert_status(abut_shape_create_trimesh(NULL, NULL, &shape), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_trimesh(&fine, NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
}

/* An open cube with a repeated vertex, a needle, a point-like triangle, and a triangle that lies on another one. */
static void what_is_reported(void **state) {
    (void)state;
    abut_vec3 vertices[11];
    cube_vertices(abut_vec3_make(1, 1, 1), vertices);
    vertices[8] = vertices[3];
    vertices[8].x += 0.0;
    vertices[9] = abut_vec3_make(-1, 0, -1);
    vertices[10] = abut_vec3_make(5, 5, 5); /* of no triangle */
    int32_t triangles[3 * 14];
    for (int i = 0; i < 36; i++) {
        triangles[i] = cube_triangles[i] == 3 && i > 20 ? 8 : cube_triangles[i];
    }
    const int32_t more[] = {0, 9, 2, 4, 4, 4};
    for (int i = 0; i < 6; i++) {
        triangles[36 + i] = more[i];
    }
    abut_trimesh_report report;
    abut_shape *shape = NULL;
    abut_trimesh_def def = define(vertices, 11, triangles, 12);
    assert_ok(abut_shape_create_trimesh(&def, &report, &shape));
    assert_true(report.closed);
    assert_int_equal(report.repeated_count, 1);
    abut_aabb bounds = abut_shape_bounds(shape, abut_pose_identity());
    assert_vec3_near(bounds.upper, abut_vec3_make(1, 1, 1), 0.0);
    abut_shape_release(shape);
    def.triangle_count = 14;
    assert_ok(abut_shape_create_trimesh(&def, &report, &shape));
    assert_false(report.closed);
    assert_int_equal(report.degenerate_count, 2);
    assert_int_equal(report.first_degenerate, 12);
    /* The side 0-2 now has three triangles. Those of 0-9 and 9-2 have no partner, and neither have the three of the point-like triangle. */
    assert_int_equal(report.open_edge_count, 3 + 2 + 3);
    abut_mass mass;
    assert_status(abut_shape_mass(shape, 1.0, &mass), ABUT_ERROR_NOT_CLOSED);
    abut_shape_release(shape);
    def.triangle_count = 11;
    assert_ok(abut_shape_create_trimesh(&def, &report, &shape));
    assert_int_equal(report.open_edge_count, 3);
    abut_shape_release(shape);
}

/* ---- searches ---- */

typedef struct field {
    abut_shape *grid, *stored;
    double *heights;
    int32_t columns, rows;
} field;

static field make_field(random_state *random, int32_t columns, int32_t rows, double size) {
    field f = {.columns = columns, .rows = rows, .heights = check_memory((size_t)(columns * rows), sizeof(double))};
    double dx = size * random_range(random, 0.5, 1.5), dy = size * random_range(random, 0.5, 1.5);
    abut_vec3 *vertices = check_memory((size_t)(columns * rows), sizeof *vertices);
    for (int32_t i = 0; i < columns * rows; i++) {
        f.heights[i] = size * random_range(random, -1, 1);
        vertices[i] = abut_vec3_make(dx * (i % columns), dy * (i / columns), f.heights[i]);
    }
    abut_heightfield_def def = {.heights = f.heights, .columns = columns, .rows = rows, .spacing_x = dx, .spacing_y = dy};
    assert_ok(abut_shape_create_heightfield(&def, &f.grid));
    int32_t count = abut_shape_triangle_count(f.grid);
    assert_int_equal(count, 2 * (columns - 1) * (rows - 1));
    int32_t *triangles = check_memory((size_t)count, 3 * sizeof *triangles);
    for (int32_t i = 0; i < count; i++) {
        abut_triangle triangle;
        assert_ok(abut_shape_triangle(f.grid, i, &triangle));
        for (int k = 0; k < 3; k++) {
            triangles[3 * i + k] = triangle.vertex[k];
        }
    }
    abut_trimesh_def stored = define(vertices, columns * rows, triangles, count);
    assert_ok(abut_shape_create_trimesh(&stored, NULL, &f.stored));
    free(vertices);
    free(triangles);
    return f;
}

static void free_field(field *f) {
    abut_shape_release(f->grid);
    abut_shape_release(f->stored);
    free(f->heights);
}

/* Cells are cut from the lowest corner to the highest, and face up. */
static void grid_makes_the_triangles_it_says(void **state) {
    (void)state;
    const double heights[6] = {0, 1, 2, 3, 4, 5};
    abut_heightfield_def def = {.heights = heights, .columns = 3, .rows = 2, .spacing_x = 2.0, .spacing_y = 3.0};
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_heightfield(&def, &shape));
    static const int32_t expected[4][3] = {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}};
    for (int32_t i = 0; i < 4; i++) {
        abut_triangle t;
        assert_ok(abut_shape_triangle(shape, i, &t));
        for (int k = 0; k < 3; k++) {
            int32_t v = expected[i][k];
            assert_int_equal(t.vertex[k], v);
            assert_vec3_near(t.corner[k], abut_vec3_make(2.0 * (v % 3), 3.0 * (v / 3), heights[v]), 0.0);
        }
        assert_true(abut_cross(abut_sub(t.corner[1], t.corner[0]), abut_sub(t.corner[2], t.corner[0])).z > 0.0);
    }
    abut_triangle t;
    assert_status(abut_shape_triangle(shape, 4, &t), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_shape_vertex_count(shape), 6);
    abut_shape_release(shape);
    def.columns = 1;
    assert_status(abut_shape_create_heightfield(&def, &shape), ABUT_ERROR_INVALID_ARGUMENT);
    def.columns = 3;
    def.spacing_y = 0.0;
    assert_status(abut_shape_create_heightfield(&def, &shape), ABUT_ERROR_INVALID_ARGUMENT);
    def.spacing_y = NAN;
    assert_status(abut_shape_create_heightfield(&def, &shape), ABUT_ERROR_NOT_FINITE);
    const double holes[6] = {0, 1, NAN, 3, 4, 5};
    def.spacing_y = 1.0;
    def.heights = holes;
    assert_status(abut_shape_create_heightfield(&def, &shape), ABUT_ERROR_NOT_FINITE);
}

static bool note(void *context, int32_t index, const abut_triangle *triangle) {
    (void)triangle;
    uint8_t *found = context;
    assert_int_equal(found[index]++, 0);
    return true;
}

static abut_aabb bounds_of(const abut_triangle *t) { return bounds_of_points(t->corner, 3); }

static bool touch(abut_aabb p, abut_aabb q) {
    return p.lower.x <= q.upper.x && q.lower.x <= p.upper.x && p.lower.y <= q.upper.y && q.lower.y <= p.upper.y && p.lower.z <= q.upper.z &&
           q.lower.z <= p.upper.z;
}

static void check_box(const abut_shape *shape, abut_aabb box) {
    int32_t count = abut_shape_triangle_count(shape);
    uint8_t *found = check_memory((size_t)count, 1);
    assert_true(trimesh_in_box(shape->mesh, box, note, found));
    for (int32_t i = 0; i < count; i++) {
        abut_triangle t;
        assert_ok(abut_shape_triangle(shape, i, &t));
        assert_int_equal(found[i], touch(bounds_of(&t), box));
    }
    free(found);
}

typedef struct nearest_corner {
    abut_vec3 point;
    double least;
} nearest_corner;

static void approach_corner(void *context, int32_t index, const abut_triangle *triangle, double *limit) {
    (void)index;
    nearest_corner *found = context;
    for (int k = 0; k < 3; k++) {
        found->least = fmin(found->least, abut_distance_between(found->point, triangle->corner[k]));
    }
    *limit = found->least;
}

static void check_nearest(const abut_shape *shape, abut_vec3 point) {
    nearest_corner found = {point, INFINITY};
    trimesh_near(shape->mesh, point, INFINITY, approach_corner, &found);
    double expected = INFINITY;
    for (int32_t v = 0; v < abut_shape_vertex_count(shape); v++) {
        expected = fmin(expected, abut_distance_between(point, trimesh_vertex(shape->mesh, v)));
    }
    assert_true(found.least == expected);
}

static void check_support(const abut_shape *shape, abut_vec3 direction) {
    abut_vec3 point;
    int32_t vertex, expected = 0;
    assert_ok(abut_shape_support(shape, direction, &point, &vertex));
    for (int32_t v = 1; v < abut_shape_vertex_count(shape); v++) {
        expected =
            abut_dot(direction, trimesh_vertex(shape->mesh, v)) > abut_dot(direction, trimesh_vertex(shape->mesh, expected)) ? v : expected;
    }
    assert_near(abut_dot(direction, point), abut_dot(direction, trimesh_vertex(shape->mesh, expected)),
                1e-15 * shape->size * abut_length(direction));
    assert_vec3_near(point, trimesh_vertex(shape->mesh, vertex), 0.0);
}

static void searches_find_what_is_there(void **state) {
    (void)state;
    random_state random = random_make(random_seed("searches_find_what_is_there", 402));
    static const int32_t sizes[][2] = {{2, 2}, {3, 9}, {5, 5}, {6, 30}, {41, 23}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int scale = -1; scale <= 1; scale++) {
            double size = pow(1e3, scale);
            field f = make_field(&random, sizes[i][0], sizes[i][1], size);
            for (int query = 0; query < 40; query++) {
                double reach = size * (sizes[i][0] + sizes[i][1]);
                abut_vec3 at = abut_vec3_make(random_range(&random, -1, 1) * reach, random_range(&random, -1, 1) * reach,
                                              random_range(&random, -2, 2) * size);
                abut_vec3 half = abut_scale(size * random_log_range(&random, 0.1, 30.0), abut_vec3_make(1, 1, 1));
                const abut_shape *both[2] = {f.grid, f.stored};
                for (int k = 0; k < 2; k++) {
                    check_box(both[k], (abut_aabb){abut_sub(at, half), abut_add(at, half)});
                    check_nearest(both[k], at);
                    check_support(both[k], random_direction(&random));
                    check_support(both[k], abut_vec3_make(0, 0, -1));
                }
                abut_pose pose = random_pose(&random, reach);
                abut_aabb p = abut_shape_bounds(f.grid, pose), q = abut_shape_bounds(f.stored, pose);
                assert_vec3_near(p.lower, q.lower, 1e-13 * reach);
                assert_vec3_near(p.upper, q.upper, 1e-13 * reach);
            }
            free_field(&f);
        }
    }
}

static void out_of_memory(void **state) {
    (void)state;
    abut_vec3 vertices[16];
    int32_t triangles[72];
    cube_vertices(abut_vec3_make(1, 1, 1), vertices);
    abut_trimesh_def def = define(vertices, 8, cube_triangles, 12);
    for (int i = 0; i < 8; i++) {
        vertices[8 + i] = abut_add(vertices[i], abut_vec3_make(3, 0, 0));
    }
    for (int i = 0; i < 72; i++) {
        triangles[i] = cube_triangles[i % 36] + 8 * (i / 36);
    }
    abut_trimesh_def two = define(vertices, 16, triangles, 24); /* not convex: it has balls inside */
    const double heights[9] = {0, 1, 0, 1, 0, 1, 0, 1, 0};
    abut_heightfield_def grid = {.heights = heights, .columns = 3, .rows = 3, .spacing_x = 1, .spacing_y = 1};
    for (int kind = 0; kind < 3; kind++) {
        abut_status status = ABUT_ERROR_OUT_OF_MEMORY;
        for (int64_t refused = 0; status == ABUT_ERROR_OUT_OF_MEMORY; refused++) {
            counting_allocator memory = {.refuse_at = refused};
            counting_allocator_install(&memory);
            abut_shape *shape = NULL;
            status =
                kind == 1 ? abut_shape_create_heightfield(&grid, &shape) : abut_shape_create_trimesh(kind == 0 ? &def : &two, NULL, &shape);
            assert_int_equal(shape != NULL, status == ABUT_OK);
            assert_true(shape == NULL || (shape->mesh->inside != NULL) == (kind == 2));
            abut_shape_release(shape);
            counting_allocator_remove();
            assert_int_equal(memory.live, 0);
            assert_true(refused < 100);
        }
        assert_ok(status);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cube_has_the_mass_of_a_box),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(what_is_reported),
        cmocka_unit_test(grid_makes_the_triangles_it_says),
        cmocka_unit_test(searches_find_what_is_there),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
