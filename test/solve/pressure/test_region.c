/*
 * Pressure over the polygons of facets: tilings of balls bear what the whole spheres do, by Hertz and with adhesion, at every level of the mesh; point mode;
 * an ellipsoid on a plane, as its mesh gets finer, against the limit that the header states and against Hertz's theory of the elliptic disc.
 */
#include "solve/pressure/pressure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/check.h"
#include "support/icosphere.h"
#include "support/pressed.h"
#include "support/random.h"


static abut_pressure_result press(const pressed *p, const abut_pressure_law *law, const abut_pressure_body bodies[2],
                                  const abut_pressure_history *before) {
    abut_pressure_result r;
    assert_ok(abut_pressure_pair(p->contacts, p->ids, p->count, law, bodies, 0.0, before, NULL, &r));
    return r;
}

/* ---- balls of 1 and 1.5 ---- */

typedef struct balls {
    pressed contacts;
    abut_pressure_body bodies[2];
    abut_vec3 axis; /* from A to B */
} balls;

static balls make_balls(int level, double distance, double reach, uint64_t seed) {
    random_state random = random_make(seed);
    balls b = {.axis = random_direction(&random)};
    int32_t count_a, count_b;
    b.bodies[0].centre = abut_vec3_make(0.2, -0.1, 0.3);
    b.bodies[1].centre = abut_add_scaled(b.bodies[0].centre, distance, b.axis);
    abut_pose pose_a = {b.bodies[0].centre, random_rotation(&random)}, pose_b = {b.bodies[1].centre, random_rotation(&random)};
    abut_facet *fa = icosphere_make(level, 1.0, pose_a, &count_a), *fb = icosphere_make(level, 1.5, pose_b, &count_b);
    b.contacts = pressed_make(fa, count_a, fb, count_b, reach);
    free(fa);
    free(fb);
    return b;
}

/* The force is that of the whole spheres, along the line of centres, without a moment about either centre. */
static void check_balls(const balls *b, const abut_pressure_law *law, double overlap, const abut_pressure_history *before) {
    abut_pressure_result r = press(&b->contacts, law, b->bodies, before);
    abut_pressure_disc d;
    assert_ok(abut_pressure_spheres(law, 0.6, -overlap, before != NULL, &d));
    /* The overlap of balls that are placed at some distance is known to a rounding of that. */
    double tolerance = 1e-12 + (fabs(overlap) < 0.02 ? 2e-15 / fabs(overlap) : 0.0);
    double unit = fmax(fabs(d.force), 1e-3 * law->modulus * d.radius * d.radius);
    assert_near(-abut_dot(r.force, b->axis) / unit, d.force / unit, tolerance);
    assert_near(abut_length(abut_cross(r.force, b->axis)) / unit, 0.0, 1e-12);
    assert_near(abut_length(r.moment_a) / unit, 0.0, 1e-12);
    assert_near(abut_length(r.moment_b) / unit, 0.0, 1e-12);
    assert_near(r.elastic_energy, d.energy, tolerance * fabs(d.energy) + 4e-15 * unit);
    assert_near(r.area / (PI * d.radius * d.radius), 1.0, tolerance);
    assert_near(r.largest_pressure / d.pressure, 1.0, tolerance);
    assert_int_equal(r.regions, 1);
}

static void test_r7_tilings(void **state) {
    (void)state;
    abut_pressure_law law = {.modulus = 1e6};
    for (int level = 1; level <= 3; ++level) {
        balls b = make_balls(level, 2.47, 0.0, 700 + (uint64_t)level);
        abut_pressure_result r = press(&b.contacts, &law, b.bodies, NULL);
        printf("level %d: %d of %d contacts bear %.9f\n", level, (int)r.contacts, (int)b.contacts.count, abut_length(r.force));
        assert_near(abut_length(r.force), 5366.563146, 5e-7);
        assert_near(r.elastic_energy / (0.4 * 5366.563145999496 * 0.03), 1.0, 1e-12);
        check_balls(&b, &law, 0.03, NULL);
        pressed_free(&b.contacts);
    }
}

static void test_point_mode_of_balls(void **state) {
    (void)state;
    abut_pressure_law law = {.modulus = 1e6, .mode = ABUT_PRESSURE_POINT};
    for (int level = 1; level <= 3; ++level) {
        balls b = make_balls(level, 2.47, 0.0, 710 + (uint64_t)level);
        check_balls(&b, &law, 0.03, NULL);
        assert_int_equal(press(&b.contacts, &law, b.bodies, NULL).contacts, 1);
        pressed_free(&b.contacts);
    }
}

