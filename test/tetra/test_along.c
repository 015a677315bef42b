/* One normal, or one plane: abut_simplex_depth_along(), abut_simplex_push() and the object norm. The reference is a general solver of quadratic programs
 * with every coordinate of every displacement as a variable (support/depth_problem.h), and exact quadrature. */
#include "support/check.h"
#include "support/depth_problem.h"
#include "support/random.h"

#include <float.h>

static const double side = 10.0;

static abut_simplex random_simplex(random_state *random, int32_t count) {
    abut_simplex s = {.count = count};
    for (int32_t i = 0; i < count; i++) {
        s.vertex[i] = random_vec3(random, -0.5 * side, 0.5 * side);
    }
    return s;
}

static double volume(const abut_simplex *s) {
    abut_vec3 u = abut_sub(s->vertex[1], s->vertex[0]), v = abut_sub(s->vertex[2], s->vertex[0]), w = abut_sub(s->vertex[3], s->vertex[0]);
    return s->count < 4 ? 0.0 : fabs(abut_dot(abut_cross(u, v), w)) / 6.0;
}

static abut_simplex random_tetra(random_state *random) {
    abut_simplex s;
    do {
        s = random_simplex(random, 4);
    } while (!(volume(&s) > 0.1));
    return s;
}

/* Weights: equal, random, A static, B static. */
static depth_pair random_pair(random_state *random, int32_t sample, bool tetrahedra) {
    depth_pair pair = {.weight_a = 1.0, .weight_b = 1.0};
    bool any = !tetrahedra && random_below(random, 2) == 0;
    pair.a = any ? random_simplex(random, 1 + random_below(random, 4)) : random_tetra(random);
    pair.b = any ? random_simplex(random, 1 + random_below(random, 4)) : random_tetra(random);
    double weight_a = random_log_range(random, 1e-2, 1e2), weight_b = random_log_range(random, 1e-2, 1e2);
    switch (sample % 4) {
    case 1:
        pair.weight_a = weight_a;
        pair.weight_b = weight_b;
        break;
    case 2:
        pair.weight_a = INFINITY;
        pair.weight_b = weight_b;
        break;
    case 3:
        pair.weight_a = weight_a;
        pair.weight_b = INFINITY;
        break;
    default:
        break;
    }
    return pair;
}

static abut_vec3 face_normal(const abut_simplex *s, int32_t i) {
    int32_t m = s->count;
    return abut_unit(abut_cross(abut_sub(s->vertex[(i + 1) % m], s->vertex[i]), abut_sub(s->vertex[(i + 2) % m], s->vertex[i])));
}

/* A random normal, a face normal of A, one of B, or the cross product of an edge of each, in both signs. Random if the others are undefined. */
static abut_vec3 random_normal(random_state *random, const depth_pair *pair) {
    int32_t kind = random_below(random, 4), i = random_below(random, pair->a.count), j = random_below(random, pair->b.count);
    abut_vec3 normal = random_direction(random);
    if (kind == 1 && pair->a.count >= 3) {
        normal = face_normal(&pair->a, i);
    } else if (kind == 2 && pair->b.count >= 3) {
        normal = face_normal(&pair->b, j);
    } else if (kind == 3 && pair->a.count >= 2 && pair->b.count >= 2) {
        normal = abut_unit(abut_cross(abut_sub(pair->a.vertex[(i + 1) % pair->a.count], pair->a.vertex[i]),
                                      abut_sub(pair->b.vertex[(j + 1) % pair->b.count], pair->b.vertex[j])));
    }
    return random_below(random, 2) == 0 ? normal : abut_neg(normal);
}

static abut_depth_settings settings_of(const depth_pair *pair, double volume_ratio) {
    abut_depth_settings settings = abut_depth_settings_default();
    settings.weight_a = pair->weight_a;
    settings.weight_b = pair->weight_b;
    settings.volume_ratio = volume_ratio;
    return settings;
}

static void describe(tally *t, int32_t sample, const depth_pair *pair, abut_vec3 normal, double ratio) {
    tally_sample(t, "sample %d: %d and %d vertices, weights %g %g, normal (%.17g, %.17g, %.17g), volume ratio %g", (int)sample,
                 (int)pair->a.count, (int)pair->b.count, pair->weight_a, pair->weight_b, normal.x, normal.y, normal.z, ratio);
}

