/*
 * Bodies of rounded triangles: mass of the polyhedron, bounds that hold the bulging pieces of spheres, refused arguments, and moving vertices.
 */
#include "shape/facet/mesh.h"

#include <stdlib.h>
#include <string.h>

#include "shape/bounds.h"
#include "shape/shape.h"
#include "support/allocator.h"
#include "support/check.h"
#include "support/facet_body.h"
#include "support/random.h"

/* ---- mass ---- */

static void test_mass(void **state) {
    (void)state;
    for (int k = 0; k < 3; ++k) { /* a cube of half size 1e-4, 1, 1e4, as twelve triangles */
        double h = k == 0 ? 1e-4 : k == 1 ? 1.0 : 1e4;
        abut_vec3 corner[8];
        const int32_t faces[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                   2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
        for (int i = 0; i < 8; ++i) {
            corner[i] = abut_vec3_make(i & 1 ? h : -h, i & 2 ? h : -h, i & 4 ? h : -h);
        }
        const abut_facetmesh_def def = {.vertices = corner, .vertex_count = 8, .triangles = faces, .triangle_count = 12};
        abut_facetmesh_report report;
        abut_shape *shape;
        abut_mass mass;
        assert_ok(abut_shape_create_facetmesh(&def, &report, &shape));
        assert_ok(abut_shape_mass(shape, 2.0, &mass));
        assert_near(mass.volume / (8.0 * h * h * h), 1.0, 1e-14);
        assert_near(mass.inertia.x.x / (mass.mass * 2.0 / 3.0 * h * h), 1.0, 1e-14);
        assert_near(report.least_radius / h, sqrt(3.0), 1e-14); /* equal to the ball through its corners */
        assert_int_equal(report.culprit, -1);
        assert_int_equal(abut_shape_facet_count(shape), 12);
        assert_int_equal(abut_shape_triangle_count(shape), 12);
        assert_int_equal(abut_shape_vertex_count(shape), 8);
        assert_string_equal(abut_kind_name(abut_shape_kind(shape)), "facetmesh");
        abut_shape_release(shape);
    }
}

/* ---- radii ---- */

static void test_given_radii_are_kept_beside_those_that_count(void **state) {
    (void)state;
    static const abut_vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const abut_vec3 half[4] = {{0, 0, 0}, {0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 0.5}};
    static const int32_t faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    static const double radii[4] = {0.5, 2.0, INFINITY, 0.5};
    const double circles[4] = {sqrt(0.5), 2.0, INFINITY, sqrt(2.0 / 3.0)}, halves[4] = {0.5, 2.0, INFINITY, 0.5};
    abut_shape *given, *moved, *estimated, *ball;
    assert_ok(abut_shape_create_facetmesh(
        &(abut_facetmesh_def){.vertices = corners, .vertex_count = 4, .triangles = faces, .triangle_count = 4, .radii = radii}, NULL,
        &given));
    assert_ok(abut_shape_create_facetmesh_moved(given, half, NULL, NULL, &moved));
    assert_ok(abut_shape_create_facetmesh(
        &(abut_facetmesh_def){.vertices = corners, .vertex_count = 4, .triangles = faces, .triangle_count = 4}, NULL, &estimated));
    assert_ok(abut_shape_create_sphere(1.0, &ball));
    for (int32_t i = 0; i < 4; ++i) {
        abut_facet whole, halved;
        assert_ok(abut_shape_facet(given, abut_pose_identity(), i, &whole));
        assert_ok(abut_shape_facet(moved, abut_pose_identity(), i, &halved));
        assert_true(abut_shape_facet_given_radius(given, i) == radii[i] && abut_shape_facet_given_radius(moved, i) == radii[i]);
        assert_true(fabs(1.0 / whole.radius - 1.0 / circles[i]) < 1e-14);
        assert_true(fabs(1.0 / halved.radius - 1.0 / halves[i]) < 1e-14);
        assert_true(abut_shape_facet_given_radius(estimated, i) == 0.0);
    }
    assert_true(abut_shape_facet_given_radius(given, -1) == 0.0 && abut_shape_facet_given_radius(given, 4) == 0.0);
    assert_true(abut_shape_facet_given_radius(ball, 0) == 0.0 && abut_shape_facet_given_radius(NULL, 0) == 0.0);
    abut_shape_release(given);
    abut_shape_release(moved);
    abut_shape_release(estimated);
    abut_shape_release(ball);
}

/* ---- bounds ---- */

/* The point of the sphere above the middle of a triangle. */
static abut_vec3 bulging_point(random_state *random, const abut_facet *f, const abut_facet_sphere *s) {
    double a = random_range(random, 0.0, 1.0), b = random_range(random, 0.0, 1.0);
    if (a + b > 1.0) {
        a = 1.0 - a;
        b = 1.0 - b;
    }
    abut_vec3 p = abut_add(abut_scale(1.0 - a - b, f->corner[0]), abut_add(abut_scale(a, f->corner[1]), abut_scale(b, f->corner[2])));
    if (!(f->radius < INFINITY)) {
        return p;
    }
    abut_vec3 way = abut_sub(p, s->centre);
    double along = abut_dot(way, s->normal), across = abut_length_squared(way) - along * along;
    return abut_add_scaled(p, sqrt(fmax(f->radius * f->radius - across, 0.0)) - along, s->normal);
}

static void check_bounds(random_state *random, const abut_shape *shape, abut_pose pose) {
    abut_aabb box = abut_shape_bounds(shape, pose), seen = bounds_of_points(NULL, 0);
    for (int i = 0; i < 20000; ++i) {
        abut_facet f;
        abut_facet_sphere s;
        int32_t facet = random_below(random, abut_shape_facet_count(shape));
        assert_ok(abut_shape_facet(shape, pose, facet, &f));
        assert_ok(abut_shape_facet_sphere(shape, pose, facet, &s));
        abut_vec3 p = bulging_point(random, &f, &s);
        seen = bounds_join(seen, (abut_aabb){p, p});
    }
    const double room = 1e-12, near = 0.05;
    assert_true(seen.lower.x >= box.lower.x - room && seen.lower.y >= box.lower.y - room && seen.lower.z >= box.lower.z - room);
    assert_true(seen.upper.x <= box.upper.x + room && seen.upper.y <= box.upper.y + room && seen.upper.z <= box.upper.z + room);
    assert_vec3_near(seen.lower, box.lower, near);
    assert_vec3_near(seen.upper, box.upper, near);
}

static void test_bounds(void **state) {
    (void)state;
    random_state random = random_make(random_seed("bounds", 31));
    for (int level = 0; level <= 2; ++level) {
        facet_body body = facet_body_ball(level);
        abut_shape *ball = facet_body_round(&body, 1.0);
        abut_pose pose = random_pose(&random, 3.0);
        abut_aabb box = abut_shape_bounds(ball, pose); /* exactly the bounds of a ball */
        assert_vec3_near(box.upper, abut_add(pose.position, abut_vec3_make(1, 1, 1)), 1e-12);
        assert_vec3_near(box.lower, abut_sub(pose.position, abut_vec3_make(1, 1, 1)), 1e-12);
        facet_body_scale(&body, abut_vec3_make(1.2, 0.9, 0.5));
        abut_shape *round = facet_body_shape(&body, NULL), *flat = facet_body_round(&body, INFINITY),
                   *tight = facet_body_round(&body, 1e-3);
        check_bounds(&random, ball, pose);
        check_bounds(&random, round, random_pose(&random, 3.0));
        check_bounds(&random, flat, random_pose(&random, 3.0));
        check_bounds(&random, tight, random_pose(&random, 3.0));
        abut_shape_release(ball);
        abut_shape_release(round);
        abut_shape_release(flat);
        abut_shape_release(tight);
        facet_body_free(&body);
    }
}

/* ---- refused arguments ---- */

static void refuse(const abut_facetmesh_def *def, abut_status expected, abut_facetmesh_report *report) {
    abut_shape *shape = NULL;
    assert_status(abut_shape_create_facetmesh(def, report, &shape), expected);
    assert_null(shape);
}

static void test_refusals(void **state) {
    (void)state;
    facet_body b = facet_body_ball(1);
    abut_facetmesh_report r;
    abut_facetmesh_def def = {.vertices = b.vertices,
                              .vertex_count = b.vertex_count,
                              .triangles = b.triangles,
                              .triangle_count = b.triangle_count},
                       bad = def;
    refuse(NULL, ABUT_ERROR_INVALID_ARGUMENT, &r);
    bad.triangle_count = 3;
    refuse(&bad, ABUT_ERROR_INVALID_ARGUMENT, &r);
    bad = def;
    bad.triangle_count -= 1; /* open */
    refuse(&bad, ABUT_ERROR_NOT_CLOSED, &r);
    assert_int_equal(r.open_edge_count, 3);
    assert_true(r.first_open >= 0);
    int32_t kept = b.triangles[5];
    b.triangles[5] = b.vertex_count;
    refuse(&def, ABUT_ERROR_INVALID_ARGUMENT, &r);
    assert_int_equal(r.culprit, 5);
    b.triangles[5] = kept;
    abut_vec3 place = b.vertices[7];
    b.vertices[7].y = NAN;
    refuse(&def, ABUT_ERROR_NOT_FINITE, &r);
    assert_int_equal(r.culprit, 7);
    b.vertices[7] = place;
    double *radii = check_memory((size_t)b.triangle_count, sizeof *radii);
    for (int32_t i = 0; i < b.triangle_count; ++i) {
        radii[i] = 1.0;
    }
    bad.triangle_count = b.triangle_count;
    bad.radii = radii;
    radii[9] = 0.0;
    refuse(&bad, ABUT_ERROR_INVALID_ARGUMENT, &r);
    assert_int_equal(r.culprit, 9);
    radii[9] = NAN;
    refuse(&bad, ABUT_ERROR_NOT_FINITE, &r);
    radii[9] = 1e-3;
    abut_shape *shape;
    assert_ok(abut_shape_create_facetmesh(&bad, &r, &shape));
    assert_int_equal(r.raised_count, 1);
    abut_shape_release(shape);
    free(radii);
    facet_body_scale(&b, abut_vec3_make(-1, 1, 1)); /* inside out */
    refuse(&def, ABUT_ERROR_NOT_OUTWARD, &r);
    assert_true(r.volume < 0.0);
    b.vertices[b.triangles[0]] = abut_lerp(b.vertices[b.triangles[1]], b.vertices[b.triangles[2]], 0.5);
    refuse(&def, ABUT_ERROR_DEGENERATE, &r);
    assert_int_equal(r.first_degenerate, 0);
    facet_body_free(&b);
}

static void test_memory(void **state) {
    (void)state;
    facet_body b = facet_body_ball(1);
    const abut_facetmesh_def def = {
        .vertices = b.vertices, .vertex_count = b.vertex_count, .triangles = b.triangles, .triangle_count = b.triangle_count};
    counting_allocator memory = {.refuse_at = -1};
    int64_t refused = 0;
    do {
        abut_shape *shape = NULL, *moved = NULL;
        memory = (counting_allocator){.refuse_at = refused++};
        counting_allocator_install(&memory);
        abut_status status = abut_shape_create_facetmesh(&def, NULL, &shape);
        status = status == ABUT_OK ? abut_shape_create_facetmesh_moved(shape, b.vertices, NULL, NULL, &moved) : status;
        counting_allocator_remove();
        assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
        abut_shape_release(shape); /* before what was moved from it */
        abut_shape_release(moved);
        assert_int_equal(memory.live, 0);
    } while (memory.refused);
    assert_true(refused > 15);
    facet_body_free(&b);
}

/* ---- moved ---- */

static abut_facetmesh_contact before[20000], after[20000];

static void check_same_answers(const abut_shape *built, const abut_shape *moved, random_state *random) {
    abut_mass p, q;
    assert_ok(abut_shape_mass(built, 1.0, &p));
    assert_ok(abut_shape_mass(moved, 1.0, &q));
    assert_memory_equal(&p, &q, sizeof p);
    for (int i = 0; i < 20; ++i) {
        abut_pose a = random_pose(random, 0.5), b = random_pose(random, 1.0);
        int32_t count, again;
        assert_ok(abut_collide_facets(&(abut_pair){built, a, built, b}, before, 20000, &count));
        assert_ok(abut_collide_facets(&(abut_pair){moved, a, moved, b}, after, 20000, &again));
        assert_int_equal(count, again);
        assert_memory_equal(before, after, (size_t)count * sizeof *before);
        abut_aabb box = abut_shape_bounds(built, a), other = abut_shape_bounds(moved, a);
        assert_vec3_near(box.lower, other.lower, 0.0);
        assert_vec3_near(box.upper, other.upper, 0.0);
    }
}

static void test_moved(void **state) {
    (void)state;
    random_state random = random_make(random_seed("moved", 41));
    for (int level = 1; level <= 3; ++level) {
        facet_body b = facet_body_ball(level);
        abut_shape *first = facet_body_shape(&b, NULL), *given = facet_body_round(&b, 2.0), *moved, *built;
        facet_body_scale(&b, abut_vec3_make(1.1, 0.8, 0.6));
        for (int32_t v = 0; v < b.vertex_count; ++v) {
            b.vertices[v] = abut_add(b.vertices[v], abut_vec3_make(0.3 * b.vertices[v].y * b.vertices[v].y + 0.1, 0.0, 0.2));
        }
        assert_ok(abut_shape_create_facetmesh_moved(first, b.vertices, NULL, NULL, &moved));
        built = facet_body_shape(&b, NULL); /* estimated anew */
        check_same_answers(built, moved, &random);
        abut_shape_release(built);
        abut_shape_release(moved);
        assert_ok(abut_shape_create_facetmesh_moved(given, b.vertices, NULL, NULL, &moved));
        built = facet_body_round(&b, 2.0); /* with the given radii */
        check_same_answers(built, moved, &random);
        abut_shape_release(built);
        abut_shape_release(first);
        abut_shape_release(given);
        first = moved; /* from one that was moved */
        b.vertices[3] = abut_add(b.vertices[3], abut_vec3_make(0.01, 0, 0));
        assert_ok(abut_shape_create_facetmesh_moved(first, b.vertices, NULL, NULL, &moved));
        abut_shape_release(first);
        built = facet_body_round(&b, 2.0);
        check_same_answers(built, moved, &random);
        abut_shape_release(built);
        abut_shape_release(moved);
        facet_body_free(&b);
    }
}

static void test_moved_refusals(void **state) {
    (void)state;
    facet_body b = facet_body_ball(0);
    abut_vec3 twice[60];
    int32_t faces[60];
    for (int32_t c = 0; c < 60; ++c) { /* every triangle with vertices of its own */
        twice[c] = b.vertices[b.triangles[c]];
        faces[c] = c;
    }
    const abut_facetmesh_def def = {.vertices = twice, .vertex_count = 60, .triangles = faces, .triangle_count = 20};
    abut_facetmesh_report r;
    abut_shape *shape, *moved = NULL, *ball;
    assert_ok(abut_shape_create_facetmesh(&def, &r, &shape));
    assert_near(r.least_radius, 1.0, 1e-14);
    twice[59].x += 0.01;
    assert_status(abut_shape_create_facetmesh_moved(shape, twice, NULL, &r, &moved), ABUT_ERROR_NOT_CLOSED);
    assert_int_equal(r.culprit, 59);
    twice[59].x = NAN;
    assert_status(abut_shape_create_facetmesh_moved(shape, twice, NULL, &r, &moved), ABUT_ERROR_NOT_FINITE);
    for (int32_t c = 0; c < 60; ++c) {
        twice[c] = abut_neg(b.vertices[b.triangles[c]]);
    }
    assert_status(abut_shape_create_facetmesh_moved(shape, twice, NULL, &r, &moved), ABUT_ERROR_NOT_OUTWARD);
    for (int32_t c = 0; c < 60; ++c) {
        twice[c].z = 0.0;
    }
    assert_status(abut_shape_create_facetmesh_moved(shape, twice, NULL, &r, &moved), ABUT_ERROR_DEGENERATE);
    assert_ok(abut_shape_create_sphere(1.0, &ball));
    assert_status(abut_shape_create_facetmesh_moved(ball, twice, NULL, &r, &moved), ABUT_ERROR_INVALID_ARGUMENT);
    assert_null(moved);
    abut_shape_release(ball);
    abut_shape_release(shape);
    facet_body_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_given_radii_are_kept_beside_those_that_count),
        cmocka_unit_test(test_mass),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_moved),
        cmocka_unit_test(test_moved_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
