/*
 * Meshes on meshes: the surfaces of two solids give the contacts of the solids, however they are triangulated; and surfaces that are not
 * convex.
 */
#include <abut/mesh.h>
#include <abut/query.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/allocator.h"
#include "support/check.h"
#include "support/meshes.h"

static abut_pose pose_at(double x, double y, double z, double turn) {
    return (abut_pose){{x, y, z}, abut_quat_about(abut_vec3_make(0, 0, 1), turn)};
}

static double area_of(const abut_contact *c, int32_t count) {
    double area = 0.0;
    for (int32_t i = 0; i < count; i++) {
        area += c[i].area;
    }
    return area;
}

static abut_shape *box_surface(abut_vec3 half, int32_t cells) {
    abut_shape *box = NULL;
    assert_ok(abut_shape_create_box(half, &box));
    abut_shape *mesh = meshes_surface_of(box, cells);
    abut_shape_release(box);
    return mesh;
}

/* As T11 with the box as a mesh, its faces cut in several ways: the four corners of the base. */
static void box_surface_on_a_flat_grid(void **state) {
    (void)state;
    random_state random = random_make(random_seed("box_surface_on_a_flat_grid", 441));
    abut_shape *grid = meshes_grid(20, 0.25), *box[3];
    for (int i = 0; i < 3; i++) {
        box[i] = box_surface(abut_vec3_make(0.5, 0.4, 0.3), 2 * i + 1);
    }
    for (int sample = 0; sample < 90; sample++) {
        abut_pose pose =
            pose_at(random_range(&random, 1, 4), random_range(&random, 1, 4), 0.29, sample % 10 == 0 ? 0.0 : random_range(&random, 0, 7));
        if (sample % 7 == 0) {
            pose.position.x = round(4.0 * pose.position.x) / 4.0;
            pose.position.y = round(4.0 * pose.position.y) / 4.0;
        }
        abut_contact c[MESHES_ROOM];
        int32_t count = meshes_ask(box[sample % 3], pose, grid, abut_pose_identity(), 0.001, sample % 2, c);
        meshes_check_sound(c, count);
        assert_int_equal(count, 4);
        for (int k = 0; k < 4; k++) {
            assert_vec3_near(c[k].normal, abut_vec3_make(0, 0, 1), 1e-9);
            assert_near(c[k].gap, -0.01, 1e-9);
        }
        assert_near(area_of(c, count), 0.8, 1e-9);
    }
    for (int i = 0; i < 3; i++) {
        abut_shape_release(box[i]);
    }
    abut_shape_release(grid);
}

/* Two stacked cubes, the upper one turned by an eighth: an octagon, whose corners are where edges cross. */
static void turned_cubes(void **state) {
    (void)state;
    for (int cells = 1; cells <= 4; cells += 3) {
        for (int k = 0; k < 4; k++) {
            abut_shape *cube = box_surface(abut_vec3_make(0.5, 0.5, 0.5), cells);
            abut_pose pose = pose_at(0, 0, 0.99, 0.7853981633974483);
            abut_contact c[MESHES_ROOM];
            int32_t count = meshes_ask(cube, pose, cube, abut_pose_identity(), 0.0, k % 2, c);
            meshes_check_sound(c, count);
            assert_int_equal(count, 8);
            for (int32_t i = 0; i < count; i++) {
                assert_vec3_near(c[i].normal, abut_vec3_make(0, 0, 1), 1e-9);
                assert_near(c[i].gap, -0.01, 1e-9);
            }
            assert_near(area_of(c, count), 2.0 * (sqrt(2.0) - 1.0), 1e-9);
            abut_shape_release(cube);
        }
    }
}

/* One bar across another: four edges cross, and no vertex is inside. */
static void crossed_bars(void **state) {
    (void)state;
    for (int cells = 1; cells <= 3; cells += 2) {
        abut_shape *bar = box_surface(abut_vec3_make(1.0, 0.05, 0.05), cells);
        for (int k = 0; k < 2; k++) {
            abut_contact c[MESHES_ROOM];
            int32_t count = meshes_ask(bar, pose_at(0.11, 0.07, 0.08, 1.2), bar, abut_pose_identity(), 0.0, k, c);
            meshes_check_sound(c, count);
            assert_int_equal(count, 4);
            for (int32_t i = 0; i < count; i++) {
                assert_vec3_near(c[i].normal, abut_vec3_make(0, 0, 1), 1e-9);
                assert_near(c[i].gap, -0.02, 1e-9);
            }
            assert_near(area_of(c, count), 0.01 / sin(1.2), 1e-9);
        }
        abut_shape_release(bar);
    }
}

