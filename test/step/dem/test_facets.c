/*
 * The dem stepper with bodies of rounded triangles: meshed balls move like balls, for every mesh; other bodies conserve momentum and come
 * to rest on each other, on planes and in fixed meshes; neither threads nor the lists of near pairs change a bit.
 */
#include <abut/facetmesh.h>
#include <abut/world.h>

#include <stdio.h>
#include <stdlib.h>

#include "support/allocator.h"
#include "support/bodies.h"
#include "support/check.h"
#include "support/facet_body.h"
#include "support/random.h"
#include "support/shapes.h"
#include "support/threads.h"

static abut_world *make_world(double gravity, double step_share, int32_t threads) {
    abut_world_def def = abut_world_def_default();
    def.stepper = ABUT_STEPPER_DEM;
    def.gravity = abut_vec3_make(0, 0, -gravity);
    def.dem.step_share = step_share;
    def.parallel.threads = threads;
    return open_world(def);
}

static abut_shape *make_ball(int level, double radius) {
    facet_body body = facet_body_ball(level);
    facet_body_scale(&body, (abut_vec3){radius, radius, radius});
    abut_shape *shape = facet_body_round(&body, radius);
    facet_body_free(&body);
    return shape;
}

static abut_shape *make_ellipsoid(int level, double x, double y, double z) {
    facet_body body = facet_body_ball(level);
    facet_body_scale(&body, (abut_vec3){x, y, z});
    abut_shape *shape = facet_body_shape(&body, NULL);
    facet_body_free(&body);
    return shape;
}

static abut_body_id add(abut_world *world, const abut_shape *shape, abut_pose pose, abut_body_def def) {
    abut_body_id id;
    def.shape = shape;
    def.pose = pose;
    assert_ok(abut_world_add_body(world, &def, &id));
    return id;
}

static void add_plane(abut_world *world, abut_vec3 normal, double offset, abut_body_def def) {
    abut_shape *plane = NULL;
    assert_ok(abut_shape_create_plane(normal, offset, &plane));
    def.kind = ABUT_BODY_STATIC;
    add(world, plane, abut_pose_identity(), def);
    abut_shape_release(plane);
}

static double energy_of(const abut_step_report *r) {
    return r->kinetic_energy + r->potential_energy + r->dem.elastic_energy + r->dem.spring_energy;
}

/* ---- meshed balls are balls ---- */

/* Two balls that graze each other and a plane, without friction, so that the polyhedron's moment of inertia does not matter: positions
 * after half a second. The integration step is given, because the critical step depends on the inertia, too. */
static void fly(abut_shape *const shapes[2], abut_vec3 out[2]) {
    abut_world_def def = abut_world_def_default();
    def.stepper = ABUT_STEPPER_DEM;
    def.dem.step = 2e-5;
    abut_world *world = NULL;
    assert_ok(abut_world_create(&def, &world));
    abut_body_def body = abut_body_def_default();
    body.friction = 0.0;
    body.restitution = 0.7;
    body.mass = 1.0;
    add_plane(world, abut_vec3_make(0, 0, 1), 0.0, body);
    abut_pose turned = at(0.0, 0.0, 0.12);
    turned.rotation = abut_quat_unit(abut_quat_make(0.3, -0.2, 0.5, 0.8));
    body.motion.linear = abut_vec3_make(1.0, 0.1, 0);
    body.motion.angular = abut_vec3_make(3, -2, 5);
    abut_body_id p = add(world, shapes[0], turned, body);
    body.motion.linear = abut_vec3_make(-1.0, 0, -0.3);
    abut_body_id q = add(world, shapes[1], at(0.3, 0.03, 0.2), body);
    for (int i = 0; i < 50; ++i) {
        assert_ok(abut_world_step(world, 1e-2, NULL));
    }
    out[0] = state_of(world, p).centre;
    out[1] = state_of(world, q).centre;
    abut_world_destroy(world);
}

