/* Cylinders and cones in contact, distance, overlap, casts, rates and worlds: closed forms and invariants. test/accuracy/test_cylinder_pairs.c has random
 * pairs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <abut/abut.h>

#include "support/check.h"
#include "support/random.h"
#include "support/shapes.h"

enum { MOST = 400 };

static const abut_vec3 X = {1, 0, 0}, Y = {0, 1, 0};

/* A closed form: the gap, and the normal, which is not asked when it is zero. */
typedef struct closed_form {
    const char *what;
    abut_shape *a;
    abut_pose pose_a;
    abut_shape *b;
    abut_pose pose_b;
    double gap;
    abut_vec3 normal;
} closed_form;

static void judge(const closed_form *c) {
    abut_separation s, back;
    abut_contact contact[MOST];
    int32_t count;
    bool overlap;
    const abut_pair pair = {c->a, c->pose_a, c->b, c->pose_b}, swapped = {c->b, c->pose_b, c->a, c->pose_a};
    assert_ok(abut_distance(&pair, NULL, NULL, &s));
    assert_ok(abut_distance(&swapped, NULL, NULL, &back));
    assert_ok(abut_overlap(&pair, NULL, &overlap));
    assert_ok(abut_collide(&pair, NULL, NULL, contact, MOST, &count));
    print_message("%s: gap %.17g\n", c->what, s.gap);
    assert_near(s.gap, c->gap, 1e-14);
    assert_near(back.gap, c->gap, 1e-14);
    assert_int_equal(overlap, c->gap <= 0.0);
    assert_int_equal(count > 0, c->gap <= 0.0);
    if (abut_length(c->normal) > 0.0) {
        assert_vec3_near(s.normal, c->normal, 1e-12);
        assert_vec3_near(back.normal, abut_neg(c->normal), 1e-12);
    }
    abut_shape_release(c->a);
    abut_shape_release(c->b);
}

