/*
 * The jobs of the narrow phase. A body over many meshes has the contacts that it has with one mesh of all their triangles.
 */
#include <abut/abut.h>

#include <stdio.h>
#include <stdlib.h>

#include "support/bodies.h"
#include "support/check.h"
#include "support/facet_body.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/shapes.h"
#include "support/user_surface.h"

static void add_ground(abut_world *world, abut_shape *shape) {
    abut_body_def def = abut_body_def_default();
    def.kind = ABUT_BODY_STATIC;
    def.shape = shape;
    assert_ok(abut_world_add_body(world, &def, NULL));
    abut_shape_release(shape);
}

enum { TERRAIN = 24, HEIGHTS = TERRAIN + 1 }; /* cells of the ground along each axis, each one unit long */

static double height[HEIGHTS][HEIGHTS]; /* of the ground in use */

/* A square piece of the ground, from a cell on. */
static abut_shape *piece_of(int from_x, int from_y, int cells) {
    abut_vec3 v[HEIGHTS * HEIGHTS];
    int32_t t[6 * TERRAIN * TERRAIN], wide = cells + 1, count = 0;
    for (int32_t k = 0; k < wide * wide; k++) {
        int x = from_x + k % wide, y = from_y + k / wide;
        v[k] = abut_vec3_make(x, y, height[x][y]);
    }
    for (int32_t k = 0; k < cells * cells; k++) {
        int32_t p = k / cells * wide + k % cells;
        const int32_t corners[6] = {p, p + 1, p + wide + 1, p, p + wide + 1, p + wide};
        for (int i = 0; i < 6; i++) {
            t[count++] = corners[i];
        }
    }
    return meshes_make(v, wide * wide, t, count / 3);
}

/* The contacts of a body with the ground, cut into square meshes of so many cells. Release with free(). */
static abut_contact *contacts_on_pieces(int cells, abut_shape *shape, abut_pose pose, abut_parallel parallel, int32_t *count) {
    abut_world_def def = abut_world_def_default();
    def.gravity = abut_vec3_make(0.0, 0.0, 0.0);
    def.parallel = parallel;
    abut_world *world = NULL;
    assert_ok(abut_world_create(&def, &world));
    abut_body_def body = abut_body_def_default();
    body.shape = shape;
    body.pose = pose;
    for (int x = 0; x < TERRAIN; x += cells) {
        for (int y = 0; y < TERRAIN; y += cells) {
            if (x == cells && y == cells) { /* the body is A of some pairs, and B of others */
                assert_ok(abut_world_add_body(world, &body, NULL));
            }
            add_ground(world, piece_of(x, y, cells));
        }
    }
    if (cells == TERRAIN) {
        assert_ok(abut_world_add_body(world, &body, NULL));
    }
    abut_contact *all = contacts_after_step(world, 1e-4, count);
    abut_world_destroy(world);
    return all;
}

/* The largest distance of a contact from the one most like it, by place, normal and gap. Contacts with a gap may be left out, because the margin is that of
 * the smaller shape. */
static double unlike(const abut_contact *found, int32_t count, const abut_contact *among, int32_t among_count) {
    double worst = 0.0;
    for (int32_t i = 0; i < count; i++) {
        double nearest = found[i].gap > 0.0 ? 0.0 : INFINITY;
        for (int32_t k = 0; k < among_count; k++) {
            abut_vec3 p = abut_lerp(found[i].on_a, found[i].on_b, 0.5), q = abut_lerp(among[k].on_a, among[k].on_b, 0.5);
            double turned = fmin(abut_distance_between(found[i].normal, among[k].normal),
                                 abut_distance_between(found[i].normal, abut_neg(among[k].normal)));
            nearest = fmin(nearest, abut_distance_between(p, q) + turned + fabs(found[i].gap - among[k].gap));
        }
        worst = fmax(worst, nearest);
    }
    return worst;
}

enum { RAFTS = 4 };

static abut_shape *raft(int kind) {
    abut_shape *solid = box(9.3, 7.9, 0.5), *mesh;
    if (kind == 0) {
        return solid;
    }
    if (kind == 1) {
        abut_shape_release(solid);
        return prism(8.7, 0.5, 7);
    }
    mesh = meshes_surface_of(solid, kind == 2 ? 1 : 6);
    abut_shape_release(solid);
    return mesh;
}

/* Level ground, or ground that rises and falls everywhere. */
static void make_ground(random_state *random, bool level) {
    for (int i = 0; i < HEIGHTS * HEIGHTS; i++) {
        height[i / HEIGHTS][i % HEIGHTS] = level ? 0.0 : random_range(random, -0.05, 0.05);
    }
}

static abut_pose random_place(random_state *random, double sunk) {
    double x = random_range(random, 11, 13), y = random_range(random, 11, 13);
    return turned(at(x, y, 0.5 - sunk), abut_vec3_make(0, 0, 1), random_range(random, -3, 3));
}

static const int pieces[] = {12, 6, 4, 2};

