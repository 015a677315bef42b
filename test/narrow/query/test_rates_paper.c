/*
 * Rates of contacts against the derivation of Baraff's paper (sections 5 and 6, appendices): both surfaces as heights over the contact
 * plane, four equations for the motion of the extremal points, and the resulting second derivative. Time derivatives of the surfaces'
 * functions are taken at a fixed point of space.
 */
#include <abut/rates.h>

#include "support/check.h"
#include "support/random.h"

/* The implicit function of an ellipsoid at a point of its surface: zero there, positive outside. */
typedef struct function {
    abut_vec3 slope, slope_rate;
    abut_mat3 bend; /* second derivatives */
    double rate, second;
} function;

typedef struct egg {
    abut_vec3 half;
    abut_pose pose;
    abut_kinematics motion;
} egg;

static abut_vec3 support(const egg *e, abut_vec3 outward) {
    abut_vec3 m = abut_quat_rotate_inverse(e->pose.rotation, outward), h = e->half;
    abut_vec3 s = {h.x * h.x * m.x, h.y * h.y * m.y, h.z * h.z * m.z};
    return abut_pose_apply(e->pose, abut_scale(1.0 / sqrt(abut_dot(m, s)), s));
}

static function function_at(const egg *e, abut_vec3 p) {
    const abut_kinematics *m = &e->motion;
    abut_mat3 r = abut_mat3_from_quat(e->pose.rotation);
    abut_mat3 scaled = {abut_scale(2.0 / (e->half.x * e->half.x), r.x), abut_scale(2.0 / (e->half.y * e->half.y), r.y),
                        abut_scale(2.0 / (e->half.z * e->half.z), r.z)};
    function f = {.bend = abut_mat3_mul(scaled, abut_mat3_transpose(r))};
    abut_vec3 arm = abut_sub(p, m->centre), v = abut_add(m->velocity.linear, abut_cross(m->velocity.angular, arm));
    f.slope = abut_mat3_apply(f.bend, abut_sub(p, e->pose.position));
    f.slope_rate = abut_sub(abut_cross(m->velocity.angular, f.slope), abut_mat3_apply(f.bend, v));
    /* of the velocity at a fixed point: not the material acceleration */
    abut_vec3 a = abut_sub(abut_add(m->acceleration.linear, abut_cross(m->acceleration.angular, arm)),
                           abut_cross(m->velocity.angular, m->velocity.linear));
    f.rate = -abut_dot(f.slope, v);
    f.second = -(abut_dot(f.slope_rate, v) + abut_dot(f.slope, a));
    return f;
}

/* A surface as a height over the plane. */
typedef struct height {
    double bend[2][2], slope_rate[2], rate, second;
} height;

static height height_of(const function *f, const abut_vec3 axis[3]) {
    double down = abut_dot(axis[2], f->slope), rate = -f->rate / down;
    height h = {.rate = rate};
    double twist = abut_dot(axis[2], f->slope_rate), bend = abut_dot(axis[2], abut_mat3_apply(f->bend, axis[2]));
    h.second = -(f->second + 2.0 * twist * rate + bend * rate * rate) / down;
    for (int i = 0; i < 2; i++) {
        h.slope_rate[i] = -(abut_dot(axis[i], f->slope_rate) + abut_dot(axis[i], abut_mat3_apply(f->bend, axis[2])) * rate) / down;
        for (int k = 0; k < 2; k++) {
            h.bend[i][k] = -abut_dot(axis[i], abut_mat3_apply(f->bend, axis[k])) / down;
        }
    }
    return h;
}

/* Gaussian elimination with pivots; returns the determinant. */
static double solve(double m[4][5], double x[4]) {
    double determinant = 1.0;
    for (int i = 0; i < 4; i++) {
        int best = i;
        for (int k = i + 1; k < 4; k++) {
            best = fabs(m[k][i]) > fabs(m[best][i]) ? k : best;
        }
        for (int c = 0; c < 5; c++) {
            double swap = m[i][c];
            m[i][c] = m[best][c];
            m[best][c] = swap;
        }
        determinant *= best == i ? m[i][i] : -m[i][i];
        for (int k = i + 1; k < 4; k++) {
            double by = m[k][i] / m[i][i];
            for (int c = i; c < 5; c++) {
                m[k][c] -= by * m[i][c];
            }
        }
    }
    for (int i = 3; i >= 0; i--) {
        x[i] = m[i][4];
        for (int k = i + 1; k < 4; k++) {
            x[i] -= m[i][k] * x[k];
        }
        x[i] /= m[i][i];
    }
    return determinant;
}

typedef struct paper {
    double chi_second, second, determinant;
} paper;

static double quadratic(const height *h, const double *p) {
    double sum = 0.0;
    for (int i = 0; i < 2; i++) {
        sum += 2.0 * h->slope_rate[i] * p[i];
        for (int k = 0; k < 2; k++) {
            sum += p[i] * h->bend[i][k] * p[k];
        }
    }
    return sum + h->second;
}

