/*
 * The normal of a body and a triangle that nearly touch, with edges that are nearly parallel or a corner beside a rim. The distance is that of a point and a
 * segment in the plane across the edge, or a height.
 */
#include "narrow/mesh/convex/closest.h"

#include "support/check.h"
#include "support/random.h"

enum { SAMPLES = 20000 };

static triangle_body *make_triangle(triangle_body *made, abut_vec3 p, abut_vec3 q, abut_vec3 r) {
    mesh_triangle t = {.corner = {p, q, r}, .vertex = {0, 1, 2}};
    t.across = abut_cross(abut_sub(q, p), abut_sub(r, p));
    t.normal = abut_unit(t.across);
    triangle_body_set(made, &t);
    return made;
}

static void check_gap(const convex *body, const triangle_body *flat, double exact, int sample) {
    const normal_settings settings = {.margin = 1.0, .minimum = true, .aside = {0.6, 0.0, 0.8}};
    contact_normal normal;
    assert_true(mesh_closest_normal(body, flat, &settings, &normal));
    double off = fabs(normal.gap - exact), support = -convex_extent(body, normal.direction) - body->radius;
    support -= convex_extent(&flat->body, abut_neg(normal.direction));
    if (!(off <= 1e-9 * exact + 1e-14) || !(support <= exact + 1e-14) || fabs(abut_length(normal.direction) - 1.0) > 1e-14) {
        print_error("sample %d: gap %.17g, support %.17g, exact %.17g\n", sample, normal.gap, support, exact);
        fail();
    }
}

/* The distance of the y axis through (x, z) from the segment between two points, seen along y. */
static double distance_along_y(double x, double z, abut_vec3 p, abut_vec3 q) {
    long double px = (long double)p.x - x, pz = (long double)p.z - z, ux = (long double)q.x - p.x, uz = (long double)q.z - p.z;
    long double square = ux * ux + uz * uz, t = square > 0.0L ? -(px * ux + pz * uz) / square : 0.0L;
    t = t < 0.0L ? 0.0L : t > 1.0L ? 1.0L : t;
    return (double)sqrtl((px + t * ux) * (px + t * ux) + (pz + t * uz) * (pz + t * uz));
}

/* A point beside the edge of the unit cube along y at x = z = 1. */
static abut_vec3 beside_edge(random_state *random, double most, double y) {
    double far = most * random_log_range(random, 1e-2, 1), angle = random_range(random, 0.02, 1.55);
    return abut_vec3_make(1.0 + far * cos(angle), y, 1.0 + far * sin(angle));
}

static void edge_of_a_cube(void **state) {
    (void)state;
    random_state random = random_make(random_seed("edge_of_a_cube", 3906));
    abut_shape *cube = NULL;
    assert_ok(abut_shape_create_box(abut_vec3_make(1, 1, 1), &cube));
    convex body = convex_place(cube, abut_mat3_identity(), abut_vec3_make(0, 0, 0), 0);
    for (int i = 0; i < SAMPLES; i++) {
        double most = random_log_range(&random, 1e-12, 1e-6);
        abut_vec3 p = beside_edge(&random, most, random_range(&random, -0.9, -0.1)),
                  q = beside_edge(&random, most, random_range(&random, 0.1, 0.9));
        abut_vec3 far = abut_vec3_make(random_range(&random, 1.1, 2), random_range(&random, -1, 1), random_range(&random, 1.1, 2));
        triangle_body flat;
        check_gap(&body, make_triangle(&flat, p, q, far), distance_along_y(1.0, 1.0, p, q), i);
    }
    abut_shape_release(cube);
}

static void side_of_a_capsule(void **state) {
    (void)state;
    random_state random = random_make(random_seed("side_of_a_capsule", 3858));
    abut_shape *capsule = NULL;
    assert_ok(abut_shape_create_capsule(0.25, 1.0, &capsule));
    const abut_mat3 along_y = abut_mat3_make(abut_vec3_make(0, 0, 1), abut_vec3_make(1, 0, 0), abut_vec3_make(0, 1, 0));
    convex body = convex_place(capsule, along_y, abut_vec3_make(0, 0, 0), 0);
    for (int i = 0; i < SAMPLES; i++) {
        double most = random_log_range(&random, 1e-10, 1e-7), x = 0.25 + most * random_range(&random, 0.1, 1);
        abut_vec3 p = abut_vec3_make(x, random_range(&random, -0.9, -0.1), most * random_range(&random, -1, 1));
        abut_vec3 q = abut_vec3_make(0.25 + most * random_range(&random, 0.1, 1), random_range(&random, 0.1, 0.9),
                                     most * random_range(&random, -1, 1));
        abut_vec3 far = abut_vec3_make(random_range(&random, 1.1, 2), random_range(&random, -1, 1), 0.0);
        if (i % 2) { /* a level face that begins below the axis */
            p.z = fabs(p.z);
            q.z = fabs(q.z);
            far = abut_vec3_make(0.25 + most * random_range(&random, 0.1, 1), random_range(&random, -1, 1), 1.0);
        }
        triangle_body flat;
        check_gap(&body, make_triangle(&flat, p, q, far), distance_along_y(0.0, 0.0, p, q) - 0.25, i);
    }
    abut_shape_release(capsule);
}

