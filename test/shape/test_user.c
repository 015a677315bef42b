/* Shapes given by the caller's functions: an ellipsoid given in two ways equals the ellipsoid, a torus has a mass and saddles, and each kind of error has
 * its status. */
#include <abut/query.h>
#include <abut/smooth.h>

#include "shape/shape.h"
#include "shape/smooth.h"
#include "support/allocator.h"
#include "support/check.h"
#include "support/random.h"
#include "support/user_surface.h"

static void check_same_shape(const abut_shape *user, const abut_shape *own, abut_vec3 middle, random_state *random) {
    assert_near(user->unit_mass.volume, own->unit_mass.volume, 1e-9 * own->unit_mass.volume);
    assert_vec3_near(user->unit_mass.centre, middle, 1e-9);
    assert_near(user->unit_mass.inertia.x.x, own->unit_mass.inertia.x.x, 1e-9);
    assert_near(user->unit_mass.inertia.y.y, own->unit_mass.inertia.y.y, 1e-9);
    assert_near(user->unit_mass.inertia.z.z, own->unit_mass.inertia.z.z, 1e-9);
    assert_near(user->unit_mass.inertia.x.y, 0.0, 1e-9);
    assert_vec3_near(abut_sub(user->bounds.upper, middle), own->bounds.upper, 1e-9);
    assert_true(user->least_radius <= own->least_radius && user->inner_radius <= own->inner_radius);
    for (int i = 0; i < 200; ++i) {
        abut_vec3 n = random_direction(random), u, v, slope, own_slope;
        smooth_place p, q;
        abut_tangent_frame(n, &u, &v);
        smooth_place_find(user, n, u, v, &p);
        smooth_place_find(own, n, u, v, &q);
        assert_vec3_near(abut_sub(p.point, middle), q.point, 1e-12);
        assert_near(p.r11, q.r11, 1e-8 * (1.0 + fabs(q.r11)));
        assert_near(p.r12, q.r12, 1e-8 * (1.0 + fabs(q.r11)));
        assert_near(p.r22, q.r22, 1e-8 * (1.0 + fabs(q.r22)));
        /* Both gauges are 1 on the surface, with the same normal. */
        assert_near(smooth_gauge(user, p.point, &slope), 1.0, 1e-12);
        (void)smooth_gauge(own, q.point, &own_slope);
        assert_vec3_near(abut_unit(slope), abut_unit(own_slope), 1e-9);
    }
}

static void ellipsoids(void **ignored) {
    (void)ignored;
    random_state random = random_make(random_seed("ellipsoids", 961));
    for (int i = 0; i < 10; ++i) {
        user_ellipsoid e = {.half =
                                abut_vec3_make(random_range(&random, 0.3, 1), random_range(&random, 0.3, 1), random_range(&random, 0.3, 1)),
                            .middle = random_vec3(&random, -1.0, 1.0)};
        abut_shape *own, *implicit, *parametric;
        abut_implicit_def a = user_ellipsoid_implicit(&e);
        abut_parametric_def b = user_ellipsoid_parametric(&e);
        assert_ok(abut_shape_create_ellipsoid(e.half, &own));
        assert_ok(abut_shape_create_implicit(&a, &implicit));
        assert_ok(abut_shape_create_parametric(&b, &parametric));
        check_same_shape(implicit, own, e.middle, &random);
        check_same_shape(parametric, own, e.middle, &random);
        abut_shape_release(own);
        abut_shape_release(implicit);
        abut_shape_release(parametric);
    }
}

/* The answers are the same for every representation of the body. */
/* The gauge of bodies of any size: 1 on the surface. It was that of the nearest sample where lengths were below 1e-15. */
static void sizes(void **ignored) {
    (void)ignored;
    static const double all[] = {1e-40, 1e-20, 1.0, 1e20, 1e40};
    for (int i = 0; i < 5; i++) {
        user_ellipsoid egg = {{all[i], 2.0 * all[i], 1.5 * all[i]}, {0, 0, 0}};
        const abut_implicit_def level = user_ellipsoid_implicit(&egg);
        const abut_parametric_def net = user_ellipsoid_parametric(&egg);
        abut_shape *shapes[2];
        assert_ok(abut_shape_create_implicit(&level, &shapes[0]));
        assert_ok(abut_shape_create_parametric(&net, &shapes[1]));
        for (int k = 0; k < 2; k++) {
            abut_vec3 slope, direction = abut_unit(abut_vec3_make(0.3, -0.5, 0.8));
            double x = direction.x, y = direction.y / 2.0, z = direction.z / 1.5;
            abut_vec3 border = abut_scale(all[i] / sqrt(x * x + y * y + z * z), direction);
            assert_near(smooth_gauge(shapes[k], border, &slope), 1.0, 1e-12);
            abut_shape_release(shapes[k]);
        }
    }
}

