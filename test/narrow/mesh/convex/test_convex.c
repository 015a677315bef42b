/*
 * Convex bodies on meshes: a box on a flat grid has exactly the four corners of its base, in any pose; ridges, valleys, cliffs and steps;
 * the surfaces of convex solids compared with the solids; neighbouring meshes compared with one mesh.
 */
#include <abut/mesh.h>
#include <abut/query.h>

#include <stdlib.h>

#include "support/check.h"
#include "support/meshes.h"
#include "support/shapes.h"

/* T11: box half (0.5, 0.4, 0.3), 0.01 deep, anywhere on the grid. */
static void box_on_a_flat_grid(void **state) {
    (void)state;
    random_state random = random_make(random_seed("box_on_a_flat_grid", 431));
    const abut_vec3 half = {0.5, 0.4, 0.3};
    abut_shape *grid = meshes_grid(20, 0.25), *box = NULL;
    assert_ok(abut_shape_create_box(half, &box));
    for (int sample = 0; sample < 300; sample++) {
        abut_pose pose = {{random_range(&random, 1, 4), random_range(&random, 1, 4), 0.29},
                          abut_quat_about(abut_vec3_make(0, 0, 1), sample % 10 == 0 ? 0.0 : random_range(&random, 0, 7))};
        if (sample % 7 == 0) { /* along the grid's lines and over its vertices */
            pose.position.x = round(4.0 * pose.position.x) / 4.0;
            pose.position.y = round(4.0 * pose.position.y) / 4.0;
        }
        abut_contact c[MESHES_ROOM];
        int32_t count = meshes_ask(box, pose, grid, abut_pose_identity(), 0.0, sample % 2, c);
        meshes_check_sound(c, count);
        assert_int_equal(count, 4);
        double area = 0.0;
        for (int k = 0; k < 4; k++) {
            abut_vec3 corner = abut_pose_apply(pose, abut_vec3_make(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, -half.z));
            bool found = false;
            for (int32_t i = 0; i < 4; i++) {
                found = found || abut_distance_between(c[i].on_a, corner) < 1e-9;
            }
            assert_true(found);
            assert_vec3_near(c[k].normal, abut_vec3_make(0, 0, 1), 1e-12);
            assert_near(c[k].gap, -0.01, 1e-12);
            area += c[k].area;
        }
        assert_near(area, 0.8, 1e-9);
    }
    abut_shape_release(grid);
    abut_shape_release(box);
}

static void capsule_across_the_diagonals(void **state) {
    (void)state;
    abut_shape *grid = meshes_grid(20, 0.25), *capsule = NULL;
    assert_ok(abut_shape_create_capsule(0.2, 0.5, &capsule));
    for (int i = 0; i < 60; i++) {
        abut_quat lying =
            abut_quat_mul(abut_quat_about(abut_vec3_make(0, 0, 1), 0.1 * i), abut_quat_about(abut_vec3_make(0, 1, 0), 1.5707963267948966));
        abut_pose pose = {{2.0 + 0.013 * i, 2.5, 0.19}, lying};
        abut_contact c[MESHES_ROOM];
        int32_t count = meshes_ask(capsule, pose, grid, abut_pose_identity(), 0.0, i % 2, c);
        meshes_check_sound(c, count);
        assert_int_equal(count, 2);
        for (int k = 0; k < 2; k++) {
            assert_vec3_near(c[k].normal, abut_vec3_make(0, 0, 1), 1e-12);
            assert_near(c[k].gap, -0.01, 1e-12);
        }
        assert_near(abut_distance_between(c[0].on_b, c[1].on_b), 1.0, 1e-9);
    }
    abut_shape_release(grid);
    abut_shape_release(capsule);
}

/* ---- folded places ---- */

#define C30 0.86602540378443865

typedef struct folded_case {
    const char *name;
    abut_vec3 vertex[8];
    int32_t triangle[6][3], vertex_count, triangle_count;
    abut_vec3 centre, half; /* of a box along the axes */
    int32_t normals;        /* how many different ones */
    abut_vec3 normal[2];
    double gap[2]; /* the least along it */
} folded_case;