static double furthest(int32_t count, const abut_vec3 *x, const abut_vec3 *y) {
    double most = 0.0;
    for (int32_t i = 0; i < count; i++) {
        most = fmax(most, abut_distance_between(x[i], y[i]));
    }
    return most;
}

/* Both bodies lie on their sides of the plane, within rounding error. */
static void check_separated(tally *t, const depth_pair *pair, const abut_depth *depth) {
    double slack = 1e-12 * side;
    for (int32_t i = 0; i < pair->a.count; i++) {
        double height = abut_dot(depth->normal, abut_add(pair->a.vertex[i], depth->displacement_a[i])) - depth->offset;
        if (!(height >= -slack)) {
            tally_fail(t, "A is not above the plane", "vertex %d by %g", (int)i, height);
        }
    }
    for (int32_t j = 0; j < pair->b.count; j++) {
        double height = abut_dot(depth->normal, abut_add(pair->b.vertex[j], depth->displacement_b[j])) - depth->offset;
        if (!(height <= slack)) {
            tally_fail(t, "B is not below the plane", "vertex %d by %g", (int)j, height);
        }
    }
}

/* The largest errors of the answers, for the log. */
typedef struct record {
    int32_t overlaps;
    double square, displacement, force;
} record;

static void compare(tally *t, const depth_pair *pair, abut_vec3 normal, const abut_depth *depth, const qp_solution *solution,
                    double tolerance, record *r) {
    abut_vec3 d[4], e[4];
    double square = 2.0 * solution->value, off = fabs(depth->depth * depth->depth - square);
    depth_problem_displacements(pair, solution, d, e);
    double moved = fmax(furthest(pair->a.count, depth->displacement_a, d), furthest(pair->b.count, depth->displacement_b, e));
    double largest = fmax(furthest(pair->a.count, d, (abut_vec3[4]){{0, 0, 0}}), furthest(pair->b.count, e, (abut_vec3[4]){{0, 0, 0}}));
    /* The effect of the rounding error of heights on both. */
    double rounding = 32.0 * DBL_EPSILON * side;
    r->overlaps++;
    r->square = fmax(r->square, off / square);
    r->displacement = fmax(r->displacement, moved / largest);
    if (!(off <= tolerance * square + rounding * sqrt(square))) {
        tally_fail(t, "depth", "squared %.17g, not %.17g, off by %g", depth->depth * depth->depth, square, off);
    }
    if (!(moved <= tolerance * largest + rounding)) {
        tally_fail(t, "displacements", "off by %g of %g", moved, largest);
    }
    double sigma_a = abut_object_norm_squared(pair->a.count, depth->displacement_a);
    double sigma_b = abut_object_norm_squared(pair->b.count, depth->displacement_b);
    if (!(fabs(sigma_a - depth->sigma_a) <= 1e-13 * sigma_a + rounding * sqrt(sigma_a)) ||
        !(fabs(sigma_b - depth->sigma_b) <= 1e-13 * sigma_b + rounding * sqrt(sigma_b))) {
        tally_fail(t, "sigmas", "%.17g %.17g, of the displacements %.17g %.17g", depth->sigma_a, depth->sigma_b, sigma_a, sigma_b);
    }
    if (!(abut_distance_between(depth->normal, normal) <= 4.0 * DBL_EPSILON)) {
        tally_fail(t, "normal", "(%g, %g, %g)", depth->normal.x, depth->normal.y, depth->normal.z);
    }
    check_separated(t, pair, depth);
}

static double overlap_along(const depth_pair *pair, abut_vec3 normal) {
    double overlap = -INFINITY;
    for (int32_t i = 0; i < pair->a.count; i++) {
        for (int32_t j = 0; j < pair->b.count; j++) {
            overlap = fmax(overlap, abut_dot(normal, abut_sub(pair->b.vertex[j], pair->a.vertex[i])));
        }
    }
    return overlap;
}