/* With adhesion the disc is larger than the circle of the spheres, and holds on where they are apart. */
static void test_adhesion_tilings(void **state) {
    (void)state;
    const double overlaps[4] = {0.03, 1e-4, -0.003, -0.006}; /* they part at -0.0085 */
    abut_pressure_memory touched = {.normal = {0, 0, 1}};
    abut_pressure_history before = {&touched, 1, 1};
    for (int level = 1; level <= 3; ++level) {
        for (int i = 0; i < 4; ++i) {
            abut_pressure_law law = {.modulus = 1e6, .adhesion = ABUT_ADHESION_JKR, .adhesion_work = 500.0};
            balls b = make_balls(level, 2.5 - overlaps[i], abut_pressure_reach(&law, 0.6), 720 + (uint64_t)level);
            check_balls(&b, &law, overlaps[i], &before);
            if (overlaps[i] < 0.0) {
                assert_int_equal(press(&b.contacts, &law, b.bodies, NULL).contacts, 0);
            }
            law.adhesion = ABUT_ADHESION_DMT;
            if (overlaps[i] > 0.0) {
                check_balls(&b, &law, overlaps[i], NULL);
            }
            pressed_free(&b.contacts);
        }
    }
}

/* Meshes that lie on each other corner by corner and side by side, about corners, middles of sides and of faces. */
static void test_equal_tilings(void **state) {
    (void)state;
    const double g = 1.6180339887498949;
    const abut_vec3 directions[4] = {{0, 0, 1}, {0, 1, g}, {1, 1, 1}, {0.3, -0.7, 0.2}};
    for (int level = 1; level <= 3; ++level) {
        for (int i = 0; i < 4; ++i) {
            for (int turned = 0; turned < 2; ++turned) {
                balls b = {.axis = abut_unit(directions[i])};
                int32_t count_a, count_b;
                b.bodies[1].centre = abut_scale(2.47, b.axis);
                abut_pose pose_b = {b.bodies[1].centre, turned == 0 ? abut_quat_identity() : abut_quat_about(b.axis, PI)};
                abut_facet *fa = icosphere_make(level, 1.0, abut_pose_identity(), &count_a), *fb = icosphere_make(level, 1.5, pose_b, &count_b);
                b.contacts = pressed_make(fa, count_a, fb, count_b, 0.0);
                abut_pressure_law law = {.modulus = 1e6};
                check_balls(&b, &law, 0.03, NULL);
                pressed_free(&b.contacts);
                free(fa);
                free(fb);
            }
        }
    }
}