static const folded_case folded[] = {
    {"a ridge under the middle of a box",
     {{0, -3, 0}, {0, 3, 0}, {-3 * C30, -3, -1.5}, {-3 * C30, 3, -1.5}, {3 * C30, -3, -1.5}, {3 * C30, 3, -1.5}},
     {{0, 1, 2}, {1, 3, 2}, {0, 4, 1}, {1, 4, 5}},
     6,
     4,
     {0.1, 0.2, 0.29},
     {0.5, 0.4, 0.3},
     1,
     {{0, 0, 1}},
     {-0.01}},
    {"a valley",
     {{0, -3, 0}, {0, 3, 0}, {-3 * C30, -3, 1.5}, {-3 * C30, 3, 1.5}, {3 * C30, -3, 1.5}, {3 * C30, 3, 1.5}},
     {{0, 1, 2}, {1, 3, 2}, {0, 4, 1}, {1, 4, 5}},
     6,
     4,
     {0, 0.2, 0.58},
     {0.5, 0.4, 0.3},
     2,
     {{0.5, 0, C30}, {-0.5, 0, C30}},
     {0.28 * C30 - 0.25, 0.28 * C30 - 0.25}},
    {"a cliff, half over it",
     {{-3, -3, 0}, {0, -3, 0}, {0, 3, 0}, {-3, 3, 0}, {0, -3, -3}, {0, 3, -3}},
     {{0, 1, 2}, {0, 2, 3}, {1, 4, 5}, {1, 5, 2}},
     6,
     4,
     {-0.1, 0.2, 0.29},
     {0.5, 0.4, 0.3},
     1,
     {{0, 0, 1}},
     {-0.01}},
    {"a step, against its wall",
     {{-3, -3, 0}, {0, -3, 0}, {0, 3, 0}, {-3, 3, 0}, {0, -3, 1}, {0, 3, 1}, {3, -3, 1}, {3, 3, 1}},
     {{0, 1, 2}, {0, 2, 3}, {1, 4, 5}, {1, 5, 2}, {4, 6, 7}, {4, 7, 5}},
     8,
     6,
     {-0.495, 0.2, 0.29},
     {0.5, 0.4, 0.3},
     2,
     {{0, 0, 1}, {-1, 0, 0}},
     {-0.01, -0.005}},
};

static void check_folded(const folded_case *f, bool swapped) {
    abut_shape *mesh = meshes_make(f->vertex, f->vertex_count, &f->triangle[0][0], f->triangle_count), *box = NULL;
    assert_ok(abut_shape_create_box(f->half, &box));
    abut_contact c[MESHES_ROOM];
    int32_t count = meshes_ask(box, (abut_pose){f->centre, abut_quat_identity()}, mesh, abut_pose_identity(), 0.0, swapped, c);
    meshes_check_sound(c, count);
    double least[2] = {INFINITY, INFINITY};
    for (int32_t i = 0; i < count; i++) {
        bool known = false;
        for (int k = 0; k < f->normals; k++) {
            bool same = abut_distance_between(c[i].normal, f->normal[k]) < 1e-9;
            known = known || same;
            least[k] = same ? fmin(least[k], c[i].gap) : least[k];
        }
        if (!known) {
            print_error("%s: normal (%g %g %g), gap %g\n", f->name, c[i].normal.x, c[i].normal.y, c[i].normal.z, c[i].gap);
        }
        assert_true(known);
    }
    for (int k = 0; k < f->normals; k++) {
        if (!(fabs(least[k] - f->gap[k]) < 1e-9)) {
            print_error("%s: gap %.12g, expected %.12g\n", f->name, least[k], f->gap[k]);
        }
        assert_near(least[k], f->gap[k], 1e-9);
    }
    abut_shape_release(mesh);
    abut_shape_release(box);
}

static void folded_places(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof folded / sizeof *folded; i++) {
        check_folded(&folded[i], false);
        check_folded(&folded[i], true);
    }
}

/* ---- the surface of a convex solid ---- */

/* For triangles alone, some of these places have another way out that is hardly longer. There is always a contact, and mostly the same
 * one. */
