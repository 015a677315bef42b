/*
 * Balls inside closed meshes. The oracle for a ball is the surface as points, close together: none is in the ball, some are close to it, and the surface goes
 * around its centre once, by the sum of the solid angles of all triangles (van Oosterom and Strackee, "The solid angle of a plane triangle", 1983).
 */
#include <abut/abut.h>

#include <math.h>
#include <stdlib.h>

#include "support/check.h"
#include "support/meshes.h"
#include "support/shapes.h"

#include "shape/closed/inside.h"
#include "shape/inner.h"
#include "shape/shape.h"

static abut_shape *box_mesh(double x, double y, double z, int32_t cells) {
    abut_shape *solid = box(x, y, z), *mesh = meshes_surface_of(solid, cells);
    abut_shape_release(solid);
    return mesh;
}

/* Takes over the pieces. */
static abut_shape *joined(const abut_part *pieces, int32_t count) {
    abut_shape *mesh = meshes_joined(pieces, count);
    for (int32_t i = 0; i < count; i++) {
        abut_shape_release((abut_shape *)pieces[i].shape);
    }
    return mesh;
}

static double longest_side(const abut_triangle *t) {
    return fmax(abut_distance_between(t->corner[0], t->corner[1]),
                fmax(abut_distance_between(t->corner[1], t->corner[2]), abut_distance_between(t->corner[2], t->corner[0])));
}

static double solid_angle(const abut_triangle *t, abut_vec3 from) {
    abut_vec3 a = abut_sub(t->corner[0], from), b = abut_sub(t->corner[1], from), c = abut_sub(t->corner[2], from);
    double la = abut_length(a), lb = abut_length(b), lc = abut_length(c);
    double below = la * lb * lc + abut_dot(a, b) * lc + abut_dot(b, c) * la + abut_dot(c, a) * lb;
    return 2.0 * atan2(abut_dot(a, abut_cross(b, c)), below);
}

/* The least distance of a point from the points of the triangle, cut into cuts squared ones. */
static double least_distance(const abut_triangle *t, abut_vec3 from, int cuts) {
    double least = INFINITY;
    for (int i = 0; i <= cuts; i++) {
        for (int k = 0; k <= cuts - i; k++) {
            abut_vec3 p = abut_scale((double)(cuts - i - k) / cuts, t->corner[0]);
            p = abut_add_scaled(abut_add_scaled(p, (double)i / cuts, t->corner[1]), (double)k / cuts, t->corner[2]);
            least = fmin(least, abut_distance_between(from, p));
        }
    }
    return least;
}

static void check_ball(const abut_shape *mesh, abut_vec3 centre, double radius) {
    const double spacing = 0.05 * radius;
    double turns = 0.0, inner = INFINITY;
    for (int32_t i = 0; i < abut_shape_triangle_count(mesh); i++) {
        abut_triangle t;
        assert_ok(abut_shape_triangle(mesh, i, &t));
        turns += solid_angle(&t, centre) / (4.0 * 3.141592653589793);
        double longest = longest_side(&t);
        if (abut_distance_between(t.corner[0], centre) > longest + radius + spacing) {
            continue;
        }
        double least = least_distance(&t, centre, (int)ceil(longest / spacing));
        assert_true(least >= (1.0 - 2e-6) * radius);
        inner = fmin(inner, least);
    }
    assert_near(turns, 1.0, 1e-9);
    assert_true(inner <= radius + spacing);
}

/* Checks all balls. Returns their number. */
static int32_t check_balls(const abut_shape *mesh) {
    const abut_shape *inside = mesh->mesh->inside;
    int32_t count = inside != NULL ? inside->part_count : 0;
    double least = INFINITY;
    for (int32_t i = 0; i < count; i++) {
        check_ball(mesh, inside->parts[i].pose.position, inside->parts[i].shape->radius);
        least = fmin(least, inside->parts[i].shape->radius);
    }
    assert_true(count == 0 || inside_radius(inside) == least);
    assert_true(count <= 24 && inside_bytes(inside) <= 25000);
    assert_true(shape_inner_radius(mesh) <= least);
    return count;
}

/* Whether a ball has its centre in the box from `lower` to `upper`. */
static bool any_in(const abut_shape *mesh, abut_vec3 lower, abut_vec3 upper) {
    for (int32_t i = 0; i < mesh->mesh->inside->part_count; i++) {
        abut_vec3 c = mesh->mesh->inside->parts[i].pose.position;
        if (c.x > lower.x && c.x < upper.x && c.y > lower.y && c.y < upper.y && c.z > lower.z && c.z < upper.z) {
            return true;
        }
    }
    return false;
}