/* One contact whose polygon is a part of the disc: force, moment and area by summing the pressure over a fine division of the polygon. */
static void test_pressure_summed_over_a_polygon(void **state) {
    (void)state;
    enum { CUTS = 700 };
    random_state random = random_make(random_seed("polygon", 735));
    for (int sample = 0; sample < 6; ++sample) {
        abut_pressure_law law = {.modulus = 1.0, .adhesion = sample < 3 ? ABUT_ADHESION_NONE : ABUT_ADHESION_JKR, .adhesion_work = 1e-5};
        abut_facet_contact c = {.relation = ABUT_FACET_CONTACT, .sphere_gap = -0.01, .radius = 1.0, .circle_radius = 0.14, .corner_count = 3};
        c.normal = random_direction(&random);
        c.centre = random_vec3(&random, -1, 1);
        abut_vec3 u, v, push = {0, 0, 0}, turn = {0, 0, 0}, middle = {0, 0, 0};
        double dome = 0.0, brim = 0.0;
        abut_tangent_frame(c.normal, &u, &v);
        double x[3], y[3], area = 0.0, from = random_range(&random, 0, 7);
        for (int k = 0; k < 3; ++k) {
            double r = random_range(&random, 0.06, 0.2), angle = from + k * 2.0;
            x[k] = r * cos(angle);
            y[k] = 0.04 + r * sin(angle);
            c.corner[k] = abut_add(c.centre, abut_add(abut_scale(x[k], u), abut_scale(y[k], v)));
        }
        abut_pressure_disc d;
        assert_ok(abut_pressure_spheres(&law, 1.0, -0.01, false, &d));
        double cell = 0.5 * fabs((x[1] - x[0]) * (y[2] - y[0]) - (y[1] - y[0]) * (x[2] - x[0])) / (CUTS * CUTS), p0 = sqrt(2e-5 / (PI * d.radius));
        for (int i = 0; i < CUTS; ++i) {
            for (int k = 0; k < 2 * (CUTS - i) - 1; ++k) { /* the middles of CUTS^2 small triangles */
                double s = (i + (k % 2 == 0 ? 1.0 : 2.0) / 3.0) / CUTS, t = (k / 2 + (k % 2 == 0 ? 1.0 : 2.0) / 3.0) / CUTS;
                double px = x[0] + s * (x[1] - x[0]) + t * (x[2] - x[0]), py = y[0] + s * (y[1] - y[0]) + t * (y[2] - y[0]);
                double height = 1.0 - (px * px + py * py) / (d.radius * d.radius);
                if (height > 0.0) {
                    double p = 2.0 * d.radius / PI * sqrt(height) - (sample < 3 ? 0.0 : p0 / sqrt(height));
                    abut_vec3 place = abut_add(c.centre, abut_add(abut_scale(px, u), abut_scale(py, v))), force = abut_scale(p * cell, c.normal);
                    push = abut_add(push, force);
                    turn = abut_add(turn, abut_cross(place, force));
                    dome += sqrt(height) * cell;
                    brim += cell / sqrt(height);
                    middle = abut_add_scaled(middle, sqrt(height) * cell, place);
                    area += cell;
                }
            }
        }
        abut_pressure_body bodies[2] = {{.centre = {0, 0, 0}}, {.centre = {1, 2, 3}}};
        abut_pressure_result r;
        assert_ok(abut_pressure_pair(&c, NULL, 1, &law, bodies, 0.0, NULL, NULL, &r));
        double tolerance = (sample < 3 ? 1e-5 : 2e-3) * d.force;
        assert_vec3_near(r.force, push, tolerance);
        assert_vec3_near(r.moment_a, turn, tolerance);
        assert_near(r.area, area, 1e-3 * d.radius * d.radius);
        assert_true(r.area > 0.2 * d.radius * d.radius && r.area < 0.99 * PI * d.radius * d.radius);
        /* What moves it acts at the centre of what presses: a spring of the share of 8 G* a that goes as 1 / sqrt(1 - r^2 / a^2) with its
         * damper on 2 / 7 of the mass, and the damper of the normal. */
        abut_vec3 way = abut_add(abut_scale(-1e-6, c.normal), abut_scale(2e-6, u)), rest = r.force, rest_turn = r.moment_a;
        law.friction = 1e3;
        law.shear_modulus = 0.3;
        law.damping = 0.1;
        bodies[0].motion.linear = way;
        bodies[0].inverse_mass = 1.0 / 3.0;
        assert_ok(abut_pressure_pair(&c, NULL, 1, &law, bodies, 1.0, NULL, NULL, &r));
        double spring = 8.0 * 0.3 * d.radius * brim / (2.0 * PI * d.radius * d.radius);
        double damper = 2.0 * sqrt(5.0 / 6.0) * 0.1 * sqrt(3.0 * 2.0 * d.radius) * dome / (2.0 / 3.0 * PI * d.radius * d.radius);
        spring += 2.0 * sqrt(5.0 / 6.0) * 0.1 * sqrt(2.0 / 7.0 * 3.0 * spring); /* in one step of length 1 */
        abut_vec3 more = abut_add(abut_scale(-2e-6 * spring, u), abut_scale(1e-6 * damper, c.normal)), added = abut_sub(r.force, rest);
        assert_near(abut_dot(added, u) / abut_dot(more, u), 1.0, 1.5e-2); /* the sum is coarse where the weight has no bound */
        assert_near(abut_dot(added, c.normal) / abut_dot(more, c.normal), 1.0, 1e-5);
        assert_vec3_near(abut_sub(r.moment_a, rest_turn), abut_cross(abut_scale(1.0 / dome, middle), added), 1e-6 * abut_length(added));
    }
}

static void test_ball_on_plane(void **state) {
    (void)state;
    abut_pressure_law law = {.modulus = 1e6};
    int32_t count;
    random_state random = random_make(731);
    abut_pressure_body bodies[2] = {{.centre = {0.1, 0.2, 0.98}}, {.centre = {5, 5, -3}}};
    for (int level = 0; level <= 4; ++level) {
        abut_facet *f = icosphere_make(level, 1.0, (abut_pose){bodies[0].centre, random_rotation(&random)}, &count);
        pressed p = pressed_on_plane(f, count, 0.0, 0.0);
        abut_pressure_result r = press(&p, &law, bodies, NULL);
        double force = 4.0 / 3.0 * 1e6 * pow(0.02, 1.5);
        assert_vec3_near(r.force, abut_vec3_make(0, 0, force), 1e-12 * force);
        assert_near(abut_length(r.moment_a), 0.0, 1e-12 * force);
        assert_vec3_near(r.moment_b, abut_cross(abut_vec3_make(-4.9, -4.8, 3), abut_vec3_make(0, 0, -force)), 1e-11 * force);
        pressed_free(&p);
        free(f);
    }
}