static void test_many_meshes(void **state) {
    (void)state;
    const abut_parallel serial = {.threads = 1};
    uint64_t seed = random_seed("many", 20261124);
    int runs = random_samples("many", 12);
    for (int r = 0; r < runs; r++) {
        random_state random = random_make(seed + (uint64_t)r);
        abut_shape *shape = raft(r % RAFTS);
        abut_pose pose = random_place(&random, 0.01);
        int32_t single, count;
        make_ground(&random, true);
        abut_contact *expected = contacts_on_pieces(TERRAIN, shape, pose, serial, &single);
        assert_true(single > 2);
        for (int c = 0; c < 4; c++) {
            abut_contact *found = contacts_on_pieces(pieces[c], shape, pose, serial, &count);
            double missing = unlike(expected, single, found, count), other = unlike(found, count, expected, single);
            if (missing > 1e-9 || other > 1e-9) {
                fail_msg("seed %llu, raft %d, pieces of %d cells: %d contacts, %d expected: missing %.2g, other %.2g",
                         (unsigned long long)(seed + (uint64_t)r), r % RAFTS, pieces[c], (int)count, (int)single, missing, other);
            }
            free(found);
        }
        free(expected);
        abut_shape_release(shape);
    }
}

/* Calls the pieces of a loop one by one, from the last to the first. */
static void run_backwards(void *context, int32_t count, int32_t grain, abut_task *task, void *argument) {
    (void)context;
    (void)grain;
    for (int32_t i = count - 1; i >= 0; i--) {
        task(argument, i, i + 1);
    }
}

/* Whichever of the joined jobs comes first, each one gets the same contacts. On rough ground most of them have too little room at first. */
static void test_order_of_jobs(void **state) {
    (void)state;
    uint64_t seed = random_seed("order", 20261125);
    int runs = random_samples("order", 8);
    for (int r = 0; r < runs; r++) {
        random_state random = random_make(seed + (uint64_t)r);
        abut_shape *shape = raft(r % RAFTS);
        abut_pose pose = random_place(&random, 0.03);
        make_ground(&random, false);
        for (int c = 0; c < 4; c++) {
            int32_t count, other;
            abut_contact *found = contacts_on_pieces(pieces[c], shape, pose, (abut_parallel){.threads = 1}, &count);
            abut_contact *again = contacts_on_pieces(pieces[c], shape, pose, (abut_parallel){.run = run_backwards}, &other);
            assert_int_equal(count, other);
            assert_true(count > 20);
            assert_memory_equal(found, again, (size_t)count * sizeof *found);
            free(found);
            free(again);
        }
        abut_shape_release(shape);
    }
}

/* A body of each kind falls on the joint of two meshes, and of two that lie in each other. It comes to rest on them. */
static void test_every_kind_over_two_meshes(void **state) {
    (void)state;
    user_torus ring = {0.4, 0.15};
    const abut_implicit_def def = user_torus_implicit(&ring);
    abut_shape *torus = NULL, *solid = box(0.3, 0.4, 0.2), *two = NULL;
    assert_ok(abut_shape_create_implicit(&def, &torus));
    const abut_part parts[] = {{solid, at(0.2, 0.0, 0.0)}, {solid, at(-0.2, 0.1, 0.0)}};
    assert_ok(abut_shape_create_compound(parts, 2, &two));
    abut_shape *const shapes[] = {sphere(0.3),
                                  capsule(0.2, 0.3),
                                  solid,
                                  prism(0.3, 0.2, 6),
                                  cylinder(0.3, 0.2),
                                  cone(0.3, 0.5),
                                  ellipsoid(0.4, 0.3, 0.2),
                                  two,
                                  meshes_surface_of(solid, 2),
                                  torus,
                                  facet_body_meshed_ball(1, 0.3)};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        for (int apart = 0; apart < 2; apart++) {
            abut_world *world = world_of(ABUT_STEPPER_FIXED);
            for (int side = 0; side < 2; side++) {
                put(world, ABUT_BODY_STATIC, meshes_grid(4, 1.0), at(apart == 1 ? -4.0 * side : -2.0 - 0.25 * side, -2.0, 0.0));
            }
            abut_body_def body = abut_body_def_default();
            body.shape = shapes[i];
            body.pose = at(0.0, 0.0, 0.02 - abut_shape_bounds(shapes[i], at(0.0, 0.0, 0.0)).lower.z);
            body.rolling_friction = 0.1;
            abut_body_id id = put_shared(world, body);
            run_for(world, 1.0);
            abut_body_state now = state_of(world, id);
            double lowest = abut_shape_bounds(shapes[i], now.pose).lower.z;
            if (!(fabs(lowest) < 2e-3) || !(abut_length(now.motion.linear) < 1e-2)) {
                fail_msg("%s, %s: lowest at %g, speed %g", abut_kind_name(abut_shape_kind(shapes[i])),
                         apart ? "side by side" : "in each other", lowest, abut_length(now.motion.linear));
            }
            abut_world_destroy(world);
        }
        abut_shape_release(shapes[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_many_meshes), cmocka_unit_test(test_order_of_jobs),
                                       cmocka_unit_test(test_every_kind_over_two_meshes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