static void collisions(void **ignored) {
    (void)ignored;
    random_state random = random_make(random_seed("collisions", 962));
    user_ellipsoid e = {.half = {0.9, 0.5, 0.7}};
    abut_shape *shapes[3], *box, *ball;
    abut_implicit_def a = user_ellipsoid_implicit(&e);
    abut_parametric_def b = user_ellipsoid_parametric(&e);
    assert_ok(abut_shape_create_ellipsoid(e.half, &shapes[0]));
    assert_ok(abut_shape_create_implicit(&a, &shapes[1]));
    assert_ok(abut_shape_create_parametric(&b, &shapes[2]));
    assert_ok(abut_shape_create_box(abut_vec3_make(0.4, 0.6, 0.5), &box));
    assert_ok(abut_shape_create_sphere(0.4, &ball));
    for (int i = 0; i < 60; ++i) {
        const abut_shape *other = i % 3 == 0 ? box : i % 3 == 1 ? ball : shapes[0];
        abut_pose pose_a = random_pose(&random, 0.3), pose_b = random_pose(&random, 1.0);
        abut_separation s[3];
        for (int k = 0; k < 3; ++k) {
            assert_ok(abut_distance(&(abut_pair){shapes[k], pose_a, other, pose_b}, NULL, NULL, &s[k]));
        }
        for (int k = 1; k < 3; ++k) {
            assert_near(s[k].gap, s[0].gap, 1e-9);
            assert_vec3_near(s[k].normal, s[0].normal, 1e-4); /* for deep overlap, a second direction may have nearly the same depth */
        }
        abut_hit hit[2];
        abut_vec3 from = random_vec3(&random, -2.0, 2.0), to = random_vec3(&random, -0.5, 0.5);
        for (int k = 0; k < 2; ++k) {
            assert_ok(abut_ray_cast(shapes[2 * k], abut_pose_identity(), from, abut_sub(to, from), &hit[k]));
        }
        assert_int_equal(hit[0].hit, hit[1].hit);
        assert_near(hit[0].fraction, hit[1].fraction, 1e-9);
    }
    for (int k = 0; k < 3; ++k) {
        abut_shape_release(shapes[k]);
    }
    abut_shape_release(box);
    abut_shape_release(ball);
}

/* Rays at a pole of the parameters and beside it, at distances from far below rounding: the point and the normal are those of the ball. */
static void rays_at_poles(void **ignored) {
    (void)ignored;
    const double radius = 0.5;
    user_ellipsoid ball = {.half = {radius, radius, radius}};
    abut_parametric_def def = user_ellipsoid_parametric(&ball);
    abut_shape *shape;
    assert_ok(abut_shape_create_parametric(&def, &shape));
    for (int exponent = -18; exponent < 0; ++exponent) {
        for (int turn = 0; turn < 14; ++turn) {
            double aside = turn == 0 ? 0.0 : 0.8 * radius * pow(10.0, exponent), end = turn % 2 == 0 ? 1.0 : -1.0;
            double x = aside * cos(turn), y = aside * sin(turn), z = end * sqrt(radius * radius - aside * aside);
            abut_hit hit;
            assert_ok(abut_ray_cast(shape, abut_pose_identity(), abut_vec3_make(x, y, 2.0 * end), abut_vec3_make(0, 0, -3.0 * end), &hit));
            assert_true(hit.hit && !hit.started_inside);
            assert_vec3_near(hit.point, abut_vec3_make(x, y, z), 1e-13);
            assert_vec3_near(hit.normal, abut_scale(1.0 / radius, abut_vec3_make(x, y, z)), 1e-12);
        }
    }
    abut_shape_release(shape);
}

