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
    static const int32_t corners[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14,
                                      15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29};
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

/* ---- a solid in an open box ---- */

/* A box without one face: face 2 i is that at -half along axis i, and 2 i + 1 that at the other end. Two-sided, and turned outwards or inwards. */
static abut_shape *open_box(abut_vec3 half, int without, bool inwards) {
    abut_vec3 vertex[30];
    int32_t made = 0;
    for (int face = 0; face < 6; face++) {
        const int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
        const bool turned = (face % 2 == 0) != inwards;
        for (int k = 0; k < 6 && face != without; k++) {
            static const int around[2][6] = {{0, 1, 2, 0, 2, 3}, {0, 2, 1, 0, 3, 2}};
            const int at = around[turned ? 1 : 0][k];
            double place[3];
            place[axis] = face % 2 == 1 ? 1.0 : -1.0;
            place[u] = at == 1 || at == 2 ? 1.0 : -1.0;
            place[v] = at >= 2 ? 1.0 : -1.0;
            vertex[made++] = abut_vec3_make(half.x * place[0], half.y * place[1], half.z * place[2]);
        }
    }
    return mesh_of(vertex, made, true);
}

static double extent(const abut_vec3 side[3], abut_vec3 along) {
    return fabs(abut_dot(side[0], along)) + fabs(abut_dot(side[1], along)) + fabs(abut_dot(side[2], along));
}

static abut_vec3 axis_of(int axis, double length) {
    return abut_vec3_make(axis == 0 ? length : 0, axis == 1 ? length : 0, axis == 2 ? length : 0);
}

/* A solid box stands on a wall of an open one, from outside, and has sunk in. */
typedef struct sunk_box {
    abut_vec3 half, own; /* half widths of the open box and of the solid */
    abut_pose pose;      /* of the solid, in the frame of the open box */
    int face, without;
    abut_vec3 outwards; /* of the wall */
    double depth;
} sunk_box;

static sunk_box random_sunk_box(random_state *random) {
    sunk_box made = {
        .half = random_vec3(random, 0.3, 1.0), .own = random_vec3(random, 0.1, 1.5), .depth = random_log_range(random, 1e-4, 0.1)};
    made.face = random_below(random, 6);
    do {
        made.without = random_below(random, 6);
    } while (made.without == made.face);
    made.outwards = axis_of(made.face / 2, made.face % 2 == 1 ? 1.0 : -1.0);
    made.pose.rotation =
        random_below(random, 2) == 0 ? abut_quat_about(made.outwards, random_range(random, -3.0, 3.0)) : random_rotation(random);
    made.pose.position = random_vec3(random, -1.2, 1.2);
    return made;
}

/* Puts the solid at its depth. False if the way back out of that wall is not the shortest one of the two boxes as solids by far, or the solid reaches the open
 * face. */
static bool put_on_wall(sunk_box *of) {
    const abut_vec3 wide[3] = {axis_of(0, of->half.x), axis_of(1, of->half.y), axis_of(2, of->half.z)};
    abut_vec3 own[3], open = axis_of(of->without / 2, of->without % 2 == 1 ? 1.0 : -1.0), n = of->outwards;
    for (int i = 0; i < 3; i++) {
        own[i] = abut_quat_rotate(of->pose.rotation, axis_of(i, (&of->own.x)[i]));
    }
    abut_vec3 *at = &of->pose.position;
    *at = abut_add_scaled(*at, extent(wide, n) + extent(own, n) - of->depth - abut_dot(*at, n), n);
    for (int k = 0; k < 15; k++) {
        abut_vec3 axis = k < 3 ? own[k] : k < 6 ? wide[k - 3] : abut_cross(own[(k - 6) / 3], wide[(k - 6) % 3]);
        double length = abut_length(axis);
        axis = length > 1e-6 ? abut_scale(1.0 / length, axis) : n;
        double depth = extent(own, axis) + extent(wide, axis) - fabs(abut_dot(*at, axis));
        if (depth < 1.2 * of->depth + 0.01 && fabs(abut_dot(axis, n)) < 1.0 - 1e-9) {
            return false;
        }
    }
    return of->without / 2 == of->face / 2 || abut_dot(open, *at) + extent(own, open) < extent(wide, open) - 0.01;
}

/* The walls beside have two sides, and corners of the solid are behind them. Depths of whole bodies were told, in 1 of 4 pairs. */
static void solid_in_an_open_box(void **state) {
    (void)state;
    random_state random = random_make(random_seed("solid_in_an_open_box", 1));
    const int32_t samples = random_samples("solid_in_an_open_box", 2000);
    for (int32_t sample = 0; sample < samples;) {
        sunk_box of = random_sunk_box(&random);
        if (!put_on_wall(&of)) {
            continue;
        }
        abut_shape *solid_box = NULL, *box = open_box(of.half, of.without, sample % 2 == 1);
        assert_ok(abut_shape_create_box(of.own, &solid_box));
        abut_shape *solid = meshes_surface_of(solid_box, 1);
        abut_pose whole = random_below(&random, 2) == 0 ? abut_pose_identity() : random_pose(&random, 1.0);
        abut_contact c[MESHES_ROOM];
        int32_t count = meshes_ask(solid, abut_pose_compose(whole, of.pose), box, whole, 0.0, sample / 2 % 2 == 1, c), deepest = 0;
        meshes_check_sound(c, count);
        assert_true(count > 0);
        for (int32_t i = 1; i < count; i++) {
            deepest = c[i].gap < c[deepest].gap ? i : deepest;
        }
        assert_near(c[deepest].gap, -of.depth, 1e-9);
        assert_vec3_near(c[deepest].normal, abut_quat_rotate(whole.rotation, of.outwards), 1e-9);
        abut_shape_release(solid_box);
        abut_shape_release(solid);
        abut_shape_release(box);
        sample++;
    }
}

/* A cube on a wall of an open cube, turned: the patch is an octagon, whichever way the triangles of the walls are turned. */
static void cube_on_an_open_cube(void **state) {
    (void)state;
    abut_shape *cube = NULL;
    assert_ok(abut_shape_create_box(abut_vec3_make(0.5, 0.5, 0.5), &cube));
    abut_shape *solid = meshes_surface_of(cube, 1);
    for (int i = 0; i < 8; i++) {
        abut_shape *box = open_box(abut_vec3_make(0.5, 0.5, 0.5), i / 2, i % 2 == 1); /* without a wall beside */
        abut_contact c[MESHES_ROOM];
        abut_pose pose = {{0, 0, 0.9375}, abut_quat_about(abut_vec3_make(0, 0, 1), 0.3)};
        int32_t count = meshes_ask(solid, pose, box, abut_pose_identity(), 0.0, i % 3 == 0, c);
        assert_int_equal(count, 8);
        for (int32_t k = 0; k < count; k++) {
            assert_near(c[k].gap, -0.0625, 1e-13);
            assert_vec3_near(c[k].normal, abut_vec3_make(0, 0, 1), 1e-13);
        }
        abut_shape_release(box);
    }
    abut_shape_release(cube);
    abut_shape_release(solid);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(standing),
                                       cmocka_unit_test(beside),
                                       cmocka_unit_test(from_behind),
                                       cmocka_unit_test(junctions),
                                       cmocka_unit_test(on_a_grid),
                                       cmocka_unit_test(refused_memory),
                                       cmocka_unit_test(held_segment),
                                       cmocka_unit_test(solid_in_an_open_box),
                                       cmocka_unit_test(cube_on_an_open_cube)};
    return cmocka_run_group_tests_name("narrow/mesh/open", tests, NULL, NULL);
}
