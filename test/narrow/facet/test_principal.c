/*
 * Bodies of rounded triangles with both principal curvatures: meshed ellipsoids press by Hertz's law of the elliptic disc. The oracle integrates the
 * displacement below an elliptic pressure (K. L. Johnson, "Contact mechanics", section 3.3) and finds the ellipse by bisection.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <abut/abut.h>

#include "shape/digest.h"
#include "solve/pressure/pressure.h"
#include "support/check.h"
#include "support/facet_body.h"
#include "support/pressed.h"
#include "support/random.h"

/* ---- the oracle ---- */

/* Integrals over w from 0 to infinity of dw / sqrt((a^2 + w) (b^2 + w) w), and of the same over a^2 + w and over b^2 + w, with a = 1 and w = b tan(t)^2. The
 * integrand is smooth and periodic in t: the mean of many points is exact to rounding. */
static void integrate(double b, double sum[3]) {
    const int count = 400 + (int)(40.0 / b);
    sum[0] = sum[1] = sum[2] = 0.0;
    for (int i = 0; i < count; i++) {
        double t = PI * (i + 0.5) / (2.0 * count), w = b * tan(t) * tan(t), change = PI / (2.0 * count) / (cos(t) * cos(t));
        double part = 2.0 * sqrt(b) * change / sqrt((1.0 + w) * (b * b + w));
        sum[0] += part;
        sum[1] += part / (1.0 + w);
        sum[2] += part / (b * b + w);
    }
}

typedef struct hertz {
    double force, a, b; /* a >= b */
} hertz;

/* E* = 1. The gap is 1/2 (small x^2 + great y^2) - overlap. */
static hertz hertz_of(double small, double great, double overlap) {
    double low = 1e-4, high = 1.0, sum[3];
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        integrate(middle, sum);
        *(sum[2] / sum[1] > great / small ? &low : &high) = middle;
    }
    integrate(low, sum);
    hertz h = {.a = sqrt(2.0 * overlap / small * sum[1] / sum[0])};
    h.b = low * h.a;
    h.force = 4.0 / 3.0 * PI * h.a * overlap / sum[0]; /* overlap = 3 F / (4 pi E* a) sum[0] */
    return h;
}

/* ---- ellipsoids ---- */

/* The lower pole of the ball gets finer triangles by a conformal map; then all is scaled. */
static facet_body ellipsoid(int level, double finer, abut_vec3 axes) {
    facet_body body = facet_body_ball(level);
    for (int32_t v = 0; v < body.vertex_count; v++) {
        abut_vec3 *p = &body.vertices[v];
        if (p->z < 1.0 - 1e-12) {
            double x = p->x / (1.0 - p->z) / finer, y = p->y / (1.0 - p->z) / finer, square = x * x + y * y;
            *p = abut_vec3_make(2.0 * x / (1.0 + square), 2.0 * y / (1.0 + square), (square - 1.0) / (1.0 + square));
        }
    }
    facet_body_scale(&body, axes);
    return body;
}

/* The exact principal curvatures of the ellipsoid below the middle of each triangle. */
static abut_shape *exact(const facet_body *body, abut_vec3 axes) {
    size_t count = (size_t)body->triangle_count;
    double *along = check_memory(count, sizeof *along), *across = check_memory(count, sizeof *across);
    abut_vec3 *direction = check_memory(count, sizeof *direction);
    const abut_vec3 d = {1.0 / (axes.x * axes.x), 1.0 / (axes.y * axes.y), 1.0 / (axes.z * axes.z)};
    for (size_t i = 0; i < count; i++) {
        const int32_t *t = &body->triangles[3 * i];
        abut_vec3 p = abut_add(abut_add(body->vertices[t[0]], body->vertices[t[1]]), body->vertices[t[2]]), u, v;
        p = abut_scale(1.0 / sqrt(d.x * p.x * p.x + d.y * p.y * p.y + d.z * p.z * p.z), p);
        const abut_vec3 g = {d.x * p.x, d.y * p.y, d.z * p.z};
        abut_tangent_frame(abut_unit(g), &u, &v);
        const abut_vec3 du = {d.x * u.x, d.y * u.y, d.z * u.z}, dv = {d.x * v.x, d.y * v.y, d.z * v.z};
        const double unit = 1.0 / abut_length(g), uu = unit * abut_dot(u, du), uv = unit * abut_dot(u, dv), vv = unit * abut_dot(v, dv);
        const double angle = 0.5 * atan2(2.0 * uv, uu - vv), c = cos(angle), s = sin(angle);
        direction[i] = abut_add(abut_scale(c, u), abut_scale(s, v));
        along[i] = 1.0 / (c * c * uu + 2.0 * c * s * uv + s * s * vv);
        across[i] = 1.0 / (s * s * uu - 2.0 * c * s * uv + c * c * vv);
    }
    abut_facetmesh_def def = {.vertices = body->vertices,
                              .vertex_count = body->vertex_count,
                              .triangles = body->triangles,
                              .triangle_count = body->triangle_count,
                              .radii = along,
                              .cross_radii = across,
                              .directions = direction};
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_facetmesh(&def, NULL, &shape));
    free(along);
    free(across);
    free(direction);
    return shape;
}