/* ---- an ellipsoid's lowest part, on a plane ---- */

typedef enum rounding { GEOMETRIC, BEST } rounding;

typedef struct cap {
    double x, y; /* half axes; that along z is 1, and the lowest point the origin */
    rounding radii;
} cap;

static abut_vec3 on_cap(const cap *c, double x, double y) {
    double q = x * x / (c->x * c->x) + y * y / (c->y * c->y);
    return abut_vec3_make(x, y, q / (1.0 + sqrt(1.0 - q)));
}

/* From the two curvatures of the ellipsoid: geometric mean G of the radii and 1 over the mean curvature, M. */
static double cap_radius(const cap *c, double x, double y) {
    abut_vec3 p = on_cap(c, x, y);
    double a2 = c->x * c->x, b2 = c->y * c->y, z = p.z - 1.0;
    double h2 = 1.0 / (p.x * p.x / (a2 * a2) + p.y * p.y / (b2 * b2) + z * z);
    double geometric = sqrt(a2 * b2) / h2;
    double mean = 2.0 * a2 * b2 / (h2 * sqrt(h2) * fabs(p.x * p.x + p.y * p.y + z * z - a2 - b2 - 1.0));
    return c->radii == GEOMETRIC ? geometric : sqrt(geometric * mean);
}

static abut_facet cap_facet(const cap *c, const double xy[3][2]) {
    abut_facet f = {.radius = cap_radius(c, (xy[0][0] + xy[1][0] + xy[2][0]) / 3.0, (xy[0][1] + xy[1][1] + xy[2][1]) / 3.0)};
    for (int i = 0; i < 3; ++i) { /* outward is downward */
        f.corner[i] = on_cap(c, xy[2 - i][0], xy[2 - i][1]);
    }
    return f;
}

/* A mesh of right triangles, turned and off centre, as far as `extent`. */
static abut_facet *cap_make(const cap *c, double edge, double extent, int32_t *count) {
    int side = (int)ceil(1.5 * extent / edge);
    abut_facet *f = check_memory((size_t)(8 * side * side), sizeof *f);
    double turn = 0.3, cosine = cos(turn), sine = sin(turn), corner[4][2];
    *count = 0;
    for (int i = -side; i < side; ++i) {
        for (int k = -side; k < side; ++k) {
            for (int j = 0; j < 4; ++j) {
                double u = edge * (i + (j == 1 || j == 2) + 0.31), v = edge * (k + (j > 1) + 0.17);
                corner[j][0] = cosine * u - sine * v;
                corner[j][1] = sine * u + cosine * v;
            }
            const double low[3][2] = {{corner[0][0], corner[0][1]}, {corner[1][0], corner[1][1]}, {corner[2][0], corner[2][1]}};
            const double high[3][2] = {{corner[0][0], corner[0][1]}, {corner[2][0], corner[2][1]}, {corner[3][0], corner[3][1]}};
            f[(*count)++] = cap_facet(c, low);
            f[(*count)++] = cap_facet(c, high);
        }
    }
    return f;
}

/* Complete elliptic integrals K and E of the complementary modulus b / a, by the arithmetic-geometric mean. */
static void elliptic(double ratio, double *k, double *e) {
    double a = 1.0, b = ratio, sum = 0.5 * (1.0 - ratio * ratio), power = 0.5;
    while (fabs(a - b) > 1e-15 * a) {
        double c = 0.5 * (a - b), mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
        power *= 2.0;
        sum += power * c * c;
    }
    *k = PI / (2.0 * a);
    *e = *k * (1.0 - sum);
}

/* Hertz's force for E* = 1 of radii r1 > r2 (Johnson, equations 4.25 to 4.28, with the disc's axes a > b found by bisection). */
static double hertz_elliptic(double r1, double r2, double overlap) {
    double low = 1e-6, high = 1.0 - 1e-9, k, e;
    for (int i = 0; i < 100; ++i) {
        double ratio = 0.5 * (low + high);
        elliptic(ratio, &k, &e);
        *((e / (ratio * ratio) - k) / (k - e) > r1 / r2 ? &low : &high) = ratio;
    }
    elliptic(low, &k, &e);
    double a = sqrt(overlap * (k - e) * 2.0 * r1 / (k * (1.0 - low * low))), b = a * low;
    return 2.0 / 3.0 * PI * a * b * overlap / (k * b);
}

static double limit_of(double r1, double r2, double r, double overlap) {
    return 8.0 / 3.0 * pow(overlap, 1.5) * sqrt(r1 * r2 / r) / sqrt((1.0 + r / r1) * (1.0 + r / r2));
}