static paper by_the_paper(const egg *a, const egg *b, abut_vec3 n, double gap) {
    abut_vec3 axis[3] = {n, n, n};
    abut_tangent_frame(n, &axis[0], &axis[1]);
    function f = function_at(a, support(a, abut_neg(n))), g = function_at(b, support(b, n));
    height top = height_of(&f, axis), under = height_of(&g, axis);
    double m[4][5] = {{0}}, p[4];
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) {
            m[i][k] = top.bend[i][k];
            m[i][2 + k] = -under.bend[i][k];
            m[2 + i][k] = i == k;
            m[2 + i][2 + k] = -((i == k) - gap * under.bend[i][k]);
        }
        m[i][4] = under.slope_rate[i] - top.slope_rate[i];
        m[2 + i][4] = -gap * under.slope_rate[i];
    }
    paper found = {.determinant = solve(m, p)};
    found.chi_second = quadratic(&top, p) - quadratic(&under, p + 2);
    found.second = found.chi_second;
    for (int i = 0; i < 2; i++) {
        double turn = under.bend[i][0] * p[2] + under.bend[i][1] * p[3] + under.slope_rate[i];
        found.second += gap * turn * turn;
    }
    return found;
}

static double by_the_library(const egg *a, const egg *b, abut_vec3 n, double gap) {
    abut_shape *shape_a = NULL, *shape_b = NULL;
    assert_ok(abut_shape_create_ellipsoid(a->half, &shape_a));
    assert_ok(abut_shape_create_ellipsoid(b->half, &shape_b));
    abut_contact c = {.on_a = support(a, abut_neg(n)), .on_b = support(b, n), .normal = n, .gap = gap};
    c.feature_a.kind = c.feature_b.kind = ABUT_FEATURE_SMOOTH;
    abut_curvature of_a, of_b;
    abut_rates r;
    assert_ok(abut_contact_surfaces(&c, &(abut_pair){shape_a, a->pose, shape_b, b->pose}, &of_a, &of_b));
    assert_ok(abut_contact_rates(&c, &of_a, &of_b, &a->motion, &b->motion, &r));
    abut_shape_release(shape_a);
    abut_shape_release(shape_b);
    return r.gap_acceleration;
}

/* Places A at that distance from B, along B's normal at the point. */
static void put(egg *a, const egg *b, abut_vec3 n, double gap) {
    abut_vec3 way = abut_sub(abut_add_scaled(support(b, n), gap, n), support(a, abut_neg(n)));
    a->pose.position = abut_add(a->pose.position, way);
    a->motion.centre = a->pose.position;
}

static void printed_figures(void **state) {
    (void)state;
    const double z = PI / 6.0, x = 2.0 * PI / 9.0;
    abut_quat turn = abut_quat_mul(abut_quat_about(abut_vec3_make(0, 0, 1), z), abut_quat_about(abut_vec3_make(1, 0, 0), x));
    egg a = {{1.2, 0.7, 0.5}, {{0, 0, 0}, turn}, {{0, 0, 0}, {{0.3, -0.2, 0.1}, {0.5, -0.4, 0.7}}, {{0.1, 0.2, -9.81}, {-0.3, 0.6, 0.2}}}};
    egg b = {{0.9, 1.4, 0.6}, {{0, 0, 0}, {0, 0, 0, 1}}, {{0, 0, 0}, {{-0.1, 0.05, 0.2}, {0.2, 0.3, -0.6}}, {{0, 0, 0}, {0.1, -0.2, 0.3}}}};
    abut_vec3 n = abut_unit(abut_vec3_make(1, 2, 3));
    put(&a, &b, n, 0.0);
    paper touching = by_the_paper(&a, &b, n, 0.0);
    assert_near(fabs(touching.determinant), 8.859365861, 1e-8);
    assert_near(touching.second, -7.345422673355, 1e-10);
    put(&a, &b, n, 0.25);
    paper apart = by_the_paper(&a, &b, n, 0.25);
    assert_near(apart.chi_second, -7.403764320041, 1e-10);
    assert_near(apart.second, -7.377017311873, 1e-10);
    assert_near(by_the_library(&a, &b, n, 0.25), apart.second, 1e-10);
}

static abut_kinematics random_motion(random_state *random) {
    abut_kinematics m = {.centre = {0, 0, 0}};
    m.velocity.linear = random_vec3(random, -1, 1);
    m.velocity.angular = random_vec3(random, -1, 1);
    m.acceleration.linear = random_vec3(random, -5, 5);
    m.acceleration.angular = random_vec3(random, -2, 2);
    return m;
}

static void random_ellipsoids(void **state) {
    (void)state;
    random_state random = random_make(random_seed("random_ellipsoids", 531));
    for (int sample = 0; sample < 500; sample++) {
        const double gaps[4] = {0.0, 0.3, 0.02, -0.02};
        egg e[2];
        for (int i = 0; i < 2; i++) {
            e[i].half = random_vec3(&random, 0.4, 1.5);
            e[i].pose = random_pose(&random, 1.0);
            e[i].motion = random_motion(&random);
            e[i].motion.centre = e[i].pose.position;
        }
        abut_vec3 n = random_direction(&random);
        put(&e[0], &e[1], n, gaps[sample % 4]);
        paper wanted = by_the_paper(&e[0], &e[1], n, gaps[sample % 4]);
        assert_near(by_the_library(&e[0], &e[1], n, gaps[sample % 4]), wanted.second, 1e-9 * (1.0 + fabs(wanted.second)));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(printed_figures),
        cmocka_unit_test(random_ellipsoids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