/* Solves by both methods. False if there is nothing to compare. */
static bool ask(tally *t, const depth_pair *pair, abut_vec3 normal, double length, double ratio, abut_depth *depth, qp_solution *solution) {
    qp_problem problem;
    abut_depth_settings settings = settings_of(pair, ratio);
    abut_status status = abut_simplex_depth_along(&pair->a, &pair->b, abut_scale(length, normal), &settings, depth);
    if (status != ABUT_OK || depth->status != ABUT_OK) {
        tally_fail(t, "status", "%s", abut_status_name(status));
        return false;
    }
    double overlap = overlap_along(pair, normal);
    if (fabs(overlap) < 1e-6 * side) {
        return false;
    }
    if (overlap < 0.0) {
        if (depth->relation != ABUT_DEPTH_DISJOINT || depth->depth != 0.0) {
            tally_fail(t, "room along the normal", "%g, relation %d, depth %g", -overlap, (int)depth->relation, depth->depth);
        }
        return false;
    }
    depth_problem_along(pair, normal, ratio, &problem);
    qp_solve(&problem, solution);
    if (solution->status != QP_SOLVED || depth->relation != ABUT_DEPTH_INTERSECTING) {
        tally_fail(t, "no answer", "referee %d after %d steps, relation %d", (int)solution->status, (int)solution->steps,
                   (int)depth->relation);
        return false;
    }
    return true;
}

static void test_inequalities(void **state) {
    (void)state;
    random_state random = random_make(random_seed("inequalities", 11));
    int32_t samples = random_samples("inequalities", 6000);
    tally t = {.kinds = 0};
    record r = {.overlaps = 0};
    for (int32_t i = 0; i < samples; i++) {
        depth_pair pair = random_pair(&random, i, false);
        abut_vec3 normal = random_normal(&random, &pair);
        abut_depth depth;
        qp_solution solution;
        describe(&t, i, &pair, normal, -INFINITY);
        if (ask(&t, &pair, normal, random_log_range(&random, 1e-3, 1e3), -INFINITY, &depth, &solution)) {
            compare(&t, &pair, normal, &depth, &solution, 1e-12, &r);
        }
    }
    print_message("%d overlaps, off by at most %.1e in depth^2 and %.1e in displacements\n", (int)r.overlaps, r.square, r.displacement);
    assert_true(r.overlaps > samples / 2);
    tally_end(&t);
}

static void compare_force(tally *t, const char *body, double force, double multiplier, double scale, record *r) {
    double off = fabs(force - multiplier) / scale;
    r->force = fmax(r->force, off);
    if (!(off <= 1e-9)) {
        tally_fail(t, "volume force", "of %s %.17g, not %.17g", body, force, multiplier);
    }
}

static void test_volume(void **state) {
    (void)state;
    random_state random = random_make(random_seed("volume", 12));
    int32_t samples = random_samples("volume", 6000), bound = 0;
    tally t = {.kinds = 0};
    record r = {.overlaps = 0};
    for (int32_t i = 0; i < samples; i++) {
        static const double ratios[] = {0.1, 0.0, 0.5, 0.9, 0.3};
        depth_pair pair = random_pair(&random, i, true);
        abut_vec3 normal = random_normal(&random, &pair);
        double ratio = ratios[random_below(&random, 5)];
        abut_depth depth;
        qp_solution solution;
        describe(&t, i, &pair, normal, ratio);
        if (!ask(&t, &pair, normal, 1.0, ratio, &depth, &solution)) {
            continue;
        }
        compare(&t, &pair, normal, &depth, &solution, 1e-10, &r);
        int32_t row = pair.a.count * pair.b.count;
        double of_a = pair.weight_a < INFINITY ? 2.0 * solution.multiplier[row++] : 0.0;
        double of_b = pair.weight_b < INFINITY ? 2.0 * solution.multiplier[row] : 0.0;
        if (ratio == 0.0) {
            continue; /* a flattened body has no volume in any case, so the multipliers are not determined */
        }
        compare_force(&t, "A", depth.volume_force_a, of_a, fmax(fmax(of_a, of_b), 2.0 * solution.value), &r);
        compare_force(&t, "B", depth.volume_force_b, of_b, fmax(fmax(of_a, of_b), 2.0 * solution.value), &r);
        bound += of_a > 0.0 || of_b > 0.0;
    }
    print_message("%d overlaps, %d of them bound; off by at most %.1e in depth^2, %.1e in displacements, %.1e in forces\n", (int)r.overlaps,
                  (int)bound, r.square, r.displacement, r.force);
    assert_true(bound > samples / 20);
    tally_end(&t);
}