static void test_meshed_balls_are_balls(void **state) {
    (void)state;
    abut_shape *balls[2] = {NULL, NULL};
    assert_ok(abut_shape_create_sphere(0.1, &balls[0]));
    assert_ok(abut_shape_create_sphere(0.07, &balls[1]));
    abut_vec3 whole[2], meshed[2];
    for (int level = 0; level < 4; ++level) {
        abut_shape *meshes[2] = {make_ball(level, 0.1), make_ball(3 - level, 0.07)}, *mixed[2] = {meshes[0], balls[1]},
                   *other[2] = {balls[0], meshes[1]};
        abut_shape *const *pairs[3] = {meshes, mixed, other};
        fly(balls, whole);
        for (int k = 0; k < 3; ++k) {
            fly(pairs[k], meshed);
            double off = fmax(abut_distance_between(meshed[0], whole[0]), abut_distance_between(meshed[1], whole[1]));
            printf("level %d, %s: off by %.2g\n", level, k == 0 ? "both meshed" : k == 1 ? "the first" : "the other", off);
            assert_true(off <= 1e-9);
        }
        abut_shape_release(meshes[0]);
        abut_shape_release(meshes[1]);
    }
    abut_shape_release(balls[0]);
    abut_shape_release(balls[1]);
}

static void test_bounce_keeps_energy(void **state) {
    (void)state;
    abut_world *world = make_world(9.81, 0.01, 1);
    abut_body_def body = abut_body_def_default();
    body.friction = 0.0;
    body.restitution = 1.0;
    body.density = 2500.0;
    add_plane(world, abut_vec3_make(0, 0, 1), 0.0, body);
    abut_shape *ball = make_ball(2, 0.1);
    add(world, ball, at(0, 0, 0.6), body);
    abut_step_report r;
    double first = 0.0, after = 0.0;
    int32_t touching = 0;
    for (int i = 0; i < 800; ++i) {
        assert_ok(abut_world_step(world, 1e-3, &r));
        first = i == 0 ? energy_of(&r) : first;
        touching += r.touching;
        after = fmax(after, r.contacts == 0 ? fabs(energy_of(&r) / first - 1.0) : 0.0);
    }
    printf("bounce: energy before and after within %.2g\n", after);
    assert_true(touching > 0);
    assert_true(after <= 1e-6);
    abut_shape_release(ball);
    abut_world_destroy(world);
}

/* ---- momentum ---- */

static abut_vec3 momentum_of(const abut_world *world, abut_vec3 *angular) {
    abut_body_id ids[64];
    int32_t count;
    abut_vec3 sum = {0, 0, 0};
    assert_ok(abut_world_body_ids(world, ids, 64, &count));
    *angular = sum;
    for (int32_t i = 0; i < count; ++i) {
        abut_body_state s = state_of(world, ids[i]);
        abut_body_info info;
        assert_ok(abut_world_body_info(world, ids[i], &info));
        abut_vec3 p = abut_scale(info.mass, s.motion.linear), spin = abut_quat_rotate_inverse(s.pose.rotation, s.motion.angular);
        sum = abut_add(sum, p);
        *angular =
            abut_add(*angular, abut_add(abut_cross(s.centre, p), abut_quat_rotate(s.pose.rotation, abut_mat3_apply(info.inertia, spin))));
    }
    return sum;
}

static void test_momentum(void **state) {
    (void)state;
    abut_world *world = make_world(0.0, 0.1, 1);
    abut_body_def body = abut_body_def_default();
    body.restitution = 0.5;
    abut_shape *shape = make_ellipsoid(1, 0.1, 0.07, 0.05), *ball = NULL;
    assert_ok(abut_shape_create_sphere(0.06, &ball));
    random_state random = random_make(211);
    for (int32_t i = 0; i < 40; ++i) { /* a loose lattice, with all bodies moving to the middle */
        abut_pose pose = random_pose(&random, 0.0);
        pose.position = abut_scale(0.21, abut_vec3_make(i % 4 - 1.5, i / 4 % 4 - 1.5, i / 16 - 1.0));
        body.motion.linear = abut_add_scaled(random_vec3(&random, -0.5, 0.5), -3.0, pose.position);
        body.motion.angular = random_vec3(&random, -3.0, 3.0);
        add(world, i % 3 == 0 ? ball : shape, pose, body);
    }
    abut_vec3 spin, spin_after, before = momentum_of(world, &spin);
    abut_step_report r;
    int32_t touching = 0;
    for (int i = 0; i < 40; ++i) {
        assert_ok(abut_world_step(world, 5e-3, &r));
        touching += r.touching;
    }
    abut_vec3 after = momentum_of(world, &spin_after);
    assert_true(touching > 50);
    assert_vec3_near(after, before, 1e-12);
    assert_vec3_near(spin_after, spin, 1e-12);
    abut_shape_release(shape);
    abut_shape_release(ball);
    abut_world_destroy(world);
}

/* ---- heaps ---- */