/* V = 2 pi^2 R r^2; about its axis I = V (R^2 + 3/4 r^2), across it V (R^2 / 2 + 5/8 r^2). On the outside its curvatures are 1/r and 1/(R + r), inside the
 * ring 1/r and -1/(R - r). */
static void check_torus(const abut_shape *shape, const user_torus *t, double exactly) {
    double volume = 2.0 * PI * PI * t->ring * t->tube * t->tube, R = t->ring, r = t->tube;
    abut_mass m;
    abut_curvature c;
    assert_ok(abut_shape_mass(shape, 1.0, &m));
    assert_near(m.volume, volume, exactly * volume);
    assert_near(m.inertia.z.z, volume * (R * R + 0.75 * r * r), exactly * volume * R * R);
    assert_near(m.inertia.x.x, volume * (0.5 * R * R + 0.625 * r * r), exactly * volume * R * R);
    assert_vec3_near(m.centre, abut_vec3_make(0, 0, 0), exactly * R);
    assert_ok(abut_shape_curvature_at(shape, abut_vec3_make(0.0, R + r + 0.05, 0.0), &c));
    assert_vec3_near(c.point, abut_vec3_make(0.0, R + r, 0.0), 1e-9);
    assert_vec3_near(c.normal, abut_vec3_make(0, 1, 0), 1e-9);
    assert_near(c.curvature[0], 1.0 / (R + r), 1e-9);
    assert_near(c.curvature[1], 1.0 / r, 1e-9);
    assert_ok(abut_shape_curvature_at(shape, abut_vec3_make(R - r, 0.0, 0.0), &c));
    assert_vec3_near(c.normal, abut_vec3_make(-1, 0, 0), 1e-9);
    assert_near(c.curvature[0], -1.0 / (R - r), 1e-9);
    assert_near(c.curvature[1], 1.0 / r, 1e-9);
    assert_near(fabs(c.direction[0].y), 1.0, 1e-9);
}

static void tori(void **ignored) {
    (void)ignored;
    user_torus t = {.ring = 2.0, .tube = 0.5};
    abut_implicit_def a = user_torus_implicit(&t);
    abut_parametric_def b = user_torus_parametric(&t);
    abut_shape *implicit, *parametric, *ball, *both;
    assert_ok(abut_shape_create_implicit(&a, &implicit));
    assert_ok(abut_shape_create_parametric(&b, &parametric));
    check_torus(implicit, &t, 1e-4);
    check_torus(parametric, &t, 1e-12);
    assert_vec3_near(parametric->bounds.upper, abut_vec3_make(2.5, 2.5, 0.5), 1e-9);
    assert_ok(abut_shape_create_sphere(0.3, &ball));
    abut_contact contact;
    abut_separation s;
    abut_hit hit;
    abut_curvature c;
    abut_vec3 p;
    int32_t count;
    bool overlap;
    abut_pose o = abut_pose_identity();
    abut_part part = {parametric, o};
    /* A ring thinner than the cells of the grid has no mesh, and meets no other body. */
    user_torus thread = {.ring = 2.0, .tube = 0.03};
    abut_implicit_def c_def = user_torus_implicit(&thread);
    const abut_shape *mesh;
    abut_shape *thin;
    assert_ok(abut_shape_create_implicit(&c_def, &thin));
    assert_ok(abut_shape_surface_mesh(implicit, &mesh, NULL));
    assert_status(abut_shape_surface_mesh(thin, &mesh, NULL), ABUT_ERROR_NOT_CLOSED);
    assert_status(abut_collide(&(abut_pair){ball, o, thin, o}, NULL, NULL, &contact, 1, &count), ABUT_ERROR_UNSUPPORTED_PAIR);
    assert_status(abut_distance(&(abut_pair){thin, o, ball, o}, NULL, NULL, &s), ABUT_ERROR_UNSUPPORTED_PAIR);
    assert_status(abut_overlap(&(abut_pair){thin, o, ball, o}, NULL, &overlap), ABUT_ERROR_UNSUPPORTED_PAIR);
    assert_status(
        abut_shape_cast(&(abut_pair){thin, o, ball, o}, (abut_motion){.linear = {1, 0, 0}}, (abut_motion){.linear = {0, 0, 0}}, 0.0, &hit),
        ABUT_ERROR_UNSUPPORTED_PAIR);
    assert_status(abut_ray_cast(thin, o, abut_vec3_make(9, 0, 0), abut_vec3_make(-9, 0, 0), &hit), ABUT_ERROR_NOT_CONVEX);
    abut_shape_release(thin);
    /* Other questions need a convex body. */
    assert_status(abut_shape_support(implicit, abut_vec3_make(1, 0, 0), &p, NULL), ABUT_ERROR_NOT_CONVEX);
    assert_status(abut_shape_curvature(parametric, abut_vec3_make(1, 0, 0), &c), ABUT_ERROR_NOT_CONVEX);
    assert_status(abut_shape_create_compound(&part, 1, &both), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_curvature_at(implicit, abut_vec3_make(NAN, 0, 0), &c), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_shape_curvature_at(ball, abut_vec3_make(0.3, 0, 0), &c), ABUT_ERROR_INVALID_ARGUMENT);
    abut_aabb box = abut_shape_bounds(parametric, (abut_pose){abut_vec3_make(1, 2, 3), abut_quat_identity()});
    assert_vec3_near(box.upper, abut_vec3_make(3.5, 4.5, 3.5), 1e-9);
    /* The library detects that a shape declared convex is not convex. */
    abut_shape *none = NULL;
    a.convex = b.convex = true;
    assert_status(abut_shape_create_parametric(&b, &none), ABUT_ERROR_NOT_CONVEX);
    assert_true(abut_shape_create_implicit(&a, &none) != ABUT_OK);
    assert_null(none);
    abut_shape_release(implicit);
    abut_shape_release(parametric);
    abut_shape_release(ball);
}

