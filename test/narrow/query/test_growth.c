/* abut_growth_distance() against the dual enumeration over all facets of the Minkowski difference, and, for all pairs of shapes, against
 * its own primal and dual certificates computed again here. World frame, normal from B into A. */
#include "support/check.h"

#include <float.h>
#include <stdio.h>

/* A shape, and its representation for the oracle. */
typedef struct specimen {
    abut_shape *shape;
    solid surface; /* if the shape is a polytope */
    bool polytope;
    double radius, half_length;
    double size;
    abut_vec3 centroid;
    double inradius; /* lower bound of the radius of a ball inside the body about its centroid */
} specimen;

static specimen from_solid(solid s) {
    specimen x = {.shape = solid_shape(&s), .surface = s, .polytope = true, .size = solid_reach(&s), .centroid = solid_centroid(&s)};
    oracle_body body = oracle_solid(&s, abut_pose_identity());
    x.inradius = -oracle_outside(&body, x.centroid);
    oracle_free(&body);
    return x;
}

static specimen make_specimen(random_state *random, int32_t kind, double size) {
    abut_vec3 half = abut_scale(size, random_vec3(random, 0.35, 0.65));
    specimen x = {0};
    switch (kind) {
    case 0:
        x = from_solid(solid_box(half));
        abut_shape_release(x.shape);
        assert_ok(abut_shape_create_box(half, &x.shape));
        return x;
    case 1:
        return from_solid(solid_cloud(random, 8, half));
    case 2:
        return from_solid(solid_cloud(random, 24, half));
    case 3:
        return from_solid(solid_prism(half.x, half.y, 3 + random_below(random, 14)));
    case 4:
        return from_solid(solid_pyramid(half.x, half.y, 3 + random_below(random, 14)));
    case 5:
        x.radius = x.size = x.inradius = half.x;
        assert_ok(abut_shape_create_sphere(x.radius, &x.shape));
        return x;
    default:
        x.radius = x.inradius = half.x;
        x.half_length = half.y;
        x.size = half.x + half.y;
        assert_ok(abut_shape_create_capsule(x.radius, x.half_length, &x.shape));
        return x;
    }
}

static void free_specimen(specimen *x) {
    abut_shape_release(x->shape);
    if (x->polytope) {
        solid_free(&x->surface);
    }
}

static oracle_body place(const specimen *x, abut_pose pose) {
    return x->polytope ? oracle_solid(&x->surface, pose) : oracle_capsule(x->radius, x->half_length, pose);
}

static double worst(double *record, double value) {
    *record = fmax(*record, value);
    return value;
}

static double worst_certificate, worst_touch, worst_alpha;
static int32_t most_supports;