static void test_push(void **state) {
    (void)state;
    random_state random = random_make(random_seed("push", 13));
    int32_t samples = random_samples("push", 6000);
    tally t = {.kinds = 0};
    double worst = 0.0, worst_moved = 0.0;
    for (int32_t i = 0; i < samples; i++) {
        abut_simplex s = random_simplex(&random, i % 2 == 0 ? 4 : 1 + random_below(&random, 4));
        abut_vec3 normal = random_direction(&random), d[4], expected[4];
        double offset = random_range(&random, -side, side), length = random_log_range(&random, 1e-3, 1e3), sigma;
        qp_problem problem;
        qp_solution solution;
        tally_sample(&t, "sample %d: %d vertices, normal (%.17g, %.17g, %.17g), offset %.17g", (int)i, (int)s.count, normal.x, normal.y,
                     normal.z, offset);
        abut_status status = abut_simplex_push(&s, abut_scale(length, normal), length * offset, d, i % 3 == 0 ? NULL : &sigma);
        depth_problem_push(&s, normal, offset, &problem);
        qp_solve(&problem, &solution);
        if (status != ABUT_OK || solution.status != QP_SOLVED) {
            tally_fail(&t, "status", "%s, referee %d", abut_status_name(status), (int)solution.status);
            continue;
        }
        sigma = i % 3 == 0 ? abut_object_norm_squared(s.count, d) : sigma;
        depth_pair alone = {s, s, 1.0, INFINITY};
        abut_vec3 nothing[4];
        depth_problem_displacements(&alone, &solution, expected, nothing);
        double square = 2.0 * solution.value, rounding = 32.0 * DBL_EPSILON * side, moved = furthest(s.count, d, expected);
        double largest = furthest(s.count, expected, nothing), off = fabs(sigma - square);
        worst = square > 0.0 ? fmax(worst, off / square) : worst;
        worst_moved = largest > 0.0 ? fmax(worst_moved, moved / largest) : worst_moved;
        if (!(off <= 1e-12 * square + rounding * sqrt(square)) || !(moved <= 1e-12 * largest + rounding)) {
            tally_fail(&t, "push", "%.17g, not %.17g; displacements off by %g of %g", sigma, square, moved, largest);
        }
    }
    print_message("off by at most %.1e in sigma and %.1e in displacements\n", worst, worst_moved);
    tally_end(&t);
}

/* The mean of |d(x)|^2 by the m-point rule that is exact for polynomials of second degree; each point is nearer to one of the vertices. */
static double mean_square(int32_t count, const abut_vec3 *d) {
    double far = (1.0 - 1.0 / sqrt(count + 1.0)) / count, near = 1.0 - (count - 1) * far, sum = 0.0;
    for (int32_t i = 0; i < count; i++) {
        abut_vec3 at = abut_vec3_make(0, 0, 0);
        for (int32_t k = 0; k < count; k++) {
            at = abut_add_scaled(at, k == i ? near : far, d[k]);
        }
        sum += abut_length_squared(at) / count;
    }
    return sum;
}

static void test_object_norm(void **state) {
    (void)state;
    random_state random = random_make(random_seed("object norm", 14));
    for (int32_t i = 0; i < 1000; i++) {
        int32_t count = 1 + i % 4;
        abut_vec3 d[4], step = random_vec3(&random, -3.0, 3.0), same[4] = {step, step, step, step};
        for (int32_t k = 0; k < count; k++) {
            d[k] = random_vec3(&random, -3.0, 3.0);
        }
        double expected = mean_square(count, d);
        assert_near(abut_object_norm_squared(count, d), expected, 1e-14 * (1.0 + expected));
        assert_near(abut_object_norm_squared(count, same), abut_length_squared(step), 1e-14 * (1.0 + abut_length_squared(step)));
    }
    abut_vec3 d[5] = {{0, 0, 0}};
    assert_true(isnan(abut_object_norm_squared(0, d)));
    assert_true(isnan(abut_object_norm_squared(5, d)));
}

/* ---- the displaced bodies, without the reference's own rounding error ---- */

/* A sum of doubles without rounding error (J. Shewchuk 1997): nonoverlapping components, the largest last. */
typedef struct expansion {
    int32_t count;
    double part[64];
} expansion;

static void grow(expansion *e, double x) {
    int32_t kept = 0;
    for (int32_t i = 0; i < e->count; i++) {
        double y = e->part[i], sum = x + y, virtual = sum - x, lost = (x - (sum - virtual)) + (y - virtual);
        if (lost != 0.0) {
            e->part[kept++] = lost;
        }
        x = sum;
    }
    e->part[kept++] = x;
    e->count = kept;
}

static void grow_product(expansion *e, double x, double y) {
    double product = x * y;
    grow(e, fma(x, y, -product));
    grow(e, product);
}