/* Sizes, and a body that is not an ellipsoid, against its own function. */
static void quartics(void **ignored) {
    (void)ignored;
    for (int i = 0; i < 3; ++i) {
        double size = i == 0 ? 1.0 : i == 1 ? 1e-6 : 1e6;
        abut_implicit_def def = user_quartic(&size);
        abut_shape *shape;
        assert_ok(abut_shape_create_implicit(&def, &shape));
        random_state random = random_make(random_seed("quartics", 963));
        for (int k = 0; k < 100; ++k) {
            abut_vec3 n = random_direction(&random), point;
            abut_implicit_point at;
            assert_ok(abut_shape_support(shape, n, &point, NULL));
            def.function(def.context, point, &at);
            assert_near(at.value, 0.0, 1e-13);
            assert_vec3_near(abut_unit(at.gradient), n, 1e-12);
        }
        abut_shape_release(shape);
    }
}

static void wrong_hessian(void *context, abut_vec3 p, abut_implicit_point *at) {
    abut_implicit_def def = user_ellipsoid_implicit(context);
    def.function(context, p, at);
    at->hessian.y.y *= 1.01;
}

static void wrong_gradient(void *context, abut_vec3 p, abut_implicit_point *at) {
    abut_implicit_def def = user_ellipsoid_implicit(context);
    def.function(context, p, at);
    at->gradient.z = -at->gradient.z;
}

static abut_derivative wrong_one;

static void wrong_surface(void *context, double u, double v, abut_parametric_point *at) {
    abut_parametric_def def = user_ellipsoid_parametric(context);
    def.function(context, u, v, at);
    abut_vec3 *const which[] = {[ABUT_DERIVATIVE_SU] = &at->su,
                                [ABUT_DERIVATIVE_SV] = &at->sv,
                                [ABUT_DERIVATIVE_SUU] = &at->suu,
                                [ABUT_DERIVATIVE_SUV] = &at->suv,
                                [ABUT_DERIVATIVE_SVV] = &at->svv};
    *which[wrong_one] = abut_scale(1.001, *which[wrong_one]);
}