static void test_closed_forms(void **state) {
    (void)state;
    const double root = sqrt(0.5), flat = 1e-7, tilt = 0.125 * flat;
    abut_shape *sphere, *capsule;
    assert_ok(abut_shape_create_sphere(0.5, &sphere));
    assert_ok(abut_shape_create_capsule(0.5, 1.0, &capsule));
    const closed_form all[] = {
        {"two cylinders 5 apart", cylinder(5, 5), at(0, 0, 0), cylinder(5, 5), at(15, 0, 0), 5.0, {-1, 0, 0}},
        {"side by side", cylinder(5, 5), at(0, 0, 0), cylinder(5, 5), at(9.9, 0, 0), -0.1, {-1, 0, 0}},
        {"coincident", cylinder(5, 5), at(0, 0, 0), cylinder(5, 5), at(0, 0, 0), -10.0, {0, 0, 0}},
        {"coaxial discs", cylinder(5, 1), at(0, 0, 0), cylinder(5, 1), at(0, 0, 1.5), -0.5, {0, 0, -1}},
        {"crossed", cylinder(1, 3), at(0, 0, 0), cylinder(1, 3), turned(at(1.5, 0, 0), Y, 0.0), -0.5, {-1, 0, 0}},
        {"square to each other", cylinder(1, 3), at(0, 0, 0), cylinder(1, 3), turned(at(1.5, 0.3, 0.2), X, PI / 2), -0.5, {-1, 0, 0}},
        {"axes that cross in the centre", cylinder(1, 3), at(0, 0, 0), cylinder(1, 3), turned(at(0, 0, 0), X, PI / 2), -2.0, {0, 0, 0}},
        {"rim over rim, side on", cylinder(1, 1), at(0, 0, 0), cylinder(1, 1), at(3, 0, 3), sqrt(2.0), {-root, 0, -root}},
        {"two cones, base on base", cone(5, 10), at(0, 0, 0), cone(5, 10), turned(at(0, 0, -4.9), X, PI), -0.1, {0, 0, 1}},
        {"apex on disc", cone(1, 4), turned(at(0, 0, 3.9), X, PI), cylinder(2, 1), at(0, 0, 0), -0.1, {0, 0, 1}},
        {"apex over disc", cone(1, 4), turned(at(0.5, 0, 4.25), X, PI), cylinder(2, 1), at(0, 0, 0), 0.25, {0, 0, 1}},
        {"cone beside box", cone(1, 4), at(1.95, 0, 0), box(1, 3, 3), at(0, 0, 0), -0.05, {1, 0, 0}},
        {"rim at the edge of a box", cylinder(1, 1), at(0, 0, 0), box(1, 1, 1), at(3, 0, 3), sqrt(2.0), {-root, 0, -root}},
        {"cylinder on box", cylinder(1, 1), at(0.3, 0, 1.999), box(1, 1, 1), at(0, 0, 0), -0.001, {0, 0, 1}},
        {"cylinder lies on box", cylinder(1, 1), turned(at(0.3, 0, 1.999), X, PI / 2), box(1, 1, 1), at(0, 0, 0), -0.001, {0, 0, 1}},
        {"box corner in the side",
         cylinder(1, 3),
         at(0, 0, 0),
         box(1, 1, 1),
         turned(at(0.9 + sqrt(2.0), 0, 0), abut_vec3_make(0, 0, 1), PI / 4),
         -0.1,
         {-1, 0, 0}},
        {"sphere in the side", cylinder(1, 1), at(0, 0, 0), sphere, at(1.25, 0, 0), -0.25, {-1, 0, 0}},
        {"capsule along the side", cylinder(1, 1), at(0, 0, 0), capsule, at(1.25, 0, 0), -0.25, {-1, 0, 0}},
        {"a flat disc and a ball's edge", cylinder(1, 1e-8), at(0, 0, 0), cylinder(1, 1e-8), at(0, 0, 1.0), 1.0 - 2e-8, {0, 0, -1}},
        {"the side of a flat cone over a rim",
         cone(8, flat),
         turned(at(0, 0, 0), X, PI),
         cone(8, flat),
         turned(at(12, 0, -8), X, PI),
         (8.0 - 0.5 * flat) / sqrt(1.0 + tilt * tilt),
         {-tilt, 0, 1}},
        {"a needle through a disc", cylinder(1e-6, 10), at(0.2, 0, 0), cylinder(1, 0.25), at(0, 0, 0), -0.800001, {1, 0, 0}},
        {"sizes of a million to one", cylinder(1e6, 1), at(0, 0, 0), cylinder(1, 1), at(5, 7, 1.75), -0.25, {0, 0, -1}},
        {"far from the origin", cylinder(1, 1), at(1048576, 524288, 0), cylinder(1, 1), at(1048577.5, 524288, 0), -0.5, {-1, 0, 0}},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        judge(&all[i]);
    }
}

/* The cone's side on a plane: two contacts at the ends of the line. */
static void test_lying_cone(void **state) {
    (void)state;
    abut_contact contact[MOST];
    int32_t count;
    abut_shape *c = cone(1, 2), *plane;
    assert_ok(abut_shape_create_plane(abut_vec3_make(0, 0, 1), 0.0, &plane));
    double lean = PI - atan2(2.0, 1.0); /* turns the side's normal downwards */
    abut_pose pose = turned(at(0, 0, 0), Y, lean);
    abut_aabb bounds = abut_shape_bounds(c, pose);
    pose.position.z = -bounds.lower.z - 0.01;
    assert_ok(abut_collide(&(abut_pair){c, pose, plane, abut_pose_identity()}, NULL, NULL, contact, MOST, &count));
    assert_int_equal(count, 2);
    assert_near(contact[0].gap, -0.01, 1e-12);
    assert_near(contact[1].gap, -0.01, 1e-12);
    assert_near(abut_distance_between(contact[0].on_a, contact[1].on_a), sqrt(5.0), 1e-12);
    abut_shape_release(c);
    abut_shape_release(plane);
}