static void surfaces_of_solids(void **state) {
    (void)state;
    random_state random = random_make(random_seed("surfaces_of_solids", 432));
    int32_t n = random_samples("surfaces_of_solids", 3000);
    mesh_likeness to = {.worst = 1.0};
    for (int32_t sample = 0; sample < n; sample++) {
        abut_shape *solid = meshes_random_solid(&random, 1.0), *body = meshes_random_solid(&random, 0.4),
                   *mesh = meshes_surface_of(solid, 1);
        abut_pose pose = meshes_put_into(&random, body, solid, random_range(&random, 0.001, 0.02));
        abut_contact c[MESHES_ROOM];
        int32_t count = meshes_ask(body, pose, mesh, abut_pose_identity(), 0.0, sample % 2, c);
        meshes_compare(&to, body, pose, solid, c, count);
        abut_shape_release(solid);
        abut_shape_release(body);
        abut_shape_release(mesh);
    }
    print_message("%d of %d as with the solid; the deepest contact at most %.2f times the least depth\n", (int)to.alike, (int)n, to.worst);
    assert_true(to.alike > n - n / 15);
}

/* Found by fuzzing: a box above the slope of a spike, within the margin but beside the only triangles that face its middle. Rounding error
 * decided whether one of them had a contact along its own normal, and the answer differed with the mesh as A. The box goes through their
 * neighbours, most of it behind them, so it touches these. */
static void beside_the_slopes_of_a_spike(void **state) {
    (void)state;
    static const double heights[35] = {1.875, 0, 0,    0,     0, 0, 0, 0,    0, 0, 1, 0.125, 5.875, 0, 12.125, 0,
                                       0,     0, -5.5, 1.875, 0, 0, 0, 9.75, 0, 0, 0, 0,     0,     0, -11};
    abut_heightfield_def def = {.heights = heights, .columns = 5, .rows = 7, .spacing_x = 10.25, .spacing_y = 10.25};
    abut_pose at = {{5.875, 0, 12}, {0.012283121567319023, 0.57730671366399411, 0.57730671366399411, 0.57730671366399411}};
    abut_shape *spikes = NULL, *box = NULL;
    assert_ok(abut_shape_create_heightfield(&def, &spikes));
    assert_ok(abut_shape_create_box(abut_vec3_make(5.875, 5.875, 5.875), &box));
    for (int i = 0; i < 20; i++) {
        double away = i == 0 ? 0.0 : pow(10.0, -i);
        abut_pose pose = {{-12.691913095956551 + away, 22.566083283041639 + 2.0 * away, 12.321826437085091 - away}, {0, 0, 0, 1}};
        abut_contact c[MESHES_ROOM];
        int32_t count = meshes_ask(box, pose, spikes, at, 0.25, false, c);
        abut_vec3 normal = c[0].normal;
        double gap = INFINITY, swapped = INFINITY;
        for (int32_t k = 0; k < count; k++) {
            gap = fmin(gap, c[k].gap);
        }
        assert_true(count > 0);
        assert_int_equal(meshes_ask(box, pose, spikes, at, 0.25, true, c), count);
        for (int32_t k = 0; k < count; k++) {
            swapped = fmin(swapped, c[k].gap);
            assert_vec3_near(c[k].normal, normal, 1e-9);
        }
        assert_near(swapped, gap, 1e-9);
    }
    abut_shape_release(spikes);
    abut_shape_release(box);
}

/* ---- folds without order ---- */