static void surfaces_of_solids(void **state) {
    (void)state;
    random_state random = random_make(random_seed("surfaces_of_solids", 442));
    int32_t n = random_samples("surfaces_of_solids", 1000);
    mesh_likeness to = {.worst = 1.0};
    for (int32_t sample = 0; sample < n; sample++) {
        abut_shape *solid_a = meshes_random_solid(&random, 0.5), *solid_b = meshes_random_solid(&random, 1.0);
        abut_shape *a = meshes_surface_of(solid_a, 1 + sample % 2), *b = meshes_surface_of(solid_b, 1 + sample / 2 % 2);
        abut_pose pose = meshes_put_into(&random, solid_a, solid_b, random_range(&random, 0.001, 0.02));
        abut_contact c[MESHES_ROOM];
        int32_t count = meshes_ask(a, pose, b, abut_pose_identity(), 0.0, sample % 2, c);
        meshes_compare(&to, solid_a, pose, solid_b, c, count);
        abut_shape_release(solid_a);
        abut_shape_release(solid_b);
        abut_shape_release(a);
        abut_shape_release(b);
    }
    print_message("%d of %d as the solids, %d as deep; the deepest contact at most %.2f times the least depth\n", (int)to.alike,
                  (int)to.samples, (int)to.same_depth, to.worst);
    assert_true(to.same_depth >= n - n / 100);
    assert_true(to.worst < 1.1);
}

/* ---- the same from elsewhere ---- */

static abut_shape *scaled_surface(const abut_shape *solid, double scale) {
    abut_polytope_view view;
    assert_ok(abut_shape_polytope(solid, &view));
    abut_vec3 *points = check_memory((size_t)view.vertex_count, sizeof *points);
    for (int32_t i = 0; i < view.vertex_count; i++) {
        points[i] = abut_scale(scale, view.vertices[i]);
    }
    abut_shape *larger = NULL;
    assert_ok(abut_shape_create_hull(points, view.vertex_count, &larger));
    abut_shape *mesh = meshes_surface_of(larger, 1);
    abut_shape_release(larger);
    free(points);
    return mesh;
}

static bool is_found(const abut_contact *c, int32_t count, abut_vec3 on_a, abut_vec3 on_b, abut_vec3 normal, double near) {
    for (int32_t i = 0; i < count; i++) {
        if (abut_distance_between(c[i].on_a, on_a) < near && abut_distance_between(c[i].on_b, on_b) < near &&
            abut_distance_between(c[i].normal, normal) < 1e-6) {
            return true;
        }
    }
    return false;
}

/* Every contact at the same place, moved with the bodies; lengths are scaled. */
static void check_moved(const abut_contact *was, int32_t was_count, const abut_contact *is, int32_t count, abut_pose moved, double scale,
                        double near) {
    assert_int_equal(count, was_count);
    for (int32_t i = 0; i < count; i++) {
        abut_vec3 on_a = abut_pose_apply(moved, abut_scale(scale, was[i].on_a)),
                  on_b = abut_pose_apply(moved, abut_scale(scale, was[i].on_b));
        assert_true(is_found(is, count, on_a, on_b, abut_quat_rotate(moved.rotation, was[i].normal), near));
    }
}

static abut_pose scaled_pose(abut_pose pose, double scale) { return (abut_pose){abut_scale(scale, pose.position), pose.rotation}; }

static bool is_clearly_in(const abut_contact *c, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        if (c[i].gap > -1e-5) {
            return false;
        }
    }
    return true;
}

/* Exchanged, rotated, 1e5 m away, and scaled by 1/1000 or 1000: the same contacts. If a depth is below the tolerance for one place, a
 * millionth of the size, rounding error decides which other features are named. */