/* The same bits for any cache. */
static void test_caches(void **state) {
    (void)state;
    random_state r = random_make(random_seed("caches", 5));
    abut_shape *shape[4] = {cylinder(1, 1), cone(1, 2), box(1, 0.7, 0.5), cylinder(0.3, 2)};
    for (int i = 0; i < 2000; ++i) {
        abut_pair pair = {shape[random_below(&r, 2)], random_pose(&r, 1.0), shape[random_below(&r, 4)], random_pose(&r, 1.0)};
        abut_contact cold[MOST], warm[MOST];
        abut_cache cache = {.axis = random_direction(&r)};
        int32_t count, again;
        memset(cold, 0, sizeof cold);
        memset(warm, 0, sizeof warm);
        assert_ok(abut_collide(&pair, NULL, NULL, cold, MOST, &count));
        assert_ok(abut_collide(&pair, NULL, &cache, warm, MOST, &again));
        assert_int_equal(count, again);
        for (int32_t k = 0; k < count; ++k) {
            assert_memory_equal(&cold[k].on_a, &warm[k].on_a, sizeof cold[k].on_a);
            assert_memory_equal(&cold[k].normal, &warm[k].normal, sizeof cold[k].normal);
            assert_true(cold[k].gap == warm[k].gap && cold[k].id == warm[k].id);
        }
        abut_separation s, t;
        assert_ok(abut_distance(&pair, NULL, NULL, &s));
        assert_ok(abut_distance(&pair, NULL, &cache, &t));
        assert_true(s.gap == t.gap);
    }
    for (int i = 0; i < 4; ++i) {
        abut_shape_release(shape[i]);
    }
}

/* Each contact keeps its id when A and B are exchanged. Pairs whose number of contacts rounding error changes are left out: test/accuracy counts them. */
static void test_ids_of_exchanged(void **state) {
    (void)state;
    random_state r = random_make(random_seed("exchanged", 7));
    abut_shape *shape[5] = {cylinder(1, 1), cone(1, 2), box(1, 0.7, 0.5), cylinder(0.3, 2), cone(0.4, 0.7)};
    for (int32_t i = random_samples("exchanged", 2000); i > 0; --i) {
        abut_pair pair = {shape[random_below(&r, 2)], random_pose(&r, 1.0), shape[random_below(&r, 5)], random_pose(&r, 1.0)};
        if (random_below(&r, 2)) {
            pair.pose_a.rotation = random_tidy_rotation(&r);
            pair.pose_b.rotation = random_tidy_rotation(&r);
        }
        abut_contact one[MOST], other[MOST];
        int32_t count, others;
        assert_ok(abut_collide(&pair, NULL, NULL, one, MOST, &count));
        assert_ok(abut_collide(&(abut_pair){pair.b, pair.pose_b, pair.a, pair.pose_a}, NULL, NULL, other, MOST, &others));
        for (int32_t k = 0; k < count && count == others; ++k) {
            int32_t at = 0;
            while (at < others && other[at].id != one[k].id) {
                ++at;
            }
            assert_true(at < others);
            assert_true(abut_distance_between(one[k].on_a, other[at].on_b) < 1e-5);
            assert_true(abut_distance_between(one[k].on_b, other[at].on_a) < 1e-5);
        }
    }
    for (int i = 0; i < 5; ++i) {
        abut_shape_release(shape[i]);
    }
}