static abut_shape *estimated(const facet_body *body, bool principal) {
    abut_facetmesh_def def = {.vertices = body->vertices,
                              .vertex_count = body->vertex_count,
                              .triangles = body->triangles,
                              .triangle_count = body->triangle_count,
                              .principal = principal};
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_facetmesh(&def, NULL, &shape));
    return shape;
}

/* ---- forces ---- */

static abut_pressure_result press(const abut_pair *pair) {
    const abut_pressure_law law = {.modulus = 1.0};
    return pressed_pair(pair, &law);
}

static void test_law(void **state) {
    (void)state;
    const double parts[8] = {0.0, 1e-6, 0.01, 0.1, 1.0 / 3.0, 0.6, 0.9, 98.0 / 100.0};
    for (int i = 0; i < 8; i++) {
        const hertz h = hertz_of(1.0 - parts[i], 1.0 + parts[i], 1e-4);
        const pressure_ellipse e = pressure_ellipse_of(parts[i]);
        const double round = sqrt(e.radius) * 1e-2;
        printf("part %.3f: force over that of the mean curvature %.9f, axes %.6f\n", parts[i], sqrt(e.radius), e.wide / e.along);
        assert_near(4.0 / 3.0 * sqrt(e.radius) * 1e-6 / h.force, 1.0, 1e-9);
        assert_near(round * e.along / h.a, 1.0, parts[i] < 0.01 ? 1e-7 : 1e-9);
        assert_near(round * e.wide / h.b, 1.0, parts[i] < 0.01 ? 1e-7 : 1e-9);
    }
}

static abut_shape *plane_up(void) {
    abut_shape *plane = NULL;
    assert_ok(abut_shape_create_plane(abut_vec3_make(0, 0, 1), 0.0, &plane));
    return plane;
}

static void test_pole_on_plane(void **state) {
    (void)state;
    const double ratios[4] = {1.2, 2.0, 4.0, 9.0};
    abut_shape *plane = plane_up();
    for (int i = 0; i < 4; i++) {
        /* Radii of curvature at the pole: axes^2 / 1. */
        const abut_vec3 axes = {sqrt(sqrt(ratios[i])), 1.0 / sqrt(sqrt(ratios[i])), 1.0};
        const double overlap = 2e-4, small = 1.0 / (axes.x * axes.x), great = 1.0 / (axes.y * axes.y);
        facet_body body = ellipsoid(4, 8.0, axes);
        const hertz h = hertz_of(small, great, overlap);
        for (int kind = 0; kind < 3; kind++) {
            abut_shape *shape = kind == 0 ? exact(&body, axes) : estimated(&body, kind == 1);
            const abut_pair pair = {
                .a = shape, .pose_a = {{0, 0, 1.0 - overlap}, {0, 0, 0, 1}}, .b = plane, .pose_b = abut_pose_identity()};
            const abut_pressure_result r = press(&pair);
            const double off = r.force.z / h.force - 1.0, highest = 1.5 * h.force / (PI * h.a * h.b);
            printf("radii %g : 1, %s: %d contacts, force off by %+.5f, area by %+.5f, pressure by %+.5f\n", ratios[i],
                   kind == 0   ? "given"
                   : kind == 1 ? "estimated"
                               : "mean only",
                   (int)r.contacts, off, r.area / (PI * h.a * h.b) - 1.0, r.largest_pressure / highest - 1.0);
            if (kind < 2) {
                assert_near(off, 0.0, 5e-4);
                assert_near(r.area / (PI * h.a * h.b), 1.0, 5e-4);
                assert_near(r.largest_pressure / highest, 1.0, 2e-3);
                assert_near(r.elastic_energy / (0.4 * h.force * overlap), 1.0, 1e-3);
                assert_near(abut_length(r.moment_a) / (h.force * h.a), 0.0, 2e-3);
            }
            abut_shape_release(shape);
        }
        facet_body_free(&body);
    }
    abut_shape_release(plane);
}