static void surfaces_seen_from_elsewhere(void **state) {
    (void)state;
    random_state random = random_make(random_seed("surfaces_seen_from_elsewhere", 443));
    int32_t n = random_samples("surfaces_seen_from_elsewhere", 400), compared = 0;
    for (int32_t sample = 0; sample < n; sample++) {
        abut_shape *solid_a = meshes_random_solid(&random, 0.5), *solid_b = meshes_random_solid(&random, 1.0);
        abut_shape *a = scaled_surface(solid_a, 1.0), *b = scaled_surface(solid_b, 1.0);
        abut_pose pose = meshes_put_into(&random, solid_a, solid_b, random_range(&random, 0.001, 0.02)), origin = abut_pose_identity();
        abut_contact was[MESHES_ROOM], is[MESHES_ROOM];
        int32_t was_count = meshes_ask(a, pose, b, origin, 0.0, false, was), count;
        abut_pose turned = random_pose(&random, 1.0), far = {{1e5, -1e5, 7e4}, turned.rotation};
        double scale = sample % 2 ? 1e3 : 1e-3;
        abut_shape *scaled_a = scaled_surface(solid_a, scale), *scaled_b = scaled_surface(solid_b, scale);
        if (is_clearly_in(was, was_count)) {
            count = meshes_ask(a, pose, b, origin, 0.0, true, is);
            check_moved(was, was_count, is, count, origin, 1.0, 1e-9);
            count = meshes_ask(a, abut_pose_compose(turned, pose), b, turned, 0.0, false, is);
            check_moved(was, was_count, is, count, turned, 1.0, 1e-8);
            count = meshes_ask(a, abut_pose_compose(far, pose), b, far, 0.0, false, is);
            check_moved(was, was_count, is, count, far, 1.0, 1e-6);
            count = meshes_ask(scaled_a, scaled_pose(pose, scale), scaled_b, origin, 0.0, false, is);
            check_moved(was, was_count, is, count, origin, scale, 1e-8 * scale);
            compared++;
        }
        abut_shape *all[6] = {solid_a, solid_b, a, b, scaled_a, scaled_b};
        for (int i = 0; i < 6; i++) {
            abut_shape_release(all[i]);
        }
    }
    assert_true(compared > n - n / 20);
}

/* ---- surfaces that are not convex ---- */

/* The hulls of two links of a chain overlap, the links do not. Pulled tight they touch inside, where each is a saddle. No vertex, edge or
 * face of a saddle has a normal that both surfaces admit. So a way out is sought along the normals of the triangles; it is as long as the vertices are deep
 * (0.01). */
static void links_of_a_chain(void **state) {
    (void)state;
    abut_shape *link = meshes_ring(1.0, 0.2, 48, 24);
    abut_quat standing = abut_quat_about(abut_vec3_make(1, 0, 0), 1.5707963267948966);
    for (int k = 0; k < 2; k++) {
        abut_contact c[MESHES_ROOM];
        assert_int_equal(meshes_ask(link, (abut_pose){{1.0, 0, 0}, standing}, link, abut_pose_identity(), 0.0, k, c), 0);
        int32_t count = meshes_ask(link, (abut_pose){{1.61, 0, 0}, standing}, link, abut_pose_identity(), 0.0, k, c);
        meshes_check_sound(c, count);
        assert_true(count > 0);
        for (int32_t i = 0; i < count; i++) {
            assert_true(c[i].normal.x < -0.95);
            assert_near(c[i].gap, -0.01, 1e-12);
            assert_true(abut_distance_between(c[i].on_a, abut_vec3_make(0.8, 0, 0)) < 0.1);
        }
    }
    abut_shape_release(link);
}

/* A ring lying on a plate with any triangulation: all its lowest vertices, with upward normals, as one convex patch. */
static void ring_on_a_grid(void **state) {
    (void)state;
    abut_shape *ring = meshes_ring(1.0, 0.2, 16, 8), *grid = meshes_grid(13, 0.31);
    abut_contact c[MESHES_ROOM];
    int32_t count = meshes_ask(ring, pose_at(2.0, 2.1, 0.195, 0.1), grid, abut_pose_identity(), 0.0, false, c);
    meshes_check_sound(c, count);
    assert_int_equal(count, 16);
    for (int32_t i = 0; i < count; i++) {
        assert_vec3_near(c[i].normal, abut_vec3_make(0, 0, 1), 1e-9);
        assert_near(c[i].gap, -0.005, 1e-9);
        assert_int_equal(c[i].patch, 0);
    }
    assert_near(area_of(c, count), 8.0 * sin(6.283185307179586 / 16.0), 1e-9);
    abut_shape_release(ring);
    abut_shape_release(grid);
}