/* The touch of a moving body: the gap there is that of the distance. */
static void test_casts(void **state) {
    (void)state;
    random_state r = random_make(random_seed("casts", 6));
    abut_shape *shape[3] = {cylinder(1, 1), cone(1, 2), box(1, 0.7, 0.5)};
    for (int i = 0; i < 300; ++i) {
        abut_pair pair = {shape[random_below(&r, 2)], random_pose(&r, 0.0), shape[random_below(&r, 3)], random_pose(&r, 0.5)};
        abut_vec3 away = random_direction(&r);
        pair.pose_b.position = abut_add_scaled(pair.pose_b.position, 6.0, away);
        abut_motion motion = {abut_scale(-7.0, away), {0, 0, 0}};
        abut_hit hit;
        abut_separation s;
        assert_ok(abut_shape_cast(&pair, (abut_motion){{0, 0, 0}, {0, 0, 0}}, motion, 1e-6, &hit));
        if (hit.hit) {
            pair.pose_b.position = abut_add_scaled(pair.pose_b.position, hit.fraction, motion.linear);
            assert_ok(abut_distance(&pair, NULL, NULL, &s));
            assert_true(s.gap > 0.0 && s.gap <= 1e-6);
        }
    }
    for (int i = 0; i < 3; ++i) {
        abut_shape_release(shape[i]);
    }
}

/* The rate of the gap beside central differences of the distance. */
static void test_rates(void **state) {
    (void)state;
    enum { SAMPLES = 300 };
    const double h = 1e-4;
    random_state r = random_make(random_seed("rates", 7));
    abut_shape *shape[3] = {cylinder(1, 1), cone(1, 2), box(1, 0.7, 0.5)};
    for (int i = 0; i < SAMPLES; ++i) {
        abut_pair pair = {shape[random_below(&r, 2)], random_pose(&r, 0.0), shape[random_below(&r, 3)], random_pose(&r, 0.2)};
        pair.pose_b.position = abut_add_scaled(pair.pose_b.position, 4.0, random_direction(&r));
        abut_separation s[3];
        abut_vec3 v = random_direction(&r);
        for (int k = -1; k <= 1; ++k) {
            abut_pair moved = pair;
            moved.pose_b.position = abut_add_scaled(pair.pose_b.position, k * h, v);
            assert_ok(abut_distance(&moved, NULL, NULL, &s[k + 1]));
        }
        abut_contact contact = {.on_a = s[1].on_a,
                                .on_b = s[1].on_b,
                                .normal = s[1].normal,
                                .gap = s[1].gap,
                                .feature_a = s[1].feature_a,
                                .feature_b = s[1].feature_b};
        abut_curvature of_a, of_b;
        abut_kinematics still = {.centre = pair.pose_a.position}, moving = {.centre = pair.pose_b.position, .velocity = {v, {0, 0, 0}}};
        abut_rates rates;
        assert_ok(abut_contact_surfaces(&contact, &pair, &of_a, &of_b));
        assert_ok(abut_contact_rates(&contact, &of_a, &of_b, &still, &moving, &rates));
        assert_near(rates.gap_rate, (s[2].gap - s[0].gap) / (2.0 * h), 1e-6);
        bool same = s[0].feature_a.kind == s[2].feature_a.kind && s[0].feature_b.kind == s[2].feature_b.kind && rates.flags == 0;
        if (same) {
            assert_near(rates.gap_acceleration, (s[2].gap - 2.0 * s[1].gap + s[0].gap) / (h * h), 1e-5);
        }
    }
    for (int i = 0; i < 3; ++i) {
        abut_shape_release(shape[i]);
    }
}

/* A flat floor of eight triangles. */
static abut_shape *floor_of_triangles(void) {
    abut_vec3 vertex[9];
    int32_t triangle[24], count = 0;
    for (int i = 0; i < 9; ++i) {
        vertex[i] = abut_vec3_make(4.0 * (i % 3) - 4.0, 4.0 * (i / 3) - 4.0, 0.0);
    }
    for (int i = 0; i < 4; ++i) {
        int o = 3 * (i / 2) + i % 2;
        const int corner[6] = {o, o + 1, o + 4, o, o + 4, o + 3};
        for (int k = 0; k < 6; ++k) {
            triangle[count++] = corner[k];
        }
    }
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = vertex;
    def.vertex_count = 9;
    def.triangles = triangle;
    def.triangle_count = 8;
    abut_shape *shape;
    assert_ok(abut_shape_create_trimesh(&def, NULL, &shape));
    return shape;
}