/* Properties of every pair: the growth distance is proved from both sides. */
static void check_growth(tally *t, const abut_growth *g, const oracle_body *a, const oracle_body *b, double size, double inradius) {
    if (!isfinite(g->alpha) || !isfinite(g->alpha_lower) || !isfinite(g->gap) || !abut_vec3_is_finite(g->normal) ||
        !abut_vec3_is_finite(g->touch) || !abut_vec3_is_finite(g->on_a) || !abut_vec3_is_finite(g->on_b) ||
        !abut_vec3_is_finite(g->contraction_a) || !abut_vec3_is_finite(g->contraction_b)) {
        tally_fail(t, "growth: not finite", "alpha %g gap %g", g->alpha, g->gap);
        return;
    }
    double scale = fmax(1.0, g->alpha) * size;
    if (!(fabs(abut_length(g->normal) - 1.0) <= 1e-12)) {
        tally_fail(t, "growth: normal not unit", "length %.17g", abut_length(g->normal));
    }
    if (!(oracle_outside(a, g->contraction_a) < 0.0 && oracle_outside(b, g->contraction_b) < 0.0)) {
        tally_fail(t, "growth: a contraction point is not inside", "A %g, B %g", oracle_outside(a, g->contraction_a),
                   oracle_outside(b, g->contraction_b));
    }
    if (!(fabs(oracle_outside(a, g->on_a)) <= 1e-9 * size && fabs(oracle_outside(b, g->on_b)) <= 1e-9 * size)) {
        tally_fail(t, "growth: on_a or on_b off the surface", "A %.3g, B %.3g, alpha %g", oracle_outside(a, g->on_a),
                   oracle_outside(b, g->on_b), g->alpha);
    }
    abut_vec3 from_a = abut_add_scaled(g->contraction_a, g->alpha, abut_sub(g->on_a, g->contraction_a));
    abut_vec3 from_b = abut_add_scaled(g->contraction_b, g->alpha, abut_sub(g->on_b, g->contraction_b));
    double off = fmax(abut_distance_between(from_a, g->touch), abut_distance_between(from_b, g->touch));
    if (!(worst(&worst_touch, off / scale) <= 1e-9)) {
        tally_fail(t, "growth: touch is not what the scalings make of on_a and on_b", "off by %.3g, alpha %g", off, g->alpha);
    }
    if (!(fabs(g->gap - oracle_gap_along(a, b, g->normal)) <= 1e-12 * size)) {
        tally_fail(t, "growth: gap is not -(h_A(-n) + h_B(n))", "gap %.17g, supports %.17g", g->gap, oracle_gap_along(a, b, g->normal));
    }
    if (!(g->alpha_lower <= g->alpha && g->alpha - g->alpha_lower <= 1e-9 * g->alpha)) {
        tally_fail(t, "growth: alpha_lower not within 1e-9 below alpha", "alpha %.17g lower %.17g", g->alpha, g->alpha_lower);
    }
    /* Contraction points have rounding errors of their own. They count as one point if they nearly coincide. */
    double rounding = 2e-12 + 8.0 * DBL_EPSILON * fmax(1.0, g->alpha) * size / inradius;
    double along = oracle_growth_along(a, b, g->contraction_a, g->contraction_b, g->normal);
    if (!(fabs(along - g->alpha) <= 1e-9 * g->alpha + rounding) || !(along >= g->alpha_lower - 1e-11 * g->alpha - rounding)) {
        tally_fail(t, "growth: the normal does not certify alpha_lower", "along the normal %.17g, lower %.17g, alpha %.17g", along,
                   g->alpha_lower, g->alpha);
    }
    worst(&worst_certificate, (g->alpha - along) / fmax(g->alpha, 1e-3));
    most_supports = g->iterations > most_supports ? g->iterations : most_supports;
}

static void check_oracle(tally *t, const abut_growth *g, const oracle_body *a, const oracle_body *b, double size, double inradius,
                         double *runner_up) {
    oracle_facets facets = oracle_minkowski(a, b);
    abut_vec3 normal;
    double alpha = oracle_growth(&facets, abut_vec3_make(0, 0, 0), g->contraction_a, g->contraction_b, &normal, runner_up);
    oracle_free_facets(&facets);
    double tolerance = 1e-12 * alpha + 2e-12 + 8.0 * DBL_EPSILON * fmax(1.0, alpha) * size / inradius;
    worst(&worst_alpha, fabs(alpha - g->alpha) / fmax(alpha, 1.0));
    if (!(fabs(alpha - g->alpha) <= tolerance)) {
        tally_fail(t, "growth: alpha differs from the enumeration", "alpha %.17g, enumeration %.17g", g->alpha, alpha);
    }
    bool unique = *runner_up < alpha - 1e-9 * alpha - tolerance;
    if (unique && !(abut_distance_between(normal, g->normal) <= 1e-6)) {
        tally_fail(t, "growth: normal differs from the enumeration", "(%.6f, %.6f, %.6f), enumeration (%.6f, %.6f, %.6f)", g->normal.x,
                   g->normal.y, g->normal.z, normal.x, normal.y, normal.z);
    }
    if (unique && g->normal_chosen && alpha > 1e-6) {
        tally_fail(t, "growth: a unique normal is said to be chosen", "alpha %.17g, runner-up %.17g", alpha, *runner_up);
    }
}