/* A block in a groove as wide as it is: the floor holds it, the walls touch and do not push it up. */
static void block_in_a_groove(void **state) {
    (void)state;
    const abut_vec3 v[8] = {{-2, -0.5, 0}, {2, -0.5, 0}, {2, 0.5, 0}, {-2, 0.5, 0}, {-2, -0.5, 1}, {2, -0.5, 1}, {2, 0.5, 1}, {-2, 0.5, 1}};
    const int32_t t[18] = {0, 1, 2, 0, 2, 3, 0, 4, 5, 0, 5, 1, 3, 2, 6, 3, 6, 7};
    abut_shape *groove = meshes_make(v, 8, t, 6), *block = box_surface(abut_vec3_make(0.6, 0.49, 0.3), 2);
    for (int k = 0; k < 2; k++) {
        abut_contact c[MESHES_ROOM];
        int32_t count = meshes_ask(block, pose_at(0.3, 0.0, 0.295, 0.0), groove, abut_pose_identity(), 0.02, k, c);
        meshes_check_sound(c, count);
        assert_int_equal(count, 12);
        for (int32_t i = 0; i < count; i++) {
            bool floor = fabs(c[i].normal.z) > 0.5;
            assert_near(fabs(floor ? c[i].normal.z : c[i].normal.y), 1.0, 1e-9);
            assert_near(c[i].gap, floor ? -0.005 : 0.01, 1e-9);
        }
    }
    abut_shape_release(groove);
    abut_shape_release(block);
}

/* ---- tiles, and what goes wrong ---- */

/* A plate cut into tiles that are separate meshes: the contacts of the whole plate, each with a tile that contains it. */
static void block_across_tiles(void **state) {
    (void)state;
    random_state random = random_make(random_seed("block_across_tiles", 444));
    abut_shape *whole = meshes_grid(8, 0.5), *tile = meshes_grid(4, 0.5), *block = box_surface(abut_vec3_make(0.5, 0.4, 0.3), 2);
    const abut_part tiles[4] = {
        {tile, pose_at(0, 0, 0, 0)}, {tile, pose_at(2, 0, 0, 0)}, {tile, pose_at(0, 2, 0, 0)}, {tile, pose_at(2, 2, 0, 0)}};
    for (int sample = 0; sample < 60; sample++) {
        abut_pose pose = pose_at(random_range(&random, 1.6, 2.4), random_range(&random, 1.6, 2.4), 0.29, random_range(&random, 0, 7));
        abut_contact one[MESHES_ROOM], several[MESHES_ROOM];
        int32_t count = meshes_ask(block, pose, whole, abut_pose_identity(), 0.0, false, one), found;
        assert_ok(abut_collide_meshes(block, pose, tiles, 4, NULL, several, MESHES_ROOM, &found));
        check_moved(one, count, several, found, abut_pose_identity(), 1.0, 1e-9);
    }
    abut_shape_release(whole);
    abut_shape_release(tile);
    abut_shape_release(block);
}

/* A sheet folded on itself has no outside, because the normals of its two layers cancel. A body on it still gets contacts. */
static void folded_sheets(void **state) {
    (void)state;
    const abut_vec3 corners[4] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    const int32_t layers[12] = {0, 1, 2, 0, 2, 3, 0, 2, 1, 0, 3, 2};
    for (int two_sided = 0; two_sided < 2; two_sided++) {
        abut_trimesh_def def = abut_trimesh_def_default();
        def.vertices = corners;
        def.vertex_count = 4;
        def.triangles = layers;
        def.triangle_count = 4;
        def.two_sided = two_sided == 1;
        abut_shape *sheet = NULL;
        assert_ok(abut_shape_create_trimesh(&def, NULL, &sheet));
        for (int i = 0; i < 4; i++) {
            abut_pose pose = abut_pose_identity();
            pose.position = abut_vec3_make(0.3 * (i % 2), 0.2 * (i / 2), 0);
            abut_contact contacts[MESHES_ROOM];
            int32_t count;
            assert_ok(abut_collide(&(abut_pair){sheet, pose, sheet, abut_pose_identity()}, NULL, NULL, contacts, MESHES_ROOM, &count));
            meshes_check_sound(contacts, count);
        }
        abut_shape_release(sheet);
    }
}

/* Refuses each request for memory in turn. */
static void refuse_each(const abut_pair *pair) {
    abut_contact c[MESHES_ROOM];
    counting_allocator memory = {.refuse_at = -1};
    int64_t refused = 0;
    do {
        memory = (counting_allocator){.refuse_at = refused++};
        counting_allocator_install(&memory);
        int32_t count = -1;
        abut_status status = abut_collide(pair, NULL, NULL, c, MESHES_ROOM, &count);
        counting_allocator_remove();
        assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
        assert_true(memory.refused || count > 0);
        assert_int_equal(memory.live, 0);
    } while (memory.refused);
    assert_true(refused > 3);
}