static abut_world *make_heap(int32_t threads, double skin, abut_parallel *parallel) {
    abut_world_def def = abut_world_def_default();
    def.stepper = ABUT_STEPPER_DEM;
    def.dem.skin = skin;
    def.parallel.threads = threads;
    if (parallel != NULL) {
        def.parallel = *parallel;
    }
    abut_world *world = NULL;
    assert_ok(abut_world_create(&def, &world));
    abut_body_def body = abut_body_def_default();
    body.restitution = 0.2;
    body.friction = 0.4;
    body.angular_damping = 2.0; /* nothing else stops a ball that rolls to and fro */
    body.material.young = 1e6;
    add_plane(world, abut_vec3_make(0, 0, 1), 0.0, body);
    add_plane(world, abut_vec3_make(1, 0, 0), -0.25, body);
    add_plane(world, abut_vec3_make(-1, 0, 0), -0.25, body);
    add_plane(world, abut_vec3_make(0, 1, 0), -0.25, body);
    add_plane(world, abut_vec3_make(0, -1, 0), -0.25, body);
    abut_shape *egg = make_ellipsoid(2, 0.1, 0.08, 0.07), *ball = NULL;
    assert_ok(abut_shape_create_sphere(0.07, &ball));
    random_state random = random_make(112);
    for (int32_t i = 0; i < 16; ++i) {
        abut_pose pose = random_pose(&random, 0.0);
        pose.position = abut_add(abut_vec3_make(0.22 * (i % 2) - 0.11, 0.22 * (i / 2 % 2) - 0.11, 0.12 + 0.21 * (i / 4)),
                                 random_vec3(&random, -0.01, 0.01));
        add(world, i % 5 == 4 ? ball : egg, pose, body);
    }
    abut_shape_release(egg);
    abut_shape_release(ball);
    return world;
}

/* Eggs and a few balls fall into a box: finally all forces are balanced, and the floor carries the weight. */
static void test_heap_comes_to_rest(void **state) {
    (void)state;
    abut_world *world = make_heap(1, 0.3, NULL);
    abut_step_report r;
    for (int i = 0; i < 220; ++i) {
        assert_ok(abut_world_step(world, 1e-2, &r));
    }
    const abut_world_contact *contacts;
    int32_t count;
    assert_ok(abut_world_contacts(world, &contacts, &count));
    assert_int_equal(count, r.contacts);
    double up = 0.0, weight = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        abut_body_info a, b;
        assert_ok(abut_world_body_info(world, contacts[i].a, &a));
        assert_ok(abut_world_body_info(world, contacts[i].b, &b));
        abut_vec3 force = abut_add_scaled(contacts[i].friction_force, contacts[i].normal_force, contacts[i].contact.normal);
        assert_true(contacts[i].normal_force >= 0.0 && contacts[i].contact.gap < 0.0 && contacts[i].contact.area >= 0.0);
        up += b.kind == ABUT_BODY_STATIC ? force.z : a.kind == ABUT_BODY_STATIC ? -force.z : 0.0;
    }
    abut_body_id ids[32];
    assert_ok(abut_world_body_ids(world, ids, 32, &count));
    for (int32_t i = 0; i < count; ++i) {
        abut_body_info info;
        assert_ok(abut_world_body_info(world, ids[i], &info));
        weight += 9.81 * info.mass;
    }
    printf("heap: residual %.2g of a weight, %d contacts, planes carry %.6f of the weight\n", r.dem.residual, (int)r.contacts, up / weight);
    assert_true(r.dem.residual <= 1e-3);
    assert_near(up / weight, 1.0, 1e-3);
    assert_true(r.contacts >= 24);
    abut_world_destroy(world);
}

static uint64_t hash_of_heap(int32_t threads, double skin, abut_parallel *parallel, double dt) {
    abut_world *world = make_heap(threads, skin, parallel);
    for (int i = 0, steps = (int)(0.25 / dt + 0.5); i < steps; ++i) {
        assert_ok(abut_world_step(world, dt, NULL));
    }
    uint64_t hash = abut_world_hash(world);
    abut_world_destroy(world);
    return hash;
}

static void test_threads_and_lists(void **state) {
    (void)state;
    three_threads own;
    abut_parallel parallel = three_threads_parallel(&own);
    uint64_t hash = hash_of_heap(1, 0.3, NULL, 1e-2);
    assert_true(hash_of_heap(2, 0.3, NULL, 1e-2) == hash);
    assert_true(hash_of_heap(1, 0.3, &parallel, 1e-2) == hash);
    assert_true(hash_of_heap(1, 0.05, NULL, 1e-2) == hash); /* other lists, the same contacts */
}