static void check_contraction(tally *t, const abut_growth *g, const specimen *x, const specimen *y, abut_pose pose_x, abut_pose pose_y) {
    abut_vec3 cx = abut_pose_apply(pose_x, x->centroid), cy = abut_pose_apply(pose_y, y->centroid);
    double off = fmax(abut_distance_between(cx, g->contraction_a), abut_distance_between(cy, g->contraction_b));
    if (!(off <= 1e-13 * (x->size + y->size) + 8.0 * DBL_EPSILON * (abut_length(cx) + abut_length(cy)))) {
        tally_fail(t, "growth: centroid contraction is not about the centroids", "off by %.3g", off);
    }
}

/* Poses of five kinds: overlapping little, apart, touching, deep, concentric. */
static abut_pose place_first(random_state *random, const specimen *x, const specimen *y, abut_pose pose_y, int32_t kind) {
    abut_pose pose = {.position = {0, 0, 0}, .rotation = random_rotation(random)};
    abut_vec3 direction = random_direction(random);
    abut_vec3 towards = abut_sub(abut_pose_apply(pose_y, y->centroid), abut_quat_rotate(pose.rotation, x->centroid));
    double small = fmin(x->inradius, y->inradius);
    if (kind == 4) {
        static const double offsets[4] = {0.0, 1e-14, 1e-9, 1e-4};
        pose.position = abut_add_scaled(towards, small * offsets[random_below(random, 4)], direction);
        return pose;
    }
    if (kind == 3) {
        pose.position = abut_add_scaled(towards, small * random_range(random, 0.01, 1.0), direction);
        return pose;
    }
    double gap = kind == 0   ? -small * random_log_range(random, 1e-6, 0.3)
                 : kind == 1 ? (x->size + y->size) * random_log_range(random, 1e-6, 10.0)
                             : 0.0;
    pose.position = towards;
    oracle_body a = place(x, pose), b = place(y, pose_y);
    oracle_facets facets = oracle_minkowski(&a, &b);
    double way = x->polytope || y->polytope ? oracle_place(&facets, direction, gap) : x->radius + y->radius + gap;
    oracle_free_facets(&facets);
    oracle_free(&a);
    oracle_free(&b);
    pose.position = abut_add_scaled(towards, way, direction);
    return pose;
}

static void check_swapped(tally *t, const abut_growth *g, const specimen *x, const specimen *y, abut_pose pose_x, abut_pose pose_y,
                          const abut_collide_settings *settings, bool unique) {
    abut_growth s;
    abut_status status = abut_growth_distance(&(abut_pair){y->shape, pose_y, x->shape, pose_x}, settings, &s);
    double size = fmax(x->size, y->size),
           rounding = 2e-12 + 8.0 * DBL_EPSILON * fmax(1.0, g->alpha) * size / fmin(x->inradius, y->inradius);
    if (status != ABUT_OK) {
        tally_fail(t, "growth: swapped call fails", "%s", abut_status_name(status));
        return;
    }
    if (!(fabs(s.alpha - g->alpha) <= 1e-10 * g->alpha + rounding)) {
        tally_fail(t, "growth: swap changes alpha", "%.17g and %.17g", s.alpha, g->alpha);
    }
    double off = fmax(abut_distance_between(s.contraction_a, g->contraction_b), abut_distance_between(s.contraction_b, g->contraction_a));
    if (!(off <= 1e-10 * fmax(1.0, g->alpha) * size)) {
        tally_fail(t, "growth: swap changes the contraction points", "off by %.3g, alpha %g", off, g->alpha);
    }
    if (!unique) {
        return;
    }
    if (!(abut_length(abut_add(s.normal, g->normal)) <= 1e-6)) {
        tally_fail(t, "growth: swap does not turn the normal", "off by %.3g", abut_length(abut_add(s.normal, g->normal)));
    }
    off = abut_distance_between(s.touch, g->touch);
    if (!(off <= 1e-9 * fmax(1.0, g->alpha) * size)) {
        tally_fail(t, "growth: swap moves the touching point", "off by %.3g, alpha %g", off, g->alpha);
    }
}