static void refused_memory(void **state) {
    (void)state;
    abut_shape *a = meshes_ring(1.0, 0.2, 8, 4);
    for (int deep = 0; deep < 2; deep++) { /* side by side; and surfaces through each other, no vertex of which is inside */
        abut_shape *b = deep ? box_surface(abut_vec3_make(2.0, 0.1, 0.1), 1) : meshes_ring(1.0, 0.2, 7, 5);
        abut_pose pose = deep ? pose_at(0.0, 0.0, 0.05, 0.0) : pose_at(2.3, 0.0, 0.01, 0.5);
        refuse_each(&(abut_pair){a, pose, b, abut_pose_identity()});
        abut_shape_release(b);
    }
    abut_shape_release(a);
}

#ifdef ABUT_TEST_HAS_HULL
/* How far a vertex would be below the ground when the body tilts about its lowest vertex by 0.1, or until another contact
 * touches: the most over many directions. */
static double most_below(random_state *random, const abut_vec3 *vertex, int32_t vertex_count, const abut_contact *contact, int32_t count) {
    abut_vec3 lowest = vertex[0];
    for (int32_t i = 1; i < vertex_count; i++) {
        lowest = vertex[i].z < lowest.z ? vertex[i] : lowest;
    }
    double most = 0.0;
    for (int sample = 0; sample < 100; sample++) {
        double angle = random_range(random, 0.0, 6.2831853), x = cos(angle), y = sin(angle), slope = 0.1;
        for (int32_t i = 0; i < count; i++) {
            double ahead = x * (contact[i].on_a.x - lowest.x) + y * (contact[i].on_a.y - lowest.y);
            slope = ahead > 0.02 ? fmin(slope, (contact[i].gap - lowest.z) / ahead) : slope;
        }
        for (int32_t i = 0; i < vertex_count; i++) {
            double ahead = x * (vertex[i].x - lowest.x) + y * (vertex[i].y - lowest.y);
            most = fmax(most, slope * ahead - (vertex[i].z - lowest.z));
        }
    }
    return most;
}

/* Below a ball of facets the vertices that touch first when it rolls are contacts, in whatever direction it rolls; not only those of the convex hull in the
 * ground. A few are missed where facets lean by more than the angle up to which features count. */
static void a_ball_of_facets_before_it_rolls(void **state) {
    (void)state;
    enum { MOST = 120 };
    random_state random = random_make(random_seed("a_ball_of_facets_before_it_rolls", 71));
    const abut_vec3 corner[4] = {{-9, -9, 0}, {9, -9, 0}, {9, 9, 0}, {-9, 9, 0}};
    const int32_t triangles[6] = {0, 1, 2, 0, 2, 3};
    abut_shape *ground = meshes_make(corner, 4, triangles, 2);
    int32_t missed = 0;
    for (int sample = 0; sample < 200; sample++) {
        int32_t vertex_count = 20 + random_below(&random, MOST - 20), count;
        abut_vec3 own[MOST], vertex[MOST];
        for (int32_t i = 0; i < vertex_count; i++) {
            own[i] = abut_scale(0.5, random_direction(&random));
        }
        abut_shape *ball = NULL;
        assert_ok(abut_shape_create_hull(own, vertex_count, &ball));
        abut_shape *mesh = meshes_surface_of(ball, 1);
        abut_pose pose = {{0, 0, 0}, random_rotation(&random)};
        pose.position.z = 1e-6 - abut_shape_bounds(ball, pose).lower.z;
        for (int32_t i = 0; i < vertex_count; i++) {
            vertex[i] = abut_pose_apply(pose, own[i]);
        }
        abut_collide_settings settings = abut_collide_settings_default();
        settings.margin = 0.04;
        settings.feature_angle = 0.4;
        abut_contact c[MESHES_ROOM];
        const abut_pair pair = {mesh, pose, ground, abut_pose_identity()};
        assert_ok(abut_collide(&pair, &settings, NULL, c, MESHES_ROOM, &count));
        meshes_check_sound(c, count);
        missed += most_below(&random, vertex, vertex_count, c, count) > 2e-3;
        abut_shape_release(ball);
        abut_shape_release(mesh);
    }
    print_message("%d of 200 balls have a vertex that touches first and is no contact\n", (int)missed);
    assert_true(missed <= 4);
    abut_shape_release(ground);
}
#endif