/* The principal curvatures of the gap of two surfaces whose principal directions differ by an angle. */
static void together(const abut_vec3 *a, const abut_vec3 *b, double angle, double *small, double *great) {
    const double mean = 0.5 * (1.0 / (a->x * a->x) + 1.0 / (a->y * a->y) + 1.0 / (b->x * b->x) + 1.0 / (b->y * b->y));
    const double sa = 0.5 * (1.0 / (a->y * a->y) - 1.0 / (a->x * a->x)), sb = 0.5 * (1.0 / (b->y * b->y) - 1.0 / (b->x * b->x));
    const double s = sqrt(sa * sa + sb * sb + 2.0 * sa * sb * cos(2.0 * angle));
    *small = mean - s;
    *great = mean + s;
}

static void test_poles_of_two(void **state) {
    (void)state;
    random_state random = random_make(101);
    double worst = 0.0;
    for (int i = 0; i < 24; i++) {
        abut_vec3 axes[2];
        abut_shape *shape[2];
        for (int k = 0; k < 2; k++) {
            axes[k] = abut_vec3_make(random_range(&random, 0.6, 1.7), random_range(&random, 0.6, 1.7), 1.0);
            facet_body body = ellipsoid(4, 8.0, axes[k]);
            shape[k] = i % 2 == 0 ? exact(&body, axes[k]) : estimated(&body, true);
            facet_body_free(&body);
        }
        const double overlap = 3e-4, angle = random_range(&random, -PI, PI);
        double small, great;
        together(&axes[0], &axes[1], angle, &small, &great);
        const hertz h = hertz_of(small, great, overlap);
        const abut_quat over = {1, 0, 0, 0}, turn = {0, 0, sin(0.5 * angle), cos(0.5 * angle)};
        const abut_pose all = {random_vec3(&random, -1.0, 1.0), random_rotation(&random)};
        const abut_pose a = {{0, 0, 1.0 - overlap}, {0, 0, 0, 1}}, b = {{0, 0, -1.0}, abut_quat_mul(turn, over)};
        abut_pair pair = {.a = shape[0], .pose_a = abut_pose_compose(all, a), .b = shape[1], .pose_b = abut_pose_compose(all, b)};
        const abut_vec3 up = abut_quat_rotate(all.rotation, abut_vec3_make(0, 0, 1));
        abut_pressure_result r = press(&pair);
        const double off = abut_dot(r.force, up) / h.force - 1.0;
        worst = fmax(worst, fabs(off));
        assert_near(off, 0.0, 2e-3);
        assert_near(abut_length(abut_cross(r.force, up)) / h.force, 0.0, 2e-3);
        pair = (abut_pair){.a = pair.b, .pose_a = pair.pose_b, .b = pair.a, .pose_b = pair.pose_a};
        const abut_pressure_result back = press(&pair);
        assert_near(abut_length(abut_add(back.force, r.force)) / h.force, 0.0, 1e-9);
        abut_shape_release(shape[0]);
        abut_shape_release(shape[1]);
    }
    printf("two ellipsoids: force off by up to %.5f\n", worst);
}

/* ---- any place of an ellipsoid ---- */

/* A place where an ellipsoid is lowest: the radii of curvature there, and the point relative to the centre, in the world. */
typedef struct lowest {
    double small, great;
    abut_vec3 point;
} lowest;

static lowest lowest_of(abut_vec3 axes, abut_quat rotation) {
    const abut_vec3 squares = {axes.x * axes.x, axes.y * axes.y, axes.z * axes.z};
    const abut_vec3 down = abut_quat_rotate_inverse(rotation, abut_vec3_make(0, 0, -1));
    const abut_vec3 q = {squares.x * down.x, squares.y * down.y, squares.z * down.z};
    const double h = sqrt(abut_dot(down, q));
    abut_vec3 u, v;
    abut_tangent_frame(down, &u, &v);
    /* Radii: (D - q q' / h^2) / h with D of squared axes. */
    const abut_vec3 du = {squares.x * u.x, squares.y * u.y, squares.z * u.z}, dv = {squares.x * v.x, squares.y * v.y, squares.z * v.z};
    const double qu = abut_dot(u, q) / h, qv = abut_dot(v, q) / h, uu = (abut_dot(u, du) - qu * qu) / h,
                 vv = (abut_dot(v, dv) - qv * qv) / h, uv = (abut_dot(u, dv) - qu * qv) / h, mean = 0.5 * (uu + vv),
                 half = sqrt(0.25 * (uu - vv) * (uu - vv) + uv * uv);
    return (lowest){mean - half, mean + half, abut_quat_rotate(rotation, abut_scale(1.0 / h, q))};
}