/* A block whose corners lie anywhere, so that its faces are folded and may cross. */
static abut_shape *crumpled_block(random_state *random) {
    static const int32_t triangles[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                             {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    abut_vec3 corner[8], half = random_vec3(random, 0.0, 1.0);
    for (int i = 0; i < 8; i++) {
        bool moved = random_below(random, 3) == 0;
        abut_vec3 at = abut_vec3_make(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
        corner[i] = moved ? random_vec3(random, -1.0, 1.0) : at;
    }
    return meshes_make(corner, 8, &triangles[0][0], 12);
}

static abut_shape *soup(random_state *random) {
    abut_vec3 corner[12];
    int32_t triangle[12][3];
    for (int i = 0; i < 12; i++) {
        corner[i] = random_vec3(random, -1.0, 1.0);
        triangle[i][0] = random_below(random, 12);
        triangle[i][1] = (triangle[i][0] + 1 + random_below(random, 5)) % 12;
        triangle[i][2] = (triangle[i][0] + 6 + random_below(random, 6)) % 12;
    }
    return meshes_make(corner, 12, &triangle[0][0], 12);
}

static abut_shape *random_body(random_state *random) {
    double size = random_log_range(random, 0.1, 1.0), slender = random_log_range(random, 0.1, 10.0);
    switch (random_below(random, 6)) {
    case 0:
        return capsule(size, slender * size);
    case 1:
        return cylinder(size, slender * size);
    case 2:
        return cone(size, slender * size);
    case 3:
        return ellipsoid(size, 0.5 * size, slender * size);
    default:
        return meshes_random_solid(random, size);
    }
}

/* Found by fuzzing: a way over an edge of a neighbour, on the far side of which the body was already. Its depth was negative, so it counted
 * as the shortest one, because the body moved back along it also leaves the triangle. It made a contact far from the surface. */
static void no_way_out_leads_backwards(void **state) {
    (void)state;
    random_state random = random_make(random_seed("no_way_out_leads_backwards", 434));
    int32_t n = random_samples("no_way_out_leads_backwards", 40000);
    for (int32_t sample = 0; sample < n; sample++) {
        abut_shape *mesh = sample % 4 == 3 ? soup(&random) : crumpled_block(&random), *body = random_body(&random);
        double margin = random_below(&random, 2) ? random_range(&random, 0.0, 0.1) : 0.0;
        abut_contact c[MESHES_ROOM];
        int32_t count = meshes_ask(body, random_pose(&random, 1.0), mesh, abut_pose_identity(), margin, sample % 2, c);
        meshes_check_sound(c, count);
        for (int32_t i = 0; i < count; i++) {
            if (!(c[i].gap <= margin + 1e-12)) {
                print_error("sample %d, body of kind %d: gap %g at margin %g\n", (int)sample, (int)abut_shape_kind(body), c[i].gap, margin);
            }
            assert_true(c[i].gap <= margin + 1e-12);
        }
        abut_shape_release(mesh);
        abut_shape_release(body);
    }
}

/* ---- several meshes ---- */

/* The right half of the grid is another mesh with another frame. */
static void seams_are_not_felt(void **state) {
    (void)state;
    random_state random = random_make(random_seed("seams_are_not_felt", 433));
    abut_shape *whole = meshes_grid(20, 0.25), *half = meshes_grid(10, 0.25), *bodies[3] = {NULL};
    abut_pose turned = {{5.0, 2.5, 0.0}, abut_quat_about(abut_vec3_make(0, 0, 1), PI)};
    const abut_part both[4] = {
        {half, {{0, 0, 0}, {0, 0, 0, 1}}}, {half, {{2.5, 2.5, 0}, {0, 0, 0, 1}}}, {half, {{0, 2.5, 0}, {0, 0, 0, 1}}}, {half, turned}};
    assert_ok(abut_shape_create_sphere(0.3, &bodies[0]));
    assert_ok(abut_shape_create_box(abut_vec3_make(0.5, 0.4, 0.3), &bodies[1]));
    assert_ok(abut_shape_create_capsule(0.3, 0.4, &bodies[2]));
    for (int sample = 0; sample < 200; sample++) {
        const abut_shape *body = bodies[sample % 3];
        abut_quat lying = abut_quat_about(abut_vec3_make(0, 1, 0), sample % 3 == 2 ? 1.5707963267948966 : 0.0);
        abut_pose pose = {{2.5 + random_range(&random, -0.6, 0.6), 2.5 + random_range(&random, -0.6, 0.6), 0.29},
                          abut_quat_mul(abut_quat_about(abut_vec3_make(0, 0, 1), random_range(&random, 0, 7)), lying)};
        abut_contact one[MESHES_ROOM], several[MESHES_ROOM];
        int32_t count = meshes_ask(body, pose, whole, abut_pose_identity(), 0.0, false, one), found;
        assert_ok(abut_collide_meshes(body, pose, both, 4, NULL, several, MESHES_ROOM, &found));
        assert_int_equal(found, count);
        for (int32_t i = 0; i < found; i++) {
            bool same = false;
            for (int32_t k = 0; k < count; k++) {
                same = same || abut_distance_between(several[i].on_a, one[k].on_a) < 1e-9;
            }
            assert_true(same);
            assert_vec3_near(several[i].normal, abut_vec3_make(0, 0, 1), 1e-12);
            assert_in_range(several[i].feature_b.part, 0, 3);
        }
    }
    int32_t count;
    abut_contact c[1];
    const abut_part wrong = {bodies[0], {{0, 0, 0}, {0, 0, 0, 1}}};
    assert_status(abut_collide_meshes(bodies[1], abut_pose_identity(), &wrong, 1, NULL, c, 1, &count), ABUT_ERROR_UNSUPPORTED_PAIR);
    assert_status(abut_collide_meshes(bodies[1], abut_pose_identity(), both, 0, NULL, c, 1, &count), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_collide_meshes(NULL, abut_pose_identity(), both, 2, NULL, c, 1, &count), ABUT_ERROR_INVALID_ARGUMENT);
    abut_shape_release(whole);
    abut_shape_release(half);
    for (int i = 0; i < 3; i++) {
        abut_shape_release(bodies[i]);
    }
}

/* The axis of a capsule goes exactly through a corner of an upright triangle. No features overlap along any way out, but the bodies
 * overlap. */
static void an_axis_through_a_corner(void **state) {
    (void)state;
    const abut_vec3 corners[3] = {{-25.765625, 0, 6.5098035335540771}, {25.765625, 0, 6.5098035335540771}, {0.265625, -15.234375, 24.375}};
    const int32_t triangle[3] = {0, 1, 2};
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = corners;
    def.vertex_count = 3;
    def.triangles = triangle;
    def.triangle_count = 1;
    def.two_sided = true;
    abut_shape *mesh = NULL, *capsule = NULL;
    assert_ok(abut_shape_create_trimesh(&def, NULL, &mesh));
    assert_ok(abut_shape_create_capsule(4.75, 13.125, &capsule));
    abut_pose pose = abut_pose_identity();
    for (int i = 0; i < 40; i++) {
        pose.position = abut_vec3_make(i % 2 ? 25.765625 : -25.765625, 0, i - 10.0);
        bool through = fabs(6.5098035335540771 - pose.position.z) < 13.125;
        for (int swapped = 0; swapped < 2; swapped++) {
            abut_contact contacts[MESHES_ROOM];
            int32_t count = meshes_ask(capsule, pose, mesh, abut_pose_identity(), 0.0, swapped, contacts);
            meshes_check_sound(contacts, count);
            double deepest = 0.0;
            for (int32_t k = 0; k < count; k++) {
                deepest = fmin(deepest, contacts[k].gap);
            }
            if (through) {
                assert_true(count > 0);
                assert_true(deepest <= -4.75 + 1e-9); /* no way out is shorter */
            }
        }
    }
    abut_shape_release(mesh);
    abut_shape_release(capsule);
}

/* A small mesh, turned anyhow or leaning by a fraction of a degree, that has sunk into a plate that is much wider. */
typedef struct ring_on_plate {
    double half, size, tilt, deep; /* the plate's half width; of the ring, its angle to the plate, and how far it has sunk in */
    abut_shape *ring, *plate;
    abut_pose pose, below; /* of the ring and of the plate */
} ring_on_plate;

/* along: the ring's place, over the plate's half width. */
static ring_on_plate make_ring_on_plate(random_state *random, int sample, double along) {
    ring_on_plate made = {.half = random_log_range(random, 2.0, 2e4), .below = abut_pose_identity()};
    double thick = sample % 2 == 0 ? 1e-3 : 2.0;
    made.size = random_log_range(random, 1e-2, 1.0);
    made.tilt = random_log_range(random, 1e-6, 0.1);
    made.deep = sample % 3 == 0 ? 0.0 : random_log_range(random, 1e-7, 1e-4);
    made.ring = meshes_ring(made.size, 0.2 * made.size, 3 + sample % 8, 4);
    assert_ok(abut_shape_create_box(abut_vec3_make(made.half, made.half, thick), &made.plate));
    abut_vec3 axis = abut_unit(abut_vec3_make(random_range(random, -1, 1), random_range(random, -1, 1), 0));
    abut_quat turned = sample % 4 < 2 ? abut_quat_about(axis, made.tilt) : random_rotation(random);
    made.pose = (abut_pose){{along * made.half, 0, 0}, turned};
    made.pose.position.z = -abut_shape_bounds(made.ring, made.pose).lower.z - made.deep;
    made.below.position.z = -thick;
    return made;
}

static void free_ring_on_plate(const ring_on_plate *made) {
    abut_shape_release(made->plate);
    abut_shape_release(made->ring);
}

/* It is as deep there as its lowest point, whatever the plate reaches elsewhere, and no contact is deeper. */
static void a_wide_plate_under_a_small_mesh(void **state) {
    (void)state;
    random_state random = random_make(random_seed("a_wide_plate_under_a_small_mesh", 77));
    for (int sample = 0; sample < 1000; sample++) {
        const ring_on_plate r = make_ring_on_plate(&random, sample, 0.3);
        abut_separation s;
        assert_ok(abut_distance(&(abut_pair){r.ring, r.pose, r.plate, r.below}, NULL, NULL, &s));
        abut_contact contacts[MESHES_ROOM];
        int32_t count = meshes_ask(r.ring, r.pose, r.plate, r.below, 0.0, sample % 2 == 0, contacts);
        double least = s.gap;
        for (int32_t i = 0; i < count; i++) {
            least = fmin(least, contacts[i].gap);
        }
        if (!(fabs(s.gap + r.deep) <= 1e-9 && least >= -r.deep - 1e-9)) {
            fail_msg("sample %d: size %g, tilt %g, half %g: gaps %g and %g instead of %g, normal %g", sample, r.size, r.tilt, r.half, s.gap,
                     least, -r.deep, s.normal.z);
        }
        free_ring_on_plate(&r);
    }
}

/* The apex of a large cone over the line of a sharp corner's bisector, beside the triangle by less than its projection is known. The point on the mesh is the
 * corner. */
static void an_apex_beside_a_sharp_corner(void **state) {
    (void)state;
    const abut_vec3 corner[3] = {{0.0, 0.0, 0.0}, {1.0, -0.015, 0.0}, {1.0, 0.015, 0.0}};
    const int32_t index[3] = {0, 1, 2};
    abut_shape *sliver = meshes_make(corner, 3, index, 1), *big = cone(1000.0, 4000.0);
    for (int i = 0; i < 40; i++) {
        double beside = 5e-9 * i, gap = 0.5;
        abut_pose pose = turned(at(-beside, 0.0, 3000.0 + gap), abut_vec3_make(1, 0, 0), PI);
        abut_contact c[MESHES_ROOM];
        int32_t count = meshes_ask(big, pose, sliver, abut_pose_identity(), 1.0, i % 2, c);
        assert_int_equal(count, 1);
        assert_near(c[0].gap, gap, 1e-9);
        assert_vec3_near(c[0].on_b, corner[0], 1e-9);
    }
    abut_shape_release(sliver);
    abut_shape_release(big);
}

static abut_shape *pointed_roof(int32_t sides, double height) {
    abut_vec3 *vertices = calloc((size_t)sides + 1, sizeof *vertices);
    int32_t *corners = calloc(3 * (size_t)sides, sizeof *corners);
    assert_non_null(vertices);
    assert_non_null(corners);
    vertices[0] = abut_vec3_make(0, 0, height);
    for (int32_t i = 0; i < sides; i++) {
        vertices[i + 1] = abut_vec3_make(cos(2.0 * PI * i / sides), sin(2.0 * PI * i / sides), 0);
        corners[3 * i + 1] = i + 1;
        corners[3 * i + 2] = (i + 1) % sides + 1;
    }
    abut_shape *roof = meshes_make(vertices, sides + 1, corners, sides);
    free(vertices);
    free(corners);
    return roof;
}

/* A box in a roof, whose tip is above the box. The way out over the tip is the shortest, however narrow the triangles there are. */
static void the_tip_of_a_roof_above_a_box(void **state) {
    (void)state;
    static const int32_t sides[] = {12, 60, 600, 1700, 4000};
    abut_shape *body = box(1.1, 1.1, 0.2);
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        abut_shape *roof = pointed_roof(sides[i], 0.4);
        abut_contact c[MESHES_ROOM];
        int32_t count = meshes_ask(body, at(0.01, 0.02, 0.1), roof, abut_pose_identity(), 0.0, i % 2, c);
        double least = INFINITY;
        for (int32_t k = 0; k < count; k++) {
            assert_vec3_near(c[k].normal, abut_vec3_make(0, 0, 1), 1e-12);
            least = fmin(least, c[k].gap);
        }
        assert_near(least, -0.5, 1e-12);
        abut_shape_release(roof);
    }
    abut_shape_release(body);
}

/* The contacts with the first mesh. */
static int32_t with_first(const abut_shape *body, abut_pose pose, const abut_part *meshes, int32_t mesh_count, abut_contact *contacts) {
    int32_t count, kept = 0;
    assert_ok(abut_collide_meshes(body, pose, meshes, mesh_count, NULL, contacts, MESHES_ROOM, &count));
    for (int32_t i = 0; i < count; i++) {
        if (contacts[i].feature_b.part == 0) {
            contacts[kept++] = contacts[i];
        }
    }
    return kept;
}

/* A small mesh has the contacts that it has alone when a wide mesh touches the same plate beside it: their tolerances are those of its own size. */
static void a_wide_mesh_beside_a_small_one(void **state) {
    (void)state;
    random_state random = random_make(random_seed("a_wide_mesh_beside_a_small_one", 78));
    for (int sample = 0; sample < 1000; sample++) {
        const ring_on_plate r = make_ring_on_plate(&random, sample, -0.3);
        abut_shape *wall = meshes_grid(4, r.half);
        const abut_pose beside = {{r.half, -2.0 * r.half, -2.0 * r.half},
                                  abut_quat_about(abut_vec3_make(0, 1, 0), -0.5 * 3.14159265358979323846)};
        const abut_part meshes[2] = {{r.ring, r.pose}, {wall, beside}};
        abut_contact alone[MESHES_ROOM], both[MESHES_ROOM];
        int32_t expected = with_first(r.plate, r.below, meshes, 1, alone), count = with_first(r.plate, r.below, meshes, 2, both);
        double worst = count == expected ? 0.0 : INFINITY;
        for (int32_t i = 0; i < count; i++) {
            double nearest = INFINITY;
            for (int32_t k = 0; k < expected; k++) {
                nearest = fmin(nearest, fabs(both[i].gap - alone[k].gap) + abut_distance_between(both[i].on_b, alone[k].on_b));
            }
            worst = fmax(worst, nearest);
        }
        if (!(worst <= 1e-9)) {
            fail_msg("sample %d: size %g, tilt %g, half %g: %d contacts instead of %d, %g", sample, r.size, r.tilt, r.half, (int)count,
                     (int)expected, worst);
        }
        abut_shape_release(wall);
        free_ring_on_plate(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_on_a_flat_grid),
        cmocka_unit_test(capsule_across_the_diagonals),
        cmocka_unit_test(folded_places),
        cmocka_unit_test(surfaces_of_solids),
        cmocka_unit_test(beside_the_slopes_of_a_spike),
        cmocka_unit_test(seams_are_not_felt),
        cmocka_unit_test(an_axis_through_a_corner),
        cmocka_unit_test(no_way_out_leads_backwards),
        cmocka_unit_test(a_wide_plate_under_a_small_mesh),
        cmocka_unit_test(an_apex_beside_a_sharp_corner),
        cmocka_unit_test(the_tip_of_a_roof_above_a_box),
        cmocka_unit_test(a_wide_mesh_beside_a_small_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