/* ---- a piece inside the other body ---- */

/* The surface of a solid with a pit in every face: its centre is half way to the origin. */
static abut_shape *pitted(const abut_shape *solid) {
    enum { ROOM = 64 };
    abut_polytope_view view;
    assert_ok(abut_shape_polytope(solid, &view));
    abut_vec3 point[ROOM];
    int32_t corner[3 * ROOM], points = view.vertex_count, triangles = 0;
    memcpy(point, view.vertices, (size_t)points * sizeof *point);
    for (int32_t f = 0; f < view.face_count; f++) {
        int32_t first = view.face_first[f], count = view.face_first[f + 1] - first;
        const int32_t *loop = view.face_vertices + first;
        abut_vec3 pit = {0, 0, 0};
        for (int32_t i = 0; i < count; i++) {
            pit = abut_add_scaled(pit, 0.5 / count, point[loop[i]]);
            corner[3 * triangles] = points;
            corner[3 * triangles + 1] = loop[i];
            corner[3 * triangles++ + 2] = loop[(i + 1) % count];
        }
        point[points++] = pit;
    }
    return meshes_make(point, points, corner, triangles);
}

/* Each body has two pieces. A small cube is inside a cube with pits, and no face of that leads it out. The other two pieces lie flush. The way out of the small
 * cube is along one of the axes. Its points were vertices that did not face each other. In most poses it was missing, because rounding errors give the flush
 * pieces a depth. */
static void piece_inside_beside_flush_blocks(void **state) {
    (void)state;
    random_state random = random_make(random_seed("piece_inside_beside_flush_blocks", 1));
    abut_shape *cube = NULL, *block = box_surface(abut_vec3_make(0.5, 0.5, 0.5), 1),
               *low = box_surface(abut_vec3_make(0.25, 0.25, 0.25), 1);
    assert_ok(abut_shape_create_box(abut_vec3_make(1, 1, 1), &cube));
    abut_shape *outer = pitted(cube), *inner = box_surface(abut_vec3_make(0.0625, 0.0625, 0.0625), 1);
    const abut_part of_a[2] = {{outer, pose_at(0, 0, 0, 0)}, {block, pose_at(-4, 0, 0, 0)}};
    const abut_part of_b[2] = {{inner, pose_at(0, 0, 0, 0)}, {low, pose_at(-3.25, 0.0625, 0, 0)}};
    abut_shape *a = meshes_joined(of_a, 2), *b = meshes_joined(of_b, 2);
    const int poses = 100;
    int witnesses = 0;
    for (int turn = 0; turn < poses; turn++) {
        abut_pose whole = random_pose(&random, 1.0);
        abut_contact c[MESHES_ROOM];
        int32_t count = meshes_ask(a, whole, b, whole, 0.0, turn % 2, c);
        meshes_check_sound(c, count);
        for (int32_t i = 0; i < count; i++) {
            assert_vec3_near(abut_sub(c[i].on_a, c[i].on_b), abut_scale(c[i].gap, c[i].normal), 1e-13);
            if ((c[i].flags & ABUT_CONTACT_WITNESS) != 0) {
                abut_vec3 n = abut_quat_rotate_inverse(whole.rotation, c[i].normal);
                assert_near(fabs(n.x) + fabs(n.y) + fabs(n.z), 1.0, 1e-13);
                assert_near(c[i].gap, -1.0625, 1e-13);
                witnesses++;
            } else {
                assert_near(c[i].gap, 0.0, 1e-13);
            }
        }
    }
    assert_int_equal(witnesses, poses);
    refuse_each(&(abut_pair){a, pose_at(0, 0, 0, 0.3), b, pose_at(0, 0, 0, 0.3)});
    abut_shape *all[7] = {cube, block, low, outer, inner, a, b};
    for (int i = 0; i < 7; i++) {
        abut_shape_release(all[i]);
    }
}

/* Two cubes are nearly one, and two others lie flush. Corners of the former are outside by little, and middles of faces are inside by more. Their triangles
 * cross, which once was a piece inside. Then depths of whole cubes were told. */