/* Distant bodies that are added and removed change the indices of all others in the lists, and nothing else. */
static void test_passers_by(void **state) {
    (void)state;
    abut_world *alone = make_heap(1, 0.3, NULL), *visited = make_heap(1, 0.3, NULL);
    abut_body_id ids[32], guests[2] = {{0, 0}, {0, 0}};
    int32_t count;
    assert_ok(abut_world_body_ids(alone, ids, 32, &count));
    abut_shape *ball = NULL, *egg = make_ellipsoid(1, 0.1, 0.08, 0.07);
    assert_ok(abut_shape_create_sphere(0.1, &ball));
    abut_body_def body = abut_body_def_default();
    body.material.young = 1e5; /* so that they do not make the steps shorter */
    body.restitution = 0.5;
    for (int i = 0; i < 60; ++i) {
        if (i % 3 == 0) {
            abut_shape *shapes[2] = {i % 2 == 0 ? ball : egg, i % 2 == 0 ? egg : ball};
            for (int k = 0; k < 2; ++k) {
                if (guests[k].index != 0) {
                    assert_ok(abut_world_remove_body(visited, guests[k]));
                }
                guests[k] = add(visited, shapes[k], at(50.0 + 10.0 * k, i, 50.0), body);
            }
        }
        assert_ok(abut_world_step(alone, 1e-2, NULL));
        assert_ok(abut_world_step(visited, 1e-2, NULL));
    }
    for (int32_t i = 0; i < count; ++i) {
        abut_body_state p = state_of(alone, ids[i]), q = state_of(visited, ids[i]);
        assert_memory_equal(&p.pose, &q.pose, sizeof p.pose);
        assert_memory_equal(&p.motion.linear, &q.motion.linear, sizeof p.motion.linear);
    }
    abut_shape_release(ball);
    abut_shape_release(egg);
    abut_world_destroy(alone);
    abut_world_destroy(visited);
}

/* A heap saved while it falls continues like the original. */
static void test_saved(void **state) {
    (void)state;
    abut_world *world = make_heap(1, 0.3, NULL), *other = make_heap(1, 0.3, NULL);
    abut_step_report r = {0}, again = {0};
    for (int i = 0; i < 40; ++i) {
        assert_ok(abut_world_step(world, 1e-2, &r));
    }
    assert_true(r.contacts > 10 && r.dem.spring_energy > 0.0);
    size_t size = 0;
    assert_status(abut_world_save(world, NULL, 0, &size), ABUT_ERROR_CAPACITY);
    void *bytes = check_memory(size, 1);
    assert_ok(abut_world_save(world, bytes, size, &size));
    assert_ok(abut_world_restore(other, bytes, size));
    for (int i = 0; i < 20; ++i) {
        assert_ok(abut_world_step(world, 1e-2, &r));
        assert_ok(abut_world_step(other, 1e-2, &again));
        assert_true(abut_world_hash(world) == abut_world_hash(other));
        assert_memory_equal(&r.dem, &again.dem, sizeof r.dem);
    }
    free(bytes);
    abut_world_destroy(world);
    abut_world_destroy(other);
}

/* ---- other settings ---- */

/* A fixed ring, and a ball that falls into its hole and is held all around. This is many times stiffer than one contact, and, with almost
 * no restitution, damped by many dampers. Steps are then shortened automatically. */
static void test_ball_in_a_ring(void **state) {
    (void)state;
    for (int meshed = 0; meshed < 2; ++meshed) {
        abut_world *world = make_world(9.81, 0.1, 1);
        facet_body ring = facet_body_torus(1.0, 0.3, 48, 24);
        abut_shape *torus = facet_body_shape(&ring, NULL), *ball = NULL;
        facet_body_free(&ring);
        if (meshed) {
            ball = make_ball(2, 0.8);
        } else {
            assert_ok(abut_shape_create_sphere(0.8, &ball));
        }
        abut_body_def body = abut_body_def_default();
        body.friction = 0.3;
        body.restitution = 0.05;
        body.material.young = 1e8;
        abut_body_def still = body;
        still.kind = ABUT_BODY_STATIC;
        add(world, torus, abut_pose_identity(), still);
        abut_body_id id = add(world, ball, at(0.01, 0.02, 0.6), body);
        abut_step_report r;
        for (int i = 0; i < 200; ++i) {
            assert_ok(abut_world_step(world, 1e-2, &r));
        }
        /* It rests where the distance of the centres is the sum of the radii: 1.1 from the tube's circle. */
        abut_vec3 c = state_of(world, id).centre;
        printf("ball in a ring: at (%.4f, %.4f, %.4f), residual %.2g\n", c.x, c.y, c.z, r.dem.residual);
        assert_true(r.dem.residual <= 1e-4);
        assert_near(c.x, 0.0, 1e-3);
        assert_near(c.y, 0.0, 1e-3);
        assert_near(c.z, sqrt(1.1 * 1.1 - 1.0), 2e-2);
        abut_shape_release(torus);
        abut_shape_release(ball);
        abut_world_destroy(world);
    }
}