/* normal . (p + d - q - e), rounded once. */
static double exact_gap(abut_vec3 normal, abut_vec3 p, abut_vec3 d, abut_vec3 q, abut_vec3 e) {
    expansion sum = {.count = 0};
    const double n[3] = {normal.x, normal.y, normal.z},
                 x[4][3] = {{p.x, p.y, p.z}, {d.x, d.y, d.z}, {-q.x, -q.y, -q.z}, {-e.x, -e.y, -e.z}};
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 4; i++) {
            grow_product(&sum, n[k], x[i][k]);
        }
    }
    return sum.part[sum.count - 1];
}

static abut_vec3 grid_point(random_state *random, int32_t reach) {
    double x = random_below(random, 2 * reach + 1) - reach, y = random_below(random, 2 * reach + 1) - reach;
    return abut_vec3_make(x, y, random_below(random, 2 * reach + 1) - reach);
}

/* Integer vertices and normals: the caller's problem is known without rounding error, and many heights are equal. */
static void test_exactly_separated(void **state) {
    (void)state;
    random_state random = random_make(random_seed("exactly separated", 15));
    int32_t samples = random_samples("exactly separated", 20000);
    tally t = {.kinds = 0};
    double worst = 0.0;
    for (int32_t i = 0; i < samples; i++) {
        int32_t reach = i % 2 == 0 ? 2 : 1000;
        depth_pair pair = random_pair(&random, i, false);
        for (int32_t k = 0; k < 4; k++) {
            pair.a.vertex[k] = grid_point(&random, reach);
            pair.b.vertex[k] = grid_point(&random, reach);
        }
        abut_vec3 normal = grid_point(&random, 5);
        if (!(abut_length(normal) > 0.0)) {
            continue;
        }
        abut_depth_settings settings = settings_of(&pair, -INFINITY);
        abut_depth depth;
        describe(&t, i, &pair, normal, -INFINITY);
        abut_status status = abut_simplex_depth_along(&pair.a, &pair.b, normal, &settings, &depth);
        if (status != ABUT_OK) {
            tally_fail(&t, "status", "%s", abut_status_name(status));
            continue;
        }
        double overlap = overlap_along(&pair, normal); /* exact */
        bool right = overlap > 0.0 ? depth.relation == ABUT_DEPTH_INTERSECTING && depth.depth > 0.0
                                   : depth.relation == (overlap < 0.0 ? ABUT_DEPTH_DISJOINT : ABUT_DEPTH_TOUCHING) && depth.depth == 0.0;
        if (!right) {
            tally_fail(&t, "relation", "%d, depth %g, overlap %g", (int)depth.relation, depth.depth, overlap);
        }
        for (int32_t k = 0; k < pair.a.count; k++) {
            for (int32_t j = 0; j < pair.b.count; j++) {
                double gap = exact_gap(normal, pair.a.vertex[k], depth.displacement_a[k], pair.b.vertex[j], depth.displacement_b[j]);
                worst = fmax(worst, -gap / (abut_length(normal) * reach));
                if (!(gap >= -16.0 * DBL_EPSILON * abut_length(normal) * reach)) {
                    tally_fail(&t, "still in each other", "by %g", -gap);
                }
            }
        }
    }
    print_message("still in each other by at most %.1e of the size\n", worst);
    tally_end(&t);
}

/* A normal of which the length is beyond all numbers still names its plane. */
static void test_push_along_a_vast_normal(void **state) {
    (void)state;
    const abut_simplex s = {4, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const double large = 1.5 * ldexp(1.0, 1023), offset = 0.25 * large; /* x + y <= 0.25, times 1.5 2^1023 */
    abut_vec3 usual[4], vast[4];
    double sigma, same;
    assert_ok(abut_simplex_push(&s, abut_vec3_make(1, 1, 0), 0.25, usual, &sigma));
    assert_ok(abut_simplex_push(&s, abut_vec3_make(large, large, 0), offset, vast, &same));
    assert_true(sigma > 0.0);
    assert_near(same, sigma, 1e-15);
    for (int i = 0; i < 4; ++i) {
        assert_near(vast[i].x, usual[i].x, 1e-15);
        assert_near(vast[i].z, usual[i].z, 1e-15);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inequalities),
        cmocka_unit_test(test_volume),
        cmocka_unit_test(test_push),
        cmocka_unit_test(test_object_norm),
        cmocka_unit_test(test_push_along_a_vast_normal),
        cmocka_unit_test(test_exactly_separated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