static void cubes_that_are_nearly_one(void **state) {
    (void)state;
    random_state random = random_make(random_seed("cubes_that_are_nearly_one", 1));
    abut_shape *cube = box_surface(abut_vec3_make(0.5, 0.5, 0.5), 1);
    const abut_part of_a[2] = {{cube, pose_at(0, 0, 0, 0)}, {cube, pose_at(4, 0, 0, 0)}};
    const abut_part of_b[2] = {{cube, pose_at(0.01, 0, 0, 0)}, {cube, pose_at(4, 1, 0, 0)}};
    abut_shape *a = meshes_joined(of_a, 2), *b = meshes_joined(of_b, 2);
    for (int turn = 0; turn < 100; turn++) {
        abut_pose whole = random_pose(&random, 1.0);
        abut_contact c[MESHES_ROOM];
        double deepest = 0.0;
        int32_t count = meshes_ask(a, whole, b, whole, 0.0, turn % 2, c);
        for (int32_t i = 0; i < count; i++) {
            deepest = fmin(deepest, c[i].gap);
        }
        assert_near(deepest, -0.99, 1e-13);
    }
    abut_shape_release(cube);
    abut_shape_release(a);
    abut_shape_release(b);
}

/* A cube with a hollow. A block overlaps one side of it and fills the hollow. The surface of the hollow is inside the block, but needs no way out: the depth is
 * that of the cube. */
static void block_around_a_hollow(void **state) {
    (void)state;
    random_state random = random_make(random_seed("block_around_a_hollow", 1));
    abut_shape *block = box_surface(abut_vec3_make(1, 1, 1), 1), *small = box_surface(abut_vec3_make(0.125, 0.25, 0.25), 1);
    abut_vec3 point[36];
    int32_t corner[36];
    for (int32_t i = 0; i < 12; i++) {
        abut_triangle t;
        assert_ok(abut_shape_triangle(small, i, &t));
        for (int k = 0; k < 3; k++) {
            point[3 * i + k] = t.corner[k];
            corner[3 * i + k] = 3 * i + 2 - k;
        }
    }
    abut_shape *hollow = meshes_make(point, 36, corner, 12);
    const abut_part parts[2] = {{block, pose_at(0, 0, 0, 0)}, {hollow, pose_at(0.75, 0, 0, 0)}};
    abut_shape *a = meshes_joined(parts, 2);
    for (int turn = 0; turn < 100; turn++) {
        abut_pose whole = random_pose(&random, 1.0), at = pose_at(1.5, 0.125, 0.0625, 0);
        abut_contact c[MESHES_ROOM];
        int32_t count = meshes_ask(a, whole, block, abut_pose_compose(whole, at), 0.0, turn % 2, c);
        assert_true(count > 0);
        for (int32_t i = 0; i < count; i++) {
            assert_near(c[i].gap, -0.5, 1e-13);
        }
    }
    abut_shape *all[4] = {block, small, hollow, a};
    for (int i = 0; i < 4; i++) {
        abut_shape_release(all[i]);
    }
}

/* The first pieces of two bodies: pairs of boxes along x, most of which lie flush, in any order. */
static void put_beside(random_state *random, const abut_shape *const block[2], int32_t pairs, abut_part *of_a, abut_part *of_b) {
    for (int32_t i = 0; i < pairs; i++) {
        const int32_t kind = random_below(random, 5), axis = random_below(random, 3);
        const abut_shape *upper = block[random_below(random, 2)];
        double half = upper == block[0] ? 0.5 : 0.25, by[3];
        for (int k = 0; k < 3; k++) {
            by[k] = 0.125 * (random_below(random, 5) - 2);
        }
        by[axis] = 0.5 + half;
        by[axis] += kind == 0 ? random_log_range(random, 1e-6, 1e-2) : kind == 1 ? -random_log_range(random, 1e-6, 1e-2) : 0.0;
        if (kind == 2) {
            by[(axis + 1) % 3] = by[(axis + 2) % 3] = 0.0;
        }
        of_a[i] = (abut_part){block[0], pose_at(4.0 * (i + 1), 0, 0, 0)};
        of_b[i] = (abut_part){upper, pose_at(4.0 * (i + 1) + by[0], by[1], by[2], 0)};
    }
}