/* Two eggs that collide across the border of the periodic space bounce as they do in the middle. */
static void test_periodic(void **state) {
    (void)state;
    double speed[2];
    for (int over = 0; over < 2; ++over) {
        abut_world_def def = abut_world_def_default();
        def.stepper = ABUT_STEPPER_DEM;
        def.gravity = abut_vec3_make(0, 0, 0);
        def.dem.periodic[0] = over == 1;
        def.dem.lower = abut_vec3_make(-1, -1, -1);
        def.dem.upper = abut_vec3_make(1, 1, 1);
        abut_world *world = NULL;
        assert_ok(abut_world_create(&def, &world));
        abut_body_def body = abut_body_def_default();
        body.restitution = 0.8;
        abut_shape *egg = make_ellipsoid(2, 0.2, 0.1, 0.1);
        body.motion.linear = abut_vec3_make(1, 0, 0);
        add(world, egg, at(over ? 0.7 : -1.3, 0, 0), body);
        body.motion.linear = abut_vec3_make(-1, 0, 0);
        abut_body_id id = add(world, egg, at(-0.7, 0.01, 0), body);
        for (int i = 0; i < 40; ++i) {
            assert_ok(abut_world_step(world, 1e-2, NULL));
        }
        speed[over] = state_of(world, id).motion.linear.x;
        abut_shape_release(egg);
        abut_world_destroy(world);
    }
    assert_true(speed[0] > 0.5);
    assert_near(speed[1], speed[0], 1e-9);
}

/* An egg hangs from a plane by adhesion; an egg twenty times as heavy falls. */
static void test_adhesion(void **state) {
    (void)state;
    double work = 0.05, radius = 1e-3, pull = 1.5 * PI * work * radius;
    for (int heavy = 0; heavy < 2; ++heavy) {
        abut_world *world = make_world(9.81, 0.1, 1);
        abut_body_def body = abut_body_def_default();
        body.adhesion_work = work;
        body.restitution = 0.1;
        body.mass = pull / 9.81 * (heavy ? 1.05 : 0.5);
        add_plane(world, abut_vec3_make(0, 0, -1), 0.0, body);
        abut_shape *ball = make_ball(2, radius);
        abut_body_id id = add(world, ball, at(0, 0, -radius * 0.999), body);
        for (int i = 0; i < 50; ++i) {
            assert_ok(abut_world_step(world, 1e-3, NULL));
        }
        double z = state_of(world, id).centre.z;
        assert_true(heavy ? z < -2.0 * radius : z > -1.01 * radius);
        abut_shape_release(ball);
        abut_world_destroy(world);
    }
}

/* A step that runs out of memory, at any request, leaves the world unchanged. */
/* Force over overlap^1.5 of Hertz's elliptic disc for E* = 1, radii of curvature a / b = 2.25 (test/narrow/facet/test_principal.c has the theory): that of the
 * mean curvature times 1.0550615. */
static double elliptic(double r1, double r2) { return 4.0 / 3.0 * sqrt(2.0 / (1.0 / r1 + 1.0 / r2)) * 1.0550615; }

