/*
 * Hulls of many sides that roll from face to face at 60 steps a second. Within a step a face comes down that did not touch at its beginning. Regular hulls on a
 * plane and a box do not sink in by more than a thousandth of their size; on meshes, whose joints their edges cross, seldom, and by no more than three
 * hundredths. Hulls whose faces meet at small angles turn over more than one face within a step, and sink deeper.
 */
#include <abut/abut.h>

#include <stdio.h>

#include "support/bodies.h"
#include "support/check.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/shapes.h"

enum { HULLS = 5, FLOORS = 4 };
static const char *const hull_names[HULLS] = {"dodecahedron", "icosahedron", "prism of 12 sides", "box", "random hull"};
static const char *const floor_names[FLOORS] = {"plane", "box", "mesh", "tiles"};

/* Vertices on a sphere about the origin. */
static int32_t points_of(int kind, random_state *random, abut_vec3 *v) {
    const double g = 1.6180339887498949, h = 1.0 / g;
    int32_t count = 0;
    for (int i = 0; i < 8 && (kind == 0 || kind == 3); i++) {
        v[count++] = abut_vec3_make(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    }
    for (int i = 0; i < 12 && kind < 2; i++) {
        double p = (i & 1 ? 1 : -1) * (kind == 0 ? h : 1.0), q = (i & 2 ? 1 : -1) * g;
        v[count++] = i < 4 ? abut_vec3_make(0, p, q) : i < 8 ? abut_vec3_make(p, q, 0) : abut_vec3_make(q, 0, p);
    }
    for (int i = 0; i < 24 && kind == 2; i++) {
        double angle = 2.0 * 3.14159265358979323846 * (i / 2) / 12.0;
        v[count++] = abut_vec3_make(cos(angle), i & 1 ? 0.6 : -0.6, sin(angle));
    }
    for (int i = 0; i < 20 && kind == 4; i++) {
        v[count++] = random_direction(random);
    }
    return count;
}

static abut_shape *hull_of(int kind, double size, random_state *random) {
    abut_vec3 v[32];
    int32_t count = points_of(kind, random, v);
    double extent = 0.0;
    for (int32_t i = 0; i < count; i++) {
        extent = fmax(extent, 2.0 * fmax(fabs(v[i].x), fmax(fabs(v[i].y), fabs(v[i].z))));
    }
    for (int32_t i = 0; i < count; i++) {
        v[i] = abut_scale(size / extent, v[i]);
    }
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_hull(v, count, &shape));
    return shape;
}

static void add_floor(abut_world *world, int kind) {
    abut_body_def def = abut_body_def_default();
    def.kind = ABUT_BODY_STATIC;
    def.friction = 0.8;
    for (int i = 0; i < (kind == 3 ? 24 : 1); i++) {
        abut_shape *shape = NULL;
        def.pose = at(0, 0, 0);
        if (kind == 0) {
            assert_ok(abut_shape_create_plane(abut_vec3_make(0, 0, 1), 0.0, &shape));
        } else if (kind == 1) {
            shape = box(10.0, 10.0, 0.5);
            def.pose = at(0.0, 0.0, -0.5);
        } else if (kind == 2) {
            shape = meshes_grid(16, 1.0);
            def.pose = at(-8.0, -8.0, 0.0);
        } else {
            const abut_vec3 v[4] = {{0, -4, 0}, {0.7, -4, 0}, {0.7, 4, 0}, {0, 4, 0}};
            const int32_t t[6] = {0, 1, 2, 0, 2, 3};
            shape = i % 2 == 0 ? box(0.35, 4.0, 0.5) : meshes_make(v, 4, t, 2);
            def.pose = at(0.7 * i - (i % 2 == 0 ? 2.45 : 2.8), 0.0, i % 2 == 0 ? -0.5 : 0.0);
        }
        def.shape = shape;
        assert_ok(abut_world_add_body(world, &def, NULL));
        abut_shape_release(shape);
    }
}