/* A disc on triangles is one patch, as on a face. */
static void test_on_mesh(void **state) {
    (void)state;
    abut_contact contact[MOST];
    int32_t count;
    abut_shape *c = cylinder(1, 1), *mesh = floor_of_triangles();
    assert_ok(abut_collide(&(abut_pair){c, at(0.1, 0.2, 0.99), mesh, abut_pose_identity()}, NULL, NULL, contact, MOST, &count));
    double area = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        area += contact[i].area;
        assert_near(contact[i].gap, -0.01, 1e-12);
        assert_near(contact[i].normal.z, 1.0, 1e-12);
        assert_int_equal(contact[i].patch, 0);
    }
    assert_near(area, PI, 1e-3 * PI);
    assert_ok(abut_collide(&(abut_pair){c, turned(at(0.1, 0.2, 0.99), X, PI / 2), mesh, abut_pose_identity()}, NULL, NULL, contact, MOST,
                           &count));
    for (int32_t i = 0; i < count; ++i) {
        assert_near(contact[i].gap, -0.01, 1e-12);
        assert_near(contact[i].normal.z, 1.0, 1e-12);
    }
    assert_true(count >= 2);
    abut_shape_release(c);
    abut_shape_release(mesh);
}

/* A cylinder and a cone come to rest, standing and tumbled, on a plane, a box and a mesh. */
static void test_rest(void **state) {
    (void)state;
    abut_shape *plane, *floor_box = box(5, 5, 1), *mesh = floor_of_triangles();
    assert_ok(abut_shape_create_plane(abut_vec3_make(0, 0, 1), 0.0, &plane));
    abut_shape *below[3] = {plane, floor_box, mesh}, *body[2] = {cylinder(1, 1), cone(1, 2)};
    for (int i = 0; i < 12; ++i) {
        abut_world_def def = abut_world_def_default();
        abut_body_def floor_def = abut_body_def_default(), body_def = abut_body_def_default();
        abut_world *world;
        abut_body_id id;
        abut_body_state end;
        floor_def.kind = ABUT_BODY_STATIC;
        floor_def.shape = below[i % 3];
        floor_def.pose = at(0, 0, i % 3 == 1 ? -1.0 : 0.0);
        body_def.shape = body[i / 3 % 2];
        body_def.pose = i < 6 ? at(0.1, 0.2, 1.05) : turned(at(0.1, 0.2, 1.6), abut_vec3_make(1, 2, 3), 0.9);
        assert_ok(abut_world_create(&def, &world));
        assert_ok(abut_world_add_body(world, &floor_def, NULL));
        assert_ok(abut_world_add_body(world, &body_def, &id));
        for (int step = 0; step < 900; ++step) {
            assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
        }
        assert_ok(abut_world_body_state(world, id, &end));
        print_message("world %d: height %.6f, speed %.3g, spin %.3g\n", i, end.pose.position.z, abut_length(end.motion.linear),
                      abut_length(end.motion.angular));
        assert_true(end.pose.position.z > 0.3 && end.pose.position.z < 1.1);
        assert_true(fabs(end.motion.linear.z) < 1e-3);
        abut_world_destroy(world);
    }
    abut_shape_release(plane);
    abut_shape_release(floor_box);
    abut_shape_release(mesh);
    abut_shape_release(body[0]);
    abut_shape_release(body[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_closed_forms), cmocka_unit_test(test_lying_cone),
                                       cmocka_unit_test(test_caches),       cmocka_unit_test(test_ids_of_exchanged),
                                       cmocka_unit_test(test_casts),        cmocka_unit_test(test_rates),
                                       cmocka_unit_test(test_on_mesh),      cmocka_unit_test(test_rest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