static void the_wrong_derivative_is_named(void **ignored) {
    (void)ignored;
    user_ellipsoid e = {.half = {0.9, 0.5, 0.7}};
    user_torus t = {.ring = 2.0, .tube = 0.5};
    double size = 1e-3;
    abut_implicit_def a = user_ellipsoid_implicit(&e), torus = user_torus_implicit(&t), quartic = user_quartic(&size);
    abut_parametric_def b = user_ellipsoid_parametric(&e), ring = user_torus_parametric(&t);
    abut_derivative_report report = {.error = -1.0};
    assert_ok(abut_implicit_check(&a, &report));
    assert_int_equal(report.wrong, ABUT_DERIVATIVE_NONE);
    assert_ok(abut_implicit_check(&quartic, NULL));
    assert_ok(abut_implicit_check(&torus, &report));
    assert_ok(abut_parametric_check(&b, &report));
    assert_ok(abut_parametric_check(&ring, &report));
    a.function = wrong_hessian;
    assert_status(abut_implicit_check(&a, &report), ABUT_ERROR_DERIVATIVE);
    assert_int_equal(report.wrong, ABUT_DERIVATIVE_HESSIAN);
    a.function = wrong_gradient;
    assert_status(abut_implicit_check(&a, &report), ABUT_ERROR_DERIVATIVE);
    assert_int_equal(report.wrong, ABUT_DERIVATIVE_GRADIENT);
    assert_true(report.error > 1e-3);
    b.function = wrong_surface;
    for (int which = ABUT_DERIVATIVE_SU; which <= ABUT_DERIVATIVE_SVV; ++which) {
        wrong_one = (abut_derivative)which;
        assert_status(abut_parametric_check(&b, &report), ABUT_ERROR_DERIVATIVE);
        assert_int_equal(report.wrong, wrong_one);
    }
    assert_status(abut_implicit_check(NULL, &report), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_parametric_check(NULL, &report), ABUT_ERROR_INVALID_ARGUMENT);
}

static void nowhere(void *context, abut_vec3 p, abut_implicit_point *at) {
    (void)context;
    (void)p;
    at->value = NAN;
}

static void refused(void **ignored) {
    (void)ignored;
    user_ellipsoid e = {.half = {0.9, 0.5, 0.7}};
    abut_shape *none = NULL;
    abut_implicit_def good = user_ellipsoid_implicit(&e), a = good;
    a.inside = abut_vec3_make(0.95, 0, 0); /* outside */
    assert_status(abut_shape_create_implicit(&a, &none), ABUT_ERROR_INVALID_ARGUMENT);
    a = good;
    a.bounds.upper.x = 0.5; /* cuts it */
    assert_status(abut_shape_create_implicit(&a, &none), ABUT_ERROR_INVALID_ARGUMENT);
    a = good;
    a.bounds.upper.x = NAN;
    assert_status(abut_shape_create_implicit(&a, &none), ABUT_ERROR_NOT_FINITE);
    a = good;
    a.function = nowhere;
    assert_status(abut_shape_create_implicit(&a, &none), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_shape_create_implicit(NULL, &none), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_implicit(&good, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    abut_parametric_def b = user_ellipsoid_parametric(&e);
    b.u_range[1] = b.u_range[0];
    assert_status(abut_shape_create_parametric(&b, &none), ABUT_ERROR_INVALID_ARGUMENT);
    b = user_ellipsoid_parametric(&e);
    b.v_range[1] = INFINITY;
    assert_status(abut_shape_create_parametric(&b, &none), ABUT_ERROR_NOT_FINITE);
    b = user_ellipsoid_parametric(&e);
    assert_status(abut_shape_create_parametric(&b, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_null(none);
}

static void no_memory(void **ignored) {
    (void)ignored;
    user_ellipsoid e = {.half = {0.9, 0.5, 0.7}};
    abut_implicit_def a = user_ellipsoid_implicit(&e);
    abut_parametric_def b = user_ellipsoid_parametric(&e);
    for (int which = 0; which < 2; ++which) {
        counting_allocator memory;
        int64_t refused_at = 0;
        do {
            abut_shape *shape = NULL;
            memory = (counting_allocator){.refuse_at = refused_at++};
            counting_allocator_install(&memory);
            abut_status status = which == 0 ? abut_shape_create_implicit(&a, &shape) : abut_shape_create_parametric(&b, &shape);
            abut_shape_release(shape);
            counting_allocator_remove();
            assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
            assert_int_equal(memory.live, 0);
        } while (memory.refused);
        assert_in_range(refused_at, 3, 10);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ellipsoids),
                                       cmocka_unit_test(sizes),
                                       cmocka_unit_test(collisions),
                                       cmocka_unit_test(rays_at_poles),
                                       cmocka_unit_test(tori),
                                       cmocka_unit_test(quartics),
                                       cmocka_unit_test(the_wrong_derivative_is_named),
                                       cmocka_unit_test(refused),
                                       cmocka_unit_test(no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