/* The force on a plane, or on a ball of radius r, over Hertz's. */
static double over_hertz(const abut_shape *shape, abut_vec3 axes, abut_quat rotation, const abut_shape *on, double r, double overlap) {
    const lowest l = lowest_of(axes, rotation);
    const hertz h = hertz_of(1.0 / l.great + 1.0 / r, 1.0 / l.small + 1.0 / r, overlap);
    const abut_pair pair = {.a = shape,
                            .pose_a = {abut_sub(abut_vec3_make(0, 0, -overlap), l.point), rotation},
                            .b = on,
                            .pose_b = {{0, 0, r < INFINITY ? -r : 0.0}, {0, 0, 0, 1}}};
    return press(&pair).force.z / h.force;
}

/* Meshes that are equally fine everywhere, and the skins of ellipsoids. */
static void test_any_point(void **state) {
    (void)state;
    random_state random = random_make(102);
    const abut_vec3 axes = {1.0, 0.8, 0.6};
    facet_body body = ellipsoid(5, 1.0, axes);
    abut_shape *shapes[3] = {exact(&body, axes), estimated(&body, true), NULL}, *plane = plane_up(), *ball = NULL;
    assert_ok(abut_shape_create_ellipsoid(axes, &shapes[2]));
    assert_ok(abut_shape_create_sphere(0.7, &ball));
    double worst[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 60; i++) {
        const bool flat = random_below(&random, 2) == 0;
        const double over = over_hertz(shapes[i % 3], axes, random_rotation(&random), flat ? plane : ball, flat ? INFINITY : 0.7, 4e-3);
        worst[i % 3] = fmax(worst[i % 3], fabs(over - 1.0));
        assert_near(over, 1.0, 0.01);
    }
    printf("anywhere: force off by up to %.5f given, %.5f estimated, %.5f skin\n", worst[0], worst[1], worst[2]);
    for (int i = 0; i < 3; i++) {
        abut_shape_release(shapes[i]);
    }
    abut_shape_release(plane);
    abut_shape_release(ball);
    facet_body_free(&body);
}

/* A ball in the waist of a ring: the ring is convex across the tube and concave along it. */
static void test_saddle(void **state) {
    (void)state;
    const double ring = 3.0, tube = 0.4, radius = 0.5, overlap = 1e-3;
    facet_body body = facet_body_torus(ring, tube, 360, 120);
    abut_shape *shape = estimated(&body, true), *ball = NULL;
    assert_ok(abut_shape_create_sphere(radius, &ball));
    const hertz h = hertz_of(1.0 / radius - 1.0 / (ring - tube), 1.0 / radius + 1.0 / tube, overlap);
    random_state random = random_make(103);
    for (int i = 0; i < 8; i++) {
        const double angle = random_range(&random, -PI, PI), far = ring - tube - radius + overlap;
        const abut_vec3 out = {cos(angle), sin(angle), 0.0};
        const abut_pair pair = {.a = ball, .pose_a = {abut_scale(far, out), {0, 0, 0, 1}}, .b = shape, .pose_b = abut_pose_identity()};
        const abut_pressure_result r = press(&pair);
        if (i == 0) {
            printf("a ball in a ring: force off by %+.5f\n", -abut_dot(r.force, out) / h.force - 1.0);
        }
        assert_near(-abut_dot(r.force, out) / h.force, 1.0, 2e-3);
    }
    abut_shape_release(shape);
    abut_shape_release(ball);
    facet_body_free(&body);
}

