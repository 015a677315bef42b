/*
 * Meshes on planes: the contacts of the solid with that surface, however the surface is triangulated; rings, height fields, and meshes far
 * from the plane.
 */
#include <abut/mesh.h>

#include <stdlib.h>

#include "support/allocator.h"
#include "support/check.h"
#include "support/meshes.h"

static abut_shape *make_plane(abut_vec3 normal, double offset) {
    abut_shape *plane = NULL;
    assert_ok(abut_shape_create_plane(normal, offset, &plane));
    return plane;
}

static double area_of(const abut_contact *c, int32_t count) {
    double area = 0.0;
    for (int32_t i = 0; i < count; i++) {
        area += c[i].area;
    }
    return area;
}

static bool is_found(const abut_contact *c, int32_t count, const abut_contact *sought, double near) {
    for (int32_t i = 0; i < count; i++) {
        if (abut_distance_between(c[i].on_a, sought->on_a) < near && abut_distance_between(c[i].on_b, sought->on_b) < near &&
            abut_distance_between(c[i].normal, sought->normal) < 1e-9 && fabs(c[i].gap - sought->gap) < near) {
            return true;
        }
    }
    return false;
}

/* A box of half size (0.5, 0.4, 0.3), 0.01 deep: the four corners of its base. Vertices on a split edge are not corners. */
static void box_surface_on_a_plane(void **state) {
    (void)state;
    abut_shape *box = NULL, *plane = make_plane(abut_vec3_make(0, 0, 1), 0.0);
    assert_ok(abut_shape_create_box(abut_vec3_make(0.5, 0.4, 0.3), &box));
    for (int32_t cells = 1; cells <= 5; cells++) {
        abut_shape *mesh = meshes_surface_of(box, cells);
        for (int k = 0; k < 2; k++) {
            abut_pose pose = {{3.0, -2.0, 0.29}, abut_quat_about(abut_vec3_make(0, 0, 1), 0.4 * cells)};
            abut_contact c[MESHES_ROOM];
            int32_t count = meshes_ask(mesh, pose, plane, abut_pose_identity(), 0.0, k, c);
            meshes_check_sound(c, count);
            assert_int_equal(count, 4);
            for (int32_t i = 0; i < count; i++) {
                assert_vec3_near(c[i].normal, abut_vec3_make(0, 0, 1), 1e-12);
                assert_near(c[i].gap, -0.01, 1e-12);
                assert_near(c[i].on_a.z, -0.01, 1e-12);
                assert_near(c[i].on_b.z, 0.0, 1e-12);
                assert_int_equal(c[i].feature_a.kind, ABUT_FEATURE_VERTEX);
                assert_int_equal(c[i].feature_b.kind, ABUT_FEATURE_FACE);
            }
            assert_near(area_of(c, count), 0.8, 1e-12);
        }
        abut_shape_release(mesh);
    }
    abut_shape_release(box);
    abut_shape_release(plane);
}

typedef struct resting {
    abut_shape *solid, *mesh, *plane;
    abut_pose pose, at;
    double scale, depth;
} resting;

/* A random solid of any size, anywhere, at a given depth in a plane. */
static resting rest(random_state *random, int32_t sample, double depth) {
    const double scales[3] = {1.0, 1e-3, 1e3};
    resting r = {.scale = scales[sample % 3], .depth = depth * scales[sample % 3]};
    abut_vec3 normal = random_direction(random);
    r.solid = meshes_random_solid(random, r.scale);
    r.mesh = meshes_surface_of(r.solid, 1 + sample / 3 % 2);
    r.plane = make_plane(normal, random_range(random, -2.0, 2.0) * r.scale);
    r.pose = random_pose(random, 0.7 * r.scale);
    r.at = random_pose(random, 0.3 * r.scale);
    if (sample % 5 == 0) { /* far away */
        abut_vec3 far = abut_scale(1e5 * r.scale, random_direction(random));
        r.pose.position = abut_add(r.pose.position, far);
        r.at.position = abut_add(r.at.position, far);
    }
    abut_collide_settings settings = abut_collide_settings_default();
    settings.margin = 1e7 * r.scale;
    abut_contact c[MESHES_ROOM];
    int32_t count;
    assert_ok(abut_collide(&(abut_pair){r.solid, r.pose, r.plane, r.at}, &settings, NULL, c, MESHES_ROOM, &count));
    double least = c[0].gap;
    for (int32_t i = 1; i < count; i++) {
        least = fmin(least, c[i].gap);
    }
    r.pose.position = abut_add_scaled(r.pose.position, -(least + r.depth), c[0].normal);
    return r;
}

static void release_resting(const resting *r) {
    abut_shape_release(r->solid);
    abut_shape_release(r->mesh);
    abut_shape_release(r->plane);
}

/* Random solids slightly in the plane, or above it: the same contacts. A polytope drops a feature among many nearly equal ones; a mesh has
 * no faces, so it has all vertices of about the lowest height. */