/* An ellipsoid with both curvatures, on its flattest pole: depth at rest. */
static void test_ellipsoid_at_rest(void **state) {
    (void)state;
    const double a = 0.12, b = 0.08, c = 0.05, young = 2e5, modulus = young / (1.0 - 0.3 * 0.3) / 2.0, mass = 0.5;
    facet_body body = facet_body_ball(4);
    facet_body_scale(&body, (abut_vec3){a, b, c});
    abut_facetmesh_def facets = abut_facetmesh_def_default();
    facets.vertices = body.vertices;
    facets.vertex_count = body.vertex_count;
    facets.triangles = body.triangles;
    facets.triangle_count = body.triangle_count;
    facets.principal = true;
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_facetmesh(&facets, NULL, &shape));
    facet_body_free(&body);
    abut_world *world = make_world(9.81, 0.1, 1);
    abut_body_def def = abut_body_def_default();
    def.material = (abut_material){young, 0.3};
    def.restitution = 0.2;
    def.mass = mass;
    add_plane(world, abut_vec3_make(0, 0, 1), 0.0, def);
    double depth = pow(mass * 9.81 / (modulus * elliptic(a * a / c, b * b / c)), 2.0 / 3.0);
    abut_body_id id = add(world, shape, at(0, 0, c - depth), def);
    for (int i = 0; i < 30; ++i) {
        assert_ok(abut_world_step(world, 1e-2, NULL));
    }
    double found = c - state_of(world, id).centre.z;
    printf("an ellipsoid rests %.6g m deep, by Hertz %.6g m\n", found, depth);
    assert_near(found / depth, 1.0, 5e-3);
    abut_world_destroy(world);
    abut_shape_release(shape);
}

/* The overlap that results have for a slender ellipsoid is how far its pole sank, on coarse meshes too. The spheres of the mean curvatures of its facets
 * overlap by 0.2 to 1.2 times that. */
static void test_overlap_of_ellipsoids(void **state) {
    (void)state;
    const abut_vec3 axes[3] = {{0.1, 0.3, 0.1}, {0.3, 0.1, 0.1}, {0.1, 0.25, 0.1}};
    for (int i = 0; i < 3; i++) {
        facet_body body = facet_body_ball(3 + i % 2);
        facet_body_scale(&body, axes[i]);
        abut_facetmesh_def facets = abut_facetmesh_def_default();
        facets.vertices = body.vertices;
        facets.vertex_count = body.vertex_count;
        facets.triangles = body.triangles;
        facets.triangle_count = body.triangle_count;
        facets.principal = true;
        abut_shape *shape = NULL;
        assert_ok(abut_shape_create_facetmesh(&facets, NULL, &shape));
        facet_body_free(&body);
        abut_world *world = make_world(9.81, 0.1, 1);
        abut_body_def def = abut_body_def_default();
        def.material = (abut_material){1e7, 0.3};
        def.restitution = 0.2;
        def.mass = 12.0;
        add_plane(world, abut_vec3_make(0, 0, 1), 0.0, def);
        abut_body_id id = add(world, shape, at(0, 0, 0.0991), def);
        for (int k = 0; k < 30; ++k) {
            assert_ok(abut_world_step(world, 1e-2, NULL));
        }
        const abut_world_contact *contacts;
        int32_t count;
        assert_ok(abut_world_contacts(world, &contacts, &count));
        assert_int_equal(count, 1);
        double sunk = 0.1 - state_of(world, id).centre.z;
        printf("the pole sank %.6g m, the overlap is %.6g m\n", sunk, -contacts[0].contact.gap);
        assert_near(-contacts[0].contact.gap / sunk, 1.0, 0.02);
        abut_world_destroy(world);
        abut_shape_release(shape);
    }
}

static void test_memory(void **state) {
    (void)state;
    abut_world *world = make_heap(1, 0.3, NULL), *other = make_heap(1, 0.3, NULL);
    for (int i = 0; i < 20; ++i) {
        assert_ok(abut_world_step(world, 1e-2, NULL));
        assert_ok(abut_world_step(other, 1e-2, NULL));
    }
    uint64_t before = abut_world_hash(world);
    int refused = 0;
    counting_allocator memory;
    abut_status status;
    do {
        memory = (counting_allocator){.refuse_at = refused++};
        counting_allocator_install(&memory);
        status = abut_world_step(world, 1e-3, NULL);
        counting_allocator_remove();
        assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
        assert_true(!memory.refused || abut_world_hash(world) == before);
    } while (memory.refused);
    assert_ok(abut_world_step(other, 1e-3, NULL));
    assert_true(abut_world_hash(world) == abut_world_hash(other));
    printf("memory: %d refusals\n", refused);
    abut_world_destroy(world);
    abut_world_destroy(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meshed_balls_are_balls),
        cmocka_unit_test(test_bounce_keeps_energy),
        cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_heap_comes_to_rest),
        cmocka_unit_test(test_threads_and_lists),
        cmocka_unit_test(test_passers_by),
        cmocka_unit_test(test_saved),
        cmocka_unit_test(test_ball_in_a_ring),
        cmocka_unit_test(test_periodic),
        cmocka_unit_test(test_adhesion),
        cmocka_unit_test(test_ellipsoid_at_rest),
        cmocka_unit_test(test_overlap_of_ellipsoids),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