/* Two equal radii are one radius, with the same bits; both estimated curvatures of a ball are equal to rounding. */
static void test_round(void **state) {
    (void)state;
    const abut_vec3 axes = {0.6, 0.6, 0.6};
    facet_body body = ellipsoid(3, 1.0, axes);
    size_t count = (size_t)body.triangle_count;
    double *radii = check_memory(count, sizeof *radii);
    abut_vec3 *directions = check_memory(count, sizeof *directions);
    for (size_t i = 0; i < count; i++) {
        radii[i] = 0.6;
        directions[i] = abut_vec3_make(0, 0, 0); /* without effect */
    }
    abut_facetmesh_def def = {.vertices = body.vertices,
                              .vertex_count = body.vertex_count,
                              .triangles = body.triangles,
                              .triangle_count = body.triangle_count,
                              .radii = radii,
                              .cross_radii = radii,
                              .directions = directions};
    abut_shape *twice = NULL, *once = facet_body_shape(&body, radii), *both = estimated(&body, true), *plane = plane_up();
    assert_ok(abut_shape_create_facetmesh(&def, NULL, &twice));
    abut_pair pair = {.a = twice, .pose_a = {{0, 0, 0.59}, {0, 0, 0, 1}}, .b = plane, .pose_b = abut_pose_identity()};
    const abut_pressure_result r = press(&pair);
    pair.a = once;
    const abut_pressure_result s = press(&pair);
    pair.a = both;
    const abut_pressure_result t = press(&pair);
    assert_memory_equal(&r, &s, sizeof r);
    assert_true(shape_digest(once) == shape_digest(twice));
    assert_near(t.force.z / s.force.z, 1.0, 1e-9);
    abut_shape_release(twice);
    abut_shape_release(both);
    abut_shape_release(plane);
    /* A restored world tells bodies apart by their second radii, too. */
    radii[0] = 0.7;
    for (size_t i = 0; i < count; i++) {
        directions[i] = abut_vec3_make(1.0, 2.0, 3.0);
    }
    double *cross = check_memory(count, sizeof *cross);
    memcpy(cross, radii, count * sizeof *cross);
    cross[0] = 1.0 / (2.0 / 0.6 - 1.0 / 0.7); /* with the same mean */
    def.cross_radii = cross;
    abut_shape *saddled = NULL;
    assert_ok(abut_shape_create_facetmesh(&def, NULL, &saddled));
    assert_true(shape_digest(saddled) != shape_digest(once));
    abut_shape_release(saddled);
    abut_shape_release(once);
    free(cross);
    free(radii);
    free(directions);
    facet_body_free(&body);
}

/* Given curvatures turn with a body that moves rigidly; estimated ones are estimated anew. */
static void test_moved(void **state) {
    (void)state;
    const abut_vec3 axes = {1.3, 0.8, 1.0};
    facet_body body = ellipsoid(2, 1.0, axes);
    abut_shape *shapes[2] = {exact(&body, axes), estimated(&body, true)};
    random_state random = random_make(104);
    const abut_pose motion = {{0.3, -1.0, 2.0}, random_rotation(&random)};
    for (int32_t v = 0; v < body.vertex_count; v++) {
        body.vertices[v] = abut_pose_apply(motion, body.vertices[v]);
    }
    for (int i = 0; i < 2; i++) {
        abut_shape *moved = NULL;
        assert_ok(abut_shape_create_facetmesh_moved(shapes[i], body.vertices, NULL, NULL, &moved));
        for (int32_t f = 0; f < body.triangle_count; f++) {
            abut_facet_curvatures was, is;
            abut_facet facet;
            assert_ok(abut_shape_facet_curvatures(shapes[i], motion, f, &was));
            assert_ok(abut_shape_facet_curvatures(moved, abut_pose_identity(), f, &is));
            assert_ok(abut_shape_facet(moved, abut_pose_identity(), f, &facet));
            assert_near(is.along, was.along, 1e-9);
            assert_near(is.across, was.across, 1e-9);
            assert_near(0.5 * (is.along + is.across) * facet.radius, 1.0, 1e-12);
            if (was.along - was.across > 1e-3) {
                assert_near(fabs(abut_dot(is.direction, was.direction)), 1.0, 1e-9);
                assert_near(abut_length(is.direction), 1.0, 1e-12);
            }
        }
        abut_shape_release(moved);
        abut_shape_release(shapes[i]);
    }
    facet_body_free(&body);
}

/* Any unit of length. */
static void test_extremes(void **state) {
    (void)state;
    const double units[3] = {1e-40, 1.0, 1e40};
    double off[3];
    for (int i = 0; i < 3; i++) {
        const abut_vec3 axes = {1.6 * units[i], 0.7 * units[i], units[i]};
        facet_body body = ellipsoid(3, 8.0, axes);
        abut_shape *shape = exact(&body, axes), *plane = plane_up();
        const abut_pair pair = {
            .a = shape, .pose_a = {{0, 0, (1.0 - 1e-3) * units[i]}, {0, 0, 0, 1}}, .b = plane, .pose_b = abut_pose_identity()};
        const hertz h = hertz_of(1.0 / (1.6 * 1.6), 1.0 / (0.7 * 0.7), 1e-3);
        off[i] = press(&pair).force.z / (units[i] * units[i]) / h.force;
        abut_shape_release(shape);
        abut_shape_release(plane);
        facet_body_free(&body);
    }
    assert_near(off[0] / off[1], 1.0, 1e-9);
    assert_near(off[2] / off[1], 1.0, 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_law),       cmocka_unit_test(test_pole_on_plane), cmocka_unit_test(test_poles_of_two),
        cmocka_unit_test(test_any_point), cmocka_unit_test(test_saddle),        cmocka_unit_test(test_round),
        cmocka_unit_test(test_moved),     cmocka_unit_test(test_extremes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
