/* The largest ball in a polyhedron: closed forms, an oracle that tries every choice of four planes, many planes, ties, and thin bodies. Also, whether the
 * ball can move. */
#include "geom/inner_ball.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/check.h"

static double clearance(const abut_vec3 *n, const double *d, int32_t count, abut_vec3 x) {
    double least = INFINITY;
    for (int32_t i = 0; i < count; i++) {
        least = fmin(least, d[i] - abut_dot(n[i], x));
    }
    return least;
}

/* (x, r) with n . x + r = d on four planes, by Cramer's rule on the differences. False if there is no unique solution. */
static bool touch_four(const abut_vec3 *n, const double *d, const int32_t *pick, abut_vec3 *x, double *r) {
    abut_vec3 row[3];
    double right[3];
    for (int i = 0; i < 3; i++) {
        row[i] = abut_sub(n[pick[i + 1]], n[pick[0]]);
        right[i] = d[pick[i + 1]] - d[pick[0]];
    }
    abut_vec3 yz = abut_cross(row[1], row[2]), zx = abut_cross(row[2], row[0]), xy = abut_cross(row[0], row[1]);
    double determinant = abut_dot(row[0], yz);
    if (fabs(determinant) < 1e-9) {
        return false;
    }
    abut_vec3 sum = abut_add(abut_scale(right[0], yz), abut_add(abut_scale(right[1], zx), abut_scale(right[2], xy)));
    *x = abut_scale(1.0 / determinant, sum);
    *r = d[pick[0]] - abut_dot(n[pick[0]], *x);
    return true;
}

/* The optimum of the linear program lies on some four planes. */
static double best_of_all_fours(const abut_vec3 *n, const double *d, int32_t count) {
    double best = 0.0;
    int32_t p[4];
    for (p[0] = 0; p[0] < count; p[0]++) {
        for (p[1] = p[0] + 1; p[1] < count; p[1]++) {
            for (p[2] = p[1] + 1; p[2] < count; p[2]++) {
                for (p[3] = p[2] + 1; p[3] < count; p[3]++) {
                    abut_vec3 x;
                    double r;
                    if (touch_four(n, d, p, &x, &r) && clearance(n, d, count, x) >= r - 1e-12) {
                        best = fmax(best, r);
                    }
                }
            }
        }
    }
    return best;
}

static void random_polyhedra_against_all_fours(void **state) {
    (void)state;
    random_state random = random_make(random_seed("random_polyhedra_against_all_fours", 31));
    double worst = 0.0;
    for (int sample = 0; sample < 300; sample++) {
        int32_t count = 4 + random_below(&random, 13);
        abut_vec3 n[26];
        double d[26];
        /* Six walls bound the body. The others are random planes that do not cut off the origin. */
        for (int32_t i = 0; i < count + 6; i++) {
            n[i] = random_direction(&random);
            d[i] = random_range(&random, 0.05, 1.0);
        }
        for (int32_t i = 0; i < 6; i++) {
            n[i] = abut_vec3_make(i == 0 ? 1 : i == 1 ? -1 : 0, i == 2 ? 1 : i == 3 ? -1 : 0, i == 4 ? 1 : i == 5 ? -1 : 0);
            d[i] = random_range(&random, 0.5, 1.0);
        }
        abut_vec3 centre;
        double radius = inner_ball(n, d, count + 6, 2.0, &centre);
        assert_near(radius, clearance(n, d, count + 6, centre), 0.0);
        worst = fmax(worst, fabs(radius - best_of_all_fours(n, d, count + 6)));
    }
    printf("inner ball against all choices of four planes: off by at most %.3g\n", worst);
    assert_true(worst < 1e-13);
}

static void box_wall(abut_vec3 *n, double *d, abut_vec3 half) {
    for (int32_t i = 0; i < 6; i++) {
        double s = i & 1 ? 1 : -1;
        n[i] = i < 2 ? abut_vec3_make(s, 0, 0) : i < 4 ? abut_vec3_make(0, s, 0) : abut_vec3_make(0, 0, s);
        d[i] = i < 2 ? half.x : i < 4 ? half.y : half.z;
    }
}

static void of_many_best_centres_one_near_the_origin(void **state) {
    (void)state;
    abut_vec3 n[6], centre;
    double d[6];
    box_wall(n, d, abut_vec3_make(1, 2, 3));
    assert_near(inner_ball(n, d, 6, 4.0, &centre), 1.0, 0.0);
    assert_vec3_near(centre, abut_vec3_make(0, 0, 0), 0.0);
    /* The same box about (0.5, 0.25, 1): every centre with x = 0.5 and enough space is optimal; (0.5, 0, 0) is nearest to the origin. */
    const abut_vec3 shift = {0.5, 0.25, 1.0};
    for (int i = 0; i < 6; i++) {
        d[i] += abut_dot(n[i], shift);
    }
    assert_near(inner_ball(n, d, 6, 8.0, &centre), 1.0, 1e-15);
    assert_vec3_near(centre, abut_vec3_make(0.5, 0, 0), 1e-14);
}

/* A plate: the error of the radius is the rounding error of the plate's thickness. */
static void thin_plates(void **state) {
    (void)state;
    for (double thin = 1.0; thin > 1e-14; thin *= 0.1) {
        abut_vec3 n[6], centre;
        double d[6];
        box_wall(n, d, abut_vec3_make(1, 1, thin));
        d[4] = 0.5 * thin;
        assert_near(inner_ball(n, d, 6, 2.0, &centre), 0.75 * thin, 1e-15);
    }
}