static double press_cap(const cap *c, double edge, double overlap, abut_pressure_mode mode) {
    int32_t count;
    double extent = 2.5 * sqrt(2.0 * overlap) * fmax(c->x, c->y);
    abut_facet *f = cap_make(c, edge, extent, &count);
    pressed p = pressed_on_plane(f, count, overlap, 0.0);
    abut_pressure_body bodies[2] = {{.centre = {0, 0, 1}}, {.centre = {0, 0, -1}}};
    abut_pressure_law law = {.modulus = 1.0, .mode = mode};
    double force = press(&p, &law, bodies, NULL).force.z;
    pressed_free(&p);
    free(f);
    return force;
}

/* Radii r1 : r2, with a geometric mean of 1. */
static void check_cap(double ratio, rounding radii, double expected_of_hertz) {
    double r1 = sqrt(ratio), r2 = 1.0 / r1, overlap = 1e-4, edge = 0.02, error[6];
    cap c = {sqrt(r1), sqrt(r2), radii};
    double r = radii == GEOMETRIC ? 1.0 : sqrt(2.0 / (r1 + r2)), limit = limit_of(r1, r2, r, overlap), hertz = hertz_elliptic(r1, r2, overlap);
    for (int i = 0; i < 6; ++i) {
        double force = press_cap(&c, edge / (1 << i), overlap, ABUT_PRESSURE_AREA);
        error[i] = force / limit - 1.0;
        printf("R1 : R2 = %g, %s, edge / sqrt(R d) = %.3f: off the limit %+.2e, off Hertz %+.2e\n", ratio, radii == GEOMETRIC ? "geometric" : "best",
               edge / (1 << i) / 0.01, error[i], force / hertz - 1.0);
    }
    assert_near(limit / hertz - 1.0, expected_of_hertz, 6e-4);
    /* About the second order: single errors depend on how the disc's border lies on the mesh. */
    assert_true(fabs(error[5]) < 1e-3 && fabs(error[5]) < fabs(error[1]) / 20.0);
}

static void test_elliptic_integrals(void **state) {
    (void)state;
    double k, e;
    elliptic(0.6, &k, &e); /* modulus 0.8 */
    assert_near(k, 1.995302777664729, 1e-14);
    assert_near(e, 1.2763499431699064, 1e-14);
    assert_near(hertz_elliptic(1.0 + 1e-7, 1.0, 0.01) / (4.0 / 3.0 * 1e-3), 1.0, 1e-5);
}

static void test_ellipsoid_on_plane(void **state) {
    (void)state;
    check_cap(1.21, GEOMETRIC, -0.0019);
    check_cap(2.0, GEOMETRIC, -0.0246);
    check_cap(4.0, GEOMETRIC, -0.0933);
    check_cap(1.21, BEST, 0.0004);
    check_cap(2.0, BEST, 0.0045);
    check_cap(4.0, BEST, 0.0123);
}

/* The one sphere of the facet that touches first, at its place. */
static void test_ellipsoid_in_point_mode(void **state) {
    (void)state;
    const double ratios[3] = {1.21, 2.0, 4.0}, expected[3] = {-0.0008, -0.0099, -0.0383};
    for (int i = 0; i < 3; ++i) {
        double r1 = sqrt(ratios[i]);
        int32_t count;
        cap c = {sqrt(r1), 1.0 / sqrt(r1), GEOMETRIC};
        abut_facet *f = cap_make(&c, 1e-3, 0.03, &count);
        pressed p = pressed_on_plane(f, count, 1e-4, 0.0);
        abut_pressure_body bodies[2] = {{.centre = {0, 0, 1}}, {.centre = {0, 0, -1}}};
        abut_pressure_law law = {.modulus = 1.0, .mode = ABUT_PRESSURE_POINT};
        abut_pressure_result r = press(&p, &law, bodies, NULL);
        assert_near(r.force.z / hertz_elliptic(r1, 1.0 / r1, 1e-4) - 1.0, expected[i], 2e-3);
        assert_int_equal(r.contacts, 1);
        pressed_free(&p);
        free(f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_r7_tilings),    cmocka_unit_test(test_point_mode_of_balls), cmocka_unit_test(test_adhesion_tilings),
        cmocka_unit_test(test_equal_tilings), cmocka_unit_test(test_pressure_summed_over_a_polygon),
        cmocka_unit_test(test_ball_on_plane), cmocka_unit_test(test_elliptic_integrals),  cmocka_unit_test(test_ellipsoid_on_plane),
        cmocka_unit_test(test_ellipsoid_in_point_mode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
