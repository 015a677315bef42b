/*
 * Flat facets press like elastic layers. The oracle is the volume below a plane over the facets of a body that face it, from the triangles cut at the plane: an
 * edge, a corner or a face of flat facets must have the force E / L times this volume, through its centre.
 * Without overhanging facets it is all of the volume. Then the same on a wall of flat triangles instead of the plane, wherever the seams of the wall lie; and
 * the invariants of two bodies.
 */
#include <stdlib.h>

#include <abut/abut.h>

#include "support/check.h"
#include "support/facet_body.h"
#include "support/pressed.h"
#include "support/random.h"
#include "support/shapes.h"

static abut_pressure_law law_of(double layer) {
    const abut_material rubber = {.young = 3e6, .poisson = 0.3};
    abut_pressure_law law;
    assert_ok(abut_pressure_law_make(&rubber, &rubber, &law));
    law.layer = layer;
    return law;
}

/* ---- bodies ---- */

/* A convex body of flat facets, about as large as the unit ball: 4 triangles of a simplex, or 20 or 80 of a ball pulled out of shape. */
static facet_body convex_body(random_state *random) {
    int32_t level = random_below(random, 3) - 1;
    facet_body body = facet_body_ball(level > 0 ? level : 0);
    if (level < 0) {
        static const int32_t simplex[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
        body.vertex_count = body.triangle_count = 4;
        for (int i = 0; i < 12; i++) {
            body.triangles[i] = simplex[i];
        }
        const abut_vec3 corner[4] = {{-0.4, -0.3, -0.3}, {0.9, 0.0, -0.2}, {0.0, 0.8, -0.3}, {0.1, 0.1, 0.7}};
        for (int i = 0; i < 4; i++) {
            body.vertices[i] = corner[i];
        }
    }
    facet_body_scale(&body, abut_vec3_make(random_range(random, 0.5, 1.0), random_range(random, 0.5, 1.0), random_range(random, 0.5, 1.0)));
    return body;
}

static double lowest(const facet_body *body, abut_quat turn) {
    double low = INFINITY;
    for (int32_t v = 0; v < body->vertex_count; v++) {
        low = fmin(low, abut_quat_rotate(turn, body->vertices[v]).z);
    }
    return low;
}

/* ---- the oracle ---- */

typedef struct below {
    double volume;
    abut_vec3 moment; /* of the volume */
} below;

/* The column between a triangle under the plane z = 0 and the plane. */
static void add_column(abut_vec3 p, abut_vec3 q, abut_vec3 r, below *sum) {
    double area = -0.5 * ((q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)), depth = -(p.z + q.z + r.z);
    sum->volume += area * depth / 3.0;
    sum->moment.x += area * (p.x * (depth - p.z) + q.x * (depth - q.z) + r.x * (depth - r.z)) / 12.0;
    sum->moment.y += area * (p.y * (depth - p.z) + q.y * (depth - q.z) + r.y * (depth - r.z)) / 12.0;
}

static below volume_below(const facet_body *body, abut_pose pose) {
    below sum = {0};
    for (int32_t t = 0; t < body->triangle_count; t++) {
        abut_vec3 cut[4], corner[3];
        int count = 0;
        for (int i = 0; i < 3; i++) {
            corner[i] = abut_pose_apply(pose, body->vertices[body->triangles[3 * t + i]]);
        }
        if (!(-abut_unit(abut_cross(abut_sub(corner[1], corner[0]), abut_sub(corner[2], corner[0]))).z > 1e-3)) {
            continue;
        }
        for (int i = 0; i < 3; i++) {
            abut_vec3 p = corner[i], q = corner[(i + 1) % 3];
            if (p.z <= 0.0) {
                cut[count++] = p;
            }
            if ((p.z <= 0.0) != (q.z <= 0.0)) {
                cut[count++] = abut_lerp(p, q, p.z / (p.z - q.z));
            }
        }
        for (int i = 2; i < count; i++) {
            add_column(cut[0], cut[i - 1], cut[i], &sum);
        }
    }
    return sum;
}

/* ---- on a plane ---- */

/* A pose in which the body is `depth` below z = 0. */
static abut_pose pressed_by(const facet_body *body, random_state *random, double depth, double off) {
    abut_quat turn = random_rotation(random);
    return (abut_pose){{random_range(random, -off, off), random_range(random, -off, off), -lowest(body, turn) - depth}, turn};
}

static void expect_volume(const abut_pressure_result *r, const below *v, abut_vec3 centre, double stiffness, double tolerance) {
    double unit = stiffness * v->volume;
    assert_vec3_near(r->force, abut_vec3_make(0, 0, unit), tolerance * unit);
    abut_vec3 arm = abut_vec3_make(v->moment.x / v->volume - centre.x, v->moment.y / v->volume - centre.y, 0);
    assert_vec3_near(r->moment_a, abut_cross(arm, abut_vec3_make(0, 0, unit)), tolerance * unit);
}

static void test_volume_below_a_plane(void **state) {
    (void)state;
    random_state random = random_make(random_seed("volume below a plane", 1));
    int32_t samples = random_samples("volume below a plane", 4000);
    abut_shape *floor = plane(abut_vec3_make(0, 0, 1), 0.0);
    abut_pressure_law law = law_of(0.8);
    for (int32_t i = 0; i < samples; i++) {
        facet_body body = convex_body(&random);
        abut_shape *shape = facet_body_round(&body, INFINITY);
        abut_pose pose = pressed_by(&body, &random, random_log_range(&random, 1e-5, 5e-2), 1.0);
        below v = volume_below(&body, pose);
        abut_pressure_result a = pressed_pair(&(abut_pair){shape, pose, floor, at(0, 0, 0)}, &law);
        expect_volume(&a, &v, pose.position, law.modulus / law.layer, 1e-9);
        abut_pressure_result b = pressed_pair(&(abut_pair){floor, at(0, 0, 0), shape, pose}, &law);
        assert_vec3_near(b.force, abut_neg(a.force), 1e-9 * abut_length(a.force));
        assert_vec3_near(b.moment_b, a.moment_a, 1e-9 * abut_length(a.force));
        abut_shape_release(shape);
        facet_body_free(&body);
    }
    abut_shape_release(floor);
}

/* ---- on a wall of triangles ---- */

/* A slab whose upper face is a grid of n by n squares, distorted in its plane; z = 0. */
static abut_shape *slab(int n, random_state *random) {
    int side = n + 1, top = side * side;
    abut_vec3 *vertices = malloc((size_t)(2 * top) * sizeof *vertices);
    int32_t *triangles = malloc(sizeof *triangles * 3 * (size_t)(4 * n * n + 8 * n)), *t = triangles;
    assert_true(vertices != NULL && triangles != NULL);
    for (int i = 0; i < top; i++) {
        int x = i % side, y = i / side;
        bool rim = x == 0 || y == 0 || x == n || y == n;
        double shift = rim ? 0.0 : 0.3;
        vertices[i] = abut_vec3_make(6.0 * (x + random_range(random, -1, 1) * shift) / n - 3.0,
                                     6.0 * (y + random_range(random, -1, 1) * shift) / n - 3.0, 0.0);
        vertices[top + i] = abut_vec3_make(vertices[i].x, vertices[i].y, -2.0);
    }
    for (int y = 0; y < n; y++) {
        for (int x = 0; x < n; x++) {
            int32_t a = y * side + x, b = a + 1, c = a + side, d = c + 1;
            const int32_t squares[12] = {a, b, d, a, d, c, top + a, top + d, top + b, top + a, top + c, top + d};
            for (int k = 0; k < 12; k++) {
                *t++ = squares[k];
            }
        }
    }
    for (int k = 0; k < n; k++) {
        const int32_t rim[4][2] = {
            {k, k + 1}, {n * side + k + 1, n * side + k}, {(k + 1) * side, k * side}, {k * side + n, (k + 1) * side + n}};
        for (int w = 0; w < 4; w++) {
            int32_t p = rim[w][0], q = rim[w][1];
            const int32_t wall[6] = {p, top + p, q, q, top + p, top + q};
            for (int j = 0; j < 6; j++) {
                *t++ = wall[j];
            }
        }
    }
    facet_body body = {vertices, triangles, 2 * top, (int32_t)((t - triangles) / 3)};
    abut_shape *shape = facet_body_round(&body, INFINITY);
    facet_body_free(&body);
    return shape;
}

static void test_wall_of_triangles(void **state) {
    (void)state;
    random_state random = random_make(random_seed("wall of triangles", 2));
    int32_t samples = random_samples("wall of triangles", 1000);
    abut_pressure_law law = law_of(0.8);
    for (int32_t i = 0; i < samples; i++) {
        abut_shape *wall = slab(1 + random_below(&random, 6), &random);
        facet_body body = convex_body(&random);
        abut_shape *shape = facet_body_round(&body, INFINITY);
        abut_pose pose = pressed_by(&body, &random, random_log_range(&random, 1e-5, 3e-2), 1.0), world = random_pose(&random, 5.0);
        below v = volume_below(&body, pose);
        abut_pair pair = {shape, abut_pose_compose(world, pose), wall, world};
        abut_pressure_result a = pressed_pair(&pair, &law);
        /* Back in the frame of the wall. */
        abut_pressure_result local = {.force = abut_quat_rotate_inverse(world.rotation, a.force),
                                      .moment_a = abut_quat_rotate_inverse(world.rotation, a.moment_a)};
        expect_volume(&local, &v, pose.position, law.modulus / law.layer, 1e-8);
        abut_pressure_result b = pressed_pair(&(abut_pair){wall, world, shape, pair.pose_a}, &law);
        assert_vec3_near(b.force, abut_neg(a.force), 1e-9 * abut_length(a.force));
        assert_vec3_near(b.moment_b, a.moment_a, 1e-8 * abut_length(a.force));
        abut_shape_release(shape);
        abut_shape_release(wall);
        facet_body_free(&body);
    }
}

/* ---- two bodies ---- */

/* The force is the derivative of the energy by the displacement; force and moments are in balance. */
static void test_force_is_derivative_of_energy(void **state) {
    (void)state;
    random_state random = random_make(random_seed("derivative of the energy", 3));
    int32_t samples = random_samples("derivative of the energy", 2000), pressing = 0;
    abut_pressure_law law = law_of(1.0);
    for (int32_t i = 0; i < samples; i++) {
        facet_body body = convex_body(&random), other = convex_body(&random);
        abut_shape *a = facet_body_round(&body, INFINITY), *b = facet_body_round(&other, INFINITY);
        abut_pose pose = pressed_by(&body, &random, 0.02, 0.2), below_it = {{0, 0, 0}, random_rotation(&random)};
        double top = -INFINITY;
        for (int32_t v = 0; v < other.vertex_count; v++) {
            top = fmax(top, abut_quat_rotate(below_it.rotation, other.vertices[v]).z);
        }
        below_it.position.z = -top;
        abut_pressure_result r = pressed_pair(&(abut_pair){a, pose, b, below_it}, &law);
        const double step = 1e-6;
        abut_vec3 derivative;
        double *d = &derivative.x;
        for (int axis = 0; axis < 3; axis++) {
            double energy[2];
            for (int side = 0; side < 2; side++) {
                abut_pose moved = pose;
                (&moved.position.x)[axis] += side == 0 ? -step : step;
                energy[side] = pressed_pair(&(abut_pair){a, moved, b, below_it}, &law).elastic_energy;
            }
            d[axis] = (energy[0] - energy[1]) / (2.0 * step);
        }
        pressing += r.contacts > 0;
        assert_vec3_near(r.force, derivative, 1e-4 * abut_length(r.force) + 1e-6);
        abut_vec3 arm = abut_sub(pose.position, below_it.position);
        assert_vec3_near(abut_add(abut_add(r.moment_a, r.moment_b), abut_cross(arm, r.force)), abut_vec3_make(0, 0, 0),
                         1e-12 * abut_length(r.force));
        abut_shape_release(a);
        abut_shape_release(b);
        facet_body_free(&body);
        facet_body_free(&other);
    }
    assert_true(pressing > samples / 20);
}

/* Without a layer flat facets do not press. Facets at a right angle do not either. */
static void test_layer(void **state) {
    (void)state;
    abut_facet lower = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, INFINITY}, upper = {{{0, 0, -0.01}, {0, 1, -0.01}, {1, 0, -0.01}}, INFINITY},
               side = {{{0.3, 0, -0.5}, {0.3, 0, 0.5}, {0.3, 1, 0}}, INFINITY};
    abut_pressure_law law = law_of(0.0), pressing = law_of(0.5);
    const abut_pressure_body bodies[2] = {{.inverse_mass = 0.0}, {.inverse_mass = 0.0}};
    abut_facet_contact c;
    abut_pressure_result r;
    assert_ok(abut_facet_collide(&upper, &lower, &c));
    assert_int_equal(c.relation, ABUT_FACET_CONTACT);
    assert_near(c.gap, -0.01, 1e-15);
    assert_near(c.area_in_circle, 0.5, 1e-14);
    assert_true(isinf(c.radius));
    assert_ok(abut_pressure_pair(&c, NULL, 1, &law, bodies, 0.0, NULL, NULL, &r));
    assert_int_equal(r.contacts, 0);
    assert_ok(abut_pressure_pair(&c, NULL, 1, &pressing, bodies, 0.0, NULL, NULL, &r));
    assert_vec3_near(r.force, abut_vec3_make(0, 0, pressing.modulus * 0.01), 1e-8 * r.force.z);
    assert_near(r.largest_pressure, pressing.modulus / 0.5 * 0.01, 1e-9 * pressing.modulus);
    assert_ok(abut_facet_collide(&side, &lower, &c));
    assert_int_equal(c.relation, ABUT_FACET_TURNED);
    law.layer = -1.0;
    assert_ok(abut_facet_collide(&upper, &lower, &c));
    assert_status(abut_pressure_pair(&c, NULL, 1, &law, bodies, 0.0, NULL, NULL, &r), ABUT_ERROR_INVALID_ARGUMENT);
    law.layer = NAN;
    assert_status(abut_pressure_pair(&c, NULL, 1, &law, bodies, 0.0, NULL, NULL, &r), ABUT_ERROR_INVALID_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_volume_below_a_plane),
        cmocka_unit_test(test_wall_of_triangles),
        cmocka_unit_test(test_force_is_derivative_of_energy),
        cmocka_unit_test(test_layer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