/* Many tangent planes of the unit sphere: r = 1, and all planes tie within rounding error. */
static void planes_of_a_sphere(void **state) {
    (void)state;
    enum { count = 20000 };
    random_state random = random_make(random_seed("planes_of_a_sphere", 12));
    abut_vec3 *n = check_memory(count, sizeof *n), centre;
    double *d = check_memory(count, sizeof *d);
    const abut_vec3 shift = {0.3, -0.2, 0.1};
    for (int32_t i = 0; i < count; i++) {
        n[i] = random_direction(&random);
        d[i] = 1.0 + abut_dot(n[i], shift);
    }
    assert_near(inner_ball(n, d, count, 4.0, &centre), 1.0, 1e-13);
    assert_vec3_near(centre, shift, 1e-12);
    free(n);
    free(d);
}

/* ---- whether the ball can move ---- */

/* The planes of a solid, and whether its largest ball is held. Also returns the centre of inner_ball() and its radius. */
static bool is_held(const oracle_body *body, abut_vec3 *centre, double *radius) {
    enum { MOST = 600 };
    double distances[MOST];
    assert_true(body->face_count <= MOST);
    *radius = inner_ball(body->normals, body->offsets, body->face_count, 4.0, centre);
    for (int32_t i = 0; i < body->face_count; i++) {
        distances[i] = body->offsets[i] - abut_dot(body->normals[i], *centre);
    }
    return inner_ball_is_held(body->normals, distances, body->face_count, *radius);
}

static bool solid_is_held(solid s) {
    oracle_body body = oracle_solid(&s, abut_pose_identity());
    abut_vec3 centre;
    double radius;
    bool held = is_held(&body, &centre, &radius);
    oracle_free(&body);
    solid_free(&s);
    return held;
}

static void held_in_closed_forms(void **state) {
    (void)state;
    assert_true(solid_is_held(solid_box(abut_vec3_make(1, 1, 1))));
    assert_true(solid_is_held(
        solid_tetrahedron(abut_vec3_make(1, 1, 1), abut_vec3_make(1, -1, -1), abut_vec3_make(-1, 1, -1), abut_vec3_make(-1, -1, 1))));
    assert_true(solid_is_held(solid_tetrahedron(abut_vec3_make(-0.1, -0.1, -0.1), abut_vec3_make(1.9, -0.1, -0.1),
                                                abut_vec3_make(-0.1, 0.9, -0.1), abut_vec3_make(-0.1, -0.1, 0.4))));
    assert_true(solid_is_held(solid_prism(1.0, 0.5, 3))); /* the height equals the diameter of the triangle's inscribed circle */
    assert_false(solid_is_held(solid_box(abut_vec3_make(1, 1, 1.01))));
    assert_false(solid_is_held(solid_box(abut_vec3_make(1, 2, 3))));
    assert_false(solid_is_held(solid_box(abut_vec3_make(1, 1, 0.01))));
    assert_false(solid_is_held(solid_prism(1.0, 0.6, 3))); /* up and down */
    assert_false(solid_is_held(solid_prism(1.0, 0.4, 3))); /* sideways */
    assert_false(solid_is_held(solid_prism(1.0, 2.0, 6)));
    assert_false(solid_is_held(solid_prism(0.5, 3.0, 64))); /* a cylinder: more planes touch the ball than the test examines */
}

/* A held ball loses clearance for every displacement of its centre. */
static void a_held_ball_has_nowhere_to_go(void **state) {
    (void)state;
    random_state random = random_make(random_seed("a_held_ball_has_nowhere_to_go", 32));
    const double step = 1e-4;
    int32_t held = 0, samples = 400;
    double least = INFINITY;
    for (int32_t sample = 0; sample < samples; sample++) {
        abut_vec3 semi_axes = random_vec3(&random, 0.3, 1.0), centre;
        solid s = solid_cloud(&random, 4 + random_below(&random, 40), semi_axes);
        abut_vec3 middle = solid_centroid(&s);
        for (int32_t i = 0; i < s.vertex_count; i++) {
            s.vertices[i] = abut_sub(s.vertices[i], middle); /* inner_ball() requires the origin inside */
        }
        oracle_body body = oracle_solid(&s, abut_pose_identity());
        double radius;
        if (is_held(&body, &centre, &radius)) {
            held++;
            for (int32_t i = 0; i < 500; i++) {
                abut_vec3 moved = abut_add_scaled(centre, step * radius, random_direction(&random));
                double lost = radius - clearance(body.normals, body.offsets, body.face_count, moved);
                least = fmin(least, lost / (step * radius));
            }
        }
        oracle_free(&body);
        solid_free(&s);
    }
    printf("a_held_ball_has_nowhere_to_go: %d of %d held, the least loss is %.3g of the step\n", (int)held, (int)samples, least);
    assert_true(held > samples * 9 / 10); /* for random planes exactly four touch, and they hold the ball */
    assert_true(least > 1e-4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_polyhedra_against_all_fours),
        cmocka_unit_test(of_many_best_centres_one_near_the_origin),
        cmocka_unit_test(thin_plates),
        cmocka_unit_test(planes_of_a_sphere),
        cmocka_unit_test(held_in_closed_forms),
        cmocka_unit_test(a_held_ball_has_nowhere_to_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