static const char *position_names[5] = {"overlapping", "apart", "touching", "deep", "concentric"};

static void random_pairs(void **state) {
    (void)state;
    random_state random = random_make(random_seed("random_pairs", 21));
    static tally t;
    worst_certificate = worst_touch = worst_alpha = 0.0;
    most_supports = 0;
    for (int i = 0; i < 1500; i++) {
        int32_t kind_x = random_below(&random, 7), kind_y = random_below(&random, 7), position = random_below(&random, 5);
        specimen x = make_specimen(&random, kind_x, 1.0), y = make_specimen(&random, kind_y, random_log_range(&random, 0.1, 1.0));
        abut_pose pose_y = random_pose(&random, 1.0), pose_x = place_first(&random, &x, &y, pose_y, position);
        oracle_body a = place(&x, pose_x), b = place(&y, pose_y);
        double size = fmax(x.size, y.size), inradius = fmin(x.inradius, y.inradius);
        for (int contraction = 0; contraction < 2; contraction++) {
            abut_collide_settings settings = abut_collide_settings_default();
            settings.contraction = contraction ? ABUT_CONTRACTION_CENTROID : ABUT_CONTRACTION_CORE;
            tally_sample(&t, "sample %d: kinds %d %d, %s, %s", i, (int)kind_x, (int)kind_y, position_names[position],
                         contraction ? "centroid" : "core");
            abut_growth g;
            abut_status status = abut_growth_distance(&(abut_pair){x.shape, pose_x, y.shape, pose_y}, &settings, &g);
            if (status != ABUT_OK) {
                tally_fail(&t, "growth: status", "%s", abut_status_name(status));
                continue;
            }
            check_growth(&t, &g, &a, &b, size, inradius);
            double runner_up = -1.0;
            if (x.polytope && y.polytope) {
                check_oracle(&t, &g, &a, &b, size, inradius, &runner_up);
            }
            if (contraction) {
                check_contraction(&t, &g, &x, &y, pose_x, pose_y);
            }
            bool unique = x.polytope && y.polytope && runner_up < g.alpha * (1.0 - 1e-9) - 1e-12 && g.alpha > 1e-3;
            check_swapped(&t, &g, &x, &y, pose_x, pose_y, &settings, unique);
        }
        oracle_free(&a);
        oracle_free(&b);
        free_specimen(&x);
        free_specimen(&y);
    }
    printf(
        "random_pairs: worst relative gap of the certificate %.2g, of alpha to the enumeration %.2g, of touch %.2g; at most %d supports\n",
        worst_certificate, worst_alpha, worst_touch, (int)most_supports);
    tally_end(&t);
}

/* The support of a box with these half sizes from the point p, in the direction n. */
static double reach_beyond(abut_vec3 half, abut_pose pose, abut_vec3 p, abut_vec3 n) {
    solid s = solid_box(half);
    oracle_body body = oracle_solid(&s, pose);
    double beyond = oracle_support(&body, n) - abut_dot(n, p);
    oracle_free(&body);
    solid_free(&s);
    return beyond;
}

static double outside_box(abut_vec3 half, abut_pose pose, abut_vec3 p) {
    abut_vec3 local = abut_pose_apply_inverse(pose, p);
    return fmax(fabs(local.x) - half.x, fmax(fabs(local.y) - half.y, fabs(local.z) - half.z));
}

/* Core contraction of two boxes: the closest points of both boxes eroded by the smaller inradius. By the variational inequality, points of
 * two convex sets are closest if no point of either set lies farther along the line to the other. */