/* The deepest gaps of the pieces of A, in the order of its parts: all but the last one have 12 triangles. */
static void deepest_of_pieces(const abut_contact *c, int32_t count, int32_t pieces, double *deepest) {
    for (int32_t i = 0; i < pieces; i++) {
        deepest[i] = INFINITY;
    }
    for (int32_t i = 0; i < count; i++) {
        const abut_feature feature = c[i].feature_a;
        int32_t triangle = feature.kind == ABUT_FEATURE_FACE ? feature.index : feature.index / 3; /* they share no numbers of vertices */
        int32_t piece = triangle / 12 < pieces ? triangle / 12 : pieces - 1;
        deepest[piece] = fmin(deepest[piece], c[i].gap);
    }
}

/* Other pieces lie flush, a little apart, or overlap a little. They are as deep as when the piece inside is moved out, and that piece has a contact of its own.
 * Flush faces once had depths of whole bodies beside such a piece, and the piece had no contact beside others that overlap. */
static void pieces_beside_one_inside(void **state) {
    (void)state;
    enum { MOST = 3 };
    random_state random = random_make(random_seed("pieces_beside_one_inside", 1));
    const int32_t samples = random_samples("pieces_beside_one_inside", 2000);
    abut_shape *cube = NULL, *outer[2],
               *block[2] = {box_surface(abut_vec3_make(0.5, 0.5, 0.5), 1), box_surface(abut_vec3_make(0.25, 0.25, 0.25), 1)};
    assert_ok(abut_shape_create_box(abut_vec3_make(1, 1, 1), &cube));
    outer[0] = pitted(cube);
    outer[1] = box_surface(abut_vec3_make(1, 1, 1), 1);
    for (int32_t sample = 0; sample < samples; sample++) {
        const int32_t pairs = 1 + random_below(&random, MOST);
        abut_part of_a[MOST + 1], of_b[MOST + 1];
        put_beside(&random, (const abut_shape *const *)block, pairs, of_a, of_b);
        abut_shape *solid = meshes_random_solid(&random, 0.1), *inner = meshes_surface_of(solid, 1);
        of_a[pairs] = (abut_part){outer[random_below(&random, 2)], pose_at(0, 0, 0, 0)};
        of_b[pairs] = (abut_part){inner, random_pose(&random, 0.1)};
        abut_shape *a = meshes_joined(of_a, pairs + 1), *b = meshes_joined(of_b, pairs + 1);
        of_b[pairs].pose.position.y += 1.5;
        abut_shape *without = meshes_joined(of_b, pairs + 1);
        abut_pose whole = random_below(&random, 4) == 0 ? abut_pose_identity() : random_pose(&random, 1.0);
        const double margin = random_below(&random, 2) == 0 ? 0.0 : 0.02;
        abut_contact c[MESHES_ROOM], d[MESHES_ROOM];
        double deepest[MOST + 1], expected[MOST + 1];
        int32_t count = meshes_ask(a, whole, b, whole, margin, sample % 2, c);
        meshes_check_sound(c, count);
        deepest_of_pieces(c, count, pairs + 1, deepest);
        count = meshes_ask(a, whole, without, whole, margin, sample % 2, d);
        deepest_of_pieces(d, count, pairs + 1, expected);
        for (int32_t i = 0; i < pairs; i++) {
            assert_true(deepest[i] == expected[i] || fabs(deepest[i] - expected[i]) < 1e-13);
        }
        assert_true(deepest[pairs] < -0.3);
        abut_shape *made[5] = {solid, inner, a, b, without};
        for (int i = 0; i < 5; i++) {
            abut_shape_release(made[i]);
        }
    }
    abut_shape *all[5] = {cube, outer[0], outer[1], block[0], block[1]};
    for (int i = 0; i < 5; i++) {
        abut_shape_release(all[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
#ifdef ABUT_TEST_HAS_HULL
        cmocka_unit_test(a_ball_of_facets_before_it_rolls),
#endif
        cmocka_unit_test(box_surface_on_a_flat_grid),
        cmocka_unit_test(turned_cubes),
        cmocka_unit_test(crossed_bars),
        cmocka_unit_test(surfaces_of_solids),
        cmocka_unit_test(surfaces_seen_from_elsewhere),
        cmocka_unit_test(links_of_a_chain),
        cmocka_unit_test(ring_on_a_grid),
        cmocka_unit_test(block_in_a_groove),
        cmocka_unit_test(block_across_tiles),
        cmocka_unit_test(folded_sheets),
        cmocka_unit_test(piece_inside_beside_flush_blocks),
        cmocka_unit_test(cubes_that_are_nearly_one),
        cmocka_unit_test(block_around_a_hollow),
        cmocka_unit_test(pieces_beside_one_inside),
        cmocka_unit_test(refused_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