typedef struct roll {
    int hull, floor;
    double size, speed, slope; /* of edges over the floor; of gravity */
    uint64_t seed;
} roll;

/* How deep the lowest point sinks below the floor, over the size, at the end of any step. */
static double depth_of(const roll *r) {
    random_state random = random_make(r->seed);
    abut_world_def world_def = abut_world_def_default();
    abut_world *world = NULL;
    world_def.gravity = abut_vec3_make(9.81 * sin(r->slope), 0.0, -9.81 * cos(r->slope));
    assert_ok(abut_world_create(&world_def, &world));
    add_floor(world, r->floor);
    abut_body_def def = abut_body_def_default();
    abut_shape *shape = hull_of(r->hull, r->size, &random);
    def.shape = shape;
    def.friction = 0.8;
    def.pose.rotation = r->hull == 2 ? abut_quat_about(abut_vec3_make(0, 1, 0), random_range(&random, 0, 3)) : random_rotation(&random);
    def.pose.position.z = -abut_shape_bounds(shape, def.pose).lower.z;
    double spin = 2.0 * r->speed / r->size;
    def.motion = (abut_motion){{r->speed, 0, 0}, {0, spin, 0}};
    abut_body_id id;
    assert_ok(abut_world_add_body(world, &def, &id));
    double deepest = 0.0;
    for (int k = 0; k < 120; k++) {
        abut_body_state state;
        assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
        assert_ok(abut_world_body_state(world, id, &state));
        if (fabs(state.pose.position.x) > 7.0 || fabs(state.pose.position.y) > 3.0) {
            break;
        }
        deepest = fmax(deepest, -abut_shape_bounds(shape, state.pose).lower.z / r->size);
    }
    abut_world_destroy(world);
    abut_shape_release(shape);
    return deepest;
}

static void test_rolling(void **state) {
    (void)state;
    uint64_t seed = random_seed("rolls", 20261400);
    int count = random_runs("rolls", 600), wrong = 0;
    double worst[HULLS][FLOORS] = {{0}};
    for (int i = 0; i < count; i++) {
        random_state random = random_make(seed + (uint64_t)i);
        roll r = {.hull = random_below(&random, HULLS), .floor = random_below(&random, FLOORS), .seed = random_next(&random)};
        r.size = random_log_range(&random, 0.3, 1.0);
        r.speed = random_range(&random, 0.0, 4.0) * r.size;
        r.slope = random_below(&random, 2) == 0 ? 0.0 : random_range(&random, 0.0, 0.4);
        double depth = depth_of(&r);
        worst[r.hull][r.floor] = fmax(worst[r.hull][r.floor], depth);
        if (!(depth <= (r.hull == 4 ? 0.1 : r.floor < 2 ? 1e-3 : 3e-2))) {
            wrong++;
            printf("seed %llu: %s on %s, size %.2g, speed %.2g, slope %.2g: %.2g\n", (unsigned long long)(seed + (uint64_t)i),
                   hull_names[r.hull], floor_names[r.floor], r.size, r.speed, r.slope, depth);
        }
    }
    for (int h = 0; h < HULLS; h++) {
        printf("%s: %.2g %.2g %.2g %.2g\n", hull_names[h], worst[h][0], worst[h][1], worst[h][2], worst[h][3]);
    }
    printf("%d rolls, %d wrong\n", count, wrong);
    assert_int_equal(wrong, 0);
}

/* The next face comes down over the joints of a mesh: an edge that crosses one has contacts on both sides of it. */
static void test_over_joints(void **state) {
    (void)state;
    enum { ROLLS = 80 };
    int deep = 0;
    for (int i = 0; i < ROLLS; i++) {
        const roll r = {.hull = i % 4, .floor = 2, .size = 0.3, .speed = 0.9, .slope = 0.0, .seed = 20261500 + (uint64_t)i};
        deep += depth_of(&r) > 1e-3;
    }
    if (deep > ROLLS / 10) {
        fail_msg("%d of %d rolls sink in", deep, ROLLS);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rolling), cmocka_unit_test(test_over_joints)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