static void core_points_of_boxes(void **state) {
    (void)state;
    random_state random = random_make(random_seed("core_points_of_boxes", 22));
    static tally t;
    int32_t checked = 0;
    for (int i = 0; i < 500; i++) {
        abut_vec3 p = random_vec3(&random, 0.1, 1.0), q = random_vec3(&random, 0.1, 1.0);
        abut_pose pose_a = random_pose(&random, 1.0), pose_b = random_pose(&random, 1.0);
        double rho = fmin(fmin(fmin(p.x, p.y), p.z), fmin(fmin(q.x, q.y), q.z));
        abut_vec3 deep = {rho, rho, rho}, inner_p = abut_sub(p, deep), inner_q = abut_sub(q, deep);
        solid whole_a = solid_box(p), whole_b = solid_box(q);
        oracle_body oracle_a = oracle_solid(&whole_a, pose_a), oracle_b = oracle_solid(&whole_b, pose_b);
        /* Deeper than 2 rho the eroded boxes may overlap, and other points are used. */
        if (oracle_signed_distance(&oracle_a, &oracle_b) > -2.0 * rho * (1.0 - 1e-3)) {
            abut_shape *a = NULL, *b = NULL;
            abut_growth g;
            assert_ok(abut_shape_create_box(p, &a));
            assert_ok(abut_shape_create_box(q, &b));
            assert_ok(abut_growth_distance(&(abut_pair){a, pose_a, b, pose_b}, NULL, &g));
            abut_vec3 across = abut_sub(g.contraction_b, g.contraction_a), n = abut_unit(across);
            double beyond = reach_beyond(inner_p, pose_a, g.contraction_a, n) + reach_beyond(inner_q, pose_b, g.contraction_b, abut_neg(n));
            tally_sample(&t, "sample %d: halves (%.17g, %.17g, %.17g) (%.17g, %.17g, %.17g), smaller inradius %.3g, gap %.3g", i, p.x, p.y,
                         p.z, q.x, q.y, q.z, rho, g.gap);
            if (!(outside_box(inner_p, pose_a, g.contraction_a) <= 1e-12 && outside_box(inner_q, pose_b, g.contraction_b) <= 1e-12)) {
                tally_fail(&t, "growth: a core point outside its eroded box", "A %.3g, B %.3g",
                           outside_box(inner_p, pose_a, g.contraction_a), outside_box(inner_q, pose_b, g.contraction_b));
            }
            if (!(beyond <= 1e-3 * abut_length(across))) {
                tally_fail(&t, "growth: the core points are not the closest ones",
                           "they are %.6g apart, the eroded boxes can be separated by no more than %.6g along that line",
                           abut_length(across), abut_length(across) - beyond);
            }
            abut_shape_release(a);
            abut_shape_release(b);
            checked++;
        }
        oracle_free(&oracle_a);
        oracle_free(&oracle_b);
        solid_free(&whole_a);
        solid_free(&whole_b);
    }
    assert_true(checked > 250);
    tally_end(&t);
}

/* The same pair at 1e-3 and 1e3 of its size, and 1e6 from the origin: the same alpha. About the centroids, because core points result from
 * an iteration. */