/* A face almost level below the capsule: the gap is the height where the axis passes over a side or ends. */
static void capsule_over_sides(void **state) {
    (void)state;
    random_state random = random_make(random_seed("capsule_over_sides", 9486));
    abut_shape *capsule = NULL;
    assert_ok(abut_shape_create_capsule(0.25, 1.0, &capsule));
    const abut_mat3 along_y = abut_mat3_make(abut_vec3_make(0, 0, 1), abut_vec3_make(1, 0, 0), abut_vec3_make(0, 1, 0));
    convex body = convex_place(capsule, along_y, abut_vec3_make(0, 0, 0), 0);
    for (int i = 0; i < SAMPLES; i++) {
        double most = random_log_range(&random, 1e-10, 1e-7), from = random_range(&random, -0.9, -0.1),
               to = random_range(&random, 0.1, 0.9);
        double left = random_range(&random, -1, 1), right = random_range(&random, -1, 1);
        abut_vec3 p = abut_vec3_make(0.25 + most * random_range(&random, 0.1, 1), from + left, -1.0);
        abut_vec3 q = abut_vec3_make(0.25 + most * random_range(&random, 0.1, 1), from - left, 1.0);
        abut_vec3 r = abut_vec3_make(0.25 + most * random_range(&random, 0.1, 1), 2.0 * to - q.y + right, -1.0);
        double t = (0.0 - q.z) / (r.z - q.z), y[2] = {0.5 * (p.y + q.y), q.y + t * (r.y - q.y)};
        double x[2] = {0.5 * (p.x + q.x), q.x + t * (r.x - q.x)}; /* over both sides that the axis crosses */
        if (fabs(y[0] - y[1]) < 0.05 || fabs(y[0]) > 0.99 || fabs(y[1]) > 0.99) {
            continue;
        }
        triangle_body flat;
        check_gap(&body, make_triangle(&flat, p, q, r), fmin(x[0], x[1]) - 0.25, i);
    }
    abut_shape_release(capsule);
}

/* A triangle level with the disc, with a corner beside the rim. Its side goes over the disc, or it only reaches the rim. */
static void corner_beside_a_rim(void **state) {
    (void)state;
    random_state random = random_make(random_seed("corner_beside_a_rim", 5924));
    abut_shape *cylinder = NULL;
    assert_ok(abut_shape_create_cylinder(0.5, 0.25, &cylinder));
    convex body = convex_place(cylinder, abut_mat3_identity(), abut_vec3_make(0, 0, 0), 0);
    for (int i = 0; i < SAMPLES; i++) {
        double height = random_log_range(&random, 1e-10, 1e-6), z = 0.25 + height, out = height * random_range(&random, -20, 20);
        double turn = random_range(&random, 0, 6), c = cos(turn), s = sin(turn);
        bool over = random_below(&random, 2);
        double lean = over ? random_range(&random, 0.7, 1.2) : -0.1, up = over ? -lean : 0.1;
        abut_vec3 corner[3] = {{0.5 + out, 0.0, z}, {0.5 - lean, 1.0, z}, {0.6, up, z + 0.1}};
        for (int k = 0; k < 3; k++) {
            corner[k] = abut_vec3_make(c * corner[k].x - s * corner[k].y, s * corner[k].x + c * corner[k].y, corner[k].z);
        }
        double beyond = hypot(corner[0].x, corner[0].y) - 0.5;
        triangle_body flat;
        make_triangle(&flat, corner[0], corner[1], corner[2]);
        check_gap(&body, &flat, over || beyond <= 0.0 ? z - 0.25 : hypot(beyond, z - 0.25), i);
    }
    abut_shape_release(cylinder);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(edge_of_a_cube), cmocka_unit_test(side_of_a_capsule),
                                       cmocka_unit_test(capsule_over_sides), cmocka_unit_test(corner_beside_a_rim)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