/* A star: a surface around the origin with spikes. */
static abut_shape *star(int32_t around, int32_t across, double least) {
    abut_vec3 *vertices = check_memory((size_t)(around * across + 2), sizeof *vertices);
    int32_t *triangles = check_memory((size_t)(6 * around * across), sizeof *triangles), made = 0;
    int32_t top = around * (across - 1), bottom = top + 1;
    for (int32_t i = 0; i < top; i++) {
        double tilt = 3.141592653589793 * (i / around + 1) / across, turn = 6.283185307179586 * (i % around) / around;
        double far = 0.5 * (1.0 + least) + 0.5 * (1.0 - least) * cos(5.0 * turn) * sin(tilt);
        vertices[i] = abut_vec3_make(far * sin(tilt) * cos(turn), far * sin(tilt) * sin(turn), far * cos(tilt));
    }
    vertices[top] = abut_vec3_make(0, 0, 1);
    vertices[bottom] = abut_vec3_make(0, 0, -1);
    for (int32_t i = 0; i < around; i++) {
        const int32_t next = (i + 1) % around, last = around * (across - 2), caps[6] = {top, i, next, bottom, last + next, last + i};
        for (int k = 0; k < 6; k++) {
            triangles[made++] = caps[k];
        }
        for (int32_t row = 0; row + 2 < across; row++) {
            const int32_t p = row * around + i, q = row * around + next;
            const int32_t cell[6] = {p, p + around, q + around, p, q + around, q};
            for (int k = 0; k < 6; k++) {
                triangles[made++] = cell[k];
            }
        }
    }
    abut_shape *mesh = meshes_make(vertices, bottom + 1, triangles, made / 3);
    free(vertices);
    free(triangles);
    return mesh;
}

static void test_rings_and_stars(void **state) {
    (void)state;
    for (double thickness = 0.02; thickness < 0.3; thickness *= 1.5) {
        abut_shape *ring = meshes_ring(0.4, thickness, 12, 8);
        assert_true(check_balls(ring) >= 4);
        for (int side = 0; side < 4; side++) { /* all around */
            double x = side == 0 ? 0.4 : side == 1 ? -0.4 : 0.0, y = side == 2 ? 0.4 : side == 3 ? -0.4 : 0.0;
            assert_true(any_in(ring, abut_vec3_make(x - 0.35, y - 0.35, -1), abut_vec3_make(x + 0.35, y + 0.35, 1)));
        }
        abut_shape_release(ring);
    }
    for (double least = 0.3; least < 1.0; least += 0.2) {
        abut_shape *few = star(20, 8, least), *many = star(60, 30, least);
        assert_true(check_balls(few) >= 1);
        assert_true(check_balls(many) >= 1);
        abut_shape_release(few);
        abut_shape_release(many);
    }
}

/* Arms of a few triangles on a body of many: they stand last, first, or in the middle of the list. */
static void test_coarse_arms_of_fine_bodies(void **state) {
    (void)state;
    for (int place = 0; place < 3; place++) {
        for (int32_t cells = 4; cells <= 24; cells += 10) {
            abut_part pieces[3] = {{box_mesh(0.5, 0.5, 0.5, cells), at(0, 0, 0)},
                                   {box_mesh(0.5, 0.5, 0.5, cells), at(0, 1.2, 0)},
                                   {box_mesh(0.6, 0.15, 0.15, 1), at(1.2, 0, 0)}};
            const abut_part arm = pieces[2];
            pieces[2] = pieces[place];
            pieces[place] = arm;
            abut_shape *mesh = joined(pieces, 3);
            assert_true(check_balls(mesh) >= 3);
            assert_true(any_in(mesh, abut_vec3_make(0.6, -0.15, -0.15), abut_vec3_make(1.8, 0.15, 0.15)));
            abut_shape_release(mesh);
        }
    }
}

/* A long plate with an arm: there is room for more balls in the plate than a body may have. */
static void test_an_arm_of_a_plate(void **state) {
    (void)state;
    abut_part pieces[2] = {{box_mesh(4.0, 4.0, 0.1, 12), at(0, 0, 0)}, {box_mesh(0.08, 0.08, 1.5, 1), at(3, 3, 1.7)}};
    abut_shape *mesh = joined(pieces, 2);
    assert_true(check_balls(mesh) >= 10);
    assert_true(any_in(mesh, abut_vec3_make(2.9, 2.9, 0.2), abut_vec3_make(3.1, 3.1, 3.2)));
    abut_shape_release(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rings_and_stars),
        cmocka_unit_test(test_coarse_arms_of_fine_bodies),
        cmocka_unit_test(test_an_arm_of_a_plate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