static void size_and_place(void **state) {
    (void)state;
    random_state random = random_make(random_seed("size_and_place", 23));
    static tally t;
    static const double factors[2] = {1e-3, 1e3};
    for (int i = 0; i < 300; i++) {
        solid s = i % 2 ? solid_cloud(&random, 12, random_vec3(&random, 0.3, 0.7)) : solid_box(random_vec3(&random, 0.3, 0.7)),
              r = solid_cloud(&random, 9, random_vec3(&random, 0.3, 0.7));
        abut_shape *a = solid_shape(&s), *b = solid_shape(&r);
        abut_pose pose_a = random_pose(&random, 0.7), pose_b = random_pose(&random, 0.7);
        /* Multiples of 2^-30 stay exact when 2^20 is added. */
        pose_a.position = abut_scale(0x1p-30, abut_vec3_make(floor(pose_a.position.x * 0x1p30), floor(pose_a.position.y * 0x1p30),
                                                             floor(pose_a.position.z * 0x1p30)));
        pose_b.position = abut_scale(0x1p-30, abut_vec3_make(floor(pose_b.position.x * 0x1p30), floor(pose_b.position.y * 0x1p30),
                                                             floor(pose_b.position.z * 0x1p30)));
        abut_growth g, h;
        abut_collide_settings settings = abut_collide_settings_default();
        settings.contraction = ABUT_CONTRACTION_CENTROID;
        assert_ok(abut_growth_distance(&(abut_pair){a, pose_a, b, pose_b}, &settings, &g));
        tally_sample(&t, "sample %d, alpha %.17g", i, g.alpha);
        for (int k = 0; k < 2; k++) {
            double f = factors[k];
            solid fs = solid_scaled(&s, f), fr = solid_scaled(&r, f);
            abut_shape *fa = solid_shape(&fs), *fb = solid_shape(&fr);
            abut_pose fpa = {abut_scale(f, pose_a.position), pose_a.rotation}, fpb = {abut_scale(f, pose_b.position), pose_b.rotation};
            if (abut_growth_distance(&(abut_pair){fa, fpa, fb, fpb}, &settings, &h) != ABUT_OK ||
                !(fabs(h.alpha - g.alpha) <= 1e-12 * g.alpha) || !(abut_distance_between(h.normal, g.normal) <= 1e-9) ||
                !(abut_distance_between(h.touch, abut_scale(f, g.touch)) <= 1e-9 * f * fmax(1.0, g.alpha))) {
                tally_fail(&t, "growth: depends on the size", "factor %g: alpha %.17g, touch off by %.3g", f, h.alpha,
                           abut_distance_between(h.touch, abut_scale(f, g.touch)) / f);
            }
            abut_shape_release(fa);
            abut_shape_release(fb);
            solid_free(&fs);
            solid_free(&fr);
        }
        abut_vec3 far = {0x1p20, -0x1p20, 0x1p19};
        abut_pose far_a = {abut_add(pose_a.position, far), pose_a.rotation}, far_b = {abut_add(pose_b.position, far), pose_b.rotation};
        if (abut_growth_distance(&(abut_pair){a, far_a, b, far_b}, &settings, &h) != ABUT_OK ||
            !(fabs(h.alpha - g.alpha) <= 1e-12 * g.alpha) || !(abut_distance_between(h.normal, g.normal) <= 1e-12) ||
            !(fabs(h.gap - g.gap) <= 1e-12) || !(abut_distance_between(abut_sub(h.touch, far), g.touch) <= 1e-9 * fmax(1.0, g.alpha))) {
            tally_fail(&t, "growth: depends on the distance from the origin", "alpha %.17g, gap off by %.3g, touch off by %.3g", h.alpha,
                       h.gap - g.gap, abut_distance_between(abut_sub(h.touch, far), g.touch));
        }
        abut_shape_release(a);
        abut_shape_release(b);
        solid_free(&s);
        solid_free(&r);
    }
    tally_end(&t);
}