static void as_the_solid(void **state) {
    (void)state;
    random_state random = random_make(random_seed("as_the_solid", 451));
    int32_t n = random_samples("as_the_solid", 3000), several = 0, alike = 0;
    for (int32_t sample = 0; sample < n; sample++) {
        resting r = rest(&random, sample, random_range(&random, -0.02, 0.02));
        double margin = sample % 2 ? 0.01 * r.scale : 0.0, near = (sample % 5 == 0 ? 1e-9 : 1e-12) * r.scale;
        abut_contact wanted[MESHES_ROOM], c[MESHES_ROOM];
        int32_t wanted_count = meshes_ask(r.solid, r.pose, r.plane, r.at, margin, false, wanted);
        int32_t count = meshes_ask(r.mesh, r.pose, r.plane, r.at, margin, sample % 4 > 1, c);
        assert_int_equal(count > 0, r.depth > -margin);
        assert_true(count >= wanted_count);
        for (int32_t i = 0; i < wanted_count; i++) {
            assert_true(is_found(c, count, &wanted[i], near));
        }
        for (int32_t i = 0; i < count; i++) {
            assert_true(c[i].gap <= margin + near);
        }
        if (count == wanted_count) {
            assert_near(area_of(c, count), area_of(wanted, wanted_count), 1e-9 * r.scale * r.scale);
            alike++;
        }
        several += count > 1;
        release_resting(&r);
    }
    assert_true(several > n / 100);
    assert_true(alike >= n - n / 50);
}

/* Deep in the plane more than one face is below it, and the mesh has the corners of all faces of about that depth: never fewer than the
 * solid. */
static void deep_in_the_plane(void **state) {
    (void)state;
    random_state random = random_make(random_seed("deep_in_the_plane", 452));
    int32_t n = random_samples("deep_in_the_plane", 1000);
    for (int32_t sample = 0; sample < n; sample++) {
        resting r = rest(&random, sample, random_range(&random, 0.02, 3.0));
        double near = (sample % 5 == 0 ? 1e-9 : 1e-12) * r.scale, most = 0.0;
        abut_contact wanted[MESHES_ROOM], c[MESHES_ROOM];
        int32_t wanted_count = meshes_ask(r.solid, r.pose, r.plane, r.at, 0.0, false, wanted);
        int32_t count = meshes_ask(r.mesh, r.pose, r.plane, r.at, 0.0, sample % 2, c);
        meshes_check_sound(c, count);
        assert_true(count >= 1 && wanted_count >= 1);
        for (int32_t i = 0; i < count; i++) {
            most = fmax(most, -c[i].gap);
            assert_vec3_near(c[i].normal, wanted[0].normal, 1e-12);
        }
        assert_near(most, r.depth, near);
        assert_true(area_of(c, count) >= area_of(wanted, wanted_count) - 1e-9 * r.scale * r.scale);
        release_resting(&r);
    }
}

/* A height field upside down: contacts at the lowest face of its hull. */
static void heightfield_upside_down(void **state) {
    (void)state;
    double heights[25] = {0};
    heights[6] = heights[8] = heights[16] = heights[18] = 0.5; /* four peaks of a square, side 2 */
    heights[12] = 0.3;
    abut_heightfield_def def = {.heights = heights, .columns = 5, .rows = 5, .spacing_x = 1.0, .spacing_y = 1.0};
    abut_shape *field = NULL, *plane = make_plane(abut_vec3_make(0, 0, 1), 0.0);
    assert_ok(abut_shape_create_heightfield(&def, &field));
    abut_pose over = {{0, 0, 0.48}, abut_quat_about(abut_vec3_make(1, 0, 0), PI)};
    for (int k = 0; k < 2; k++) {
        abut_contact c[MESHES_ROOM];
        int32_t count = meshes_ask(field, over, plane, abut_pose_identity(), 0.0, k, c);
        meshes_check_sound(c, count);
        assert_int_equal(count, 4);
        for (int32_t i = 0; i < count; i++) {
            assert_near(c[i].gap, -0.02, 1e-12);
        }
        assert_near(area_of(c, count), 4.0, 1e-12);
        over.position.z = 0.51;
        assert_int_equal(meshes_ask(field, over, plane, abut_pose_identity(), 0.0, k, c), 0);
        assert_int_equal(meshes_ask(field, over, plane, abut_pose_identity(), 0.02, k, c), 4);
        over.position.z = 0.48;
    }
    abut_shape_release(field);
    abut_shape_release(plane);
}

static void refused_memory_and_room(void **state) {
    (void)state;
    abut_shape *box = NULL, *plane = make_plane(abut_vec3_make(0, 0, 1), 0.0);
    assert_ok(abut_shape_create_box(abut_vec3_make(0.5, 0.4, 0.3), &box));
    abut_shape *mesh = meshes_surface_of(box, 6);
    abut_pose pose = {{0, 0, 0.29}, {0, 0, 0, 1}};
    abut_contact c[MESHES_ROOM];
    int32_t count = 0;
    assert_status(abut_collide(&(abut_pair){mesh, pose, plane, abut_pose_identity()}, NULL, NULL, c, 3, &count), ABUT_ERROR_CAPACITY);
    assert_int_equal(count, 4);
    counting_allocator memory = {.refuse_at = -1};
    int64_t refused = 0;
    do {
        memory = (counting_allocator){.refuse_at = refused++};
        counting_allocator_install(&memory);
        abut_status status = abut_collide(&(abut_pair){mesh, pose, plane, abut_pose_identity()}, NULL, NULL, c, MESHES_ROOM, &count);
        counting_allocator_remove();
        assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
        assert_int_equal(memory.live, 0);
    } while (memory.refused);
    assert_true(refused > 1);
    abut_shape_release(box);
    abut_shape_release(mesh);
    abut_shape_release(plane);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_surface_on_a_plane),  cmocka_unit_test(as_the_solid),
        cmocka_unit_test(deep_in_the_plane),       cmocka_unit_test(heightfield_upside_down),
        cmocka_unit_test(refused_memory_and_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