/* A slab and a needle, a big and a tiny body, and thin plates: long ratios of extents. */
static void slender_bodies(void **state) {
    (void)state;
    random_state random = random_make(random_seed("slender_bodies", 24));
    static tally t;
    for (int i = 0; i < 500; i++) {
        solid s = solid_box(abut_vec3_make(random_log_range(&random, 1e-3, 1.0), random_log_range(&random, 1e-3, 1.0),
                                           random_log_range(&random, 1e-3, 1.0)));
        solid r = solid_box(abut_vec3_make(random_log_range(&random, 1e-3, 1.0), random_log_range(&random, 1e-3, 1.0),
                                           random_log_range(&random, 1e-3, 1.0)));
        specimen x = from_solid(s), y = from_solid(r);
        abut_pose pose_y = random_pose(&random, 0.5), pose_x = place_first(&random, &x, &y, pose_y, i % 4);
        oracle_body a = place(&x, pose_x), b = place(&y, pose_y);
        for (int contraction = 0; contraction < 2; contraction++) {
            abut_collide_settings settings = abut_collide_settings_default();
            settings.contraction = contraction ? ABUT_CONTRACTION_CENTROID : ABUT_CONTRACTION_CORE;
            abut_growth g;
            double runner_up;
            abut_status status = abut_growth_distance(&(abut_pair){x.shape, pose_x, y.shape, pose_y}, &settings, &g);
            tally_sample(&t, "sample %d: %s, %s", i, position_names[i % 4], contraction ? "centroid" : "core");
            if (status != ABUT_OK) {
                tally_fail(&t, "growth of slender boxes: status", "%s", abut_status_name(status));
                continue;
            }
            check_growth(&t, &g, &a, &b, fmax(x.size, y.size), fmin(x.inradius, y.inradius));
            check_oracle(&t, &g, &a, &b, fmax(x.size, y.size), fmin(x.inradius, y.inradius), &runner_up);
        }
        oracle_free(&a);
        oracle_free(&b);
        free_specimen(&x);
        free_specimen(&y);
    }
    tally_end(&t);
}

static void coincident_and_unsupported(void **state) {
    (void)state;
    abut_shape *cube = NULL, *plane = NULL, *sphere = NULL, *compound = NULL;
    assert_ok(abut_shape_create_box(abut_vec3_make(0.5, 0.5, 0.5), &cube));
    assert_ok(abut_shape_create_plane(abut_vec3_make(0, 0, 1), 0.0, &plane));
    assert_ok(abut_shape_create_sphere(0.5, &sphere));
    abut_part part = {cube, abut_pose_identity()};
    assert_ok(abut_shape_create_compound(&part, 1, &compound));
    abut_growth g;
    assert_ok(abut_growth_distance(&(abut_pair){cube, abut_pose_identity(), cube, abut_pose_identity()}, NULL, &g));
    assert_near(g.alpha, 0.0, 0.0);
    assert_near(abut_length(g.normal), 1.0, 1e-12);
    assert_near(g.gap, -1.0, 1e-12);
    assert_true(g.normal_chosen);
    assert_ok(abut_growth_distance(&(abut_pair){sphere, abut_pose_identity(), sphere, abut_pose_identity()}, NULL, &g));
    assert_near(g.alpha, 0.0, 0.0);
    assert_near(abut_length(g.normal), 1.0, 1e-12);
    assert_near(g.gap, -1.0, 1e-12);
    assert_true(g.normal_chosen);
    abut_growth untouched = g;
    assert_status(abut_growth_distance(&(abut_pair){cube, abut_pose_identity(), plane, abut_pose_identity()}, NULL, &g),
                  ABUT_ERROR_UNSUPPORTED_PAIR);
    assert_status(abut_growth_distance(&(abut_pair){compound, abut_pose_identity(), cube, abut_pose_identity()}, NULL, &g),
                  ABUT_ERROR_UNSUPPORTED_PAIR);
    assert_status(abut_growth_distance(&(abut_pair){NULL, abut_pose_identity(), cube, abut_pose_identity()}, NULL, &g),
                  ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_growth_distance(&(abut_pair){cube, abut_pose_identity(), NULL, abut_pose_identity()}, NULL, &g),
                  ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_growth_distance(&(abut_pair){cube, abut_pose_identity(), cube, abut_pose_identity()}, NULL, NULL),
                  ABUT_ERROR_INVALID_ARGUMENT);
    abut_pose bad = abut_pose_identity();
    bad.position.y = NAN;
    assert_status(abut_growth_distance(&(abut_pair){cube, bad, cube, abut_pose_identity()}, NULL, &g), ABUT_ERROR_NOT_FINITE);
    assert_memory_equal(&g.alpha, &untouched.alpha, sizeof g.alpha);
    abut_shape_release(cube);
    abut_shape_release(plane);
    abut_shape_release(sphere);
    abut_shape_release(compound);
}

/* Two equal boxes with equal overlaps along x and z: the previous normal decides between the two normals. */
static void previous_normal_breaks_ties(void **state) {
    (void)state;
    abut_shape *cube = NULL;
    assert_ok(abut_shape_create_box(abut_vec3_make(0.5, 0.5, 0.5), &cube));
    abut_pose pose = abut_pose_identity();
    pose.position = abut_vec3_make(0.9, 0.0, 0.9);
    abut_collide_settings settings = abut_collide_settings_default();
    abut_growth g;
    for (int contraction = 0; contraction < 2; contraction++) {
        settings.contraction = contraction ? ABUT_CONTRACTION_CENTROID : ABUT_CONTRACTION_CORE;
        settings.previous_normal = abut_vec3_make(1, 0, 0);
        assert_ok(abut_growth_distance(&(abut_pair){cube, pose, cube, abut_pose_identity()}, &settings, &g));
        assert_vec3_near(g.normal, abut_vec3_make(1, 0, 0), 1e-12);
        settings.previous_normal = abut_vec3_make(0, 0, 1);
        assert_ok(abut_growth_distance(&(abut_pair){cube, pose, cube, abut_pose_identity()}, &settings, &g));
        assert_vec3_near(g.normal, abut_vec3_make(0, 0, 1), 1e-12);
        /* A previous normal that is not a tie is not kept. */
        settings.previous_normal = abut_vec3_make(0, 1, 0);
        assert_ok(abut_growth_distance(&(abut_pair){cube, pose, cube, abut_pose_identity()}, &settings, &g));
        assert_true(fabs(g.normal.y) < 1e-12);
        assert_near(g.alpha, 0.9, 1e-12);
    }
    abut_shape_release(cube);
}

/* Two cubes whose centres lie nearly on a diagonal: along the diagonal itself the bodies are separated a little less. */
static void a_previous_normal_that_does_not_prove_the_bound(void **state) {
    (void)state;
    abut_shape *cube = NULL;
    assert_ok(abut_shape_create_box(abut_vec3_make(1, 1, 1), &cube));
    for (int method = 0; method < 2; method++) {
        abut_collide_settings settings = abut_collide_settings_default();
        settings.normal = ABUT_NORMAL_GROWTH;
        settings.baseline.growth = method == 0 ? ABUT_GROWTH_EXPANSION : ABUT_GROWTH_RAY_CAST;
        settings.previous_normal = abut_vec3_make(-1, -1, -1);
        abut_growth g;
        assert_ok(abut_growth_distance(&(abut_pair){cube, abut_pose_identity(), cube, {{1, 1, 1 + 1e-6}, {0, 0, 0, 1}}}, &settings, &g));
        abut_vec3 n = g.normal;
        double between = abut_dot(n, abut_sub(g.contraction_a, g.contraction_b)), widths = 2.0 * (fabs(n.x) + fabs(n.y) + fabs(n.z));
        assert_near(g.alpha, 0.5 * (1 + 1e-6), 1e-12);
        assert_true(g.alpha_lower * widths <= between * (1 + 1e-9));
    }
    abut_shape_release(cube);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_pairs),
        cmocka_unit_test(core_points_of_boxes),
        cmocka_unit_test(size_and_place),
        cmocka_unit_test(slender_bodies),
        cmocka_unit_test(coincident_and_unsupported),
        cmocka_unit_test(previous_normal_breaks_ties),
        cmocka_unit_test(a_previous_normal_that_does_not_prove_the_bound),
    };
    return cmocka_run_group_tests_name("narrow/growth", tests, NULL, NULL);
}
